# Shared by the tests written in shell: a scratch folder, counted checks, and the one way to leave a case out.
# shellcheck shell=bash
scratch=$(mktemp -d)
trap 'leave $?' EXIT
passed=0 failed=0 finished=false

# Runs at the end of each case: a case that did not reach finish or left_out has failed.
leave() {
    rm -rf "$scratch"
    $finished || { echo "FAIL the case exits, with status $1, before its end" && exit 1; }
}

# The compilers, and clang's omp.h with a library to link with; empty if there is none (scripts/compiler).
compiler=$(dirname "${BASH_SOURCE[0]}")/../../scripts/compiler
gcc=$("$compiler" gcc) gxx=$("$compiler" g++) gfortran=$("$compiler" gfortran)
clang=$("$compiler" clang) dev=$("$compiler" openmp-dev)

# Runs a command; afterwards $status, $out and $err are its exit status and what it printed. A crash fails the case.
status=0 out='' err=''
run() {
    status=0
    timeout 60 "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    out=$(cat "$scratch/out") err=$(cat "$scratch/err")
    case $status in
    132 | 135 | 136 | 139) # SIGILL, SIGBUS, SIGFPE, SIGSEGV: no case expects these
        failed=$((failed + 1))
        own_shell || : >"$scratch/.failed"
        printf 'FAIL %s crashes: status %s\n  stdout: %s\n  stderr: %s\n' "$*" "$status" "$out" "$err"
        ;;
    esac
}

# True in the case's own shell. The counts of a subshell are lost; the file .failed reports its
# failures (finish).
own_shell() { [ "$BASHPID" = "$$" ]; }

# expect DESCRIPTION CONDITION...: counts one check, and shows the last run when it fails.
expect() {
    local description=$1
    shift
    case $1 in
    run | once | expect) echo "FAIL $description: $1 succeeds always" && set -- false ;;
    esac
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        own_shell || : >"$scratch/.failed"
        printf 'FAIL %s\n  status %s\n  stderr: %s\n  stdout: %s\n' "$description" "$status" "$err" "$out"
    fi
}

# left_out WHY: ends the case, which cannot run here. It still fails if a check has failed before.
left_out() {
    { [ "$failed" -eq 0 ] && [ ! -e "$scratch/.failed" ]; } || finish
    echo "left out: $1"
    own_shell || echo "left out in a subshell: $1" >>"$scratch/.failed"
    finished=true
    exit 77
}

# needs COMMAND...: leaves the case out if one of them is not installed.
needs() {
    local command
    for command in "$@"; do
        command -v "$command" >/dev/null || left_out "$command is not installed"
    done
}

# Leaves the case out if there is no clang with its OpenMP library, or no omp.h and libomp.so to compile with.
needs_clang() {
    [ -n "$clang" ] || left_out "clang is not installed with its libomp.so.5"
    if ! [ -e "$dev/include/omp.h" ] || ! [ -e "$dev/lib/libomp.so" ]; then
        left_out "$clang has no omp.h and libomp.so in $dev; scripts/setup test brings them"
    fi
}

# needs_layer openmpi|mpich: leaves the case out if loomp was built without the layer for this MPI
# library. Otherwise it sets how its programs are compiled and run.
needs_layer() {
    [ -e "$build/lib/libloomp-mpi-$1.so" ] || left_out "loomp was built without the MPI layer for $1"
    needs "mpicc.$1" "mpirun.$1"
    export OMPI_CC="$gcc" MPICH_CC="$gcc"
    # shellcheck source=tests/shell/openmpi.sh
    . "$root/tests/shell/openmpi.sh"
}

# retry TRIES WHY COMMAND...: repeats the command until it succeeds, because programs of others
# sometimes fail. Each repetition is counted (tests/runner).
retry() {
    local tries=$1 why=$2 try
    shift 2
    for ((try = 1; try <= tries; try++)); do
        ! "$@" || return 0
        [ "$try" -eq "$tries" ] || echo "retried: $why"
    done
    return 1
}

# once NAME COMMAND...: makes $made/NAME with the command, in $made, unless another case has made
# it. A failed command leaves nothing there.
once() {
    local name=$1
    shift
    (
        cd "$made" || exit 1
        exec 9>"$made/.lock.${name//\//_}"
        flock 9
        [ ! -e "$name.making" ] || rm -rf "$name" # the case that made it did not finish
        if [ ! -e "$name" ]; then
            ("$@") >"$name.making" 2>&1 9>&- || {
                echo "making $name failed:"
                cat "$name.making"
                rm -rf "$name"
            }
            mv "$name.making" "$name.made"
        fi
        [ -e "$name" ]
    ) || {
        failed=$((failed + 1))
        own_shell || echo "$name is not made" >>"$scratch/.failed"
        echo "FAIL $name is made"
        return 1
    }
}

# One line on stderr, prefixed, containing $1.
complains() { [[ $err == "loomp: "*"$1"* && $err != *$'\n'* ]]; }
silent() { [ -z "$err" ]; }
succeeded() { [ "$status" -eq 0 ]; }

finish() {
    if [ -e "$scratch/.failed" ]; then
        failed=$((failed + 1))
        echo "FAIL in a subshell or a pipeline: $(cat "$scratch/.failed")"
    fi
    finished=true
    echo "checks: $((passed + failed)), failed: $failed"
    if [ $((passed + failed)) -eq 0 ]; then
        echo "FAIL no check ran"
        exit 1
    fi
    [ "$failed" -eq 0 ]
    exit
}
