/* Routines that clang 23's programs find in libomp: names of devices, memory spaces of devices, and
   calls that come at the wrong time.
   compilers: clang
   env: OMP_TARGET_OFFLOAD=DISABLED */
#include <stdint.h>

#include "omp_decls.h"
#include "said.h"

typedef uintptr_t space_t;
/* Weak: libomp 19, which it is linked with, has none of these. */
__attribute__((weak)) const char *omp_get_uid_from_device(int);
__attribute__((weak)) int omp_get_device_from_uid(const char *);
int omp_get_initial_device(void);
__attribute__((weak)) space_t omp_get_devices_memspace(int, const int *, space_t);
__attribute__((weak)) space_t omp_get_device_memspace(int, space_t);
__attribute__((weak)) space_t omp_get_device_and_host_memspace(int, space_t);
__attribute__((weak)) space_t omp_get_devices_all_memspace(space_t);
__attribute__((weak)) uintptr_t omp_get_device_allocator(int, space_t);
__attribute__((weak)) int omp_get_memspace_num_resources(space_t);
__attribute__((weak)) space_t omp_get_submemspace(space_t, int, const int *);
int *omp_alloc(size_t, uintptr_t);
void omp_free(int *, uintptr_t);
void omp_set_num_teams(int);
void omp_set_teams_thread_limit(int);
int omp_get_max_teams(void);
int omp_get_teams_thread_limit(void);

enum { kNull = 0, kLargeCapacity = 1, kDefault = 99, kDevicesOwn = 102, kNobody = -2 };

static void names(void) {
    const int host = omp_get_initial_device();
    const char *name = omp_get_uid_from_device(host);
    CHECK(name != NULL && strcmp(name, omp_get_uid_from_device(-1)) == 0);
    CHECK_EQ(omp_get_device_from_uid(name), host);
    CHECK(omp_get_uid_from_device(host + 7) == NULL);
    CHECK_EQ(omp_get_device_from_uid("no such device"), kNobody);
    CHECK_EQ(omp_get_device_from_uid(NULL), kNobody);
}

static void spaces(void) {
    const int host[2] = {omp_get_initial_device(), -1}, other = 7, first = 0, second = 1;
    CHECK_EQ(omp_get_devices_memspace(2, host, kDefault), kDefault);
    CHECK_EQ(omp_get_device_memspace(host[0], kLargeCapacity), kLargeCapacity);
    CHECK_EQ(omp_get_device_and_host_memspace(host[0], kDefault), kDefault);
    CHECK_EQ(omp_get_devices_all_memspace(kDefault), kDefault);
    CHECK_EQ(omp_get_device_memspace(other, kDefault), kNull);
    CHECK_EQ(omp_get_device_memspace(host[0], kDevicesOwn), kNull);
    CHECK_EQ(omp_get_devices_memspace(0, NULL, kDefault), kNull);
    CHECK_EQ(omp_get_device_allocator(other, kDefault), 0);
    const uintptr_t allocator = omp_get_device_allocator(host[0], kLargeCapacity);
    int *block = omp_alloc(sizeof(int), allocator);
    CHECK(block != NULL);
    *block = 1;
    omp_free(block, allocator);
    CHECK_EQ(omp_get_memspace_num_resources(kDefault), 1);
    CHECK_EQ(omp_get_memspace_num_resources(kNull), 0);
    CHECK_EQ(omp_get_submemspace(kDefault, 1, &first), kDefault);
    CHECK_EQ(omp_get_submemspace(kDefault, 1, &second), kNull);
}

static void misplaced(void) {
    omp_set_num_teams(2);
    omp_set_teams_thread_limit(3);
    listen_to_stderr();
#pragma omp parallel num_threads(1)
    omp_set_num_teams(5);
    check_said(
        "OMP: Warning #42: omp_set_num_teams() inside a parallel or teams region: call ignored", 1);
    listen_to_stderr();
#pragma omp teams num_teams(1)
    omp_set_teams_thread_limit(5);
    check_said("OMP: Warning #42: omp_set_teams_thread_limit() inside a parallel or teams region: "
               "call ignored",
               1);
    CHECK_EQ(omp_get_max_teams(), 2);
    CHECK_EQ(omp_get_teams_thread_limit(), 3);
}

int main(void) {
    names();
    spaces();
    misplaced();
    return 0;
}
