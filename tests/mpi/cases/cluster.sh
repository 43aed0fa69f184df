# The test cluster of bench/cluster, and MPI programs on it.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

cluster=$root/bench/cluster

# on_cluster COMMAND...: captured; where there can be no cluster, the case is left out.
on_cluster() {
    capture "$root/tests/within" 60 "$cluster/run" --latency 2000 --rate 500 "$@"
    [ "$status" -ne 77 ] || left_out "${out#skipped: }"
}

case_cluster_runs_a_command() {
    on_cluster true
    expect "the cluster runs a command" quiet_success
    on_cluster sh -c 'exit 3'
    expect "its status is the command's" [ "$status" -eq 3 ]
}

# each: openmpi mpich
case_cluster_is_as_slow_as_set() {
    local threads
    use_debians "$1"
    program wire.c
    for threads in 1 2; do
        export OMP_NUM_THREADS=$threads
        on_cluster "$cluster/mpirun" "$library" 2 "$loomp" run "$program" 2000 500
        expect "$library, $threads threads: the wire is as slow as it was set" quiet_success
    done
}

# each: openmpi mpich
case_cluster_cholesky() {
    use_applications "$1"
    export OMP_NUM_THREADS=2
    on_cluster "$cluster/mpirun" "$library" 2 "$loomp" run "$build/bin/cholesky-$library-gcc" --n 200 --tile 32
    expect "$library: cholesky on the cluster" has_passed
}

# ended_by SIGNAL: its wire has a latency that no other has.
ended_by() {
    local latency=$((100000 + $$)) script left
    on_cluster true
    "$cluster/run" --latency "$latency" --rate 500 sleep 300 >/dev/null 2>&1 &
    script=$!
    wires() { pgrep -fc "^[^ ]*/build/bench/wire $latency 500 " || true; }
    until [ "$(wires)" -gt 0 ]; do sleep 0.1; done
    kill -"$1" "$script"
    wait "$script" 2>/dev/null
    for _ in {1..10}; do
        sleep 0.1
        left=$(wires)
        [ "$left" -gt 0 ] || break
    done
    out="$left left" err=
    expect "ended by $1, the cluster leaves nothing" [ "$left" -eq 0 ]
}
case_cluster_ended_by_TERM() { ended_by TERM; }
case_cluster_ended_by_KILL() { ended_by KILL; }
