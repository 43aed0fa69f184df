/* Routines under the names that Fortran's compilers and libomp's glue call, with arguments by their
   address, and of 8 bytes; they do what those for C do. And libomp's constants.

   flags: -D_GNU_SOURCE
   env: OMP_MAX_TASK_PRIORITY=7 OMP_MAX_ACTIVE_LEVELS=4
   threads: 3 */
#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "omp_decls.h"
#include "said.h"

int omp_get_teams_thread_limit(void);
int omp_get_default_device(void);

static void *find(const char *name) {
    void *function = dlsym(RTLD_DEFAULT, name);
    if (function == NULL)
        fprintf(stderr, "no %s\n", name);
    CHECK(function != NULL);
    return function;
}
static int ask(const char *name) { return ((int (*)(void))find(name))(); }
static void tell(const char *name, int value) { ((void (*)(int))find(name))(value); }
static void tell_at(const char *name, int value) { ((void (*)(const int *))find(name))(&value); }
static void tell_8(const char *name, int64_t value) {
    ((void (*)(const int64_t *))find(name))(&value);
}

static void settings(void) {
    tell_8("omp_set_dynamic_8_", 1);
    CHECK_EQ(omp_get_dynamic(), 1);
    tell("ompc_set_dynamic", 0);
    CHECK_EQ(omp_get_dynamic(), 0);
    tell_8("omp_set_num_threads_8_", 2);
    CHECK_EQ(omp_get_max_threads(), 2);
    tell("ompc_set_num_threads", 3);
    CHECK_EQ(omp_get_max_threads(), 3);
    tell_8("omp_set_max_active_levels_8_", 2);
    CHECK_EQ(omp_get_max_active_levels(), 2);
    tell("ompc_set_max_active_levels", 3);
    CHECK_EQ(omp_get_max_active_levels(), 3);
    tell("ompc_set_nested", 0);
    CHECK_EQ(omp_get_max_active_levels(), 1);
    tell("ompc_set_nested", 1);
    CHECK(omp_get_max_active_levels() > 1);
    tell_8("omp_set_teams_thread_limit_8_", 5);
    CHECK_EQ(omp_get_teams_thread_limit(), 5);
    const int device = omp_get_default_device();
    tell_at("omp_set_default_device_", 3);
    CHECK_EQ(omp_get_default_device(), 3);
    tell_8("omp_set_default_device_8_", 4);
    CHECK_EQ(omp_get_default_device(), 4);
    tell_at("omp_set_default_device_", device);
    CHECK_EQ(ask("omp_get_max_task_priority_"), 7);

    uint32_t kind = omp_sched_guided;
    int64_t chunk = 9;
    ((void (*)(const uint32_t *, const int64_t *))find("omp_set_schedule_8_"))(&kind, &chunk);
    omp_sched_t of_c;
    int chunk_of_c = 0;
    omp_get_schedule(&of_c, &chunk_of_c);
    CHECK_EQ(of_c, omp_sched_guided);
    CHECK_EQ(chunk_of_c, 9);
    ((void (*)(uint32_t, int))find("ompc_set_schedule"))(omp_sched_dynamic, 4);
    ((void (*)(uint32_t *, int64_t *))find("omp_get_schedule_8_"))(&kind, &chunk);
    CHECK_EQ(kind & 0xff, omp_sched_dynamic);
    CHECK_EQ(chunk, 4);
}

static void in_regions(void) {
    int in_task = -1, bind = -1;
    omp_set_max_active_levels(2);
    CHECK_EQ(ask("omp_in_explicit_task_"), 0);
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        bind = ask("omp_get_proc_bind_");
        CHECK_EQ(ask("omp_in_explicit_task_"), 0);
#pragma omp task shared(in_task)
        in_task = ask("omp_in_explicit_task_");
        const int number = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            CHECK_EQ(((int (*)(int))find("ompc_get_ancestor_thread_num"))(1), number);
            CHECK_EQ(((int (*)(int))find("ompc_get_team_size"))(1), 3);
            CHECK_EQ(((int (*)(int))find("ompc_get_team_size"))(2), omp_get_num_threads());
        }
    }
    CHECK_EQ(in_task, 1);
    CHECK_EQ(bind, ask("omp_get_proc_bind"));
}

static void locks(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    const int hint = 1;
    for (int fortran = 0; fortran < 2; fortran++) {
        if (fortran) {
            ((void (*)(omp_lock_t *, const int *))find("omp_init_lock_with_hint_"))(&lock, &hint);
            ((void (*)(omp_nest_lock_t *, const int *))find("omp_init_nest_lock_with_hint_"))(
                &nest, &hint);
        } else {
            ((void (*)(omp_lock_t *, int))find("omp_init_lock_with_hint"))(&lock, hint);
            ((void (*)(omp_nest_lock_t *, int))find("omp_init_nest_lock_with_hint"))(&nest, hint);
        }
        long sum = 0, nested = 0;
#pragma omp parallel num_threads(3)
        for (int i = 0; i < 100; i++) {
            omp_set_lock(&lock);
            CHECK_EQ(omp_test_lock(&lock), 0);
            sum++;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            CHECK_EQ(omp_test_nest_lock(&nest), 2);
            nested++;
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
        }
        CHECK_EQ(sum, 300);
        CHECK_EQ(nested, 300);
        omp_destroy_lock(&lock);
        omp_destroy_nest_lock(&nest);
    }
}

static void displays(void) {
    for (int way = 0; way < 2; way++) {
        listen_to_stderr();
        if (way == 0)
            tell_at("omp_display_env_", 0);
        else
            tell_8("omp_display_env_8_", 0);
        fflush(stderr);
        char text[20000];
        rewind(said_file);
        text[fread(text, 1, sizeof text - 1, said_file)] = '\0';
        CHECK(dup2(said_stderr, 2) == 2);
        CHECK(strstr(text, "OPENMP DISPLAY ENVIRONMENT BEGIN") != NULL);
        CHECK(strstr(text, "OMP_MAX_TASK_PRIORITY") != NULL);
        CHECK(strstr(text, "OPENMP DISPLAY ENVIRONMENT END") != NULL);
        fclose(said_file);
        close(said_stderr);
    }
}

/* There are no tools and devices. */
static void nobody_there(void) {
    const int one = 1, host = ask("omp_get_initial_device");
    const int soft = 1;
    CHECK_EQ(
        ((int (*)(const int *, const int *, void *))find("omp_control_tool_"))(&one, &one, NULL),
        -2); // there is no tool
    ((void (*)(void *))find("ompt_libomp_connect"))(NULL);
    CHECK_EQ(((int (*)(const int *, const int *))find("omp_pause_resource_"))(&soft, &host), 0);
    CHECK_EQ(((int (*)(const int *))find("omp_pause_resource_all_"))(&soft), 0);
    CHECK_EQ(((int (*)(int))find("__kmpc_pause_resource"))(soft), 0);
    int result = 5;
    const int property = -1;
    CHECK_EQ(((int (*)(const void *))find("omp_get_num_interop_properties_"))(NULL), 0);
    CHECK_EQ(((intptr_t (*)(const void *, int, int *))find("omp_get_interop_int_"))(NULL, property,
                                                                                    &result),
             0);
    CHECK_EQ(result, -1); // it is none
    CHECK(((void *(*)(const void *, int, int *))find("omp_get_interop_ptr_"))(NULL, property,
                                                                              &result) == NULL);
    CHECK(((void *(*)(size_t, int *))find("omp_get_dyn_gprivate_ptr"))(0, NULL) == NULL);
    CHECK(((void *(*)(size_t))find("omp_get_dyn_gprivate_nofb_ptr"))(0) == NULL);
    CHECK_EQ(((size_t (*)(void))find("omp_get_dyn_gprivate_size"))(), 0);
    CHECK_EQ(((uintptr_t (*)(void))find("omp_get_dyn_gprivate_memspace"))(), 0);
    // A region's threads come back after a pause.
    int count = 0;
#pragma omp parallel num_threads(3) reduction(+ : count)
    count += 1;
    CHECK_EQ(count, 3);
}

/* --- Memory of sets of devices: the host's only --------------------------------------------------
 */

typedef uintptr_t handle_t;
enum { kLarge = 1, kOfLarge = 2 };

static void sets_of_devices(void) {
    const int host = ask("omp_get_initial_device"), other = host + 5, one = 1;
    const int both[2] = {host, other}, two = 2;
    const handle_t large = kLarge;
    static const struct {
        const char *one, *one_at, *some, *some_at;
    } names[] = {
        {"omp_get_device_memspace", "omp_get_device_memspace_", "omp_get_devices_memspace",
         "omp_get_devices_memspace_"},
        {"omp_get_device_and_host_memspace", "omp_get_device_and_host_memspace_",
         "omp_get_devices_and_host_memspace", "omp_get_devices_and_host_memspace_"},
        {"omp_get_device_allocator", "omp_get_device_allocator_", "omp_get_devices_allocator",
         "omp_get_devices_allocator_"},
        {"omp_get_device_and_host_allocator", "omp_get_device_and_host_allocator_",
         "omp_get_devices_and_host_allocator", "omp_get_devices_and_host_allocator_"},
    };
    for (int i = 0; i < 4; i++) {
        const handle_t expected = i < 2 ? kLarge : kOfLarge;
        handle_t (*const of_one)(int, handle_t) = (handle_t(*)(int, handle_t))find(names[i].one);
        handle_t (*const of_one_at)(const int *, const handle_t *) =
            (handle_t(*)(const int *, const handle_t *))find(names[i].one_at);
        handle_t (*const of_some)(int, const int *, handle_t) =
            (handle_t(*)(int, const int *, handle_t))find(names[i].some);
        handle_t (*const of_some_at)(const int *, const int *, const handle_t *) =
            (handle_t(*)(const int *, const int *, const handle_t *))find(names[i].some_at);
        CHECK_EQ(of_one(host, large), expected);
        CHECK_EQ(of_one_at(&host, &large), expected);
        CHECK_EQ(of_some(1, both, large), expected);
        CHECK_EQ(of_some_at(&one, both, &large), expected);
        // Nobody knows what another one could reach: no space, and no allocator of one.
        const handle_t none = of_one(other, large);
        CHECK(none != expected);
        CHECK_EQ(of_some(2, both, large), none);
        CHECK_EQ(of_some_at(&two, both, &large), none);
        CHECK_EQ(of_one_at(&other, &large), none);
    }
    const handle_t space = ((handle_t(*)(handle_t))find("omp_get_devices_all_memspace"))(large);
    CHECK_EQ(space, host == 0 ? kLarge : 0);
    CHECK_EQ(((handle_t(*)(const handle_t *))find("omp_get_devices_all_memspace_"))(&large), space);
    const handle_t allocator =
        ((handle_t(*)(handle_t))find("omp_get_devices_all_allocator"))(large);
    CHECK(host != 0 || allocator == kOfLarge);
    CHECK_EQ(((handle_t(*)(const handle_t *))find("omp_get_devices_all_allocator_"))(&large),
             allocator);
    const int first = 0, second = 1;
    CHECK_EQ(((int (*)(const handle_t *))find("omp_get_memspace_num_resources_"))(&large), 1);
    handle_t (*const part)(const handle_t *, const int *, const int *) =
        (handle_t(*)(const handle_t *, const int *, const int *))find("omp_get_submemspace_");
    CHECK_EQ(part(&large, &one, &first), kLarge);
    CHECK_EQ(part(&large, &one, &second), 0);
}

/* libomp has these as data. */
static void constants(void) {
    static const struct {
        const char *name;
        handle_t value;
    } known[] = {{"omp_const_mem_alloc", 3},  {"omp_high_bw_mem_alloc", 4},
                 {"omp_pteam_mem_alloc", 7},  {"omp_thread_mem_alloc", 8},
                 {"omp_const_mem_space", 2},  {"omp_low_lat_mem_space", 4},
                 {"omp_cgroup_mem_space", 5}, {"omp_null_mem_space", 0}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        CHECK_EQ(*(const handle_t *)find(known[i].name), known[i].value);
}

int main(void) {
    settings();
    in_regions();
    locks();
    displays();
    nobody_there();
    sets_of_devices();
    constants();
    // Words that a program gives its runtime, before and after it has begun.
    const char late[] = "OMP_NUM_TEAMS=3 and more";
    ((void (*)(const char *, int))find("kmp_set_defaults_"))(late, 15);
    CHECK_EQ(ask("omp_get_max_teams"), 3);
    ((void (*)(const char *))find("kmpc_set_defaults"))("OMP_NUM_TEAMS=4");
    CHECK_EQ(ask("omp_get_max_teams"), 4);
    return 0;
}
