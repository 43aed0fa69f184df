# Jobs whose programs differ, and jobs that meet other jobs: with the layer in some processes or in all of them, the
# collectives give the same.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# two_programs RANKS COMMAND...: captured; the job is these ranks, and another one of the command $last.
two_programs() {
    local launcher environment=()
    on_ranks "$1"
    [ -z "$library_path" ] || environment=(env "LD_LIBRARY_PATH=$library_path")
    capture "$root/tests/within" --stacks 60 "${launcher[@]}" "${@:2}" : -n 1 "${environment[@]}" "${last[@]}"
}

# without_openmp SOURCE: compiled without OpenMP once for each library, it is $without.
without_openmp() {
    without=$made/${1%.*}_without_openmp.$library
    once "${without##*/}" compile_without_openmp "$1" "$without"
}

# compile_without_openmp SOURCE BINARY
compile_without_openmp() {
    local cc libs
    c_compiler
    "${cc[@]}" -O1 -g -Wall -Wextra -Wno-unknown-pragmas "${sanitize[@]}" "$here/$1" -o "$2" "${libs[@]}"
}

# is_reported RANKS: one line names the last rank, which has no layer, and nothing else is said.
is_reported() {
    [ "$status" -eq 0 ] && [ "$(wc -l <"$scratch/err")" -eq 1 ] && [ ! -s "$scratch/out" ] &&
        grep -qE "^loomp: 1 of $1 ranks \(the first is rank $(($1 - 1))\) lack the MPI layer, because " "$scratch/err"
}

# each: openmpi mpich abi-openmpi abi-mpich
case_several_programs() {
    local ranks numbers
    use "$1"
    program several_programs.c
    for numbers in 1x1 3x2; do
        ranks=${numbers%x*}
        export OMP_NUM_THREADS=${numbers#*x}
        last=("$loomp" run "$program" plain)
        two_programs "$ranks" "$loomp" run "$program"
        expect "$library, $ranks + 1 ranks, $OMP_NUM_THREADS threads: all have the layer" quiet_success
        last=("$program" plain)
        two_programs "$ranks" "$loomp" run "$program"
        expect "$library, $ranks + 1 ranks, $OMP_NUM_THREADS threads: the last has no layer" is_reported $((ranks + 1))
    done
    last=("$loomp" run --plain-mpi "$program" plain)
    two_programs 1 "$loomp" run "$program"
    expect "$library: the last has --plain-mpi" is_reported 2
    LOOMP_MPI_CHECK=true two_programs 1 "$loomp" run "$program"
    expect "$library: collectives with it are not checked" is_reported 2
}

# each: openmpi mpich abi-openmpi abi-mpich
case_several_programs_without_openmp() {
    local ranks numbers without
    use "$1"
    program several_programs.c
    without_openmp several_programs.c
    for numbers in 1x1 3x2; do
        ranks=${numbers%x*}
        export OMP_NUM_THREADS=${numbers#*x}
        last=("$loomp" run "$without")
        two_programs "$ranks" "$loomp" run "$without"
        expect "$library, $ranks + 1 ranks: programs without OpenMP" quiet_success
        last=("$without")
        two_programs "$ranks" "$loomp" run "$without"
        expect "$library, $ranks + 1 ranks: the last has no layer, and no others have tasks" quiet_success
    done
    program mixed_collectives.c
    without_openmp mixed_collectives.c
    for OMP_NUM_THREADS in 1 2; do
        last=("$loomp" run "$without")
        two_programs 2 "$loomp" run "$program"
        expect "$library, $OMP_NUM_THREADS threads: a program with OpenMP and one without it" quiet_success
        LOOMP_MPI_CHECK=true two_programs 2 "$loomp" run "$program"
        expect "$library, $OMP_NUM_THREADS threads: their collectives are checked" quiet_success
    done
    # Communicators without the last rank make their calls like a job without it, in serialized mode, too.
    program half_with_tasks.c
    without_openmp half_with_tasks.c
    last=("$loomp" run "$without")
    LOOMP_MPI_THREAD_LEVEL=serialized OMP_NUM_THREADS=1 two_programs 2 "$loomp" run "$program"
    expect "$library: makers of communicators at one call at a time" quiet_success
    program mixed_collectives.c
    without_openmp mixed_collectives.c
    # A script starts it, and the layer is chosen during the run.
    last=("$loomp" run --quiet sh -c "$without; exit")
    two_programs 1 "$loomp" run "$program"
    expect "$library: a script starts the last" quiet_success
}

# The launcher's words of an enclosing job of the other library count for nothing.
# each: openmpi mpich
case_several_programs_inside_another_job() {
    local enclosing=(OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=2 OMPI_COMM_WORLD_LOCAL_RANK=0 PMIX_NAMESPACE=1) without
    use "$1"
    [ "$maker" = mpich ] || enclosing=(PMI_RANK=0 MPI_LOCALNRANKS=2 MPI_LOCALRANKID=0 PMI_SPAWNED=1)
    export OMP_NUM_THREADS=1
    program mixed_collectives.c
    without_openmp mixed_collectives.c
    job 60 2 env "${enclosing[@]}" "$loomp" run "$program"
    expect "$library: all have tasks" quiet_success
    last=(env "${enclosing[@]}" "$loomp" run "$without")
    two_programs 1 env "${enclosing[@]}" "$loomp" run "$program"
    expect "$library: one has no OpenMP" quiet_success
    # Words of the same library that are another job's: one rank has the number that they say.
    enclosing=(OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=3)
    [ "$maker" = openmpi ] || enclosing=(MPI_LOCALNRANKS=3)
    job 60 2 env "${enclosing[@]}" "$loomp" run "$program"
    expect "$library: an unknown place" quiet_success
}

# Ranks that cannot find each other keep the library's collectives if all are one program without OpenMP.
# each: openmpi
case_one_program_without_openmp() {
    local without
    use "$1"
    without_openmp mixed_collectives.c
    last=("$without")
    two_programs 1 env -u OMPI_COMM_WORLD_LOCAL_SIZE OMPI_NUM_APP_CTX=1 "$loomp" run "$without"
    expect "$library: blocking collectives match" quiet_success
}

# The words that a program without OpenMP prints are its own.
# each: openmpi mpich abi-openmpi abi-mpich
case_without_openmp() {
    local plain without
    use "$1"
    export LOOMP_SPREAD_RANKS=true OMP_NUM_THREADS=1
    program without_openmp.c
    without_openmp without_openmp.c
    job 60 2 "$without"
    plain=$out
    expect "$library: without loomp" [ "$(grep -c '^level' <<<"$plain")" -eq 2 ]
    job 60 2 env OMP_DISPLAY_ENV=true LOOMP_STATS=true LOOMP_SPIN=wrong "$loomp" run "$without"
    expect "$library: a job without OpenMP" [ "$out/$err" = "$plain/" ]
    last=(env OMP_DISPLAY_ENV=true LOOMP_STATS=true LOOMP_SPIN=wrong "$loomp" run "$without")
    two_programs 1 "$loomp" run "$program"
    expect "$library: the other program has tasks" [ "$out/$err" = "${plain#*$'\n'}/" ]
    last=("$loomp" run "$without")
    LOOMP_MPI_THREAD_LEVEL=serialized two_programs 1 "$loomp" run "$program"
    expect "$library: it makes one call at a time" [ "$out/$err" = "${plain#*$'\n'}/" ]
}

# each: openmpi mpich
case_several_programs_fortran() {
    use_debians "$1"
    program several_programs_fortran.f90
    export OMP_NUM_THREADS=1
    last=("$program" plain)
    two_programs 1 "$loomp" run "$program"
    expect "$library: the last has no layer" is_reported 2
    last=("$loomp" run "$program" plain)
    two_programs 2 "$loomp" run "$program"
    expect "$library: all have the layer" quiet_success
    LOOMP_MPI_CHECK=true two_programs 2 "$loomp" run "$program"
    expect "$library: collectives are checked" quiet_success
    program split_in_fortran.f90
    fortran=$program
    program split_in_c.c
    last=("$loomp" run "$fortran")
    LOOMP_MPI_CHECK=true two_programs 1 "$loomp" run "$program"
    expect "$library: communicators that C and Fortran make together are checked" quiet_success
}

# MPI_Init waits for a rank that is late. Open MPI may be set up so that it need not.
# each: openmpi mpich abi-openmpi abi-mpich
case_late_ranks() {
    use "$1"
    program several_programs.c
    export OMP_NUM_THREADS=1
    # shellcheck disable=SC2016 # the script's
    last=(sh -c 'sleep 1 && exec "$@"' - "$loomp" run "$program" plain)
    two_programs 1 "$loomp" run "$program"
    expect "$library: MPI_Init waits for a rank" quiet_success
    if [ "$maker" = openmpi ]; then
        export OMPI_MCA_async_mpi_init=true
        two_programs 1 "$loomp" run "$program"
        expect "$library: MPI_Init need not wait" quiet_success
    fi
}

# MPICH as Debian builds it, with ucx, starts no processes from a program.
# each: openmpi abi-openmpi
case_other_jobs() {
    local threads start
    use "$1"
    for threads in 1 2; do
        export OMP_NUM_THREADS=$threads
        for start in "" "$loomp run"; do
            program other_jobs.c
            # shellcheck disable=SC2086
            job 60 1 "$loomp" run "$program" $start "$program"
            expect "$library, $threads threads: processes that are spawned by '$start'" \
                eval '[ "$status" -eq 0 ] && grep -q "MPI_Allreduce with processes of another job" "$scratch/err"'
            program bridged_jobs.c
            # shellcheck disable=SC2086
            job 60 2 "$loomp" run "$program" $start "$program"
            expect "$library, $threads threads: processes that another rank has spawned by '$start'" \
                eval '[ "$status" -eq 0 ] && grep -q "MPI_Barrier with processes of another job" "$scratch/err"'
        done
    done
}
