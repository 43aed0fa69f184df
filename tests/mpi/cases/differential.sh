# Random calls of MPI give what they give without the layer: the files of differential.c and differential_fortran.f90 are the same. Each round has its seed.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# same_results RANKS STEPS SEED: without the layer, then in tasks on all ranks, and on every other one.
same_results() {
    local ranks=$1 steps=$2 seed=$3 mode i
    export OMP_NUM_THREADS=2
    job 120 "$ranks" "$program" "$scratch/plain" "$seed" "$steps" outside
    if ! quiet_success; then
        expect "$library, $ranks ranks, seed $seed: the program runs without the layer" false
        return
    fi
    for mode in outside task mixed; do
        attempt "$steps calls, seed $seed, $mode" 120 "$ranks" 2 "$loomp" run "$program" "$scratch/$mode" "$seed" "$steps" "$mode"
        for ((i = 0; i < ranks; ++i)); do
            run diff -U 5 "$scratch/plain.$i" "$scratch/$mode.$i"
            expect "$library, $ranks ranks, seed $seed, $mode: rank $i has the same results" [ "$status" -eq 0 ]
        done
    done
}

same_results_at_night() {
    local seed
    for ((seed = 1; seed <= 10; ++seed)); do
        same_results 1 500 "$seed"
        same_results 2 500 "$seed"
        same_results 4 300 "$seed"
    done
    same_results 8 200 "$seed"
}

# each: openmpi mpich abi-openmpi abi-mpich
case_differential() {
    use "$1"
    program differential.c
    same_results 1 150 1
    same_results 2 120 2
    same_results 3 60 3
}

# each: openmpi mpich
case_differential_fortran() {
    use_debians "$1"
    program differential_fortran.f90
    same_results 1 150 1
    same_results 3 100 3
}

# each: openmpi mpich abi-openmpi abi-mpich
# nightly
# usual: 250
case_differential_at_night() {
    use "$1"
    program differential.c
    same_results_at_night
}

# each: openmpi mpich
# nightly
# usual: 250
case_differential_fortran_at_night() {
    use_debians "$1"
    program differential_fortran.f90
    same_results_at_night
}
