# A program behaves under the recorder as without it.
# shellcheck shell=bash disable=SC2154

# build_misbehaves_by COMPILER...: makes the folder misbehaves-NAME with its library, and programs with and without it.
build_misbehaves_by() {
    local name=$1 flags=(-std=c++17 -O1 -g -Wall -Wextra -Werror -fopenmp -I"$include")
    shift
    mkdir -p "$name"
    "$@" "${flags[@]}" "${sanitize[@]}" -DLIBRARY -fPIC -shared "$here/misbehaves.cpp" -o "$name/libmisbehaves.so" &&
        "$@" "${flags[@]}" "${sanitize[@]}" "$here/misbehaves.cpp" -o "$name/misbehaves" &&
        "$@" "${flags[@]}" "${sanitize[@]}" -DLINKED "$here/misbehaves.cpp" -o "$name/linked" \
            -L"$name" -lmisbehaves "-Wl,-rpath,\$ORIGIN"
}
build_misbehaves-gcc() { build_misbehaves_by misbehaves-gcc "$gxx"; }
build_misbehaves-clang() {
    build_misbehaves_by misbehaves-clang "$("$compiler" clang++)" -I"$dev/include" -L"$dev/lib"
}

# behaves_as_without STOCK PROGRAM MODE
behaves_as_without() {
    local stock=$1 program=$2 mode=$3 expected_status expected
    if [ -n "$stock" ]; then
        run "$program" "$mode"
    else
        run "$loomp" run "$program" "$mode"
    fi
    expected_status=$status expected=$out
    # libomp's assertions about its own end fail at times, with the recorder or without.
    for _ in 1 2 3; do
        rm -rf "$mode$stock"
        # shellcheck disable=SC2086
        run "$loomp" trace $stock -o "$mode$stock" "$program" "$mode"
        grep -q 'Assertion failure at kmp_' "$scratch/err" || break
    done
    expect "$mode: the status is $expected_status" [ "$status" -eq "$expected_status" ]
    expect "$mode: prints $expected" [ "$out" = "$expected" ]
    ! grep -v '^loomp: ' "$scratch/err" || expect "$mode: only lines of loomp's" false
}

# each: gcc clang clang--stock
case_programs_that_misbehave_run_as_without_a_recorder() {
    local stock='' folder mode
    [[ $1 != *--stock ]] || stock=--stock
    program "misbehaves-${1%--stock}"
    folder=$made/misbehaves-${1%--stock}
    for mode in $("$folder/misbehaves"); do
        # libomp does not end when main's thread ends first, and its assertions may fail while threads outlive main.
        case $stock$mode in --stockmain_ends_first | --stockthreads_outlive_main) continue ;; esac
        behaves_as_without "$stock" "$folder/misbehaves" "$mode"
    done
    run "$loomp" report "closes_stderr$stock"
    expect "$stock: what the recorder could not print is reported" grep -qE \
        '^loomp: closes_stderr.*: recording: thread [0-9]+ stops after [0-9]+ bytes: ' "$scratch/err"
    run "$loomp" report "uses_up_descriptors$stock"
    expect "$stock: without descriptors, all tasks are recorded" reports 'tasks 100020,'
    expect "$stock: and a new label" reports '^new label +10 '
    expect "$stock: and nothing is lost" silent
    run "$loomp" report "forks_quietly$stock"
    expect "$stock: a child without handlers is not its parent" eval "reports \"^parent's +1 \" && ! reports \"child's\""
    expect "$stock: and damages nothing" silent
    run "$loomp" report "forks_quietly_at_first$stock"
    expect "$stock: nor one that uses OpenMP" eval "reports 'tasks 10,' && reports \"^parent's +1 \" && ! reports \"child\""
    run "$loomp" report "forks_quietly_at_first$stock.forked-"*
    expect "$stock: which has its own trace" reports '^child +10 '
    behaves_as_without "$stock" "$folder/linked" has_a_library
    run "$loomp" report "has_a_library$stock"
    expect "$stock: labels of a constructor" reports '^constructor +10 '
    expect "$stock: and later ones" reports '^library +10 '
    expect "$stock: the run begins with the program" eval "awk '/^run / { found = \$2 < 60 } END { exit !found }' '$scratch/out'"
}

case_a_program_with_a_tool_of_its_own_keeps_it() {
    cat >own_tool.c <<'END'
#include <loomp/omp-tools.h>
#include <stdio.h>
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)lookup, (void)device, (void)data;
    return puts("initialized") >= 0;
}
static void finalize(ompt_data_t *data) {
    (void)data;
    puts("finalized");
}
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}
END
    echo 'int main(void) {
#pragma omp parallel
        ;
        return 0;
    }' >own_tool_program.c
    "$gcc" -fPIC -shared -I"$include" own_tool.c "${sanitize[@]}" -o libown_tool.so
    "$gcc" -fopenmp own_tool_program.c "${sanitize[@]}" -o own_tool -Wl,--no-as-needed -L. -lown_tool "-Wl,-rpath,$PWD"
    run "$loomp" trace -o own.trace ./own_tool
    expect "the program's status" [ "$status" -eq 0 ]
    expect "its tool" [ "$out" = initialized$'\n'finalized ]
    expect "why nothing is recorded" complains "a tool of the program's own comes before the recorder"
}

case_a_program_with_thread_sanitizer_keeps_archer() {
    local stock
    needs_clang
    [ -e "$dev/lib/libarcher.so" ] || left_out "there is no libarcher.so in $dev/lib; scripts/setup test brings it"
    "$clang" -g -O1 -fsanitize=thread -fopenmp -I"$dev/include" -L"$dev/lib" "$root/tests/ompt/wavefront.c" -o wavefront
    for stock in "" --stock; do
        # shellcheck disable=SC2086
        run env TSAN_OPTIONS=ignore_noninstrumented_modules=1 LD_LIBRARY_PATH="$dev/lib" "$loomp" trace $stock -o "races$stock" \
            ./wavefront
        expect "$stock: no race is reported" [ "$status" -eq 0 ]
        expect "$stock: it is said" grep -q "^loomp: recording: no tasks: ThreadSanitizer needs Archer as the program's tool; \
record a program without it$" "$scratch/err"
    done
}
