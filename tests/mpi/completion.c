/* MPI_Wait, MPI_Test and their kin report the complete requests of a list, and their messages:
 * flags, indices, counts and statuses, for lists with receives, sends, persistent requests,
 * inactive and null ones. Outside regions, in an implicit task, in several explicit tasks at once;
 * before and after the program has installed an error handler. */
#include "check.h"

enum {
    MESSAGES = 12,
    LONGEST = 5,
    /* Entries before they are scattered over the list. */
    SEND = MESSAGES,
    INACTIVE = 2 * MESSAGES, /* persistent requests that nobody starts */
    CANCELLED = INACTIVE + 2,
    ENTRIES = 29, /* a prime number; one entry more than there are requests */
    PLACES = 4
};

typedef enum { TEST, TESTANY, TESTSOME, TESTALL, WAIT, WAITANY, WAITSOME, WAITALL, WAYS } Way;
static int waits(Way way) { return way >= WAIT; }

typedef enum {
    INERT,    /* null or not started */
    UNSENT,   /* its message is not under way */
    EXPECTED, /* its message is under way */
    COMPLETE
} State;

typedef struct {
    MPI_Comm comm;
    int round;
    int in[MESSAGES][LONGEST], out[MESSAGES][LONGEST], unused;
    MPI_Request requests[ENTRIES], before[ENTRIES];
    State states[ENTRIES];
} List;

/* Calls of MPI_Testsome and MPI_Waitsome that found more than one. */
static int several_tested, several_waited;

static int place_of(int entry) { return (11 * entry + 3) % ENTRIES; }
static int entry_at(int place) { return (8 * (place - 3 + ENTRIES)) % ENTRIES; }

/* Message m of rank r goes to rank r + m. */
static int target_of(int message) { return (rank + message) % size; }
static int source_of(int message) { return (rank + size - message % size) % size; }
static int tag_of(int message) { return 100 + (7 * message + 3) % MESSAGES; }
static int length_of(int message) { return 1 + message % LONGEST; }
static int value_of(const List *list, int source, int message, int i) {
    return 100000 * list->round + 10000 * source + 100 * message + i;
}
static int is_persistent(int entry) {
    return entry < SEND ? entry % 3 == 1 : entry < INACTIVE ? entry % 3 == 2 : entry < CANCELLED;
}
/* Others are sent by MPI_Send. */
static int send_is_listed(int message) { return message / 2 % 2 == 0; }

static int is_empty(const MPI_Status *status) {
    int count = -1, cancelled = -1;
    CHECK_MPI(MPI_Get_count(status, MPI_INT, &count));
    CHECK_MPI(MPI_Test_cancelled(status, &cancelled));
    return status->MPI_SOURCE == MPI_ANY_SOURCE && status->MPI_TAG == MPI_ANY_TAG && count == 0 &&
           cancelled == 0;
}

/* `status`: null if it was not asked for. */
static void check_complete(List *list, int place, const MPI_Status *status) {
    CHECK(place >= 0 && place < ENTRIES && list->states[place] == EXPECTED);
    list->states[place] = COMPLETE;
    const int entry = entry_at(place);
    CHECK(list->requests[place] == (is_persistent(entry) ? list->before[place] : MPI_REQUEST_NULL));
    int count = -1, cancelled = -1;
    if (status != NULL)
        CHECK_MPI(MPI_Test_cancelled(status, &cancelled));
    CHECK(status == NULL || cancelled == (entry == CANCELLED));
    if (entry >= SEND)
        return;
    for (int i = 0; i < LONGEST; ++i)
        CHECK(list->in[entry][i] ==
              (i < length_of(entry) ? value_of(list, source_of(entry), entry, i) : -1));
    if (status == NULL)
        return;
    CHECK_MPI(MPI_Get_count(status, MPI_INT, &count));
    CHECK(status->MPI_SOURCE == source_of(entry) && status->MPI_TAG == tag_of(entry));
    CHECK(count == length_of(entry));
}

/* Those that nothing was sent to are as they were. */
static void check_others(const List *list) {
    for (int place = 0; place < ENTRIES; ++place) {
        if (list->states[place] != COMPLETE)
            CHECK(list->requests[place] == list->before[place]);
        if (list->states[place] == UNSENT && entry_at(place) < SEND)
            CHECK(list->in[entry_at(place)][0] == -1);
    }
}

/* --- Calls for which nothing is complete, or nothing is active ------------------------------- */

static void check_nothing_complete(List *list) {
    int flag = -1, index = -1, found = -1, indices[ENTRIES];
    MPI_Status status, statuses[ENTRIES];
    for (int place = 0; place < ENTRIES; ++place) {
        if (list->states[place] != UNSENT)
            continue;
        flag = -1;
        CHECK_MPI(MPI_Test(&list->requests[place], &flag, &status));
        CHECK(flag == 0);
    }
    for (int wanted = 0; wanted < 2; ++wanted) {
        MPI_Status *const to = wanted ? statuses : MPI_STATUSES_IGNORE;
        flag = index = found = -1;
        CHECK_MPI(MPI_Testall(ENTRIES, list->requests, &flag, to));
        CHECK(flag == 0);
        flag = -1;
        CHECK_MPI(MPI_Testany(ENTRIES, list->requests, &index, &flag,
                              wanted ? &status : MPI_STATUS_IGNORE));
        CHECK(flag == 0 && index == MPI_UNDEFINED);
        CHECK_MPI(MPI_Testsome(ENTRIES, list->requests, &found, indices, to));
        CHECK(found == 0);
    }
    check_others(list);
}

static void check_nothing_active(int count, MPI_Request *requests) {
    int flag = -1, index = -1, found = -1, indices[ENTRIES];
    MPI_Status status, statuses[ENTRIES];
    CHECK_MPI(MPI_Testall(count, requests, &flag, statuses));
    CHECK(flag == 1);
    for (int i = 0; i < count; ++i)
        CHECK(is_empty(&statuses[i]));
    flag = -1;
    CHECK_MPI(MPI_Testany(count, requests, &index, &flag, &status));
    CHECK(flag == 1 && index == MPI_UNDEFINED);
#ifndef MPICH /* which leaves it alone where a request is persistent (4.0) */
    CHECK(is_empty(&status));
#endif
    CHECK_MPI(MPI_Testsome(count, requests, &found, indices, statuses));
    CHECK(found == MPI_UNDEFINED);
    for (int i = 0; i < count; ++i)
        statuses[i].MPI_SOURCE = statuses[i].MPI_TAG = 99;
    CHECK_MPI(MPI_Waitall(count, requests, statuses));
    for (int i = 0; i < count; ++i)
        CHECK(is_empty(&statuses[i]));
    index = -1;
    status.MPI_SOURCE = status.MPI_TAG = 99;
    CHECK_MPI(MPI_Waitany(count, requests, &index, &status));
    CHECK(index == MPI_UNDEFINED);
    CHECK(is_empty(&status));
    found = -1;
    CHECK_MPI(MPI_Waitsome(count, requests, &found, indices, statuses));
    CHECK(found == MPI_UNDEFINED);
    for (int i = 0; i < count; ++i) {
        status.MPI_SOURCE = status.MPI_TAG = 99;
        flag = -1;
        CHECK_MPI(MPI_Test(&requests[i], &flag, &status));
        CHECK(flag == 1);
        CHECK(is_empty(&status));
        status.MPI_SOURCE = status.MPI_TAG = 99;
        CHECK_MPI(MPI_Wait(&requests[i], &status));
        CHECK(is_empty(&status));
    }
}

/* --- Each way to complete those that messages are under way to ------------------------------- */

static int are_expected(const List *list) {
    for (int place = 0; place < ENTRIES; ++place)
        if (list->states[place] == EXPECTED)
            return 1;
    return 0;
}

static void one_by_one(List *list, Way way, int wanted) {
    MPI_Status status;
    for (int place = 0; place < ENTRIES; ++place) {
        const State state = list->states[place];
        int flag = 1;
        if (way == WAIT && state == UNSENT)
            continue;
        if (way == WAIT)
            CHECK_MPI(MPI_Wait(&list->requests[place], wanted ? &status : MPI_STATUS_IGNORE));
        else
            CHECK_MPI(
                MPI_Test(&list->requests[place], &flag, wanted ? &status : MPI_STATUS_IGNORE));
        CHECK(flag == 0 || flag == 1);
        CHECK(state == EXPECTED || flag == (state != UNSENT));
        if (flag && state == EXPECTED)
            check_complete(list, place, wanted ? &status : NULL);
        else if (flag && wanted)
            CHECK(is_empty(&status));
    }
}

static void any_of_them(List *list, Way way, int wanted) {
    int flag = 1, index = -1;
    MPI_Status status;
    if (way == WAITANY)
        CHECK_MPI(
            MPI_Waitany(ENTRIES, list->requests, &index, wanted ? &status : MPI_STATUS_IGNORE));
    else
        CHECK_MPI(MPI_Testany(ENTRIES, list->requests, &index, &flag,
                              wanted ? &status : MPI_STATUS_IGNORE));
    if (flag)
        check_complete(list, index, wanted ? &status : NULL);
    else
        CHECK(index == MPI_UNDEFINED);
}

static void some_of_them(List *list, Way way, int wanted) {
    int found = -1, indices[ENTRIES];
    MPI_Status statuses[ENTRIES];
    MPI_Status *const to = wanted ? statuses : MPI_STATUSES_IGNORE;
    if (way == WAITSOME)
        CHECK_MPI(MPI_Waitsome(ENTRIES, list->requests, &found, indices, to));
    else
        CHECK_MPI(MPI_Testsome(ENTRIES, list->requests, &found, indices, to));
    CHECK(found >= (way == WAITSOME) && found <= ENTRIES);
    for (int i = 0; i < found; ++i)
        check_complete(list, indices[i], wanted ? &statuses[i] : NULL);
    if (found > 1) {
#pragma omp atomic
        *(way == WAITSOME ? &several_waited : &several_tested) += 1;
    }
}

/* Leaves out those that nothing is sent to. */
static void all_of_them(List *list, Way way, int wanted) {
    int count = 0, flag = 1, places[ENTRIES];
    MPI_Request requests[ENTRIES];
    MPI_Status statuses[ENTRIES];
    MPI_Status *const to = wanted ? statuses : MPI_STATUSES_IGNORE;
    for (int place = 0; place < ENTRIES; ++place)
        if (list->states[place] != UNSENT) {
            places[count] = place;
            requests[count++] = list->requests[place];
        }
    if (way == WAITALL)
        CHECK_MPI(MPI_Waitall(count, requests, to));
    else
        CHECK_MPI(MPI_Testall(count, requests, &flag, to));
    CHECK(flag == 0 || flag == 1);
    for (int i = 0; i < count; ++i) {
        const int place = places[i];
        if (!flag)
            CHECK(requests[i] == list->requests[place]);
        list->requests[place] = requests[i];
        if (flag && list->states[place] == EXPECTED)
            check_complete(list, place, wanted ? &statuses[i] : NULL);
        else if (flag && wanted && list->states[place] == INERT)
            CHECK(is_empty(&statuses[i]));
    }
}

static void complete_expected(List *list, Way way, int wanted) {
    while (are_expected(list)) {
        switch (way) {
        case TEST:
        case WAIT:
            one_by_one(list, way, wanted);
            break;
        case TESTANY:
        case WAITANY:
            any_of_them(list, way, wanted);
            break;
        case TESTSOME:
        case WAITSOME:
            some_of_them(list, way, wanted);
            break;
        default:
            all_of_them(list, way, wanted);
        }
        if (!waits(way)) {
#pragma omp taskyield
        }
    }
    check_others(list);
    /* They are what is meant by inactive from now on. */
    for (int place = 0; place < ENTRIES; ++place)
        if (list->states[place] == COMPLETE) {
            list->states[place] = INERT;
            list->before[place] = list->requests[place];
        }
}

/* --- A round --------------------------------------------------------------------------------- */

static void fill(List *list, int message) {
    for (int i = 0; i < LONGEST; ++i)
        list->out[message][i] = value_of(list, rank, message, i);
}

/* The persistent requests; the others are null. */
static void make_list(List *list) {
    for (int entry = 0; entry < ENTRIES; ++entry) {
        MPI_Request *const request = &list->requests[place_of(entry)];
        const int message = entry % MESSAGES;
        *request = MPI_REQUEST_NULL;
        if (!is_persistent(entry))
            continue;
        if (entry < SEND)
            CHECK_MPI(MPI_Recv_init(list->in[message], LONGEST, MPI_INT, source_of(message),
                                    tag_of(message), list->comm, request));
        else if (entry < INACTIVE || entry % 2)
            CHECK_MPI(MPI_Send_init(list->out[message], length_of(message), MPI_INT,
                                    target_of(message), tag_of(message), list->comm, request));
        else
            CHECK_MPI(MPI_Recv_init(&list->unused, 1, MPI_INT, rank, 99, list->comm, request));
    }
    for (int place = 0; place < ENTRIES; ++place) {
        list->before[place] = list->requests[place];
        list->states[place] = INERT;
    }
}

static void start_receives(List *list) {
    for (int message = 0; message < MESSAGES; ++message) {
        const int place = place_of(message);
        for (int i = 0; i < LONGEST; ++i)
            list->in[message][i] = -1;
        if (is_persistent(message))
            CHECK_MPI(MPI_Start(&list->requests[place]));
        else
            CHECK_MPI(MPI_Irecv(list->in[message], LONGEST, MPI_INT, source_of(message),
                                tag_of(message), list->comm, &list->requests[place]));
        list->states[place] = UNSENT;
    }
    const int place = place_of(CANCELLED);
    CHECK_MPI(MPI_Irecv(&list->unused, 1, MPI_INT, MPI_ANY_SOURCE, 98, list->comm,
                        &list->requests[place]));
    list->states[place] = UNSENT;
    for (int i = 0; i < ENTRIES; ++i)
        list->before[i] = list->requests[i];
}

/* Starts the sends by requests in the list: the messages with an even or odd number. */
static void start_sends(List *list, int odd) {
    for (int message = odd; message < MESSAGES; message += 2) {
        list->states[place_of(message)] = EXPECTED;
        if (!send_is_listed(message))
            continue;
        const int place = place_of(SEND + message);
        fill(list, message);
        if (is_persistent(SEND + message))
            CHECK_MPI(MPI_Start(&list->requests[place]));
        else
            CHECK_MPI(MPI_Isend(list->out[message], length_of(message), MPI_INT, target_of(message),
                                tag_of(message), list->comm, &list->requests[place]));
        list->before[place] = list->requests[place];
        list->states[place] = EXPECTED;
    }
    if (odd) {
        CHECK_MPI(MPI_Cancel(&list->requests[place_of(CANCELLED)]));
        list->states[place_of(CANCELLED)] = EXPECTED;
    }
}

static void send_others(List *list, int odd) {
    for (int message = odd; message < MESSAGES; message += 2)
        if (!send_is_listed(message)) {
            fill(list, message);
            CHECK_MPI(MPI_Send(list->out[message], length_of(message), MPI_INT, target_of(message),
                               tag_of(message), list->comm));
        }
}

/* Half of the messages. No rank sends before all ranks have been here; `late`: a later task sends,
 * so that calls that wait find their messages missing. Otherwise all is there beforehand, which
 * calls that do not wait may need. */
static void complete_half(List *list, int odd, Way way, int wanted, int late) {
    check_nothing_complete(list);
    CHECK_MPI(MPI_Barrier(list->comm));
    start_sends(list, odd);
    if (late) {
#pragma omp task firstprivate(list, odd)
        send_others(list, odd);
    } else {
        send_others(list, odd);
        CHECK_MPI(MPI_Barrier(list->comm));
    }
    complete_expected(list, way, wanted);
#pragma omp taskwait
}

static void all_ways(MPI_Comm comm) {
    List list = {.comm = comm};
    make_list(&list);
    for (int round = 0; round < 2 * WAYS; ++round) {
        const Way first = (Way)(round % WAYS), second = (Way)((3 * round + 5) % WAYS);
        list.round = round;
        check_nothing_active(ENTRIES, list.requests);
        start_receives(&list);
        complete_half(&list, 0, first, round < WAYS, waits(first) && round / 2 % 2);
        complete_half(&list, 1, second, round >= WAYS, waits(second) && round / 2 % 2);
    }
    check_nothing_active(ENTRIES, list.requests);
    check_nothing_active(0, list.requests);
    for (int entry = 0; entry < ENTRIES; ++entry)
        if (is_persistent(entry))
            CHECK_MPI(MPI_Request_free(&list.requests[place_of(entry)]));
}

/* --- In each kind of place ------------------------------------------------------------------- */

static void everywhere(MPI_Comm *comms) {
    all_ways(comms[0]);
#pragma omp parallel
    {
#pragma omp masked
        all_ways(comms[0]);
    }
    several_tested = several_waited = 0;
#pragma omp parallel
#pragma omp single
    for (int place = 0; place < PLACES; ++place)
#pragma omp task firstprivate(place)
        all_ways(comms[place]);
    /* Otherwise their order says nothing. */
    CHECK(several_tested > 0 && several_waited > 0);
}

int main(int argc, char **argv) {
    start_mpi(&argc, &argv);
    MPI_Comm comms[PLACES], careful;
    for (int place = 0; place < PLACES; ++place)
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comms[place]));
    for (int left = repetitions(); left > 0; --left)
        everywhere(comms);
    /* Each request is tested alone from now on. */
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &careful));
    CHECK_MPI(MPI_Comm_set_errhandler(careful, MPI_ERRORS_RETURN));
    for (int left = repetitions(); left > 0; --left)
        everywhere(comms);
    CHECK_MPI(MPI_Comm_free(&careful));
    for (int place = 0; place < PLACES; ++place)
        CHECK_MPI(MPI_Comm_free(&comms[place]));
    return end_mpi();
}
