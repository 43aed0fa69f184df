// A task's clauses wait, or create tasks, while the task is created, as clang's programs do between
// its allocation and its submission; with graphs that loomp keeps by itself, and without.
//
// threads: 2
// env: LOOMP_PERSISTENT=auto
#include "check.h"

static int data[8];
static int created;

static void count(int more) {
#pragma omp atomic
    created += more;
}

static int *after_a_wait(int i) {
#pragma omp taskwait
    return data + i;
}

struct Creates {
    int value = 1;
    Creates() = default;
    Creates(const Creates &other) : value(other.value) {
#pragma omp task depend(inout : created)
        count(1);
    }
};

struct Waits {
    int value = 1;
    Waits() = default;
    Waits(const Waits &other) : value(other.value) {
#pragma omp taskwait
    }
};

static void with_a_depend_clause(int *sum) {
    for (int round = 0; round < 50; ++round) {
        for (int i = 0; i < 8; ++i) {
#pragma omp task depend(inout : data[i])
            ++data[i];
        }
#pragma omp task depend(inout : after_a_wait(0)[0]) firstprivate(sum)
        ++*sum;
    }
}

int main() {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    with_a_depend_clause(&sum);
    CHECK_EQ(sum, 50);
    CHECK_EQ(data[7], 50);

#pragma omp parallel
#pragma omp single
    {
        Creates object;
#pragma omp task firstprivate(object) depend(inout : created)
        count(object.value);
    }
    CHECK_EQ(created, 2);

    sum = 0;
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 50; ++round) {
        Waits object;
        for (int i = 0; i < 8; ++i) {
#pragma omp task depend(inout : data[i])
            ++data[i];
        }
#pragma omp task firstprivate(object) depend(inout : data[0]) shared(sum)
        sum += object.value;
    }
    CHECK_EQ(sum, 50);
    CHECK_EQ(data[7], 100);
    return 0;
}
