/* Wrong calls of loomp.h's functions: each is reported in one line and returns an error, and the
   program continues.

   flags: -D_GNU_SOURCE
   threads: 2 */
#include <omp.h>

#include "said.h"
#define LOOMP_WEAK
#include "loomp/experimental.h"

static _Atomic int ran, in_batches;

static void run_batch(void *const *data, size_t count, void *context) {
    (void)data, (void)context;
    in_batches += (int)count;
}

/* A task that is created after a wrong request is an ordinary one. */
#define CREATE_TASK()                                                                              \
    do {                                                                                           \
        _Pragma("omp task") ran++;                                                                 \
        _Pragma("omp taskwait")                                                                    \
    } while (0)

static void next_tasks(void) {
    listen_to_stderr();
    for (int i = 0; i < 3; i++) {
        loomp_next_task(0x40);
        CREATE_TASK();
    }
    check_said("loomp: loomp_next_task: unknown flags 0x40 are ignored; known are "
               "LOOMP_TASK_TRANSPARENT and LOOMP_TASK_WEAK",
               1);
    listen_to_stderr();
    for (int i = 0; i < 3; i++) {
        loomp_next_task_kind(200, NULL);
        CREATE_TASK();
    }
    check_said("loomp_next_task_kind: 200 is no kind that loomp_task_kind() returned; ignored", 1);
    listen_to_stderr();
    loomp_next_task_queue(77);
    CREATE_TASK();
    check_said("loomp_next_task_queue: 77 is no queue that loomp_queue() returned; ignored", 1);
    CHECK_EQ(ran, 7);

    int x = 0;
    loomp_dependences_t *one = loomp_dependences_create(), *other = loomp_dependences_create();
    CHECK_EQ(loomp_dependences_add(one, LOOMP_DEPEND_INOUT, &x), 0);
    CHECK_EQ(loomp_dependences_add(other, LOOMP_DEPEND_INOUT, &ran), 0);
    listen_to_stderr();
    loomp_next_task_depends(one);
    loomp_next_task_depends(other);
    CREATE_TASK();
    check_said("loomp_next_task_depends: the next task has a set already; ignored: fill one set "
               "with all it depends on",
               1);
    loomp_dependences_free(one);
    loomp_dependences_free(other);
}

/* A request is lost where the thread, before its task creates another, runs a task that asks, too.
 */
static void wait_in_between(void) {
    int x = 0;
    (void)x;
    listen_to_stderr();
    for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(1)
        {
            omp_event_handle_t opened = (omp_event_handle_t)0;
#pragma omp task depend(out : x) detach(opened)
            ;
#pragma omp task depend(in : x) // it runs in the wait
            {
                loomp_next_task(LOOMP_TASK_TRANSPARENT);
                CREATE_TASK();
            }
            loomp_next_task(LOOMP_TASK_TRANSPARENT);
            omp_fulfill_event(opened);
#pragma omp taskwait
            CREATE_TASK();
        }
    }
    check_said(
        "loomp: loomp_next_task: the task waited before it created the next one, so what was "
        "asked is lost; call it right before the task construct",
        1);
    CHECK_EQ(ran, 4);
    ran = 0;
}

static void kinds(void) {
    listen_to_stderr();
    CHECK_EQ(loomp_task_kind("lonely", run_batch, NULL, 1), 0);
    check_said("loomp_task_kind: lonely: a batch body and a maximum of 2 to 256 tasks are needed; "
               "its tasks run one by one",
               1);
    listen_to_stderr();
    CHECK_EQ(loomp_task_kind("empty", NULL, NULL, 8), 0);
    check_said("loomp_task_kind: empty: a batch body and a maximum of 2 to 256 tasks", 1);
    listen_to_stderr();
    CHECK_EQ(loomp_task_kind(NULL, run_batch, NULL, 257), 0);
    check_said("loomp_task_kind: unnamed: a batch body and a maximum of 2 to 256 tasks", 1);
    // Tasks without a kind run one by one.
    const int before = ran;
    loomp_next_task_kind(0, NULL);
    CREATE_TASK();
    CHECK_EQ(ran, before + 1);
}

static void queues(void) {
    const int queue = loomp_queue("one", LOOMP_ANY_PLACE);
    void *data[1] = {NULL};
    CHECK(queue > 0);
    listen_to_stderr();
    CHECK_EQ(loomp_queue("", LOOMP_ANY_PLACE), 0);
    check_said("loomp_queue: a queue needs a name; its tasks go where others do", 1);
    listen_to_stderr();
    CHECK_EQ(loomp_queue(NULL, LOOMP_ANY_PLACE), 0);
    check_said("loomp_queue: a queue needs a name; its tasks go where others do", 1);
    listen_to_stderr(); // numbers of no queue have been reported before
    CHECK_EQ(loomp_queue_merge(queue, 99), 0);
    CHECK_EQ(loomp_queue_merge(99, queue), 0);
    CHECK_EQ(loomp_queue_take(99, 0, 1), 0);
    check_said(NULL, 0);
    listen_to_stderr();
    CHECK_EQ(loomp_queue_take(queue, 200, 1), 0);
    check_said("loomp_queue_take: 200 is no kind that loomp_task_kind() returned", 1);
    listen_to_stderr();
    in_batches = 0;
    loomp_queue_put(queue, 200, data, 1);
    check_said("loomp_queue_put: 200 is no kind that loomp_task_kind() returned; what it was to "
               "run is not run",
               1);
    CHECK_EQ(in_batches, 0);
    const int twice[] = {queue, LOOMP_OTHER_TASKS, queue}, others_twice[] = {0, 0}, wrong[] = {99};
    for (int i = 0; i < 3; i++) {
        listen_to_stderr();
        CHECK_EQ(loomp_set_queue_order(i == 0   ? twice
                                       : i == 1 ? others_twice
                                                : wrong,
                                       i == 0   ? 3
                                       : i == 1 ? 2
                                                : 1),
                 1);
        check_said("loomp_set_queue_order: not all numbers are queues', or one comes twice; the "
                   "order stays as it was",
                   1);
    }
}

/* Makes as many as there can be, and one more. */
static void too_many(void) {
    char name[20];
    int queues = 0, kinds = 0;
    listen_to_stderr();
    for (int i = 0; i < 400; i++) {
        snprintf(name, sizeof name, "queue %d", i);
        queues += loomp_queue(name, LOOMP_ANY_PLACE) != 0;
    }
    check_said("loomp_queue: queue 399: there are 191 queues already; its tasks go where others do",
               400 - queues);
    CHECK_EQ(queues, 190); // and one before
    CHECK(loomp_queue("one", LOOMP_ANY_PLACE) > 0);

    const int kind = loomp_task_kind("first", run_batch, NULL, 16);
    CHECK(kind > 0);
    listen_to_stderr();
    for (int i = 0; i < 400; i++)
        kinds += loomp_task_kind("more", run_batch, NULL, 16) != 0;
    check_said("loomp_task_kind: more: there are 255 kinds already; its tasks run one by one",
               400 - kinds);
    CHECK_EQ(kinds, 254);
    // A kind counts once more for each queue that its tasks wait in.
    int single = 0;
    in_batches = 0;
    listen_to_stderr();
#pragma omp parallel num_threads(1)
    {
        for (int i = 0; i < 64; i++) {
            loomp_next_task_kind(kind, NULL);
            loomp_next_task_queue(loomp_queue("one", LOOMP_ANY_PLACE));
#pragma omp task shared(single)
            single++;
        }
#pragma omp taskwait
    }
    check_said(
        "there are more than 255 kinds of tasks, counted for each queue: some run one by one", 1);
    CHECK_EQ(single, 64);
    CHECK_EQ(in_batches, 0);
}

static int poll_nothing(void *data) {
    (void)data;
    return 0;
}

static void pollers(void) {
    listen_to_stderr();
    CHECK(loomp_poller_register("none", NULL, NULL) == NULL);
    check_said("loomp_poller_register(): the function is null; nothing is registered", 1);
    loomp_poller_t *some[20];
    int count = 0;
    listen_to_stderr();
    while (count < 20 && (some[count] = loomp_poller_register(NULL, poll_nothing, NULL)) != NULL)
        count++;
    check_said(
        "poller \"unnamed\" is not registered: there are 16 already, which is the most there "
        "can be",
        1);
    CHECK(count >= 14 && count <= 16); // the runtime may have some
    while (count > 0)
        loomp_poller_unregister(some[--count]);
    loomp_poller_unregister(NULL);
}

/* Ends, changes and frees graphs where that has no place. */
static void graphs(void) {
    static const char where[] = "graph";
    listen_to_stderr();
    CHECK_EQ(loomp_persistent_end(), 0);
    check_said("loomp_persistent_end: no iteration of a persistent graph was begun in this task",
               1);
    for (int way = 0; way < 3; way++) {
        const int before = ran;
        listen_to_stderr();
#pragma omp parallel num_threads(2)
#pragma omp single
        {
            for (int n = 0; n < 3; n++) {
                CHECK_EQ(loomp_persistent_begin(where, 0), 1);
                if (n == 1 && way == 0)
                    loomp_persistent_invalidate(where);
                if (n == 1 && way == 1)
                    loomp_persistent_free(where);
#pragma omp task depend(inout : ran)
                ran++;
                if (n == 1 && way == 2)
                    continue; // its end is forgotten
                CHECK_EQ(loomp_persistent_end(), 0);
            }
            loomp_persistent_free(where);
        }
        const char *const said[] = {
            "graph: persistent graph: cannot be invalidated inside an iteration",
            "graph: persistent graph: cannot be freed inside an iteration",
            "graph: persistent graph: its code was left without an end of the iteration"};
        check_said(said[way], 1);
        CHECK_EQ(ran, before + 3);
    }
}

int main(void) {
    wait_in_between();
#pragma omp parallel num_threads(2)
#pragma omp single
    next_tasks();
    kinds();
    queues();
    too_many();
    pollers();
    graphs();
    return 0;
}
