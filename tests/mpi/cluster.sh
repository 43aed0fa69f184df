# The test cluster of bench/cluster, and MPI programs on it: for tests/mpi/run, as apps.sh.
# shellcheck shell=bash disable=SC2154

cluster=$here/../../bench/cluster

on_cluster() { timeout --signal=KILL 60 "$cluster/run" --latency 2000 --rate 500 "$@"; }

# Its processes, by the switch that each has.
wires() { pgrep -fc "^[^ ]*/build/bench/wire 2000 500 " || true; }

test_cluster() {
    local library wanted
    capture on_cluster true
    if [ "$status" -eq 77 ]; then
        echo "$out"
        return
    fi
    expect "the cluster runs a command" quiet_success
    capture on_cluster sh -c 'exit 3'
    expect "its status is the command's" [ "$status" -eq 3 ]
    for library in openmpi mpich; do
        [ -e "$scratch/wire.$library" ] || continue
        for wanted in 1 2; do
            export OMP_NUM_THREADS=$wanted
            capture on_cluster "$cluster/mpirun" "$library" 2 "$loomp" run "$scratch/wire.$library" 2000 500
            expect "$library, $wanted threads: the wire is as slow as it was set" quiet_success
        done
        capture on_cluster "$cluster/mpirun" "$library" 2 "$loomp" run \
            "$build/bin/cholesky-$library-gcc" --n 200 --tile 32
        expect "$library: cholesky on the cluster" has_passed
    done
    local script signal left
    for signal in TERM KILL; do
        "$cluster/run" --latency 2000 --rate 500 sleep 300 >/dev/null 2>&1 &
        script=$!
        until [ "$(wires)" -gt 0 ]; do sleep 0.1; done
        kill -"$signal" "$script"
        wait "$script" 2>/dev/null
        sleep 1
        left=$(wires)
        out="$left left" err=
        expect "ended by $signal, it leaves nothing" [ "$left" -eq 0 ]
    done
}
