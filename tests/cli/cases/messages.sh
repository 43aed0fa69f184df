# Checks the messages of the command and the recorder on stderr, word by word, and the exit
# statuses.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

# says STATUS TEXT: the last run ended with that status, and one line on stderr has the text.
says() { [ "$status" -eq "$1" ] && complains "$2"; }

# ends TEXT: stderr ends with TEXT.
ends() { [[ $err == *"$1" ]]; }

# among_lines TEXT: one of the lines on stderr is TEXT, after the prefix.
among_lines() { grep -qxF -- "loomp: $1" "$scratch/err"; }

# A program of gcc's with a region: prints how many threads it has.
make_region() { "$gcc" -O1 -fopenmp "$here/which.c" -o "$1"; }
region() {
    once region make_region region
    ln -s "$made/region" region
}

# A trace of a program that creates a task, and of one that creates none.
make_traces() {
    mkdir "$1"
    printf 'int x;\nint main(void) {\n#pragma omp parallel num_threads(2)\n#pragma omp single\n#pragma omp task\nx++;\n}\n' >"$1/task.c"
    "$gcc" -O1 -fopenmp "$1/task.c" -o "$1/task" && "$loomp" trace -o "$1/one" "$1/task" &&
        "$loomp" trace -o "$1/none" "$made/region"
}
traces() {
    once region make_region region
    once traces make_traces traces
}

# Another loomp, which has only the named libraries.
tree_with() {
    mkdir -p tree/bin tree/lib
    cp "$loomp" tree/bin/
    local file
    for file in "$@"; do
        cp -a "$build/lib/$file" tree/lib/
    done
}

case_messages_of_main() {
    region
    run "$loomp" run --nonsense ./region
    expect "an unknown option" says 2 "run: unknown option --nonsense: loomp run --help lists them"
    run "$loomp" run
    expect "no program" says 2 "run: no program given: loomp run ./app args"
    run "$loomp" trace -o none
    expect "no program to trace" says 2 "trace: no program given: loomp trace ./app args"
    run "$loomp" run -t none ./region
    expect "a wrong number of threads" says 2 "'none' is no number of threads: 1 or more is needed"
    expect "and where help is" ends ": loomp --help shows how"
    run "$loomp" trace --last 1M ./region
    expect "too little to keep" says 2 "1M are too few bytes to keep: 2M is the least"
    local size
    for size in much x -5 5X 99999999999999T; do
        run "$loomp" trace --last "$size" ./region
        expect "$size is no size" says 2 "'$size' is no size such as 64M"
    done
    run "$loomp" trace --detail tasks,everything ./region
    expect "no such detail" says 2 "'everything' is none of tasks, dependences"
    run "$loomp" report --kinds -1 nowhere
    expect "no count" says 2 "'-1' is not a whole number of at least 0"
    run "$loomp" repport
    expect "nearly a command" says 2 "there is no command repport; did you mean loomp report?"
    run "$loomp" runn ./region
    expect "nearly a short one" says 2 "there is no command runn; did you mean loomp run?"
    run "$loomp" ./region
    expect "a program in the place of a command" \
        says 2 "there is no command ./region; did you mean loomp run ./region?"
    run "$loomp" zzzzzz
    expect "no command at all: all are listed" says 2 "there is no command zzzzzz: run, trace, check, report, compare,"
}

case_messages_of_run() {
    run "$loomp" run /bin/echo
    expect "a program without OpenMP" says 0 "/bin/echo is linked with no OpenMP runtime; loomp replaces those that \
it loads while it runs, and those of programs that it starts"
    run "$loomp" run ./absent
    expect "no file" says 127 "./absent: no such file"
    run "$loomp" trace -o none ./absent
    expect "no file to trace" says 127 "./absent: no such file"
    run "$loomp" run absent-program
    expect "no program in PATH" says 127 "absent-program: no such program in PATH"
    : >absent-program && chmod +x absent-program
    run "$loomp" run absent-program
    expect "but one here" says 127 "absent-program: no such program in PATH; try ./absent-program"
    : >text
    run "$loomp" run ./text
    expect "no program" says 126 "./text: not an executable file"
    # The program is for a machine that does not exist.
    cp /bin/true alien
    printf '\377\376' | dd of=alien bs=1 seek=18 conv=notrunc status=none
    run "$loomp" run --quiet ./alien
    expect "a program of another machine" says 126 "cannot run ./alien: Exec format error"
    # Linked with a library that has the ABI's name, for which this tree has no layer.
    printf 'int MPI_Initialized(int *flag) { return *flag = 0; }\n' >abi.c
    "$gcc" -shared -fPIC abi.c -o libmpi_abi.so.1 -Wl,-soname,libmpi_abi.so.1
    printf 'int MPI_Initialized(int *);\nint main(void) { int flag;\n#pragma omp parallel\n;\nreturn MPI_Initialized(&flag); }\n' >of_abi.c
    "$gcc" -fopenmp of_abi.c -o of_abi ./libmpi_abi.so.1 -Wl,-rpath,"$scratch"
    tree_with libloomp.so compat loomp-commands libloomp-record.so
    run tree/bin/loomp run ./of_abi
    expect "no layer for the MPI library" says 0 "/libloomp-mpi-abi.so: MPI calls in tasks hold their threads; build \
loomp where this MPI library's headers are installed"
    run tree/bin/loomp trace -o recorded ./of_abi
    expect "no recorder for it, either" grep -q "^loomp: trace: there is no .*libloomp-record-abi.so beside libloomp.so: \
MPI calls are not recorded; build loomp where this MPI library's headers are installed$" "$scratch/err"
    expect "the program runs all the same" [ "$status" -eq 0 ]
}

case_messages_of_trees() {
    region
    tree_with
    run tree/bin/loomp run ./region
    expect "a tree without libraries" says 126 "no libloomp.so with compat/ in "
    expect "and what to do" ends "/tree/lib: build or install loomp completely"
    run tree/bin/loomp info
    expect "loomp info, too" complains "no libloomp.so with compat/ in "
    tree_with libloomp.so compat
    run tree/bin/loomp info
    expect "a tree without the other commands" says 1 "cannot start "
    expect "says what to do" ends "/tree/lib/loomp-commands: No such file or directory: build or install loomp completely"
    run tree/bin/loomp run ./region
    expect "has loomp run" succeeded
    tree_with loomp-commands
    run tree/bin/loomp trace -o folder ./region
    expect "a tree without a recorder" complains \
        "trace: there is no libloomp-record.so beside libloomp.so: build or install loomp completely"
    expect "nothing runs" [ "$status/$out" = 1/ ]
    run tree/bin/loomp python
    expect "a tree without Python's package" complains "python: there is no package loomp beside "
    expect "and what it takes" ends ": build loomp where pybind11-dev and python3-dev are installed"
    echo text >tree/lib/libloomp.so
    run tree/bin/loomp info
    expect "a library that cannot be opened" says 1 "cannot ask "
    run env PATH="$PWD" "$loomp" gdb
    expect "no gdb" complains "gdb: it is not installed, or not in PATH"
}

case_messages_of_trace() {
    region
    run "$loomp" trace -o - ./region
    expect "a trace is no stream" says 2 "trace: -o -: a trace is a folder of files: name one"
    expect "nothing is named -" [ ! -e ./- ]
    run "$loomp" trace -o region/trace ./region
    expect "a folder that cannot be made" complains "trace: cannot make the folder $PWD/region/trace: Not a directory"
    expect "and nothing runs" [ "$status/$out" = 1/ ]
    run "$loomp" trace -o /proc ./region
    expect "a folder that cannot be written" complains "trace: cannot write in /proc: "
    run "$loomp" trace -o folder ./region
    expect "a trace, and what reads it" says 0 "trace: folder has the trace: loomp report folder, loomp view folder"
    run "$loomp" trace --quiet -o quiet ./region
    expect "not a word" silent
    run "$loomp" view folder -o page.html
    expect "a page, and what shows it" [ "$out" = "page.html is the page: open it in a browser" ]
    run "$loomp" trace -o folder ./region
    expect "another one in the same place" complains "/folder has a recording already: name another folder with -o, \
or remove it"
    run "$loomp" trace -o stock --stock --quiet ./region
    expect "libgomp has no interface for tools" complains "stock: nothing is recorded there: no MPI call was made, and no \
parallel region ran, or its OpenMP runtime did not take the recorder as its tool (libgomp takes none: without --stock, loomp stands in for it; a tool of the \
program's own comes before the recorder)"
    run env OMP_TOOL_LIBRARIES=mine.so "$loomp" trace -o replaced ./region
    expect "a tool that the recorder replaces" among_lines "trace: the recorder takes the place of the tools in \
OMP_TOOL_LIBRARIES=mine.so"
    run "$loomp" trace -o paused --paused ./region
    expect "recording that never began" grep -q "nothing is recorded: the program has not called loomp_record_start(), \
which --paused waits for" "$scratch/err"
}

# The recorder's reports about variables that only the command should set.
case_messages_of_the_recorder() {
    region
    run env LOOMP_TRACE_PAUSED=perhaps "$loomp" trace -o paused ./region
    expect "neither paused nor not" among_lines "recording: LOOMP_TRACE_PAUSED=perhaps: 1 or 0 is needed; taken as 1"
    run env LOOMP_TRACE_LAST=3 "$loomp" trace -o last ./region
    expect "less than a piece" grep -Eqx \
        "loomp: recording: LOOMP_TRACE_LAST=3: bytes of each thread are needed, ([0-9]+) or more; taken as \\1" "$scratch/err"
    run env LOOMP_TRACE_DETAIL=tasks,colours "$loomp" trace -o detail ./region
    expect "no such detail" grep -q "^loomp: recording: LOOMP_TRACE_DETAIL: 'colours' is none of .*: all are recorded$" "$scratch/err"
    run env LD_PRELOAD="$build/lib/libloomp-record.so" LOOMP_TRACE_DIR=/proc/nowhere OMP_TOOL_LIBRARIES="$build/lib/libloomp-record.so" \
        "$loomp" run ./region
    expect "a folder that cannot be made" grep -q "^loomp: recording: cannot make /proc/nowhere/process-[0-9]* (No such file or \
directory): nothing is recorded; LOOMP_TRACE_DIR must be a new folder that can be written$" "$scratch/err"
    expect "the program runs all the same" [ "$status" -eq 0 ]
    no_counters() {
        among_lines "recording: no counters: loomp was built where papi.h is not installed (libpapi-dev)" ||
            among_lines "recording: no counters: PAPI's library is not found (libpapi.so.7.0)" ||
            grep -q "^loomp: recording: counter NO_SUCH_COUNTER is not recorded: .*; papi_avail and papi_native_avail \
list what this machine counts$" "$scratch/err"
    }
    run "$loomp" trace -o counters --counters NO_SUCH_COUNTER ./region
    expect "a counter that there is not" no_counters
    run env LOOMP_TRACE_COUNTERS=NO_SUCH_COUNTER "$loomp" trace -o named ./region
    expect "nor where the environment names it" no_counters
}

case_messages_on_traces() {
    local command
    traces
    for command in report lint view simulate; do
        run "$loomp" "$command" nowhere
        expect "$command of nothing" says 1 "$command: there is no nowhere: loomp trace -o nowhere ./app makes it"
    done
    run "$loomp" export nowhere -o trace.json
    expect "an export of nothing" says 1 "export: there is no nowhere: loomp trace -o nowhere ./app makes it"
    run "$loomp" export "$made/traces/one" -o /nowhere/trace.json
    expect "an export that cannot be written" says 1 "export: cannot write /nowhere/trace.json: No such file or directory"
    run "$loomp" export "$made/traces/one" -o trace.txt
    expect "an export without a form" says 2 "export: trace.txt: its ending must say what to write: .json for Perfetto and \
Chrome, .dot for the graph of tasks"
    run "$loomp" view "$made/traces/one" -o /nowhere/page.html
    expect "a page that cannot be written" says 1 "view: cannot write /nowhere/page.html: No such file or directory"
    run "$loomp" compare "$made/traces/none" "$made/traces/one"
    expect "nothing to compare" says 1 "compare: no task ran in $made/traces/none: there is nothing to compare"
    run "$loomp" simulate "$made/traces/none"
    expect "nothing to simulate" says 1 "simulate: no task ran in $made/traces/none"
    run "$loomp" simulate --ranks 3 "$made/traces/one"
    expect "other ranks, and nothing to learn from" says 1 "simulate: --ranks needs --scaling weak or strong, or \
--scaling-from DIR, a trace of another number of ranks"
    run "$loomp" simulate --ranks 3 --scaling-from "$made/traces/one" "$made/traces/one"
    expect "traces of as many ranks" says 1 "simulate: no other number of ranks: two of the traces have as many ranks, 1"
    run "$loomp" simulate "$made/traces/one" --code-from "$made/traces/none"
    expect "code of no task" says 1 "simulate: $made/traces/none tells nothing of code: it needs tasks of the same kinds"
    run "$loomp" simulate --create-ahead --run-at-once "$made/traces/one"
    expect "both ways to create" says 2 "--create-ahead excludes --run-at-once"
    run "$loomp" report --from 5 --to 6 "$made/traces/one"
    expect "a time without tasks" complains " s, is between --from 5.000000 and --to 6.000000"
}

case_messages_on_processes() {
    region
    run "$loomp" info --process 1x
    expect "no process" says 1 "there is no process 1x"
    printf '#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n#pragma omp parallel\n;\nputs("ready"); fflush(stdout); sleep(60); }\n' >waits.c
    "$gcc" -fopenmp waits.c -o waits
    ./waits >ready &
    local process=$!
    until [ -s ready ]; do
        sleep 0.1
    done
    run "$loomp" info --process $process
    expect "a process on another runtime" says 1 "process $process runs on "
    expect "and how it would be on loomp" ends ": start it by loomp run"
    kill $process
    # It has ended, and its parent has not waited for it.
    "$gcc" -x c - -o zombie <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void) {
    const int child = fork();
    if (child == 0)
        return 0;
    sleep(1);
    printf("%d\n", child);
    fflush(stdout);
    sleep(60);
}
END
    ./zombie >number &
    process=$!
    until [ -s number ]; do
        sleep 0.1
    done
    run "$loomp" info --process "$(cat number)"
    expect "a process that has ended" says 1 "cannot see what process $(cat number) has loaded: "
    kill $process
}

case_messages_of_gdb() {
    needs gdb
    run gdb -nx -q -batch -ex "source $root/runtime/debugger/libloomp.so-gdb.py" -ex starti -ex "loomp tasks" /bin/true
    expect "a process without loomp" grep -q "the process has no libloomp.so, or one without the table for debuggers" "$scratch/err"
}

# The library with MPI's names in a process that may load an MPI library later: here it gets none,
# or a strange one.
case_messages_of_calls_without_mpi() {
    [ -e "$build/lib/libloomp-mpi.so" ] || left_out "loomp was built without an MPI layer"
    local forwarder=$build/lib/libloomp-mpi.so
    printf 'int MPI_Barrier(long);\nint main(void) { return MPI_Barrier(0); }\n' >barrier.c
    "$gcc" barrier.c -o barrier "$forwarder"
    run env LD_LIBRARY_PATH="$build/lib" ./barrier
    expect "a call without an MPI library" says 134 "MPI_Barrier is called, and no MPI library is loaded"
    # A library with an unknown name and one function.
    printf 'int PMPI_Init(int *argc, char ***argv) { return argc == 0 && argv == 0; }\n' >strange.c
    "$gcc" -shared -fPIC strange.c -o libmpi_strange.so.1 -Wl,-soname,libmpi_strange.so.1
    printf '#include <dlfcn.h>\nint MPI_Barrier(long);\nint main(void) { dlopen("./libmpi_strange.so.1", RTLD_NOW | RTLD_LOCAL); return MPI_Barrier(0); }\n' >late.c
    "$gcc" late.c -o late "$forwarder"
    run env LD_LIBRARY_PATH="$build/lib" ./late
    expect "no layer for the library" grep -q "^loomp: there is no layer for .*/libmpi_strange.so.1: MPI calls in tasks hold their \
threads; build loomp where this MPI library's headers are installed$" "$scratch/err"
    expect "which has no such function" among_lines "MPI_Barrier is called, and the MPI library has no such function"
}

case_messages_of_openacc() {
    printf 'int main(void) {\nint s = 0;\n#pragma acc parallel loop reduction(+ : s)\nfor (int i = 0; i < 10; i++)\ns += i;\nreturn s != 45;\n}\n' >acc.c
    "$gcc" -fopenacc acc.c -o acc
    run "$loomp" run ./acc
    expect "a program with OpenACC" says 126 "./acc: built with OpenACC (-fopenacc), which loomp does not support"
}

# Only a folder that the lists of the dynamic linker can name.
case_messages_of_folders() {
    local folder
    for folder in "a tree" a:tree "a;tree"; do
        mkdir -p "$folder/lib/compat" "$folder/bin"
        : >"$folder/lib/libloomp.so"
        cp "$loomp" "$folder/bin/loomp"
        run "$folder/bin/loomp" run /bin/true
        expect "in $folder" says 126 "the dynamic linker finds no libraries in $PWD/$folder/lib, because its path has a blank, a \
colon or a semicolon: install loomp in another folder"
    done
}

case_messages_of_newer_runtimes() {
    printf '.text\n.globl f\nf: ret\n.symver f,GOMP_future@@GOMP_9.9,remove\n' >newer.s
    echo 'GOMP_9.9 { };' >newer.map
    "$gcc" -shared -nostdlib newer.s -o libgomp.so.1 -Wl,-soname,libgomp.so.1 -Wl,--version-script=newer.map
    echo 'void GOMP_future(void); int main(void) { GOMP_future(); }' >future.c
    "$gcc" future.c libgomp.so.1 -o future
    run "$loomp" run ./future
    expect "a program of the future" says 126 "./future: built for a newer OpenMP runtime than loomp "
    expect "and what it asks for" ends " stands for: it asks for GOMP_9.9"
}

# A file with that name that is no library.
case_messages_without_hwloc() {
    region
    echo none >libhwloc.so.15
    run env LD_LIBRARY_PATH="$PWD" OMP_PLACES=cores "$loomp" run ./region
    expect "each processor is a core then" says 0 "libhwloc.so.15 cannot be loaded: each processor counts as a core of its own. \
The package libhwloc15 has it"
    cat >forks.c <<'END'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
int omp_get_num_places(void);
static void *sleeping(void *unused) {
    pause();
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleeping, NULL);
    const pid_t child = fork();
    if (child == 0)
        _exit(omp_get_num_places() < 1);
    int status = 1;
    waitpid(child, &status, 0);
    _exit(status);
}
END
    "$gcc" -fopenmp forks.c -o forks
    run env -u OMP_PLACES OMP_PROC_BIND=true "$loomp" run ./forks
    expect "and in a child that may not load it" says 0 "a process that was forked beside other threads does not load \
libhwloc.so.15: each processor counts as a core of its own. Use OpenMP before fork()"
}

# A device without space for the output, and options that no simulation can have.
case_messages_of_lost_output() {
    traces
    local command
    full() { "$loomp" "$@" >/dev/full; }
    export -f full
    export loomp
    for command in report "report --json" lint simulate "compare $made/traces/one"; do
        # shellcheck disable=SC2086 # words
        run bash -c 'full "$@"' bash $command "$made/traces/one"
        expect "$command: a full disk" says 1 "${command%% *}: cannot write the output: No space left on device"
    done
    run bash -c 'full "$@"' bash view "$made/traces/one" -o -
    expect "view: a full disk" says 1 "view: cannot write -: No space left on device"
    run bash -c 'full "$@"' bash --help
    expect "help: a full disk" says 1 "help: cannot write the output: No space left on device"
    # shellcheck disable=SC2016 # the shell that bash starts expands them
    run bash -c '"$loomp" report "$1/nowhere" 2>/dev/full' bash "$scratch"
    expect "a full disk for messages" [ "$status" -eq 1 ]
    local option
    for option in "--threads 100000000" "--threads 0" "--ranks 0" "--ranks 1000000" "--ranks 4x4x" "--ranks 300x300" \
        "--task-overhead 1e300" "--latency 1e300" "--latency -1" "--bandwidth 0" "--bandwidth 1e-300" "--bandwidth 1e300"; do
        # shellcheck disable=SC2086 # words
        run "$loomp" simulate "$made/traces/one" $option
        expect "no $option" says 2 "${option%% *}: '${option##* }' is no"
    done
    run "$loomp" simulate "$made/traces/one" --scaling strong --ranks 65536 --threads 65536
    expect "too many threads in all" says 1 "simulate: 65536 ranks of 65536 threads: 4194304 threads are the most"
    run "$loomp" simulate "$made/traces/one" --threads 65536 --latency 1e8 --bandwidth 1e-6 --task-overhead 1e8
    expect "the largest ones are taken" [ "$status" -eq 0 ]
}

# The thread's file has reached its size limit.
case_messages_of_full_files() {
    region
    limited() {
        trap '' XFSZ
        ulimit -f 1
        "$loomp" trace -o full ./region
    }
    export -f limited
    export loomp
    run bash -c limited
    expect "recording stops, or does not begin" grep -Eq "^loomp: (recording: thread [0-9]+ stops after [0-9]+ bytes|recording: cannot write .*): File too large$" "$scratch/err"
}
