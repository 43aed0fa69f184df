/* The functions of loomp.h for libraries such as the layer for MPI: idle threads, reports of a
   stuck program, the division of a node's processors and memory among its processes, and the rank.

   flags: -D_GNU_SOURCE
   env: LOOMP_REPORT_STUCK_AFTER=50ms
   threads: 2 */
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>

#include "again_with.h"
#include "said.h"
#define LOOMP_WEAK
#include "loomp/experimental.h"

/* --- A thread that has nothing to do -----------------------------------------------------------
 */

static _Atomic int may_happen;
static int in_poll = -1;
static int poll_once(void *until) {
    if (!may_happen)
        return 0;
    in_poll = loomp_would_idle() + loomp_in_task();
    loomp_resume((loomp_suspension_t *)until);
    return 1;
}

static void idleness(void) {
    CHECK_EQ(loomp_would_idle(), 0); // outside of regions
#pragma omp parallel num_threads(1)
    {
        omp_event_handle_t event = (omp_event_handle_t)0;
        int x = 0;
        (void)x;
        CHECK_EQ(loomp_would_idle(), 1);
#pragma omp task depend(out : x) detach(event)
        ;
#pragma omp task depend(in : x)
        x++;
#pragma omp taskyield
        CHECK_EQ(loomp_would_idle(), 1); // the second one waits for the event
        omp_fulfill_event(event);
        CHECK_EQ(loomp_would_idle(), 0); // it is ready
#pragma omp taskwait
        CHECK_EQ(loomp_would_idle(), 1);

        loomp_suspension_t until = LOOMP_SUSPENSION_INIT;
        loomp_poller_t *poller = loomp_poller_register("once", poll_once, &until);
        loomp_poller_expect(poller, 1);
        CHECK_EQ(loomp_would_idle(), 0); // something is pending
        may_happen = 1;
        loomp_suspend(&until);
        CHECK_EQ(in_poll, 0);
        CHECK_EQ(loomp_would_idle(), 1);
        loomp_poller_unregister(poller);
    }
}

/* --- A poller that calls the program back --------------------------------------------------------
 */

static int called;
static void use_tasks(void *data) {
    int *sum = (int *)data;
    int x = 0;
    CHECK_EQ(loomp_in_task(), 0);
#pragma omp task shared(x) depend(out : x)
    x = 1;
#pragma omp task shared(x) depend(in : x)
    *sum += x;
#pragma omp taskwait
    CHECK_EQ(*sum, 1);
}
static int call_back(void *until) {
    int sum = 0;
    loomp_run_in_own_task(use_tasks, &sum);
    called += sum;
    loomp_resume((loomp_suspension_t *)until);
    return 1;
}

static void callbacks(void) {
    loomp_suspension_t until = LOOMP_SUSPENSION_INIT;
#pragma omp parallel num_threads(1)
#pragma omp single
#pragma omp task shared(until)
    {
        loomp_poller_t *poller = loomp_poller_register("caller", call_back, &until);
        loomp_poller_expect(poller, 1);
        loomp_suspend(&until);
        loomp_poller_unregister(poller);
    }
    CHECK_EQ(called, 1);
}

/* --- A program that is stuck --------------------------------------------------------------------
 */

struct thing {
    loomp_suspension_t until;
    _Atomic int told, happens;
    double seconds;
};
static int poll_thing(void *data) {
    struct thing *thing = (struct thing *)data;
    if (!thing->happens)
        return 0;
    thing->happens = 0;
    loomp_resume(&thing->until);
    return 1;
}
static void tell(void *data, double seconds) {
    struct thing *thing = (struct thing *)data;
    thing->seconds = seconds;
    thing->told++;
    thing->happens = 1;
}

static void stuck(void) {
    struct thing thing = {LOOMP_SUSPENSION_INIT, 0, 0, 0};
    loomp_poller_when_stuck(NULL, tell);
    for (int round = 0; round < 2; round++) {
        loomp_poller_t *poller = loomp_poller_register("thing", poll_thing, &thing);
        loomp_poller_when_stuck(poller, tell);
        if (round == 1)
            loomp_poller_when_stuck(poller, NULL); // no report
#pragma omp parallel num_threads(2)
#pragma omp single
        {
#pragma omp task
            {
                loomp_poller_expect(poller, 1);
                loomp_suspend(&thing.until);
            }
            if (round == 1) {
                usleep(150000);
                thing.happens = 1;
            }
        }
        CHECK_EQ(thing.told, 1);
        CHECK(thing.seconds >= 0.05);
        loomp_poller_unregister(poller);
    }
}

/* --- Shares of a node ---------------------------------------------------------------------------
 */

/* "share 1" or "share 0": whether the process may take the second half of its processors. */
static void take_share(const char *expected) {
    char text[60] = "";
    const int processors = omp_get_num_procs();
    if (processors < 2)
        return;
    cpu_set_t all, mine;
    CHECK_EQ(sched_getaffinity(0, sizeof all, &all), 0);
    CHECK_EQ(loomp_take_processors(2, 2, text, sizeof text), 1);
    CHECK_EQ(loomp_take_processors(0, processors + 1, text, sizeof text), 1);
    const int taken = loomp_take_processors(1, 2, text, sizeof text) == 0;
    CHECK_EQ(taken, expected[6] == '1');
    CHECK_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
    if (!taken) {
        CHECK(CPU_EQUAL(&all, &mine));
        return;
    }
    CHECK_EQ(CPU_COUNT(&mine), processors - processors / 2);
    CHECK(text[0] >= '0' && text[0] <= '9');
    CHECK(CPU_ISSET(atoi(text), &mine) && atoi(text) >= processors / 2);
    // clang takes it for a constant.
    CHECK_EQ(((int (*)(void))dlsym(RTLD_DEFAULT, "omp_get_num_procs"))(), CPU_COUNT(&mine));
    CHECK_EQ(omp_get_max_threads(), CPU_COUNT(&mine));
#pragma omp parallel num_threads(3)
    {
        cpu_set_t of_thread;
        CHECK_EQ(sched_getaffinity(0, sizeof of_thread, &of_thread), 0);
        CPU_AND(&of_thread, &of_thread, &mine);
        CHECK(CPU_COUNT(&of_thread) > 0);
    }
    CHECK_EQ(loomp_take_processors(1, 2, text, sizeof text), 1); // threads have begun
}

/* Many processes leave little memory for tasks: the creator of tasks that are not ready waits
   before all exist, from 64 MiB on, and one line says so. */
static void share_memory(void) {
    enum { kTasks = 600000 };
    static _Atomic int created, ran, opened;
    int gate = 0;
    (void)gate;
    loomp_share_memory(0); // counts as 1
    loomp_share_memory(1000000);
    listen_to_stderr();
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task depend(out : gate) detach(event)
        ;
#pragma omp task
        {
            int before;
            do { // until no more are created
                before = created;
                usleep(500000); // longer than a creator loses its processor
            } while (created == 0 || created != before);
            opened = created;
            omp_fulfill_event(event);
        }
        for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(in : gate)
            ran++;
            created++;
        }
    }
    check_said(", divided among 1000000 processes: creators of tasks wait until others complete "
               "(LOOMP_TASK_MEMORY sets another bound)",
               1);
    CHECK(opened > 0 && opened < kTasks);
    CHECK_EQ(ran, kTasks);
}

/* --- The environment's requests to MPI, and the rank -------------------------------------------
 */

static void thread_level(const char *expected) {
    CHECK_EQ(loomp_mpi_thread_level(), expected[5] - '0');
}

static void provides(const char *expected) {
    CHECK_EQ(loomp_mpi_provides_required(), expected[8] - '0');
}

static void collectives(const char *expected) {
    CHECK_EQ(loomp_mpi_blocking_collectives(), expected[11] - '0');
}

static void checks(const char *expected) { CHECK_EQ(loomp_mpi_checks(), expected[6] - '0'); }

static void statistics(const char *program) {
    char command[400], line[400], all[4000] = "";
    snprintf(command, sizeof command, "LOOMP_STATS=true '%s' rank 2>&1", program);
    FILE *output = popen(command, "r");
    CHECK(output != NULL);
    while (fgets(line, sizeof line, output) != NULL)
        strncat(all, line, sizeof all - strlen(all) - 1);
    CHECK_EQ(pclose(output), 0);
    CHECK(strncmp(all, "loomp: statistics of rank 7\n", 28) == 0);
}

int main(int count, char **arguments) {
    const char *part = count > 1 ? arguments[1] : "";
    if (strncmp(part, "share", 5) == 0) {
        take_share(part);
    } else if (strncmp(part, "level", 5) == 0) {
        thread_level(part);
    } else if (strncmp(part, "provides", 8) == 0) {
        provides(part);
    } else if (strncmp(part, "collectives", 11) == 0) {
        collectives(part);
    } else if (strncmp(part, "checks", 6) == 0) {
        checks(part);
    } else if (strcmp(part, "rank") == 0) {
        loomp_set_rank(7);
    } else {
        idleness();
        callbacks();
        stuck();
        share_memory();
        statistics(arguments[0]);
        run_again_with("OMP_NUM_THREADS", "share 1");
        run_again_with("OMP_NUM_THREADS LOOMP_SPREAD_RANKS=false", "share 0");
        run_again_with("OMP_NUM_THREADS OMP_PROC_BIND=true", "share 0");
        run_again_with("OMP_NUM_THREADS=64", "share 0");
        run_again_with("LOOMP_MPI_THREAD_LEVEL=serialized", "level2");
        run_again_with("LOOMP_MPI_THREAD_LEVEL=multiple", "level3");
        run_again_with("LOOMP_MPI_THREAD_LEVEL", "level3");
        run_again_with("LOOMP_MPI_PROVIDED_LEVEL", "provides0");
        run_again_with("LOOMP_MPI_PROVIDED_LEVEL=required", "provides1");
        run_again_with("LOOMP_MPI_COLLECTIVES", "collectives0");
        run_again_with("LOOMP_MPI_COLLECTIVES=blocking", "collectives1");
        run_again_with("LOOMP_MPI_CHECK", "checks0");
        run_again_with("LOOMP_MPI_CHECK=true", "checks1");
    }
    return 0;
}
