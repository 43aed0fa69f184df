# Each feature with each way of keeping a graph: the table of docs/extensions.md.
# shellcheck shell=bash disable=SC2154

features_and_kept_graphs_go_together() {
    local way kept auto preset runner feature
    program features
    for way in declared unbarred replayed found; do
        kept=19 auto=LOOMP_PERSISTENT=off
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
        expect "holds $way: tasks were held" reports ', holds$'
        if [ "$way" = replayed ]; then
            combine fusion "$way" $kept "cannot be replayed.* may run in a batch" $auto
        else
            combine fusion "$way" $kept "" $auto
        fi
        expect "fusion $way: in batches" reports ', batches,'
        if [ "$way" = found ]; then
            for feature in transparent weak; do
                combine $feature "$way" 0 "" $auto
                expect "$feature $way: LOOMP_STATS says why" grep -q "with them, are not kept" "$scratch/err"
            done
        else
            combine transparent "$way" 0 "with them, are not kept" $auto
            combine weak "$way" $kept "" $auto
        fi
        # From the cancellation on, what is found of itself is not created.
        combine cancellation "$way" "1[0-9]" "" $auto
        for preset in none sa; do
            runner=("$loomp" trace -t 2 -o "features.$way.$preset")
            combine plain "$way" $kept "" $auto LOOMP_PRIORITY_PRESET=$preset
        done
        # In the trace their dependences are those of depend clauses.
        runner=("$loomp" trace -t 2 -o "features.$way.sets")
        combine sets "$way" $kept "" $auto
        expect "sets $way: the trace has their dependences" \
            [ "$("$loomp" report "features.$way.sets" | grep -o '^ranks.*messages')" = \
            "$("$loomp" report "features.$way.none" | grep -o '^ranks.*messages')" ]
    done
}

# Each setting that `loomp lint` recommends, and each two of them, also with tasks that may run in a batch,
# which it recommends as well: iterations are kept wherever that was asked for, and no line says that one
# excludes the other.
what_lint_recommends_goes_together() {
    local named first second kept feature
    program features
    mapfile -t named < <(grep -ohE 'LOOMP_[A-Z_]+=[A-Za-z0-9-]+' "$here/../../src/cli/findings.cpp" | sort -u)
    expect "lint recommends settings" [ "${#named[@]}" -ge 2 ]
    runner=("$loomp" run -t 2)
    for first in "${named[@]}"; do
        for second in "${named[@]}"; do
            [[ "$first" > "$second" ]] && continue
            kept=0
            [[ " $first $second " = *" LOOMP_PERSISTENT=auto "* ]] && kept=17
            for feature in plain fusion; do
                combine $feature found $kept "" "$first" "$second"
            done
            expect "fusion $first $second: in batches" reports ', batches,'
        done
    done
}
