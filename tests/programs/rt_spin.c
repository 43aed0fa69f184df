// kmp_set_blocktime while threads wait: regions go on, and the inquiry answers.
#include "check.h"
#include <dlfcn.h>
#include <limits.h>
#include <omp.h>

static int regions(void) {
    int members = 0;
    for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(2) reduction(+ : members)
        members++;
    }
    return members;
}

int main(void) {
    void (*set_blocktime)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "kmp_set_blocktime");
    int (*blocktime)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "kmp_get_blocktime");
    CHECK(set_blocktime != NULL && blocktime != NULL);
    CHECK(regions() == 40);
    set_blocktime(3);
    CHECK(blocktime() == 3);
    CHECK(regions() == 40);
    set_blocktime(0);
    CHECK(blocktime() == 0);
    CHECK(regions() == 40);
    set_blocktime(INT_MAX);
    CHECK(blocktime() == INT_MAX);
    CHECK(regions() == 40);
    return 0;
}
