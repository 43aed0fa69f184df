# The applications over ranks, against their independent answers; and forms that must agree bit for bit do. The rows of a
# case alternate between the compilers, and begin with another one for each MPI library: so every option is tried with
# each library and with each compiler, and every number of ranks with each compiler.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# use_applications LIBRARY [hdf5]: their programs are NAME-$library-$one and NAME-$library-$other.
use_applications() {
    use_debians "$1"
    one=gcc other=clang
    [ "$library" = openmpi ] || one=clang other=gcc
    [ -e "$build/bin/cholesky-$library-gcc" ] || left_out "the applications are not built for $library (libopenblas-serial-dev)"
    [ -e "$build/bin/cholesky-$library-clang" ] || left_out "the applications are not built by clang"
    [ "${2:-}" != hdf5 ] || pkg-config --exists "hdf5-$library" || left_out "libhdf5-$library-dev is not installed"
}

has_passed() { [ "$status" -eq 0 ] && [ "${out##*$'\n'}" = PASS ] && [ -z "$err" ]; }
checksum() { sed -nE 's/^checksum: +//p' <<<"$out"; }

# agrees KEY: the checksum is that of all runs with this key, those of other cases, too.
agrees() {
    local file=$made/checksums/$1 sum
    sum=$(checksum)
    mkdir -p "${file%/*}"
    (
        flock 9
        [ -s "$file" ] || [ -z "$sum" ] || echo "$sum" >"$file"
    ) 9>"$file.lock"
    [ -n "$sum" ] && [ "$sum" = "$(cat "$file")" ]
}

# application DESCRIPTION KEY RANKS THREADS PROGRAM ARGUMENT...: it passes, with the checksum of all runs with this KEY.
application() {
    local description=$1 key=$2 ranks=$3 program=$5-$library-$6
    export OMP_NUM_THREADS=$4
    shift 6
    # One that hangs says what its tasks wait for.
    LOOMP_REPORT_STUCK_AFTER=30s job 60 "$ranks" "$loomp" run "$build/bin/$program" "$@"
    ! hung || description+=" hangs"
    expect "$program, $ranks ranks, $OMP_NUM_THREADS threads: $description" has_passed
    expect "$program, $ranks ranks, $OMP_NUM_THREADS threads: $description: same result" agrees "$key"
}

# on_stock_runtime KEY RANKS PROGRAM COMPILER ARGUMENT...
on_stock_runtime() {
    local key=$1 ranks=$2 program=$3-$library-$4
    shift 4
    job 60 "$ranks" "$build/bin/$program" "$@"
    expect "$program, $ranks ranks, on the stock runtime: passes" has_passed
    expect "$program, $ranks ranks, on the stock runtime: same result" agrees "$key"
}

# refuses STATUS LINE PROGRAM: it ended so, and said this in one line, once for all ranks.
refuses() {
    local pattern=^${3%%-*}:
    expect "$3: one line, status $1: $2" [ "$status/$(grep "$pattern" <<<"$err")" = "$1/$2" ]
}

# --- Cholesky -------------------------------------------------------------------------------------

# Any number of ranks comes to the same factor.
# each: openmpi mpich
case_cholesky() {
    use_applications "$1"
    local size=(--n 300 --tile 32) ranks threads kind mode
    while read -r ranks threads kind mode; do
        application "$mode" cholesky "$ranks" "$threads" cholesky "$kind" --mode "$mode" "${size[@]}"
    done <<END
1 1 $one for
1 2 $other task
2 1 $one task
2 2 $other for
4 1 $other for
4 2 $one task
END
    # Few places for others' tiles, several sends to a rank, priorities.
    application "one copy at a time" cholesky 4 2 cholesky "$other" --mode task "${size[@]}" --copies 1
    application "critical path" cholesky 3 1 cholesky "$one" --mode task "${size[@]}" --priority
    application "sends first" cholesky 2 2 cholesky "$other" --mode task "${size[@]}" --priority-sends
    application "repeated, kept" cholesky 4 1 cholesky "$one" "${size[@]}" --repeat 4 --persistent reexecute
    application "repeated, replayed" cholesky 2 2 cholesky "$other" "${size[@]}" --repeat 4 --persistent replay
    application "repeated, waited for" cholesky 3 2 cholesky "$one" "${size[@]}" --repeat 3 --persistent replay --wait
}

# --- HPCCG ----------------------------------------------------------------------------------------

# each: openmpi mpich
case_hpccg() {
    use_applications "$1"
    local size=(--nx 12 --ny 10 --nz 14 --t1 5 --t2 2 --iterations 20) ranks threads kind options
    while read -r ranks threads kind options; do
        # shellcheck disable=SC2086
        application "$options" "hpccg-$library-$ranks" "$ranks" "$threads" hpccg "$kind" "${size[@]}" $options
    done <<END
1 1 $one --mode for
1 2 $other --mode task
2 1 $other --mode task
2 2 $one --mode for
2 2 $other --mode task --dependences list
4 1 $one --mode task
4 2 $other --mode for
4 2 $one --mode task --dependences set --priority-sends
4 1 $other --mode task --t2 1 --joined
END
    # A slab of one plane.
    application "one plane a rank" "planes-$library" 4 1 hpccg "$other" \
        --mode task --nx 12 --ny 10 --nz 4 --t1 5 --iterations 10 --tolerance 1e-6
}

# Tasks beyond the last iteration exist on all ranks, and are cancelled.
# each: openmpi mpich
case_hpccg_stops() {
    use_applications "$1"
    local ranks kind method iterations ahead
    while read -r ranks kind method iterations ahead; do
        application "$method stops at its residual $ahead" "$method-stops-$library-$ranks" "$ranks" 2 hpccg "$kind" \
            --mode task --method "$method" --nx 12 --ny 10 --nz 14 --t1 5 --iterations "$iterations" --tolerance 1e-3 \
            ${ahead:+"$ahead"}
    done <<END
1 $one cg 200
1 $other cg 200 --ahead
2 $other cg 200
2 $one cg 200 --ahead
4 $one cg 200
4 $other cg 200 --ahead
1 $one jacobi 400
2 $other jacobi 400 --ahead
4 $one jacobi 400 --ahead
END
}

# --- Enclave --------------------------------------------------------------------------------------

# Any number of ranks comes to the same values.
# each: openmpi mpich
case_enclave() {
    use_applications "$1"
    local ranks threads kind options
    while read -r ranks threads kind options; do
        # shellcheck disable=SC2086
        application "$options" enclave "$ranks" "$threads" enclave "$kind" --case vortex --depth 2 --check $options
    done <<END
1 2 $one --mode bsp
1 2 $other --mode tasks
2 2 $other --mode bsp
2 2 $one --mode tasks
4 2 $one --mode bsp
4 2 $other --mode tasks
3 2 $one --mode hold-back --subdomains 4
3 2 $other --mode backfill --subdomains 4
3 2 $one --mode fused --subdomains 4
END
    while read -r ranks kind; do
        application "gauge wave" gauge-wave "$ranks" 2 enclave "$kind" \
            --case gauge-wave --dimensions 2 --across 2 --depth 2 --end 0.05 --check
    done <<END
1 $one
2 $other
4 $one
END
    export OMP_NUM_THREADS=1
    on_stock_runtime enclave 2 enclave "$other" --depth 2 --check
}

# Cells that are cut, and joined again, change their ranks meanwhile.
# each: openmpi mpich
case_enclave_moving_refinement() {
    use_applications "$1" hdf5
    local ranks kind moving=(--case vortex --depth 2 --levels 1 --end 1 --check)
    while read -r ranks kind; do
        application "moving refinement" moving-refinement "$ranks" 2 enclave "$kind" "${moving[@]}"
    done <<END
1 $other
2 $one
4 $other
END
    # A file by one compiler's program, which the other's continues.
    application "moving refinement, written" refinement-part 4 1 enclave "$one" "${moving[@]}" --mode backfill \
        --output "$scratch/moving" --output-every 0.4
    application "moving refinement, continued" moving-refinement 3 2 enclave "$other" "${moving[@]}" --mode bsp \
        --restart "$scratch/moving-00001.h5"
}

# each: openmpi mpich
case_enclave_files() {
    use_applications "$1" hdf5
    application "vortex, written" enclave-part 2 2 enclave "$other" \
        --case vortex --depth 2 --output "$scratch/vortex" --output-every 0.1 --check
    application "vortex, continued" enclave 3 1 enclave "$one" \
        --case vortex --depth 2 --mode bsp --restart "$scratch/vortex-00001.h5" --check
}

# each: openmpi mpich
case_enclave_refuses() {
    use_applications "$1"
    export OMP_NUM_THREADS=1
    job 60 2 "$loomp" run "$build/bin/enclave-$library-gcc" --depth 0
    refuses 2 "enclave: cells: 1, ranks: 2; each rank needs a cell (--depth) (--help lists the options)" "enclave-$library-gcc"
    job 60 2 "$loomp" run "$build/bin/enclave-$library-gcc" --depth 2 --spoil 70
    expect "enclave-$library-gcc: NaN on the second rank: one line, status 1" \
        [ "$status/$(grep -c '^enclave: t = .*: cell 70, .*density is' <<<"$err")" = 1/1 ]
}

# --- Vlasov ---------------------------------------------------------------------------------------

# Any number of ranks, and every way to communicate, comes to the same plasma. The rows after the first are an
# orthogonal array: each value of --submission, --priorities, --persistent and --messages meets each of the others.
# each: openmpi mpich
case_vlasov() {
    use_applications "$1"
    local ranks threads kind options
    while read -r ranks threads kind options; do
        # shellcheck disable=SC2086
        application "$options" vlasov "$ranks" "$threads" vlasov "$kind" --steps 20 --tile 16 $options
    done <<END
2 2 $one   --mode for
4 1 $other --submission flat        --priorities none  --persistent no        --messages serialized
2 2 $other --submission flat        --priorities paper --persistent reexecute --messages blocking
4 1 $one   --submission flat        --priorities reuse --persistent replay    --messages blocking
2 2 $one   --submission taskloop    --priorities none  --persistent reexecute --messages blocking
4 1 $other --submission taskloop    --priorities paper --persistent replay    --messages serialized
2 2 $other --submission taskloop    --priorities reuse --persistent no        --messages blocking
4 1 $one   --submission transparent --priorities none  --persistent replay    --messages blocking
2 2 $one   --submission transparent --priorities paper --persistent no        --messages blocking
4 1 $other --submission transparent --priorities reuse --persistent reexecute --messages serialized
4 1 $other --mode for
2 2 $other --ranks-x 1
END
}

# each: openmpi mpich
case_vlasov_files() {
    use_applications "$1" hdf5
    application "written" vlasov-part 2 1 vlasov "$one" --steps 12 --tile 16 --output "$scratch/plasma"
    application "continued" vlasov 3 1 vlasov "$other" --steps 20 --tile 32 --restart "$scratch/plasma.h5"
}

# vlasov's serialized messages are the paper's, which libgomp and libomp can run. Tasks that make blocking calls would hang.
# each: openmpi mpich
case_without_loomp() {
    use_applications "$1"
    local kind program
    export OMP_NUM_THREADS=1
    for kind in gcc clang; do
        on_stock_runtime vlasov 4 vlasov "$kind" --steps 20 --tile 16
        job 60 2 "$build/bin/vlasov-$library-$kind" --messages blocking
        refuses 2 "vlasov: --messages blocking needs loomp: start the program by \`loomp run\`, or use --messages serialized" \
            "vlasov-$library-$kind"
        job 60 3 "$build/bin/vlasov-$library-$kind" --ranks-x 2
        refuses 2 "vlasov: 3 ranks, --ranks-x 2: 1 x 4 tiles cannot be divided among them (--tile)" "vlasov-$library-$kind"
    done
    for program in cholesky hpccg; do
        job 60 2 "$build/bin/$program-$library-$kind"
        refuses 2 "$program: --mode task on several ranks needs loomp: start the program by \`loomp run\`, or use --mode for (--help lists the options)" \
            "$program-$library-$kind"
    done
}

# --- LULESH ---------------------------------------------------------------------------------------

# Cubes of ranks; every kind of piece, several of each.
# each: openmpi mpich
case_lulesh() {
    use_applications "$1"
    local threads kind options
    while read -r threads kind options; do
        # shellcheck disable=SC2086
        application "$options" "lulesh-$library" 8 "$threads" lulesh "$kind" -s 4 -i 15 -r 3 $options
    done <<END
1 $one   --mode for
1 $other --mode task
1 $one   -tel 16 -tnl 25 -rpf 3 -rpe 2
2 $other -tel 16 -tnl 25 -rpf 3 -rpe 2
2 $one   --persistent no -tel 5 -tnl 7
1 $other --messages between -tel 5 -tnl 7
2 $one   --dependences list -tel 5 -tnl 7
1 $other --dependences set -tel 5 -tnl 7
1 $one   --eos loop -tel 5 -tnl 7 -rpf 2
2 $other --eos loop -tel 9 -tnl 7 --persistent no
END
    # If tasks that wait for messages hold their threads, they come in an order that cannot hang, with one
    # thread a rank, too.
    export OMP_NUM_THREADS=1
    for kind in gcc clang; do
        on_stock_runtime "lulesh-$library" 8 lulesh "$kind" -s 4 -i 15 -r 3 -tel 5 -tnl 7
    done
}

# Whole runs, whose energy is known: meshes of 10 and of 12.
# each: openmpi mpich
case_lulesh_whole() {
    use_applications "$1"
    local kept
    application "8 ranks" "lulesh-whole-$library" 8 1 lulesh gcc -s 5 -tel 8 -tnl 8
    for kept in reexecute replay; do
        application "8 ranks, steps ahead, cancelled, $kept" "lulesh-whole-$library" 8 1 lulesh gcc \
            -s 5 -i 260 -tel 8 -tnl 8 --ahead --priority-sends --persistent "$kept"
    done
}

# MPICH's ranks spin, and these share processors.
# each: openmpi
case_lulesh_27_ranks() {
    use_applications "$1"
    application "27 ranks" "lulesh-27-$library" 27 1 lulesh gcc -s 4 -tel 4 -tnl 4
}

# each: openmpi mpich
case_lulesh_refuses() {
    use_applications "$1"
    export OMP_NUM_THREADS=1
    job 60 2 "$loomp" run "$build/bin/lulesh-$library-gcc" -s 5
    refuses 1 "lulesh: 2 ranks: the ranks' cubes make a cube, so 1, 8, 27 or another cube is needed" "lulesh-$library-gcc"
}
