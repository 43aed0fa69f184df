#!/usr/bin/env bash
# Tests the files that enclave writes and reads: files_test.sh PROGRAM. Continued runs come to the bits of
# those that were never stopped, in other modes, too; errors are reported in one line; no good file is
# lost. 77: built without HDF5.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=apps/common/files_test.sh
source "$here/../common/files_test.sh"
cd "$folder" || exit 1

run --case vortex --depth 2 --output whole --output-every 0.05
expect "files at chosen times" [ "$status/$(echo whole*)" = \
    "0/whole-00000.h5 whole-00001.h5 whole-00002.h5 whole-00003.h5 whole-00004.h5 whole.xdmf" ]
expect "a film of them all" [ "$(grep -c '<Time' whole.xdmf)" -eq 5 ]
whole=$(checksum)
run --case vortex --depth 2
expect "files change no value" [ "$(checksum)" = "$whole" ]
run --case vortex --depth 2 --restart whole-00002.h5 --output rest --output-every 0.05 --mode bsp
expect "a run that goes on has the same bits" [ "$status/$(checksum)" = "0/$whole" ]
expect "and writes what remains" [ "$(echo rest*)" = "rest-00003.h5 rest-00004.h5 rest.xdmf" ]
run --case gauge-wave --depth 1 --end 0.05 --output gauge --output-every 0.02
wave=$(checksum)
run --case gauge-wave --depth 1 --end 0.05 --restart gauge-00001.h5 --mode hold-back
expect "so does Einstein's, along one direction" [ "$status/$(checksum)" = "0/$wave" ]
run --case advection --dimensions 3 --depth 1 --output cube --output-every 0.03
cube=$(checksum)
run --case advection --dimensions 3 --depth 1 --restart cube-00002.h5 --check
expect "and along three, judged as a whole run is" [ "$status/$(checksum)/${out##*$'\n'}" = "0/$cube/PASS" ]

run --case vortex --depth 1 --levels 2 --end 1 --output moving --output-every 0.4
moving=$(checksum)
run --case vortex --depth 1 --levels 2 --end 1 --restart moving-00001.h5 --mode bsp
expect "so does one whose mesh changes" [ "$status/$(checksum)" = "0/$moving" ]
run --case vortex --depth 1 --levels 1 --end 1 --restart moving-00001.h5
expect "fewer levels" refused 1 "moving-00001.h5: of another run: its levels is 2, here it is 1"

run --case vortex --depth 3 --restart whole-00002.h5
expect "another mesh" refused 1 "whole-00002.h5: of another run: its depth is 2, here it is 3"
run --case advection --depth 2 --restart whole-00002.h5
expect "another case" refused 1 "whole-00002.h5: of case vortex, not advection"
run --case vortex --depth 2 --end 0.1 --restart whole-00003.h5
expect "an earlier end" eval '[[ $status/$err == "1/enclave: whole-00003.h5: it is at t = 0.1"*", beyond --end 0.1" ]]'
head -c 20000 whole-00002.h5 >cut.h5
run --case vortex --depth 2 --restart cut.h5
expect "a file that was cut" refused 1 "cut.h5: no restart file, or one that was cut"
expect_damage whole-00002.h5 --case vortex --depth 2
run --restart none.h5
expect "no file" refused 1 "none.h5: No such file or directory"
run --output none/such
expect "no folder" refused 1 "none/such-00000.h5.new: No such file or directory"
run --output-every 0.1
expect "nothing to write" refused 2 "--output-every needs --output"
run --case vortex --depth 1 --progress
expect "how far it is" eval '[[ $status/$err == "0/step "*", t = 0.2 of 0.2, 9 cells, "*" volumes/s, "*" s left" ]]'

if [ -x "$here/pictures" ] && /usr/bin/python3 -c 'import h5py, matplotlib' 2>/dev/null; then
    "$here/pictures" whole && "$here/pictures" --picture wave.png gauge
    expect "pictures of a plane and of a wave" [ "$(head -c 4 whole.png | tail -c 3)$(head -c 4 wave.png | tail -c 3)" = PNGPNG ]
    err=$("$here/pictures" none 2>&1)
    expect "no picture of nothing" [ "$err" = "pictures: none: there is no none-00000.h5" ]
fi

# Files cannot become long, as on a full disk: the one before stays.
cp whole-00004.h5 before.h5
run_short() {
    status=0
    out=$(trap "" XFSZ && ulimit -f 30 && "$program" "$@" 2>err.txt) || status=$?
    err=$(cat err.txt)
}
run_short --case vortex --depth 2 --restart whole-00003.h5 --output whole --output-every 0.05
expect "no room" refused 1 "whole-00004.h5.new: File too large"
expect "the good file stays" cmp -s whole-00004.h5 before.h5
expect "the other one goes" [ ! -e whole-00004.h5.new ]

# Killed while it writes, most likely.
"$program" --case vortex --depth 2 --output killed --output-every 0.01 --end 1000 >/dev/null 2>&1 &
victim=$!
while [ ! -e killed-00003.h5 ] && kill -0 "$victim"; do sleep 0.02; done
kill -KILL "$victim"
wait "$victim" 2>/dev/null
run --case vortex --depth 2 --restart killed-00003.h5 --end 0.2
expect "a run that was killed left whole files" [ "$status/$(checksum)" = "0/$whole" ]
exit $failed
