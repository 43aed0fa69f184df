# Processes that fork, and such as are killed.
# shellcheck shell=bash disable=SC2154

case_a_forked_child_with_tasks_has_a_trace_of_its_own() {
    program forks
    run "$loomp" trace --quiet -o forks.trace -t 2 "$made/forks"
    expect "said where it is" complains "has forked 1 that has run OpenMP, too: what it did is in $PWD/forks.trace.forked-"
    run "$loomp" report forks.trace
    expect "the parent's trace has its own tasks" reports 'ranks 1, threads 2, tasks 1,'
    run "$loomp" report forks.trace.forked-*
    expect "the child's has its own" reports 'ranks 1, threads 2, tasks 1,'
    expect "which is whole" [ ! -s "$scratch/err" ]
}

case_a_forked_childs_first_label_counts() {
    cat >labels_of_child.c <<'END'
#include <loomp/record.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int ran;
int main(void) {
    loomp_task_label("parent");
#pragma omp parallel num_threads(1)
#pragma omp task
    ran++;
    if (fork() == 0) {
        loomp_task_label("first");
#pragma omp task
        ran++;
        loomp_task_label("second");
#pragma omp task
        ran++;
#pragma omp taskwait
        exit(0);
    }
    wait(NULL);
    return 0;
}
END
    "$gcc" -O1 -fopenmp "${sanitize[@]}" -I"$include" labels_of_child.c -o labels_of_child
    run "$loomp" trace -o labels.trace -t 1 ./labels_of_child
    expect "it succeeds" [ "$status" -eq 0 ]
    run "$loomp" report labels.trace.forked-*
    expect "the first label" reports '^first +1 '
    expect "the second label" reports '^second +1 '
}

case_a_forked_child_without_tasks_is_not_mentioned() {
    program forks
    run "$loomp" trace -o forks2.trace -t 2 "$made/forks" quiet
    expect "not a word" silent
}

case_children_of_forked_children_have_traces_with_their_own_names() {
    local stock folder children grandchildren
    needs_clang
    "$clang" -x c -O1 -g -fopenmp -I"$include" -I"$dev/include" -L"$dev/lib" -o families - <<'END'
#include <loomp/record.h>
#include <sys/wait.h>
#include <unistd.h>
static void tasks(int count, const char *label) {
    loomp_region_begin(label);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
        loomp_task_label(label);
#pragma omp task
        usleep(1);
    }
    loomp_region_end(label);
}
int main(void) {
    tasks(10, "parent's");
    for (int child = 0; child < 2; child++)
        if (fork() == 0) {
            tasks(20, "child's");
            if (fork() == 0) {
                tasks(30, "grandchild's");
                _exit(0);
            }
            tasks(1, "parent's");
            wait(0);
            return 0;
        }
    tasks(10, "later");
    while (wait(0) > 0)
        ;
    return 0;
}
END
    for stock in "" --stock; do
        # shellcheck disable=SC2086
        run "$loomp" trace --quiet $stock -o "families.trace$stock" -t 2 ./families
        expect "$stock: the program's status" [ "$status" -eq 0 ]
        expect "$stock: a line" complains "has forked 2 others that have run OpenMP, too: what these did is in $PWD/families.trace$stock.forked-"
        expect "$stock: and that there is another folder" grep -q " and 1 more folders of such names$" "$scratch/err"
        run "$loomp" report "families.trace$stock"
        expect "$stock: the parent's tasks" eval "reports 'tasks 20,' && reports '^later +10 '"
        children=0 grandchildren=0
        for folder in "families.trace$stock.forked-"*; do
            run "$loomp" report "$folder"
            if reports 'tasks 21,' && reports "^child's +20 " && reports "^parent's +1 "; then children=$((children + 1)); fi
            if reports 'tasks 30,' && reports "^grandchild's +30 "; then grandchildren=$((grandchildren + 1)); fi
        done
        expect "$stock: children and theirs" [ "$children $grandchildren" = "2 2" ]
    done
}

# Its tasks take a millisecond each: the second thread has begun when it dies, even beside other work.
# each: KILL ABRT
case_what_a_killed_program_did_is_reported() {
    local signal
    signal=$(kill -l "$1")
    program clang
    run "$loomp" trace -o killed -t 2 "$made/clang" "$signal" 1000
    expect "its status" [ "$status" -eq $((128 + signal)) ]
    run "$loomp" report killed
    expect "what there was is reported" reports 'threads 2, tasks 401,'
    expect "with its kinds" reports "^graph.c:$(line_of stencil) +401 "
}
