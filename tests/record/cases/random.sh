# Random programs of known shape (shapes.c), whose structure and figures a model knows (shapes_check.cpp). gcc's run on
# loomp, and clang's on libomp.
# shellcheck shell=bash disable=SC2154

build_shapes-gcc() {
    "$gcc" -O1 -g -std=c11 -Wall -Wextra -Werror -fopenmp "${sanitize[@]}" -I"$include" "$here/shapes.c" -o shapes-gcc
}
build_shapes-clang() { strictly_by_clang "$here/shapes.c" -o shapes-clang; }

# runtime_of COMPILER: sets $stock, an option of `loomp trace`.
runtime_of() {
    stock=()
    if [ "$1" = clang ]; then
        needs_clang
        stock=(--stock)
    fi
}

# has_its_shape PROGRAM SEED: fails if the machine was too busy to tell.
has_its_shape() {
    local trace=$2
    rm -rf "$trace"
    run "$loomp" trace -o "$trace" "${stock[@]}" "$1" "$2"
    expect "$2: the program's status" succeeded
    cp "$scratch/out" "$trace.shape"
    run "$loomp" report "$trace"
    expect "$2: report succeeds" succeeded
    run "$build/tests/shapes_check" "$trace/traces.otf2" "$trace.shape"
    [ "$status" -ne 2 ] || return 1
    expect "$2: the shape, and what follows from it" succeeded
    rm -rf "$trace" "$trace.shape"
}

# have_their_shapes COMPILER FIRST LAST
have_their_shapes() {
    local compiler=$1 seed stock
    runtime_of "$compiler"
    once "shapes-$compiler" "build_shapes-$compiler" || return
    for ((seed = $2; seed <= $3; ++seed)); do
        retry 5 "the machine was busy" has_its_shape "$made/shapes-$compiler" "$seed"
    done
}

# each: gcc clang
# usual: 5
case_random_programs_have_their_shapes() { have_their_shapes "$1" 1 5; }

# each: gcc clang
# nightly
# usual: 100
case_a_hundred_random_programs_have_their_shapes() { have_their_shapes "$1" 101 200; }

# ranks_have_their_shapes LIBRARY COMPILER FIRST LAST: on two ranks. libomp's tasks keep their threads while they receive, so
# they need one each.
ranks_have_their_shapes() {
    local library=$1 compiler=$2 first=$3 last=$4 threads=4 seed trace stock
    local options=(-DRANKS=2 -std=c11 -Wall -Wextra -Werror -I"$include" "$here/shapes.c" -o "shapes-$compiler.$library")
    on_ranks_of "$library"
    runtime_of "$compiler"
    if [ "$compiler" = gcc ]; then
        once "shapes-gcc.$library" mpi_compile "$gcc" "$library" -g -fopenmp "${options[@]}" || return
    else
        threads=40
        once "shapes-clang.$library" mpi_compile_by_clang "$library" "${options[@]}" || return
    fi
    for ((seed = first; seed <= last; ++seed)); do
        trace=$library.$seed
        run "${launch[@]}" "$loomp" trace -o "$trace" "${stock[@]}" "$made/shapes-$compiler.$library" "$seed" "$trace.shape" \
            "$threads"
        expect "$seed: the program's status" [ "$status" -eq 0 ]
        run "$loomp" report "$trace"
        expect "$seed: nothing to complain of" [ ! -s "$scratch/err" ]
        expect "$seed: all messages" reports "ranks 2, .* messages $(sed '1,/^messages/d' "$trace.shape.0" | wc -l)\$"
        run "$build/tests/shapes_check" "$trace/traces.otf2" "$trace.shape.0" "$trace.shape.1"
        expect "$seed: the shape, and what follows from it" succeeded
        rm -rf "$trace" "$trace".shape.*
    done
}

# each: openmpi mpich
# usual: 6
case_random_programs_of_ranks_have_their_shapes() {
    ranks_have_their_shapes "$1" gcc 1 4
    ranks_have_their_shapes "$1" clang 5 6
}

# each: openmpi mpich
# nightly
# usual: 60
case_a_hundred_random_programs_of_ranks_have_their_shapes() {
    ranks_have_their_shapes "$1" gcc 101 150
    ranks_have_their_shapes "$1" clang 151 200
}
