# The applications over ranks, in both forms, by both compilers, against their independent answers; and
# that forms which must agree bit for bit do: for tests/mpi/run, which sets $build and $loomp and has
# the functions used here.
# shellcheck shell=bash disable=SC2154

# application DESCRIPTION KEY LIBRARY RANKS THREADS PROGRAM ARGUMENT...: passes, with the same checksum as
# all that came before with the same KEY.
declare -A checksum_of
application() {
    local description=$1 key=$2 library=$3 ranks=$4 program=$6 sum
    export OMP_NUM_THREADS=$5
    shift 6
    # One that hangs says what its tasks wait for.
    LOOMP_REPORT_STUCK_AFTER=30s capture_job 60 "$library" "$ranks" "$loomp" run "$build/bin/$program" "$@"
    expect "$program, $ranks ranks, $OMP_NUM_THREADS threads: $description" has_passed
    sum=$(sed -nE 's/^checksum: +//p' <<<"$out")
    : "${checksum_of[$key]:=$sum}"
    expect "$program, $ranks ranks, $OMP_NUM_THREADS threads: $description: same result" \
        [ "$sum" = "${checksum_of[$key]}" ]
}
has_passed() { [ "$status" -eq 0 ] && [ "${out##*$'\n'}" = PASS ] && [ -z "$err" ]; }

applications() {
    local library=$1 kind ranks threads mode options
    for kind in gcc clang; do
        for ranks in 1 2 4; do
            for threads in 1 2; do
                for mode in for task; do
                    # Any number of ranks comes to the same factor.
                    application "cholesky, $mode" cholesky "$library" "$ranks" "$threads" \
                        "cholesky-$library-$kind" --mode "$mode" --n 300 --tile 32
                    application "hpccg, $mode" "hpccg $library $ranks" "$library" "$ranks" \
                        "$threads" "hpccg-$library-$kind" --mode "$mode" --nx 12 --ny 10 --nz 14 \
                        --t1 5 --t2 2 --iterations 20
                done
            done
        done
        # Any number of ranks comes to the same values.
        for ranks in 1 2 4; do
            for mode in bsp tasks; do
                application "enclave, $mode" enclave "$library" "$ranks" 2 "enclave-$library-$kind" \
                    --case vortex --mode "$mode" --depth 2 --check
            done
            application "enclave, gauge wave" "gauge wave" "$library" "$ranks" 2 "enclave-$library-$kind" \
                --case gauge-wave --dimensions 2 --across 2 --depth 2 --end 0.05 --check
        done
        # Cells that are cut, and joined again, change their ranks meanwhile.
        for ranks in 1 2 4; do
            application "enclave, moving refinement" "moving refinement" "$library" "$ranks" 2 \
                "enclave-$library-$kind" --case vortex --depth 2 --levels 1 --end 1 --check
        done
        application "enclave, moving refinement, written" "refinement, part" "$library" 4 1 \
            "enclave-$library-$kind" --case vortex --depth 2 --levels 1 --end 1 --output "$scratch/moving" \
            --output-every 0.4 --mode backfill --check
        application "enclave, moving refinement, goes on" "moving refinement" "$library" 3 2 \
            "enclave-$library-$kind" --case vortex --depth 2 --levels 1 --end 1 \
            --restart "$scratch/moving-00001.h5" --mode bsp --check
        for mode in hold-back backfill fused; do
            application "enclave, $mode" enclave "$library" 3 2 "enclave-$library-$kind" \
                --case vortex --mode "$mode" --depth 2 --subdomains 4 --check
        done
        application "vortex, written" "enclave, part" "$library" 2 2 "enclave-$library-$kind" \
            --case vortex --depth 2 --output "$scratch/vortex" --output-every 0.1 --check
        application "vortex goes on" enclave "$library" 3 1 "enclave-$library-$kind" \
            --case vortex --depth 2 --mode bsp --restart "$scratch/vortex-00001.h5" --check
        # Any number of ranks, and every way to communicate, comes to the same plasma.
        for ranks in 2 4; do
            for options in "--mode for" "--submission flat" "--submission taskloop --priorities none" \
                "--submission transparent" "--submission transparent --priorities paper" "--messages blocking" "--messages blocking --persistent replay" \
                "--messages blocking --submission transparent" \
                "--messages blocking --submission transparent --persistent replay" "--submission taskloop --persistent reexecute"; do
                # shellcheck disable=SC2086
                application "$options" vlasov "$library" "$ranks" $((ranks < 4 ? 2 : 1)) \
                    "vlasov-$library-$kind" --steps 20 --tile 16 $options
            done
        done
        vlasov_without_loomp "$library" "vlasov-$library-$kind"
        application "written" "vlasov, part" "$library" 2 1 "vlasov-$library-$kind" \
            --steps 12 --tile 16 --output "$scratch/plasma"
        application "goes on" vlasov "$library" 3 1 "vlasov-$library-$kind" \
            --steps 20 --tile 32 --restart "$scratch/plasma.h5"
        # Few places for others' tiles, several sends to a rank, priorities; a slab of one plane.
        application "one copy at a time" cholesky "$library" 4 2 "cholesky-$library-$kind" \
            --mode task --n 300 --tile 32 --copies 1
        application "repeated, kept" cholesky "$library" 4 1 "cholesky-$library-$kind" \
            --n 300 --tile 32 --repeat 4 --persistent reexecute
        application "critical path" cholesky "$library" 3 1 "cholesky-$library-$kind" \
            --mode task --n 300 --tile 32 --priority
        application "sends first" cholesky "$library" 2 2 "cholesky-$library-$kind" \
            --mode task --n 300 --tile 32 --priority-sends
        application "one plane a rank" "planes $library" "$library" 4 1 "hpccg-$library-$kind" \
            --mode task --nx 12 --ny 10 --nz 4 --t1 5 --iterations 10 --tolerance 1e-6
        # Cubes of ranks; every kind of piece, several of each.
        for mode in for task; do
            application "$mode" "lulesh $library" "$library" 8 1 "lulesh-$library-$kind" \
                --mode "$mode" -s 4 -i 15 -r 3
        done
        for threads in 1 2; do
            application "task, cut finely" "lulesh $library" "$library" 8 "$threads" \
                "lulesh-$library-$kind" -s 4 -i 15 -r 3 -tel 16 -tnl 25 -rpf 3 -rpe 2
        done
        application "task, graph made anew" "lulesh $library" "$library" 8 2 "lulesh-$library-$kind" \
            --persistent no -s 4 -i 15 -r 3 -tel 5 -tnl 7
        application "task, exchanges between waits" "lulesh $library" "$library" 8 1 \
            "lulesh-$library-$kind" --messages between -s 4 -i 15 -r 3 -tel 5 -tnl 7
        lulesh_without_loomp "$library" "lulesh-$library-$kind"
        # Tasks beyond the last iteration exist on all ranks, and are cancelled.
        for ranks in 1 2 4; do
            for mode in "" --ahead; do
                application "stops at its residual $mode" "stops $library $ranks" "$library" "$ranks" 2 \
                    "hpccg-$library-$kind" --mode task --nx 12 --ny 10 --nz 14 --t1 5 \
                    --iterations 200 --tolerance 1e-3 $mode
            done
        done
    done
    # Whole runs, whose energy is known: meshes of 10 and of 12.
    application "8 ranks" "lulesh, whole, $library" "$library" 8 1 "lulesh-$library-gcc" -s 5 -tel 8 -tnl 8
    for kept in reexecute replay; do
        application "8 ranks, steps ahead, cancelled, $kept" "lulesh, whole, $library" "$library" 8 1 \
            "lulesh-$library-gcc" -s 5 -i 260 -tel 8 -tnl 8 --ahead --priority-sends --persistent "$kept"
    done
    if [ "$library" = openmpi ]; then # MPICH's ranks spin, and these share processors
        application "27 ranks" "lulesh 27 $library" "$library" 27 1 "lulesh-$library-gcc" -s 4 -tel 4 -tnl 4
    fi
    capture within 60 "$library" 2 "$loomp" run "$build/bin/enclave-$library-gcc" --depth 0
    expect "enclave-$library-gcc: a cell for 2 ranks: one line, status 2" \
        [ "$status/$(grep '^enclave:' <<<"$err")" = \
        "2/enclave: cells: 1, ranks: 2; each rank needs a cell (--depth)" ]
    capture within 60 "$library" 2 "$loomp" run "$build/bin/enclave-$library-gcc" --depth 2 --spoil 70
    expect "enclave-$library-gcc: NaN on the second rank: one line, status 1" \
        [ "$status/$(grep -c '^enclave: t = .*: cell 70, .*density is' <<<"$err")" = 1/1 ]
    capture within 60 "$library" 2 "$build/bin/enclave-$library-gcc" --depth 2 --check
    expect "enclave-$library-gcc: on the stock runtime: same result" [ "${out##*$'\n'}/$(
        sed -nE 's/^checksum: +//p' <<<"$out")" = "PASS/${checksum_of[enclave]}" ]
    capture within 60 "$library" 2 "$loomp" run "$build/bin/lulesh-$library-gcc" -s 5
    expect "lulesh-$library-gcc: 2 ranks are no cube: one line, status 1" \
        [ "$status/$(grep '^lulesh:' <<<"$err")" = \
        "1/lulesh: 2 ranks: the ranks' cubes make a cube, so 1, 8, 27 or another cube is needed" ]
}

# Where tasks that wait for messages hold their threads, they come in an order that cannot hang, with one
# thread a rank, too.
lulesh_without_loomp() {
    local library=$1 program=$2 sum
    export OMP_NUM_THREADS=1
    capture within 60 "$library" 8 "$build/bin/$program" -s 4 -i 15 -r 3 -tel 5 -tnl 7
    sum=$(sed -nE 's/^checksum: +//p' <<<"$out")
    expect "$program, 8 ranks, on the stock runtime: same result" \
        [ "${out##*$'\n'}" = PASS -a "$sum" = "${checksum_of["lulesh $library"]}" ]
}

# Serialized messages are the paper's: no other runtime than libgomp and libomp is needed.
vlasov_without_loomp() {
    local library=$1 program=$2 sum
    export OMP_NUM_THREADS=1
    capture within 60 "$library" 4 "$build/bin/$program" --steps 20 --tile 16
    sum=$(sed -nE 's/^checksum: +//p' <<<"$out")
    expect "$program, 4 ranks, on the stock runtime: same result" \
        [ "${out##*$'\n'}" = PASS -a "$sum" = "${checksum_of[vlasov]}" ]
    capture within 60 "$library" 2 "$build/bin/$program" --messages blocking
    expect "$program: blocking messages on the stock runtime: one line, status 2" \
        [ "$status/$(grep '^vlasov:' <<<"$err")" = "2/vlasov: --messages blocking needs loomp" ]
    capture within 60 "$library" 3 "$build/bin/$program" --ranks-x 2
    expect "$program: 3 ranks, two of them along x: one line, status 2" [ "$status/$(grep '^vlasov:' <<<"$err")" = \
        "2/vlasov: 3 ranks, --ranks-x 2: 1 x 4 tiles cannot be divided among them (--tile)" ]
}
