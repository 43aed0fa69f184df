# Programs that are built with a sanitizer, and valgrind, on loomp: the recipes of docs/sanitizers.md.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

compile() { "$gcc" -g -O1 -Wno-unused-but-set-variable -fopenmp "$@"; }
by_clang() { "$clang" -g -O1 -Wno-unused-but-set-variable -fopenmp -I"$dev/include" -L"$dev/lib" "$@"; }
# build gcc|clang ARGUMENT...
build() {
    if [ "$1" = gcc ]; then compile "${@:2}"; else by_clang "${@:2}"; fi
}
needs_compiler() { [ "$1" = gcc ] || needs_clang; }
has() { [[ $out == *"$1"* ]]; }
reports() { [[ $err == *"$1"* ]]; }

# --- ThreadSanitizer ------------------------------------------------------------------------------

needs_archer() {
    archer=$dev/lib/libarcher.so
    [ -e "$archer" ] || left_out "there is no libarcher.so in $dev/lib; scripts/setup test brings it"
    unset "${!TSAN_@}" "${!ARCHER_@}"
    # clang's runtime names no functions without a symbolizer; binutils has one.
    export OMP_TOOL_LIBRARIES=$archer OMP_CANCELLATION=true OMP_TARGET_OFFLOAD=disabled
    export TSAN_OPTIONS="ignore_noninstrumented_modules=1 suppress_equal_addresses=0 external_symbolizer_path=$(command -v addr2line)"
}

# The constructs whose functions are in the reports on stderr, one a line: a report's first line of code is in the
# function, or in one that the compiler made of it, `NAME._omp_fn.1` or without the name.
constructs_reported() {
    awk -v source="$here/constructs.c" '
        BEGIN {
            while ((getline line <source) > 0) {
                ++number
                if (match(line, /^static void [a-z_]+\(void\)/))
                    name = substr(line, 13, RLENGTH - 18)
                at[number] = name
            }
        }
        $1 == "#0" && match($0, /constructs\.c:[0-9]+/) { print at[substr($0, RSTART + 13, RLENGTH - 13)] }
        $1 == "#0" && match($2, /^[a-z_]+\./) { print substr($2, 1, RLENGTH - 1) }' <<<"$err" | sort -u
}

# each: gcc clang
case_constructs_without_races() {
    needs_compiler "$1"
    needs_archer
    once "correct-$1" build "$1" -fsanitize=thread "$here/constructs.c" -o "correct-$1"
    run "$loomp" run "$made/correct-$1"
    expect "no construct without a race is reported, built by $1" silent
    expect "all have run" has "37 constructs"
}

# finds RACY CONSTRUCT
finds() {
    run "$loomp" run "$1" "$2"
    constructs_reported | grep -qx "$2"
}

# Each in a process of its own: Archer's clocks of an earlier region may order accesses that nothing else orders.
finds_each() { # RACY CONSTRUCT...
    local construct
    for construct in "${@:2}"; do
        # ThreadSanitizer sees a race only if different threads make the accesses.
        expect "the race of $construct is reported" retry 5 "no race of $construct was seen" finds "$1" "$construct"
    done
}
racy() {
    needs_compiler "$1"
    needs_archer
    once "racy-$1" build "$1" -DRACY -fsanitize=thread "$here/constructs.c" -o "racy-$1"
}

# each: gcc clang
case_races_are_found() {
    racy "$1"
    finds_each "$made/racy-$1" barrier doacross critical depend taskgroup detach task_reduction
}

# nightly
# each: gcc clang
case_all_races_are_found() {
    racy "$1"
    # shellcheck disable=SC2046 # a word each
    finds_each "$made/racy-$1" $(grep -o 'ENTRY([a-z_]*)' "$here/constructs.c" | sed 's/ENTRY(//; s/)//' | grep -vx name)
}

# The child makes threads, which ThreadSanitizer forbids by default after a fork() of several threads.
# each: gcc clang
case_forks_without_races() {
    needs_compiler "$1"
    needs_archer
    once "forks-$1" build "$1" -fsanitize=thread "$here/forks.c" -o "forks-$1"
    TSAN_OPTIONS+=" die_after_fork=0"
    run "$loomp" run "$made/forks-$1"
    expect "neither process has a race, built by $1" silent
    expect "both compute" [ "$out" = $'64\n64' ]
    run "$loomp" run "$made/forks-$1" after
    expect "nor if OpenMP was used before fork()" silent
    expect "both compute then" [ "$out" = $'192\n192' ]
}

# The driver for the host is LLVM's; the program's linker adds ThreadSanitizer (tests/device_races).
build_target() {
    local runtime
    runtime=$("$clang" -print-file-name=libclang_rt.tsan-x86_64.a)
    [ -e "$runtime" ] || runtime=$("$clang" -print-runtime-dir)/libclang_rt.tsan-x86_64.a
    printf '#!/bin/sh\nexec ld --export-dynamic --whole-archive %s --no-whole-archive "$@"\n' "$runtime" >link
    chmod +x link
    "$clang" -c -g1 -O1 -Xarch_host -fsanitize=thread "${for_devices[@]}" "$device/programs/undeferred.c" -o target.o &&
        "$clang" -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "-L$dev/lib" target.o -lpthread -ldl -lrt -lm -lresolv \
            --ld-path="$PWD/link" -o target
}
case_target_without_races() {
    # shellcheck source=tests/device/parts.sh
    . "$root/tests/device/parts.sh"
    needs_clang
    use_libomptarget
    needs_archer
    unset OMP_TARGET_OFFLOAD
    once target build_target
    run env LD_LIBRARY_PATH="$llvm" OMP_NUM_THREADS=4 "$loomp" run "$made/target"
    expect "target constructs have no race" succeeded
}

case_archer_is_searched() {
    unset "${!TSAN_@}" "${!ARCHER_@}"
    # Nothing here needs Archer.
    printf '#include <omp.h>\nint main(void) {\n#pragma omp parallel\n    omp_get_thread_num();\n    return 0;\n}\n' >plain.c
    compile -fsanitize=thread plain.c -o plain
    run "$loomp" run ./plain
    if compgen -G "/usr/lib/llvm-*/lib/libarcher.so" >/dev/null; then
        expect "Archer in LLVM's folder is found" [ "$(grep -c '^loomp: ' <<<"$err")" -eq 0 ]
    else
        expect "without Archer there is one line" [ "$(grep -c '^loomp: ThreadSanitizer runs without Archer' <<<"$err")" -eq 1 ]
    fi
    run env OMP_TOOL=disabled "$loomp" run ./plain
    expect "none without the search" [ "$(grep -c '^loomp: ' <<<"$err")" -eq 0 ]
}

# --- AddressSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer ----------------------------------

# on_loomp NAME [FAULT]: `loomp run` of the program NAME.
on_loomp() { run "$loomp" run "$made/$1" "${@:2}"; }
computes() { [ "$status" -eq 0 ] && [ "$out" = "sum 34025664 of 64 tasks" ] && silent; }

# each: gcc clang
case_addresses() {
    needs_compiler "$1"
    unset "${!ASAN_@}" "${!LSAN_@}" "${!UBSAN_@}"
    once "addresses-$1" build "$1" -fsanitize=address "$here/tasks.c" -o "addresses-$1"
    on_loomp "addresses-$1"
    expect "a program with AddressSanitizer runs, built by $1" computes
    on_loomp "addresses-$1" overflow
    expect "it finds an overflow in a task" reports "heap-buffer-overflow"
    on_loomp "addresses-$1" leak
    expect "and a leak" reports "262144 byte(s)"
    run env ASAN_OPTIONS=verify_asan_link_order=1:detect_leaks=0 "$loomp" run "$made/addresses-$1" leak
    [ "$1" != gcc ] || expect "the user's own options win" reports "ASan runtime does not come first"
}

case_addresses_preloaded() {
    unset "${!ASAN_@}"
    once addresses-gcc build gcc -fsanitize=address "$here/tasks.c" -o addresses-gcc
    run env LD_PRELOAD="$("$gcc" -print-file-name=libasan.so)" "$loomp" run "$made/addresses-gcc"
    expect "AddressSanitizer's library may be preloaded" computes
    run "$loomp" trace -o trace "$made/addresses-gcc"
    expect "the program can be traced" has "sum 34025664"
}

case_leaks_and_undefined() {
    unset "${!ASAN_@}" "${!LSAN_@}" "${!UBSAN_@}"
    once leaks build gcc -fsanitize=leak "$here/tasks.c" -o leaks
    on_loomp leaks
    expect "nothing of loomp leaks" computes
    on_loomp leaks leak
    expect "LeakSanitizer finds the program's leak" reports "262144 byte(s)"
    once undefined build gcc -fsanitize=undefined "$here/tasks.c" -o undefined
    on_loomp undefined
    expect "nothing of loomp is undefined" computes
    on_loomp undefined undefined
    expect "UndefinedBehaviorSanitizer finds the program's overflow" reports "signed integer overflow"
}

# MPI libraries have leaks of their own.
# each: openmpi mpich
case_addresses_and_mpi() {
    needs_layer "$1"
    unset "${!ASAN_@}"
    export ASAN_OPTIONS=detect_leaks=0
    once "messages-$1" "mpicc.$1" -g -O1 -fopenmp -fsanitize=address "$here/messages.c" -o "messages-$1"
    run "mpirun.$1" -n 2 "$loomp" run "$made/messages-$1"
    expect "a program of $1 with AddressSanitizer runs" [ "$out" = "sum 1056" ]
    run "$loomp" run "mpirun.$1" -n 2 "$made/messages-$1"
    expect "also if loomp starts mpirun" [ "$out" = "sum 1056" ]
    run "mpirun.$1" -n 2 "$loomp" run "$made/messages-$1" overflow
    expect "it finds an overflow" reports "heap-buffer-overflow"
}

# --- valgrind -------------------------------------------------------------------------------------

plain() {
    needs valgrind
    unset "${!VALGRIND_@}"
    once plain build gcc "$here/tasks.c" -o plain
}
check="valgrind --leak-check=full --error-exitcode=9"
# Valgrind's summary has no error, and nothing about stacks.
is_clean() {
    [ "$status" -eq 0 ] && reports "ERROR SUMMARY: 0 errors" && ! reports "switching stacks" && ! reports "lost: 1" &&
        has "sum 34025664"
}

# shellcheck disable=SC2086 # the command's words
case_memcheck() {
    plain
    run "$loomp" run $check "$made/plain"
    expect "memcheck reports nothing of loomp" is_clean
    run $check --trace-children=yes "$loomp" run "$made/plain"
    expect "nor if it starts loomp" is_clean
    run "$loomp" run $check "$made/plain" uninitialised leak
    expect "it finds an uninitialised value in a task" reports "uninitialised value"
    expect "and a leak" reports "definitely lost: 262,144 bytes"
    expect "and no more" reports "ERROR SUMMARY: 2 errors"
}

# shellcheck disable=SC2086 # the command's words
case_memcheck_by_clang() {
    plain
    needs_clang
    once clang build clang "$here/tasks.c" -o clang
    run "$loomp" run $check "$made/clang"
    expect "memcheck reports nothing of loomp in a program of clang's" is_clean
}

# It can name a library of MPI's own faults.
errors_of_loomp() { grep -A1 ' Invalid \| uninitialised ' <<<"$err" | grep -c 'libloomp\|(in .*/lib/libloomp'; }
memcheck_and() {
    plain
    needs_layer "$1"
    once "exchange-$1" "mpicc.$1" -g -O1 -fopenmp "$here/messages.c" -o "exchange-$1"
    run "mpirun.$1" -n 2 "$loomp" run valgrind "$made/exchange-$1"
    expect "a program of $1 runs under memcheck" [ "$out" = "sum 1056" ]
    expect "no error is loomp's" [ "$(errors_of_loomp)" -eq 0 ]
    expect "no stack is unknown" [ "$(grep -c "switching stacks" <<<"$err")" -eq 0 ]
}
case_memcheck_and_openmpi() { memcheck_and openmpi; }
# nightly
case_memcheck_and_mpich() { memcheck_and mpich; }

case_callgrind_and_massif() {
    plain
    run "$loomp" run valgrind --tool=callgrind --callgrind-out-file=calls "$made/plain"
    # 64 calls: a loop of 5 to 9 instructions a round.
    local instructions
    instructions=$(callgrind_annotate calls | sed -n '/tasks\.c:work/{s/ *\([0-9,]*\) .*/\1/; s/,//gp; q}')
    run valgrind --tool=callgrind --callgrind-out-file=theirs "$made/plain"
    expect "callgrind counts a function as it does with gcc's own runtime" \
        [ "${instructions:-none}" = "$(callgrind_annotate theirs | sed -n '/tasks\.c:work/{s/ *\([0-9,]*\) .*/\1/; s/,//gp; q}')" ]
    run "$loomp" run valgrind --tool=massif --massif-out-file=heap "$made/plain"
    local most
    most=$(sed -n 's/mem_heap_B=//p' heap | sort -n | tail -n 1)
    expect "massif sees the program's 16 MiB, and little more ($most)" [ "$((most >> 20))" -eq 16 ]
}

# What is left is the program's own code, where OpenMP orders it.
own_code() { ! grep -A1 'Possible data race\|Conflicting' <<<"$err" | grep ' at 0x' | grep -q 'libloomp\|(in .*/lib/libloomp'; }
# each: helgrind drd
case_threads_by() {
    plain
    run "$loomp" run valgrind "--tool=$1" "$made/plain"
    expect "a program runs under $1" has "sum 34025664"
    expect "whose reports are not about loomp's own code" own_code
}
