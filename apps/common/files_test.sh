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
# expect_damage FILE ARGUMENT...: one line refuses each copy in which a bit was turned: in the header, where HDF5 itself would
# crash, anywhere, and in the checksum. DAMAGED_BITS=2000 turns so many bits of each.
expect_damage() {
    local file=$1 bytes bit
    shift
    bytes=$(wc -c <"$file")
    turned_bits "$bytes" >bits.txt
    while read -r bit; do
        cp "$file" damaged.h5
        turn_bit "$bit"
        run --restart damaged.h5 "$@"
        if [ "$bit" -ge $((8 * (bytes - 16))) ] && [ "$bit" -lt $((8 * (bytes - 8))) ]; then
            expect "bit $bit of the mark" refused 1 "damaged.h5: no restart file, or one that was cut"
        else
            expect "bit $bit" refused 1 "damaged.h5: damaged: its bytes are not those that were written"
        fi
    done <bits.txt
}
turned_bits() {
    local count=${DAMAGED_BITS:-6}
    shuf -i 0-2047 -n "$count"
    shuf -i "0-$((8 * $1 - 1))" -n "$count"
    shuf -i "$((8 * ($1 - 16)))-$((8 * $1 - 1))" -n 2
}
# Turns a bit of damaged.h5.
turn_bit() {
    local byte
    byte=$(od -An -tu1 -j $(($1 / 8)) -N 1 damaged.h5)
    printf "\\x$(printf %02x $((byte ^ 1 << $1 % 8)))" |
        dd of=damaged.h5 bs=1 seek=$(($1 / 8)) conv=notrunc status=none
}
