/* A tool that asks for edges while it starts is told of each from a task that has not completed,
   with the views of both: of the many readers before several writers, too, for which an empty node
   stands otherwise.
   flags: -rdynamic */
#define ALSO_SET
#include "ompt_tool.h"

#if defined(__clang__) || __GNUC__ >= 13
#define SET inoutset
enum { kAfterAll = 2 };
#else
#define SET out
enum { kAfterAll = 1 };
#endif
enum { kReaders = 6, kTasks = 1 + kReaders + kAfterAll };
static atomic_int go;
static int x, y;

static void on_task_dependence(ompt_data_t *predecessor, ompt_data_t *task) {
    event_t *e = record(ompt_callback_task_dependence);
    e->task = number(predecessor);
    e->other = number(task);
}
static void also_set(void) {
    CHECK(tool_set_callback(ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence) ==
          ompt_set_sometimes);
}

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp masked
    {
#pragma omp task depend(out : x)
        while (!go)
            ;
        for (int i = 0; i < kReaders; ++i) {
#pragma omp task depend(in : x)
            y = x;
        }
        for (int i = 0; i < kAfterAll; ++i) {
#pragma omp task depend(SET : x)
            y = x;
        }
        go = 1;
#pragma omp taskwait
    }
    return 0;
}

static void check_events(void) {
    uint64_t tasks[kTasks];
    int at = -1;
    for (int i = 0; i < kTasks; ++i) {
        at = find(at + 1, ompt_callback_task_create, -1, -1, -1);
        CHECK(at >= 0);
        tasks[i] = events[at].other;
    }
    int edges[kTasks][kTasks] = {{0}}, told = 0;
    for (int i = find(0, ompt_callback_task_dependence, -1, -1, -1); i >= 0;
         i = find(i + 1, ompt_callback_task_dependence, -1, -1, -1), ++told)
        for (int from = 0; from < kTasks; ++from)
            for (int to = 0; to < kTasks; ++to)
                edges[from][to] += events[i].task == tasks[from] && events[i].other == tasks[to];
    CHECK(told == kReaders + kAfterAll * kReaders);
    for (int reader = 1; reader <= kReaders; ++reader) {
        CHECK(edges[0][reader] == 1);
        for (int after = 1 + kReaders; after < kTasks; ++after)
            CHECK(edges[reader][after] == 1);
    }
}
