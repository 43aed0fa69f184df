# Each feature with each way of keeping a graph: the table of docs/extensions.md.
# shellcheck shell=bash disable=SC2154

# combine FEATURE WAY KEPT LINE NAME=VALUE...: runs features.c by $runner. KEPT iterations are kept, and the result is
# right; LINE, unless empty, is all that is printed, once.
combine() {
    local feature=$1 way=$2 kept=$3 line=$4 what
    shift 4
    what="$feature $* $way"
    run env LOOMP_STATS=1 OMP_CANCELLATION=true "$@" "${runner[@]}" "$made/features" "$feature" "$way"
    expect "$what: the result" [ "$status" -eq 0 ]
    if [ "$kept" = 0 ]; then
        # shellcheck disable=SC2016
        expect "$what: no iterations are kept" eval '! grep -qE "^  persistent iterations +[1-9]" "$scratch/err"'
    else
        expect "$what: $kept iterations are kept" grep -qE "^  persistent iterations +$kept " "$scratch/err"
    fi
    grep -v '^  ' "$scratch/err" | grep -vE '^loomp: statistics|^loomp: trace: .* has the trace|^$' >"$scratch/lines" || true
    if [ -n "$line" ]; then
        expect "$what: one line" [ "$(wc -l <"$scratch/lines")" -eq 1 ]
        expect "$what: it says why" grep -q "$line" "$scratch/lines"
    else
        expect "$what: nothing is said" [ ! -s "$scratch/lines" ]
    fi
}

# each: declared unbarred replayed found
case_features_and_kept_graphs_go_together() {
    local way=$1 kept=19 auto=LOOMP_PERSISTENT=off preset runner feature
    program features
    if [ "$way" = found ]; then
        kept=17 auto=LOOMP_PERSISTENT=auto
    fi
    runner=("$loomp" run -t 2)
    for preset in none ma-1 ma-2 sa fa; do
        combine plain "$way" $kept "" $auto LOOMP_PRIORITY_PRESET=$preset
    done
    combine affinity "$way" $kept "" $auto
    combine plain "$way" $kept "" $auto LOOMP_NEW_TASKS_SHARED_BY=machine
    combine sets "$way" $kept "" $auto
    combine holds "$way" $kept "" $auto
    expect "holds: tasks were held" reports ', holds$'
    if [ "$way" = replayed ]; then
        combine fusion "$way" $kept "cannot be replayed.* may run in a batch" $auto
    else
        combine fusion "$way" $kept "" $auto
    fi
    expect "fusion: in batches" reports ', batches,'
    if [ "$way" = found ]; then
        for feature in transparent weak; do
            combine $feature "$way" 0 "" $auto
            expect "$feature: LOOMP_STATS says why" grep -q "with them, are not kept" "$scratch/err"
        done
    else
        combine transparent "$way" 0 "with them, are not kept" $auto
        combine weak "$way" $kept "" $auto
    fi
    # An iteration that loomp has found itself is not created from the cancellation on.
    combine cancellation "$way" "1[0-9]" "" $auto
    for preset in none sa; do
        runner=("$loomp" trace -t 2 -o "features.$preset")
        combine plain "$way" $kept "" $auto LOOMP_PRIORITY_PRESET=$preset
    done
    # The trace has the sets' dependences as those of depend clauses.
    runner=("$loomp" trace -t 2 -o features.sets)
    combine sets "$way" $kept "" $auto
    expect "sets: the trace has their dependences" \
        [ "$("$loomp" report features.sets | grep -o '^ranks.*messages')" = \
        "$("$loomp" report features.none | grep -o '^ranks.*messages')" ]
}

# Each setting that `loomp lint` recommends, and each two of them, with tasks that may run in a batch or without, which it
# recommends as well: iterations are kept wherever that was asked for, and no line says that one excludes the other.
case_what_lint_recommends_goes_together() {
    local named first second feature runner
    program features
    mapfile -t named < <(grep -ohE 'LOOMP_[A-Z_]+=[A-Za-z0-9-]+' "$root/profiler/commands/findings.cpp" | sort -u)
    expect "lint recommends settings" [ "${#named[@]}" -ge 1 ]
    runner=("$loomp" run -t 2)
    for first in "${named[@]}"; do
        for second in "${named[@]}"; do
            [[ "$first" > "$second" ]] && continue
            for feature in plain fusion; do
                combine $feature found 0 "" "$first" "$second"
            done
            expect "fusion $first $second: in batches" reports ', batches,'
        done
    done
}
