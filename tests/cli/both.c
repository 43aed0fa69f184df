/* clang's part of a program that needs libomp.so.5 and, through a library, libgomp.so.1: counts the
 * libraries loaded that define an OpenMP runtime, without those that only lead to another one. */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>

int gcc_part(void);

static int is_filter(const struct dl_phdr_info *info) {
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; ++entry)
            if (entry->d_tag == DT_FILTER)
                return 1;
    }
    return 0;
}

static int count(struct dl_phdr_info *info, size_t size, void *counter) {
    (void)size;
    static const char *const runtimes[] = {"libgomp.so", "libiomp5.so", "libomp.so", "libloomp.so"};
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; ++i)
        if (strstr(info->dlpi_name, runtimes[i]) != NULL && !is_filter(info))
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
