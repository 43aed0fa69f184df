# How tools start, and Archer, which finds races with ThreadSanitizer.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

quiet() { [ "$status" -eq 0 ] && [ -z "$out" ] && silent; }
logged() { [[ $out == *"$1"* ]]; }

# --- Finding tools -------------------------------------------------------------------------------

make_plain() {
    printf 'int main(void) {\n#pragma omp parallel\n    ;\n    return 0;\n}\n' >plain.c
    "$gcc" -fopenmp plain.c -o plain
}

# A program with a region, on loomp, and a tool: in the current folder, ./plain and ./tool.so.
plain() {
    once plain make_plain
    once tool.so "$gcc" -shared -fPIC -I"$include" "$here/tool.c" -o tool.so
    ln -s "$made/plain" "$made/tool.so" .
    export LD_LIBRARY_PATH=$build/lib/compat
}
# tool NAME FLAG: another tool.
tool() { "$gcc" -shared -fPIC -I"$include" "$here/tool.c" -o "$1" "$2"; }
ran=$'tool started, can look up\ntool ended'

case_tool() {
    plain
    run ./plain
    expect "without a tool nothing is said" quiet
    run env OMP_TOOL_LIBRARIES=./tool.so ./plain
    expect "a tool starts and ends" [ "$out" = "$ran" ]
    run env OMP_TOOL_LIBRARIES=./tool.so OMP_TOOL=disabled ./plain
    expect "OMP_TOOL=disabled keeps it away" quiet
    run env LD_PRELOAD=./tool.so ./plain
    expect "a tool in the process is found" [ "$out" = "$ran" ]
}

case_tools_that_decline() {
    plain
    tool declines.so -DDECLINES
    tool refuses.so -DREFUSES
    run env OMP_TOOL_LIBRARIES=nowhere.so:./declines.so:./tool.so ./plain
    expect "the first library that has an active tool counts" [ "$out" = "$ran" ]
    expect "the others are no errors" silent
    run env OMP_TOOL_LIBRARIES=./refuses.so ./plain
    expect "a tool may refuse when it is initialized" quiet
}

case_verbose_init() {
    plain
    run env OMP_TOOL_LIBRARIES=nowhere.so:./tool.so OMP_TOOL_VERBOSE_INIT=stdout ./plain
    expect "OMP_TOOL_VERBOSE_INIT tells of a library that is not there" logged "nowhere.so: cannot be loaded"
    expect "and of the one that is" logged "./tool.so: ompt_start_tool started a tool"
    run env OMP_TOOL_LIBRARIES=./tool.so OMP_TOOL_VERBOSE_INIT=log ./plain
    expect "it writes to a file" grep -q "tool attached" log
    run env OMP_TOOL_VERBOSE_INIT=/nowhere/log ./plain
    expect "or says that it cannot" complains OMP_TOOL_VERBOSE_INIT
}

# --- Archer --------------------------------------------------------------------------------------

# build_wavefront NAME [FLAG]: for ThreadSanitizer, on loomp.
build_wavefront() {
    "$clang" -g -O1 -fsanitize=thread -fopenmp -I"$dev/include" -L"$dev/lib" "$here/wavefront.c" -o "$@"
}
needs_archer() {
    needs_clang
    [ -e "$dev/lib/libarcher.so" ] || left_out "there is no libarcher.so in $dev/lib; scripts/setup test brings it"
    unset "${!TSAN_@}"
    export TSAN_OPTIONS=ignore_noninstrumented_modules=1
}
# A program on loomp, with Archer.
archer() {
    run env LD_LIBRARY_PATH="$build/lib/compat" OMP_TOOL_LIBRARIES="$dev/lib/libarcher.so" OMP_TOOL_VERBOSE_INIT=stdout "$@"
}
finds_a_race() {
    archer "$1"
    [ "$status" -eq 66 ] && [[ $err == *"data race"* ]]
}

case_archer_on_a_correct_program() {
    local try
    needs_archer
    once correct build_wavefront correct
    archer "$made/correct"
    expect "Archer is there" logged "libarcher.so: ompt_start_tool started a tool"
    for try in 1 2 3 4 5; do
        archer "$made/correct"
        expect "Archer is silent on a correct dependent-task program ($try)" silent
        expect "which computes what it should ($try)" logged "144 tiles, corner 4, sum 2304"
    done
}

# each: DEPENDENCE TASKWAIT CRITICAL
case_archer_on_a_race() {
    needs_archer
    build_wavefront racy "-DRACE_$1"
    # ThreadSanitizer sees a race only if different threads run the two tasks, which happens nearly always.
    expect "Archer reports RACE_$1" retry 3 "Archer reported no race" finds_a_race ./racy
}

case_archer_by_itself() {
    needs_archer
    once correct build_wavefront correct
    run env LD_LIBRARY_PATH="$build/lib/compat:$dev/lib" "$made/correct"
    expect "Archer is found by itself where ThreadSanitizer runs" silent
}
