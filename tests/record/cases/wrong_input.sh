# Incomplete or missing recordings and archives, and command lines that request missing things.
# shellcheck shell=bash disable=SC2154

case_a_recording_without_an_archive_is_reported() {
    program clang
    recorder raw "$made/clang"
    run "$loomp" report raw
    says_it_all "assembled later" 2
}

case_a_truncated_archive_is_reported() {
    program clang
    recorder raw "$made/clang"
    run "$loomp" report raw
    mkdir foreign && cp -r raw/traces* foreign/ && truncate -s 1000 foreign/traces/0.evt
    run "$loomp" report foreign
    expect "it is told of" [ -s "$scratch/err" ]
    expect "and does not crash the reader" [ "$status" -lt 128 ]
}

case_files_that_are_no_recording_are_named() {
    local text
    for text in '' 'no archive at all'; do
        mkdir -p bad && printf '%s' "$text" >bad/traces.otf2
        run "$loomp" report bad
        expect "an archive that is none ('$text') is named" grep -q 'bad/traces.otf2' "$scratch/err"
        expect "'$text': status 1" [ "$status" -eq 1 ]
    done
    mkdir -p wrong/process-1 && head -c 4096 /dev/zero >wrong/process-1/thread-1
    run "$loomp" report wrong
    expect "a file that is no recording is named" complains "wrong/process-1/thread-1"
}

case_a_program_without_openmp_runs() {
    run "$loomp" trace -o none3 /bin/echo hello
    expect "it has run" [ "$out" = hello ]
}
