# Programs that hang on the stock runtimes, which hold a thread for each blocked task: one for each of them. The demo
# shows the same of one program on both (tests/demo).
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# far_longer: seconds in which the last command, which began at $began, would have run four times, and at least 2.
far_longer() {
    awk -v began="$began" -v ended="$EPOCHREALTIME" 'BEGIN { t = 4 * (ended - began); print t < 2 ? 2 : t }'
}

# many_receives, by MPI; Open MPI, or MPICH.
case_hangs_on_libgomp() {
    local library=openmpi began launcher
    [ -e "$build/lib/libloomp-mpi-openmpi.so" ] || library=mpich
    use "$library"
    program many_receives.c
    began=$EPOCHREALTIME
    attempt "many_receives on loomp" 60 2 2 "$loomp" run "$program" 300
    on_ranks 2
    capture "$root/tests/within" "$(far_longer)" "${launcher[@]}" "$program" 300
    expect "$library: many_receives hangs on libgomp" hung
}

case_hangs_on_libomp() {
    local threads began
    [ -n "$clang" ] || left_out "no clang is installed with its OpenMP library"
    run "$clang" -O1 -fopenmp "-I$dev/include" "-L$dev/lib" "$here/deadlock.c" -o deadlock
    expect "the thesis' program compiles" succeeded
    for threads in 1 2; do
        began=$EPOCHREALTIME
        run "$loomp" run -t "$threads" ./deadlock
        expect "the thesis' program ends on loomp, $threads threads" succeeded
    done
    capture "$root/tests/within" "$(far_longer)" env OMP_NUM_THREADS=2 ./deadlock
    expect "the thesis' program hangs on libomp" hung
}
