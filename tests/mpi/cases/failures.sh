# A failure ends the job soon, with a message, whatever else waits. A job that waits for long
# reports its waits.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# fatal CALL REASON: the line that says so, with the place in fails.c.
fatal() { echo "^loomp: rank [01]: fatal error in $1, at fails.c:[0-9]+, in main._omp_fn.[0-9]+: $2"; }

# The job ended, and no process is left.
ended_and_gone() {
    ! hung || return 1
    # MPICH's mpiexec ends when it has told the others to, not when they have.
    local waited
    for waited in 0 0.2 0.8; do
        sleep "$waited"
        pgrep -f "$scratch/fails" >/dev/null || return 0
    done
    return 1
}

# failed_and_gone WORDS: the job failed with a message.
failed_and_gone() { [ "$status" -ne 0 ] && grep -qiE "$1" "$scratch/out" "$scratch/err" && ended_and_gone; }

# fails.c by a name that no other case has.
fails_program() {
    program fails.c
    ln -s "$program" "$scratch/fails"
}

# run_fails LIBRARY HOW
run_fails() {
    use "$1"
    fails_program
    export OMP_NUM_THREADS=2
    job 60 2 "$loomp" run "$scratch/fails" "$2"
    # The launcher continues in its own words.
    expect "$library: $2: MPICH adds nothing" eval '! grep -E "Assertion failed|^Abort\(" "$scratch/out" "$scratch/err"'
}

# fails LIBRARY HOW WORDS
fails() {
    run_fails "$1" "$2"
    expect "$library: $2 is reported, and nobody is left" failed_and_gone "$3"
}

# each: openmpi mpich abi-openmpi abi-mpich
case_truncated() { fails "$1" truncated "$(fatal "MPI_Recv, rank 0, tag 1, MPI_COMM_WORLD" ".*truncat")"; }

# MPICH 5 says no more of it.
# each: openmpi mpich abi-openmpi abi-mpich
case_mismatched() { fails "$1" mismatched "$(fatal "MPI_Bcast, MPI_COMM_WORLD" ".*(truncat|invalid|Other MPI error)")"; }

# each: openmpi mpich abi-openmpi abi-mpich
case_wrong_rank() { fails "$1" rank "$(fatal "MPI_Send, rank 99, tag 1, MPI_COMM_WORLD" ".*invalid rank")"; }

# each: openmpi mpich abi-openmpi abi-mpich
case_wrong_type() { fails "$1" type "$(fatal "MPI_Sendrecv_replace, rank 0, tag 1, MPI_COMM_WORLD" ".*datatype")"; }

# Other libraries have windows for several threads.
# each: openmpi
case_no_windows() {
    fails "$1" window "$(fatal "MPI_Win_create, MPI_COMM_WORLD" ".*invalid window")"
    expect "$library: the message names a way out" grep -qF "Open MPI may have no windows for \
MPI_THREAD_MULTIPLE here, which loomp asks for: LOOMP_MPI_THREAD_LEVEL=serialized avoids that" "$scratch/err"
}

# each: openmpi mpich abi-openmpi abi-mpich
case_failed_waitall() { fails "$1" waitall "$(fatal "MPI_Waitall" ".*truncat")"; }

# each: openmpi mpich abi-openmpi abi-mpich
case_wrong_rank_nonblocking() { fails "$1" isend "$(fatal "MPI_Isend, rank 99, tag 1, MPI_COMM_WORLD" ".*invalid rank")"; }

# each: openmpi mpich abi-openmpi abi-mpich
case_failed_outside_tasks() { fails "$1" outside '^loomp: rank 1: fatal error in MPI_Iprobe: .*invalid rank'; }

# all_unreturned: each error without a status has one line, and no other has any.
all_unreturned() {
    local call
    for call in MPIX_Detach MPIX_Detach_all TAMPI_Iwait "TAMPI_Irecv, rank 0, tag 6"; do
        [ "$(grep -cE "^loomp: rank 1: error that no status returns in $call, at unreturned.c:[0-9]+, in main.*: .*truncat" \
            "$scratch/err")" -eq 1 ] || return 1
    done
    [ "$status" -eq 0 ] && [ "$(wc -l <"$scratch/err")" -eq 4 ]
}

# each: openmpi mpich abi-openmpi abi-mpich
case_unreturned() {
    use "$1"
    program unreturned.c
    local threads
    for threads in 1 2; do
        export OMP_NUM_THREADS=$threads
        job 60 2 "$loomp" run "$program"
        expect "$library, $threads threads: errors that no status returns are reported" all_unreturned
    done
}

# leaves LIBRARY HOW: a process ends without MPI_Finalize, and the job with it, whichever thread makes the calls.
leaves() {
    local level
    use "$1"
    fails_program
    export OMP_NUM_THREADS=2
    for level in multiple serialized; do
        expect "$library, $level: if a rank $2, the job ends, and nobody is left" \
            retry 3 "MPICH's mpiexec loses what an aborting rank has printed" leaves_once "$level" "$2"
    done
}
leaves_once() {
    job 30 2 env LOOMP_MPI_THREAD_LEVEL="$1" "$loomp" run "$scratch/fails" "$2"
    failed_and_gone 'rank 1 leaves'
}

# each: openmpi mpich abi-openmpi abi-mpich
case_exits() { leaves "$1" exits; }

# each: openmpi mpich abi-openmpi abi-mpich
case_aborts() { leaves "$1" aborts; }

# Debian 13's mpiexec forgets in 3 runs of 10 that a rank was killed, with plain programs, too: its status is 0 then, and
# it says nothing.
forgets_killed_ranks() { [ "$maker" = mpich ] && "$hydra" --version | grep -qE '^ +Version: +4\.2\.[01]$'; }

# each: openmpi mpich abi-openmpi abi-mpich
case_killed() {
    run_fails "$1" killed
    if forgets_killed_ranks; then
        expect "$library: with a rank that was killed the job ends, and nobody is left" ended_and_gone
    else
        expect "$library: a rank that was killed is reported, and nobody is left" \
            failed_and_gone 'signal 9|killed: 9|bad termination'
    fi
}

# --- Waiting for long -----------------------------------------------------------------------------

# The last report of a job, in $err: an earlier one does not have all ranks if the machine is busy.
last_report() { err=$(tac "$scratch/err" | grep -a ^loomp: | sed '/ idle for /q' | tac); }

# reported: one rank has reported the calls of both.
reported() {
    local call lines=0
    last_report
    for call in "all 2 ranks have been idle for [0-9.]+ s: ranks wait for each other in a cycle: rank 0 for rank 1 \(MPI_" \
        "  if steps share a tag, a receive of another step may have taken the message: give each step a tag, or the tasks a dependence" \
        "  2 x MPI_Recv, at stuck.c:[0-9]+, in main._omp_fn.[0-9]+: rank 0 from rank 1, tag 100, MPI_COMM_WORLD; rank 1 from rank 0, tag 100, MPI_COMM_WORLD; for " \
        "  2 x MPI_Waitall for MPI_Irecv(_c)?, at stuck.c:[0-9]+, .*: rank 0 from any rank, tag 101, MPI_COMM_WORLD \(request 1 of 3\); rank 1 " \
        "  2 x MPI_Recv, .*: rank 0 from rank 1, tag 103, a communicator of 2 without a name; rank 1 " \
        "  2 x MPI_Probe, .*: rank 0 from any rank, tag 102, MPI_COMM_WORLD; rank 1 " \
        "  1 x MPI_Comm_dup, at stuck.c:[0-9]+, in main._omp_fn.[0-9]+: rank 0" \
        "  it is a hang, unless a thread that is not OpenMP's ends it"; do
        [ "$(grep -cE "^loomp: $call" <<<"$err")" -eq 1 ] || return 1
        lines=$((lines + 1))
    done
    [ "$status" -eq 0 ] && [ "$(wc -l <<<"$err")" -eq $lines ]
}

# each: openmpi mpich abi-openmpi abi-mpich
case_stuck() {
    use "$1"
    program stuck.c
    local threads
    for threads in 1 2; do
        export OMP_NUM_THREADS=$threads
        job 30 2 env LOOMP_REPORT_STUCK_AFTER=500ms "$loomp" run "$program" "$scratch/err"
        expect "$library, $threads threads: what tasks wait for is reported" reported
        attempt "nothing is reported while a thread computes" 30 2 "$threads" \
            env LOOMP_REPORT_STUCK_AFTER=500ms "$loomp" run "$program" busy
    done
}

# hang PROGRAM KIND [RANKS]: begins a job of three ranks, and ends it when the report has come, which is $err.
hang() {
    local launcher looks
    on_ranks "${3:-3}"
    : >"$scratch/err" # not by the job alone, which begins it later
    timeout -k 5 60 "${launcher[@]}" env LOOMP_REPORT_STUCK_AFTER=400ms "$loomp" run "$1" "$2" \
        >"$scratch/out" 2>"$scratch/err" </dev/null &
    for ((looks = 0; looks < 500; ++looks)); do
        ! grep -q "it is a hang" "$scratch/err" || break
        sleep 0.1
    done
    last_report
    kill $!
    wait $! || true
}

# culprit PROGRAM KIND PATTERN: it is on the first line of the report of this kind of hang.
culprit() {
    hang "$1" "$2"
    expect "$library, ${1##*/} $2: the first line names the culprit" grep -qE "idle for [0-9.]+ s: $3" <<<"${err%%$'\n'*}"
}

# fortran BINDINGS: hangs_fortran.f90 compiled for mpi_f08 (8), mpi (9) or mpif.h (0), it is $program.
fortran() {
    program=$made/hangs_fortran$1.$library
    once "${program##*/}" "mpifort.$library" -O1 -g -cpp "-DBINDINGS=$1" -fopenmp "$here/hangs_fortran.f90" -o "$program"
}
in_fortran() { at "! $1" hangs_fortran.f90; }

# Each kind of hang by one of the bindings, and a wait, whose place is behind the library's own, by all.
# each: openmpi mpich
# usual: 25
case_hangs_fortran() {
    local bindings received waited cycle
    use_debians "$1"
    [ -n "$gfortran" ] || left_out "gfortran is not installed"
    export OMP_NUM_THREADS=1
    received="\([Mm][Pp][Ii]_[Rr]ecv, $(in_fortran receives)" waited="\(MPI_Wait for (MPI_I|mpi_i)recv, $(in_fortran waits)\)"
    cycle="ranks wait for each other in a cycle: rank 0 for rank 1 $received\), rank 1 for rank 2 $waited, rank 2 for rank 0 $waited$"
    for bindings in 0 9 8; do
        fortran $bindings
        culprit "$program" cycle "$cycle"
        expect "$library, $bindings: a receive has its rank and tag" \
            grep -qE "^loomp:   1 x (MPI_R|mpi_r)ecv, .*: rank 0 from rank 1, tag 7, MPI_COMM_WORLD; for " <<<"$err"
        expect "$library, $bindings: a wait has those of its receive" \
            grep -qE "^loomp:   2 x MPI_Wait for (MPI_I|mpi_i)recv, .*: rank 1 from rank 2, tag 7, MPI_COMM_WORLD; " <<<"$err"
    done
    culprit "$program" tag "rank 1 sends tag 9999 to rank 0 \((MPI_S|mpi_s)send, $(in_fortran sends)\), which waits for tag 7 from rank 1 $received\)$"
    culprit "$program" missing "rank 0 receives from rank 1, tag 7 $received\), which sends nothing more: it is in MPI_Finalize$"
    culprit "$program" event "rank 1: nobody has fulfilled the event of a detached task, at hangs_fortran.f90:[0-9]+, in .*; 1 task depends on it"
    killed_in_fortran
    fortran 9
    culprit "$program" collective "ranks are in different collectives of twin: rank 0 \((MPI_B|mpi_b)arrier, $(in_fortran barrier)\), rank [12] \((MPI_B|mpi_b)cast, $(in_fortran bcast)\)$"
    culprit "$program" outside "rank 1 receives from rank 2, tag 7 $received, outside tasks\), which sends nothing more: it is in MPI_Finalize$"
    fortran 0
    culprit "$program" lock "rank 0: 1 task waits for a lock or critical section that nobody releases, at hangs_fortran.f90:"
    culprit "$program" order "rank 0 has several calls from rank 1, tag 7, MPI_COMM_WORLD, whose order nothing gives $received\)"
}

# A rank works for two seconds, and is killed then. Open MPI's launcher ends the others by a signal, which they answer.
killed_in_fortran() {
    job 30 3 env LOOMP_REPORT_STUCK_AFTER=400ms "$loomp" run "$program" killed
    expect "$library: ranks that wait for a busy one name it" \
        grep -qE "idle for [0-9.]+ s: rank [12] receives from rank 0, tag 7 $received\), which is not idle" <<<"$err"
    [ "$library" = mpich ] || expect "$library: ranks that wait for one that was killed name it" \
        grep -qE "idle for [0-9.]+ s: rank [12] waits for rank 0, which has ended $received\)" <<<"$err"
}

# at TEXT [FILE]: the place of the one line of hangs.c, or of the file, that has it.
at() {
    local file=${2:-hangs.c}
    echo "at $file:$(grep -nF -- "$1" "$here/$file" | cut -d : -f 1), in [A-Za-z._0-9]+"
}

# each: openmpi mpich
# usual: 25
case_hangs() {
    local received
    use "$1"
    program hangs.c
    export OMP_NUM_THREADS=2
    received="\(MPI_Recv, $(at "MPI_Recv(")\)"
    culprit "$program" tag "rank 1 sends tag 9999 to rank 0 \(MPI_Ssend, $(at "9999, MPI_COMM_WORLD); /* tag */")\), which waits for tag 7 from rank 1 $received"
    expect "$library: rare calls come first" grep -qE "^loomp:   1 x MPI_Ssend, .*: rank 1 to rank 0, tag 9999" <<<"$(sed -n 2p <<<"$err")"
    expect "$library: those at one place are on one line" grep -qE "^loomp:   10 x MPI_Recv, " <<<"$(sed -n 3p <<<"$err")"
    culprit "$program" early "rank 1 has sent tag 9999 to rank 0, which waits for tag 7 from rank 1 $received"
    culprit "$program" communicator "rank 1 sends tag 7 to rank 0 on twin \(MPI_Ssend, $(at "twin); /* communicator */")\), which waits on MPI_COMM_WORLD $received"
    culprit "$program" missing "rank 0 receives from rank 1, tag 7 $received, which sends nothing more: it is in MPI_Finalize"
    culprit "$program" request "rank 0 is in MPI_Wait for MPI_Irecv(_c)?, tag 5 \(rank 1 of another communicator\), $(at "MPI_Wait("), while all other ranks are in MPI_Finalize$"
    culprit "$program" cycle "ranks wait for each other in a cycle: rank 0 for rank 1 $received, rank 1 for rank 2 $received, rank 2 for rank 0 $received"
    culprit "$program" event "rank 1: nobody has fulfilled the event of a detached task, at hangs.c:[0-9]+, in main.*; 1 task depends on it"
    culprit "$program" lock "rank 0: 1 task waits for a lock or critical section that nobody releases, at hangs.c:"
    culprit "$program" collective "ranks are in different collectives of twin: rank 0 \(MPI_Barrier, .*\), rank [12] \(MPI_Bcast, "
    culprit "$program" order "rank 0 has several calls from rank 1, tag 7, MPI_COMM_WORLD, whose order nothing gives $received"
    culprit "$program" outside "rank 2 has not called the collective of MPI_COMM_WORLD in which rank 0 waits \(MPI_Barrier, $(at "MPI_Barrier(MPI_COMM_WORLD)"), outside tasks\): it is in MPI_Recv from rank 0, tag 7, MPI_COMM_WORLD, $(at "MPI_Recv("), outside tasks$"
    culprit "$program" requests "rank 0 waits for a message from rank 1, tag 0, MPI_COMM_WORLD or from rank 1, tag 1, MPI_COMM_WORLD \(MPI_Waitall for MPI_Irecv(_c)?, $(at "MPI_Waitall("), outside tasks\): no call of another rank fits$"
}

# each: openmpi mpich
case_outside() {
    use "$1"
    program outside.c
    export OMP_NUM_THREADS=2
    # Ranks that other work delays for long seem to hang.
    job 60 2 env LOOMP_REPORT_STUCK_AFTER=10ms "$loomp" run "$program"
    expect "$library: reports read calls outside tasks that end" [ "$status" -eq 0 ]
}

# each: openmpi mpich abi-openmpi abi-mpich
case_statistics() {
    use "$1"
    program many_receives.c
    export OMP_NUM_THREADS=2
    job 30 2 env LOOMP_STATS=1 "$loomp" run "$program" 10
    expect "$library: statistics are called by ranks" \
        [ "$(grep -o 'statistics of rank [01]$' "$scratch/err" | sort -u | wc -l)" -eq 2 ]
}
