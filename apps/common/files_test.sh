# shellcheck shell=bash
# Sourced by the applications' files_test.sh PROGRAM: a folder of its own, and what each expects of PROGRAM.
# Sets `application`, the name that its messages begin with, and after the test `failed`.
set -uo pipefail
program=$1
application=$(basename "$(dirname "$0")")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

expect() {
    local what=$1
    shift
    "$@" || {
        echo "FAIL $what: status $status: $out$err"
        failed=1
    }
}
# Sets `status`, `out` and `err`. 77: the program is built without HDF5.
run() {
    status=0
    out=$("$program" "$@" 2>err.txt) || status=$?
    err=$(cat err.txt)
    if [[ $err == *"without HDF5"* ]]; then
        echo "left out: the application is built without HDF5"
        exit 77
    fi
}
checksum() { sed -nE 's/^checksum: +//p' <<<"$out"; }
# refused STATUS LINE: with just this line, without what belongs to Options.
refused() { [ "$status" -eq "$1" ] && [ "${err% (--help lists the options)}" = "$application: $2" ]; }
