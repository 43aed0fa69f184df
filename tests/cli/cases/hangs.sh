# Programs that hang: what they report by themselves, at signals, and to `loomp stuck`.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

# hang COMPILER... KIND: starts hang.c, and returns when it has reported something. $process is its number.
hang() {
    once "hang.${1##*/}" "${@:1:$#-1}" -O1 -g -fopenmp "$here/hang.c" -o "hang.${1##*/}"
    : >err # not by the program alone, which begins it later
    LOOMP_REPORT_STUCK_AFTER=300ms "$loomp" run -t 2 "$made/hang.${1##*/}" "${!#}" >out 2>err &
    process=$!
    until grep -q "it is a hang" err || ! kill -0 "$process"; do
        sleep 0.1
    done
    err=$(<err)
}
# leave SIGNAL: ends it; $status is its own, and $err is what it printed.
leave_by() {
    kill -s "$1" "$process"
    status=0
    wait "$process" || status=$?
    err=$(<err)
}
lines() { [ "$(grep -cE "$2" <<<"$err")" -eq "$1" ]; }
lost() { echo "^loomp: all threads have been idle for [0-9.]+ s: nobody has fulfilled the event of a detached task, at hang.c:[0-9]+, in .*; 1 task depends on it, and a taskwait or barrier waits for it$"; }

case_lost_event() {
    hang "$gcc" event
    expect "a lost event is reported" lines 1 "$(lost)"
    leave_by KILL
    expect "once" lines 1 "$(lost)"
    expect "and in two lines" [ "$(grep -c ^loomp: <<<"$err")" -eq 2 ]
    hang "$gcc" events
    expect "many have four lines" lines 4 "nobody has fulfilled the event of a detached task, at hang.c"
    expect "and one for the others" lines 1 "^loomp:   2 more events$"
    leave_by KILL
    needs_clang
    hang "$clang" "-I$dev/include" "-L$dev/lib" event
    expect "in a program of clang's, too" lines 1 "$(lost)"
    leave_by KILL
}

case_lost_lock() {
    hang "$gcc" lock
    expect "a lock that nobody releases is reported" lines 1 \
        "^loomp: all threads have been idle for [0-9.]+ s: 1 task waits for a lock or critical section that nobody releases, at hang.c:[0-9]+, in main._omp_fn.[0-9]+$"
    leave_by KILL
}

case_event_of_another_thread() {
    hang "$gcc" late
    status=0
    wait "$process" || status=$?
    err=$(<err)
    expect "a thread that is not OpenMP's may fulfil an event late: the program ends, and signals have their default actions" \
        [ "$status" -eq 0 ]
    expect "the warning says so, once" lines 1 "^loomp:   it is a hang, unless a thread that is not OpenMP's ends it$"
}

case_stuck() {
    hang "$gcc" event
    run "$loomp" stuck -p "$process"
    err=$out
    expect "loomp stuck prints what the program waits for" lines 1 "$(lost)"
    expect "and succeeds" [ "$status" -eq 0 ]
    run "$loomp" stuck --pid "$process"
    err=$out
    expect "again" lines 1 "$(lost)"
    leave_by KILL
    run "$loomp" stuck -p "$process"
    expect "without the process" complains "stuck: there is no process $process"
    sleep 60 &
    process=$!
    run "$loomp" stuck -p "$process"
    expect "for another program" complains "stuck: process $process does not run on loomp"
    kill "$process"
    "$loomp" run -t 2 "$made/hang.${gcc##*/}" busy &
    process=$!
    until grep -q /libloomp.so "/proc/$process/maps"; do
        sleep 0.1
    done
    run "$loomp" stuck -p "$process"
    expect "for a program that works" complains "stuck: process $process does not hang, as far as loomp sees: some thread was at work within the last seconds, or waits outside tasks; loomp gdb -p $process shows where"
    expect "it fails" [ "$status" -eq 1 ]
    kill -KILL "$process"
    "$gcc" -fopenmp "$here/poller.c" -I"$include" -L"$build/lib" -lloomp -o poller
    LOOMP_REPORT_STUCK_AFTER=100ms "$loomp" run -t 1 ./poller &
    process=$!
    until run "$loomp" stuck -p "$process" && [ "$status" -eq 0 ]; do
        sleep 0.1
    done
    expect "a library's operation" grep -qE "^loomp: all threads have been idle for [0-9.]+ s: they wait for a library or a device$" <<<"$out"
    kill -KILL "$process"
    run "$loomp" stuck
    expect "without a number" [ "$status" -eq 2 ]
}

case_signals_of_a_hang() {
    local signal
    ulimit -c 0
    for signal in INT:130 TERM:143 QUIT:131; do
        # A job in the background of a shell ignores SIGINT and SIGQUIT.
        set -m
        hang "$gcc" event
        set +m
        leave_by "${signal%:*}"
        expect "SIG${signal%:*} prints the report again" lines 2 "$(lost)"
        expect "and ends the program as usual" [ "$status" -eq "${signal#*:}" ]
    done
    hang "$gcc" handler
    leave_by TERM
    expect "the program's own handler stays" [ "$status" -eq 3 ]
    expect "and nothing more is printed" lines 1 "$(lost)"
}
