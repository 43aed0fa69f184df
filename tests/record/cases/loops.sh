# Programs without tasks: regions, loops and barriers by their places, and the whole run.
# shellcheck shell=bash disable=SC2154

# each: gcc clang clang--stock
case_regions_loops_and_barriers_are_reported_by_place() {
    local how=$1 region loop single
    program "loops-${how%--stock}"
    # shellcheck disable=SC2046
    run "$loomp" trace $([[ $how == *--stock ]] && echo --stock) -o places.trace -t 2 "$made/loops-${how%--stock}"
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report places.trace
    expect "nothing to complain of" [ ! -s "$scratch/err" ]
    expect "the run's time, with what is serial" \
        eval "awk '/^run / { run = \$2 } /^all / && !seen++ { serial = \$9 } END { exit !(run > 0.1 && serial > 0.1) }' '$scratch/out'"
    # gcc's debug information knows the lines of calls less exactly.
    case $how in gcc) region="[4-8]" loop="[789]" single="1[0-3]" ;; *) region=6 loop=8 single=11 ;; esac
    expect "the region" reports "^parallel loops.c:$region +10 +2 "
    expect "the loop" reports "^loop loops.c:$loop +10 +2 .*%\$"
    expect "the single, each time by one thread" reports "^single loops.c:$single +10 +1 "
    expect "the barrier" reports '^barrier loops.c:13 +10 +2 '
    expect "efficiencies" reports '^POP efficiencies'
    run "$loomp" view places.trace -o page.html
    expect "there is a page" [ "$status" -eq 0 ]
}

case_lint_finds_faults_of_programs_without_tasks() {
    needs_clang
    cat >faults.c <<'END'
static volatile double sink;
static void work(int n) {
    double x = 1;
    for (int i = 0; i < n; i++)
        x = x * 1.0000001 + 1e-9;
    sink = x;
}
int main(void) {
    work(10000000);
    for (int k = 0; k < 500; k++) {
#pragma omp parallel
        work(100);
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 100; i++)
        work(i < 50 ? 100 : 100000);
    return 0;
}
END
    by_clang faults.c -o faults
    run "$loomp" trace -o faults.trace -t 2 ./faults
    run "$loomp" lint faults.trace
    expect "nothing to complain of" [ ! -s "$scratch/err" ]
    expect "the run's time" reports '^run 0\.[0-9]+ s$'
    expect "serial code" reports '^ +[0-9.]+  the program: [0-9.]+ s outside parallel regions, where 1 more thread could work: '
    expect "regions too fine" reports '^ +[0-9.]+  parallel faults\.c:11: 500 executions on several threads, and each takes [0-9.]+ us'
    expect "unequal work" reports '^ +[0-9.]+  loop faults\.c:1[45]: in 1 execution, the thread with most work has '
    expect "nothing about tasks" eval '! reports "task"'
    expect "each place has a line" eval '! reports "0xOFFSET"'
}

case_a_run_without_tasks_is_cut_off() {
    printf '#include <unistd.h>\nint main(void) {\n#pragma omp parallel\n    ;\n#pragma omp parallel\n    _exit(0);\n}\n' >cut.c
    "$gcc" -O1 -fopenmp cut.c -o cut
    run "$loomp" trace -o cut.trace -t 2 ./cut
    run "$loomp" report cut.trace
    expect "it was cut off" reports '^the run was cut off: rank 0 was killed, or called _exit\(\); the last event is '
    expect "there are no tasks to speak of" eval '! reports unfinished'
}

case_places_without_lines_are_explained() {
    needs_clang
    cat >stripped.c <<'END'
static volatile double sink;
int main(void) {
    for (int k = 0; k < 100; k++) {
#pragma omp parallel sections
        {
            for (int i = 0; i < 100000; i++)
                sink = i;
#pragma omp section
            sink = 1;
        }
    }
    return 0;
}
END
    by_clang -g0 -s stripped.c -o stripped
    run "$loomp" trace -o stripped.trace -t 2 ./stripped
    local command
    for command in report lint; do
        run "$loomp" "$command" stripped.trace
        expect "$command: a place" reports 'stripped\+0x[0-9a-f]+'
        expect "$command: what to do" reports '^\(NAME\+0xOFFSET: no line is known there; compile with -g, or '
    done
    expect "sections have no schedule" reports 'sections stripped\+0x.*: equal sections, or more of them$'
}

case_loops_of_gcc_are_each_at_their_own_place() {
    local line
    cat >starts.c <<'END'
int main(void) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for schedule(guided)
        for (int i = 0; i < 1000; i++)
            sum += i;


#pragma omp for schedule(runtime) nowait
        for (unsigned long long i = 0; i < 1000; i++)
            sum += (int)i;


#pragma omp for schedule(static, 7) ordered
        for (int i = 0; i < 1000; i++) {
#pragma omp ordered
            sum += i;
        }
    }
    return sum != 3 * 499500;
}
END
    "$gcc" -O1 -g -fopenmp "${sanitize[@]}" starts.c -o starts
    run "$loomp" trace -o starts.trace -t 2 ./starts
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report starts.trace
    for line in "[4-7]" "(9|1[0-2])" "1[4-7]"; do
        expect "its own place ($line)" reports "^loop starts.c:$line +1 +2 "
    done
}

case_a_region_ends_for_all_when_it_ends() {
    recording loops-clang.trace
    expect "the time outside of regions" \
        eval "\"$loomp\" report '$made/loops-clang.trace' --threads | awk '/^rank 0 thread 1/ { exit !(\$12 > 0.09) }'"
}

case_regions_met_as_a_last_act_are_not_named_after_the_runtime() {
    cat >last_act.c <<'EOF'
int sum;
__attribute__((noinline)) static void last(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        sum++;
    }
}
int main(void) {
    last();
    return sum != 2;
}
EOF
    "$gcc" -O2 -g -fopenmp "${sanitize[@]}" last_act.c -o last_act
    run "$loomp" trace -o last_act.trace ./last_act
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report last_act.trace
    expect "a place in the program, or none" reports '^parallel (last_act\.c:[0-9]+|\(tail call\)) '
}

# The outlined functions jump into the runtime, which has called them.
# each: gcc clang
case_constructs_that_end_an_outlined_function_are_named_after_it() {
    cat >ends.c <<'EOF'
#include <omp.h>
#include <unistd.h>
int main(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
            usleep(100);
        }
    }
#pragma omp parallel num_threads(2)
    {
        usleep(100);
#pragma omp parallel num_threads(2)
        usleep(200);
    }
#pragma omp parallel num_threads(2)
    {
        usleep(100);
#pragma omp barrier
    }
    return 0;
}
EOF
    if [ "$1" = gcc ]; then
        "$gcc" -O2 -g -fopenmp "${sanitize[@]}" ends.c -o ends
    else
        needs_clang
        by_clang -O2 ends.c -o ends
    fi
    run "$loomp" trace -o ends.trace ./ends
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report ends.trace
    expect "the first nested region" reports '^parallel ends\.c:[789] +1 +2 '
    expect "the second nested region" reports '^parallel ends\.c:1[4-6] +2 +2 '
    expect "the barrier" reports '^barrier ends\.c:(1[89]|2[01]) +1 +2 '
    expect "and nothing else" eval "! reports 'tail call|barrier\.cpp|parallel\.cpp'"
}

case_a_region_inside_a_task_is_work() {
    cat >nested.c <<'EOF'
#include <unistd.h>
int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp single
#pragma omp task
    {
        usleep(10000);
#pragma omp parallel num_threads(1)
        usleep(50000);
        usleep(10000);
    }
    return 0;
}
EOF
    "$gcc" -g -fopenmp "${sanitize[@]}" nested.c -o nested
    run "$loomp" trace -o nested.trace ./nested
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report --json nested.trace
    expect "70 ms of work" eval "awk '/\"work_s\"/ { gsub(/[^0-9.]/, \"\", \$2); if (\$2 >= 0.07) found = 1 } END { exit !found }' '$scratch/out'"
}
