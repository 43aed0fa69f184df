# `loomp check`: races are found whatever the schedule was, and nothing else is.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

build_rules() {
    case $1 in
    gcc) "$gcc" -g -O1 -fopenmp -isystem "$root/include" "$here/rules.c" -o "rules-$1" ;;
    clang) "$clang" -g -O1 -fopenmp -isystem "$root/include" -I"$dev/include" -L"$dev/lib" "$here/rules.c" -o "rules-$1" ;;
    # gcc copies and fills a few bytes without a call.
    sanitized) "$gcc" -g -O1 -fopenmp -fsanitize=thread -fno-builtin -isystem "$root/include" "$here/rules.c" -o "rules-$1" ;;
    esac
}
# rules COMPILER: makes the program, and names it in $rules. "sanitized" is gcc's with -fsanitize=thread.
rules() {
    unset "${!OMP_@}"
    [ "$1" = sanitized ] || needs_collector
    [ "$1" != clang ] || needs_clang
    once "rules-$1" build_rules "$1"
    rules=$made/rules-$1
}
needs_collector() {
    [ -e "$build/lib/loomp-collector" ] || left_out "loomp was built without valgrind's libraries"
    unset "${!OMP_@}"
}
check() { run "$loomp" check -t "$@"; }
# The last line of what `loomp check` says.
sum_is() { [[ ${err##*$'\n'} == "$1" ]]; }
has() { [[ $err == *"$1"* ]]; }

# each: gcc clang sanitized
# usual: 25
case_each_rule() {
    rules "$1"
    local rule wrong=""
    for rule in $("$rules"); do
        check 1 "$rules" "$rule" race
        { [ "$status" -eq 1 ] && has "missing: "; } || wrong+=" $rule"
    done
    expect "each race is found with one thread" [ -z "$wrong" ]
    [ -z "$wrong" ] || echo "not found:$wrong"
    check 1 "$rules" all ok
    expect "nothing is reported of those without a race" has ": 0 races"
}

# each: gcc clang sanitized
case_four_threads() {
    rules "$1"
    local rule
    for rule in dependence shared_variable private_variables blocks reduction; do
        check 4 "$rules" "$rule" ok
        expect "$rule without a race" [ "$status" -eq 0 ]
        check 4 "$rules" "$rule" race
        expect "$rule with one" [ "$status" -eq 1 ]
    done
}

build_lu() { # NAME FLAG...
    local name=$1
    shift
    "$gcc" -g -O1 -fopenmp "$@" "$here/lu.c" -o "$name" -l:libopenblas.so.0 -lm
}

case_missing_item_of_lu() {
    needs_collector
    [ -e /usr/lib/x86_64-linux-gnu/libopenblas.so.0 ] || left_out "OpenBLAS is not installed"
    once lu build_lu lu
    once lu-missing build_lu lu-missing -DMISSING
    check 1 "$made/lu"
    expect "the whole program has no race" succeeded
    local result=$out
    check 1 "$made/lu-missing"
    expect "the result is right, in this order" [ "$out" = "$result" ]
    expect "the item is missing" [ "$status" -eq 1 ]
    expect "its clause is named, at the task that lacks it" grep -q \
        'missing: depend(in: ...) of byte 0 of that block at the task of lu.c:[0-9]*: the one of lu.c:' "$scratch/err"
    expect "the other task has it" has "has it as inout"
    expect "the directives are shown" has "#pragma omp task depend(in : tiles[k][j][0])"
}

# clang makes one call for two constructs.
case_constructs_that_share_code() {
    needs_collector
    cat >shared.c <<'END'
static int a, b, sum;
int main(int count, char **words) {
    (void)words;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a)
        a = 1;
        if (count == 1) {
#pragma omp task depend(out : sum)
            sum = a;
        } else {
#pragma omp task depend(inout : b)
            sum = a + b;
        }
    }
    return sum == 5;
}
END
    "$clang" -g -O1 -fopenmp -isystem "$dev/include" -L"$dev/lib" shared.c -o shared
    check 1 ./shared
    expect "the one that ran is named" has "the task of shared.c:11 reads them, at shared.c:11"
}

# The advice names the item that lies nearest to the accessed bytes, whichever task has it.
case_nearest_item() {
    needs_collector
    cat >near.c <<'END'
static int numbers[2], sum;
int main(void) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(in : numbers[0])
        sum = numbers[0] + numbers[1];
#pragma omp task depend(inout : numbers[1])
        numbers[1]++;
    }
    return sum == 5;
}
END
    "$gcc" -g -O1 -fopenmp near.c -o near
    check 1 ./near
    expect "the reader lacks it" has "missing: depend(in: ...) of numbers+4 at the task of near.c:6: the one of near.c:8 has it"
}

case_report() {
    rules gcc
    check 1 --json found.json "$rules" dependence race
    expect "both tasks, with lines and memory" eval \
        'has "the task of rules.c:" && has " writes, at rules.c:" && has "1 byte of word"'
    expect "the sum" sum_is "2 tasks: 1 race"
    run python3 -c '
import json
found = json.load(open("found.json"))["findings"]
print(len(found), found[0]["earlier"]["depend"][0]["kind"], found[0]["later"]["access"], found[0]["pairs"])'
    expect "the same as JSON" [ "$out" = "1 inout reads 1" ]
    check 1 --html found.html "$rules" dependence race
    expect "a page has both tasks, the memory and their lines" eval 'grep -q "<h2>1. 1 byte of word</h2>" found.html &&
        grep -q "<h3 class=.other.>the task of rules.c:[0-9]*</h3><pre>" found.html && grep -q "static void write_word" found.html &&
        grep -q "<div>depend(inout: word)</div>" found.html && grep -q "color-scheme: light dark" found.html'
    check 1 "$rules" critical ok
    expect "what locks exclude is counted" sum_is "2 tasks: 0 races; 1 that locks exclude, in no order: --all"
    check 1 --all "$rules" critical ok
    expect "and shown on demand" has "exclude each other"
    expect "it is no failure" succeeded
}

case_fixes() {
    needs_collector
    cat >fixes.c <<'END'
int a, b, c[4];
int main(void) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : b)
        b = 1;
#pragma omp task depend(in : a) // reads b, too
        c[0] = a + b;
#pragma omp task depend(in : a)
        a += 2;
#pragma omp task depend(out : c[1])
        c[1] = 1;
#pragma omp task
        c[1] += 2;
    }
    return 0;
}
END
    "$gcc" -g -fopenmp fixes.c -o fixes
    check 1 --fix ./fixes
    expect "a missing item and one that is too weak, and no other" [ "$(grep "^fix" "$scratch/err")" = \
        "fix: fixes.c:10: #pragma omp task depend(inout : a)
fix: fixes.c:8: #pragma omp task depend(in : a) depend(in: b)" ]
}

case_suppressions() {
    rules gcc
    printf '# known\nrace rules.c:* rules.c:*\n' >known
    check 1 --suppress known "$rules" dependence race
    expect "a suppressed race is no failure" succeeded
    expect "it is counted" sum_is "2 tasks: 0 races, 1 suppressed"
    printf 'race rules.c:1\n' >wrong
    check 1 --suppress wrong "$rules" dependence race
    expect "a wrong line is refused by its number" complains "wrong:1: a line is to be: race PLACE PLACE"
    expect "with the status of a wrong call" [ "$status" -eq 2 ]
}

case_status() {
    needs_collector
    printf '#include <stdlib.h>\nint main(int n, char **v) {\n#pragma omp parallel\n    ;\n    if (n > 1)\n        abort();\n    return 3;\n}\n' >three.c
    "$gcc" -fopenmp three.c -o three
    check 1 ./three
    expect "the program's status" [ "$status" -eq 3 ]
    check 1 ./three die
    expect "a program that a signal ends" [ "$status" -eq 134 ]
    expect "is reported" has "the program was ended by signal 6"
    printf '#include <signal.h>\nint main(void) {\n#pragma omp parallel\n    ;\n    return raise(SIGILL);\n}\n' >illegal.c
    "$gcc" -fopenmp illegal.c -o illegal
    run sh -c '"$0" check -t 1 ./illegal || exit 9' "$loomp"
    expect "an unknown instruction gets a hint" has "valgrind cannot run that; compile without it (-mno-avx512f)"
}

case_what_is_missing() {
    rules gcc
    run env TMPDIR=/nowhere "$loomp" check "$rules" dependence ok
    expect "no room for the log" complains "cannot make a folder for the log"
    check 1 --json /nowhere/found "$rules" dependence ok
    expect "no room for the findings" has "loomp: check: cannot write /nowhere/found: No such file"
    expect "with a status" [ "$status" -eq 1 ]
    mkdir -p other/bin other/lib
    cp "$loomp" other/bin/loomp
    cp "$build/lib/loomp-commands" other/lib/
    ln -s "$build/lib/"{libloomp.so,compat} other/lib/
    run other/bin/loomp check "$rules" dependence ok
    expect "a build without valgrind" complains "build loomp on x86-64 where valgrind's headers"
}

case_unneeded_items() {
    needs_collector
    cat >items.c <<'END'
int a, b;
int main(void) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a)
        a = 1;
#pragma omp task depend(in : a) depend(in : b)
        a += 1;
    }
    return 0;
}
END
    "$gcc" -g -fopenmp items.c -o items
    check 1 --unneeded ./items
    expect "the needed one is not named, the other is" [ "$err" = "2 tasks: 0 races
not needed in this run: depend(in: b) of the task of items.c:8" ]
}

build_messages() { # LIBRARY
    OMPI_CC=$gcc MPICH_CC=$gcc "mpicc.$1" -g -O1 -fopenmp -I"$root/include" "$here/messages.c" -o "messages-$1" \
        -L"$build/lib" "-lloomp-mpi-$1" "-Wl,-rpath,$build/lib"
}
# messages LIBRARY: makes the program in $messages, and the command for two ranks in $launch.
messages() {
    needs_collector
    [ -e "$build/lib/libloomp-check-$1.so" ] || left_out "loomp was built without $1"
    case $1 in
    openmpi) launch=(mpirun.openmpi --oversubscribe --bind-to none -n 2) ;;
    mpich) launch=(mpirun.mpich -n 2) ;;
    esac
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    once "messages-$1" build_messages "$1"
    messages=$made/messages-$1
}

# Names of the program's functions in whose lines no finding of the ranks' files lies, or "none".
not_in_findings() {
    python3 - "$here/messages.c" "$messages" <<'END'
import json, re, subprocess, sys
lines = open(sys.argv[1]).read().splitlines()
names = subprocess.run([sys.argv[2]], capture_output=True, text=True).stdout.split()
begin = re.compile(r"(?:static void|int) (\w+)\((?:void|int argc.*)\) {")
begins = {match[1]: at for at, line in enumerate(lines, 1) if (match := begin.match(line))}
found = set()
for rank in (0, 1):
    for finding in json.load(open(f"found.json.{rank}"))["findings"]:
        for side in ("earlier", "later"):
            for place in ("at", "construct"):
                at = int(finding[side][place].rpartition(":")[2])
                found |= {name for _, name in sorted((begin, name) for name, begin in begins.items() if begin <= at)[-1:]}
print(*([name for name in names if name not in found] or ["none"]))
END
}

# each: openmpi mpich
# usual: 15
case_messages() {
    messages "$1"
    check 1 --json found.json "${launch[@]}" "$messages" all race
    expect "races are a failure" [ "$status" -ne 0 ]
    local wrong
    wrong=$(not_in_findings)
    expect "each race is found with one thread" [ "$wrong" = none ]
    [ "$wrong" = none ] || echo "not found: $wrong"
    expect "a buffer that a call has" has "MPI_Irecv, called at messages.c:"
    expect "what is missing" has "missing: the completion of that call (MPI_Wait or MPI_Test) before the code of the region at"
    expect "an envelope of two receives" grep -q "receives, at messages.c:[0-9]*, messages from rank 0, tag 0, MPI_COMM_WORLD" "$scratch/err"
    expect "collectives in no order" has "a collective of MPI_COMM_WORLD"
    run "${launch[@]}" "$loomp" check -t 1 "$messages" all ok
    expect "nothing is reported of those without a race" eval \
        'succeeded && has "rank 0: " && has "rank 1: " && ! has missing'
}

# each: openmpi mpich
case_messages_of_fortran() {
    needs "${gfortran:-gfortran}"
    messages "$1"
    OMPI_FC=$gfortran MPICH_FC=$gfortran "mpifort.$1" -g -O1 -fopenmp "$here/messages.f90" -o fortran
    check 1 "${launch[@]}" ./fortran race
    expect "races are a failure" [ "$status" -ne 0 ]
    expect "a buffer that is sent" has "MPI_Isend, called at messages.f90:"
    expect "one that is received" has "MPI_Irecv, called at messages.f90:"
    expect "what a task has reduced" [ "$(grep -c "missing: depend(in: ...)" "$scratch/err")" -eq 2 ]
    check 1 "${launch[@]}" ./fortran ok
    expect "nothing is reported of those without a race" eval \
        'succeeded && has "rank 0: 2 tasks: 0 races" && has "rank 1: 2 tasks: 0 races"'
}

# each: gcc clang
case_applications() {
    needs_collector
    local application
    for application in "cholesky-$1 --n 128 --tile 32" "hpccg-$1 --nx 4 --ny 4 --nz 4 --iterations 3" \
        "lulesh-$1 -s 4 -i 2" "vlasov-$1 --nx 32 --nv 32 --steps 2 --tile 16" "enclave-$1 --depth 1 --end .01"; do
        for threads in 1 4; do
            # shellcheck disable=SC2086 # a program and its arguments
            check "$threads" "$build/bin/"$application
            expect "$application, $threads threads: no race" has ": 0 races"
        done
    done
}

# The items that a run needs are those without which there is a finding, by an oracle that shares nothing with the checker.
# each: cholesky hpccg vlasov
case_items() {
    needs_collector
    local arguments=()
    case $1 in
    cholesky) arguments=(--n 64 --tile 16) ;;
    hpccg) arguments=(--nx 4 --ny 4 --nz 4 --iterations 2) ;;
    vlasov) arguments=(--nx 32 --nv 32 --steps 2 --tile 16) ;;
    esac
    check 1 --log log "$build/bin/$1-gcc" "${arguments[@]}"
    expect "no race" succeeded
    run "$build/tests/check_items" log
    cp "$scratch/out" items
    run python3 "$here/oracle.py" log items
    expect "each needed item is found with its construct, and no other" succeeded
    [ "$status" -eq 0 ] || cat "$scratch/out"
}

# Children of transparent and weak tasks need items, too.
case_items_of_nested_tasks() {
    rules gcc
    check 1 "$rules" child_without_item race
    expect "the child lacks it" grep -q \
        "missing: depend(inout: ...) of word at the task of rules.c:[0-9]*: the one of rules.c:[0-9]* has it as in" "$scratch/err"
    check 1 "$rules" weak race
    expect "a weak task waits for nothing" has "is weak, so its own code waits for no items"
    local rule
    for rule in transparent weak_within_weak; do
        check 1 --log "$rule" "$rules" "$rule" ok
        run "$build/tests/check_items" "$rule"
        cp "$scratch/out" items
        run python3 "$here/oracle.py" "$rule" items
        expect "$rule: each needed item is found, and no other" succeeded
        expect "$rule: some are needed" [ "$(grep -c 'needed by accesses True' "$scratch/out")" -ge 3 ]
    done
}

# The collector is a library in the program: threads run in parallel, and what one frees may be another one's next.
case_sanitized_threads() {
    rules sanitized
    check 16 "$rules" all ok
    expect "sixteen threads: nothing is reported" has ": 0 races"
    cat >blocks.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
int main(void) {
    char *kept[64] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 2000; ++i) {
#pragma omp task depend(inout : kept[i % 64]) firstprivate(i)
        {
            char *block = malloc(1 << 16);
            memset(block, i, 1 << 16);
            free(kept[i % 64]);
            kept[i % 64] = block;
            char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            page[4096] = block[0];
            munmap(page, 8192);
        }
    }
    return 0;
}
END
    "$gcc" -g -O1 -fopenmp -fsanitize=thread blocks.c -o blocks
    check 4 ./blocks
    expect "blocks and pages that other tasks had before" sum_is "2000 tasks: 0 races"
    cat >threads.c <<'END'
#include <pthread.h>
#include <stddef.h>
static int word, other;
static void *use(void *unused) {
    (void)unused;
    ++other; /* the thread has used no OpenMP yet */
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        ++word;
    }
    return NULL;
}
int main(void) {
#pragma omp parallel
    ;
    for (int i = 0; i < 40; ++i) {
        pthread_t thread;
        pthread_create(&thread, NULL, use, NULL);
        pthread_join(thread, NULL);
    }
    return word != 40 || other != 40;
}
END
    "$gcc" -g -fopenmp -fsanitize=thread threads.c -o threads
    check 2 ./threads
    expect "threads that come and go, one after the other" sum_is "40 tasks: 0 races"
    expect "what they did is right" [ "$status" -eq 0 ]
    cat >parts.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int word;
int main(int count, char **words) {
#pragma omp parallel num_threads(1)
#pragma omp single
    {
#pragma omp task
        word = 1;
#pragma omp task
        word = 2;
    }
    if (count > 1)
        return 0;
    const pid_t child = fork();
    if (child == 0)
        execl(words[0], words[0], "again", NULL);
    int status = 1;
    waitpid(child, &status, 0);
    _exit(status == 0 ? 7 : 8);
}
END
    "$gcc" -g -fopenmp -fsanitize=thread parts.c -o parts
    check 1 ./parts
    expect "a child writes no log, and _exit() ends the log" sum_is "2 tasks: 1 race"
    expect "the program's status" [ "$status" -eq 7 ]
}

case_sanitizer_inside() {
    needs_clang
    printf 'int main(void) { return 0; }\n' >inside.c
    "$clang" -fsanitize=thread inside.c -o inside
    run "$loomp" check ./inside
    expect "it has no library that could be replaced" has "loomp: check: ./inside contains ThreadSanitizer: link it with -shared-libsan"
}
