# Shared by the cases of recordings: programs and recordings, which the first case that needs one
# makes in $made, and the expectations.
# shellcheck shell=bash disable=SC2154

line_of() { grep -n "/\* $1 \*/" "$here/graph.c" | cut -d: -f1; }
reports() { grep -qE "$1" "$scratch/out"; }
# Nothing on stderr but the line of `loomp trace` that names its folder.
silent() { [ -z "$(grep -v '^loomp: trace: .* has the trace: loomp report .*, loomp view ' "$scratch/err")" ]; }

needs_clang() {
    [ -n "$clang" ] || left_out "no clang is installed with its libomp"
    [ -e "$dev/include/omp.h" ] || left_out "clang has no omp.h in $dev"
}
needs_otf2_of_python() {
    /usr/bin/python3 -c 'import otf2' 2>/dev/null || left_out "Python has no package otf2"
}

# --- Programs --------------------------------------------------------------------------------------

# program NAME...: makes $made/NAME by build_NAME, whose output goes to the current folder.
program() {
    local name
    for name in "$@"; do
        case $name in gcc | loops-gcc | forks) ;; *) needs_clang ;; esac
        once "$name" "build_$name"
    done
}
by_clang() { "$clang" -O1 -g -fopenmp "${sanitize[@]}" -I"$dev/include" -L"$dev/lib" "$@"; }
# Builds as users would, with all warnings: for programs that use loomp's headers.
strictly_by_clang() { by_clang -std=c11 -Wall -Wextra -Werror -I"$include" "$@"; }
build_gcc() { "$gcc" -O1 -g -fopenmp "${sanitize[@]}" "$here/graph.c" -o gcc; }
build_clang() { by_clang "$here/graph.c" -o clang; }
build_labels() { strictly_by_clang "$here/labels.c" -o labels; }
build_pauses() { strictly_by_clang "$here/pauses.c" -o pauses; }
build_user_regions() { strictly_by_clang "$here/user_regions.c" -o user_regions; }
build_iterations() { strictly_by_clang "$here/iterations.c" -o iterations; }
build_features() { strictly_by_clang "$here/features.c" -o features; }
build_mutexes() { strictly_by_clang "$here/mutexes.c" -o mutexes; }
build_rings() { by_clang "$here/rings.c" -o rings; }
build_twice() {
    cat >twice.c <<'END'
int main(void) {
    int a = 0, b[2] = {0, 0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : a) depend(in : b[0], b[0]) shared(a, b)
        a += b[0];
    }
    return 0;
}
END
    by_clang twice.c -o twice
}
loops_source() {
    cat >loops.c <<'END'
#include <unistd.h>
static double a[100000];
int main(void) {
    usleep(100000);
    for (int step = 0; step < 10; step++) {
#pragma omp parallel
        {
#pragma omp for schedule(dynamic, 1000)
            for (int i = 0; i < 100000; i++)
                a[i] += i;
#pragma omp single
            a[0] += 1;
#pragma omp barrier
        }
    }
    return 0;
}
END
}
build_loops-gcc() { once loops.c loops_source && "$gcc" -O1 -g -fopenmp "${sanitize[@]}" loops.c -o loops-gcc; }
build_loops-clang() { once loops.c loops_source && by_clang loops.c -o loops-clang; }
build_forks() {
    "$gcc" -O1 -fopenmp "${sanitize[@]}" -x c - -o forks <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void tasks(void) {
#pragma omp parallel
#pragma omp single
#pragma omp task
    usleep(1);
}
int main(int argc, char **argv) {
    tasks();
    if (fork() == 0) {
        if (argc == 1)
            tasks();
        return 0;
    }
    wait(0);
    return 0;
}
END
}

# --- Recordings ------------------------------------------------------------------------------------

# recording NAME...: makes $made/NAME, of graph.c on two threads by default.
recording() {
    local name
    for name in "$@"; do
        case $name in
        gcc.trace) program gcc && once "$name" record "$name" -t 2 ./gcc ;;
        clang.trace) program clang && once "$name" record "$name" -t 2 ./clang ;;
        stock) program clang && once "$name" record "$name" --stock -t 2 ./clang ;;
        one) program clang && once "$name" record "$name" -t 1 ./clang ;;
        twice.trace) program twice && once "$name" record "$name" -t 2 ./twice ;;
        loops-clang.trace) program loops-clang && once "$name" record "$name" -t 2 ./loops-clang ;;
        # Tasks of a millisecond: both threads compute, even beside other work.
        alone) program clang && once "$name" record "$name" -t 1 ./clang 0 1000 ;;
        busy) program clang && once "$name" record "$name" -t 2 ./clang 0 1000 ;;
        esac
    done
}
record() { "$loomp" trace -o "$1" "${@:2}" || ! rm -rf "$1"; }

# recorder FOLDER [NAME=VALUE...] COMMAND...: a program with the recorder, without `loomp trace`.
recorder() {
    local folder=$1
    shift
    mkdir "$folder"
    run env LOOMP_TRACE_DIR="$PWD/$folder" OMP_TOOL_LIBRARIES="$build/lib/libloomp-record.so" OMP_NUM_THREADS=2 \
        "${@:1:$#-1}" "$loomp" run "${@: -1}"
}

# The report of every trace of graph.c, wherever it was recorded. Each task comes after 3 of the iteration
# before, 2 at the ends, which wrote what it reads; they also read what it overwrites.
dependences=$((49 * (16 * 3 - 2)))
says_it_all() {
    expect "$1: all tasks" reports "ranks 1, threads $2, tasks 801,"
    expect "$1: all dependences" reports "dependences $dependences,"
    expect "$1: kinds by their place" reports "^graph.c:$(line_of stencil) +800 "
    expect "$1: the other kind" reports "^graph.c:$(line_of last) +1 "
    expect "$1: who created them" reports '^rank 0 thread [0-9]+ +801 '
    expect "$1: efficiencies" reports '^POP efficiencies'
    expect "$1: the average parallelism" reports '^average parallelism'
}

# piece_number RING PIECE: how many pieces the thread had begun with it (profiler/format/format.h).
piece_number() { od -An -tu8 -j $(($2 * 1048576 + 8)) -N 8 "$1" | tr -d ' '; }

# Checks what is left of rings.c: 2 MiB of a thread are 65,536 records, and a task has 4 of them.
says_the_last() {
    local link tasks
    link=rings.c:$(grep -n '/\* link \*/' "$here/rings.c" | cut -d: -f1)
    run "$loomp" report "$2"
    expect "$1: nothing to complain of" [ ! -s "$scratch/err" ]
    tasks=$(sed -n 's/^ranks 1, threads 2, tasks \([0-9]*\),.*/\1/p' "$scratch/out")
    expect "$1: some of the tasks ($tasks)" [ "${tasks:-0}" -gt 1000 ]
    expect "$1: and no more than two rings have" [ "${tasks:-0}" -lt 70000 ]
    expect "$1: their place in the source" reports "^$link +[0-9]+ "
    expect "$1: all others are those that nobody knows" \
        eval "awk '/^kind of task/ { on = 1; next } on && \$1 != \"$link\" && \$1 != \"(unknown)\" { exit 1 }' '$scratch/out'"
    expect "$1: what is not recorded is said" reports '^not recorded: '
}

# --- Over ranks ------------------------------------------------------------------------------------

# on_ranks_of LIBRARY: sets $launch, which runs a command on two ranks, or leaves the case out.
on_ranks_of() {
    [ -e "$build/lib/libloomp-record-$1.so" ] || left_out "the build has no recorder for $1"
    # shellcheck source=tests/shell/openmpi.sh
    . "$root/tests/shell/openmpi.sh"
    export OMPI_MCA_mpi_yield_when_idle=1
    case $1 in
    openmpi) launch=(mpirun.openmpi --oversubscribe --bind-to none -n 2) ;;
    mpich) launch=(mpiexec.hydra -n 2) ;;
    esac
    needs "${launch[0]}" "mpicc.$1"
}
calls() { reports "^MPI_$1 +$2 "; }

# mpi_compile COMPILER LIBRARY ARGUMENT...
mpi_compile() { OMPI_CC="$1" MPICH_CC="$1" "mpicc.$2" -O1 "${sanitize[@]}" "${@:3}"; }
mpi_compile_by_clang() { mpi_compile "$clang" "$1" -g -fopenmp -I"$dev/include" -L"$dev/lib" "${@:2}"; }

# messages LIBRARY: makes $made/messages.LIBRARY. Each of its 20 rounds has 6 messages each way, and 3 tasks a rank.
messages() {
    on_ranks_of "$1"
    needs_clang
    once "messages.$1" mpi_compile_by_clang "$1" "$here/messages.c" -o "messages.$1"
}
# messages_of LIBRARY ENDING OPTION...: makes $made/LIBRARYENDING, a recording of it.
messages_of() {
    messages "$1"
    once "$1$2" record_ranks "$1$2" "${@:3}" "./messages.$1"
}
record_ranks() { "${launch[@]}" "$loomp" trace -o "$1" "${@:2}" || ! rm -rf "$1"; }
