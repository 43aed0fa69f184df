# Random programs of known shape (shapes.c), whose structure and figures a model knows (shapes_check.cpp).
# shellcheck shell=bash disable=SC2154

build_shapes-gcc() {
    "$gcc" -O1 -g -std=c11 -Wall -Wextra -Werror -fopenmp "${sanitize[@]}" -I"$include" "$here/shapes.c" -o shapes-gcc
}
build_shapes-clang() { strictly_by_clang "$here/shapes.c" -o shapes-clang; }

# has_its_shape PROGRAM STOCK SEED: fails if the machine was too busy to tell.
has_its_shape() {
    local trace=$3$2
    rm -rf "$trace"
    # shellcheck disable=SC2086
    run "$loomp" trace $2 -o "$trace" "$1" "$3"
    expect "$3$2: the program's status" succeeded
    cp "$scratch/out" "$trace.shape"
    run "$loomp" report "$trace"
    expect "$3$2: report succeeds" succeeded
    run "$build/tests/shapes_check" "$trace/traces.otf2" "$trace.shape"
    [ "$status" -ne 2 ] || return 1
    expect "$3$2: the shape, and what follows from it" succeeded
    rm -rf "$trace" "$trace.shape"
}

# have_their_shapes COMPILER[--stock] FIRST LAST
have_their_shapes() {
    local compiler=${1%--stock} stock='' seed
    [[ $1 != *--stock ]] || stock=--stock
    [ "$compiler" != clang ] || needs_clang
    once "shapes-$compiler" "build_shapes-$compiler" || return
    for ((seed = $2; seed <= $3; ++seed)); do
        retry 5 "the machine was busy" has_its_shape "$made/shapes-$compiler" "$stock" "$seed"
    done
}

# each: gcc clang clang--stock
# usual: 5
case_random_programs_have_their_shapes() { have_their_shapes "$1" 1 5; }

# each: gcc clang clang--stock
# nightly
# usual: 100
case_a_hundred_random_programs_have_their_shapes() { have_their_shapes "$1" 101 200; }
