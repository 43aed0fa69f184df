/* A program that is linked with a library over the runtime. */
#include <loomp/loomp_cuda.h>
#include <stdio.h>

int main(void) {
    printf("%d\n", loomp_cuda_wait_event != NULL);
    return 0;
}
