/* A program that knows loomp by its header, and has never heard of C++. */
#include <loomp/loomp.h>

int main(void) { return loomp_print_info(stdout, 0); }
