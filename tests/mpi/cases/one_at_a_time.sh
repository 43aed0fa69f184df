# Calls made one at a time: the programs, and how the MPI library is called then.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# each: openmpi mpich abi-openmpi abi-mpich
case_serialized() {
    local source watched
    use "$1"
    preload one_at_a_time.c
    watched=(env LOOMP_MPI_THREAD_LEVEL=serialized "LD_PRELOAD=$preload")
    for source in $(sed -nE 's/^ +run_on_ranks [0-9]+ ([^ ]+).*/\1/p' "$here/cases/programs.sh"); do
        case $source in
        mpi4.c) [ "$library" != openmpi ] || continue ;; # see case_mpi4
        # Fortran's own nonblocking calls and tests do not pass the gate yet (docs/mpi.md).
        completion_fortran.f90) continue ;;
        *.f90) [ "$layer" != abi ] && [ -z "$folder" ] || continue ;;
        esac
        if [ "${#sanitize[@]}" -gt 0 ]; then
            # MPICH 4.0 itself loses a message of MPI_Neighbor_alltoallw() in a process with AddressSanitizer, without
            # loomp, too. Each stack takes a MiB there, so that 1000 tasks in MPI, below, are enough.
            [ "$maker $source" != "mpich fortran.f90" ] && [ "$source" != many_receives.c ] || continue
        fi
        program "$source"
        attempt "$source" 120 2 2 "${watched[@]}" "$loomp" run "$program"
    done
    # Threads that wait inside the library.
    program callbacks.c
    attempt "callbacks.c with nested regions" 60 2 2 "${watched[@]}" OMP_MAX_ACTIVE_LEVELS=2 "$loomp" run "$program"
    program many_receives.c
    attempt many_receives 60 1 1 "${watched[@]}" "$loomp" run "$program" 1000
    program rings.c
    attempt rings 120 4 1 "${watched[@]}" "$loomp" run "$program"
}

# each: openmpi mpich abi-openmpi abi-mpich
case_errors_one_at_a_time() {
    use "$1"
    preload one_at_a_time.c
    fails_program
    export OMP_NUM_THREADS=1
    job 60 2 env LOOMP_MPI_THREAD_LEVEL=serialized LD_PRELOAD="$preload" "$loomp" run "$scratch/fails" isend
    expect "$library: errors name the program's call" \
        failed_and_gone "$(fatal "MPI_Isend, rank 99, tag 1, MPI_COMM_WORLD" ".*invalid rank")"
}

# each: openmpi mpich abi-openmpi abi-mpich
case_less_threads() {
    use "$1"
    preload less_threads.c
    program many_receives.c
    export OMP_NUM_THREADS=2
    job 60 2 env LD_PRELOAD="$preload" "$loomp" run "$program" 1000
    expect "$library: MPI_THREAD_SERIALIZED, if the library provides no more, is called so, and rank 0 says it" \
        eval '[ "$status" -eq 0 ] && complains "provides MPI_THREAD_SERIALIZED only"'
}

# each: openmpi mpich abi-openmpi abi-mpich
case_provided_level() {
    local wanted
    use "$1"
    program provided_level.c
    attempt "the highest level" 60 2 2 "$loomp" run "$program" all
    export LOOMP_MPI_PROVIDED_LEVEL=required
    for wanted in funneled serialized init; do
        attempt "the level $wanted" 60 2 2 "$loomp" run "$program" "$wanted"
    done
    LOOMP_MPI_THREAD_LEVEL=serialized attempt "the level funneled, one call at a time" 60 2 2 "$loomp" run "$program" funneled
}

# each: openmpi mpich abi-openmpi abi-mpich
case_unusual_libraries() {
    local cc libs
    use "$1"
    preload less_threads.c
    cat >level.c <<'END'
#include <mpi.h>
#include <omp.h>
#include <unistd.h>
/* Whether another task ran while one was in a call that waits for a late message. */
static int another_ran_meanwhile(int rank) {
    int inside = 0, seen = 0, message = 1;
    if (rank == 1) {
        usleep(50000);
        return MPI_Send(&message, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
#pragma omp parallel num_threads(1)
    {
#pragma omp task shared(inside) firstprivate(message)
        {
            inside = 1;
            MPI_Recv(&message, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            inside = 0;
        }
#pragma omp task shared(inside, seen)
        seen = inside;
    }
    return seen;
}
int main(int argc, char **argv) {
    int level = -1, rank = -1, seen;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
        return 7;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    seen = another_ran_meanwhile(rank);
    MPI_Finalize();
    return level >= MPI_THREAD_FUNNELED && seen == (rank == 0 && level == MPI_THREAD_MULTIPLE) ? 0 : 8;
}
END
    c_compiler
    run "${cc[@]}" -fopenmp level.c -o level "${libs[@]}"
    expect "the program is compiled" succeeded
    job 60 2 env LD_PRELOAD="$preload" PRETENDS=funneled "$loomp" run ./level
    expect "$library: if it provides MPI_THREAD_FUNNELED only, rank 0 says what that means, and calls hold their threads" \
        eval '[ "$status" -eq 0 ] &&
            complains "MPI_Init: this MPI library provides MPI_THREAD_FUNNELED only: only the thread that called MPI_Init may"'
    job 60 2 env -u OMPI_MCA_btl LD_PRELOAD="$preload" PRETENDS=version "$loomp" run ./level
    expect "$library: Open MPI v6.0.0rc9 is known to lose messages, which rank 0 says" \
        eval '[ "$status" -eq 0 ] && complains "loses messages between threads"'
    program many_receives.c
    export OMP_NUM_THREADS=2
    job 60 2 env LD_PRELOAD="$preload" PRETENDS=full "$loomp" run "$program" 1000
    expect "$library: without memory for requests, the reason is said" \
        eval '[ "$status" -ne 0 ] && grep -q "^loomp: out of memory: pending MPI requests" "$scratch/err"'
}
