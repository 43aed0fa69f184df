# Tasks with dependences: their records, and the output of report, compare, simulate and lint.
# shellcheck shell=bash disable=SC2154

# each: gcc clang
case_all_tasks_are_recorded_on_loomp() {
    local compiler=$1
    program "$compiler"
    run "$loomp" trace -o whole -t 2 "$made/$compiler"
    expect "the program's status" [ "$status" -eq 0 ]
    expect "silent" silent
    run "$loomp" report whole
    expect "report succeeds" [ "$status" -eq 0 ]
    expect "nothing to complain of" [ ! -s "$scratch/err" ]
    says_it_all "$compiler" 2
}

case_all_tasks_are_recorded_on_libomp() {
    program clang
    run "$loomp" trace --stock -o whole.stock -t 2 "$made/clang"
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report whole.stock
    says_it_all "on libomp" 2
}

case_libgomp_has_no_tools_and_is_named() {
    program gcc
    run "$loomp" trace --stock -o libgomp "$made/gcc"
    expect "libgomp is named" grep -q "libgomp" "$scratch/err"
}

case_a_part_of_the_time_is_reported() {
    recording clang.trace
    run "$loomp" report "$made/clang.trace" --from 0 --to 0.001
    expect "report of a part of the time" reports '^all +0.002000 '
    expect "without what is of the whole graph" eval '! reports "^average parallelism"'
    run "$loomp" report "$made/clang.trace" --from 2 --to 1
    expect "report of no time at all" complains "is between --from 2"
}

case_the_time_of_the_run_is_beside_the_makespan() {
    recording gcc.trace
    run "$loomp" report "$made/gcc.trace"
    expect "the run's time, and what is outside the makespan" \
        reports '^run [0-9.]+ s: [0-9.]+ s before the first task, [0-9.]+ s after the last$'
}

# Figures that add up to the difference of the makespans, in nanoseconds.
case_two_runs_are_compared() {
    recording stock clang.trace one
    run "$loomp" compare "$made/stock" "$made/clang.trace"
    expect "succeeds" [ "$status" -eq 0 ]
    expect "nothing to complain of" [ ! -s "$scratch/err" ]
    # shellcheck disable=SC2016
    expect "the differences add up" awk -v threads=2 '
        $1 == "work" || $1 == "overhead" || $1 == "idle" { sum += $4; shares += $5; parts++ }
        /^  / { inner += $(NF - 1) }
        /^threads x makespan/ { all = $6; of_makespan = $7; inside = inner }
        $1 == "makespan" { makespan = $4 }
        function differ(a, b, by) { return a - b > by || b - a > by }
        END { exit parts != 3 || differ(sum, all, 2e-9) || differ(inside, all, 2e-9) ||
                   differ(all, threads * makespan, 2e-9) || differ(shares, of_makespan, 3e-6) }' "$scratch/out"
    expect "finds all tasks again" reports '^all +801 '
    expect "by kind" reports "^  graph.c:$(line_of stencil) +800 "
    expect "a sentence at the end" reports '^B .* A.*; what differs most: '
    run "$loomp" compare "$made/one" "$made/clang.trace"
    expect "other numbers of threads" reports "^A's time on 2 threads, not 1 "
    run "$loomp" compare "$made/one" nowhere
    expect "names a missing trace" complains "nowhere"
}

case_runs_of_two_programs_are_compared_with_a_warning() {
    recording gcc.trace twice.trace
    run "$loomp" compare "$made/gcc.trace" "$made/twice.trace"
    expect "a warning" complains "not runs of one program"
}

case_a_recorded_run_is_simulated() {
    local how
    recording clang.trace alone busy
    for how in "-t 1" "-t 1 --create-ahead" "-t 16 --scheduler critical-path" "--scheduler lifo --task-overhead 5"; do
        # shellcheck disable=SC2086
        run "$loomp" simulate "$made/clang.trace" $how
        expect "$how: succeeds" [ "$status" -eq 0 ]
        expect "$how: says how long it takes" reports '^makespan, simulated +[0-9.]+ s$'
        expect "$how: all tasks end" eval '! reports "never end"'
    done
    run "$loomp" simulate "$made/alone" -t 2 --inflation-from "$made/busy"
    expect "with inflation: succeeds" [ "$status" -eq 0 ]
    expect "with inflation: how many threads are busy" reports '^busy threads a host +1\.[0-9]+, recorded '
    run "$loomp" simulate "$made/busy" --code-from "$made/alone"
    expect "code as in another run" reports '^code, of recorded +[0-9.]+, in all$'
    run "$loomp" simulate "$made/alone" --ranks 2x2 --scaling weak
    expect "a grid of ranks" reports '^grid of ranks +2 x 2, from 1$'
    run "$loomp" simulate "$made/alone" --inflation-from "$made/alone"
    expect "inflation needs another number of threads" complains "tells nothing of inflation"
    run "$loomp" simulate "$made/clang.trace" --scheduler magic
    expect "names the schedulers" complains "critical-path"
}

case_lint_finds_locations_named_twice_and_nothing_false() {
    recording clang.trace twice.trace
    run "$loomp" lint "$made/clang.trace" --all
    expect "succeeds" [ "$status" -eq 0 ]
    # None of the stencil's dependences follows from others but those of its last task.
    # shellcheck disable=SC2016
    expect "nothing that is not so" eval '! reports "a second time|(stencil|$(line_of stencil)): .* follow from others"'
    run "$loomp" lint "$made/twice.trace" --all
    expect "locations named twice, and where" reports 'twice.c:6: 100 items of depend clauses name a location a second time'
}

case_readers_of_otf2_read_the_archive() {
    local folder
    needs otf2-print
    needs_otf2_of_python
    recording clang.trace stock
    run otf2-print "$made/clang.trace/traces.otf2"
    expect "otf2-print reads it" [ "$status" -eq 0 ]
    expect "and finds the tasks" [ "$(grep -c '^THREAD_TASK_CREATE' "$scratch/out")" -eq 801 ]
    for folder in clang.trace stock; do
        otf2-print "$made/$folder/traces.otf2" >events
        expect "$folder: the wait for the tasks" [ "$(grep -c '^ENTER .*"taskwait graph.c:' events)" -eq 1 ]
        expect "$folder: each thread's barriers" \
            [ "$(grep -cE '^ENTER .*"implicit barrier( graph.c:[0-9]+)?"' events)" -eq 4 ]
    done
    run /usr/bin/python3 -c '
import otf2, collections, sys
count = collections.Counter()
with otf2.reader.open(sys.argv[1]) as trace:
    for location, event in trace.events:
        count[type(event).__name__] += 1
print(count["ThreadTaskCreate"], count["Enter"] == count["Leave"])' "$made/clang.trace/traces.otf2"
    expect "the otf2 package of Python reads it" [ "$out" = "801 True" ]
}

# A kind is named by the place in the file, which is the same in all runs.
case_kinds_of_a_stripped_program_have_a_place() {
    local run
    "$gcc" -O1 -fopenmp "${sanitize[@]}" -s -fPIE -pie "$here/graph.c" -o stripped
    for run in first second; do
        run "$loomp" trace -o "$run.stripped" -t 2 ./stripped
        run "$loomp" report "$run.stripped"
        expect "the $run run: kinds by place in the file" reports '^stripped\+0x[0-9a-f]+ +800 '
        expect "the $run run: how to have lines of the source" [ "$(grep -c '^  (trace it with debug information' "$scratch/out")" -eq 1 ]
    done
    run "$loomp" compare first.stripped second.stripped
    expect "kinds of two runs are the same" reports '^all +801 '
    expect "kind by kind" reports '^  stripped\+0x[0-9a-f]+ +800 '
}

case_kinds_of_cpp_without_debug_information_have_whole_names() {
    cat >lambda.cpp <<'END'
namespace { void hidden(int &x) {
#pragma omp task shared(x)
    ++x;
} }
int main() {
    int n = 0;
    auto work = [&](int i, auto f) {
#pragma omp task shared(n) firstprivate(i)
        f(n += i);
    };
#pragma omp parallel
#pragma omp single
    {
        work(1, [](int) {});
        hidden(n);
    }
}
END
    "$gxx" -O0 -fopenmp "${sanitize[@]}" lambda.cpp -o lambda
    run "$loomp" trace -o lambda.trace -t 2 ./lambda
    run "$loomp" report lambda.trace
    expect "a lambda's whole name" reports '^main::\{lambda\(.*\)#1\}::operator\(\)(<.*>)?\+0x[0-9a-f]+ +1 '
    expect "of a namespace without name" reports '^hidden\+0x[0-9a-f]+ +1 '
}

# LOOMP_STATS says how much is kept: recording changes nothing of it.
case_iterations_are_kept_whether_recorded_or_not() {
    local alone
    kept() { grep -E '^  (persistent iterations|  replayed|graphs left) ' "$scratch/err"; }
    program iterations
    export LOOMP_STATS=1 LOOMP_PERSISTENT=auto
    run "$loomp" run -t 2 "$made/iterations"
    alone=$(kept)
    expect "alone, all that can be are kept" grep -qE '^  persistent iterations +74 ' "$scratch/err"
    expect "alone, half of them are replayed" grep -qE '^    replayed +38 ' "$scratch/err"
    run "$loomp" trace -o iterations.trace -t 2 "$made/iterations"
    expect "recorded, the same are" [ "$(kept)" = "$alone" ]
    unset LOOMP_STATS LOOMP_PERSISTENT
    run "$loomp" report iterations.trace
    expect "all tasks are recorded" reports 'threads 2, tasks 2400, '
    expect "under the name of their construct" reports '^iterations\.c:[0-9]+ +2400 '
}

# The figures by hand: the naps are 4 x 20 ms + 4 x 10 ms + 2 x 10 ms that exclude each other, and 2 x 10 ms that do not.
# That is 160 ms on one thread, and 150 ms on more. With two, the other thread waits 60 ms, 30 ms and 10 ms.
# each: loomp stock
case_tasks_exclude_each_other_by_critical_sections_and_locks() {
    local stock='' threads slept
    [ "$1" = loomp ] || stock=--stock
    program mutexes
    # shellcheck disable=SC2086
    run "$loomp" trace $stock -o mutexes.trace -t 2 "$made/mutexes"
    slept=$out
    run "$loomp" report mutexes.trace --json
    expect "work is what the naps take, and waiting for mutexes is apart" python3 - "$scratch/out" "$slept" <<'END'
import json, sys
whole = json.load(open(sys.argv[1]))["run"][0]
slept = float(sys.argv[2])
assert slept <= whole["tasks_s"] < slept + 0.05, (slept, whole)
assert whole["waiting_s"] > 0.02, whole
END
    expect "a wait for a critical section has its name" grep -aq "wait for critical" mutexes.trace/traces.def
    expect "and one for a lock" grep -aq "wait for lock" mutexes.trace/traces.def
    # shellcheck disable=SC2086
    run "$loomp" trace $stock -o ordered.trace -t 2 "$made/mutexes" ordered
    expect "and one for an ordered region" grep -aq "wait for ordered" ordered.trace/traces.def
    for threads in 1 2 4; do
        run "$loomp" simulate mutexes.trace -t "$threads" --task-overhead 0
        # shellcheck disable=SC2016
        expect "simulated on $threads threads" awk -v "least=$([ "$threads" = 1 ] && echo 0.16 || echo 0.15)" \
            '/^makespan, simulated/ { makespan = $3 }
             /^all / { exact = least <= makespan && makespan <= 1.01 * ($2 + $3) } END { exit !exact }' "$scratch/out"
    done
}

# gcc gives a call of the runtime the line of the code before it, which is a function's here, or another task's.
case_tasks_of_gcc_have_the_lines_of_their_constructs() {
    local level line expected
    cat >lines.c <<'END'
static volatile int x;
static inline void set(int value) { x = value; }
int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task
        set(1);
#pragma omp task
        {
            set(2);
#pragma omp task
            set(3);
        }
#pragma omp taskloop num_tasks(1)
        for (int j = 0; j < 2; j++)
            set(j);
    }
    return 0;
}
END
    for level in -O0 -O2; do
        "$gcc" "$level" -g -fopenmp "${sanitize[@]}" lines.c -o lines
        run "$loomp" trace -o "lines$level" ./lines
        expect "$level: the program's status" succeeded
        run "$loomp" report "lines$level"
        for line in 7 9 12 15; do
            expected="^lines\\.c:$line +2 "
            expect "$level: two tasks of line $line" reports "$expected"
        done
    done
}
