# Whether the runtime's machine code keeps an address of the thread's across a call, by each compiler (check).
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

# check BUILD COMPILER [FILE...]: without `run`, which waits for a minute.
check() {
    status=0
    "$here/check" --build "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    # shellcheck disable=SC2034 # expect's
    out=$(cat "$scratch/out") err=$(cat "$scratch/err")
    [ "$status" -ne 77 ] || left_out "$(sed -n 's/^left out: //p' "$scratch/out")"
}

# usual: 200
# beside
# each: gcc-x86-64 gcc-aarch64 clang-x86-64 clang-aarch64
case_runtime() {
    check "$build" "$1"
    expect "no function of the runtime reads the thread pointer and calls" succeeded
    tail -n 1 "$scratch/out"
    expect "sources were examined" grep -qE '^[1-9][0-9]* passed, ' "$scratch/out"
}

# beside
# each: gcc-x86-64 gcc-aarch64 clang-x86-64 clang-aarch64
case_planted() {
    check "$build" "$1" tests/codegen/keeps.cpp
    expect "a function that does is named" [ "$out" = "FAIL $1: tests/codegen/keeps.cpp: _Z5keepsv reads the thread pointer and calls
0 passed, 1 failed" ]
    expect "and is a failure" [ "$status" -eq 1 ]
}

# usual: 200
# beside
case_switches() {
    check "$build" switches
    expect "marks are complete, and nothing of a thread's is used after a call that may switch" succeeded
    tail -n 1 "$scratch/out"
    expect "sources were examined" grep -qE '^[1-9][0-9]* passed, ' "$scratch/out"
}

# beside
case_switches_planted() {
    check "$build" switches tests/codegen/switches.cpp
    found=$(sed -n 's|^FAIL switches: tests/codegen/switches.cpp:\([0-9]*\): .*|\1|p' "$scratch/out" | sort -n)
    expect "the lines that say so are reported" [ "$found" = "$(sed -n '\|// reported|=' "$here/switches.cpp")" ]
    expect "with the function that has no mark" grep -qF "unmarked: calls a function that may switch, and" "$scratch/out"
    expect "or the variable" grep -qF "keeps: worker is used after a call that may switch" "$scratch/out"
    expect "and is a failure" [ "$status" -eq 1 ]
}

# In an object that a build has made, under another name.
# beside
case_planted_in_an_object() {
    mkdir -p CMakeFiles/loomp_objects.dir/tests/codegen
    "$gxx" -O2 -fPIC -ftls-model=initial-exec -Dkeeps=object_keeps -c "$here/keeps.cpp" \
        -o CMakeFiles/loomp_objects.dir/tests/codegen/keeps.cpp.o
    check "$scratch" gcc-x86-64 tests/codegen/keeps.cpp
    expect "the object is examined" [ "$out" = "FAIL gcc-x86-64: tests/codegen/keeps.cpp: _Z12object_keepsv reads the thread pointer and calls
0 passed, 1 failed" ]
}
