#!/usr/bin/env bash
# Tests the files that vlasov reads and writes: files_test.sh PROGRAM. Continued runs come to the bits of
# those that were never stopped; errors are reported in one line; no good file is lost. 77: built without
# HDF5.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=apps/common/files_test.sh
source "$here/../common/files_test.sh"
cd "$folder" || exit 1

run --steps 1 --output first

run --steps 60 --output whole --field poisson
expect "a run is written" [ "$status" -eq 0 ]
whole=$(checksum)
expect "rows each ten steps" [ "$(wc -l <whole.csv)" -eq 8 ]
run --steps 37 --output half --field poisson --mode for --tile 32
run --steps 60 --restart half.h5 --output rest --field poisson --tile 16 --submission taskloop
expect "a run that goes on has the same bits" [ "$status/$(checksum)" = "0/$whole" ]
expect "and the same diagnostics" cmp -s whole.csv rest.csv

run --steps 60 --output rows --field poisson --tile 16 --submission transparent --checkpoint-every 7
expect "nor do tasks of tasks still run when a step is over" cmp -s whole.csv rows.csv
run --steps 60 --restart half.h5
expect "another field" refused 1 "half.h5: of another run: its Poisson-Ampere is 0, here it is 1"
run --steps 60 --restart half.h5 --field poisson --case two-stream
expect "another case" refused 1 "half.h5: of case landau, not two-stream"
run --steps 20 --restart half.h5 --field poisson
expect "fewer steps" refused 1 "half.h5: it is at step 37, beyond --steps 20"
head -c 20000 half.h5 >cut.h5
run --restart cut.h5
expect "a file that was cut" refused 1 "cut.h5: no restart file, or one that was cut"
expect_damage half.h5 --field poisson
run --restart none.h5
expect "no file" refused 1 "none.h5: No such file or directory"
run --output none/such
expect "no folder" refused 1 "none/such.csv: No such file or directory"

# Files cannot become long, as on a full disk: the one before stays.
cp half.h5 before.h5
run_short() {
    status=0
    out=$(trap "" XFSZ && ulimit -f 60 && "$program" "$@" 2>err.txt) || status=$?
    err=$(cat err.txt)
}
run_short --steps 20 --output half
expect "no room" refused 1 "half.h5.new: File too large"
expect "the good file stays" cmp -s half.h5 before.h5
expect "the other one goes" [ ! -e half.h5.new ]

# Killed while it writes, most likely.
"$program" --steps 100000 --output killed --checkpoint-every 1 --field poisson >/dev/null 2>&1 &
victim=$!
while [ ! -e killed.h5 ] && kill -0 "$victim"; do sleep 0.02; done
sleep 0.2
kill -KILL "$victim"
wait "$victim" 2>/dev/null
run --restart killed.h5 --steps 1 --field poisson
expect "a run that was killed left a whole file" \
    eval '[[ $status -eq 0 || $status/$err == "1/vlasov: killed.h5: it is at step "* ]]'

printf 'case = "two-stream"\nnx = 32\ntile = 32\nsteps = 5\nno-check = true\n' >good.toml
run --input good.toml --steps 3
expect "an input file, and the command line's last word" \
    eval '[[ $status/$out == 0/*"two-stream, 32 x 256, 3 steps"* ]]'
echo 'dx = 3' >>good.toml
run --input good.toml
expect "an unknown key" refused 2 "good.toml:6: unknown key 'dx'"
echo 'nx = [1]' >bad.toml
run --input bad.toml
expect "no number" refused 2 "bad.toml:1: nx: a number, a text, true or false is needed"
echo 'nx = -1' >bad.toml
run --input bad.toml
expect "a bad number" refused 2 "bad.toml:1: --nx '-1': an integer of at least 0 is needed"
run --input none.toml
expect "no input file" refused 2 "none.toml: File could not be opened for reading"
exit $failed
