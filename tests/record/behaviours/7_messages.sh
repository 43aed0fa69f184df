# Messages between ranks, for each MPI library that there is a recorder for.
# shellcheck shell=bash disable=SC2154

messages_and_calls_of_c_are_recorded() {
    local library stock name
    for library in "${libraries[@]}"; do
        messages "$library"
        for stock in "" --stock; do
            name=$library$stock
            # On libomp tasks that receive hold their threads.
            # shellcheck disable=SC2086
            launch "$library" "$loomp" trace -o "whole.$name" -t 4 $stock "./messages.$library"
            expect "$name: the program's status" [ "$status" -eq 0 ]
            expect "$name: silent" silent
            run "$loomp" report "whole.$name"
            expect "$name: nothing to complain of" [ ! -s "$scratch/err" ]
            expect "$name: all messages" reports 'ranks 2, threads 8, tasks 120, .*messages 240$'
            expect "$name: all calls" calls Recv 80
            expect "$name: and waits" calls Waitall 80
            expect "$name: and collectives" calls Allreduce 40
            expect "$name: of tests, those that found something" calls Test 40
            expect "$name: each rank's communication" reports '^rank 1 +120 '
        done
    done
}

messages_and_calls_of_fortran_are_recorded() {
    local library bindings name
    for library in "${libraries[@]}"; do
        for bindings in F77 F08; do
            name=$library-$bindings
            OMPI_FC="$gfortran" MPICH_FC="$gfortran" "mpifort.$library" -D$bindings -O1 -g -fopenmp \
                "$here/messages.F90" -o "messages-$bindings"
            launch "$library" "$loomp" trace -o "$name" -t 4 "./messages-$bindings"
            expect "$name: the program's status" [ "$status" -eq 0 ]
            expect "$name: silent" silent
            run "$loomp" report "$name"
            expect "$name: nothing to complain of" [ ! -s "$scratch/err" ]
            expect "$name: all messages" reports 'ranks 2, threads 8, tasks 120, .*messages 240$'
            expect "$name: all calls" calls Recv 80
            expect "$name: and waits" calls Waitall 80
            expect "$name: and collectives" calls Allreduce 40
            expect "$name: and what is not blocking" calls Ibarrier 40
            expect "$name: of tests, those that found something" calls Test 40
        done
    done
}

runs_with_messages_are_compared() {
    local library
    for library in "${libraries[@]}"; do
        messages_of "$library"
        messages_of "$library" --stock
        run "$loomp" compare "$library--stock" "$library"
        expect "$library: finds all messages again" reports '^all +240 '
        expect "$library: and calls" reports '^MPI_Recv +80 +80 '
        expect "$library: a line for each rank" reports '^rank 1 '
    done
}

runs_with_messages_are_simulated() {
    local library how
    for library in "${libraries[@]}"; do
        messages_of "$library"
        for how in "" "-t 1 --suspending-mpi" "--latency 100 --bandwidth 1"; do
            # shellcheck disable=SC2086
            run "$loomp" simulate "$library" $how
            expect "$library: $how: all tasks end" eval '[ "$status" -eq 0 ] && ! reports "never end"'
        done
    done
}

# As on several hosts.
ranks_whose_clocks_differ_have_one_time() {
    local library
    unshare --time true 2>/dev/null || return 0
    for library in "${libraries[@]}"; do
        messages "$library"
        # shellcheck disable=SC2016
        launch "$library" sh -c '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && exec "$@"
            exec unshare --time --monotonic 5000 "$@"' sh "$loomp" trace -o "$library-clocks" -t 4 "./messages.$library"
        expect "$library: the program's status" [ "$status" -eq 0 ]
        run "$loomp" report "$library-clocks"
        expect "$library: all messages" reports 'ranks 2, threads 8, tasks 120, .*messages 240$'
        expect "$library: one time" \
            eval "awk '/^makespan/ { found = \$2 < 100 } END { exit !found }' '$scratch/out'"
    done
}

# With one thread, which has other tasks to run while they wait.
tasks_that_receive_are_suspended_on_loomp() {
    local library
    # Of MPI_Recv: a third of the time at most on a thread. Its tasks wait for a sender that sleeps.
    mostly_suspended() {
        awk '$1 == "MPI_Recv" { found = $4 * 1.5 < $3 } END { exit !found }' "$scratch/out"
    }
    for library in "${libraries[@]}"; do
        messages "$library"
        launch "$library" "$loomp" trace -o "$library-1" -t 1 "./messages.$library"
        run "$loomp" report "$library-1"
        expect "$library: all messages" reports 'threads 2, tasks 120, .*messages 240$'
        expect "$library: they are suspended" mostly_suspended
    done
}

a_simulated_deadlock_is_told_with_who_waits_for_whom() {
    local library
    for library in "${libraries[@]}"; do
        messages "$library"
        [ -e "$library-1" ] || launch "$library" "$loomp" trace -o "$library-1" -t 1 "./messages.$library"
        run "$loomp" simulate "$library-1" --blocking-mpi
        expect "$library: it is a failure" [ "$status" -eq 1 ]
        expect "$library: there are no numbers of it" [ ! -s "$scratch/out" ]
        expect "$library: but who waits for whom" grep -qE \
            'rank [01]: MPI_Recv in messages.c:[0-9]+ waits for rank [01], MPI_(S|Ss)end in messages.c:[0-9]+, which' "$scratch/err"
    done
}

messages_are_exported() {
    local library ending
    for library in "${libraries[@]}"; do
        messages_of "$library"
        for ending in json dot graphml; do
            run "$loomp" export "$library" -o "$library.$ending"
            expect "$library: exports $ending" [ "$status" -eq 0 ]
            expect "$library: and says nothing" silent
        done
        run python3 -c '
import collections, json, sys, xml.etree.ElementTree as xml
events = json.load(open(sys.argv[1] + ".json"))["traceEvents"]
count = collections.Counter(event["ph"] for event in events if event.get("cat") == "message")
kinds = collections.Counter(data.text for data in xml.parse(sys.argv[1] + ".graphml").getroot().iter()
                            if data.get("key") == "kind")
print(count["s"], count["f"], kinds["message"])' "$library"
        expect "$library: with all messages" [ "$out" = "240 240 240" ]
        run python3 -B "$here/perfetto.py" "$library.json"
        expect "$library: as Perfetto reads it" [ "$out" = ok ]
        expect "$library: also in the graph" [ "$(grep -c 'style=dashed' "$library.dot")" -ge 280 ]
        run otf2-print "$library/traces.otf2"
        expect "$library: otf2-print reads the archive" [ "$status" -eq 0 ]
        expect "$library: with its messages" [ "$(grep -c '^MPI_ISEND  ' "$scratch/out")" -eq 240 ]
        expect "$library: and collectives" [ "$(grep -c '^NON_BLOCKING_COLLECTIVE_COMPLETE' "$scratch/out")" -eq 80 ]
    done
}

detail_chooses_between_calls_and_messages() {
    local library
    for library in "${libraries[@]}"; do
        messages "$library"
        launch "$library" "$loomp" trace --detail calls -o "$library-calls" -t 4 "./messages.$library"
        run "$loomp" report "$library-calls"
        expect "$library: calls: no messages" reports 'tasks 120, .*messages 0$'
        expect "$library: calls: all calls" calls Recv 80
        launch "$library" "$loomp" trace --detail messages -o "$library-detail" -t 4 "./messages.$library"
        run "$loomp" report "$library-detail"
        expect "$library: messages: all messages" reports 'tasks 120, .*messages 240$'
    done
}

# 10 each way in 3 phases, and the persistent one's in 2; of one each way, the receive is lost.
messages_around_pauses_are_those_that_both_ranks_recorded() {
    local library
    for library in "${libraries[@]}"; do
        mpi_compile "$clang" "$library" -I"$include" "$here/paused_messages.c" -o paused_messages
        launch "$library" "$loomp" trace -o "$library-paused" ./paused_messages
        expect "$library: the program's status" [ "$status" -eq 0 ]
        expect "$library: a program without OpenMP: not a word" silent
        run "$loomp" report "$library-paused"
        expect "$library: messages that both ranks recorded" reports 'messages 64$'
        expect "$library: and no others" grep -q '2 sends have no receive' "$scratch/err"
        expect "$library: calls" calls Allreduce 6
    done
}

# Each rank of tampi.c sends 901 times 50 numbers, of detach.c 226.
requests_that_nobody_waits_for_are_recorded() {
    local library program messages threads
    for library in "${libraries[@]}"; do
        for program in tampi detach; do
            mpi_compile "$gcc" "$library" -g -fopenmp "$here/../mpi/$program.c" -I"$include" \
                -I"$include/loomp" -L"$build/lib" "-lloomp-mpi-$library" -o $program
            launch "$library" "$loomp" trace -o "$library-$program" -t 2 ./$program
            expect "$library: $program: the program's status" [ "$status" -eq 0 ]
            run "$loomp" report "$library-$program"
            expect "$library: $program: nothing to complain of" [ ! -s "$scratch/err" ]
            # Callbacks of mpi-detach's that start something may be a helper thread's.
            case $program in tampi) messages=1802 threads=4 ;; *) messages=452 threads=[456] ;; esac
            expect "$library: $program: messages, and no threads but the program's" \
                reports "ranks 2, threads $threads,.* messages $messages\$"
            expect "$library: $program: calls are those of functions" eval '! reports "^\(unknown\) "'
            run "$loomp" export "$library-$program" -o $program.json
            run python3 -B "$here/perfetto.py" $program.json
            expect "$library: $program: as Perfetto reads it" [ "$out" = ok ]
            run "$loomp" simulate "$library-$program"
            expect "$library: $program: can be simulated" [ "$status" -eq 0 ]
        done
        run "$loomp" python -c "
import loomp, numpy
trace = loomp.read('$library-tampi')
send, receive = (trace.requests[trace.messages[side]] for side in ('send', 'receive'))
tasks = trace.tasks[trace.calls['task'][receive['completion_call']]]
print((send['bytes'] == 200).all(), (send['tag'] == receive['tag']).all(), (send['rank'] == receive['peer']).all(),
      (send['started'] < receive['completed']).all(), (~tasks['implicit']).sum() >= 1800,
      (tasks['ended'][~tasks['implicit']] >= receive['completed'][~tasks['implicit']]).all())"
        expect "$library: tampi: sizes, both sides, and tasks that complete with their messages" \
            [ "$out" = "True True True True True True" ]
    done
}

messages_of_a_rank_that_is_killed_are_reported() {
    local library count
    for library in "${libraries[@]}"; do
        # What is on its way over tcp may go with the rank.
        count=132
        [[ $library != openmpi || $OMPI_MCA_btl != *tcp* ]] || count='13[12]'
        messages "$library"
        launch "$library" "$loomp" trace -o "$library-killed" -t 4 "./messages.$library" 9
        expect "$library: it is told of" [ "$status" -ne 0 ]
        run "$loomp" report "$library-killed"
        expect "$library: what there was is reported" reports "ranks 2, threads 8, tasks 66, .*messages $count\$"
    done
}
