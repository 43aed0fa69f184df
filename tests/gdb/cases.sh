# gdb's commands for tasks (runtime/debugger), on running processes and core files.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

# begin COMMAND...: in the background, until end; $process is its number. Returns when the program has printed a line, and
# what it has to do then is done.
begin() {
    export LOOMP_REPORT_STUCK_AFTER=infinite
    timeout --foreground 600 "$@" >"$scratch/program.out" 2>&1 &
    timer=$!
    until grep -q ready "$scratch/program.out" || ! kill -0 "$timer"; do
        sleep 0.1
    done
    sleep 0.5
    process=$(pgrep -P "$timer") # the program, which env and loomp have become
}
end() {
    kill -KILL "$process"
    wait "$timer" 2>/dev/null
}
# debug ARGUMENT...: gdb's words of both kinds in $out, without a user's own settings.
debug() {
    run "$loomp" gdb -nx -q -batch "$@"
    out+=$err
}
counts() { [ "$(grep -cE "$2" <<<"$out")" -eq "$1" ]; }
# line FILE TEXT: the number of the line that has it.
line() { grep -nF -- "$2" "$here/$1" | cut -d : -f 1; }
mentions() { [[ $out == *"$1"* ]]; }
lacks() { [[ $out != *"$1"* ]]; }

# --- Tasks that wait in MPI ------------------------------------------------------------------------

# A process with a thousand tasks that receive what nobody sends.
begin_stuck() { # LIBRARY
    needs gdb
    needs_layer "$1"
    "mpicc.$1" -O0 -g -fopenmp "$here/stuck.c" -o stuck
    # gcore writes the whole of each stack.
    begin env OMP_STACKSIZE=128k "$loomp" run -t 2 ./stuck 1000
}

# Checks what gdb finds in such a process, or in its core file.
all_found() {
    local receives regions
    receives=$(line stuck.c "MPI_Recv(") regions=$(line stuck.c "#pragma omp parallel")
    expect "all tasks are listed, with rank, tag and place" \
        counts 1000 "^ +[0-9]+  suspended in MPI_Recv, rank 0, tag [0-9]+, for [0-9.]+ s, at stuck.c:$receives, in receive\$"
    expect "each receive once" [ "$(grep -oE 'tag [0-9]+' <<<"$out" | sort -u | wc -l)" -eq 1000 ]
    # A thread that never took a task is in the region's end with its implicit task, number 1 then.
    expect "they are counted" counts 1 '^(1000 tasks: 1000 suspended, 0|1001 tasks: 1000 suspended, 1) on threads$'
    expect "and what else there is waits for them" counts "$(grep -c '^1001 tasks' <<<"$out")" \
        "^ +1  running on thread (1 in GOMP_parallel, at stuck.c:$regions, in main|[0-9]+ in the end of its region)"
    expect "and counted by place" \
        counts 1 "^ 1000  suspended in MPI_Recv, at stuck.c:$receives, in receive \(loomp bt [12]\)\$"
    expect "the backtrace has the call" counts 1 '^#[0-9]+ .*\bMPI_Recv \(.*tag=[0-9]+'
    expect "and what called it" counts 1 "^#[0-9]+ .*\breceive \(tag=[0-9]+\) at .*stuck.c:$receives\$"
    expect "and the task" counts 1 '^#[0-9]+ .*\bmain\._omp_fn\.[0-9]+ \(.*\) at .*stuck.c:'
    expect "and nothing of loomp's within" lacks "loomp::core::"
}

# each: openmpi mpich
case_process() {
    begin_stuck "$1"
    debug -p "$process" -ex "loomp tasks" -ex "loomp where" -ex "loomp bt 500" -ex "detach"
    all_found
    debug -p "$process" -ex "loomp bt 500 -full"
    expect "in full, with loomp's frames" mentions "loomp::core::suspend"
    debug -p "$process" -ex "loomp task 500" -ex "up" -ex "print tag + 1000000" -ex "loomp task" -ex "bt 1"
    # shellcheck disable=SC2016 # gdb's own variable
    expect "a task can be selected and looked into" counts 1 '^\$1 = 1000[0-9]{3}$'
    expect "and left" counts 1 '^#0 '
    end
}

# each: openmpi mpich
case_core_file() {
    begin_stuck "$1"
    debug -p "$process" -ex "loomp gcore $PWD/core"
    debug stuck core -ex "loomp tasks" -ex "loomp where" -ex "loomp bt 500"
    all_found
    debug -p "$process" -ex "loomp where"
    expect "the process is as it was" counts 1 '^ 1000  suspended in MPI_Recv'
    end
}

# --- Tasks that wait in OpenMP ---------------------------------------------------------------------

waits() {
    needs gdb
    once waits "$gcc" -O1 -g -fopenmp "$here/waits.c" -I"$include" -L"$build/lib" -lloomp -o waits
}

# Checks what gdb finds with the library's symbols and without.
ways_to_wait() {
    local loop
    loop=$(line waits.c "while (!stop)")
    expect "a running task" counts 1 "^ +1  running on thread 1.*, at waits.c:($loop|$((loop + 1))), in main._omp_fn"
    expect "suspended ones" mentions "8 tasks: 7 suspended, 1 on threads"
    expect "a lock" mentions "suspended in a lock, at waits.c:$(line waits.c "/* the lock */"), in main._omp_fn"
    expect "a taskgroup" mentions "suspended in the end of a taskgroup, at waits.c:$(line waits.c "/* the taskgroup */"), in main._omp_fn"
}

case_waits() {
    waits
    begin env LD_LIBRARY_PATH="$build/lib/compat" "$made/waits"
    debug -p "$process" -ex "loomp tasks" -ex "loomp bt 1" -ex "loomp bt 99" -ex "loomp bt"
    ways_to_wait
    expect "a taskwait" mentions "suspended in a taskwait, at waits.c:"
    expect "events" counts 4 "^ .*suspended in loomp_suspend, for an event, at waits.c:$(line waits.c "/* waits */"), in wait_for_ever"
    expect "a running task's backtrace" counts 1 "^#0 .*main._omp_fn.*waits.c"
    expect "a number that is none" mentions "loomp: '99' is no task: loomp tasks lists 1 to 8"
    debug -p "$process" -ex "loomp bt"
    expect "no number" mentions "loomp: loomp bt takes the number of a task of loomp tasks, or all"
    end
}

case_stripped_library() {
    waits
    mkdir lib && cp -r "$build/lib/compat" "$build/lib/libloomp.so" lib/ && strip lib/libloomp.so
    begin env LD_LIBRARY_PATH=lib/compat "$made/waits"
    run gdb -nx -q -batch -ex "source $root/runtime/debugger/libloomp.so-gdb.py" -p "$process" -ex "loomp tasks"
    ways_to_wait
    expect "it is said" counts 1 "has no symbols: what tasks wait in may be missing"
    end
}

case_unfulfilled_events() {
    needs gdb
    "$gcc" -O1 -g -fopenmp "$here/event.c" -o event
    begin env LD_LIBRARY_PATH="$build/lib/compat" ./event
    debug -p "$process" -ex "loomp tasks"
    expect "a task that waits for its event only is listed" \
        counts 1 "^ +ended, but nobody has fulfilled its event, at event.c:$(line event.c "/* loses it */"), in main._omp_fn.[0-9]+$"
    end
}

join() {
    needs gdb
    once join "$gcc" -O1 -g -fopenmp "$here/join.c" -o join
}

case_end_of_a_region() {
    join
    begin env LD_LIBRARY_PATH="$build/lib/compat" "$made/join"
    debug -p "$process" -ex "loomp tasks"
    expect "a thread that waits in a region's end" counts 1 "^ +1  running on thread 1 in GOMP_parallel, at join.c:[0-9]+, in main$"
    expect "the program's line, where the C library waits" counts 1 "^ +2  running on thread 2, at join.c:$(line join.c "pause();"), in main._omp_fn.0$"
    end
}

case_end_of_another_threads_region() {
    join
    begin env LD_LIBRARY_PATH="$build/lib/compat" "$made/join" other
    debug -p "$process" -ex "loomp tasks" -ex "loomp where"
    expect "a thread of the runtime's that waits there" counts 1 "^ +[12]  running on thread 2 in the end of its region$"
    expect "and one like it" counts 1 "^ +1  running in the end of its region \(loomp bt [12]\)$"
    end
}

# --- Without anything to look at -------------------------------------------------------------------

case_without_a_process() {
    needs gdb
    debug -ex "source $root/runtime/debugger/libloomp.so-gdb.py" -ex "loomp tasks"
    expect "without a process" mentions "loomp: there is no process: attach to one, run one, or load a core file"
}

case_without_gdb() {
    run env PATH=/nonexistent "$loomp" gdb
    expect "without gdb" complains "gdb: it is not installed"
}

case_a_library_of_another_version() {
    waits
    begin env LD_LIBRARY_PATH="$build/lib/compat" "$made/waits"
    debug -p "$process" -ex "set {unsigned long}&loomp_debugger = 2" -ex "loomp tasks" \
        -ex "set {unsigned long}&loomp_debugger = 1" -ex "loomp tasks"
    expect "it is said" mentions " is of version 2, this script knows 1; use the one beside that library"
    ways_to_wait
    end
}
