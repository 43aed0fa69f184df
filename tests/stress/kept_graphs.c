// Random programs with persistent graphs: regions of 1 to 4 threads, nested or not, whose tasks are
// created in `single`, `masked` or an explicit task; iterations that come back to a place, one
// within another, with undeferred tasks; tasks that are removed, and inserted with or without
// loomp_persistent_invalidate(). Each program runs in all forms: as sequential code, as plain
// tasks, and with each set of flags. All must have the results of the sequential code.
// Messages of the runtime are dropped. Runs forty seeds for each of LOOMP_STRESS_SECONDS.
// usage: kept_graphs [SEED [SEEDS]]; silent unless something is wrong.
// nights: 250
// env: OMP_MAX_ACTIVE_LEVELS=2 OMP_WAIT_POLICY=passive
#include <fcntl.h>
#include <stdint.h>
#include <string.h>

#include "../programs/check.h"
#define LOOMP_WEAK
#include "loomp/loomp.h"

enum { kLocations = 4, kPlaces = 3, kMostItems = 12, kPool = 600 };
enum { kSequential = -2, kPlain = -1 };

// --- The tasks -----------------------------------------------------------------------------------

enum construct { kWrites, kReadsAndWrites, kReads, kFree, kInserted, kNested };
struct item {
    enum construct construct;
    int id, undeferred, delay;
    int place; // kNested: the place of an iteration instead of a task
    long *a, *b;
};

static long location[kLocations];
static unsigned long sum; // of what tasks read: those of an `in` are unordered
static int form;

static unsigned long mix(unsigned long x, unsigned long y) {
    x = (x ^ y) * 0x9E3779B97F4A7C15ul;
    return x ^ (x >> 29);
}
static void add(unsigned long value) {
#pragma omp atomic
    sum += value;
}
static void body(const struct item *it) {
    const unsigned long id = (unsigned long)it->id;
    if (form != kSequential)
        for (volatile int i = 0; i < it->delay; i++)
            ;
    switch (it->construct) {
    case kWrites:
        *it->a = (long)mix((unsigned long)*it->a, id);
        break;
    case kReadsAndWrites:
        *it->b = (long)mix((unsigned long)*it->b + (unsigned long)*it->a, id);
        break;
    case kReads:
        add(mix((unsigned long)*it->a + 3 * (unsigned long)*it->b, id));
        break;
    case kFree:
        add(mix(1, id));
        break;
    case kInserted:
        *it->a = (long)mix((unsigned long)*it->a + (unsigned long)*it->b, id);
        *it->b = (long)mix((unsigned long)*it->b, id);
        break;
    case kNested:
        break;
    }
}

static void create(struct item *it) {
    long *const a = it->a, *const b = it->b;
    const int deferred = !it->undeferred;
    (void)a, (void)b;
    if (form == kSequential) {
        body(it);
        return;
    }
    switch (it->construct) {
    case kWrites:
#pragma omp task firstprivate(it) depend(inout : a[0]) if (deferred)
        body(it);
        break;
    case kReadsAndWrites:
#pragma omp task firstprivate(it) depend(in : a[0]) depend(inout : b[0]) if (deferred)
        body(it);
        break;
    case kReads:
#pragma omp task firstprivate(it) depend(in : a[0], b[0])
        body(it);
        break;
    case kFree:
#pragma omp task firstprivate(it) if (deferred)
        body(it);
        break;
    case kInserted:
#pragma omp task firstprivate(it) depend(inout : a[0], b[0])
        body(it);
        break;
    case kNested:
        break;
    }
}

// --- The program: its decisions come from the seed, in the same order in each form ---------------

static uint64_t state;
static int below(int n) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((state >> 33) % (unsigned)n);
}
static int one_in(int n) { return below(n) == 0; }

static struct item pool[kPool]; // items stay where they are: replayed tasks point to them
static int used;
static struct item *list[kPlaces][kMostItems];
static int count[kPlaces];
static char place_name[kPlaces]; // their addresses are the places

static struct item *draw(int place, int inserted) {
    CHECK(used < kPool);
    struct item *it = &pool[used++];
    *it = (struct item){.id = used,
                        .construct = inserted ? kInserted : (enum construct)below(kFree + 1),
                        .undeferred = one_in(5),
                        .delay = one_in(3) ? below(20000) : below(100),
                        .a = &location[below(kLocations)],
                        .b = &location[below(kLocations)]};
    if (!inserted && place == 0 && one_in(12)) {
        it->construct = kNested;
        it->place = 1 + below(kPlaces - 1);
    }
    return it;
}
static void insert(int place, int at, struct item *it) {
    memmove(&list[place][at + 1], &list[place][at],
            (size_t)(count[place] - at) * sizeof list[place][0]);
    list[place][at] = it;
    count[place]++;
}
static void erase(int place, int at) {
    count[place]--;
    memmove(&list[place][at], &list[place][at + 1],
            (size_t)(count[place] - at) * sizeof list[place][0]);
}
static void edit(int place) {
    for (int n = 1 + below(3); n > 0; n--)
        if (count[place] > 1 && one_in(2))
            erase(place, below(count[place]));
        else if (count[place] < kMostItems)
            insert(place, below(count[place] + 1), draw(place, 0));
}

static int replays(void) { return form >= 0 && (form & LOOMP_PERSISTENT_REPLAY) != 0; }
static void announce(int place) {
    if (form >= 0)
        loomp_persistent_invalidate(&place_name[place]);
}

// Creates the tasks of a place. Number `gone` has just been removed from the list.
static void create_all(int place, int gone) {
    for (int i = 0; i <= count[place]; i++) {
        if (i == gone && form >= 0)
            loomp_persistent_remove_next();
        if (i == count[place])
            break;
        struct item *it = list[place][i];
        if (it->construct != kNested)
            create(it);
        else if (form < 0)
            create_all(it->place, -1);
        else
            LOOMP_PERSISTENT_AT(&place_name[it->place], (unsigned)form)
        create_all(it->place, -1);
    }
}

static void iterate(void) {
    const int place = below(kPlaces);
    int gone = -1;
    if (one_in(6)) {
        announce(place);
        edit(place);
    }
    // A replayed iteration has no code that could do the rest, nor has one around it.
    const int at = below(count[place] + 1);
    if (one_in(4) && at < count[place] && list[place][at]->construct != kNested) {
        erase(place, at);
        gone = at;
    } else if (one_in(6) && count[place] < kMostItems &&
               (at == count[place] || list[place][at]->construct < kInserted)) {
        insert(place, at, draw(place, 1)); // of another construct, so it is noticed
        if (replays())
            announce(place);
    }
    if (replays() && gone >= 0) {
        announce(place);
        gone = -1;
    }
    if (form < 0) {
        create_all(place, gone);
        if (form == kPlain && one_in(2)) {
#pragma omp taskwait
        } else if (form == kSequential) {
            below(2);
        }
    } else {
        LOOMP_PERSISTENT_AT(&place_name[place], (unsigned)form)
        create_all(place, gone);
        below(2);
    }
}

enum producer { kSingleEach, kSingleAll, kMasked, kTask, kProducers };
static void member(enum producer producer, int iterations) {
    switch (producer) {
    case kSingleEach:
        for (int n = 0; n < iterations; n++) {
#pragma omp single
            iterate();
        }
        break;
    case kSingleAll:
#pragma omp single
        for (int n = 0; n < iterations; n++)
            iterate();
        break;
    case kMasked:
#pragma omp master
        for (int n = 0; n < iterations; n++)
            iterate();
        break;
    default:
#pragma omp single
    {
#pragma omp task firstprivate(iterations)
        {
            for (int n = 0; n < iterations; n++)
                iterate();
#pragma omp taskwait
        }
    }
    }
}

static void region(int threads, enum producer producer, int iterations) {
    if (form == kSequential) {
        for (int n = 0; n < iterations; n++)
            iterate();
        return;
    }
#pragma omp parallel num_threads(threads)
    member(producer, iterations);
}

static void program(uint64_t seed) {
    state = seed * 0x9E3779B97F4A7C15ull + 1;
    memset(location, 0, sizeof location);
    memset(count, 0, sizeof count);
    sum = 0;
    used = 0;
    for (int place = 0; place < kPlaces; place++)
        for (int n = 2 + below(6); n > 0; n--)
            insert(place, count[place], draw(place, 0));
    for (int regions = 2 + below(4); regions > 0; regions--) {
        const int threads = 1 + below(4), iterations = 1 + below(5), nested = one_in(4);
        const enum producer producer = (enum producer)below(kProducers);
        if (nested && form != kSequential) {
#pragma omp parallel num_threads(2)
#pragma omp master
            region(threads, producer, iterations);
        } else {
            region(threads, producer, iterations);
        }
    }
    // The next program begins anew. Its first tasks are others.
    for (int place = 0; place < kPlaces; place++)
        announce(place);
}

int main(int argc, char **argv) {
    const char *seconds = getenv("LOOMP_STRESS_SECONDS");
    const long seeds =
        argc > 2 ? atol(argv[2]) : 40 * (seconds == NULL ? 5 : strtol(seconds, NULL, 10));
    const long first = argc > 1 ? atol(argv[1]) : 1;
    fflush(stderr);
    dup2(open("/dev/null", O_WRONLY), 2);
    for (long seed = first; seed < first + seeds; seed++) {
        long expected[kLocations];
        unsigned long expected_sum = 0;
        for (form = kSequential; form < 8; form++) {
            program((uint64_t)seed);
            if (form == kSequential) {
                memcpy(expected, location, sizeof expected);
                expected_sum = sum;
            } else if (memcmp(expected, location, sizeof expected) != 0 || sum != expected_sum) {
                printf("kept_graphs: seed %ld has other results in form %d\n", seed, form);
                return 1;
            }
        }
    }
    return 0;
}
