/* Each rule of what orders tasks, with a race and without one: rules NAME|all ok|race. The programs
 * of a name differ in one clause or construct. */
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOMP_WEAK /* the other runtimes beside which these programs run do not have it */
#include <loomp/experimental.h>

static int race;
static int word, other[8];
static char bytes[256];
#pragma omp threadprivate(other)

static void write_word(void) { word += 1; }
/* The value is used: valgrind drops a load whose result is not. */
static void look_at(const char *byte) {
    volatile char seen = *byte;
    (void)seen;
}
static void read_word(void) { look_at((const char *)&word); }

/* --- Depend clauses */

static void dependence(void) {
#pragma omp task depend(out : word)
    write_word();
    if (race) {
#pragma omp task
        read_word();
    } else {
#pragma omp task depend(in : word)
        read_word();
    }
}
static void readers(void) {
#pragma omp task depend(out : word)
    write_word();
    for (int i = 0; i < 4; ++i)
#pragma omp task depend(in : word)
        read_word();
    if (race) {
#pragma omp task depend(in : word)
        write_word();
    } else {
#pragma omp task depend(inout : word)
        write_word();
    }
}
static void chain(void) { /* through a third task */
    static int a, b;
#pragma omp task depend(out : a)
    write_word();
#pragma omp task depend(in : a) depend(out : b)
    ;
    if (race) {
#pragma omp task depend(out : b) /* after the second task, but it does not need the first */
        ;
#pragma omp task depend(in : a)
        write_word();
#pragma omp task depend(in : a)
        write_word();
    } else {
#pragma omp task depend(in : b)
        write_word();
    }
}
static void exclusion(void) { /* excludes, and does not order */
    for (int i = 0; i < 2; ++i) {
        if (race) {
#pragma omp task
            write_word();
        } else {
#pragma omp task depend(mutexinoutset : word)
            write_word();
        }
    }
}
#if defined(__clang__) || __GNUC__ >= 13
static void set_of_writers(void) {
    for (int i = 0; i < 4; ++i)
#pragma omp task depend(inoutset : bytes) firstprivate(i)
        memset(bytes + (race ? 0 : 8 * i), i, 8);
#pragma omp task depend(in : bytes)
    look_at(bytes);
}
#endif
static void object(void) {
    omp_depend_t in, out;
#pragma omp depobj(in) depend(in : word)
#pragma omp depobj(out) depend(inout : word)
#pragma omp task depend(depobj : out)
    write_word();
    if (race) {
#pragma omp task
        read_word();
    } else {
#pragma omp task depend(depobj : in)
        read_word();
    }
#pragma omp depobj(in) destroy
#pragma omp depobj(out) destroy
#pragma omp taskwait
}
static void iterators(void) {
    for (int i = 0; i < 4; ++i)
#pragma omp task depend(out : bytes[i]) firstprivate(i)
        bytes[i] = 1;
    const int count = race ? 3 : 4;
#pragma omp task depend(iterator(int i = 0 : count), in : bytes[i])
    look_at(bytes + 3);
}
static void different_items(void) { /* clauses name addresses, not ranges */
#pragma omp task depend(out : bytes[0])
    memset(bytes, 1, 64);
    if (race) {
#pragma omp task depend(in : bytes[1])
        look_at(bytes + 1);
    } else {
#pragma omp task depend(in : bytes[0])
        look_at(bytes + 1);
    }
}
static void neighbours(void) { /* bytes beside each other are different memory */
    for (int i = 0; i < 8; ++i)
#pragma omp task firstprivate(i)
        bytes[race ? i / 2 : i] = 1;
}

#if defined(__clang__) || __GNUC__ >= 13
static void all_memory(void) {
#pragma omp task depend(inout : bytes[0])
    write_word();
    if (race) {
#pragma omp task depend(inout : bytes[1])
        write_word();
    } else {
#pragma omp task depend(inout : omp_all_memory)
        write_word();
    }
#pragma omp task depend(in : bytes[1], bytes[2])
    read_word();
}
#endif

/* --- Tasks whose children depend on their siblings */

static void next_task(unsigned flags) {
    if (loomp_next_task)
        loomp_next_task(flags);
}
static void transparent(void) {
    if (!race)
        next_task(LOOMP_TASK_TRANSPARENT);
#pragma omp task depend(inout : word)
    {
#pragma omp task depend(inout : word)
        write_word();
    }
#pragma omp task depend(in : word)
    read_word();
}
static void child_without_item(void) {
    next_task(LOOMP_TASK_TRANSPARENT);
#pragma omp task depend(inout : word, bytes[0])
    {
        if (race) {
#pragma omp task depend(inout : bytes[0])
            write_word();
        } else {
#pragma omp task depend(inout : word)
            write_word();
        }
    }
#pragma omp task depend(in : word)
    read_word();
}
static void weak(void) { /* it does not wait itself */
#pragma omp task depend(out : word)
    write_word();
    next_task(LOOMP_TASK_WEAK);
#pragma omp task depend(inout : word)
    {
        if (race)
            read_word();
#pragma omp task depend(inout : word)
        write_word();
    }
#pragma omp task depend(in : word)
    read_word();
}
static void weak_within_weak(void) {
#pragma omp task depend(out : word)
    write_word();
    next_task(LOOMP_TASK_WEAK);
#pragma omp task depend(inout : word, bytes[0])
    {
        if (!race)
            next_task(LOOMP_TASK_WEAK);
#pragma omp task depend(inout : word)
        {
#pragma omp task depend(inout : word)
            write_word();
        }
#pragma omp task depend(inout : bytes[0])
        ;
    }
#pragma omp task depend(in : word)
    read_word();
}

/* --- Persistent graphs */

static void graph(void) { /* an iteration ends when its tasks have */
    for (int i = 0; i < 3; ++i) {
        LOOMP_PERSISTENT(race ? LOOMP_PERSISTENT_NO_BARRIER : 0) {
#pragma omp task depend(inout : bytes[0])
            write_word();
        }
        read_word();
    }
}
static void graph_without_barrier(void) { /* iterations are ordered by the items */
    const char *read = race ? bytes : (const char *)&word;
    for (int i = 0; i < 3; ++i)
        LOOMP_PERSISTENT(LOOMP_PERSISTENT_NO_BARRIER) {
#pragma omp task depend(out : word)
            write_word();
#pragma omp task depend(in : *read)
            read_word();
        }
}

/* --- Waits */

static void wait_for_all(void) {
#pragma omp task
    write_word();
    if (!race) {
#pragma omp taskwait
    }
    read_word();
#pragma omp taskwait
}
static void wait_for_some(void) {
    static int a, b;
#pragma omp task depend(out : a)
    write_word();
#pragma omp task depend(out : b)
    ;
    if (race) {
#pragma omp taskwait depend(in : b)
    } else {
#pragma omp taskwait depend(in : a)
    }
    read_word();
#pragma omp taskwait
}
static void group(void) {
#pragma omp taskgroup
    {
#pragma omp task
        {
#pragma omp task
            write_word();
        }
        if (race)
            read_word();
    }
    read_word();
}
static void wait_for_children_only(void) {
#pragma omp task
    {
#pragma omp task
        write_word();
        if (!race) {
#pragma omp taskwait
        }
    }
#pragma omp taskwait
    read_word();
}
static void cousins(void) { /* clauses order siblings only */
    for (int i = 0; i < 2; ++i)
#pragma omp task depend(inout : bytes[0]) if (1)
    {
#pragma omp task depend(inout : word)
        write_word();
        if (!race) {
#pragma omp taskwait
        }
    }
}
static void undeferred(void) {
    if (race) {
#pragma omp task
        write_word();
    } else {
#pragma omp task if (0)
        write_word();
    }
    read_word();
#pragma omp taskwait
}
static void mergeable(void) {
#pragma omp task mergeable if (race)
    write_word();
    read_word();
}
static void included(void) {
#pragma omp task final(!race)
    {
#pragma omp task
        write_word();
        read_word();
#pragma omp taskwait
    }
}
static void detached(void) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : bytes[0])
    ;
#pragma omp task firstprivate(event)
    {
        if (!race)
            write_word();
        omp_fulfill_event(event);
        if (race)
            write_word();
    }
#pragma omp task depend(in : bytes[0])
    read_word();
}
static void loop_of_tasks(void) {
#pragma omp taskloop grainsize(2)
    for (int i = 0; i < 8; ++i)
        bytes[race ? 0 : i] = 1;
}
static void loop_without_group(void) {
    if (race) {
#pragma omp taskloop nogroup
        for (int i = 0; i < 8; ++i)
            bytes[i] = 1;
    } else {
#pragma omp taskloop
        for (int i = 0; i < 8; ++i)
            bytes[i] = 1;
    }
    look_at(bytes);
#pragma omp taskwait
}
static void reduction(void) {
    int sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 4; ++i) {
        if (race) {
#pragma omp task shared(sum)
            sum += i;
        } else {
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
    }
    word = sum;
}

/* --- Memory */

static void shared_variable(void) {
    int local = 0;
#pragma omp task shared(local)
    local = 1;
    if (!race) {
#pragma omp taskwait
    }
    local += 1;
#pragma omp taskwait
    word = local;
}
static void private_variables(void) { /* one after the other in the same memory */
    for (int i = 0; i < 16; ++i) {
        int mine = i;
        int *shared_one = race ? &word : &mine;
#pragma omp task firstprivate(mine, shared_one)
        {
            int frame[32];
            for (int k = 0; k < 32; ++k)
                frame[k] = mine + k;
            mine = frame[31];
            if (shared_one == &word)
                *shared_one = mine;
        }
    }
}
static void blocks(void) { /* the allocator gives one task's block to the next one */
    static char *kept;
    if (race)
        kept = malloc(64);
    for (int i = 0; i < 8; ++i)
#pragma omp task
    {
        char *block = race ? kept : malloc(64);
        memset(block, 1, 64);
        if (!race)
            free(block);
    }
#pragma omp taskwait
    if (race)
        free(kept);
}
static void variables_of_threads(void) {
    for (int i = 0; i < 4; ++i)
#pragma omp task
    {
        other[0] += 1;
        if (race)
            write_word();
    }
}
static void copies(void) {
    static char from[128];
    for (int i = 0; i < 2; ++i)
#pragma omp task firstprivate(i)
        memcpy(bytes + (race ? 0 : 128 * i), from, 128);
}
static void strings(void) { /* the C library reads vectors, beyond the end of a string */
    strcpy(bytes, "one");
    strcpy(bytes + 8, "two");
#pragma omp task
    bytes[64] = (char)strlen(bytes);
#pragma omp task
    strcpy(bytes + (race ? 0 : 8), "other");
}
static void jump_to_copy(void) { /* the last call of a task is a jump, if the compiler optimises */
    static char from[128];
    char *to = bytes + (race ? 0 : 128);
#pragma omp task
    memset(bytes, 1, 128);
#pragma omp task firstprivate(to)
    memcpy(to, from, sizeof from);
}
static void locked(void) {
    static omp_lock_t lock;
    omp_init_lock(&lock);
    for (int i = 0; i < 2; ++i)
#pragma omp task
    {
        if (!race)
            omp_set_lock(&lock);
        write_word();
        if (!race)
            omp_unset_lock(&lock);
    }
}
static void critical(void) {
    for (int i = 0; i < 2; ++i)
#pragma omp task
    {
        if (race)
            write_word();
        else {
#pragma omp critical
            write_word();
        }
    }
}
static void atomic(void) {
    for (int i = 0; i < 2; ++i)
#pragma omp task
    {
        if (race)
            write_word();
        else {
#pragma omp atomic
            word += 1;
        }
    }
}

static void
locked_after(void) { /* the access under the lock does not stand for the one before it */
    static omp_lock_t lock;
    static int first;
    omp_init_lock(&lock);
#pragma omp task depend(out : first)
    {
        if (race)
            write_word();
    }
#pragma omp task depend(inout : first)
    {
        omp_set_lock(&lock);
        write_word();
        omp_unset_lock(&lock);
    }
#pragma omp task
    {
        omp_set_lock(&lock);
        write_word();
        omp_unset_lock(&lock);
    }
}
static void atomic_after(void) {
    static int first;
#pragma omp task depend(out : first)
    {
        if (race)
            write_word();
    }
#pragma omp task depend(inout : first)
    {
#pragma omp atomic
        word += 1;
    }
#pragma omp task
    {
#pragma omp atomic
        word += 1;
    }
}
static void many_readers(void) { /* one of them lacks its item */
#pragma omp task
    {
        if (race)
            look_at((const char *)&word);
    }
    for (int i = 0; i < 100; ++i)
#pragma omp task depend(in : word)
        read_word();
#pragma omp task depend(inout : word)
    write_word();
}
static void locked_by_readers(void) {
    static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    for (int i = 0; i < 2; ++i)
#pragma omp task
    {
        if (race)
            pthread_rwlock_rdlock(&lock);
        else
            pthread_rwlock_wrlock(&lock);
        write_word();
        pthread_rwlock_unlock(&lock);
    }
}
static void locked_in_time(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct timespec late = {1L << 40, 0};
    for (int i = 0; i < 2; ++i)
#pragma omp task
    {
        if (!race)
            pthread_mutex_timedlock(&lock, &late);
        write_word();
        if (!race)
            pthread_mutex_unlock(&lock);
    }
}
static void variables_of_a_task(void) {
#pragma omp task
    {
        int mine[8] = {0};
        for (int i = 0; i < 8; ++i)
#pragma omp task shared(mine) firstprivate(i)
            mine[race ? i / 2 : i] = i;
#pragma omp taskwait
        for (int i = 0; i < 8; ++i)
            bytes[i] = (char)mine[i];
    }
}
static int number_of(int n) {
    int one, other;
    if (n < 2)
        return n;
#pragma omp task shared(one)
    one = number_of(n - 1);
#pragma omp task shared(other)
    other = number_of(n - 2);
    if (!race) {
#pragma omp taskwait
    }
    const int sum = one + other;
#pragma omp taskwait
    return sum;
}
static void recursion(void) { word = number_of(5); }
static void untied(void) { /* in parts, each of which begins on another stack */
    for (int i = 0; i < 4; ++i)
#pragma omp task untied firstprivate(i)
    {
        int frame[16];
        for (int k = 0; k < 16; ++k)
            frame[k] = i;
        for (int k = 0; k < 3; ++k) {
#pragma omp task untied
            {
                if (race)
                    write_word();
            }
#pragma omp taskyield
            frame[k]++;
        }
#pragma omp taskwait
        bytes[i] = (char)frame[1];
    }
}
static void league(void) {
#pragma omp teams num_teams(2) thread_limit(2)
    {
        if (race)
            word = omp_get_team_num();
        bytes[64 * omp_get_team_num()] = 1;
#pragma omp parallel num_threads(2)
        bytes[64 * omp_get_team_num() + omp_get_thread_num()] = 1;
        bytes[64 * omp_get_team_num() + 1] = 1;
    }
    bytes[0] = bytes[1] = bytes[64] = 3;
    read_word();
}
static void *use_region(void *offset) {
#pragma omp parallel num_threads(2)
    bytes[(size_t)offset + (size_t)omp_get_thread_num()] = 1;
    if (race)
        word = 1;
    return NULL;
}
static void doacross(void) {
    static int row[20];
#pragma omp parallel for num_threads(2) ordered(1) schedule(static, 1)
    for (int i = 1; i < 20; i++) {
#pragma omp ordered depend(sink : i - 1)
        if (!race)
            row[i] = row[i - 1] + 1;
#pragma omp ordered depend(source)
        if (race)
            row[i] = row[i - 1] + 1;
    }
    bytes[0] = (char)row[19];
}
static void threads(void) {
    pthread_t made[2];
    for (size_t i = 0; i < 2; ++i)
        pthread_create(&made[i], NULL, use_region, (void *)(8 * i));
    for (int i = 0; i < 2; ++i)
        pthread_join(made[i], NULL);
    bytes[0] = bytes[8] = 2;
#pragma omp parallel num_threads(2)
    bytes[omp_get_thread_num()] = 1;
}

static const struct {
    const char *name;
    void (*run)(void);
    bool alone; /* in no region */
} rules[] = {{"dependence", dependence},
             {"readers", readers},
             {"chain", chain},
             {"exclusion", exclusion},
#if defined(__clang__) || __GNUC__ >= 13
             {"set_of_writers", set_of_writers},
#endif
             {"object", object},
#if defined(__clang__) || __GNUC__ >= 13
             {"all_memory", all_memory},
#endif
             {"transparent", transparent},
             {"child_without_item", child_without_item},
             {"weak", weak},
             {"weak_within_weak", weak_within_weak},
             {"graph", graph},
             {"graph_without_barrier", graph_without_barrier},
             {"iterators", iterators},
             {"different_items", different_items},
             {"neighbours", neighbours},
             {"wait_for_all", wait_for_all},
             {"wait_for_some", wait_for_some},
             {"group", group},
             {"wait_for_children_only", wait_for_children_only},
             {"cousins", cousins},
             {"undeferred", undeferred},
             {"mergeable", mergeable},
             {"included", included},
             {"detached", detached},
             {"loop_of_tasks", loop_of_tasks},
             {"loop_without_group", loop_without_group},
             {"reduction", reduction},
             {"shared_variable", shared_variable},
             {"private_variables", private_variables},
             {"blocks", blocks},
             {"variables_of_threads", variables_of_threads},
             {"copies", copies},
             {"strings", strings},
             {"jump_to_copy", jump_to_copy},
             {"locked", locked},
             {"critical", critical},
             {"atomic", atomic},
             {"locked_after", locked_after},
             {"atomic_after", atomic_after},
             {"many_readers", many_readers},
             {"locked_by_readers", locked_by_readers},
             {"locked_in_time", locked_in_time},
             {"variables_of_a_task", variables_of_a_task},
             {"recursion", recursion},
             {"untied", untied},
             {"league", league, true},
             {"doacross", doacross, true},
             {"threads", threads, true}};

int main(int argc, char **argv) {
    if (argc != 3) {
        for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
            puts(rules[i].name);
        return 0;
    }
    int found = 0;
    race = strcmp(argv[2], "race") == 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
        if (strcmp(argv[1], "all") == 0 || strcmp(argv[1], rules[i].name) == 0) {
            ++found;
            if (rules[i].alone) {
                rules[i].run();
                continue;
            }
#pragma omp parallel
#pragma omp single
            rules[i].run();
        }
    return found > 0 ? 0 : 2;
}
