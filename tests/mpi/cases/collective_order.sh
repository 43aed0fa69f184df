# Which collectives ranks call: with LOOMP_MPI_CHECK, ranks that call different ones are reported.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# reports LINE: this line alone is loomp's, and the job has failed.
reports() {
    [ "$status" -ne 0 ] && ! hung && [ "$(grep -c '^loomp: ' "$scratch/err")" -eq 1 ] && grep -qE "^loomp: $1" "$scratch/err"
}

# different RANK0S RANK1S PLACE
different() {
    reports "ranks call different collectives, MPI_COMM_WORLD: rank 0 calls $1, (in [a-z_]+, )?at $3.*; rank 1 calls $2, (in [a-z_]+, )?at $3.*; \
all ranks must call the collectives of a communicator in the same order, and tasks need dependences for that"
}

# each: openmpi mpich abi-openmpi abi-mpich
case_collective_order() {
    local source
    use "$1"
    program collective_order.c
    job 60 3 env LOOMP_MPI_CHECK=true "$loomp" run "$program"
    expect "$library: different collectives are reported" different MPI_Allreduce MPI_Bcast 'collective_order.c:[0-9]+, in '
    for source in mixed_collectives.c calls.c nonblocking_collectives.c held_up.c same_results.c error_handlers.c; do
        program "$source"
        attempt "$source is right" 120 2 2 env LOOMP_MPI_CHECK=true "$loomp" run "$program"
    done
}

# each: openmpi mpich
case_collective_order_fortran() {
    use_debians "$1"
    program collective_order_fortran.f90
    export OMP_NUM_THREADS=1
    job 60 2 env LOOMP_MPI_CHECK=true "$loomp" run "$program"
    expect "$library: different collectives are reported" \
        different '(mpi|MPI)_(allreduce|Allreduce)' '(mpi|MPI)_(barrier|Barrier)' ''
    program fortran.f90
    attempt "fortran.f90 is right" 120 2 1 env LOOMP_MPI_CHECK=true "$loomp" run "$program"
}

# A callback runs in a poller, which no task may wait in.
# each: openmpi mpich
case_collective_in_callback() {
    use "$1"
    program collective_in_callback.c
    attempt "a collective in a callback" 60 2 1 "$loomp" run "$program"
    job 60 2 env LOOMP_MPI_CHECK=true "$loomp" run "$program"
    expect "$library: two collectives at the same time are reported" \
        reports "rank 0: MPI_Barrier, MPI_COMM_WORLD, (in [a-z_]+, )?at collective_in_callback.c:[0-9]+.*: another collective of this communicator has not ended; "
}
