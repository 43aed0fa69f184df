# Device constructs under ThreadSanitizer: the programs of tests/device on the driver without a device and on
# libomptarget's plugin for the host, with loomp (the preset device-tsan), the programs and that driver instrumented;
# libomptarget is not, and needs no suppression (tests/tsan.supp has none): its locks are seen.
# shellcheck shell=bash disable=SC2154 # see tests/device/parts.sh
# shellcheck source=tests/device/parts.sh
. "$root/tests/device/parts.sh"

use_sanitizer() {
    export TSAN_OPTIONS="exitcode=66 die_after_fork=0 suppressions=$root/tests/tsan.supp external_symbolizer_path=/usr/lib/llvm-$version/bin/llvm-symbolizer"
    # loomp, like libomp, gives a program with ThreadSanitizer the tool Archer, if libomp-N-dev is installed. These
    # runs are about loomp's own races: what else is installed must not matter.
    export OMP_TOOL=disabled
}

# Only a program has ThreadSanitizer's runtime in it. clang gives what links it the image for the device to link, too,
# which cannot have it: so the linker of the program adds it.
build_linker() {
    local runtime
    runtime=$("$clang" -print-file-name=libclang_rt.tsan-x86_64.a)
    [ -e "$runtime" ] || runtime=$("$clang" -print-runtime-dir)/libclang_rt.tsan-x86_64.a
    printf '#!/bin/sh\nexec ld --export-dynamic --whole-archive %s --no-whole-archive "$@"\n' "$runtime" >link.part
    chmod +x link.part && mv link.part link
}

build_program() {
    "$clang" -c -g1 -O1 -Xarch_host -fsanitize=thread "${for_devices[@]}" "$device/programs/$1.c" -o "$1.o" &&
        "$clang" -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "-L$dev/lib" "$1.o" -lpthread -ldl -lrt -lm -lresolv \
            --ld-path="$made/link" -o "$1.host" &&
        python3 -B "$device/as_cuda_image.py" "$1.host" "$1"
}

# interop is missing: libomptarget's plugin for the host makes no interop objects, and crashes.
# each: allocators batches beside boxes chains data devices exits forks forms left many memory_kinds pinned refused serial undeferred
case_runs() {
    local threads
    use_libomptarget
    use_sanitizer
    once driver build_driver "clang++-$version" -fsanitize=thread -g1
    once link build_linker
    once "$1" build_program "$1"
    for threads in 1 4; do
        run env LD_LIBRARY_PATH="$compat:$made/driver:$llvm" FAKE_CUDA_DEVICES=2 OMP_NUM_THREADS=$threads "$made/$1"
        expect "$1, $threads threads" succeeded
        [ "$1" != left ] || continue # the host's plugin works while it is called
        run env LD_LIBRARY_PATH="$compat:$llvm" OMP_NUM_THREADS=$threads "$made/$1.host"
        expect "$1 on the host's plugin, $threads threads" succeeded
    done
}

case_all_programs() {
    local source
    for source in "$device"/programs/*.c; do
        expect "$(basename "$source" .c) is in a case" grep -qw "$(basename "$source" .c)" "$here/cases.sh"
    done
}
