# Checks what tools are told of devices, and what recordings have of them.
# shellcheck shell=bash disable=SC2154 # see tests/device/parts.sh
# shellcheck source=tests/device/parts.sh
. "$here/parts.sh"

build_tool() { "$gcc" -shared -fPIC -Wall -Wextra -Werror "-I$include" "$here/tool.c" -o tool.so; }

# each: chains undeferred serial
case_tool() {
    use_program "$1"
    once tool.so build_tool
    on_device OMP_NUM_THREADS=3 OMP_TOOL_LIBRARIES="$made/tool.so" "$made/$1"
    expect "$1 with a tool" well
    paired() { [[ $out =~ ^targets\ [1-9][0-9]*,\ operations\ [1-9][0-9]*,\ submissions\ [1-9][0-9]*,\ devices\ 1,\ open\ 0,\ faults\ 0$ ]]; }
    expect "which is told of all of it in pairs" paired
}

# figures_of TRACE: kernels, copies to and from devices, and whether times make sense.
figures_of() {
    "$loomp" report --json "$1" | python3 -c 'import json, sys
report = json.load(sys.stdin)
for of in report["devices"]:
    sane = 0 < of["busy_s"] <= report["summary"]["run_s"] and of["several_s"] <= of["busy_s"] and 0 <= of["overlap"] <= 1
    print(of["device"], of["kernels"], of["copies_to"], of["copies_from"], of["bytes_to"], of["bytes_from"], sane, len(report["problems"]))'
}

# recorded LIBRARY_PATH FIGURES PROGRAM ARGUMENT...: its trace, which is the folder `trace` then, has them.
recorded() {
    local figures
    run env LD_LIBRARY_PATH="$1" OMP_NUM_THREADS=2 FAKE_CUDA_KERNEL_US=1000 "$loomp" trace -o trace "$made/$3" "${@:4}"
    figures=$(figures_of trace)
    expect "$3 recorded: $figures" [ "$figures" = "$2" ]
}

case_recorded_chains() {
    use_program chains
    recorded "$made/driver:$llvm" "0 64 64 64 1536000 1536000 True 0" chains
    page_of() { "$loomp" view trace -o page.html && grep -q '"deviceLanes":\[{"device":0,"rank":0,"row":0,' page.html; }
    expect "chains: the page has what the device did" page_of
    exported() { "$loomp" export trace -o trace.json && [ "$(grep -c '"cat":"device"' trace.json)" -eq 192 ]; }
    expect "and so has the export" exported
}

case_recorded_on_host_plugin() {
    use_program chains
    recorded "$llvm" "0 64 64 64 1536000 1536000 True 0" chains.host
}

case_recorded_lulesh() {
    use_application lulesh
    recorded "$made/driver:$llvm" "0 16 107 80 107880 124000 True 0" lulesh -s 5 -i 4 --offload 2
}

# Stand-ins, which begin what workers leave lying, are no threads.
case_recorded_stand_ins() {
    use_program many
    run env LD_LIBRARY_PATH="$made/driver:$llvm" OMP_NUM_THREADS=2 "${slow[@]}" "$loomp" trace -o many.trace "$made/many"
    report_of_many() { "$loomp" report --threads many.trace >many.report && grep -q '^ranks 1, threads 2, tasks 10000,' many.report; }
    expect "many has two threads in the report" report_of_many
    expect "and stand-ins beside them" grep -Eq '^stand-ins: [1-8]; tasks that they began for the threads: [1-9]' many.report
    expect "which have no rows" [ "$(grep -c '^rank 0 thread [0-9]' many.report)" -le 5 ]
}
