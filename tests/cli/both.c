/* clang's part of a program that needs libomp.so.5 and, through a library, libgomp.so.1: counts the
 * libraries loaded that define an OpenMP runtime. */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>

int gcc_part(void);

static int count(struct dl_phdr_info *info, size_t size, void *counter) {
    (void)size;
    static const char *const runtimes[] = {"libgomp.so", "libiomp5.so", "libomp.so", "libloomp.so"};
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; ++i)
        if (strstr(info->dlpi_name, runtimes[i]) != NULL)
            ++*(int *)counter;
    return 0;
}

int main(void) {
    int runtimes = 0;
    int ran = 0;
#pragma omp parallel reduction(+ : ran)
    ran += 1;
    dl_iterate_phdr(count, &runtimes);
    printf("%d %s\n", runtimes, gcc_part() > 0 && ran > 0 ? "libloomp" : "none");
    return 0;
}
