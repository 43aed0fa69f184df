/* Calls that wait for other ranks and have no equivalent nonblocking form: while a task waits in
 * one, its thread runs others. The odd ranks make each call when a later task of the even ones
 * tells them to, so a single thread would not suffice if the call kept it. */
#include "check.h"

#include <string.h>
#include <unistd.h>

static MPI_Comm world;
static char path[] = "/tmp/loomp-held-up-XXXXXX";
static MPI_File file;
enum { LENGTH = 1000 };

static int late; /* whether this rank makes the call later than its partner */

/* `other_way`: the even ranks wait for the odd ones. */
static void hold_up(void (*call)(void), int other_way) {
    const int partner = rank ^ 1;
    late = rank % 2 != other_way;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        {
            if (late && partner < size)
                CHECK_MPI(MPI_Recv(0, 0, MPI_INT, partner, 1, world, MPI_STATUS_IGNORE));
            call();
        }
#pragma omp task
        if (!late && partner < size)
            CHECK_MPI(MPI_Send(0, 0, MPI_INT, partner, 1, world));
    }
}

/* Then what names no communicator cannot be waited for without keeping out other calls. */
static int calls_one_at_a_time(void) { return getenv("LOOMP_MPI_THREAD_LEVEL") != NULL; }

static void sum_over(MPI_Comm comm, int expected) {
    int one = 1, sum = 0;
    CHECK_MPI(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == expected);
    CHECK_MPI(MPI_Comm_free(&comm));
}

static void communicators(void) {
    MPI_Comm made;
    CHECK_MPI(MPI_Comm_dup(world, &made));
    sum_over(made, size);
    CHECK_MPI(MPI_Comm_dup_with_info(world, MPI_INFO_NULL, &made));
    sum_over(made, size);
    CHECK_MPI(MPI_Comm_split(world, rank % 2, rank, &made));
    sum_over(made, (size + 1 - rank % 2) / 2);
    CHECK_MPI(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &made));
    CHECK_MPI(MPI_Comm_disconnect(&made));

    MPI_Group group;
    CHECK_MPI(MPI_Comm_group(world, &group));
    CHECK_MPI(MPI_Comm_create(world, group, &made));
    sum_over(made, size);
    CHECK_MPI(MPI_Comm_create_group(world, group, 7, &made));
    sum_over(made, size);
    CHECK_MPI(MPI_Group_free(&group));

    const int whole[1] = {size}, periodic[1] = {1}, remain[1] = {1};
    MPI_Comm part;
    CHECK_MPI(MPI_Cart_create(world, 1, whole, periodic, 0, &made));
    CHECK_MPI(MPI_Cart_sub(made, remain, &part));
    sum_over(part, size);
    sum_over(made, size);
    int *const index = malloc((size_t)size * sizeof *index);
    for (int i = 0; i < size; ++i)
        index[i] = 0;
    CHECK_MPI(MPI_Graph_create(world, size, index, index, 0, &made));
    free(index);
    sum_over(made, size);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size, degree = 1;
    CHECK_MPI(MPI_Dist_graph_create(world, 1, &rank, &degree, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                    0, &made));
    sum_over(made, size);
    CHECK_MPI(MPI_Dist_graph_create_adjacent(world, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                             MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    sum_over(made, size);

    if (size >= 2) {
        MPI_Comm both, merged;
        CHECK_MPI(MPI_Comm_split(world, rank % 2, rank, &made));
        CHECK_MPI(MPI_Intercomm_create(made, 0, world, 1 - rank % 2, 2, &both));
        CHECK_MPI(MPI_Intercomm_merge(both, rank % 2, &merged));
        sum_over(merged, size);
        CHECK_MPI(MPI_Comm_free(&both));
        CHECK_MPI(MPI_Comm_free(&made));
    }
}

static void windows(void) {
    int *base = 0;
    MPI_Win window;
    CHECK_MPI(MPI_Win_allocate(sizeof *base, 1, MPI_INFO_NULL, world, &base, &window));
    *base = rank;
    CHECK_MPI(MPI_Win_free(&window));
    MPI_Comm near; /* MPICH's of unstable says that no two ranks share memory */
    CHECK_MPI(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &near));
    CHECK_MPI(MPI_Win_allocate_shared(sizeof *base, 1, MPI_INFO_NULL, near, &base, &window));
    CHECK_MPI(MPI_Win_free(&window));
#if MPI_VERSION >= 4
    CHECK_MPI(MPI_Win_allocate_c(sizeof *base, 1, MPI_INFO_NULL, world, &base, &window));
    CHECK_MPI(MPI_Win_free(&window));
    CHECK_MPI(MPI_Win_allocate_shared_c(sizeof *base, 1, MPI_INFO_NULL, near, &base, &window));
    CHECK_MPI(MPI_Win_free(&window));
#endif
    CHECK_MPI(MPI_Comm_free(&near));
#ifndef OPEN_MPI /* which has none of these for several threads over shared memory (4.1) */
    int value = -1;
    CHECK_MPI(MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, world, &window));
    CHECK_MPI(MPI_Win_free(&window));
    CHECK_MPI(MPI_Win_create_dynamic(MPI_INFO_NULL, world, &window));
    CHECK_MPI(MPI_Win_free(&window));
#if MPI_VERSION >= 4
    CHECK_MPI(MPI_Win_create_c(&value, sizeof value, 1, MPI_INFO_NULL, world, &window));
    CHECK_MPI(MPI_Win_free(&window));
#endif
#endif
}

/* A rank that is not late exposes its memory, and waits until its partner has been there, which a
 * later task of the waiting rank asks to come. */
static void expose(void) {
    enum { COME = 3, BYTES = 64 }; /* MPICH 4.0 misplaces data in smaller windows */
    int *base = 0, out = 100 + rank;
    const int partner = rank ^ 1;
    MPI_Win window;
    MPI_Group all, other;
    CHECK_MPI(MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, world, &base, &window));
    *base = -1;
    if (partner < size) {
        CHECK_MPI(MPI_Comm_group(world, &all));
        CHECK_MPI(MPI_Group_incl(all, 1, &partner, &other));
        if (late) {
            CHECK_MPI(MPI_Recv(0, 0, MPI_INT, partner, COME, world, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Win_start(other, 0, window));
            CHECK_MPI(MPI_Put(&out, 1, MPI_INT, partner, 0, 1, MPI_INT, window));
            CHECK_MPI(MPI_Win_complete(window));
        } else {
            CHECK_MPI(MPI_Win_post(other, 0, window));
#pragma omp task
            CHECK_MPI(MPI_Send(0, 0, MPI_INT, partner, COME, world));
            CHECK_MPI(MPI_Win_wait(window));
            CHECK(*base == 100 + partner);
#pragma omp taskwait
        }
        CHECK_MPI(MPI_Group_free(&other));
        CHECK_MPI(MPI_Group_free(&all));
    }
    CHECK_MPI(MPI_Win_free(&window));
}

/* Both ways of an epoch that every rank takes part in. In the second one, a rank that is not late
 * waits for its partner to expose memory, which a later task of the waiting rank asks for. */
static void epochs(void) {
    enum { EXPOSE = 4, COUNT = 16 };
    int *base = 0, out = 200 + rank;
    const int partner = rank ^ 1, next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Win window;
    MPI_Group all, other;
    CHECK_MPI(
        MPI_Win_allocate(COUNT * sizeof *base, sizeof *base, MPI_INFO_NULL, world, &base, &window));
    CHECK_MPI(MPI_Win_fence(0, window));
    CHECK_MPI(MPI_Put(&out, 1, MPI_INT, next, 0, 1, MPI_INT, window));
    CHECK_MPI(MPI_Win_fence(0, window));
    CHECK(*base == 200 + before);
    CHECK_MPI(MPI_Win_fence(MPI_MODE_NOSUCCEED, window));
    if (partner < size && !calls_one_at_a_time()) {
        CHECK_MPI(MPI_Comm_group(world, &all));
        CHECK_MPI(MPI_Group_incl(all, 1, &partner, &other));
        if (late) {
            CHECK_MPI(MPI_Recv(0, 0, MPI_INT, partner, EXPOSE, world, MPI_STATUS_IGNORE));
            CHECK_MPI(MPI_Win_post(other, 0, window));
            CHECK_MPI(MPI_Win_wait(window));
            CHECK(base[1] == 200 + partner);
        } else {
#pragma omp task
            CHECK_MPI(MPI_Send(0, 0, MPI_INT, partner, EXPOSE, world));
            CHECK_MPI(MPI_Win_start(other, 0, window));
            CHECK_MPI(MPI_Put(&out, 1, MPI_INT, partner, 1, 1, MPI_INT, window));
            CHECK_MPI(MPI_Win_complete(window));
#pragma omp taskwait
        }
        CHECK_MPI(MPI_Group_free(&other));
        CHECK_MPI(MPI_Group_free(&all));
    }
    CHECK_MPI(MPI_Barrier(world));
    /* The library's own, which only a lock of another rank would hold up. */
    int in = -1;
    CHECK_MPI(MPI_Win_lock_all(0, window));
    CHECK_MPI(MPI_Get(&in, 1, MPI_INT, next, 0, 1, MPI_INT, window));
    CHECK_MPI(MPI_Win_flush_all(window));
    CHECK(in == 200 + rank);
    CHECK_MPI(MPI_Put(&in, 1, MPI_INT, next, 3, 1, MPI_INT, window));
    CHECK_MPI(MPI_Win_unlock_all(window));
    CHECK_MPI(MPI_Barrier(world));
    CHECK(base[3] == 200 + before);
    CHECK_MPI(MPI_Win_free(&window));
}

static void open_file(void) {
    CHECK_MPI(MPI_File_open(world, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file));
    CHECK_MPI(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
}

static int count_of(const MPI_Status *status) {
    int count = -1;
    CHECK_MPI(MPI_Get_count(status, MPI_INT, &count));
    return count;
}

static void check_block(const int *block, int of) {
    for (int i = 0; i < LENGTH; ++i)
        CHECK(block[i] == 1000 * of + i);
}

static void collective_access(void) {
    int out[LENGTH], in[LENGTH];
    MPI_Status status;
    for (int i = 0; i < LENGTH; ++i)
        out[i] = 1000 * rank + i;
    const int next = (rank + 1) % size;
    CHECK_MPI(MPI_Barrier(world)); /* the others are done with it */
    CHECK_MPI(MPI_File_set_size(file, 0));
    CHECK_MPI(
        MPI_File_write_at_all(file, (MPI_Offset)rank * LENGTH, out, LENGTH, MPI_INT, &status));
    CHECK(count_of(&status) == LENGTH);
    CHECK_MPI(MPI_File_sync(file));
    CHECK_MPI(MPI_Barrier(world));
    CHECK_MPI(MPI_File_read_at_all(file, (MPI_Offset)next * LENGTH, in, LENGTH, MPI_INT, &status));
    CHECK(count_of(&status) == LENGTH);
    check_block(in, next);

    /* Blocks of one number each, in turns: what collective buffering is for. */
    MPI_Datatype stripes;
    CHECK_MPI(MPI_Type_vector(LENGTH, 1, size, MPI_INT, &stripes));
    CHECK_MPI(MPI_Type_commit(&stripes));
    CHECK_MPI(MPI_File_set_view(file, (MPI_Offset)rank * (MPI_Offset)sizeof(int), MPI_INT, stripes,
                                "native", MPI_INFO_NULL));
    CHECK_MPI(MPI_File_write_all(file, out, LENGTH, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_seek(file, 0, MPI_SEEK_SET));
    memset(in, 0, sizeof in);
    CHECK_MPI(MPI_File_read_all(file, in, LENGTH, MPI_INT, &status));
    CHECK(count_of(&status) == LENGTH);
    check_block(in, rank);
    CHECK_MPI(MPI_Type_free(&stripes));
    CHECK_MPI(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
}

/* Both halves of split collectives; another task may run between them. */
static void split_access(void) {
    int out[LENGTH], in[LENGTH];
    const int next = (rank + 1) % size;
    MPI_Status status;
    MPI_Info info;
    CHECK_MPI(MPI_Info_create(&info));
    CHECK_MPI(MPI_File_set_info(file, info));
    CHECK_MPI(MPI_Info_free(&info));
    for (int i = 0; i < LENGTH; ++i)
        out[i] = 1000 * rank + i;
    CHECK_MPI(MPI_Barrier(world)); /* the others are done with it */
    CHECK_MPI(MPI_File_set_size(file, 0));
    CHECK_MPI(MPI_File_write_at_all_begin(file, (MPI_Offset)rank * LENGTH, out, LENGTH, MPI_INT));
#pragma omp taskyield
    CHECK_MPI(MPI_File_write_at_all_end(file, out, &status));
    CHECK(count_of(&status) == LENGTH);
    CHECK_MPI(MPI_File_sync(file));
    CHECK_MPI(MPI_Barrier(world));
    CHECK_MPI(MPI_File_read_at_all_begin(file, (MPI_Offset)next * LENGTH, in, LENGTH, MPI_INT));
#pragma omp taskyield
    CHECK_MPI(MPI_File_read_at_all_end(file, in, &status));
    CHECK(count_of(&status) == LENGTH);
    check_block(in, next);
    CHECK_MPI(MPI_Barrier(world));
    CHECK_MPI(MPI_File_seek(file, (MPI_Offset)rank * LENGTH, MPI_SEEK_SET));
    for (int i = 0; i < LENGTH; ++i)
        out[i] = 1000 * (rank + 1) + i;
    CHECK_MPI(MPI_File_write_all_begin(file, out, LENGTH, MPI_INT));
    CHECK_MPI(MPI_File_write_all_end(file, out, &status));
    CHECK(count_of(&status) == LENGTH);
    CHECK_MPI(MPI_File_seek(file, (MPI_Offset)rank * LENGTH, MPI_SEEK_SET));
    CHECK_MPI(MPI_File_read_all_begin(file, in, LENGTH, MPI_INT));
    CHECK_MPI(MPI_File_read_all_end(file, in, &status));
    CHECK(count_of(&status) == LENGTH);
    check_block(in, rank + 1);
    CHECK_MPI(MPI_Barrier(world));
}

/* Each rank in its own part, from many tasks. */
static void own_access(void) {
    static int blocks[20][LENGTH];
#pragma omp taskgroup
    for (int block = 0; block < 20; ++block)
#pragma omp task firstprivate(block)
    {
        int out[LENGTH];
        MPI_Status status;
        const MPI_Offset at = (MPI_Offset)(20 * rank + block) * LENGTH;
        for (int i = 0; i < LENGTH; ++i)
            out[i] = 1000 * block + i;
        CHECK_MPI(MPI_File_write_at(file, at, out, LENGTH, MPI_INT, &status));
        CHECK(count_of(&status) == LENGTH);
        CHECK_MPI(MPI_File_read_at(file, at, blocks[block], LENGTH, MPI_INT, &status));
        CHECK(count_of(&status) == LENGTH);
        check_block(blocks[block], block);
    }
    int value = rank;
    CHECK_MPI(MPI_File_seek(file, (MPI_Offset)20 * rank * LENGTH, MPI_SEEK_SET));
    CHECK_MPI(MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_File_seek(file, (MPI_Offset)20 * rank * LENGTH, MPI_SEEK_SET));
    value = -1;
    CHECK_MPI(MPI_File_read(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK(value == rank);
    /* A file's errors are returned unless the program says otherwise. */
    int class = MPI_SUCCESS;
    MPI_File none;
    const int error =
        MPI_File_open(MPI_COMM_SELF, "/nonexistent/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &none);
    CHECK_MPI(MPI_Error_class(error, &class));
    CHECK(class == MPI_ERR_NO_SUCH_FILE);
}

static void seek_shared(void) { CHECK_MPI(MPI_File_seek_shared(file, 0, MPI_SEEK_SET)); }
/* All ranks are done with the file as it was. */
static void together(void (*seek)(void)) {
    CHECK_MPI(MPI_Barrier(world));
    seek();
    CHECK_MPI(MPI_Barrier(world));
}

/* All ranks have one pointer into the file: each gets a part of its own, in order if they ask so.
 */
static void shared_pointer(void) {
    enum { PART = 3 };
    int out[PART], all[64 * PART], seen = 0, atomic = -1;
    (void)atomic;
    MPI_Offset bytes = -1;
    MPI_Status status;
    CHECK(size <= 64);
#ifdef OPEN_MPI /* with more ranks it crashes or hangs at times, in plain programs, too (4.1) */
    if (size > 2)
        return;
#endif
    for (int i = 0; i < PART; ++i)
        out[i] = 10 * rank + i;
    CHECK_MPI(MPI_Barrier(world)); /* the others are done with it */
    CHECK_MPI(MPI_File_set_size(file, 0));
    CHECK_MPI(MPI_File_preallocate(file, (MPI_Offset)sizeof all));
    CHECK_MPI(MPI_File_get_size(file, &bytes));
    CHECK(bytes == sizeof all);
    CHECK_MPI(MPI_Barrier(world));
#ifndef OPEN_MPI /* which fails at times on four ranks (4.1) */
    CHECK_MPI(MPI_File_set_atomicity(file, 1));
    CHECK_MPI(MPI_File_get_atomicity(file, &atomic));
    CHECK(atomic == 1);
    CHECK_MPI(MPI_Barrier(world));
    CHECK_MPI(MPI_File_set_atomicity(file, 0));
    CHECK_MPI(MPI_File_get_atomicity(file, &atomic));
    CHECK(atomic == 0);
#endif
    together(seek_shared);
    CHECK_MPI(MPI_File_write_ordered(file, out, PART, MPI_INT, &status));
    CHECK(count_of(&status) == PART);
    together(seek_shared);
    CHECK_MPI(MPI_File_read_ordered(file, all, PART, MPI_INT, &status));
    CHECK(count_of(&status) == PART);
    for (int i = 0; i < PART; ++i)
        CHECK(all[i] == 10 * rank + i);

    together(seek_shared);
    CHECK_MPI(MPI_File_write_ordered_begin(file, out, PART, MPI_INT));
    CHECK_MPI(MPI_File_write_ordered_end(file, out, &status));
    CHECK(count_of(&status) == PART);
    together(seek_shared);
    CHECK_MPI(MPI_File_read_ordered_begin(file, all, PART, MPI_INT));
    CHECK_MPI(MPI_File_read_ordered_end(file, all, &status));
    CHECK(count_of(&status) == PART);
    for (int i = 0; i < PART; ++i)
        CHECK(all[i] == 10 * rank + i);

    /* The parts come in any order, each once. */
    together(seek_shared);
    CHECK_MPI(MPI_File_write_shared(file, out, PART, MPI_INT, &status));
    CHECK(count_of(&status) == PART);
    CHECK_MPI(MPI_Barrier(world));
    CHECK_MPI(MPI_File_read_at(file, 0, all, size * PART, MPI_INT, &status));
    CHECK(count_of(&status) == size * PART);
    for (int i = 0; i < size * PART; ++i) {
        CHECK(all[i] == all[i - i % PART] + i % PART && all[i] / 10 < size);
        seen |= i % PART == 0 ? 1 << all[i] / 10 : 0;
    }
    CHECK(seen == (1 << size) - 1);
    together(seek_shared);
    CHECK_MPI(MPI_File_read_shared(file, out, PART, MPI_INT, &status));
    CHECK(count_of(&status) == PART);
    CHECK(out[0] % 10 == 0 && out[PART - 1] == out[0] + PART - 1);
    int first = out[0] / 10, sum = 0;
    CHECK_MPI(MPI_Allreduce(&first, &sum, 1, MPI_INT, MPI_SUM, world));
    CHECK(sum == size * (size - 1) / 2); /* no part is read twice */
}

#if MPI_VERSION >= 4
/* X(writes, reads, its first arguments, what comes before it, in which order ranks get parts) */
#define LARGE_COUNTS(X)                                                                            \
    X(MPI_File_write_c, MPI_File_read_c, (file), seek_own, OWN)                                    \
    X(MPI_File_write_all_c, MPI_File_read_all_c, (file), seek_own, OWN)                            \
    X(MPI_File_write_at_c, MPI_File_read_at_c, (file, rank), seek_nothing, OWN)                    \
    X(MPI_File_write_at_all_c, MPI_File_read_at_all_c, (file, rank), seek_nothing, OWN)            \
    X(MPI_File_write_ordered_c, MPI_File_read_ordered_c, (file), seek_shared, OWN)                 \
    X(MPI_File_write_shared_c, MPI_File_read_shared_c, (file), seek_shared, ANY)

enum { OWN, ANY };
static void seek_own(void) { CHECK_MPI(MPI_File_seek(file, rank, MPI_SEEK_SET)); }
static void seek_nothing(void) {}

#define IN(...) __VA_ARGS__
#define WRITE_AND_READ(WRITE, READ, PLACE, SEEK, ORDER)                                            \
    ++pair;                                                                                        \
    out = 100 * pair + rank;                                                                       \
    together(SEEK);                                                                                \
    CHECK_MPI(WRITE(IN PLACE, &out, one, MPI_INT, &status));                                       \
    CHECK(count_of(&status) == 1);                                                                 \
    together(SEEK);                                                                                \
    CHECK_MPI(READ(IN PLACE, &in, one, MPI_INT, &status));                                         \
    CHECK(count_of(&status) == 1);                                                                 \
    CHECK(in / 100 == pair && in % 100 < size && (ORDER == ANY || in == out));

/* X(writes, reads, the second halves of both, their first arguments, what comes before it) */
#define SPLIT_LARGE_COUNTS(X)                                                                      \
    X(MPI_File_write_all_begin_c, MPI_File_read_all_begin_c, MPI_File_write_all_end,               \
      MPI_File_read_all_end, (file), seek_own)                                                     \
    X(MPI_File_write_at_all_begin_c, MPI_File_read_at_all_begin_c, MPI_File_write_at_all_end,      \
      MPI_File_read_at_all_end, (file, rank), seek_nothing)                                        \
    X(MPI_File_write_ordered_begin_c, MPI_File_read_ordered_begin_c, MPI_File_write_ordered_end,   \
      MPI_File_read_ordered_end, (file), seek_shared)
#define WRITE_AND_READ_SPLIT(WRITE, READ, WRITTEN, READ_IT, PLACE, SEEK)                           \
    out = 100 * ++pair + rank;                                                                     \
    together(SEEK);                                                                                \
    CHECK_MPI(WRITE(IN PLACE, &out, one, MPI_INT));                                                \
    CHECK_MPI(WRITTEN(file, &out, &status));                                                       \
    CHECK(count_of(&status) == 1);                                                                 \
    together(SEEK);                                                                                \
    CHECK_MPI(READ(IN PLACE, &in, one, MPI_INT));                                                  \
    CHECK_MPI(READ_IT(file, &in, &status));                                                        \
    CHECK(count_of(&status) == 1 && in == out);

static void large_counts(void) {
    const MPI_Count one = 1;
    int pair = 0, out = -1, in = -1;
    MPI_Status status;
    LARGE_COUNTS(WRITE_AND_READ)
    SPLIT_LARGE_COUNTS(WRITE_AND_READ_SPLIT)
}
#endif

static void close_file(void) { CHECK_MPI(MPI_File_close(&file)); }

static void everything(void) {
    char path_template[sizeof path];
    strcpy(path_template, path);
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    if (rank == 0) {
        const int made = mkstemp(path);
        CHECK(made >= 0);
        close(made);
    }
    CHECK_MPI(MPI_Bcast(path, sizeof path, MPI_CHAR, 0, world));
    void (*const calls[])(void) = {
        communicators, windows,           expose,       epochs,         open_file,
        own_access,    collective_access, split_access, shared_pointer,
#if MPI_VERSION >= 4
        large_counts,
#endif
        close_file};
    for (int round = 0; round < 2; ++round)
        for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
            if (calls[i] == close_file && calls_one_at_a_time())
                close_file();
            else
                hold_up(calls[i], round);
    /* And outside tasks. */
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
        calls[i]();
    CHECK_MPI(MPI_Barrier(world));
    if (rank == 0)
        unlink(path);
    CHECK_MPI(MPI_Comm_free(&world));
    strcpy(path, path_template);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    for (int left = repetitions(); left > 0; --left)
        everything();
    return end_mpi();
}
