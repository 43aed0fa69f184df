/* Parallel regions, implicit tasks, barriers and thread ends, as a tool sees them.
   flags: -rdynamic */
#include "ompt_tool.h"

#include <omp.h>

enum { kRegions = 3, kThreads = 4 };

static int info_failures;

/* Inside a region: the tool's view agrees with the program's. */
static void look_around(void) {
    int flags = 0, thread_num = -1, size = 0;
    ompt_data_t *task = NULL, *parallel = NULL, *parallel_too = NULL;
    ompt_frame_t *frame = NULL;
    int ok = tool_get_task_info(0, &flags, &task, &frame, &parallel, &thread_num) == 2;
    ok &= (flags & ompt_task_implicit) != 0 && task->value != 0 && parallel->value != 0;
    ok &= thread_num == omp_get_thread_num();
    /* Its frames: called by the runtime, and not in the runtime now. */
    ok &= frame->exit_frame.ptr != NULL && frame->enter_frame.ptr == NULL;
    ok &= (char *)frame->exit_frame.ptr > (char *)__builtin_frame_address(0);
    ok &= tool_get_parallel_info(0, &parallel_too, &size) == 2 && parallel_too == parallel;
    ok &= size == omp_get_num_threads();
    /* The initial task around it has entered the runtime. */
    ok &= tool_get_task_info(1, &flags, &task, &frame, &parallel_too, &thread_num) == 2;
    ok &= (flags & ompt_task_initial) != 0 && frame->enter_frame.ptr != NULL;
    ok &= parallel_too != parallel && thread_num == 0;
    ok &= tool_get_task_info(2, &flags, &task, &frame, &parallel, &thread_num) == 0;
    ok &= tool_get_parallel_info(1, &parallel, &size) == 2 && size == 1;
    ok &= tool_get_parallel_info(2, &parallel, &size) == 0;
    ompt_wait_id_t id = 1;
    ok &= tool_get_state(&id) == ompt_state_work_parallel && id == 0;
    if (!ok) {
#pragma omp atomic
        ++info_failures;
    }
}

int main(void) {
    for (int i = 0; i < kRegions; ++i) {
#pragma omp parallel num_threads(kThreads)
        {
            look_around();
#pragma omp barrier
        }
    }
#pragma omp parallel if (0)
    {
        int size = 0;
        ompt_data_t *data = NULL;
        CHECK(tool_get_parallel_info(0, &data, &size) == 2 && size == 1);
    }
    return 0;
}

static void check_events(void) {
    CHECK(info_failures == 0);
    CHECK(count(ompt_callback_thread_begin, ompt_thread_initial, -1) == 1);
    CHECK(count(ompt_callback_thread_begin, ompt_thread_worker, -1) == kThreads - 1);
    CHECK(events[0].event == ompt_callback_thread_begin);
    CHECK(events[1].event == ompt_callback_implicit_task && events[1].kind == ompt_task_initial);
    CHECK(events[event_count - 1].event == ompt_callback_thread_end);
    const uint64_t initial_task = events[1].task;

    int at = 0;
    for (int region = 0; region < kRegions; ++region) {
        at = find(at, ompt_callback_parallel_begin, -1, -1, -1);
        CHECK(at > 0);
        const event_t *begin = &events[at];
        CHECK(begin->task == initial_task && begin->value == kThreads);
        CHECK((begin->kind & ompt_parallel_team) != 0 && begin->codeptr != NULL);
        CHECK(begin->enter_frame != NULL && begin->exit_frame == NULL);
        const int end = find(at, ompt_callback_parallel_end, -1, -1, -1);
        CHECK(end > at && events[end].parallel == begin->parallel);
        CHECK(events[end].kind == begin->kind && events[end].task == initial_task);
        CHECK(events[end].codeptr == begin->codeptr);
        unsigned seen = 0;
        int explicit_begins = 0, explicit_ends = 0, join_begins = 0, met_the_construct = 0;
        for (int i = at; i < end; ++i) {
            const event_t *e = &events[i];
            if (e->event == ompt_callback_implicit_task && e->endpoint == ompt_scope_begin) {
                CHECK(e->parallel == begin->parallel && e->value == kThreads);
                seen |= 1u << e->other;
            }
            if (e->event != ompt_callback_sync_region || e->parallel != begin->parallel)
                continue;
            if (e->kind == ompt_sync_region_barrier_explicit) {
                CHECK(e->codeptr != NULL);
                if (e->endpoint == ompt_scope_begin) {
                    CHECK(explicit_ends == 0);
                    ++explicit_begins;
                } else {
                    CHECK(explicit_begins == kThreads);
                    ++explicit_ends;
                }
            }
            if (e->kind == ompt_sync_region_barrier_implicit_parallel &&
                e->endpoint == ompt_scope_begin) {
                ++join_begins;
                met_the_construct += e->codeptr != NULL;
                CHECK(e->codeptr == NULL || e->codeptr == begin->codeptr);
            }
        }
        CHECK(seen == (1u << kThreads) - 1);
        CHECK(explicit_begins == kThreads && explicit_ends == kThreads);
        CHECK(join_begins == kThreads);
        CHECK(met_the_construct == 1);
        at = end;
    }
    /* Workers end their implicit tasks without a region: that may be gone. */
    for (int i = find(0, ompt_callback_implicit_task, -1, ompt_scope_end, -1); i >= 0;
         i = find(i + 1, ompt_callback_implicit_task, -1, ompt_scope_end, -1)) {
        CHECK(events[i].parallel == 0);
        CHECK(events[i].value == 0);
        CHECK((events[i].kind & ompt_task_initial) == 0 || events[i].other == 1);
    }
}
