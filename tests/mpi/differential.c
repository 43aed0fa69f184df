/* Random calls of MPI, whose results are written to a file per rank: buffers, statuses, classes of
 * errors, and calls of error handlers. tests/mpi/cases/differential.sh compares the files with and
 * without the layer.
 *
 * usage: differential FILE SEED STEPS outside|task|mixed
 *
 * All ranks draw a step's kind alike; its arguments come from the step's own seed, so all ranks of
 * a communicator draw them alike. Nothing depends on the order in which messages of different ranks
 * arrive. */
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { LONG = 4096, MOST = 8, COMMS = 7, TYPES = 7, UNITS = 20 };

static FILE *out;
static int step;

/* --- Numbers ---------------------------------------------------------------------------------- */

static uint64_t all_state, state;
static uint64_t next(uint64_t *of) {
    uint64_t z = (*of += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
/* Below `numbers`, which is at most 1000. */
static int draw(int numbers) { return (int)(next(&state) % 1000000 % (uint64_t)numbers); }

/* --- Results ---------------------------------------------------------------------------------- */

static int from[LONG], to[LONG];
static MPI_Status status, statuses[MOST];
static MPI_Comm handled = MPI_COMM_NULL; /* the communicator of the step */

static void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fflush(out);
}
static int class_of(int error) {
    int class = -1;
    MPI_Error_class(error, &class);
    return class;
}
static void handle(MPI_Comm *comm, int *error, ...) {
    say("  handler: class %d on %s\n", class_of(*error),
        *comm == handled          ? "the communicator"
        : *comm == MPI_COMM_WORLD ? "world"
                                  : "another");
}
/* The class of what a call returned. */
static int result(const char *call, int error) {
    say("%d %s: %d\n", step, call, class_of(error));
    return error;
}
#define DO(CALL, ...) result(#CALL, MPI_##CALL(__VA_ARGS__))
/* Calls with large counts have other lists of arguments: these take one count alike. */
#if MPI_VERSION >= 4
#define EITHER(CALL, ...) (draw(2) ? DO(CALL, __VA_ARGS__) : DO(CALL##_c, __VA_ARGS__))
#else
#define EITHER(CALL, ...) (draw(2), DO(CALL, __VA_ARGS__))
#endif

enum { EMPTY = 5 /* of the types */ };
static struct {
    MPI_Datatype type;
    int ints;   /* that one holds */
    int extent; /* in integers */
} types[TYPES];

static void fill(void) {
    for (int i = 0; i < LONG; ++i) {
        from[i] = 1000003 * (rank + 1) + 4099 * step + i;
        to[i] = -i - 1;
    }
}
static void say_buffer(const int *buffer) {
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < LONG; ++i)
        hash = (hash ^ (uint32_t)buffer[i]) * 1099511628211u;
    say("  buffer %016llx\n", (unsigned long long)hash);
}
static void blank(MPI_Status *of) {
    memset(of, 0, sizeof *of);
    of->MPI_SOURCE = of->MPI_TAG = of->MPI_ERROR = -77;
}
static void say_status(const MPI_Status *of, MPI_Datatype type, int with_error) {
    int count = -5, elements = -5, cancelled = -5;
    if (of->MPI_SOURCE != -77 || of->MPI_TAG != -77 || type == MPI_BYTE) {
        MPI_Get_count(of, type, &count);
        if (type == MPI_INT || type == types[1].type) /* MPICH fails for others (4.0) */
            MPI_Get_elements(of, type, &elements);
        MPI_Test_cancelled(of, &cancelled);
    }
    say("  status %d %d error %d count %d %d cancelled %d\n", of->MPI_SOURCE, of->MPI_TAG,
        with_error ? of->MPI_ERROR : 0, count, elements, cancelled);
}

/* --- Types and operations --------------------------------------------------------------------- */

static void make_types(void) {
    const int lengths[3] = {1, 2, 1}, places[3] = {4, 0, 3};
    const MPI_Aint offsets[2] = {8, 0};
    const MPI_Datatype members[2] = {MPI_INT, MPI_UNSIGNED};
    MPI_Datatype made;
    types[0].type = MPI_INT;
    CHECK_MPI(MPI_Type_vector(2, 1, 2, MPI_INT, &types[1].type));
    CHECK_MPI(MPI_Type_indexed(3, lengths, places, MPI_INT, &types[2].type));
    CHECK_MPI(MPI_Type_vector(2, 2, 3, MPI_INT, &made));
    CHECK_MPI(MPI_Type_create_resized(made, 0, 7 * sizeof(int), &types[3].type));
    CHECK_MPI(MPI_Type_free(&made));
    CHECK_MPI(MPI_Type_contiguous(3, MPI_INT, &types[4].type));
    CHECK_MPI(MPI_Type_contiguous(0, MPI_INT, &types[EMPTY].type));
    CHECK_MPI(MPI_Type_create_struct(2, lengths, offsets, members, &types[6].type));
    for (int i = 0; i < TYPES; ++i) {
        MPI_Aint begin, extent;
        int bytes;
        if (i > 0)
            CHECK_MPI(MPI_Type_commit(&types[i].type));
        CHECK_MPI(MPI_Type_size(types[i].type, &bytes));
        CHECK_MPI(MPI_Type_get_extent(types[i].type, &begin, &extent));
        types[i].ints = bytes / (int)sizeof(int);
        types[i].extent = (int)(extent / (MPI_Aint)sizeof(int));
    }
}

static MPI_Op composed;
static MPI_Datatype pair;

/* --- Communicators ---------------------------------------------------------------------------- */

static MPI_Comm comms[COMMS]; /* MPI_COMM_NULL if this rank is not in it */
static MPI_Errhandler counting;

static int members(MPI_Comm comm) {
    int count = 0;
    MPI_Comm_size(comm, &count);
    return count;
}
static int self(MPI_Comm comm) {
    int own = 0;
    MPI_Comm_rank(comm, &own);
    return own;
}
static int is_inter(MPI_Comm comm) {
    int flag = 0;
    MPI_Comm_test_inter(comm, &flag);
    return flag;
}
static int topology_of(MPI_Comm comm) {
    int kind = MPI_UNDEFINED;
    MPI_Topo_test(comm, &kind);
    return kind;
}
/* Errors on it are returned, or handled. */
static void choose_handler(MPI_Comm comm, int chosen) {
    if (comm != MPI_COMM_NULL)
        DO(Comm_set_errhandler, comm, chosen ? counting : MPI_ERRORS_RETURN);
}
static void describe(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        say("  null\n");
    else
        say("  rank %d of %d, inter %d, topology %d\n", self(comm), members(comm), is_inter(comm),
            topology_of(comm) == MPI_UNDEFINED);
}

/* Another communicator takes the place of `i`; place 0 keeps a duplicate of all. */
static void make_communicator(void) {
    const int i = 1 + draw(COMMS - 1), kind = draw(12), chosen = draw(2);
    MPI_Comm parent = comms[0], made = MPI_COMM_NULL;
    MPI_Group group, part;
    MPI_Request request;
    const int key = draw(2) ? rank : -rank,
              color = draw(4) == 0 && rank == size - 1 ? MPI_UNDEFINED : rank % 2;
    int dims[2] = {0, 0}, periods[2], kept[2], nodes[MOST], edges[2 * MOST], last = draw(size);
    periods[0] = draw(2), periods[1] = draw(2), kept[0] = draw(2), kept[1] = 1;
    const int shift = draw(size), sources[2] = {(rank + size - shift) % size, rank},
              targets[2] = {(rank + shift) % size, rank}, range[1][3] = {{0, last, 1}};
    if (comms[i] != MPI_COMM_NULL)
        DO(Comm_free, &comms[i]);
    switch (kind) {
    case 0:
        DO(Comm_dup, parent, &made);
        break;
    case 1:
        DO(Comm_idup, parent, &made, &request);
        DO(Wait, &request, MPI_STATUS_IGNORE);
        break;
    case 2:
        DO(Comm_split, parent, color, key, &made);
        break;
    case 3:
        DO(Comm_split_type, parent, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &made);
        break;
    case 4:
    case 5:
        CHECK_MPI(MPI_Comm_group(parent, &group));
        CHECK_MPI(MPI_Group_range_incl(group, 1, (int(*)[3])range, &part));
        if (kind == 4)
            DO(Comm_create, parent, part, &made);
        else if (rank <= last)
            DO(Comm_create_group, parent, part, 3, &made);
        CHECK_MPI(MPI_Group_free(&group));
        CHECK_MPI(MPI_Group_free(&part));
        break;
    case 6:
    case 7:
        if (size == 1)
            break;
        MPI_Comm half;
        DO(Comm_split, parent, rank % 2, rank, &half);
        DO(Intercomm_create, half, 0, parent, 1 - rank % 2, 9, &made);
        CHECK_MPI(MPI_Comm_free(&half));
        if (kind == 7) {
            MPI_Comm merged;
            DO(Intercomm_merge, made, rank % 2, &merged);
            DO(Comm_free, &made);
            made = merged;
        }
        break;
    case 8:
    case 9:
        dims[draw(2)] = kind == 8 && draw(2) ? 1 : 0;
        CHECK_MPI(MPI_Dims_create(size, 2, dims));
        DO(Cart_create, parent, 2, dims, periods, draw(2), &made);
        if (kind == 9) {
            MPI_Comm sub;
            DO(Cart_sub, made, kept, &sub);
            DO(Comm_free, &made);
            made = sub;
        }
        break;
    case 10:
        for (int node = 0; node < size; ++node) {
            nodes[node] = 2 * (node + 1);
            edges[2 * node] = (node + size - 1) % size;
            edges[2 * node + 1] = (node + 1) % size;
        }
        DO(Graph_create, parent, size, nodes, edges, 0, &made);
        break;
    default:
        DO(Dist_graph_create_adjacent, parent, 2, sources, MPI_UNWEIGHTED, 2, targets,
           MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    }
    comms[i] = made;
    describe(made);
    choose_handler(made, chosen);
}

/* --- Point to point --------------------------------------------------------------------------- */

static void send(int kind, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    int flag = 0;
    switch (kind) {
    case 0:
        EITHER(Send, from, count, type, peer, tag, comm);
        break;
    case 1:
        EITHER(Ssend, from, count, type, peer, tag, comm);
        break;
    case 2:
        EITHER(Bsend, from, count, type, peer, tag, comm);
        break;
    case 3:
        EITHER(Isend, from, count, type, peer, tag, comm, &request);
        break;
    case 4:
        EITHER(Issend, from, count, type, peer, tag, comm, &request);
        break;
    case 5:
        EITHER(Ibsend, from, count, type, peer, tag, comm, &request);
        break;
    default:
        EITHER(Send_init, from, count, type, peer, tag, comm, &request);
        DO(Start, &request);
    }
    if (kind < 3)
        return;
    if (draw(2)) {
        DO(Wait, &request, MPI_STATUS_IGNORE);
    } else {
        while (flag == 0)
            CHECK_MPI(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    }
    if (kind == 6)
        DO(Request_free, &request);
    CHECK(request == MPI_REQUEST_NULL);
}

/* Returns the error's class. */
static int receive(int kind, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL,
                list[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Message message;
    int flag = 0, error = MPI_SUCCESS, index = -1, indices[3] = {-1, -1, -1}, done = -1;
    MPI_Status seen;
    blank(&status);
    blank(&seen);
    for (int i = 0; i < 3; ++i)
        blank(&statuses[i]);
    switch (kind) {
    case 0:
        error = EITHER(Recv, to, count, type, peer, tag, comm, &status);
        break;
    case 1:
        EITHER(Irecv, to, count, type, peer, tag, comm, &request);
        error = DO(Wait, &request, &status);
        break;
    case 2:
        DO(Probe, peer, tag, comm, &seen);
        say_status(&seen, type, 1);
        error = EITHER(Recv, to, count, type, seen.MPI_SOURCE, seen.MPI_TAG, comm, &status);
        break;
    case 3:
        DO(Mprobe, peer, tag, comm, &message, &seen);
        say_status(&seen, type, 1);
        error = EITHER(Mrecv, to, count, type, &message, &status);
        break;
    case 4:
        while (flag == 0)
            CHECK_MPI(MPI_Iprobe(peer, tag, comm, &flag, &seen));
        say_status(&seen, type, 1);
        error = DO(Recv, to, count, type, peer, tag, comm, &status);
        break;
    case 5:
        while (flag == 0)
            CHECK_MPI(MPI_Improbe(peer, tag, comm, &flag, &message, &seen));
        DO(Imrecv, to, count, type, &message, &request);
        error = DO(Wait, &request, &status);
        break;
    case 6:
        DO(Recv_init, to, count, type, peer, tag, comm, &request);
        DO(Startall, 1, &request);
        error = DO(Wait, &request, &status);
        DO(Wait, &request, &seen); /* inactive */
        say_status(&seen, type, 1);
        DO(Request_free, &request);
        break;
    case 7:
        DO(Irecv, to, count, type, peer, tag, comm, &list[1]);
        error = DO(Waitall, 3, list, statuses);
        for (int i = 0; i < 3; ++i)
            say_status(&statuses[i], type, i == 1); /* MPICH leaves MPI_ERROR of the others */
        break;
    case 8:
        DO(Irecv, to, count, type, peer, tag, comm, &list[1]);
        error = DO(Waitany, 3, list, &index, &status);
        break;
    case 9:
        DO(Irecv, to, count, type, peer, tag, comm, &list[1]);
        error = DO(Waitsome, 3, list, &done, indices, statuses);
        say_status(&statuses[0], type, 1);
        break;
    case 10:
        DO(Irecv, to, count, type, peer, tag, comm, &list[1]);
        while (flag == 0 && error == MPI_SUCCESS)
            error = MPI_Testall(3, list, &flag, statuses);
        result("Testall", error);
        say_status(&statuses[1], type, 1);
        break;
    case 11:
        DO(Irecv, to, count, type, peer, tag, comm, &list[1]);
        while (flag == 0 && error == MPI_SUCCESS)
            error = MPI_Testany(3, list, &index, &flag, &status);
        result("Testany", error);
        break;
    default:
        DO(Irecv, to, count, type, peer, tag, comm, &list[1]);
        for (done = 0; done == 0 && error == MPI_SUCCESS;)
            error = MPI_Testsome(3, list, &done, indices, statuses);
        result("Testsome", error);
        say_status(&statuses[0], type, 1);
    }
    say("  %d %d %d, requests %d %d\n", index, done, indices[0], request == MPI_REQUEST_NULL,
        list[1] == MPI_REQUEST_NULL);
    /* How much a short receive got is not defined. */
    if (error == MPI_SUCCESS)
        say_status(&status, type, 1);
    return class_of(error);
}

/* One message; its receive may be too short. */
static void message(MPI_Comm comm) {
    const int inter = is_inter(comm), count = draw(UNITS), which = draw(TYPES), as_ints = draw(2),
              tag = draw(5);
    const int any_source = draw(3) == 0, any_tag = draw(3) == 0, space = draw(8), sends = draw(7),
              receives = draw(13);
    const int first = draw(840), second = draw(840), side = draw(2);
    int source, target, is_source, is_target, remote = 0;
    const uint64_t kept = state;
    if (inter) {
        int local = members(comm);
        CHECK_MPI(MPI_Comm_remote_size(comm, &remote));
        /* The ranks of one group are even in the first communicator. */
        const int sending = rank % 2 == side;
        source = first % (sending ? local : remote), target = second % (sending ? remote : local);
        is_source = sending && self(comm) == source, is_target = !sending && self(comm) == target;
    } else {
        source = first % members(comm), target = second % members(comm);
        is_source = self(comm) == source, is_target = self(comm) == target;
    }
    const int units = count * types[which].ints;
    const MPI_Datatype type = as_ints ? MPI_INT : types[which].type;
    const int whole = as_ints ? units : count, short_by = space == 0 && whole > 0 && receives <= 6,
              capacity = short_by ? whole - 1 : whole + space;
    const int peer = any_source ? MPI_ANY_SOURCE : source, wanted = any_tag ? MPI_ANY_TAG : tag;
    if (is_source && is_target) {
        MPI_Request request;
        DO(Isend, from, count, types[which].type, target, tag, comm, &request);
        if (receive(receives, capacity, type, peer, wanted, comm) != MPI_ERR_TRUNCATE)
            say_buffer(to);
        DO(Wait, &request, MPI_STATUS_IGNORE);
        return;
    }
    state = kept;
    if (is_source)
        send(sends, count, types[which].type, target, tag, comm);
    else if (is_target && receive(receives, capacity, type, peer, wanted, comm) != MPI_ERR_TRUNCATE)
        say_buffer(to);
}

static void exchange(MPI_Comm comm) {
    if (is_inter(comm))
        return;
    const int n = members(comm), own = self(comm), shift = draw(840) % n, which = draw(TYPES),
              count = draw(UNITS), tag = draw(9);
    const int nobody = draw(4) == 0, any = draw(3) == 0, kind = draw(3);
    int target = (own + shift) % n, source = (own + n - shift) % n;
    if (nobody && own == 0)
        source = MPI_PROC_NULL;
    if (nobody && source != MPI_PROC_NULL && target == 0)
        target = MPI_PROC_NULL;
    if (nobody && own == 0 && shift == 0)
        target = MPI_PROC_NULL;
    blank(&status);
    const int peer = any && source != MPI_PROC_NULL ? MPI_ANY_SOURCE : source,
              wanted = any ? MPI_ANY_TAG : tag;
    if (kind == 0)
        EITHER(Sendrecv, from, count, types[which].type, target, tag, to,
               count * types[which].ints + 1, MPI_INT, peer, wanted, comm, &status);
    else if (kind == 1)
        EITHER(Sendrecv_replace, to, count, types[which].type, target, tag, peer, wanted, comm,
               &status);
    else
        DO(Sendrecv, from, count, types[which].type, target, tag, to, count, types[which].type,
           peer, wanted, comm, MPI_STATUS_IGNORE);
    say_status(&status, kind == 0 ? MPI_INT : types[which].type, 0); /* MPICH writes MPI_ERROR */
    say_buffer(to);
}

/* Messages to and from nobody, and those that nobody sends. */
static void nobody(MPI_Comm comm) {
    MPI_Request request;
    MPI_Message gone;
    int flag = 5;
    blank(&status);
    send(draw(7), 3, MPI_INT, MPI_PROC_NULL, 1, comm);
    /* MPICH's nonblocking receives from nobody share a status that others change (4.0). */
    receive((int[]){0, 2, 3, 4}[draw(4)], 3, MPI_INT, MPI_PROC_NULL, draw(2) ? 1 : MPI_ANY_TAG,
            comm);
    DO(Iprobe, MPI_ANY_SOURCE, 99, comm, &flag, &status);
    say("  %d\n", flag);
    DO(Mprobe, MPI_PROC_NULL, 1, comm, &gone, &status);
    say_status(&status, MPI_INT, 1);
    DO(Mrecv, to, 1, MPI_INT, &gone, &status);
    say_status(&status, MPI_INT, 1);
    DO(Irecv, to, 3, MPI_INT, MPI_ANY_SOURCE, 98, comm, &request);
    DO(Cancel, &request);
    DO(Wait, &request, &status);
    int cancelled = 0;
    CHECK_MPI(MPI_Test_cancelled(&status, &cancelled));
    say("  cancelled %d\n", cancelled);
    say_buffer(to);
}

/* Several messages to the next rank, completed together. */
static void several(MPI_Comm comm) {
    if (is_inter(comm))
        return;
    enum { COUNT = 5 };
    const int n = members(comm), next_one = (self(comm) + 1) % n, before = (self(comm) + n - 1) % n,
              kind = draw(4);
    /* This receive is too short. Open MPI's calls for many may hang then (4.1). */
    const int wrong = kind == 3 && draw(3) == 0 ? draw(COUNT) : -1;
    MPI_Request sends[COUNT], receives[COUNT];
    int index, done, indices[COUNT], sum = 0, error = MPI_SUCCESS;
    for (int i = 0; i < COUNT; ++i) {
        blank(&statuses[i]);
        CHECK_MPI(
            MPI_Irecv(to + 100 * i, i == wrong ? 3 : 40, MPI_INT, before, i, comm, &receives[i]));
    }
    for (int i = 0; i < COUNT; ++i)
        CHECK_MPI(
            MPI_Isend(from + 100 * i, 10 * (i % 3) + 5, MPI_INT, next_one, i, comm, &sends[i]));
    if (kind == 0) {
        error = DO(Waitall, COUNT, receives, statuses);
        for (int i = 0; i < COUNT; ++i) {
            say_status(&statuses[i], MPI_INT, 1);
        }
    } else if (kind == 1) {
        for (int i = 0; i < COUNT; ++i) {
            blank(&status);
            error = MPI_Waitany(COUNT, receives, &index, &status);
            sum += (index + 1) * (index + 1) + 1000 * class_of(error) +
                   7 * (status.MPI_ERROR == -77) +
                   (index == wrong ? 0 : status.MPI_TAG * (index + 3));
        }
        DO(Waitany, COUNT, receives, &index, &status);
        say("  sum %d, %d\n", sum, index == MPI_UNDEFINED);
        say_status(&status, MPI_INT, 0);
    } else if (kind == 2) {
        for (int left = COUNT; left > 0; left -= done) {
            error = MPI_Waitsome(COUNT, receives, &done, indices, statuses);
            for (int i = 0; i < done; ++i)
                sum += (indices[i] + 1) * (indices[i] + 1) +
                       1000 * (error != MPI_SUCCESS && indices[i] == wrong
                                   ? class_of(statuses[i].MPI_ERROR)
                                   : 0);
        }
        DO(Waitsome, COUNT, receives, &done, indices, statuses);
        say("  sum %d, %d\n", sum, done == MPI_UNDEFINED);
    } else {
        for (int i = 0; i < COUNT; ++i) {
            blank(&status);
            DO(Wait, &receives[i], &status);
            if (i != wrong) /* how much a short receive got is not defined */
                say_status(&status, MPI_INT, 1);
        }
    }
    DO(Waitall, COUNT, sends, MPI_STATUSES_IGNORE);
    if (wrong < 0)
        say_buffer(to);
}

/* --- Collectives ------------------------------------------------------------------------------ */

static int counts[MOST], places[MOST], own_counts[MOST], own_places[MOST], bytes[MOST],
    own_bytes[MOST];
static MPI_Aint far_places[MOST], own_far[MOST];
static MPI_Datatype list_of_types[MOST];

/* amounts[i][j]: what rank i has for rank j. */
static void draw_lists(int n, int own, int which) {
    int amounts[MOST][MOST];
    for (int i = 0; i < MOST; ++i)
        for (int j = 0; j < MOST; ++j)
            amounts[i][j] = draw(5);
    for (int i = 0, at = 0, own_at = 0; i < n; ++i) {
        own_counts[i] = amounts[own][i], counts[i] = amounts[i][own];
        own_places[i] = own_at, places[i] = at;
        own_far[i] = own_bytes[i] = own_at * types[which].extent * (int)sizeof(int);
        far_places[i] = bytes[i] = at * types[which].extent * (int)sizeof(int);
        own_at += own_counts[i] + 1, at += counts[i] + 2;
        list_of_types[i] = types[which].type;
    }
}

static void collective(MPI_Comm comm) {
    static const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BXOR, MPI_BAND, MPI_LOR};
    const int inter = is_inter(comm), local = members(comm), own = self(comm), kind = draw(18),
              which = draw(TYPES);
    const int units = draw(12), in_place = !inter && draw(3) == 0, custom = draw(3) == 0;
    const MPI_Op op = custom ? composed : ops[draw(7)];
    const MPI_Datatype type = types[which].type, of_op = custom ? pair : MPI_INT;
    const int root_number = draw(840), side = draw(2);
    int n = local;
    if (inter)
        CHECK_MPI(MPI_Comm_remote_size(comm, &n));
    /* In an intercommunicator, one group has the root. */
    int root = root_number % n;
    if (inter && rank % 2 == side)
        root = root_number % local == own ? MPI_ROOT : MPI_PROC_NULL;
    const int is_root = inter ? root == MPI_ROOT : root == own;
    draw_lists(inter ? MOST : n, inter ? 0 : own, which);
    if (inter)
        for (int i = 0; i < MOST; ++i)
            counts[i] = own_counts[i] = 3, places[i] = own_places[i] = 4 * i,
            bytes[i] = own_bytes[i] = 4 * i * types[which].extent * (int)sizeof(int);
    const void *mine = in_place ? MPI_IN_PLACE : from;
    static const int uneven[MOST] = {2, 0, 4, 5, 1, 7, 3, 9};
    int rest = LONG; /* from here on, a result in place leaves anything */
    switch (kind) {
    case 0:
        DO(Barrier, comm);
        break;
    case 1:
        EITHER(Bcast, is_root ? from : to, units, type, root, comm);
        break;
    case 2:
        EITHER(Gather, in_place && is_root ? MPI_IN_PLACE : from, units, type, to, units, type,
               root, comm);
        break;
    case 3:
        DO(Gatherv, in_place && is_root ? MPI_IN_PLACE : from, inter ? 3 : 2 + own, type, to,
           is_root && !inter ? (int[MOST]){2, 3, 4, 5, 6, 7, 8, 9} : counts,
           (int[MOST]){0, 4, 9, 15, 22, 30, 39, 50}, type, root, comm);
        break;
    case 4:
        EITHER(Scatter, from, units, type, in_place && is_root ? MPI_IN_PLACE : to, units, type,
               root, comm);
        break;
    case 5:
        DO(Scatterv, from, inter ? counts : (int[MOST]){2, 3, 4, 5, 6, 7, 8, 9},
           (int[MOST]){0, 4, 9, 15, 22, 30, 39, 50}, type, in_place && is_root ? MPI_IN_PLACE : to,
           inter ? 3 : 2 + own, type, root, comm);
        break;
    case 6:
        EITHER(Allgather, mine, units, type, to, units, type, comm);
        break;
    case 7:
        DO(Allgatherv, mine, inter ? 3 : 2 + own, type, to,
           inter ? counts : (int[MOST]){2, 3, 4, 5, 6, 7, 8, 9},
           (int[MOST]){0, 4, 9, 15, 22, 30, 39, 50}, type, comm);
        break;
    case 8:
        EITHER(Alltoall, mine, units, type, to, units, type, comm);
        break;
    case 9:
        DO(Alltoallv, from, own_counts, own_places, type, to, counts, places, type, comm);
        break;
    case 10:
        DO(Alltoallw, from, own_counts, own_bytes, list_of_types, to, counts, bytes, list_of_types,
           comm);
        break;
    case 11:
        EITHER(Reduce, in_place && is_root ? MPI_IN_PLACE : from, to, units, of_op, op, root, comm);
        break;
    case 12:
        EITHER(Allreduce, mine, to, draw(4) == 0 ? 1500 : units, of_op, op, comm);
        break;
    case 13:
        EITHER(Reduce_scatter_block, mine, to, units, of_op, op, comm);
        rest = custom ? 2 * units : units;
        break;
    case 14:
        if (inter)
            return;
        DO(Reduce_scatter, mine, to, uneven, of_op, op, comm);
        rest = custom ? 2 * uneven[own] : uneven[own];
        break;
    case 15:
        if (!inter)
            EITHER(Scan, mine, to, units, of_op, op, comm);
        break;
    case 16:
        if (!inter)
            EITHER(Exscan, mine, to, units, of_op, op, comm);
        if (own == 0)
            fill(); /* rank 0 gets no defined value */
        break;
    default:
        DO(Allreduce, from, to, units, MPI_FLOAT_INT, MPI_MINLOC, comm);
        fill(); /* its integers are no numbers */
    }
    for (int i = rest; in_place && i < LONG; ++i)
        to[i] = 0;
    say_buffer(to);
}

static void neighbours(MPI_Comm comm) {
    const int kind = draw(6), which = draw(TYPES), units = draw(12),
              topology = is_inter(comm) ? MPI_UNDEFINED : topology_of(comm);
    int n = 2, dims = 0;
    if (topology == MPI_UNDEFINED)
        return;
    if (topology == MPI_CART) {
        CHECK_MPI(MPI_Cartdim_get(comm, &dims));
        n = 2 * dims;
    }
    for (int i = 0, at = 0; i < n; ++i) {
        /* Data that goes one way in a dimension comes from the other one. */
        const int one = 1 + draw(4);
        own_counts[i] = counts[i] = topology == MPI_CART ? 3 : 2;
        (void)one;
        own_places[i] = places[i] = at;
        own_far[i] = far_places[i] = at * types[which].extent * (MPI_Aint)sizeof(int);
        list_of_types[i] = types[which].type;
        at += counts[i] + i % 2;
    }
    const MPI_Datatype type = types[which].type;
    switch (kind) {
    case 0:
        EITHER(Neighbor_allgather, from, units, type, to, units, type, comm);
        break;
    case 1:
        DO(Neighbor_allgatherv, from, counts[0], type, to, counts, places, type, comm);
        break;
    case 2:
    case 3:
        EITHER(Neighbor_alltoall, from, units, type, to, units * types[which].ints, MPI_INT, comm);
        break;
    case 4:
        DO(Neighbor_alltoallv, from, own_counts, own_places, type, to, counts, places, type, comm);
        break;
    default:
        DO(Neighbor_alltoallw, from, own_counts, own_far, list_of_types, to, counts, far_places,
           list_of_types, comm);
    }
    say_buffer(to);
}

/* --- Wrong calls ------------------------------------------------------------------------------ */

/* All ranks make the call, and none gets as far as sending. */
static void wrong(MPI_Comm comm) {
    const int kind = draw(27), n = members(comm), own = self(comm);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Message gone = MPI_MESSAGE_NULL;
    MPI_Datatype raw; /* not committed */
    if (is_inter(comm))
        return;
    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &raw));
    blank(&status);
    switch (kind) {
    case 0:
        DO(Send, from, -1, MPI_INT, own, 1, comm);
        break;
    case 1:
        DO(Send, from, 1, MPI_DATATYPE_NULL, own, 1, comm);
        break;
    case 2:
        DO(Ssend, from, 1, MPI_INT, n + 3, 1, comm);
        break;
    case 3:
        DO(Send, from, 1, MPI_INT, own, -7, comm);
        break;
    case 4:
        DO(Recv, to, -1, MPI_INT, own, 1, comm, &status);
        break;
    case 5:
        DO(Recv, to, 1, MPI_DATATYPE_NULL, own, 1, comm, &status);
        break;
    case 6:
        DO(Recv, to, 1, MPI_INT, n, 1, comm, &status);
        break;
    case 7:
        DO(Recv, to, 1, raw, own, 1, comm, &status);
        break;
    case 8:
        DO(Send, from, 1, MPI_INT, own, 1, MPI_COMM_NULL);
        break;
    case 9:
        DO(Recv, to, 1, MPI_INT, own, 1, MPI_COMM_NULL, &status);
        break;
    case 10:
        DO(Sendrecv, from, 1, MPI_INT, n, 1, to, 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, &status);
        break;
    case 11:
        DO(Sendrecv_replace, to, 1, MPI_DATATYPE_NULL, own, 1, own, 1, comm, &status);
        break;
    case 12:
        DO(Probe, n + 1, 1, comm, &status);
        break;
    case 13:
        DO(Mprobe, own, -9, comm, &gone, &status);
        break;
    case 14:
        DO(Bcast, to, -1, MPI_INT, 0, comm);
        break;
    case 15:
        DO(Bcast, to, 1, MPI_INT, n, comm);
        break;
    case 16:
        DO(Reduce, from, to, 1, MPI_INT, MPI_OP_NULL, 0, comm);
        break;
    case 17:
        DO(Allreduce, from, to, 1, MPI_DATATYPE_NULL, MPI_SUM, comm);
        break;
    case 18:
        DO(Allreduce, from, to, 1, MPI_INT, MPI_OP_NULL, comm);
        break;
    case 19:
        DO(Barrier, MPI_COMM_NULL);
        break;
    case 20:
        DO(Alltoall, from, -1, MPI_INT, to, -1, MPI_INT, comm);
        break;
    case 21:
        DO(Gather, from, 1, MPI_INT, to, 1, MPI_INT, -5, comm);
        break;
    case 22:
        DO(Comm_dup, MPI_COMM_NULL, &made);
        break;
    case 23:
        DO(Comm_split, comm, -7, 0, &made);
        break;
    case 24:
        DO(Isend, from, 1, MPI_INT, n, 1, comm, &request);
        break;
    case 25:
        DO(Wait, NULL, &status);
        break;
    default:
        DO(Scan, from, to, 2, MPI_INT, MPI_OP_NULL, comm); /* MPICH takes counts below 0 */
    }
    say_status(&status, MPI_INT, 1);
    say_buffer(to);
    CHECK_MPI(MPI_Type_free(&raw));
}

/* --- Files and windows ------------------------------------------------------------------------ */

static const char *folder_file;
static void files(MPI_Comm comm) {
    if (is_inter(comm) || comm != comms[0])
        return;
    MPI_File file = MPI_FILE_NULL;
    const int kind = draw(6), units = draw(30), own = self(comm);
    char name[4096];
    snprintf(name, sizeof name, "%s.data", folder_file);
    if (kind == 0) {
        DO(File_open, comm, "/does/not/exist", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
        say("  %d\n", file == MPI_FILE_NULL);
        return;
    }
    DO(File_open, comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    blank(&status);
    DO(File_set_view, file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    DO(File_write_at_all, file, 100 * own, from, units, MPI_INT, &status);
    say_status(&status, MPI_BYTE, 1);
    DO(File_sync, file);
    DO(Barrier, comm);
    blank(&status);
    if (kind == 1)
        DO(File_read_at, file, 100 * own, to, units, MPI_INT, &status);
    else if (kind == 2)
        DO(File_read_at_all, file, 100 * own, to, units / 2, types[1].type, &status);
    else if (kind == 3)
        DO(File_read, file, to, units, MPI_INT, &status);
    else if (kind == 4)
        DO(File_read_all, file, to, 1000 * size, MPI_BYTE, &status);
    else
        DO(File_read_at, file, 0, to, units, MPI_DATATYPE_NULL, &status);
    say_status(&status, MPI_BYTE, 1);
    if (kind < 3)
        say_buffer(to);
    CHECK_MPI(MPI_Barrier(comm));
    DO(File_set_size, file, 0);
    DO(File_close, &file);
}

static void windows(MPI_Comm comm) {
    if (is_inter(comm))
        return;
    MPI_Win window;
    int *memory = NULL;
    const int kind = draw(2), n = members(comm), shift = draw(840) % n;
    if (kind == 0)
        DO(Win_allocate, LONG * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory, &window);
    else
        DO(Win_allocate_shared, LONG * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory,
           &window);
    memcpy(memory, to, sizeof to);
    DO(Win_fence, 0, window);
    DO(Put, from, 30, MPI_INT, (self(comm) + shift) % n, 50, 30, MPI_INT, window);
    DO(Win_fence, 0, window);
    say_buffer(memory);
    DO(Win_free, &window);
}

/* --- The steps -------------------------------------------------------------------------------- */

static void run(int steps) {
    for (step = 0; step < steps; ++step) {
        const uint64_t seed = next(&all_state);
        state = seed;
        const int kind = draw(20), place = draw(2) ? 0 : draw(COMMS);
        MPI_Comm comm = comms[place];
        fill();
        state = seed ^ (uint64_t)kind << 32;
        if (kind == 0) {
            make_communicator();
            continue;
        }
        if (comm == MPI_COMM_NULL)
            continue;
        handled = comm;
        if (kind <= 6) {
            message(comm);
            /* No later message meets a receive from any rank. */
            CHECK_MPI(MPI_Barrier(comm));
        } else if (kind == 7) {
            exchange(comm);
            CHECK_MPI(MPI_Barrier(comm));
        } else if (kind == 8)
            nobody(comm);
        else if (kind <= 10)
            several(comm);
        else if (kind <= 14)
            collective(comm);
        else if (kind <= 16)
            neighbours(comm);
        else if (kind <= 18)
            wrong(comm);
        else if (draw(2))
            files(comm);
        else
            windows(comm);
    }
}

int main(int argc, char **argv) {
    char name[4096];
    start_mpi(&argc, &argv);
    CHECK(argc == 5 && size <= MOST);
    folder_file = argv[1];
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    out = fopen(name, "w");
    CHECK(out != NULL);
    all_state = strtoull(argv[2], NULL, 10);
    make_types();
    CHECK_MPI(MPI_Op_create(compose, 0, &composed));
    CHECK_MPI(MPI_Type_contiguous(2, MPI_INT, &pair));
    CHECK_MPI(MPI_Type_commit(&pair));
    CHECK_MPI(MPI_Comm_create_errhandler(handle, &counting));
    const int buffer_size = 1 << 20;
    void *buffer = malloc(buffer_size);
    CHECK_MPI(MPI_Buffer_attach(buffer, buffer_size));
    for (int i = 0; i < COMMS; ++i)
        comms[i] = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]));
    state = all_state;
    choose_handler(comms[0], draw(2));
    choose_handler(MPI_COMM_WORLD, draw(2));
    const int steps = atoi(argv[3]),
              in_task = argv[4][0] == 't' || (argv[4][0] == 'm' && rank % 2 == 0);
#pragma omp parallel if (argv[4][0] != 'o')
#pragma omp single
#pragma omp task if (in_task)
    run(steps);
    for (int i = 0; i < COMMS; ++i)
        if (comms[i] != MPI_COMM_NULL)
            CHECK_MPI(MPI_Comm_free(&comms[i]));
    void *detached;
    int detached_size;
    CHECK_MPI(MPI_Buffer_detach(&detached, &detached_size));
    free(buffer);
    for (int i = 1; i < TYPES; ++i)
        CHECK_MPI(MPI_Type_free(&types[i].type));
    CHECK_MPI(MPI_Type_free(&pair));
    CHECK_MPI(MPI_Op_free(&composed));
    CHECK_MPI(MPI_Errhandler_free(&counting));
    fclose(out);
    return end_mpi();
}
