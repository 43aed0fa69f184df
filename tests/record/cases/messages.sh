# Messages between ranks, for each MPI library.
# shellcheck shell=bash disable=SC2154

# On libomp, tasks that receive keep their threads.
# each: openmpi mpich
case_messages_and_calls_of_c_are_recorded() {
    local library=$1 stock
    messages "$library"
    for stock in "" --stock; do
        # shellcheck disable=SC2086
        run "${launch[@]}" "$loomp" trace -o "whole$stock" -t 4 $stock "$made/messages.$library"
        expect "$stock: the program's status" [ "$status" -eq 0 ]
        expect "$stock: silent" silent
        run "$loomp" report "whole$stock"
        expect "$stock: nothing to complain of" [ ! -s "$scratch/err" ]
        expect "$stock: all messages" reports 'ranks 2, threads 8, tasks 120, .*messages 240$'
        expect "$stock: all calls" calls Recv 80
        expect "$stock: and waits" calls Waitall 80
        expect "$stock: and collectives" calls Allreduce 40
        expect "$stock: of tests, those that found something" calls Test 40
        expect "$stock: each rank's communication" reports '^rank 1 +120 '
    done
}

# each: openmpi mpich
case_messages_and_calls_of_fortran_are_recorded() {
    local library=$1 bindings
    on_ranks_of "$library"
    needs "${gfortran:-gfortran}"
    needs "mpifort.$library"
    for bindings in F77 F08; do
        OMPI_FC="$gfortran" MPICH_FC="$gfortran" "mpifort.$library" -D$bindings -O1 -g -fopenmp "${sanitize[@]}" \
            "$here/messages.F90" -o "messages-$bindings"
        run "${launch[@]}" "$loomp" trace -o "$bindings" -t 4 "./messages-$bindings"
        expect "$bindings: the program's status" [ "$status" -eq 0 ]
        expect "$bindings: silent" silent
        run "$loomp" report "$bindings"
        expect "$bindings: nothing to complain of" [ ! -s "$scratch/err" ]
        expect "$bindings: all messages" reports 'ranks 2, threads 8, tasks 120, .*messages 240$'
        expect "$bindings: all calls" calls Recv 80
        expect "$bindings: and waits" calls Waitall 80
        expect "$bindings: and collectives" calls Allreduce 40
        expect "$bindings: and what is not blocking" calls Ibarrier 40
        expect "$bindings: of tests, those that found something" calls Test 40
    done
}

# each: openmpi mpich
case_runs_with_messages_are_compared() {
    local library=$1
    messages_of "$library" .trace -t 4
    messages_of "$library" .stock --stock -t 4
    run "$loomp" compare "$made/$library.stock" "$made/$library.trace"
    expect "finds all messages again" reports '^all +240 '
    expect "and calls" reports '^MPI_Recv +80 +80 '
    expect "a line for each rank" reports '^rank 1 '
}

# each: openmpi mpich
case_runs_with_messages_are_simulated() {
    local library=$1 how
    messages_of "$library" .trace -t 4
    for how in "" "-t 1 --suspending-mpi" "--latency 100 --bandwidth 1"; do
        # shellcheck disable=SC2086
        run "$loomp" simulate "$made/$library.trace" $how
        # shellcheck disable=SC2016
        expect "$how: all tasks end" eval '[ "$status" -eq 0 ] && ! reports "never end"'
    done
}

# Each rank has a namespace of time, as if it were on a host of its own.
# each: openmpi mpich
case_ranks_whose_clocks_differ_have_one_time() {
    local library=$1
    unshare --time true 2>/dev/null || left_out "no namespaces of time can be made here"
    messages "$library"
    # shellcheck disable=SC2016
    run "${launch[@]}" sh -c '[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && exec "$@"
        exec unshare --time --monotonic 5000 "$@"' sh "$loomp" trace -o clocks -t 4 "$made/messages.$library"
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report clocks
    expect "all messages" reports 'ranks 2, threads 8, tasks 120, .*messages 240$'
    expect "one time" eval "awk '/^makespan/ { found = \$2 < 100 } END { exit !found }' '$scratch/out'"
}

# One thread has other tasks to run while they wait.
# each: openmpi mpich
case_tasks_that_receive_are_suspended_on_loomp() {
    local library=$1
    # shellcheck disable=SC2329 # expect calls it
    # MPI_Recv keeps its thread for two thirds of its time at most: its tasks wait for a sender that sleeps.
    mostly_suspended() {
        awk '$1 == "MPI_Recv" { found = $4 * 1.5 < $3 } END { exit !found }' "$scratch/out"
    }
    messages_of "$library" .single -t 1
    run "$loomp" report "$made/$library.single"
    expect "all messages" reports 'threads 2, tasks 120, .*messages 240$'
    expect "they are suspended" mostly_suspended
}

# each: openmpi mpich
case_errors_that_a_program_handles_do_not_end_it() {
    on_ranks_of "$1"
    cat >handled.c <<'END'
#include <mpi.h>
#include <stdio.h>
static int handled = 0;
static void handle(MPI_Comm *comm, int *error, ...) {
    (void)comm, (void)error;
    handled++;
}
static void is(const char *call, int error) {
    int kind = error;
    MPI_Error_class(error, &kind);
    printf("%s %d %d\n", call, kind, handled);
}
int main(int argc, char **argv) {
    static char bytes[100];
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Request request = MPI_REQUEST_NULL;
    const MPI_Datatype types[] = {MPI_DATATYPE_NULL, (MPI_Datatype)0};
    int x = 0, rank, counts[1] = {0}, offsets[1] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(bytes, sizeof bytes);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (rank != 0)
        freopen("/dev/null", "w", stdout);
    for (int i = 0; i < 2; i++) {
        MPI_Datatype wrong[1] = {types[i]};
        is("Isend", MPI_Isend(&x, 1, types[i], 0, 0, comm, &request));
        is("Send_init", MPI_Send_init(&x, 1, types[i], 0, 0, comm, &request));
        is("Send", MPI_Send(&x, 1, types[i], 0, 0, comm));
        is("Bsend", MPI_Bsend(&x, 1, types[i], 0, 0, comm));
        is("Ssend", MPI_Ssend(&x, 1, types[i], 0, 0, comm));
        is("Rsend", MPI_Rsend(&x, 1, types[i], 0, 0, comm));
        is("Sendrecv", MPI_Sendrecv(&x, 1, types[i], 0, 0, &x, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
        is("Sendrecv_replace", MPI_Sendrecv_replace(&x, 1, types[i], 0, 0, 0, 0, comm, MPI_STATUS_IGNORE));
        is("Recv", MPI_Recv(&x, 1, types[i], 0, 0, comm, MPI_STATUS_IGNORE));
        is("Bcast", MPI_Bcast(&x, 1, types[i], 0, comm));
        is("Alltoallw", MPI_Alltoallw(&x, counts, offsets, wrong, bytes, counts, offsets, wrong, comm));
        is("to nobody", MPI_Send(&x, 1, types[i], MPI_PROC_NULL, 0, comm));
        is("of no elements", MPI_Send(&x, 0, types[i], MPI_PROC_NULL, 0, comm));
    }
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    comm = (MPI_Comm)0;
    for (int i = 0; i < 2; i++) {
        is("Isend", MPI_Isend(&x, 1, MPI_INT, 0, 0, comm, &request));
        is("Send", MPI_Send(&x, 1, MPI_INT, 0, 0, comm));
        is("Recv", MPI_Recv(&x, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
        is("Sendrecv", MPI_Sendrecv(&x, 1, MPI_INT, 0, 0, &x, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE));
        is("Barrier", MPI_Barrier(comm));
        is("Ibarrier", MPI_Ibarrier(comm, &request));
        is("Allreduce", MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, comm));
        is("Alltoallw", MPI_Alltoallw(&x, counts, offsets, types, bytes, counts, offsets, types, comm));
        is("Comm_free", MPI_Comm_free(&comm));
        is("Comm_disconnect", MPI_Comm_disconnect(&comm));
        comm = MPI_COMM_NULL;
    }
    MPI_Finalize();
    return 0;
}
END
    mpi_compile "$gcc" "$1" -w handled.c -o handled
    run "${launch[@]}" ./handled
    expect "without a recorder, the program succeeds" [ "$status" -eq 0 ]
    local expected=$out
    run "${launch[@]}" "$loomp" trace --stock -o handled.trace ./handled
    expect "with it, too" [ "$status" -eq 0 ]
    expect "calls of invalid types and communicators return errors, and call the handler once" [ "$out" = "$expected" ]
}

# each: openmpi mpich
case_a_simulated_deadlock_names_who_waits_for_whom() {
    local library=$1
    # shellcheck disable=SC2329 # expect calls it
    # said LINE...: these are the lines, each a pattern.
    said() {
        local line
        for line in "$@"; do
            grep -qxE "loomp: simulate: $line" "$scratch/err" || return 1
        done
        [ "$(wc -l <"$scratch/err")" -eq $# ]
    }
    messages_of "$library" .single -t 1
    run "$loomp" simulate "$made/$library.single" --blocking-mpi
    expect "it is a failure" [ "$status" -eq 1 ]
    expect "there are no numbers of it" [ ! -s "$scratch/out" ]
    expect "but who waits for whom" said "a deadlock on 2 x 1 threads: 120 tasks never end, since MPI calls hold threads \
until what gets none has come; with --suspending-mpi they do not:" \
        "  rank 0: MPI_Recv in messages.c:[0-9]+ waits for rank 1, MPI_Send in messages.c:[0-9]+, which gets no thread" \
        "  rank 1: MPI_Recv in messages.c:[0-9]+ waits for rank 0, MPI_Send in messages.c:[0-9]+, which gets no thread"

    mpi_compile_by_clang "$library" "$here/chain.c" -o chain
    run "${launch[@]}" "$loomp" trace -o chain.trace -t 1 ./chain
    expect "a chain of tasks on a thread of each rank" [ "$status" -eq 0 ]
    run "$loomp" simulate chain.trace --blocking-mpi
    expect "its middle waits itself" said "a deadlock on 2 x 1 threads: 3 tasks never end, .*:" \
        "  rank 0: MPI_Recv in chain.c:[0-9]+ waits for rank 1, MPI_Send in chain.c:[0-9]+, which waits itself" \
        "  rank 1: MPI_Recv in chain.c:[0-9]+ waits for rank 0, MPI_Send in chain.c:[0-9]+, which gets no thread"
    run "${launch[@]}" "$loomp" trace -o nested.trace -t 1 ./chain nested
    expect "whose middle has a child" [ "$status" -eq 0 ]
    run "$loomp" simulate nested.trace --blocking-mpi
    expect "its middle waits for that" said "a deadlock on 2 x 1 threads: 4 tasks never end, .*:" \
        "  rank 0: MPI_Recv in chain.c:[0-9]+ waits for rank 1, MPI_Send in chain.c:[0-9]+, which waits for other tasks" \
        "  rank 1: MPI_Recv in chain.c:[0-9]+ waits for rank 0, MPI_Send in chain.c:[0-9]+, which gets no thread"
    run "$loomp" simulate nested.trace --suspending-mpi
    expect "where calls suspend tasks, all end" [ "$status" -eq 0 ]
}

# each: mpich
case_lint_knows_sends_outside_tasks() {
    local library=$1
    on_ranks_of "$library"
    needs_clang
    cat >late.c <<'END'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
#pragma omp single
    for (int step = 0; step < 4; step++) {
#pragma omp task shared(x)
        x++;
#pragma omp taskwait
        if (rank == 1) {
            MPI_Recv(&x, 1, MPI_INT, 0, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            usleep(10000);
            MPI_Send(&x, 1, MPI_INT, 1, step, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
END
    mpi_compile_by_clang "$library" late.c -o late
    run "${launch[@]}" "$loomp" trace -o late.trace -t 2 ./late
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" lint late.trace
    expect "no priorities are advised" reports '\(no task\): [34] sends begin after .* they are outside tasks, so priorities do not help'
    expect "nor coarser tasks" reports 'rank 0: threads are idle while 4 tasks, .* s: most of it is other code of the creator'
}

# each: openmpi mpich
case_messages_are_exported() {
    local library=$1 ending
    needs otf2-print
    messages_of "$library" .trace -t 4
    for ending in json dot; do
        run "$loomp" export "$made/$library.trace" -o "messages.$ending"
        expect "exports $ending" [ "$status" -eq 0 ]
        expect "$ending: and says nothing" silent
    done
    run python3 -c '
import collections, json
events = json.load(open("messages.json"))["traceEvents"]
count = collections.Counter(event["ph"] for event in events if event.get("cat") == "message")
print(count["s"], count["f"])'
    expect "with all messages" [ "$out" = "240 240" ]
    run python3 -B "$here/perfetto.py" messages.json
    expect "as Perfetto reads it" [ "$out" = ok ]
    expect "also in the graph" [ "$(grep -c 'style=dashed' messages.dot)" -ge 280 ]
    run otf2-print "$made/$library.trace/traces.otf2"
    expect "otf2-print reads the archive" [ "$status" -eq 0 ]
    expect "with its messages" [ "$(grep -c '^MPI_ISEND  ' "$scratch/out")" -eq 240 ]
    expect "and collectives" [ "$(grep -c '^NON_BLOCKING_COLLECTIVE_COMPLETE' "$scratch/out")" -eq 80 ]
}

# each: openmpi mpich
case_detail_chooses_between_calls_and_messages() {
    local library=$1
    messages "$library"
    run "${launch[@]}" "$loomp" trace --detail calls -o calls -t 4 "$made/messages.$library"
    run "$loomp" report calls
    expect "calls: no messages" reports 'tasks 120, .*messages 0$'
    expect "calls: all calls" calls Recv 80
    run "${launch[@]}" "$loomp" trace --detail messages -o detail -t 4 "$made/messages.$library"
    run "$loomp" report detail
    expect "messages: all messages" reports 'tasks 120, .*messages 240$'
}

# 10 each way in 3 phases, and the persistent one's in 2. One of each way has lost its receive.
# each: openmpi mpich
case_messages_around_pauses_are_those_that_both_ranks_recorded() {
    local library=$1
    on_ranks_of "$library"
    needs_clang
    mpi_compile "$clang" "$library" -I"$include" "$here/paused_messages.c" -o paused_messages
    run "${launch[@]}" "$loomp" trace -o paused ./paused_messages
    expect "the program's status" [ "$status" -eq 0 ]
    expect "a program without OpenMP: not a word" silent
    run "$loomp" report paused
    expect "messages that both ranks recorded" reports 'messages 64$'
    expect "and no others" grep -q '2 sends have no receive' "$scratch/err"
    expect "calls" calls Allreduce 6
}

# tasks_of_a_layer LIBRARY PROGRAM MESSAGES THREADS: records one of tests/mpi, which is linked with the layer.
tasks_of_a_layer() {
    local library=$1 program=$2 messages=$3 threads=$4
    on_ranks_of "$library"
    mpi_compile "$gcc" "$library" -g -fopenmp "$root/tests/mpi/$program.c" -I"$include" -I"$include/loomp" -L"$build/lib" \
        "-lloomp-mpi-$library" -o "$program"
    run "${launch[@]}" "$loomp" trace -o layer.trace -t 2 "./$program"
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report layer.trace
    expect "nothing to complain of" [ ! -s "$scratch/err" ]
    expect "messages, and no threads but the program's" reports "ranks 2, threads $threads,.* messages $messages\$"
    expect "calls are those of functions" eval '! reports "^\(unknown\) "'
    run "$loomp" export layer.trace -o "$program.json"
    run python3 -B "$here/perfetto.py" "$program.json"
    expect "as Perfetto reads it" [ "$out" = ok ]
    run "$loomp" simulate layer.trace
    expect "can be simulated" [ "$status" -eq 0 ]
}

# Each rank sends 901 times 50 numbers.
# each: openmpi mpich
case_requests_that_complete_tasks_of_tampi_are_recorded() {
    tasks_of_a_layer "$1" tampi 1802 4
    run "$loomp" python -c "
import loomp, numpy
trace = loomp.read('layer.trace')
send, receive = (trace.requests[trace.messages[side]] for side in ('send', 'receive'))
tasks = trace.tasks[trace.calls['task'][receive['completion_call']]]
print((send['bytes'] == 200).all(), (send['tag'] == receive['tag']).all(), (send['rank'] == receive['peer']).all(),
      (send['started'] < receive['completed']).all(), (~tasks['implicit']).sum() >= 1800,
      (tasks['ended'][~tasks['implicit']] >= receive['completed'][~tasks['implicit']]).all())"
    expect "sizes, both sides, and tasks that complete with their messages" [ "$out" = "True True True True True True" ]
}

# Each rank sends 227 times. Callbacks that start something may run on a thread that helps.
# each: openmpi mpich
case_requests_that_complete_tasks_of_mpi_detach_are_recorded() { tasks_of_a_layer "$1" detach 454 '[456]'; }

# Rank 0 is alone in a barrier, the others are in another one.
case_collectives_of_some_ranks_are_not_copied_to_others() {
    needs_layer mpich
    cat >parts.c <<'END'
#include <mpi.h>
int main(int argc, char **argv) {
    int level, rank;
    MPI_Comm part;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &part);
#pragma omp parallel
#pragma omp single
#pragma omp task
    MPI_Barrier(part);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
END
    mpi_compile "$gcc" mpich -fopenmp parts.c -o parts
    run mpiexec.hydra -n 3 "$loomp" trace -o parts.trace -t 1 ./parts
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" simulate parts.trace --ranks 5 --scaling weak
    expect "why there is no simulation" complains "no other number of ranks: some collectives are not of all ranks"
}

# calls_of_mpi PROGRAM: records one of tests/mpi, and reports it.
calls_of_mpi() {
    on_ranks_of "$library"
    mpi_compile "$gcc" "$library" -g -w -fopenmp "$root/tests/mpi/$1.c" -o "$1"
    run "${launch[@]}" "$loomp" trace -o "$1.trace" -t 2 "./$1"
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report "$1.trace"
    expect "nothing to complain of" [ ! -s "$scratch/err" ]
}

# Two ranks call each collective twice, and again with large counts, which Open MPI does not have. They call each blocking
# one once.
# each: openmpi mpich
case_every_collective_is_recorded() {
    local library=$1 name times=4
    [ "$library" = openmpi ] || times=8
    calls_of_mpi nonblocking_collectives
    for name in bcast gather gatherv scatter scatterv allgather allgatherv alltoall alltoallv alltoallw reduce allreduce \
        reduce_scatter reduce_scatter_block scan exscan neighbor_allgather neighbor_allgatherv neighbor_alltoall \
        neighbor_alltoallv neighbor_alltoallw; do
        expect "MPI_I$name" calls "I$name" $times
        [ "$library" = openmpi ] || expect "MPI_${name^}" calls "${name^}" 2
    done
    expect "tests that found something" calls Test $((5 * times))
}

# Messages of 7 pairs of a way to send and a way to receive, or 62 with large counts, each of which two ranks use
# four times after a message that announces it.
# each: openmpi mpich
case_every_way_of_messages_is_recorded() {
    local library=$1 expected
    calls_of_mpi ways_of_messages
    case $library in
    openmpi) expected="112 Send_init 8 Bsend_init 8 Ssend_init 8 Rsend_init 4 Recv_init 16 Improbe 24 Imrecv 24 Start 88" ;;
    mpich)
        expected="997 Send_init 40 Bsend_init 40 Ssend_init 40 Rsend_init 24 Recv_init 112 Improbe 160 Imrecv 160 Start 512
            Isend 40 Ibsend 40 Issend 40 Irsend 24 Irecv 112 Bsend 42 Rsend 24 Mrecv 2 Sendrecv_replace 2"
        ;;
    esac
    # shellcheck disable=SC2086 # words
    set -- $expected
    expect "all messages" reports "messages $1\$"
    shift
    while [ $# -gt 0 ]; do
        expect "MPI_$1" calls "$1" "$2"
        shift 2
    done
}

# Messages are pairs of sizes: each is sent with the size that is received. Collectives are sizes by rank.
# each: openmpi mpich
case_unusual_messages_and_collectives_have_their_other_sides_and_sizes() {
    local library=$1 of_mpi4='' messages_of_mpi4=''
    [ "$library" = openmpi ] || of_mpi4=' 16,16 16,16' messages_of_mpi4=' 601 602'
    on_ranks_of "$library"
    mpi_compile "$gcc" "$library" -g -w "$here/unusual_messages.c" -o unusual
    run "${launch[@]}" "$loomp" trace -o unusual.trace ./unusual
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report unusual.trace
    expect "a freed receive's message is the only lonely one" [ "$(cat "$scratch/err")" = \
        "loomp: report: 1 send has no receive that completed in the trace" ]
    run "$loomp" python -c "
import loomp
trace = loomp.read('unusual.trace')
send, receive = (trace.requests[trace.messages[side]] for side in ('send', 'receive'))
print(*sorted(send['bytes']))
sizes = [trace.requests[[int(i) for i in of]] for of in trace.collectives]
print(*(','.join(str(part['bytes']) for part in sorted(of, key=lambda part: part['rank'])) for of in sizes if len(of) == 2))
print(*(of[0]['bytes'] for of in sizes if len(of) == 1))
probed = sorted(zip(send['bytes'], receive['completed']))
print([completed for size, completed in probed if size == 401] > [completed for size, completed in probed if size == 402])
print((send['started'] < receive['completed']).all())"
    expect "messages, sizes, and probed ones in the order of their receives" [ "$out" = \
        "102 103 104 201 202 203 301 401 402 501 502$messages_of_mpi4 801 802 803 901
0,0 0,0 44,44 24,12 120,80 56,56 40,40 120,120$of_mpi4 0,0
8589934592 0 8589934592
True
True" ]
}

# MPI 4 has them, and Debian's Open MPI does not.
# each: openmpi mpich
case_persistent_collectives_do_what_they_do_without_a_recorder() {
    local library=$1 recorded='46 6'
    [ "$library" != openmpi ] || recorded='3 0'
    on_ranks_of "$library"
    mpi_compile "$gcc" "$library" -g -Wall -Wextra "$here/persistent_collectives.c" -o persistent
    run "${launch[@]}" "$loomp" run ./persistent
    expect "under the layer" [ "$status" -eq 0 ]
    run "${launch[@]}" "$loomp" trace -o persistent.trace ./persistent
    expect "under the recorder" [ "$status" -eq 0 ]
    run "$loomp" report persistent.trace
    run "$loomp" python -c "
import loomp
trace = loomp.read('persistent.trace')
print(len(trace.collectives), len(trace.messages))"
    expect "collectives and messages that are recorded" [ "$out" = "$recorded" ]
}

# The second of two receives completes first.
# each: openmpi mpich
case_some_receives_complete_by_their_index() {
    local library=$1
    on_ranks_of "$library"
    mpi_compile "$gcc" "$library" -Wall -Wextra -xc - -o some <<'END'
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, in[2] = {-1, -1}, number, indices[2], wrong = 0;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        for (int tag = 0; tag < 2; ++tag)
            MPI_Irecv(&in[tag], 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[tag]);
    for (int tag = 1; tag >= 0; --tag) {
        if (rank == 1)
            MPI_Ssend(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
        if (rank == 0) {
            MPI_Waitsome(2, requests, &number, indices, MPI_STATUSES_IGNORE);
            wrong += number != 1 || indices[0] != tag || in[tag] != tag;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return wrong;
}
END
    run "${launch[@]}" "$loomp" trace -o some.trace ./some
    expect "the program's status" [ "$status" -eq 0 ]
    run "$loomp" report some.trace
    expect "nothing to complain of" [ ! -s "$scratch/err" ]
    expect "both messages" reports 'messages 2$'
}

# each: openmpi mpich
case_messages_of_a_rank_that_is_killed_are_reported() {
    local library=$1
    messages "$library"
    run "${launch[@]}" "$loomp" trace -o killed -t 4 "$made/messages.$library" 9
    expect "it is told of" [ "$status" -ne 0 ]
    run "$loomp" report killed
    expect "what there was is reported" reports "ranks 2, threads 8, tasks 66, .*messages 132\$"
}

# unordered LIBRARY: compiles tests/record/unordered.c.
unordered() {
    on_ranks_of "$1"
    mpi_compile "$gcc" "$1" -g -fopenmp -Wall -Wextra "$here/unordered.c" -o unordered
}

# each: openmpi mpich
case_lint_finds_messages_whose_order_is_not_given() {
    local library=$1 mode line
    unordered "$library"
    line=$(grep -n 'task$' "$here/unordered.c" | tail -n 1 | cut -d: -f1)
    for mode in fault tags dependences; do
        run "${launch[@]}" "$loomp" trace -o "$mode" -t 1 ./unordered "$mode"
        expect "$mode: the program's status" [ "$status" -eq 0 ]
        run "$loomp" lint "$mode"
        if [ "$mode" = fault ]; then
            expect "sends" reports "fault +unordered.c:$line: 1 pair of sends .* rank 0 to rank 1, tag 7: "
            expect "receives" reports "fault +unordered.c:$line: 1 pair of receives .* rank 1 from rank 0, tag 7: "
        else
            expect "$mode: an order is given" eval '! reports fault'
        fi
    done
}

# each: openmpi mpich
case_a_run_that_hung_is_explained_first() {
    local library=$1 command said line
    unordered "$library"
    line=$(grep -n 'task$' "$here/unordered.c" | head -n 1 | cut -d: -f1)
    run "${launch[@]}" "$loomp" trace -o hung -t 1 ./unordered hang
    expect "it is killed" [ "$status" -ne 0 ]
    for command in report lint; do
        run "$loomp" "$command" hung
        said=$(sed -n '/./!q; p' "$scratch/out")
        expect "$command: what was cut off" grep -q '^the run was cut off: ranks 0-1 were killed.* last event is' <<<"$said"
        expect "$command: its tasks" grep -q '^  2 unfinished .*: 2 in MPI calls$' <<<"$said"
        expect "$command: its calls" grep -q "1 x MPI_Recv in unordered.c:$line, rank 1 from rank 0, tag 7$" <<<"$said"
        expect "$command: the send that nobody receives" \
            grep -q "MPI_Ssend in unordered.c:$line, rank 0 to rank 1, tag 9999; rank 1 waits .* rank 0, tag 7$" <<<"$said"
    done
    expect "the report's tasks" [ "$("$loomp" report hung --json 2>/dev/null | grep -c '"tasks": 2,')" = 2 ]
    run "$loomp" view hung -o hung.html
    expect "the page has it" grep -q 'the run was cut off: ranks 0-1' hung.html
}

# Each of Fortran's bindings: the tasks' lines, ranks and tags, in report, lint and page.
# each: openmpi mpich
case_a_run_of_fortran_that_hung_is_explained() {
    local library=$1 bindings command fault line sent
    on_ranks_of "$library"
    needs "${gfortran:-gfortran}"
    needs "mpifort.$library"
    fault=hung.F90:$(grep -nF '!$omp task firstprivate' "$here/hung.F90" | cut -d: -f1)
    line=hung.F90:$(grep -nxF '  !$omp task' "$here/hung.F90" | cut -d: -f1)
    sent="MPI_Ssend in $line, rank 0 to rank 1, tag 9999; rank 1 waits for a message from rank 0, tag 7"
    for bindings in 8 9 0; do
        OMPI_FC="$gfortran" MPICH_FC="$gfortran" "mpifort.$library" "-DBINDINGS=$bindings" -O1 -g -fopenmp "${sanitize[@]}" \
            "$here/hung.F90" -o "hung-$bindings"
        run "${launch[@]}" "$loomp" trace -o "$bindings" -t 1 "./hung-$bindings"
        expect "$bindings: it is killed" [ "$status" -ne 0 ]
        for command in report lint; do
            run "$loomp" "$command" "$bindings"
            expect "$bindings, $command: a call with its line, rank and tag" reports "1 x MPI_Recv in $line, rank 1 from rank 0, tag 7$"
            expect "$bindings, $command: the send that nobody receives" reports "$sent$"
        done
        expect "$bindings: lint finds messages without an order" reports "fault +$fault: 1 pair of sends .* rank 0 to rank 1, tag 7: "
        run "$loomp" view "$bindings" -o hung.html
        expect "$bindings: the page has it" grep -qF "$sent" hung.html
    done
}
