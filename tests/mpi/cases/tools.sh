# Tools of others, which define MPI's functions (tests/mpi/tool.c): behind the layer they see the program's calls, and
# in front of it they are reported.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# compile_tool LIBRARY FLAG...
compile_tool() {
    local cc libs
    c_compiler
    "${cc[@]}" -O2 -Wall -Wextra -shared -fPIC "${@:2}" "$here/tool.c" -o "$1" "${libs[@]}"
}

# tool FLAG...: a tool that is built so, as $tool.
tool() {
    tool=$made/tool${1:-}.$library.so
    once "${tool##*/}" compile_tool "$tool" "$@"
}

# compile_with BINARY FILE...: the program with further files: a tool, or the layer.
compile_with() {
    local cc libs
    c_compiler
    "${cc[@]}" -O1 -g -Wall -Wextra -fopenmp "${sanitize[@]}" "$here/watched.c" -Wl,--no-as-needed "${@:2}" -o "$1" "${libs[@]}" \
        "-Wl,-rpath,$build/lib"
}

# with NAME FILE...: the program with these, as $program.
with() {
    program=$made/$1.$library
    once "${program##*/}" compile_with "$program" "${@:2}"
}

# sees INIT: the tool has seen what the layer makes of the program's calls, and nothing else.
sees() {
    local all="Ibarrier 1 Iallreduce 1 Comm_dup 1"
    [ "$status" -eq 0 ] && [ -z "$err" ] && [ "$(sort <<<"$out")" = \
"rank 0: $1 1 Send 1 Isend 6 $all Comm_rank 1; requests 8, completed 8, in vain 0
rank 1: $1 1 Recv 1 Irecv 6 $all Iprobe 1 Comm_rank 1; requests 8, completed 8, in vain 0" ]
}

# shows LINES: the ranks print these, in any order, and nothing else happens.
shows() { [ "$status" -eq 0 ] && [ -z "$err" ] && [ "$(sort <<<"$out")" = "$1" ]; }

# goes_past_layer LINE: the tool sees the calls as without loomp, and one line says that it comes before the layer.
goes_past_layer() {
    [ "$status" -eq 0 ] && [ "$err" = "loomp: $1" ] && grep -qE "^rank 0:.* Send 7 Barrier 1 " <<<"$out"
}

# each: openmpi mpich abi-openmpi abi-mpich
case_tool_behind_the_layer() {
    local watched
    use "$1"
    tool
    program watched.c
    watched=(env "LD_PRELOAD=$tool" "$loomp")
    export OMP_NUM_THREADS=1
    job 60 2 "${watched[@]}" run "$program"
    expect "$library: a tool that is preloaded" sees Init_thread
    OMP_NUM_THREADS=2 LOOMP_MPI_CHECK=true job 60 2 "${watched[@]}" run "$program"
    expect "$library: two threads; it does not see the layer's own requests" sees Init_thread
    LOOMP_MPI_THREAD_LEVEL=serialized job 60 2 "${watched[@]}" run "$program"
    expect "$library: calls that are made one at a time" \
        eval '[ "$status/$err" = 0/ ] && ! grep -v "requests 9, completed 9, in vain 0$" <<<"$out"'
    job 60 2 "$loomp" run --quiet sh -c "LD_PRELOAD=\$LD_PRELOAD:$tool exec $program"
    expect "$library: a script starts the program with the tool" sees Init_thread
    job 60 2 "${watched[@]}" trace -o "$scratch/trace" "$program"
    expect "$library: the program is recorded" eval '[ "$status" -eq 0 ] && grep -q "Irecv 6 .*completed 8, in vain 0" <<<"$out"'
    with linked "$tool"
    job 60 2 "$loomp" run "$program"
    expect "$library: a tool that the program is linked with" sees Init_thread
}

# The tool has few functions, or calls MPI_X in them.
# each: openmpi mpich abi-openmpi abi-mpich
case_tools_of_other_kinds() {
    local line
    use "$1"
    program watched.c
    export OMP_NUM_THREADS=1
    tool
    TOOL_CALLS_MPI=1 job 60 2 env "LD_PRELOAD=$tool" "$loomp" run "$program" errors
    expect "$library: a tool that calls MPI_X, and an error that the program handles" shows \
"rank 0: Init_thread 1 Send 9 Isend 9 Barrier 1 Iallreduce 1 Comm_rank 1; requests 10, completed 10, in vain 0, of others inside 0
rank 1: Init_thread 1 Irecv 9 Barrier 1 Iallreduce 1 Comm_rank 1; requests 10, completed 10, in vain 0, of others inside 0"
    if [ "$maker" = mpich ]; then
        job 60 2 env "LD_PRELOAD=$tool" "$loomp" run "$program" session
        expect "$library: the program starts MPI by a session" shows \
"session: Recv 1 Barrier 1 Comm_rank 1; requests 0, completed 0, in vain 0
session: Send 1 Barrier 1 Comm_rank 1; requests 0, completed 0, in vain 0"
    fi
    tool -DFEW
    TOOL_CALLS_MPI=1 job 60 2 env "LD_PRELOAD=$tool" "$loomp" run "$program" init
    line="loomp: $tool lacks MPI_Ibarrier, which the MPI layer makes of the program's MPI_Barrier: the tool does not see these \
calls (docs/mpi.md)"
    expect "$library: a tool that has no MPI_Init_thread, nor MPI_Ibarrier" \
        eval '[ "$status/$err" = "0/$line" ] && grep -q "^rank 1: Init 1 Recv 1 Irecv 6 Barrier 1 Iallreduce 1 .*, in vain 0," <<<"$out"'
}

# each: openmpi mpich abi-openmpi abi-mpich
case_layer_that_is_there_already() {
    local layer_file
    use "$1"
    export OMP_NUM_THREADS=1
    layer_file=$build/lib/libloomp-mpi-$layer.so
    tool
    with of_layer "$layer_file" "-L$build/lib" -lloomp
    job 60 2 "$loomp" run --quiet sh -c "$program; exit"
    expect "$library: the program is linked with the layer" quiet_success
    job 60 2 "$loomp" run --quiet sh -c "LD_PRELOAD=\$LD_PRELOAD:$tool exec $program"
    expect "$library: and has a tool" sees Init_thread
    program watched.c
    job 60 2 "$loomp" run --quiet sh -c "LD_PRELOAD=$layer_file:\$LD_PRELOAD:$tool exec $program"
    expect "$library: the layer is preloaded before the library that chooses it" sees Init_thread
}

# each: openmpi mpich abi-openmpi abi-mpich
case_tool_in_front_of_the_layer() {
    local off="comes before the MPI layer, which is off therefore: MPI calls in tasks hold their threads;" order
    use "$1"
    export OMP_NUM_THREADS=2
    with holds_tool "$here/tool.c"
    job 60 2 "$loomp" run "$program"
    expect "$library: a tool in the program" \
        goes_past_layer "MPI_Init of the program $off link the program with a shared library that has the tool"
    program watched.c
    tool
    order="preload it after the layer (LD_PRELOAD=$tool loomp run ...), or link the program with it"
    job 60 2 "$loomp" run --quiet sh -c "LD_PRELOAD=$tool:\$LD_PRELOAD exec $program"
    expect "$library: a tool before the library that chooses the layer" goes_past_layer "MPI_Init of $tool $off $order"
    tool -DNO_INIT
    order="preload it after the layer (LD_PRELOAD=$tool loomp run ...), or link the program with it"
    job 60 2 "$loomp" run --quiet sh -c "LD_PRELOAD=$tool:$build/lib/libloomp-mpi-$layer.so exec $program"
    expect "$library: a tool without MPI_Init" \
        goes_past_layer "MPI_Send and 6 more of $tool come before the MPI layer: these calls hold their threads in tasks; $order"
}

# A tool has other routines for mpi_f08 than for mpif.h, and one call is seen by one of them.
case_openmpi_tool_for_fortran() {
    local tool=$scratch/tool.so
    use_debians openmpi
    program watched_fortran.f90
    "$gcc" -O1 -Wall -Wextra -shared -fPIC "$here/tool_fortran.c" -o "$tool"
    export OMP_NUM_THREADS=1
    job 60 2 "$loomp" run --quiet sh -c "LD_PRELOAD=\$LD_PRELOAD:$tool exec $program"
    expect "Fortran's calls" shows \
"a rank: mpi_recv_ 1 mpi_irecv_ 1 mpi_recv_f08_ 2 mpi_barrier_f08_ 1
a rank: mpi_send_ 1 mpi_isend_ 1 mpi_send_f08_ 2 mpi_barrier_f08_ 1"
}
