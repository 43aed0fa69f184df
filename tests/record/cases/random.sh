# Random programs of known shape (shapes.c), whose structure and figures a model knows (shapes_check.cpp).
# shellcheck shell=bash disable=SC2154

build_shapes-gcc() {
    "$gcc" -O1 -g -std=c11 -Wall -Wextra -Werror -fopenmp "${sanitize[@]}" -I"$include" "$here/shapes.c" -o shapes-gcc
}

# has_its_shape PROGRAM SEED: fails if the machine was too busy to tell.
has_its_shape() {
    local trace=$2
    rm -rf "$trace"
    run "$loomp" trace -o "$trace" "$1" "$2"
    expect "$2: the program's status" succeeded
    cp "$scratch/out" "$trace.shape"
    run "$loomp" report "$trace"
    expect "$2: report succeeds" succeeded
    run "$build/tests/shapes_check" "$trace/traces.otf2" "$trace.shape"
    [ "$status" -ne 2 ] || return 1
    expect "$2: the shape, and what follows from it" succeeded
    rm -rf "$trace" "$trace.shape"
}

# have_their_shapes FIRST LAST
have_their_shapes() {
    local seed
    once shapes-gcc build_shapes-gcc || return
    for ((seed = $1; seed <= $2; ++seed)); do
        retry 5 "the machine was busy" has_its_shape "$made/shapes-gcc" "$seed"
    done
}

# each: gcc
# usual: 5
case_random_programs_have_their_shapes() { have_their_shapes 1 5; }

# each: gcc
# nightly
# usual: 100
case_a_hundred_random_programs_have_their_shapes() { have_their_shapes 101 200; }
