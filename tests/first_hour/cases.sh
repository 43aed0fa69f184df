# A new user's first hour: typical commands and their messages. Add a case here for anything else
# that users try.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

says() { [ "$status" -eq 0 ] && [ "$out" = "$1" ]; }
mentions() { [[ $out$err == *"$1"* ]]; }
does_not_mention() { [[ $out$err != *"$1"* ]]; }
refuses() { [ "$status" -ne 0 ] && complains "$1"; }

# --- Programs that come to MPI in other ways than by being started -----------------------------------

# each: openmpi mpich
case_linked_with_the_layer() {
    needs_layer "$1"
    run "mpicc.$1" -fopenmp "$here/../mpi/tampi.c" -I"$include" -I"$include/loomp" -L"$build/lib" \
        "-lloomp-mpi-$1" -o tampi
    expect "TAMPI's program links with the layer" succeeded
    run "$loomp" run ./tampi
    expect "and runs under loomp run" says ""
    run env LD_LIBRARY_PATH="$build/lib/compat" ./tampi
    expect "and by the library path alone" says ""
}

# ordered.c, which on other runtimes waits for ever and prints 42 here, as a program, as a library, and in scripts.
ordered() { # LIBRARY
    needs_layer "$1"
    "mpicc.$1" -fopenmp "$here/ordered.c" -o ordered
    "mpicc.$1" -fopenmp -shared -fPIC "$here/ordered.c" -o ./ordered.so
    printf '#!/bin/sh\nexec ./ordered\n' >wrap
    printf '#!/bin/sh\nexec %s run ./ordered\n' "$loomp" >again
    chmod +x wrap again
}

# each: openmpi mpich
case_started_by_another() {
    local command
    ordered "$1"
    for command in ./ordered "-q ./ordered" ./wrap ./again "env A=1 ./ordered" "taskset 1 ./ordered" \
        "mpirun.$1 -n 1 ./ordered"; do
        # shellcheck disable=SC2086
        run "$loomp" run $command
        expect "loomp run $command" says 42
    done
    run "$loomp" run python3 -c "import ctypes; mpi = ctypes.CDLL('./ordered.so')
mpi.begin(); print(mpi.exchange()); mpi.end()"
    expect "a script that opens a library with MPI" says 42
}

# each: openmpi mpich
case_recorded_in_a_script() {
    ordered "$1"
    run "$loomp" trace -o trace ./wrap
    run "$loomp" report trace
    expect "what a script starts is recorded with its messages" mentions "messages 1"
    run "$loomp" trace --stock -o stock ./again
    expect "loomp run in a script of loomp trace --stock" says 42
}

# Calls of MPI in tasks hold their threads then.
# each: openmpi mpich
case_the_library_path_alone() {
    local line="loomp: the MPI layer is not loaded: an MPI call in a task holds its thread until it returns; \
start the program with loomp run (loomp run --plain-mpi leaves MPI alone)"
    needs_layer "$1"
    cat >tasks.c <<'END'
#include <mpi.h>
int main(int argc, char **argv) {
    int done = 0;
    MPI_Init(&argc, &argv);
#ifdef TASKS
#pragma omp task shared(done)
#endif
    done = 1;
#pragma omp parallel
    {
    }
    MPI_Finalize();
    return !done;
}
END
    "mpicc.$1" -fopenmp -DTASKS tasks.c -o tasks && "mpicc.$1" -fopenmp tasks.c -o loops
    run env LD_LIBRARY_PATH="$build/lib/compat" ./tasks
    expect "a program with tasks: one line" [ "$status/$out/$err" = "0//$line" ]
    run "mpirun.$1" -n 2 env LD_LIBRARY_PATH="$build/lib/compat" ./tasks
    expect "of two ranks, one line" [ "$(grep -cF "$line" "$scratch/err")" -eq 1 ]
    run env LD_LIBRARY_PATH="$build/lib/compat" ./loops
    expect "without tasks: none" [ "$status/$out$err" = 0/ ]
    run "$loomp" run ./tasks
    expect "with the layer: none" [ "$status/$out$err" = 0/ ]
    run "$loomp" run --plain-mpi ./tasks
    expect "MPI is left alone: none" [ "$status/$out$err" = 0/ ]
}

# each: openmpi mpich
case_plain_mpi_in_a_script() {
    ordered "$1"
    run timeout 5 "$loomp" run --plain-mpi ./wrap
    expect "--plain-mpi leaves MPI alone there, too" [ "$status" -eq 124 ]
}

# Two ranks that nobody bound. A script chooses each rank's command: the mpirun of Open MPI 5.0.7 crashes if ranks run
# different commands.
two_unbound_ranks() { # LIBRARY OF_RANK_1...
    local loose=()
    [ "$1" != openmpi ] || loose=(--oversubscribe --bind-to none)
    # shellcheck disable=SC2016 # the script's
    printf '#!/bin/sh\n[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" -eq 1 ] || set -- %s\nexec "$@" ./threads\n' \
        "$loomp run" >by_rank
    chmod +x by_rank
    run "mpirun.$1" "${loose[@]}" -n 2 ./by_rank "${@:2}"
}

# each: openmpi mpich
case_unbound_ranks() {
    local all share
    all=$(nproc)
    share=$((all / 2))
    needs_layer "$1"
    [ $((all % 2)) -eq 0 ] || left_out "two ranks cannot have equal shares of $all processors"
    "mpicc.$1" -fopenmp "$here/threads.c" -o threads
    two_unbound_ranks "$1" "$loomp" run
    expect "ranks that may use the same processors divide them" \
        [ "$(sort -u "$scratch/out")" = "$share threads, $share processors" ]
    expect "and one says so" [ "$(grep -c '^loomp: 2 ranks of this node' "$scratch/err")" -eq 1 ]
    OMP_PLACES=cores two_unbound_ranks "$1" "$loomp" run
    expect "not if the user binds" [ "$(grep -c "$all processors" "$scratch/out")" -eq 2 ]
    LOOMP_SPREAD_RANKS=false two_unbound_ranks "$1" "$loomp" run
    expect "nor where they are not to" [ "$(sort -u "$scratch/out")" = "$all threads, $all processors" ]
    OMP_NUM_THREADS=$((share + 1)) two_unbound_ranks "$1" "$loomp" run
    expect "nor where they ask for more" [ "$(sort -u "$scratch/out")" = "$((share + 1)) threads, $all processors" ]
    two_unbound_ranks "$1"
    expect "a rank that is not on loomp is not waited for, and one line says so" \
        complains "1 of 2 ranks (the first is rank 1) lack the MPI layer"
    expect "and each has all processors then" [ "$(sort -u "$scratch/out")" = "$all threads, $all processors" ]
}

# --- Words that are not quite right ------------------------------------------------------------------

# Links a program without MPI into the current folder; it prints 2 4 6 8.
saxpy() {
    once saxpy "$gcc" -fopenmp "$here/saxpy.c" -o saxpy
    ln -s "$made/saxpy" saxpy
}

# Records it, in the folder `trace`.
traced_saxpy() {
    saxpy
    run "$loomp" trace -o trace ./saxpy
    expect "a trace" says "2 4 6 8"
}

case_unknown_settings() {
    local variable
    saxpy
    for variable in LOOMP_PERSISTNT=1 OMP_NUMTHREADS=4; do
        run env "$variable" "$loomp" run ./saxpy
        expect "$variable: the program runs" says "2 4 6 8"
        expect "$variable: it is told what may have been meant" complains "unknown setting; did you mean"
    done
}

case_settings_of_other_runtimes() {
    local variable
    saxpy
    run env KMP_FOO=1 GOMP_DEBUG=1 "$loomp" run ./saxpy
    expect "variables of other runtimes are ignored" silent
    run env KMP_FOO=1 GOMP_DEBUG=1 LOOMP_VERBOSE=1 "$loomp" run ./saxpy
    expect "and named where asked for" complains "KMP_FOO, GOMP_DEBUG"
    run env KMP_AFFINITY=compact KMP_BLOCKTIME=0 KMP_STACKSIZE=2m "$loomp" info
    for variable in OMP_PROC_BIND.*CLOSE.*KMP_AFFINITY LOOMP_SPIN.*0.*KMP_BLOCKTIME \
        OMP_STACKSIZE.*2M.*KMP_STACKSIZE; do
        expect "info: $variable" grep -q "$variable" "$scratch/out"
    done
}

case_wrong_value_of_a_setting() {
    saxpy
    run env LOOMP_SPIN=abc "$loomp" run ./saxpy
    expect "a wrong value: what is used instead is said" complains "using 100000"
    run env LOOMP_SPIN=abc "$loomp" info
    expect "and is what info says" grep -qE "LOOMP_SPIN +100000 " "$scratch/out"
}

case_wrong_efficiencies() {
    needs_python
    traced_saxpy
    run "$loomp" python -m loomp.metg --efficiency 50 95 trace trace
    expect "efficiencies without a comma" refuses "there is no trace 95; if it is another efficiency: --efficiency 50,95"
    run "$loomp" python -m loomp.metg --efficiency 50,150 trace
    expect "an efficiency of 150 %" refuses "'150' is not a number above 0 and up to 100"
    run "$loomp" python -m loomp.metg nowhere
    expect "a missing trace is named" refuses "nowhere: no such file"
    run "$loomp" python -m loomp.metg --efficiency 1,95 trace trace
    expect "efficiencies that are right" mentions "METG(95 %)"
}

case_wrong_networks() {
    traced_saxpy
    run "$loomp" simulate trace --latency -3
    expect "a negative latency" refuses "'-3' is not a number from 0 to 100000000 us"
    run "$loomp" simulate trace --bandwidth 0
    expect "no bandwidth" refuses "'0' is not a number from 1e-06 to 1000000000 GB/s"
}

case_wrong_options_of_report() {
    local option
    traced_saxpy
    for option in "--kinds -4" "--kinds 2.5" "--from -3" "--to -0.1" "--from x"; do
        # shellcheck disable=SC2086
        run "$loomp" report trace $option
        expect "report $option" refuses "'${option#* }' is not a"
        expect "report $option: as other errors of use" [ "$status" -eq 2 ]
    done
    run "$loomp" report trace --json --csv
    expect "two formats at once" refuses "--json excludes --csv"
}

case_wrong_outputs() {
    traced_saxpy
    run "$loomp" view trace -o -
    expect "view -o - prints the page" mentions "<!doctype html>"
    run "$loomp" export trace -o -
    expect "export -o - needs an ending" refuses "its ending must say what to write"
    expect "nothing is named -" [ ! -e ./- ]
}

case_unknown_flags() {
    "$gcc" -fopenmp "$here/flags.c" -I"$include" -o flags
    run "$loomp" run ./flags
    expect "an unknown flag of LOOMP_PERSISTENT is named once" complains "flags 0x8 are unknown"
}

# --- Things that the documents promise -------------------------------------------------------------------

needs_python() {
    [ -e "$build/lib/python" ] || left_out "loomp was built without its Python package"
}

case_python() {
    needs_python
    run "$loomp" python -c 'import loomp; print(loomp.__name__)'
    expect "loomp python finds the package" says loomp
    /usr/bin/python3 -m venv --without-pip elsewhere
    run env PATH="$scratch/elsewhere/bin:$PATH" "$loomp" python -c 'import loomp; print(loomp.__name__)'
    expect "with another Python first in PATH, too" says loomp
    run env VIRTUAL_ENV="$scratch/absent" "$loomp" python -c ''
    expect "an environment without Python is named" refuses "absent/bin/python3"
    mkdir other && cp -r "$build/lib/python/loomp" other/ && rm other/loomp/_native.*
    run env PYTHONPATH=other /usr/bin/python3 -c 'import loomp'
    expect "a package for another Python says so" mentions "built for no Python; this is Python"
}

case_installed_python() {
    needs_python
    cmake --install "$build" --prefix "$scratch/prefix" >install.log
    run "$scratch/prefix/bin/loomp" python -c 'import loomp; print(loomp.__file__)'
    expect "loomp python finds the installed package" mentions "$scratch/prefix/lib"
}

# The example of docs/tracing.md as example.py, on a trace that there is.
python_example() {
    needs_python
    traced_saxpy
    sed -n '/^    import loomp$/,/^    print(late/p' "$root/docs/tracing.md" | sed 's/^    //; s/"DIR"/"trace"/' >example.py
}

# A module of Arrow's name that cannot be imported hides an installed one.
case_python_without_arrow() {
    python_example
    mkdir hidden
    echo 'raise ImportError("hidden")' >hidden/pyarrow.py
    run env PYTHONPATH=hidden "$loomp" python example.py
    expect "it is said what to install" mentions "pip install 'pyarrow"
    expect "which is a failure" [ "$status" -ne 0 ]
    sed -i 's/, loomp.to_arrow.*/)/' example.py
    run env PYTHONPATH=hidden "$loomp" python example.py
    expect "the example of docs/tracing.md runs but for Arrow" succeeded
}

# In an environment that has Arrow, which the document asks for.
case_python_with_arrow() {
    local environment=$root/build/python-venv
    [ -e "$environment/done" ] || left_out "build/python-venv is not there: scripts/setup test makes it"
    python_example
    run env VIRTUAL_ENV="$environment" "$loomp" python example.py
    expect "the example of docs/tracing.md runs" succeeded
    expect "and prints Arrow's table" mentions "pyarrow.Table"
}

# each: openmpi mpich
case_stopping_early() {
    needs_layer "$1"
    run "$loomp" run "$build/bin/hpccg-$1-gcc" --tolerance 1e-6 --ahead
    expect "docs/mpi.md's hpccg stops early" mentions "iterations:      58,"
    run "$loomp" run "$build/bin/hpccg-$1-gcc" --ahead
    expect "and is told that there is nothing to stop at" mentions "--ahead needs --tolerance"
}

case_persistence_that_finds_nothing() {
    run env LOOMP_PERSISTENT=auto LOOMP_STATS=1 "$loomp" run -t 2 "$build/bin/cholesky-gcc" --no-check --n 512 --tile 64
    expect "cholesky repeats nothing: LOOMP_STATS says so" \
        mentions "nothing was repeated; iterations up to a taskwait or taskgroup: 0"
}

case_persistence_that_finds_iterations() {
    run env LOOMP_PERSISTENT=auto LOOMP_STATS=1 "$loomp" run -t 2 "$build/bin/vlasov-gcc" --no-check --steps 30
    expect "vlasov's steps end with a wait, and are kept" mentions "of persistent graphs, with kept tasks"
}

case_persistence_that_nobody_asked_for() {
    saxpy
    run env LOOMP_STATS=1 "$loomp" run ./saxpy
    expect "statistics" mentions "statistics of process"
    expect "have nothing about it" does_not_mention "persistent iterations"
}

# make_first_program SUFFIX: ./self, of the lines that README.md has below the name self.SUFFIX.
make_first_program() {
    awk -v "name=\`self.$1\`:" 'on && /^[^ ]/ { exit } on { sub(/^    /, ""); print } index($0, name) { on = 1 }' \
        "$root/README.md" >"self.$1"
    case $1 in
    c) OMPI_CC="$gcc" mpicc.openmpi -fopenmp self.c -o self ;;
    f90) OMPI_FC="$gfortran" mpifort.openmpi -fopenmp self.f90 -o self ;;
    esac
}

# With one thread, a task receives what a later one sends.
# each: c f90
case_the_first_program() {
    needs_layer openmpi
    expect "README's self.$1 compiles" make_first_program "$1"
    run env OMP_NUM_THREADS=1 "$loomp" run ./self
    expect "and prints 42" [ "${out// /}" = 42 ]
    run env OMP_NUM_THREADS=1 timeout 3 ./self
    expect "without loomp it hangs" [ "$status" -eq 124 ]
}

# --- Every command of the documents ------------------------------------------------------------------

# Prints why a command of the documents is not run; nothing if it is.
not_run() {
    case $1 in
    ./demo | ./test | ./test\ * | tests/*) echo "has all others in it, or is a step of its own" ;;
    *openmpi5*) echo "asks a registry for Open MPI 5 and builds with it" ;;
    cmake\ *) echo "builds what is being tested" ;;
    OMP_NUM_THREADS=1\ ./self) echo "hangs, as the document says" ;;
    loomp\ gdb\ *) echo "waits for commands; tests/gdb has them" ;;
    *"loomp check"*) echo "has a case in tests/check" ;;
    loomp\ stuck\ *) echo "asks a process that hangs; tests/cli has one" ;;
    *valgrind* | *-fsanitize=* | *./app-[at]san*) echo "has a case in tests/sanitizers" ;;
    esac
}

# FILE:LINE, a tab and a command, for each in a document.
commands_of() { (cd "$root" && python3 -B tests/first_hour/commands.py "$@"); }

# The document that a word of case_commands stands for, and the other way round.
document_of() {
    case $1 in
    docs-*) echo "docs/${1#docs-}.md" ;;
    apps-*) echo "apps/${1#apps-}/README.md" ;;
    *) echo "$1.md" ;;
    esac
}
word_of() {
    local word=${1%.md}
    word=${word%/README}
    echo "${word/\//-}"
}

# ./app, for libomp, as `loomp trace --stock` needs a runtime with OpenMP's tool interface.
make_app() {
    OMPI_CC="$clang" mpicc.openmpi -O1 -g -fopenmp -I"$dev/include" -L"$dev/lib" "$here/app.c" -o app -lm
}

# A trace with a name that the documents have, in the shared folder.
make_trace() { # NAME
    case $1 in
    LINE*) mpirun.openmpi --oversubscribe -n "${1#LINE}" "$loomp" trace --cpu-time -t 2 -o "$1" ./line ;;
    CUBE27)
        mpirun.openmpi --oversubscribe -n 27 "$loomp" trace --cpu-time -t 1 -o "$1" \
            "$build/bin/lulesh-openmpi-clang" --mode task -s 2 -i 1 -tel 1 -tnl 1
        ;;
    GRID9)
        mpirun.openmpi --oversubscribe -n 9 "$loomp" trace --cpu-time -t 1 -o "$1" \
            "$build/bin/vlasov-openmpi-clang" --nx 96 --nv 96 --tile 16 --steps 2 --dt 0.002 --ranks-x 3
        ;;
    SHORT) "$loomp" trace -t 1 -o "$1" ./app ;;
    *) "$loomp" trace -t 2 -o "$1" ./app ;;
    esac
}

# prints_sample FILE:LINE: what the last command printed is the document's sample of it, if it has one.
prints_sample() {
    (cd "$root" && python3 -B tests/first_hour/sample.py "${1%:*}" "${1##*:}" "$scratch/out" "$scratch/err")
}

# Each command of a document runs as it is printed, in a folder that has what the documents name. The lines below a command
# after `$ ` are what it prints.
# each: README docs-compatibility docs-devices docs-extensions docs-mpi docs-report-formats docs-scaling docs-settings docs-tracing docs-view apps-cholesky apps-daxpy apps-enclave apps-hpccg apps-lulesh apps-vlasov
case_commands() {
    local document place command reason trace commands PATH=$scratch/path:$build/bin:$PATH
    needs_layer openmpi
    needs_clang
    document=$(document_of "$1")
    mkdir path build && ln -s "$build" build/release
    ln -s "$(command -v mpirun.openmpi)" path/mpirun
    cp "$here/saxpy.c" .
    once self make_first_program c
    ln -s "$made/self" self
    echo 'import loomp; print(loomp.__doc__)' >script.py
    once app make_app
    once line mpicc.openmpi -O1 -g -fopenmp "$here/line.c" -o line
    once stuck mpicc.openmpi -O1 -g -fopenmp "$here/stuck.c" -o stuck
    ln -s "$made/app" app
    ln -s "$made/stuck" stuck
    commands=$(commands_of "$document")
    for trace in A B DIR DIR1 DIR2 DIR3 SHORT LINE2 LINE4 CUBE27 GRID9; do
        if grep -qw "$trace" <<<"$commands"; then
            once "$trace" make_trace "$trace"
            cp -r "$made/$trace" .
        fi
    done
    while IFS=$'\t' read -r place command <&3; do
        [ -z "$(not_run "$command")" ] || continue
        # Each records into a folder of its own.
        trace=$(sed -nE 's/.*loomp trace .*-o ([^ ]+).*/\1/p' <<<"$command")
        [ -z "$trace" ] || rm -rf "$trace"
        run bash -c "$command"
        expect "$place: $command" succeeded
        if sed -n "${place##*:}p" "$root/${place%:*}" | grep -q '^ *\$ '; then
            expect "$place: prints its sample" prints_sample "$place"
        fi
    done 3<<<"$commands"
}

# Every document with commands has its word above case_commands, and each word its document. Names the commands that are
# not run.
case_documents_have_their_case() {
    local place command reason words documents=()
    words=$(grep -B 3 '^case_commands() {' "$here/cases.sh" | sed -n 's/^# each: //p' | tr ' ' '\n' | sort)
    while IFS=$'\t' read -r place command <&3; do
        reason=$(not_run "$command")
        if [ -n "$reason" ]; then
            echo "not run, as it $reason: $place: $command"
        else
            documents+=("$(word_of "${place%:*}")")
        fi
    done 3< <(cd "$root" && commands_of README.md CONTRIBUTING.md docs/*.md apps/*/README.md)
    expect "each document with commands is tried" [ "$(printf '%s\n' "${documents[@]}" | sort -u)" = "$words" ]
    for word in $words; do
        expect "$word stands for $(document_of "$word")" [ "$(word_of "$(document_of "$word")")" = "$word" ]
    done
}
