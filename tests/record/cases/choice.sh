# Choices of a recording: details, only its end, and processors' counters.
# shellcheck shell=bash disable=SC2154

case_detail_chooses_what_is_recorded() {
    program clang
    run "$loomp" trace --detail tasks -o bare -t 2 "$made/clang"
    run "$loomp" report bare
    expect "tasks: no dependences" reports 'tasks 801, dependences 0,'
    run "$loomp" trace --detail calls,dependences -o some -t 2 "$made/clang"
    run "$loomp" report some
    expect "with dependences: all of them" reports "dependences $dependences,"
}

# each: whole KILL ABRT
case_a_ring_keeps_the_last_tasks_of_a_run_and_of_a_killed_one() {
    local signal='' stock
    [ "$1" = whole ] || signal=$(kill -l "$1")
    program rings
    for stock in "" --stock; do
        # shellcheck disable=SC2086
        run "$loomp" trace $stock --last 2M -o "ring$stock" -t 2 "$made/rings" $signal
        expect "$stock: the program's status" [ "$status" -eq "$((signal == 0 ? 0 : 128 + signal))" ]
        says_the_last "$stock" "ring$stock"
    done
}

case_a_ring_with_a_piece_that_is_gone_is_reported() {
    local largest newest
    program rings
    recorder round LOOMP_TRACE_LAST=2097152 "$made/rings"
    expect "2 MiB a thread on disk" [ "$(find round -name 'ring-*' -size -2049k | wc -l)" -eq 2 ]
    # A process is killed when it has cleared the older piece to use it again, and not begun it: what is left is the one
    # before the newest.
    largest=$(find round -name 'ring-*' -size +1025k | head -n 1)
    newest=$([ "$(piece_number "$largest" 0)" -gt "$(piece_number "$largest" 1)" ] && echo 0 || echo 1)
    dd if=/dev/zero of="$largest" bs=1M count=1 seek="$newest" conv=notrunc 2>/dev/null
    says_the_last "the rest" round
}

case_a_ring_that_is_not_full_has_it_all() {
    program clang
    run "$loomp" trace --last 2M -o short -t 2 "$made/clang"
    run "$loomp" report short
    says_it_all "the whole run" 2
}

# The kernel's own counters need no processor's, but perf_event_open().
case_counters_are_recorded_with_tasks() {
    needs otf2-print
    needs_otf2_of_python
    program clang
    run "$loomp" trace --quiet --counters perf::TASK-CLOCK,perf::PAGE-FAULTS,no::SUCH-EVENT -o counted -t 2 "$made/clang"
    expect "the program's status" [ "$status" -eq 0 ]
    expect "one that is not there is named" grep -q '^loomp: recording: .*counter' "$scratch/err"
    ! grep -qE 'perf::|papi.h|libpapi' "$scratch/err" || left_out "no counters here: $err"
    expect "and no others" complains "counter no::SUCH-EVENT is not recorded"
    run "$loomp" report counted
    expect "columns of the table of kinds" reports '^kind of task .* perf::TASK-CLOCK +perf::PAGE-FAULTS$'
    # Both clocks are in nanoseconds and stand still while the thread has no processor.
    run "$loomp" trace --counters perf::TASK-CLOCK --cpu-time -o clocks -t 2 "$made/clang"
    run "$loomp" report clocks
    expect "the clock agrees with the thread's, and with the work" eval \
        "awk '\$1 ~ /^graph.c:$(line_of stencil)/ { found = \$(NF - 1) > 0.5 * \$NF && \$(NF - 1) < 1.5 * \$NF &&
            \$(NF - 1) < 1.5e9 * \$3 && \$NF > 0 } END { exit !found }' '$scratch/out'"
    run otf2-print counted/traces.otf2
    expect "otf2-print shows them" [ "$(grep -c '^METRIC .*perf::TASK-CLOCK' "$scratch/out")" -ge 801 ]
    run /usr/bin/python3 -c '
import otf2
with otf2.reader.open("counted/traces.otf2") as trace:
    print([member.name for metric in trace.definitions.metric_classes for member in metric.members],
          sum(type(event).__name__ == "Metric" for location, event in trace.events) >= 801)'
    expect "the otf2 package of Python has them" [ "$out" = "['perf::TASK-CLOCK', 'perf::PAGE-FAULTS'] True" ]
    run "$loomp" export counted -o counted.json
    expect "in the export" [ "$(grep -c '"perf::TASK-CLOCK":[1-9]' counted.json)" -ge 801 ]
    run "$loomp" trace --stock --counters perf::TASK-CLOCK -o counted-stock -t 2 "$made/clang"
    run "$loomp" report counted-stock
    expect "on libomp" reports ' perf::TASK-CLOCK$'
}

# Two threads on one processor: the clock of the wall has twice their work, that of each thread once.
case_cpu_time_is_recorded_for_threads_that_share_a_processor() {
    program clang
    run taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" "$loomp" trace --cpu-time -o shared -t 2 "$made/clang"
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report shared
    expect "a column of the table of kinds" reports '^kind of task .* CPU_TIME_NS$'
    run "$loomp" simulate shared
    expect "simulate says by which clock" reports "^code .* the threads' CPU clocks"
    run "$loomp" report shared --json
    # The one task of a few instructions may have none: the cost of reading the clock is taken off.
    expect "no kind has more of it than of time" /usr/bin/python3 -c '
import json, sys
kinds = json.load(open(sys.argv[1]))["kinds"]
long = [kind for kind in kinds if kind["work_s"] > 1e-3]
sys.exit(not (long and all(kind["CPU_TIME_NS"] > 0 for kind in long)
              and all(0 <= kind["CPU_TIME_NS"] <= 1.05e9 * kind["work_s"] + 1e6 for kind in kinds)))' "$scratch/out"
    run env LOOMP_TRACE_CPU_TIME=1 "$loomp" trace -o asked -t 2 "$made/clang"
    run "$loomp" report asked
    expect "the environment can ask for it, too" reports ' CPU_TIME_NS$'
    run env LOOMP_TRACE_CPU_TIME=0 "$loomp" trace -o not-asked -t 2 "$made/clang"
    run "$loomp" report not-asked
    expect "or not" eval "! grep -q CPU_TIME_NS '$scratch/out'"
    run "$loomp" trace --stock --cpu-time -o shared-stock -t 2 "$made/clang"
    run "$loomp" report shared-stock
    expect "on libomp" reports ' CPU_TIME_NS$'
}

case_deletions_of_tasks_are_recorded_when_they_are_asked_for() {
    program clang
    run "$loomp" trace --detail tasks,deletions -o deleted -t 2 "$made/clang"
    run "$loomp" report deleted
    expect "all tasks are deleted" reports '^rank 0 +801 +0 '
    run "$loomp" trace -o kept -t 2 "$made/clang"
    run "$loomp" report kept
    expect "not without asking" eval "! grep -q '^tasks deleted' '$scratch/out'"
    run "$loomp" trace --quiet --stock --detail tasks,deletions -o kept-stock -t 2 "$made/clang"
    expect "libomp does not tell of them" complains "does not tell of deletions"
}
