# For the behaviours of tests/record/check: the programs, built where one is asked for first, the recordings
# that several of them read, and what is expected of those.
# shellcheck shell=bash disable=SC2154

loomp=$build/bin/loomp
include=$here/../../include

# A failure names its behaviour.
eval "$(declare -f expect | sed '1s/expect/expect_of_all/')"
expect() { expect_of_all "$behaviour: $1" "${@:2}"; }

line_of() { grep -n "/\* $1 \*/" "$here/graph.c" | cut -d: -f1; }
reports() { grep -qE "$1" "$scratch/out"; }

# --- Programs --------------------------------------------------------------------------------------

# program NAME...
program() {
    local name
    for name in "$@"; do
        [ -e "$name" ] || "build_$name"
    done
}
by_clang() { "$clang" -O1 -g -fopenmp -I"$dev/include" -L"$dev/lib" "$@"; }
# As users would, with all warnings: for programs that use loomp's headers.
strictly_by_clang() {
    run "$clang" -std=c11 -Wall -Wextra -Werror -O1 -g -fopenmp -I"$include" -I"$dev/include" -L"$dev/lib" "$@"
}
build_gcc() { "$gcc" -O1 -g -fopenmp "$here/graph.c" -o gcc; }
build_clang() { by_clang "$here/graph.c" -o clang; }
build_labels() { strictly_by_clang "$here/labels.c" -o labels; }
build_pauses() { strictly_by_clang "$here/pauses.c" -o pauses; }
build_user_regions() { strictly_by_clang "$here/user_regions.c" -o user_regions; }
build_iterations() { strictly_by_clang "$here/iterations.c" -o iterations; }
build_features() { strictly_by_clang "$here/features.c" -o features; }
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
build_loops-gcc() { loops_source && "$gcc" -O1 -g -fopenmp loops.c -o loops-gcc; }
build_loops-clang() { loops_source && by_clang loops.c -o loops-clang; }
build_forks() {
    "$gcc" -O1 -fopenmp -x c - -o forks <<'END'
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

# recording NAME...: of graph.c on two threads by default.
recording() {
    local name
    for name in "$@"; do
        [ ! -e "$name" ] || continue
        case $name in
        gcc.trace) program gcc && run "$loomp" trace -o "$name" -t 2 ./gcc ;;
        clang.trace) program clang && run "$loomp" trace -o "$name" -t 2 ./clang ;;
        stock) program clang && run "$loomp" trace --stock -o "$name" -t 2 ./clang ;;
        one) program clang && run "$loomp" trace -o "$name" -t 1 ./clang ;;
        twice.trace) program twice && run "$loomp" trace -o "$name" -t 2 ./twice ;;
        loops-clang.trace) program loops-clang && run "$loomp" trace -o "$name" -t 2 ./loops-clang ;;
        # Both threads are busy: a run is so short that one of them has no part in it where others compute, too.
        busy)
            recording one
            for _ in {1..20}; do
                rm -rf busy
                run "$loomp" trace -o busy -t 2 ./clang
                ! "$loomp" simulate one --inflation-from busy >/dev/null 2>&1 || break
            done
            ;;
        # As ranks leave it: nobody has made an archive of it.
        raw) program clang && mkdir raw && recorder raw ./clang ;;
        esac
    done
}

# recorder FOLDER [NAME=VALUE...] COMMAND...: a program with the recorder, without `loomp trace`.
recorder() {
    local folder=$1
    shift
    run env LOOMP_TRACE_DIR="$PWD/$folder" OMP_TOOL_LIBRARIES="$build/lib/libloomp-record.so" OMP_NUM_THREADS=2 \
        "${@:1:$#-1}" "$loomp" run "${@: -1}"
}

# What every trace of graph.c says, wherever it was recorded. Each task comes after 3 of the iteration
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

# piece_number RING PIECE: how many pieces the thread had begun with it (src/record/format.h).
piece_number() { od -An -tu8 -j $(($2 * 1048576 + 8)) -N 8 "$1" | tr -d ' '; }

# What is left of rings.c: 2 MiB of a thread are 65,536 records, and a task has 4 of them.
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

libraries=()
for library in openmpi mpich; do
    [ ! -e "$build/lib/libloomp-record-$library.so" ] || libraries+=("$library")
done

launch() {
    local library=$1
    shift
    case $library in
    openmpi) run mpirun.openmpi --oversubscribe --bind-to none -n 2 "$@" ;;
    mpich) run mpiexec.hydra -n 2 "$@" ;;
    esac
}
calls() { reports "^MPI_$1 +$2 "; }

# mpi_compile COMPILER LIBRARY ARGUMENT...
mpi_compile() { OMPI_CC="$1" MPICH_CC="$1" "mpicc.$2" -O1 "${@:3}"; }

# messages.c, built for a library: of its 20 rounds each has 6 messages each way, and 3 tasks a rank.
messages() {
    [ -e "messages.$1" ] || mpi_compile "$clang" "$1" -g -fopenmp -I"$dev/include" -L"$dev/lib" "$here/messages.c" \
        -o "messages.$1"
}
# messages_of LIBRARY [--stock]: the recording, named by both.
messages_of() {
    messages "$1"
    # shellcheck disable=SC2086
    [ -e "$1${2:-}" ] || launch "$1" "$loomp" trace -o "$1${2:-}" -t 4 ${2:-} "./messages.$1"
}

# combine FEATURE WAY KEPT LINE NAME=VALUE...: so many iterations are kept, and the result is right; LINE, unless empty,
# is what is printed, once, and nothing else is.
combine() {
    local feature=$1 way=$2 kept=$3 line=$4 what
    shift 4
    what="$feature $* $way"
    run env LOOMP_STATS=1 OMP_CANCELLATION=true "$@" "${runner[@]}" ./features "$feature" "$way"
    expect "$what: the result" [ "$status" -eq 0 ]
    if [ "$kept" = 0 ]; then
        expect "$what: no iterations are kept" eval '! grep -qE "^  persistent iterations +[1-9]" "$scratch/err"'
    else
        expect "$what: $kept iterations are kept" grep -qE "^  persistent iterations +$kept " "$scratch/err"
    fi
    grep -v '^  ' "$scratch/err" | grep -vE '^loomp: statistics|^$' >"$scratch/lines" || true
    if [ -n "$line" ]; then
        expect "$what: one line" [ "$(wc -l <"$scratch/lines")" -eq 1 ]
        expect "$what: it says why" grep -q "$line" "$scratch/lines"
    else
        expect "$what: nothing is said" [ ! -s "$scratch/lines" ]
    fi
}
