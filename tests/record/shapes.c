/* A random program of known shape: ./shapes SEED prints it when it has run.
 *
 * Compiled with -DRANKS=2, it is a program of MPI: ./shapes SEED FILE THREADS. Each rank writes its
 * shape to FILE.RANK. Sends and receives are in tasks, and in the code that creates them, before
 * the region and after it, too.
 *
 * A line a task: its number, which is its label, its parent's (-1: it is no task, but the code
 * outside them), 1 if it is undeferred, the locations of its clause (in, inout, mutexinoutset; -1:
 * none), and its moves, each with its number, and when it began and ended by CLOCK_MONOTONIC, ns:
 * "n" naps, "c" creates a child, "w" waits for its children, "(" and ")" are a taskgroup, "{" and
 * "}" the region. With the message's number, "s" sends, "i" begins to send, and "y", too,
 * synchronously; "r" receives, "a" does so from any rank, "p" after a probe, "R" begins to; "W"
 * waits. Then, a line a message: its number, size in bytes, tag, and communicator.
 *
 * No program comes to a deadlock if calls suspend their tasks. Ranks and tasks, each run at its
 * creation, would run one after the other in the order in which they are drawn, and a message is
 * sent before it is received there. No task that excludes others waits for a message. */
#define _GNU_SOURCE // clock_gettime()
#include <loomp/record.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef RANKS
#include <mpi.h>
#else
#define RANKS 1
#endif

enum { MOST = 40, MOVES = 128, LOCATIONS = 4, MESSAGES = 200, MAIN = 0 };

typedef struct {
    char kind; /* of the above */
    int what;  /* the nap, the child or the message */
    long length, begin, end;
} move_t;

typedef struct {
    int parent, undeferred, in, inout, mutex, count;
    move_t moves[MOVES];
} shape_t;

static shape_t shapes[RANKS][MOST];
static int tasks[RANKS], naps, rank;
static unsigned long state;

static int below(int limit) {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return (int)((state >> 33) % (unsigned long)limit);
}

static void add(int of, int task, char kind, int what) {
    shape_t *const shape = &shapes[of][task];
    if (shape->count == MOVES)
        abort();
    shape->moves[shape->count++] = (move_t){.kind = kind, .what = what};
}
static void add_nap(int of, int task) {
    add(of, task, 'n', naps++);
    shapes[of][task].moves[shapes[of][task].count - 1].length = 100000L * (1 + below(20));
}

/* Messages */

#if RANKS > 1
typedef struct {
    int from_rank, from, to; /* tasks; to: -1 as long as it is not received */
    int bytes, tag, communicator;
    char *data;
    MPI_Request request;
} message_t;

static message_t messages[MESSAGES];
static int message_count;
static MPI_Comm communicators[2];

/* A task that has a mutex keeps it while its descendants run. */
static int may_receive(int of, int task) {
    for (; task >= 0; task = shapes[of][task].parent)
        if (shapes[of][task].mutex >= 0)
            return 0;
    return 1;
}
static void add_send(int of, int task, int large) {
    const int number = message_count++;
    if (message_count == MESSAGES)
        abort();
    const char kind = "siy"[large ? 2 : below(3)];
    messages[number] = (message_t){.from_rank = of,
                                   .from = task,
                                   .to = -1,
                                   .bytes = 64 + 8 * number + (large ? 200000 : 0),
                                   .communicator = below(2)};
    add(of, task, kind, number);
    if (kind == 'i') {
        add_nap(of, task);
        add(of, task, 'W', number);
    }
}
/* The message for this task, or -1. From one task to another one, they are received in the order in
 * which they are sent. */
static int draw_message(int of, int task) {
    int candidates[MESSAGES], count = 0;
    for (int i = 0; i < message_count; ++i)
        if (messages[i].to < 0 && messages[i].from_rank != of)
            candidates[count++] = i;
    if (count == 0)
        return -1;
    const int from = messages[candidates[below(count)]].from;
    int first = 0;
    while (messages[candidates[first]].from != from)
        ++first;
    message_t *const message = &messages[candidates[first]];
    message->to = task;
    message->tag = MOST * message->from + task;
    return candidates[first];
}
static void add_receives(int of, int task) {
    int open[2], count = 0;
    const int at_once = 1 + below(2);
    for (int i = 0; i < at_once; ++i) {
        const int message = draw_message(of, task);
        if (message < 0)
            break;
        const char kind = "rapR"[below(4)];
        add(of, task, kind, message);
        if (kind == 'R')
            open[count++] = message;
    }
    if (count > 0)
        add_nap(of, task);
    while (count > 0)
        add(of, task, 'W', open[--count]);
}
static void add_messages(int of, int task) {
    if (below(3) == 0)
        add_send(of, task, below(4) == 0);
    if (below(2) == 0 && may_receive(of, task)) {
        add_receives(of, task);
        add_nap(of, task);
    }
}
/* The rest is received by the code outside tasks, in the region and after it. */
static void add_last_messages(void) {
    for (int of = 0; of < RANKS; ++of) {
        while (below(4) != 0)
            add_receives(of, MAIN);
        add(of, MAIN, '}', 0);
    }
    for (int of = 0; of < RANKS; ++of)
        add_messages(of, MAIN);
    for (int of = 0; of < RANKS; ++of)
        for (int message; (message = draw_message(of, MAIN)) >= 0;)
            add(of, MAIN, 'r', message);
    for (int of = 0; of < RANKS; ++of)
        for (int task = 0; task < tasks[of]; ++task)
            for (int i = 0; i < shapes[of][task].count; ++i)
                if (shapes[of][task].moves[i].kind == 'y')
                    add(of, MAIN, 'W', shapes[of][task].moves[i].what);
}

static void communicate(const move_t *move) {
    message_t *const message = &messages[move->what];
    const MPI_Comm communicator = communicators[message->communicator];
    const int other = 1 - rank, received = message->from_rank != rank;
    MPI_Message probed;
    if (message->data == NULL) {
        message->data = calloc(1, (size_t)message->bytes);
        message->data[0] = (char)(received ? -1 : move->what);
    }
    switch (move->kind) {
    case 's':
        MPI_Send(message->data, message->bytes, MPI_CHAR, other, message->tag, communicator);
        break;
    case 'i':
        MPI_Isend(message->data, message->bytes, MPI_CHAR, other, message->tag, communicator,
                  &message->request);
        break;
    case 'y':
        MPI_Issend(message->data, message->bytes, MPI_CHAR, other, message->tag, communicator,
                   &message->request);
        break;
    case 'r':
    case 'a':
        MPI_Recv(message->data, message->bytes, MPI_CHAR,
                 move->kind == 'a' ? MPI_ANY_SOURCE : other, message->tag, communicator,
                 MPI_STATUS_IGNORE);
        break;
    case 'p':
        MPI_Mprobe(other, message->tag, communicator, &probed, MPI_STATUS_IGNORE);
        MPI_Mrecv(message->data, message->bytes, MPI_CHAR, &probed, MPI_STATUS_IGNORE);
        break;
    case 'R':
        MPI_Irecv(message->data, message->bytes, MPI_CHAR, other, message->tag, communicator,
                  &message->request);
        break;
    case 'W':
        MPI_Wait(&message->request, MPI_STATUS_IGNORE);
        break;
    }
    if (received && move->kind != 'R' && message->data[0] != (char)move->what) {
        fprintf(stderr, "message %d is another one\n", move->what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}
static void start(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    communicators[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicators[1]);
}
static void finish(FILE *out) {
    fprintf(out, "messages\n");
    for (int i = 0; i < message_count; ++i)
        fprintf(out, "%d %d %d %d\n", i, messages[i].bytes, messages[i].tag,
                messages[i].communicator);
    MPI_Finalize();
}
#else
static void add_messages(int of, int task) { (void)of, (void)task; }
static void add_last_messages(void) { add(0, MAIN, '}', 0); }
static void communicate(const move_t *move) { (void)move; }
static void start(int argc, char **argv) { (void)argc, (void)argv; }
static void finish(FILE *out) { (void)out; }
#endif

/* The shape */

static int add_task(int of, int parent, int deferred) {
    const int task = tasks[of]++;
    shape_t *const shape = &shapes[of][task];
    *shape = (shape_t){.parent = parent, .in = -1, .inout = -1, .mutex = -1};
    if (parent < 0)
        return task;
    add(of, parent, 'c', task);
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
#ifdef __clang__
    /* libomp 19 may crash in undeferred tasks that wait for predecessors, while a tool watches. */
    if (shape->in >= 0 || shape->inout >= 0 || shape->mutex >= 0)
        shape->undeferred = 0;
#endif
    add_nap(of, task);
    add_messages(of, task);
    return task;
}

/* Children with naps and messages between them, and a wait for them all. */
static void add_children(int of, int task, int depth) {
    const int group = below(2);
    if (group)
        add(of, task, '(', 0);
    for (int children = 1 + below(3); children > 0 && tasks[of] < MOST - 8; --children) {
        const int child = add_task(of, task, 0);
        if (depth > 0 && below(3) == 0)
            add_children(of, child, depth - 1);
        if (below(2) == 0)
            add_nap(of, task);
    }
    add_messages(of, task);
    add(of, task, group ? ')' : 'w', 0);
    add_nap(of, task);
}
static void draw(void) {
    int top[RANKS], most = 0;
    for (int of = 0; of < RANKS; ++of) {
        add_task(of, -1, 1);
        add_messages(of, MAIN);
        add(of, MAIN, '{', 0);
        top[of] = 2 + below(5);
        most = top[of] > most ? top[of] : most;
    }
    for (int i = 0; i < most; ++i)
        for (int of = 0; of < RANKS; ++of)
            if (i < top[of]) {
                const int task = add_task(of, MAIN, 0);
                if (below(2) == 0)
                    add_children(of, task, 1);
                add_messages(of, MAIN);
            }
    add_last_messages();
}
static void print(FILE *out) {
    for (int i = 0; i < tasks[rank]; ++i) {
        const shape_t *const shape = &shapes[rank][i];
        fprintf(out, "%d %d %d %d %d %d", i, shape->parent, shape->undeferred, shape->in,
                shape->inout, shape->mutex);
        for (const move_t *move = shape->moves; move < shape->moves + shape->count; ++move)
            fprintf(out, " %c %d %ld %ld", move->kind, move->what, move->begin, move->end);
        fprintf(out, "\n");
    }
}

/* The run */

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static char x[LOCATIONS + MOST], mutexes[MOST];

static void run(int task);
static void create(int task) {
    const shape_t *const shape = &shapes[rank][task];
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
    depend(mutexinoutset : mutexes[shape->parent])
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
    shape_t *const shape = &shapes[rank][task];
    int i = from;
    for (; i < shape->count && shape->moves[i].kind != until; ++i) {
        move_t *const move = &shape->moves[i];
        switch (move->kind) {
        case 'n':
            move->begin = now();
            while ((move->end = now()) < move->begin + move->length)
                ;
            break;
        case 'c':
            create(move->what);
            break;
        case '(':
#pragma omp taskgroup
            i = run_moves(task, i + 1, ')');
            break;
        case 'w': {
#pragma omp taskwait
        } break;
        case '{':
#pragma omp parallel
#pragma omp master
            i = run_moves(task, i + 1, '}');
            break;
        default:
            move->begin = now();
            communicate(move);
            move->end = now();
        }
    }
    return i;
}
static void run(int task) { run_moves(task, 0, 0); }

int main(int argc, char **argv) {
    char path[4096];
    state = argc > 1 ? strtoul(argv[1], NULL, 10) * 2654435761UL + 1 : 1;
    draw();
    start(argc, argv);
    omp_set_num_threads(argc > 3 ? atoi(argv[3]) : 4);
    run(MAIN);
    FILE *out = stdout;
    if (argc > 2) {
        snprintf(path, sizeof path, "%s.%d", argv[2], rank);
        out = fopen(path, "w");
    }
    print(out);
    finish(out);
    return fclose(out);
}
