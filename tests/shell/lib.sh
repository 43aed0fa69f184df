# What the tests written in shell share: a scratch folder, and counted expectations.
# shellcheck shell=bash
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# The compilers, and clang's omp.h with a library to link with; what there is of them (scripts/compiler).
compiler=$(dirname "${BASH_SOURCE[0]}")/../../scripts/compiler
gcc=$("$compiler" gcc) gxx=$("$compiler" g++) gfortran=$("$compiler" gfortran)
clang=$("$compiler" clang) dev=$("$compiler" openmp-dev)

# Runs a command; afterwards $status, $out and $err are its exit status and what it printed.
run() {
    status=0
    timeout 60 "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    out=$(cat "$scratch/out") err=$(cat "$scratch/err")
}

# expect DESCRIPTION CONDITION...: counts one check, and shows the last run when it fails.
expect() {
    local description=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n  status %s\n  stdout: %s\n  stderr: %s\n' "$description" "$status" "$out" "$err"
    fi
}

# One line on stderr, prefixed, containing $1.
complains() { [[ $err == "loomp: "*"$1"* && $err != *$'\n'* ]]; }
silent() { [ -z "$err" ]; }

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
