/* Asynchronous device copies wait for the tasks that their depend objects name; interoperability
   properties of no object.
   compilers: clang */
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

/* Stock clang finds the copies in libomptarget; here they are looked up, as nothing is linked that
   has them. */
typedef int (*copy)(void *, const void *, size_t, size_t, size_t, int, int, int, omp_depend_t *);
typedef int (*copy_rect)(void *, const void *, size_t, int, const size_t *, const size_t *,
                         const size_t *, const size_t *, const size_t *, int, int, int,
                         omp_depend_t *);
typedef void *(*mapped)(const void *, int);
typedef int (*accessible)(const void *, size_t, int);

int main(void) {
    const copy memcpy_async = (copy)dlsym(RTLD_DEFAULT, "omp_target_memcpy_async");
    const copy_rect rect_async = (copy_rect)dlsym(RTLD_DEFAULT, "omp_target_memcpy_rect_async");
    const mapped mapped_ptr = (mapped)dlsym(RTLD_DEFAULT, "omp_get_mapped_ptr");
    const accessible is_accessible = (accessible)dlsym(RTLD_DEFAULT, "omp_target_is_accessible");
    CHECK(memcpy_async != NULL && rect_async != NULL);
    int here = 0;
    CHECK(mapped_ptr(&here, 0) == &here && mapped_ptr(&here, 3) == NULL);
    CHECK(is_accessible(&here, sizeof here, 0) && !is_accessible(&here, sizeof here, 3));

    int source[4] = {0}, middle[4] = {0}, target[4] = {0}, seen = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    for (int round = 1; round <= 50; ++round) {
        omp_depend_t objects[2];
#pragma omp depobj(objects[0]) depend(in : source)
#pragma omp depobj(objects[1]) depend(inout : middle)
#pragma omp task depend(out : source)
        {
            usleep(100);
            for (int i = 0; i < 4; ++i)
                source[i] = round + i;
        }
        CHECK_EQ(memcpy_async(middle, source, sizeof source, 0, 0, 0, 0, 2, objects), 0);
        CHECK_EQ(middle[3], round + 3);
        const size_t volume = 3, at = 1, size = 4;
        CHECK_EQ(rect_async(target, middle, sizeof(int), 1, &volume, &at, &at, &size, &size, 0, 0,
                            1, &objects[1]),
                 0);
        CHECK_EQ(target[0], 0);
        CHECK_EQ(target[3], round + 3);
#pragma omp task depend(in : middle)
        {
#pragma omp atomic
            seen += middle[0] == round;
        }
#pragma omp taskwait
#pragma omp depobj(objects[0]) destroy
#pragma omp depobj(objects[1]) destroy
    }
    CHECK_EQ(seen, 50);
    CHECK(memcpy_async(target, source, 1, 0, 0, 5, 0, 0, NULL) != 0);
    CHECK(rect_async(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, NULL) >= 3);

    int result = 0;
    CHECK_EQ(omp_get_num_interop_properties(NULL), 0);
    CHECK_EQ(omp_get_interop_int(NULL, -1, &result), 0);
    CHECK_EQ(result, -1); /* omp_irc_empty */
    CHECK(omp_get_interop_ptr(NULL, -9, &result) == NULL && result == -1);
    CHECK(omp_get_interop_str(NULL, -10, &result) == NULL && result == -2); /* out of range */
    CHECK(omp_get_interop_str(NULL, -2, NULL) == NULL);
    CHECK(strcmp(omp_get_interop_name(NULL, -1), "fr_id") == 0 &&
          omp_get_interop_name(NULL, 1) == NULL && omp_get_interop_type_desc(NULL, -1) == NULL);
    const struct {
        int result;
        const char *text;
    } descriptions[] = {{1, "the property has no value"},
                        {0, "success"},
                        {-1, "provided interoperability object is equal to omp_interop_none"},
                        {-2, "property ID is out of range"},
                        {-3, "the property is an integer: use omp_get_interop_int"},
                        {-4, "the property is a pointer: use omp_get_interop_ptr"},
                        {-5, "the property is a string: use omp_get_interop_str"}};
    for (int i = 0; i < 7; i++)
        CHECK(strcmp(omp_get_interop_rc_desc(NULL, descriptions[i].result), descriptions[i].text) ==
              0);
    CHECK(omp_get_interop_rc_desc(NULL, -6) == NULL); /* never of none */
    CHECK(strcmp(omp_get_interop_rc_desc(&result, -6), "the object is not one of this program's") ==
          0);
    CHECK(omp_get_interop_rc_desc(NULL, 9) == NULL);
    return 0;
}
