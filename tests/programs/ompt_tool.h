/* A small OMPT tool for the tests, compiled into the program: it gives every thread, region and
 * task a number, and records every event in the order of one counter. Each test defines
 * check_events(), which checks the records at the end of the program.
 *
 * The program contains the tool, so it is linked with -rdynamic. */
#ifndef OMPT_TOOL_H
#define OMPT_TOOL_H

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loomp/omp-tools.h"

typedef struct {
    ompt_callbacks_t event;
    int kind; /* of mutex, work, sync region; status of a task; flags */
    ompt_scope_endpoint_t endpoint;
    uint64_t thread, parallel, task, other; /* numbers; 0: none */
    uint64_t value;                         /* wait id, count, index, size of a team */
    const void *codeptr;
    const void *exit_frame, *enter_frame;
} event_t;

enum { kMaxEvents = 100000 };
static event_t events[kMaxEvents];
static atomic_int event_count;
static int finalized;

static ompt_set_callback_t tool_set_callback;
static ompt_get_thread_data_t tool_get_thread_data;
static ompt_get_task_info_t tool_get_task_info;
static ompt_get_parallel_info_t tool_get_parallel_info;
static ompt_get_unique_id_t tool_get_unique_id;
static ompt_get_state_t tool_get_state;
static ompt_function_lookup_t tool_lookup;

static void check_events(void);
#ifdef ALSO_SET
static void also_set(void); /* a test's own: callbacks that others do without */
#endif

static int failures;
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            ++failures;                                                                            \
        }                                                                                          \
    } while (0)

static uint64_t number(const ompt_data_t *data) { return data != NULL ? data->value : 0; }

static event_t *record(ompt_callbacks_t event) {
    static event_t spare;
    const int at = atomic_fetch_add(&event_count, 1);
    if (at >= kMaxEvents)
        return &spare;
    events[at].event = event;
    events[at].thread = number(tool_get_thread_data());
    return &events[at];
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) {
    data->value = tool_get_unique_id();
    record(ompt_callback_thread_begin)->kind = type;
}
static void on_thread_end(ompt_data_t *data) {
    CHECK(data->value != 0);
    record(ompt_callback_thread_end);
}
static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned requested, int flags, const void *codeptr) {
    CHECK(parallel->value == 0);
    parallel->value = tool_get_unique_id();
    event_t *e = record(ompt_callback_parallel_begin);
    e->task = number(task);
    e->parallel = parallel->value;
    e->value = requested;
    e->kind = flags;
    e->codeptr = codeptr;
    e->enter_frame = frame->enter_frame.ptr;
    e->exit_frame = frame->exit_frame.ptr;
}
static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
                            const void *codeptr) {
    event_t *e = record(ompt_callback_parallel_end);
    e->task = number(task);
    e->parallel = number(parallel);
    e->kind = flags;
    e->codeptr = codeptr;
}
static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                             ompt_data_t *task, unsigned size, unsigned index, int flags) {
    if (endpoint == ompt_scope_begin) {
        CHECK(task->value == 0);
        task->value = tool_get_unique_id();
        if (flags & ompt_task_initial)
            parallel->value = tool_get_unique_id();
    }
    event_t *e = record(ompt_callback_implicit_task);
    e->endpoint = endpoint;
    e->parallel = number(parallel);
    e->task = number(task);
    e->value = size;
    e->other = index;
    e->kind = flags;
}
static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *created,
                           int flags, int has_dependences, const void *codeptr) {
    CHECK(created->value == 0);
    created->value = tool_get_unique_id();
    event_t *e = record(ompt_callback_task_create);
    e->task = number(task);
    e->other = created->value;
    e->kind = flags;
    e->value = (uint64_t)has_dependences;
    e->codeptr = codeptr;
    e->enter_frame = frame->enter_frame.ptr;
    e->exit_frame = frame->exit_frame.ptr;
}
/* Each test may define this: it may block a thread here while others continue. */
static void (*in_task_schedule)(ompt_task_status_t status);

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    event_t *e = record(ompt_callback_task_schedule);
    e->task = number(prior);
    e->other = number(next);
    e->kind = status;
    if (in_task_schedule != NULL)
        in_task_schedule(status);
}
static void on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int count) {
    event_t *e = record(ompt_callback_dependences);
    e->task = number(task);
    e->value = (uint64_t)count;
    e->kind = count > 0 ? (int)list[0].dependence_type : 0;
    e->codeptr = count > 0 ? list[0].variable.ptr : NULL;
}
static event_t *scope(ompt_callbacks_t event, int kind, ompt_scope_endpoint_t endpoint,
                      ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    event_t *e = record(event);
    e->kind = kind;
    e->endpoint = endpoint;
    e->parallel = number(parallel);
    e->task = number(task);
    e->codeptr = codeptr;
    return e;
}
static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    scope(ompt_callback_sync_region, kind, endpoint, parallel, task, codeptr);
}
static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    scope(ompt_callback_sync_region_wait, kind, endpoint, parallel, task, codeptr);
}
static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         ompt_data_t *parallel, ompt_data_t *task, const void *codeptr) {
    scope(ompt_callback_reduction, kind, endpoint, parallel, task, codeptr);
}
static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *codeptr) {
    scope(ompt_callback_work, kind, endpoint, parallel, task, codeptr)->value = count;
}
static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance) {
    event_t *e = record(ompt_callback_dispatch);
    e->parallel = number(parallel);
    e->task = number(task);
    e->kind = kind;
    if (kind != ompt_dispatch_section) {
        const ompt_dispatch_chunk_t *chunk = instance.ptr;
        e->other = chunk->start;
        e->value = chunk->iterations;
    }
}
static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                      const void *codeptr) {
    scope(ompt_callback_masked, 0, endpoint, parallel, task, codeptr);
}
static void mutex(ompt_callbacks_t event, ompt_mutex_t kind, ompt_wait_id_t id,
                  const void *codeptr) {
    event_t *e = record(event);
    e->kind = kind;
    e->value = id;
    e->codeptr = codeptr;
}
static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                             const void *codeptr) {
    (void)hint;
    (void)impl;
    mutex(ompt_callback_mutex_acquire, kind, id, codeptr);
}
static void on_lock_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id,
                         const void *codeptr) {
    (void)hint;
    (void)impl;
    mutex(ompt_callback_lock_init, kind, id, codeptr);
}
static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr) {
    mutex(ompt_callback_mutex_acquired, kind, id, codeptr);
}
static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr) {
    mutex(ompt_callback_mutex_released, kind, id, codeptr);
}
static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr) {
    mutex(ompt_callback_lock_destroy, kind, id, codeptr);
}
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *codeptr) {
    event_t *e = record(ompt_callback_nest_lock);
    e->endpoint = endpoint;
    e->value = id;
    e->codeptr = codeptr;
}
static void on_cancel(ompt_data_t *task, int flags, const void *codeptr) {
    event_t *e = record(ompt_callback_cancel);
    e->task = number(task);
    e->kind = flags;
    e->codeptr = codeptr;
}
static void on_flush(ompt_data_t *thread, const void *codeptr) {
    CHECK(number(thread) == number(tool_get_thread_data()));
    record(ompt_callback_flush)->codeptr = codeptr;
}
static int on_control_tool(uint64_t command, uint64_t modifier, void *argument,
                           const void *codeptr) {
    event_t *e = record(ompt_callback_control_tool);
    e->value = command;
    e->other = modifier;
    e->codeptr = codeptr;
    return argument != NULL ? 7 : 0;
}

static int tool_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device;
    CHECK(data->value == 42);
    tool_lookup = lookup;
    tool_set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    tool_get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    tool_get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    tool_get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    tool_get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
    tool_get_state = (ompt_get_state_t)lookup("ompt_get_state");
    CHECK(lookup("ompt_no_such_thing") == NULL);
#define SET(name)                                                                                  \
    CHECK(tool_set_callback(ompt_callback_##name, (ompt_callback_t)on_##name) == ompt_set_always)
    SET(thread_begin);
    SET(thread_end);
    SET(parallel_begin);
    SET(parallel_end);
    SET(implicit_task);
    SET(task_create);
    SET(task_schedule);
    SET(dependences);
    SET(sync_region);
    SET(sync_region_wait);
    SET(work);
    SET(dispatch);
    SET(masked);
    SET(mutex_acquire);
    SET(mutex_acquired);
    SET(mutex_released);
    SET(lock_init);
    SET(lock_destroy);
    SET(nest_lock);
    SET(cancel);
    SET(flush);
    SET(control_tool);
#undef SET
    CHECK(tool_set_callback(ompt_callback_reduction, (ompt_callback_t)on_reduction) ==
          ompt_set_always);
#ifdef ALSO_SET
    also_set();
#endif
    return 1;
}

static void tool_finalize(ompt_data_t *data) {
    CHECK(data->value == 42);
    finalized = 1;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t result = {tool_initialize, tool_finalize, {42}};
    CHECK(version >= 201611);
    CHECK(strncmp(runtime, "loomp", 5) == 0);
    return &result;
}

/* --- Looking at what was recorded ----------------------------------------------------------------
 */

/* The first event from `from` on that matches; -1 where a field does not matter. Its index, or -1.
 */
static int find(int from, ompt_callbacks_t event, int kind, int endpoint, long long task) {
    for (int i = from; i < event_count; ++i)
        if (events[i].event == event && (kind < 0 || events[i].kind == kind) &&
            (endpoint < 0 || (int)events[i].endpoint == endpoint) &&
            (task < 0 || events[i].task == (uint64_t)task))
            return i;
    return -1;
}
static int count(ompt_callbacks_t event, int kind, int endpoint) {
    int n = 0;
    for (int i = find(0, event, kind, endpoint, -1); i >= 0;
         i = find(i + 1, event, kind, endpoint, -1))
        ++n;
    return n;
}

/* Checks for every program: brackets close, and no task is started or ended twice. */
static void check_balance(void) {
    CHECK(event_count < kMaxEvents);
    CHECK(count(ompt_callback_parallel_begin, -1, -1) == count(ompt_callback_parallel_end, -1, -1));
    CHECK(count(ompt_callback_implicit_task, -1, ompt_scope_begin) ==
          count(ompt_callback_implicit_task, -1, ompt_scope_end));
    CHECK(count(ompt_callback_thread_begin, -1, -1) == count(ompt_callback_thread_end, -1, -1));
    const ompt_callbacks_t scopes[] = {ompt_callback_sync_region, ompt_callback_sync_region_wait,
                                       ompt_callback_work, ompt_callback_masked,
                                       ompt_callback_reduction};
    for (int i = 0; i < 5; ++i)
        CHECK(count(scopes[i], -1, ompt_scope_begin) == count(scopes[i], -1, ompt_scope_end));
    CHECK(count(ompt_callback_mutex_acquired, -1, -1) ==
          count(ompt_callback_mutex_released, -1, -1));
    for (int i = find(0, ompt_callback_task_create, -1, -1, -1); i >= 0;
         i = find(i + 1, ompt_callback_task_create, -1, -1, -1)) {
        if (events[i].kind & ompt_task_taskwait)
            continue;
        const uint64_t task = events[i].other;
        int starts = 0, ends = 0;
        for (int j = i + 1; j < event_count; ++j) {
            if (events[j].event != ompt_callback_task_schedule)
                continue;
            if (events[j].other == task) {
                ++starts;
                CHECK(ends == 0);
            }
            if (events[j].task == task &&
                (events[j].kind == ompt_task_complete || events[j].kind == ompt_task_cancel ||
                 events[j].kind == ompt_task_late_fulfill)) {
                CHECK(starts > 0);
                ++ends;
            }
        }
        CHECK(starts >= 1);
        CHECK(ends == 1);
    }
}

/* Runs when the runtime has ended the tool: that handler is registered later, by the first call. */
static void at_end(void) {
    if (!finalized)
        fprintf(stderr, "the tool was not finalized\n"), ++failures;
    check_balance();
    check_events();
    if (failures != 0)
        _Exit(1);
}
__attribute__((constructor)) static void at_start(void) { atexit(at_end); }

#endif
