/* Explicit tasks as a tool sees them: creation, dependences, order, waiting, detach, taskloop.
   flags: -rdynamic -Wno-uninitialized -fno-omit-frame-pointer */
#include "ompt_tool.h"

#include <omp.h>
#include <unistd.h>

enum { kChain = 8 };

static int x, y;
static int order[kChain], ran;
static const void *left_at; /* where the creator of the undeferred task is in the runtime */

static void chain(void) {
    for (int i = 0; i < kChain; ++i) {
#pragma omp task depend(inout : x) firstprivate(i)
        order[ran++] = i;
    }
#pragma omp task depend(in : x) depend(out : y)
    CHECK(ran == kChain);
#pragma omp taskwait
}

static void group(void) {
    int sum = 0;
#pragma omp taskgroup
    {
        for (int i = 0; i < 4; ++i) {
#pragma omp task shared(sum)
            {
                usleep(1000);
#pragma omp task shared(sum)
#pragma omp atomic
                ++sum;
            }
        }
    }
    CHECK(sum == 4);
}

static void undeferred(void) {
    int seen = 0;
#pragma omp task if (0) shared(seen)
    {
        int flags = 0, thread_num = -1;
        ompt_data_t *task = NULL, *parallel = NULL;
        ompt_frame_t *frame = NULL;
        CHECK(tool_get_task_info(0, &flags, &task, &frame, &parallel, &thread_num) == 2);
        CHECK((flags & ompt_task_explicit) != 0 && (flags & ompt_task_undeferred) != 0);
        CHECK(frame->exit_frame.ptr != NULL && frame->enter_frame.ptr == NULL);
        /* the task's own frames are not among what it was called from */
        CHECK((char *)frame->exit_frame.ptr >= (char *)__builtin_frame_address(0));
#ifdef __clang__
        CHECK(frame->exit_frame_flags == (ompt_frame_application | ompt_frame_cfa));
#endif
        CHECK(tool_get_task_info(1, &flags, &task, &frame, &parallel, &thread_num) == 2);
        CHECK((flags & ompt_task_implicit) != 0 && frame->enter_frame.ptr != NULL);
        left_at = frame->enter_frame.ptr;
        seen = 1;
    }
    CHECK(seen == 1);
}

static void detached(void) {
    int ran_it = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) shared(ran_it)
    ran_it = 1;
    usleep(20000);
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK(ran_it == 1);
}

static void loop(void) {
    int hits[100] = {0};
#pragma omp taskloop num_tasks(5) shared(hits)
    for (int i = 0; i < 100; ++i)
        ++hits[i];
    for (int i = 0; i < 100; ++i)
        CHECK(hits[i] == 1);
}

int main(void) {
#pragma omp parallel num_threads(4)
#pragma omp masked
    {
        chain();
        group();
        undeferred();
        detached();
        loop();
#pragma omp taskwait depend(in : y)
    }
    return 0;
}

static uint64_t created_at(int at) { return at >= 0 ? events[at].other : 0; }

static int start_of(uint64_t task) {
    for (int i = 0; i < event_count; ++i)
        if (events[i].event == ompt_callback_task_schedule && events[i].other == task &&
            events[i].kind == ompt_task_switch)
            return i;
    return -1;
}
static int end_of(uint64_t task) {
    for (int i = 0; i < event_count; ++i)
        if (events[i].event == ompt_callback_task_schedule && events[i].task == task &&
            (events[i].kind == ompt_task_complete || events[i].kind == ompt_task_late_fulfill))
            return i;
    return -1;
}

static void check_chain(void) {
    int at = find(0, ompt_callback_task_create, -1, -1, -1);
    uint64_t before = 0;
    for (int i = 0; i < kChain + 1; ++i) {
        const event_t *e = &events[at];
        CHECK((e->kind & ompt_task_explicit) != 0 && e->value == 1);
        CHECK(e->codeptr != NULL && e->enter_frame != NULL && e->exit_frame != NULL);
        const uint64_t task = created_at(at);
        const int dependences = find(at, ompt_callback_dependences, -1, -1, (long long)task);
        CHECK(dependences > at && dependences < start_of(task));
        CHECK(events[dependences].value == (i < kChain ? 1 : 2));
        if (i < kChain) {
            CHECK(events[dependences].kind == ompt_dependence_type_inout);
            CHECK(events[dependences].codeptr == &x);
        }
        if (before != 0)
            CHECK(end_of(before) < start_of(task));
        before = task;
        at = find(at + 1, ompt_callback_task_create, -1, -1, -1);
    }
    const int wait =
        find(0, ompt_callback_sync_region, ompt_sync_region_taskwait, ompt_scope_end, -1);
    CHECK(wait > end_of(before) && events[wait].codeptr != NULL);
}

static void check_events(void) {
    for (int i = 0; i < kChain; ++i)
        CHECK(order[i] == i);
    check_chain();

    const int group_begin =
        find(0, ompt_callback_sync_region, ompt_sync_region_taskgroup, ompt_scope_begin, -1);
    const int group_end =
        find(0, ompt_callback_sync_region, ompt_sync_region_taskgroup, ompt_scope_end, -1);
    int created = 0;
    for (int i = group_begin; i < group_end; ++i) {
        if (events[i].event != ompt_callback_task_create)
            continue;
        ++created;
        const int end = end_of(events[i].other);
        CHECK(end > i && end < group_end);
    }
    CHECK(group_begin >= 0 && created == 8);

    int undeferred_seen = 0, waits = 0;
    for (int i = find(0, ompt_callback_task_create, -1, -1, -1); i >= 0;
         i = find(i + 1, ompt_callback_task_create, -1, -1, -1)) {
        if (events[i].kind & ompt_task_taskwait) {
            ++waits;
            /* It ends where it was created, after what it waits for. */
            const int end = find(i, ompt_callback_task_schedule, ompt_taskwait_complete, -1,
                                 (long long)events[i].other);
            CHECK(end > i && events[end].other == 0 && events[end].thread == events[i].thread);
        } else if (events[i].kind & ompt_task_undeferred) {
            ++undeferred_seen;
            CHECK(events[i].enter_frame == left_at);
        }
    }
    CHECK(undeferred_seen == 1 && waits == 1);

    const int detach = find(0, ompt_callback_task_schedule, ompt_task_detach, -1, -1);
    const int early = find(0, ompt_callback_task_schedule, ompt_task_early_fulfill, -1, -1);
    CHECK((detach >= 0) != (early >= 0));
    if (detach >= 0) {
        const int late = find(detach, ompt_callback_task_schedule, ompt_task_late_fulfill, -1,
                              (long long)events[detach].task);
        CHECK(late > detach && events[late].other == 0);
    }

    const int loop_begin = find(0, ompt_callback_work, ompt_work_taskloop, ompt_scope_begin, -1);
    CHECK(loop_begin >= 0 && events[loop_begin].value == 100);
    unsigned long iterations = 0;
    int chunks = 0;
    for (int i = find(0, ompt_callback_dispatch, ompt_dispatch_taskloop_chunk, -1, -1); i >= 0;
         i = find(i + 1, ompt_callback_dispatch, ompt_dispatch_taskloop_chunk, -1, -1)) {
        ++chunks;
        iterations += events[i].value;
        CHECK(events[i].other % 20 == 0);
    }
    CHECK(chunks == 5 && iterations == 100);
}
