# loomp/record.h: labels, pauses and regions of a program, on both runtimes; without a recorder they do nothing.
# shellcheck shell=bash disable=SC2154

case_labels_name_kinds_of_tasks() {
    local stock kind
    needs_clang
    expect "a program compiles, linked with no library for them" build_labels
    run ./labels
    expect "it runs without a recorder" [ "$status" -eq 0 ]
    for stock in "" --stock; do
        # shellcheck disable=SC2086
        run "$loomp" trace $stock -o "labelled$stock" -t 2 ./labels
        expect "$stock: the program's status" [ "$status" -eq 0 ]
        run "$loomp" report "labelled$stock"
        for kind in "odd one" "a b" "labels\.c:[0-9]+"; do
            expect "$stock: $kind" reports "^$kind +100 "
        done
        run "$loomp" report "labelled$stock" --json
        expect "$stock: an empty label is none, and later labels are there" [ "$(python3 -c 'import json, sys
report = json.load(sys.stdin)
print(sorted((row["name"], row["count"]) for row in report["named_regions"]),
      sorted(row["name"] for row in report["kinds"] if not row["name"].startswith("labels.c:")),
      sum(row["name"].startswith("labels.c:") for row in report["kinds"]))' <"$scratch/out")" = \
            "[('  spaced', 100), ('(unnamed)', 100), ('after', 100)] ['  spaced', 'a b', 'after', 'odd one'] 2" ]
    done
}

case_odd_names_are_in_every_output() {
    program labels
    run "$loomp" trace -o "odd" -t 2 "$made/labels" odd
    expect "the program's status" [ "$status" -eq 0 ]
    "$loomp" report odd >report.txt
    "$loomp" report odd --csv >report.csv
    "$loomp" report odd --json >report.json
    "$loomp" export odd -o trace.json
    "$loomp" export odd -o trace.dot
    "$loomp" view odd -o trace.html
    run python3 -B "$here/odd_names.py" report.txt report.csv report.json trace.json trace.dot trace.html
    expect "each is valid text with all names" [ "$out" = ok ]
}

case_what_runs_while_the_recorder_is_stopped_is_not_recorded() {
    local stock
    place_of() { printf 'pauses.c:%s' "$(grep -n "/\* $1 \*/" "$here/pauses.c" | cut -d: -f1)"; }
    needs_clang
    expect "a program compiles, linked with no library for it" build_pauses
    run ./pauses
    expect "it runs without a recorder" [ "$status" -eq 0 ]
    for stock in "" --stock; do
        # shellcheck disable=SC2086
        run "$loomp" trace $stock -o "paused$stock" -t 2 ./pauses
        expect "$stock: the program's status" [ "$status" -eq 0 ]
        expect "$stock: silent" silent
        run "$loomp" report "paused$stock"
        expect "$stock: nothing to complain of" [ ! -s "$scratch/err" ]
        expect "$stock: nothing is made up" reports 'threads 2, tasks 201,'
        expect "$stock: said what is missing" reports '^not recorded: .* how 1 of the tasks were created$'
        expect "$stock: before" reports "^$(place_of before) +100 "
        expect "$stock: after" reports "^$(place_of after) +100 "
        expect "$stock: what ran when it started has no kind" reports '^\(unknown\) +1 '
    done
}

case_a_recorder_that_begins_paused_waits_for_the_first_start() {
    local stock
    program pauses clang
    for stock in "" --stock; do
        # shellcheck disable=SC2086
        run "$loomp" trace $stock --paused -o "late$stock" -t 2 "$made/pauses"
        run "$loomp" report "late$stock"
        expect "$stock: from the first start on" reports 'tasks 101, dependences 99,'
    done
    run "$loomp" trace --quiet --paused -o never -t 2 "$made/clang"
    expect "never started: it is said" complains "loomp_record_start"
}

case_programs_with_named_regions_compile_and_run_without_a_recorder() {
    needs_clang
    expect "compiles, linked with no library for them" build_user_regions
    run "$gxx" -x c++ -fsyntax-only -Wall -Wextra -Werror -I"$include" "$here/user_regions.c" -Wno-unknown-pragmas
    expect "and as C++" [ "$status" -eq 0 ]
    run ./user_regions
    expect "it runs" [ "$status" -eq 0 ]
}

case_named_regions_are_reported_and_exported() {
    local stock region
    needs otf2-print
    program user_regions
    for stock in "" --stock; do
        # shellcheck disable=SC2086
        run "$loomp" trace $stock -o "regions$stock" -t 2 "$made/user_regions"
        expect "$stock: the program's status" [ "$status" -eq 0 ]
        expect "$stock: silent" silent
        run "$loomp" report "regions$stock"
        for region in "program +1" "step +3" "outer +120" "inner +120" "crossing +120"; do
            expect "$stock: $region" reports "^$region +[0-9.]+ +[0-9.]+ "
        done
        # A task is suspended in "inner", and not in "crossing"; "program" slept, and steps ran tasks.
        expect "$stock: times with and without suspension" eval \
            "awk '\$1 == \"inner\" { inner = \$4 < 0.8 * \$3 } \$1 == \"crossing\" { crossing = \$3 == \$4 }
                  \$1 == \"program\" { all = \$3; program = \$3 > 0.02 } \$1 == \"step\" { step = \$3 < all && \$4 < \$3 }
                  END { exit !(inner && crossing && program && step) }' '$scratch/out'"
        run "$loomp" report "regions$stock" --json
        expect "$stock: in JSON" [ "$(python3 -c 'import json, sys
print(*sorted((row["name"], row["count"]) for row in json.load(sys.stdin)["named_regions"]))' <"$scratch/out")" = \
            "('crossing', 120) ('inner', 120) ('outer', 120) ('program', 1) ('step', 3)" ]
        run "$loomp" export "regions$stock" -o regions.json
        run python3 -B "$here/perfetto.py" regions.json
        expect "$stock: as Perfetto reads it" [ "$out" = ok ]
        "$loomp" report "regions$stock" --json >regions.report
        run python3 -c '
import collections, json
time = collections.Counter()
for event in json.load(open("regions.json"))["traceEvents"]:
    if event["ph"] == "X" and event["cat"] == "region":
        time[event["name"]] += round(event["dur"] * 1000)
print(*(time[row["name"]] - round(row["on_thread_s"] * 1e9) for row in json.load(open("regions.report"))["named_regions"]
        if row["name"] in ("inner", "outer", "crossing")))'
        expect "$stock: with the report's times on threads" [ "$out" = "0 0 0" ]
        run otf2-print "regions$stock/traces.otf2"
        expect "$stock: OTF2's readers find them, left as often as entered" eval \
            "[ \$(grep -c '^ENTER.*\"inner\"' '$scratch/out') -eq \$(grep -c '^LEAVE.*\"inner\"' '$scratch/out') ]"
        run "$loomp" view "regions$stock" -o regions.html
        expect "$stock: on the page" grep -q '"label":"crossing"' regions.html
    done
}

case_named_regions_without_a_beginning_or_an_end_are_reported() {
    local stock
    program user_regions
    for stock in "" --stock; do
        # shellcheck disable=SC2086
        run "$loomp" trace --quiet $stock -o "misused$stock" -t 2 "$made/user_regions" wrong
        expect "$stock: an end without a beginning is told of" grep -q \
            '^loomp: loomp_region_end("never begun") and others, 5 times, in a task that has not begun' "$scratch/err"
        expect "$stock: and one that does not end" grep -q \
            '^loomp: loomp_region_begin("forgotten") and others, 5 times, without an end in the task that began it: it ends with the task$' "$scratch/err"
        expect "$stock: a line each" [ "$(wc -l <"$scratch/err")" -eq 2 ]
        run "$loomp" report "misused$stock"
        expect "$stock: nothing is lost" reports "^forgotten +5 "
        expect "$stock: and nothing made up" eval '! reports "never begun"'
    done
}

case_fortran_has_labels_pauses_and_regions() {
    needs "${gfortran:-gfortran}"
    cat >stops.f90 <<'END'
program stops
  use loomp_record
  integer :: i, n
  n = 0
  !$omp parallel
  !$omp single
  do i = 1, 20
    if (i == 11) call loomp_record_stop()
    call loomp_task_label("of Fortran")
    !$omp task shared(n)
    call loomp_region_begin("counting")
    !$omp atomic
    n = n + 1
    if (i < 5) then
      call loomp_region_end()
    else
      call loomp_region_end("counting")
    end if
    !$omp end task
    !$omp taskwait
  end do
  call loomp_record_start()
  !$omp end single
  !$omp end parallel
end program
END
    run "$gfortran" -Wall -Werror -g -fopenmp "$include/loomp/record.f90" stops.f90 -o stops
    expect "the module compiles" [ "$status" -eq 0 ]
    run ./stops
    expect "it runs without a recorder" [ "$status" -eq 0 ]
    run "$loomp" trace -o stops.trace -t 2 ./stops
    run "$loomp" report stops.trace
    expect "labels, and a stop" reports '^of Fortran +10 '
    expect "regions, of the tasks that are recorded" reports '^counting +10 '
}
