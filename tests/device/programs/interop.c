// The runtime that made an interop object answers the program's queries about it.
#include "../../programs/check.h"
#include <omp.h>

int main(void) {
    omp_interop_t object = omp_interop_none;
    int result = -100;
    CHECK(omp_get_interop_int(object, omp_ipr_device_num, &result) == 0);
    CHECK(result == omp_irc_empty);
#pragma omp interop init(targetsync : object) device(0)
    CHECK(object != omp_interop_none);
    CHECK(omp_get_interop_int(object, omp_ipr_device_num, &result) == 0);
    CHECK(result == omp_irc_success);
    CHECK(omp_get_interop_ptr(object, omp_ipr_targetsync, &result) != NULL);
    CHECK(result == omp_irc_success);
#pragma omp interop destroy(object)
    return 0;
}
