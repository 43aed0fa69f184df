/* A random program of known shape: ./shapes SEED. It prints its shape, a line a task: the task's
 * number, which is its label, its parent's (-1: none), 1 if it is undeferred, the locations of its
 * clause (in, inout, mutexinoutset; -1: none), and its moves: "n" naps (and its number), "c"
 * creates a child, "w" waits for its children, "(" and ")" are a taskgroup. Then, a line a nap: its
 * number, and when it began and ended by CLOCK_MONOTONIC, ns. */
#define _GNU_SOURCE // clock_gettime()
#include <loomp/record.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64, MOVES = 16, LOCATIONS = 4, NAPS = MOST * MOVES };

typedef struct {
    char kind; /* of the above, or 0: no more */
    int what;  /* the nap or the child */
} move_t;

typedef struct {
    int parent, undeferred, in, inout, mutex, count;
    move_t moves[MOVES];
} shape_t;

static shape_t shapes[MOST];
static int tasks, naps;
static struct {
    long length, begin, end;
} nap_of[NAPS];
static unsigned long state;

static int below(int limit) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (int)((state >> 33) % (unsigned long)limit);
}

static void add(int task, char kind, int what) {
    shape_t *const shape = &shapes[task];
    if (shape->count < MOVES)
        shape->moves[shape->count++] = (move_t){kind, what};
}
static void add_nap(int task) {
    nap_of[naps].length = 100000L * (1 + below(20));
    add(task, 'n', naps++);
}

static int add_task(int parent, int deferred) {
    const int task = tasks++;
    shape_t *const shape = &shapes[task];
    *shape = (shape_t){.parent = parent, .in = -1, .inout = -1, .mutex = -1};
    shape->undeferred = !deferred && below(4) == 0;
    switch (below(5)) {
    case 0:
        shape->in = below(LOCATIONS);
        break;
    case 1:
        shape->inout = below(LOCATIONS);
        break;
    case 2:
        shape->mutex = 0;
        break;
    default:
        break;
    }
    add_nap(task);
    return task;
}

/* Children with naps between them, and a wait for them all. */
static void add_children(int task, int depth) {
    const int group = below(2);
    if (group)
        add(task, '(', 0);
    for (int children = 1 + below(3); children > 0 && tasks < MOST - 8; --children) {
        const int child = add_task(task, 0);
        add(task, 'c', child);
        if (depth > 0 && below(3) == 0)
            add_children(child, depth - 1);
        if (below(2) == 0)
            add_nap(task);
    }
    add(task, group ? ')' : 'w', 0);
    add_nap(task);
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}
static void nap(int which) {
    nap_of[which].begin = now();
    while ((nap_of[which].end = now()) < nap_of[which].begin + nap_of[which].length)
        ;
}

static char x[LOCATIONS + MOST], mutexes[MOST + MOST];

static void run(int task);
static void create(int task) {
    const shape_t *const shape = &shapes[task];
    /* A location of its own orders a task with no other. */
    const int own = LOCATIONS + task;
    const int in = shape->in < 0 ? own : shape->in;
    const int inout = shape->inout < 0 ? own : shape->inout;
    char label[16];
    snprintf(label, sizeof label, "%d", task);
    loomp_task_label(label);
    /* Siblings share a mutex, and others do not. */
    if (shape->mutex >= 0) {
#pragma omp task firstprivate(task) if (!shape -> undeferred)                                      \
    depend(mutexinoutset : mutexes[shape->parent + 1])
        run(task);
    } else if (shape->in >= 0) {
#pragma omp task firstprivate(task) if (!shape -> undeferred) depend(in : x[in])
        run(task);
    } else if (shape->inout >= 0) {
#pragma omp task firstprivate(task) if (!shape -> undeferred) depend(inout : x[inout])
        run(task);
    } else {
#pragma omp task firstprivate(task) if (!shape -> undeferred)
        run(task);
    }
}
static int run_moves(int task, int from, char until) {
    const shape_t *const shape = &shapes[task];
    int i = from;
    for (; i < shape->count && shape->moves[i].kind != until; ++i)
        switch (shape->moves[i].kind) {
        case 'n':
            nap(shape->moves[i].what);
            break;
        case 'c':
            create(shape->moves[i].what);
            break;
        case '(':
#pragma omp taskgroup
            i = run_moves(task, i + 1, ')');
            break;
        default: {
#pragma omp taskwait
        }
        }
    return i;
}
static void run(int task) { run_moves(task, 0, 0); }

int main(int argc, char **argv) {
    state = argc > 1 ? strtoul(argv[1], NULL, 10) * 2654435761UL + 1 : 1;
    const int top = 2 + below(5);
    for (int i = 0; i < top; ++i) {
        const int task = add_task(-1, 0);
        if (below(2) == 0)
            add_children(task, 1);
    }
    for (int i = 0; i < tasks; ++i) {
        const shape_t *const shape = &shapes[i];
        printf("%d %d %d %d %d %d", i, shape->parent, shape->undeferred, shape->in, shape->inout,
               shape->mutex);
        for (int move = 0; move < shape->count; ++move)
            if (shape->moves[move].kind == 'n' || shape->moves[move].kind == 'c')
                printf(" %c%d", shape->moves[move].kind, shape->moves[move].what);
            else
                printf(" %c", shape->moves[move].kind);
        printf("\n");
    }
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < tasks; ++i)
        if (shapes[i].parent < 0)
            create(i);
    printf("naps\n");
    for (int i = 0; i < naps; ++i)
        printf("%d %ld %ld\n", i, nap_of[i].begin, nap_of[i].end);
    return 0;
}
