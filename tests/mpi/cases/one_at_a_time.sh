# Calls made one at a time, and all by one thread: the programs, and how the MPI library is called then.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# at_level LEVEL LIBRARY: every program that runs on any number of ranks is called so.
at_level() {
    local level=$1 source watched
    use "$2"
    preload one_at_a_time.c
    watched=(env "LOOMP_MPI_THREAD_LEVEL=$level" "LD_PRELOAD=$preload")
    [ "$level" = serialized ] || watched+=(ONE_THREAD=1)
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
        attempt "$level, $source" 120 2 2 "${watched[@]}" "$loomp" run "$program"
    done
    program many_receives.c
    attempt "$level, many_receives" 60 1 1 "${watched[@]}" "$loomp" run "$program" 1000
    program rings.c
    attempt "$level, rings" 120 4 1 "${watched[@]}" "$loomp" run "$program"
}

# each: openmpi mpich abi-openmpi abi-mpich
case_serialized() { at_level serialized "$1"; }

# each: openmpi mpich abi-openmpi abi-mpich
case_funneled() { at_level funneled "$1"; }

# each: openmpi mpich abi-openmpi abi-mpich
case_errors_one_at_a_time() {
    local level watched
    use "$1"
    preload one_at_a_time.c
    fails_program
    export OMP_NUM_THREADS=1
    for level in serialized funneled; do
        watched=(env "LOOMP_MPI_THREAD_LEVEL=$level" "LD_PRELOAD=$preload")
        [ "$level" = serialized ] || watched+=(ONE_THREAD=1)
        job 60 2 "${watched[@]}" "$loomp" run "$scratch/fails" isend
        expect "$library, $level: errors name the program's call" \
            failed_and_gone "$(fatal "MPI_Isend, rank 99, tag 1, MPI_COMM_WORLD" ".*invalid rank")"
    done
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
case_unusual_libraries() {
    local cc libs
    use "$1"
    preload less_threads.c
    cat >level.c <<'END'
#include <mpi.h>
#include <omp.h>
int main(int argc, char **argv) {
    int level = -1;
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
        return 7;
    MPI_Finalize();
    return level >= MPI_THREAD_FUNNELED && omp_get_max_threads() > 0 ? 0 : 8;
}
END
    c_compiler
    run "${cc[@]}" -fopenmp level.c -o level "${libs[@]}"
    expect "the program is compiled" succeeded
    job 60 2 env LD_PRELOAD="$preload" PRETENDS=funneled "$loomp" run ./level
    expect "$library: less than MPI_THREAD_SERIALIZED is said, with what that means" eval '[ "$status" -eq 0 ] &&
        grep -q "^loomp: this MPI library provides less than MPI_THREAD_SERIALIZED: MPI calls in tasks hold their threads" \
            "$scratch/err"'
    job 60 1 env LD_PRELOAD="$preload" PRETENDS=alone LOOMP_MPI_THREAD_LEVEL=funneled "$loomp" run ./level
    expect "$library: without a thread for all MPI calls, the reason is said" \
        eval '[ "$status" -eq 7 ] && grep -q "the system has no thread left that could make all MPI calls" "$scratch/err"'
    job 60 2 env -u OMPI_MCA_btl LD_PRELOAD="$preload" PRETENDS=version "$loomp" run ./level
    expect "$library: Open MPI v6.0.0rc9 is known to lose messages, which rank 0 says" \
        eval '[ "$status" -eq 0 ] && complains "loses messages between threads"'
    program many_receives.c
    export OMP_NUM_THREADS=2
    job 60 2 env LD_PRELOAD="$preload" PRETENDS=full "$loomp" run "$program" 1000
    expect "$library: without memory for requests, the reason is said" \
        eval '[ "$status" -ne 0 ] && grep -q "^loomp: out of memory: pending MPI requests" "$scratch/err"'
}
