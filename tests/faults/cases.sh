# The system refuses one call of loomp's after the other: a block of memory, pages, a thread. The program then works
# with less, or ends with one line that says what is missing.
# shellcheck shell=bash disable=SC2154 # tests/case sets the suite's variables

# refuse KIND COMPILER
refuse() {
    local count at compiler=${!2}
    once refuse.so "$gcc" -O1 -shared -fPIC "$here/refuse.c" -o refuse.so -ldl
    once "program-$2" "$compiler" -O1 -fopenmp -isystem "$dev/include" "-L$dev/lib" "$here/program.c" -o "program-$2"
    local -a program=(env "LD_LIBRARY_PATH=$build/lib/compat" OMP_NUM_THREADS=4 OMP_CANCELLATION=true
        "REFUSE_KIND=$1" "REFUSE_COUNT=$scratch/count" "LD_PRELOAD=$made/refuse.so" "$made/program-$2")
    REFUSE_AT=-1 run "${program[@]}"
    expect "it runs well if nothing is refused" succeeded
    count=$(cat count)
    expect "loomp makes such calls" [ "${count:-0}" -gt 0 ]
    for ((at = 0; at < count; ++at)); do
        REFUSE_AT=$at run "${program[@]}" 2>/dev/null # without the messages of bash
        [ "$status" -eq 0 ] || # in libomp's words under clang's programs
            expect "call $at: one line says it" eval \
                '[ "$status" -eq 134 ] && [[ $err =~ ^(loomp:|OMP:\ Error) ]] && [[ $err =~ [Mm]emory ]]'
        [ "$status" -eq 0 ] || sed -E 's/[0-9]+/N/g' "$scratch/err" >>lines
    done
    [ ! -e lines ] || sort lines | uniq -c
    echo "calls: $count"
}

# each: gcc clang
# usual: 4
case_memory() {
    local line
    refuse memory "$1"
    for line in "out of memory: N bytes" "out of memory: a set of N processors" \
        "out of memory: a thread that begins to use OpenMP"; do
        expect "a line is: $line" grep -q "^loomp: $line$" lines
    done
}
# each: gcc clang
# usual: 1
case_pages() { refuse pages "$1"; }
# each: gcc clang
# usual: 1
case_threads() { refuse threads "$1"; }
