# MPI inside tasks: each program of this folder by `loomp run`, mostly on 1, 2 and 4 ranks of 1 and 2 threads. Silence and
# status 0 are success. REPETITIONS=N in the environment: each program does N times what it does, but what MPI allows
# once.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

within=${REPETITIONS:-1}

# run_on_ranks SECONDS SOURCE [RANKSxTHREADS...]: on those numbers only, if there are any.
run_on_ranks() {
    local seconds=$1 source=$2 numbers ranks arguments=()
    program "$source"
    shift 2
    [ $# -gt 0 ] || set -- 1x1 1x2 2x1 2x2 4x1 4x2
    for numbers; do
        ranks=${numbers%x*}
        [ "$source" != many_receives.c ] || arguments=($((ranks < 4 && within == 1 ? 10000 : 2000)))
        # Under AddressSanitizer each stack takes a MiB.
        [ "$source" != many_receives.c ] || [ "${#sanitize[@]}" -eq 0 ] || arguments=(500)
        LOOMP_REPORT_STUCK_AFTER=30s attempt "$source" $((seconds + 10 * within)) "$ranks" "${numbers#*x}" \
            "$loomp" run "$program" "${arguments[@]}"
    done
}

# each: openmpi mpich abi-openmpi abi-mpich
case_many_receives() {
    use "$1"
    run_on_ranks 120 many_receives.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_calls() {
    use "$1"
    run_on_ranks 60 calls.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_held_up() {
    use "$1"
    run_on_ranks 60 held_up.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_mixed_collectives() {
    use "$1"
    run_on_ranks 60 mixed_collectives.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_same_results() {
    use "$1"
    run_on_ranks 60 same_results.c 1x1 2x2 3x1 4x2
}

# each: openmpi mpich abi-openmpi abi-mpich
case_rounding() {
    use "$1"
    export LOOMP_MPI_COLLECTIVES=blocking
    run_on_ranks 60 rounding.c 3x1 4x2
}

# each: openmpi mpich abi-openmpi abi-mpich
case_callbacks() {
    use "$1"
    run_on_ranks 60 callbacks.c 1x1 2x1 2x2
    export OMP_MAX_ACTIVE_LEVELS=2
    run_on_ranks 60 callbacks.c 2x2
}

# each: openmpi mpich abi-openmpi abi-mpich
case_past_the_layer() {
    use "$1"
    program past_the_layer.c
    job 60 1 "$loomp" run "$program"
    expect "$library: MPI_Init through a handle is reported once" eval 'succeeded && complains "MPI_Init was called past the MPI layer, "'
}

# each: openmpi mpich abi-openmpi abi-mpich
case_rings() {
    use "$1"
    run_on_ranks 60 rings.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_tampi() {
    use "$1"
    run_on_ranks 60 tampi.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_detach() {
    use "$1"
    run_on_ranks 60 detach.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_graph() {
    use "$1"
    run_on_ranks 60 graph.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_completion() {
    use "$1"
    run_on_ranks 60 completion.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_wildcards() {
    use "$1"
    run_on_ranks 60 wildcards.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_tampi_calls() {
    use "$1"
    run_on_ranks 60 tampi_calls.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_returned_errors() {
    use "$1"
    run_on_ranks 60 returned_errors.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_error_handlers() {
    use "$1"
    run_on_ranks 60 error_handlers.c 1x2 2x1 2x2
}

# each: openmpi mpich abi-openmpi abi-mpich
case_blocking() {
    use "$1"
    run_on_ranks 60 blocking.c
}

# each: openmpi mpich abi-openmpi abi-mpich
case_ways_of_messages() {
    use "$1"
    run_on_ranks 60 ways_of_messages.c 2x1 3x2
}

# each: openmpi mpich abi-openmpi abi-mpich
case_nonblocking_collectives() {
    use "$1"
    run_on_ranks 60 nonblocking_collectives.c 2x1 3x2
}

# MPICH as Debian builds it, with ucx, has no ports, and starts no processes from a program.
# each: openmpi mpich abi-openmpi abi-mpich
case_processes() {
    use "$1"
    local others=()
    [ "$maker" != openmpi ] || others=(others)
    program processes.c
    attempt "processes.c" 60 2 1 "$loomp" run "$program" "${others[@]}"
}

# Only Open MPI, as above. It reaches processes of another job by TCP.
# each: openmpi
case_processes_fortran() {
    use_debians "$1"
    program processes_fortran.f90
    export OMPI_MCA_btl=self,vader,tcp
    attempt "processes_fortran.f90" 60 2 1 "$loomp" run "$program"
}

# each: openmpi
case_chosen_algorithm() {
    use "$1"
    program chosen_algorithm.c
    attempt "the layer chooses the algorithm of sums" 30 1 1 "$loomp" run "$program" 4
    export OMPI_MCA_coll_libnbc_iallreduce_algorithm=3
    attempt "the user chooses the algorithm of sums" 30 1 1 "$loomp" run "$program" 3
}

# Open MPI has not all of MPI 4 before 6.
# each: mpich abi-openmpi abi-mpich
case_mpi4() {
    use "$1"
    run_on_ranks 60 mpi4.c
}

# each: openmpi mpich
case_fortran() {
    use_debians "$1"
    run_on_ranks 60 fortran.f90
}

# each: openmpi mpich
case_completion_fortran() {
    use_debians "$1"
    run_on_ranks 60 completion_fortran.f90
}

# each: openmpi mpich
case_tampi_calls_fortran() {
    use_debians "$1"
    run_on_ranks 60 tampi_calls_fortran.f90
}

# clang's programs call the runtime by other names.
# each: openmpi mpich
case_many_receives_by_clang() {
    use_debians "$1"
    [ -n "$clang" ] || left_out "no clang is installed with its OpenMP library"
    program=$made/many_receives_by_clang.$library
    once "${program##*/}" env OMPI_CC="$clang" MPICH_CC="$clang" "$mpicc" -fopenmp "${sanitize[@]}" "-I$dev/include" "-L$dev/lib" \
        "$here/many_receives.c" -o "$program"
    attempt "many_receives by clang" 60 2 1 "$loomp" run "$program" 1000
}

# Linking does as well as `loomp run`.
# each: openmpi mpich abi-openmpi abi-mpich
case_linked() {
    local cc libs
    use "$1"
    c_compiler
    run "${cc[@]}" -O1 -fopenmp "$here/many_receives.c" -o linked -L"$build/lib" "-lloomp-mpi-$layer" \
        -Wl,-rpath,"$build/lib/compat:$build/lib" "${libs[@]}"
    expect "$library: a program links with -lloomp-mpi-$layer" [ "$status" -eq 0 ]
    attempt "many_receives, linked" 60 2 1 env LD_LIBRARY_PATH="$build/lib/compat${library_path:+:$library_path}" ./linked 1000
}

# Every program that is here runs.
case_all_programs() {
    local source
    for source in "$here"/*.c "$here"/*.f90; do
        expect "$(basename "$source") is in a case" grep -qw "$(basename "$source")" "$here"/cases/*.sh
    done
}
