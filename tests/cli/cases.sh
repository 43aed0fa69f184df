# The loomp command, by behaviour.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

# which.c prints the number of threads of a region and the file that the OpenMP runtime came from.
compile() { "$gcc" -O1 -fopenmp "$here/which.c" -o "$1" "${@:2}"; }
on_loomp() { [ "$status" -eq 0 ] && [[ $out == *" libloomp.so" ]]; }

# Links a program of gcc's into the current folder.
plain() {
    once plain compile plain
    ln -s "$made/plain" plain
}

by_clang() { "$clang" -O1 -fopenmp -I"$dev/include" -L"$dev/lib" "$@"; }

# begin FILE COMMAND...: starts a process, which waits after it has written to FILE; $process is its
# number.
begin() {
    "${@:2}" >"$1" &
    process=$!
    until [ -s "$1" ] || ! kill -0 "$process"; do
        sleep 0.1
    done
}

case_gcc_program() {
    plain
    run "$loomp" run ./plain
    expect "a gcc program runs on loomp" on_loomp
    expect "and nothing is said about it" silent
    run "$loomp" run -- ./plain
    expect "-- may come before the program" on_loomp
    run env PATH="$scratch" "$loomp" run plain
    expect "a program is found in PATH" on_loomp
    run "$loomp" run -t 3 ./plain
    expect "--threads sets the team" [ "${out%% *}" = 3 ]
}

case_clang_program() {
    needs_clang
    by_clang "$here/which.c" -o clang
    run "$loomp" run ./clang
    expect "a clang program runs on loomp" on_loomp
}

# gcc's object and clang's in one program, each with its own runtime.
case_two_runtimes() {
    needs_clang
    "$gcc" -O1 -fopenmp -fPIC -shared "$here/part.c" -o libpart.so
    by_clang "$here/both.c" ./libpart.so -o both
    run "$loomp" run ./both
    expect "both runtimes of a program are one loomp" [ "$out" = "1 libloomp" ]
}

case_rpath() {
    compile rpath -Wl,--disable-new-dtags,-rpath,/usr/lib/x86_64-linux-gnu
    run "$loomp" run ./rpath
    expect "a program whose RPATH has a runtime runs on loomp" on_loomp
    run "$loomp" run --quiet --preload ./rpath
    expect "--preload does it unexamined" on_loomp
}

case_static_runtime() {
    "$gcc" -fopenmp -c "$here/which.c" -o which.o
    "$gcc" which.o -o holds "$("$gcc" -print-file-name=libgomp.a)" -ldl -lpthread
    run "$loomp" run ./holds
    expect "a runtime linked in is reported" complains "linked statically"
    expect "and the program runs all the same" [ "$status" -eq 0 ]
    run "$loomp" run --quiet ./holds
    expect "--quiet says nothing" silent
}

case_program_without_openmp() {
    run "$loomp" run /bin/echo a -- -b
    expect "the program's own words reach it" [ "$out" = "a -- -b" ]
    run "$loomp" run sh -c 'exit 7'
    expect "the program's status is the command's" [ "$status" -eq 7 ]
}

# Libraries with more static thread-local data than the dynamic linker keeps for those that it does
# not know: linked, preloaded, and with tunables of the user's.
case_thread_data() {
    local bytes
    for bytes in 4096 100000; do
        printf 'static __thread char data[%d] __attribute__((tls_model("initial-exec")));\nint touch(void) { return ++data[%d]; }\n' \
            "$bytes" "$((bytes - 1))" >data.c
        "$gcc" -shared -fPIC data.c -o "libdata$bytes.so"
        echo 'int touch(void); int main(void) { return touch() != 1; }' >main.c
        "$gcc" main.c -o "linked$bytes" "./libdata$bytes.so"
        run "$loomp" run "./linked$bytes"
        expect "a program with $bytes bytes" [ "$status" -eq 0 ]
        run env LD_PRELOAD="$PWD/libdata$bytes.so" "$loomp" run /bin/true
        expect "a program before which they are loaded" [ "$status" -eq 0 ]
    done
    run env GLIBC_TUNABLES=glibc.malloc.perturb=1 "$loomp" run ./linked4096
    expect "tunables of the user's stay" [ "$status" -eq 0 ]
}

case_script() {
    plain
    printf '#!/bin/sh\nexec ./plain\n' >script && chmod +x script
    run "$loomp" run ./script
    expect "a script's programs run on loomp" on_loomp
    expect "and the script is not complained of" silent
    printf 'exec "$@"\n' >bare && chmod +x bare
    run "$loomp" run ./bare ./plain
    expect "a script needs no #!, as in the shell" on_loomp
    run env PATH="$scratch:$PATH" "$loomp" run bare ./plain
    expect "nor one in PATH" on_loomp
}

# A program uses its own instances of C++'s templates, though libloomp-mpi, which has some too, is
# loaded before it.
case_templates() {
    printf '#include <vector>\nint main() { std::vector<char> v; v.resize(9); return int(v.size()); }\n' >vector.cpp
    "$gxx" -O0 vector.cpp -o vector
    run "$loomp" run --quiet ./vector
    expect "C++ programs have their own vectors" [ "$status" -eq 9 ]
    expect "and nothing is said" silent
}

# Two modules, each with a renamed libgomp, like Python's wheels; the files are no runtimes.
case_renamed_runtimes() {
    local hash
    "$gcc" "$here/load.c" -o load
    for hash in 1a2b3c4d e5f60718; do
        mkdir "$hash.libs"
        printf '.text\n.globl f\nf: ret\n.symver f,GOMP_parallel@@GOMP_4.0,remove\n' >renamed.s
        echo 'GOMP_4.0 { };' >renamed.map
        "$gcc" -shared -nostdlib renamed.s -o "$hash.libs/libgomp-$hash.so.1.0.0" \
            -Wl,-soname,"libgomp-$hash.so.1.0.0" -Wl,--version-script=renamed.map
        "$gcc" -O1 -fopenmp -fPIC -shared -c "$here/module.c" -o module.o
        "$gcc" -shared module.o "$hash.libs/libgomp-$hash.so.1.0.0" -o "$hash.so" -Wl,-rpath,"\$ORIGIN/$hash.libs"
    done
    run "$loomp" run -t 2 ./load ./1a2b3c4d.so ./e5f60718.so ./1a2b3c4d.so "$scratch/e5f60718.libs/libgomp-e5f60718.so.1.0.0"
    expect "modules with runtimes of their own run on one loomp" [ "$out" = "2 2 2 0 " ]
    begin ready "$loomp" run --quiet ./load ./1a2b3c4d.so -
    run "$loomp" info --process "$process"
    expect "info names the runtime of a process" [ "$status" -eq 0 ]
    expect "by its file" grep -q '^runtime .*/libloomp.so$' "$scratch/out"
    kill "$process"
}

case_info_of_a_process() {
    "$gcc" "$here/load.c" -o load
    begin two ./load "$("$gcc" -print-file-name=libgomp.so.1)" "$build/lib/libloomp.so" -
    run "$loomp" info --process "$process"
    expect "two runtimes in one process are told of" complains "has two OpenMP runtimes"
    kill "$process"
    run "$loomp" info --process $$
    expect "a process without one is told of" complains "has no OpenMP runtime, or none yet"
    expect "and that is a failure" [ "$status" -eq 1 ]
}

case_moved_tree() {
    plain
    mkdir bin lib && cp "$loomp" bin/ && cp "$build/lib/libloomp.so" lib/ && cp -a "$build/lib/compat" lib/
    run bin/loomp run ./plain
    expect "a tree that was moved works" on_loomp
}

# Runs a program; $processes is the number of processes, by the dynamic linker's own log.
logged() {
    rm -f log.*
    run env LD_DEBUG=files LD_DEBUG_OUTPUT=log "$loomp" run "$1"
    processes=$(find . -name 'log.*' | wc -l)
}

# Each start pays for the libraries of loomp itself, and for a process that lists those of the program.
case_short_start() {
    local processes
    plain
    logged ./plain
    expect "a program with plain libraries starts without another process" [ "$processes" -eq 1 ]
    expect "on loomp" on_loomp
    expect "loomp does not load what reads traces" [ "$(cat log.* | grep -cE 'trace-format|libdw')" -eq 0 ]
    compile runpath -Wl,--enable-new-dtags,-rpath,/usr/lib/x86_64-linux-gnu
    logged ./runpath
    expect "a RUNPATH changes nothing" [ "$processes" -eq 1 ]
    expect "because loomp comes before it" on_loomp
    compile rpath -Wl,--disable-new-dtags,-rpath,/usr/lib/x86_64-linux-gnu
    logged ./rpath
    expect "the libraries of a program with an RPATH are listed" [ "$processes" -eq 2 ]
    compile other -Wl,--no-as-needed -lz
    logged ./other
    expect "those of one with other libraries, too" [ "$processes" -eq 2 ]
    expect "on loomp, again" on_loomp
    export LD_PRELOAD=libm.so.6
    logged ./plain
    expect "those of one with a preload, too" [ "$processes" -eq 2 ]
}

case_info() {
    run env OMP_NUM_THREADS=3 "$loomp" info
    expect "info succeeds" [ "$status" -eq 0 ]
    expect "info shows a setting's origin" grep -qE 'OMP_NUM_THREADS +3 +.*environment' "$scratch/out"
    expect "info shows the machine" grep -q '^machine' "$scratch/out"
    expect "info shows the MPI library" grep -q '^MPI' "$scratch/out"
    run "$loomp" info --verbose
    expect "info --verbose says more" [ "$(wc -l <"$scratch/out")" -gt 40 ]
}

case_info_latency() {
    run "$loomp" info --latency
    if [ "$(nproc)" -gt 1 ]; then
        expect "info --latency succeeds" [ "$status" -eq 0 ]
        expect "it has a row for each processor" [ "$(grep -cE '^ +[0-9]+ .* -( |$)' "$scratch/out")" -eq "$(nproc)" ]
        expect "what it says is positive" grep -qE 'least [1-9][0-9]*, median' "$scratch/out"
    fi
    run taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')" "$loomp" info --latency
    expect "one processor alone has no latency" [ "$status" -eq 1 ]
    expect "which it says" complains "may use one processor only"
}

case_help() {
    local command
    run "$loomp" --help
    local all=$out
    run "$loomp" help
    expect "loomp help is loomp --help" [ "$status/$out" = "0/$all" ]
    for command in $(sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z]*\) .*/\1/p' <<<"$all"); do
        run "$loomp" help "$command"
        local help=$out
        expect "loomp help $command" [ "$status/${#err}" = 0/0 ]
        [ "$command" != help ] || continue
        expect "has one example" [ "$(grep -c "^Example: loomp $command " "$scratch/out")" -eq 1 ]
        run "$loomp" "$command" --help
        expect "and is loomp $command --help" [ "$status/$out" = "0/$help" ]
    done
    expect "all commands were found" [ "$(grep -c '^  [a-z]' <<<"$all")" -ge 12 ]
    run "$loomp" help python
    expect "Python's own help is named" grep -qx "Python's own help: loomp python -h" "$scratch/out"
    run "$loomp" help nonsense
    expect "help of no command" [ "$status" -eq 2 ]
    expect "is an error of use" complains "there is no command nonsense: run, trace,"
}

# A program without MPI, by either library's launcher.
# each: openmpi mpich
case_ranks() {
    needs_layer "$1"
    plain
    run "mpirun.$1" -n 2 "$loomp" run ./plain
    expect "each rank runs on loomp" [ "$(grep -c 'libloomp.so$' "$scratch/out")" -eq 2 ]
}

case_without_proc() {
    unshare --mount true 2>/dev/null || left_out "no namespaces of mounts can be made here"
    run unshare --mount sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$loomp" run true
    expect "the command does not find its own libraries" complains "cannot read /proc/self/exe: No such file or directory"
    expect "it is a failure" [ "$status" -ne 0 ]
}

# A library that finds ALPI's names while it runs, like BSC's, and a program that does. There is one runtime: it has
# the task that ALPI names.
case_alpi() {
    cat >finds.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
void find(void) {
    int (*self)(void **) = (int (*)(void **))dlsym(RTLD_DEFAULT, "alpi_task_self");
    void *(*own)(void) = (void *(*)(void))dlsym(RTLD_DEFAULT, "loomp_task_self");
    void *task = NULL;
    printf("%s\n", self != NULL && self(&task) == 0 && task == own() ? "there" : "none");
}
END
    printf 'void find(void);\nint main(void) {\n#pragma omp parallel num_threads(1)\n    find();\n}\n' >calls.c
    "$gcc" -shared -fPIC finds.c -o libfinds.so
    "$gcc" -fopenmp calls.c -o calls -L. -lfinds "-Wl,-rpath,$PWD"
    "$gcc" -fopenmp calls.c finds.c -o finds
    for program in calls finds; do
        run env "LD_LIBRARY_PATH=$build/lib/compat" "./$program"
        expect "$program finds ALPI in the runtime" [ "$out" = there ]
        run env "LD_PRELOAD=$build/lib/libloomp.so" "./$program"
        expect "$program finds it in a preloaded one" [ "$out" = there ]
        run "$loomp" run -q bash -c "./$program"
        expect "$program finds it if another program starts it" [ "$out" = there ]
    done
}

case_tasks_that_wait_for_nothing_with_all_stacks() {
    cat >waits.c <<'END'
#include <loomp/alpi.h>
int main(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200; i++) {
#pragma omp task
        {
            struct alpi_task *self;
            alpi_task_self(&self);
            alpi_task_block(self);
        }
    }
}
END
    "$gcc" -O1 -fopenmp "-I$include" waits.c -o waits "-L$build/lib" -lloomp
    run env LOOMP_MAX_STACKS=4 LOOMP_REPORT_STUCK_AFTER=500ms "$loomp" run -t 2 ./waits
    expect "the program is ended" [ "$status" -eq 134 ]
    expect "and why" grep -qE "^loomp: for [0-9.]+ s no task could begin: no stack is left for [0-9]+ that are ready, no taskwait or \
taskgroup waits for one of them, and those that have begun wait for what lies outside or for dependences, or yield\. 4 stacks of " \
        "$scratch/err"
    cat >depends.c <<'END'
static void go_deeper(int depth) {
    int x = 0;
    if (depth == 0)
        return;
#pragma omp task depend(out : x) firstprivate(depth)
    go_deeper(depth - 1);
#pragma omp taskwait depend(in : x)
}
int main(void) {
#pragma omp parallel
#pragma omp single
    go_deeper(20);
}
END
    "$gcc" -O1 -fopenmp depends.c -o depends
    run env LOOMP_REPORT_STUCK_AFTER=500ms "$loomp" run -t 2 ./depends
    expect "with stacks a wait for dependences ends" [ "$status" -eq 0 ]
    run env LOOMP_MAX_STACKS=4 LOOMP_REPORT_STUCK_AFTER=500ms "$loomp" run -t 2 ./depends
    expect "without, the program is ended" [ "$status" -eq 134 ]
    expect "and told of its wait for dependences" grep -q "no stack is left for 1 .* wait for what lies outside or for dependences" "$scratch/err"
    unshare --mount true 2>/dev/null || left_out "no namespaces of mounts can be made here"
    printf 'MemTotal: 1 kB\nMemAvailable: 1 kB\n' >meminfo
    run unshare --mount sh -c 'mount --bind meminfo /proc/meminfo && exec "$@"' sh \
        env LOOMP_REPORT_STUCK_AFTER=500ms "$loomp" run -t 2 ./waits
    expect "also if memory is short" grep -qE "^loomp: no more stacks for suspended tasks .*: memory is nearly used up" "$scratch/err"
}
