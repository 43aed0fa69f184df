# Checks what blocks which thread, and how much is in flight.
# shellcheck shell=bash disable=SC2154 # see tests/device/parts.sh
# shellcheck source=tests/device/parts.sh
. "$here/parts.sh"

# only_stand_ins KINDS: such waits do not block threads of the program, whatever their name.
only_stand_ins() { ! grep -E "^blocked: ($1) by" report | grep -qv 'by loomp-stand-in,'; }

# Libomptarget gets a block that it then divides, and gives it back at the program's end.
few_allocations_by_others() {
    local by_others
    by_others=$(sed -n '/loomp-stand-in/d; s/^blocked: allocation by .*, \([0-9]*\) times.*/\1/p' report | paste -sd +)
    [ $((${by_others:-0})) -le 4 ] || return 1
    # Libomptarget 23 loads images at a device's first use: here in a routine, before any region.
    [ "$version" -ge 23 ] || only_stand_ins loading
}

nobody_waits_for_copies() { [ -z "$(grep -E '^blocked: (synchronisation|pageable copy)' report)" ]; }

case_pinned_copies() {
    local threads
    use_program pinned
    for threads in 1 3; do
        on_device OMP_NUM_THREADS=$threads "${slow[@]}" "$made/pinned"
        expect "pinned memory, $threads threads" well
        expect "nobody waits for a copy or a stream" nobody_waits_for_copies
        expect "memory is allocated by stand-ins" few_allocations_by_others
    done
}

case_pinned_allocators() {
    local threads
    use_program allocators
    for threads in 1 3; do
        on_device OMP_NUM_THREADS=$threads "${slow[@]}" "$made/allocators"
        expect "pinned allocators, $threads threads" leaves_nothing
        expect "have memory that the driver knows" grep -q '^pinned bytes: 0 left, [1-9]' report
        expect "and nobody waits for a copy of it" nobody_waits_for_copies
    done
}

case_pageable_copies() {
    local threads
    use_program undeferred
    for threads in 1 3; do
        on_device OMP_NUM_THREADS=$threads "${slow[@]}" "$made/undeferred"
        expect "pageable copies, $threads threads, are waited for by stand-ins" only_stand_ins 'synchronisation|pageable copy'
        expect "and so are allocations" few_allocations_by_others
        expect "and there are some" grep -q 'pageable copy' report
    done
}

case_in_flight() {
    local most
    use_program many
    on_device OMP_NUM_THREADS=4 LOOMP_DEVICE_OPERATIONS=8 LOOMP_MAX_STACKS=16 "$made/many"
    expect "ten thousand regions" leaves_nothing
    most=$(sed -n 's/^streams: .* \([0-9]*\) at most/\1/p' report)
    expect "have as many streams as LOOMP_DEVICE_OPERATIONS says, and not $most" [ "$most" -le 8 ]
}

# each: pageable pinned
case_daxpy() {
    local threads
    use_application daxpy
    passes() { well && [[ $out == *$'devices:         1\n'*$'\nPASS' ]]; }
    for threads in 1 3; do
        on_device OMP_NUM_THREADS=$threads "${slow[@]}" "$made/daxpy" --n 2000 --triplets 24 --repeat 3 --memory "$1"
        expect "daxpy, $1 memory, $threads threads" passes
        [ "$1" = pageable ] || expect "copies hold up nobody" [ -z "$(grep '^blocked: pageable copy' report)" ]
    done
}

# --- LULESH: two of its loops run on the device, whatever the others do; the numbers are the same -------------

# expect_of_lulesh: takes the checksum of a run without a device as $expected.
expect_of_lulesh() {
    use_application lulesh
    on_host_plugin OMP_NUM_THREADS=2 "$made/apps/lulesh-clang" -s 5
    expected=$(checksum)
}
as_expected() { well && [[ $out == *$'\nPASS' && -n $expected && $(checksum) == "$expected" ]]; }

# each: no reexecute replay
case_lulesh() {
    local threads
    expect_of_lulesh
    for threads in 1 4; do
        on_host_plugin OMP_NUM_THREADS=$threads "$made/apps/lulesh-clang" -s 5 --offload 3 --persistent "$1"
        expect "lulesh on the host's plugin, graph kept: $1, $threads threads" as_expected
        on_device OMP_NUM_THREADS=$threads FAKE_CUDA_COPY_US=20 "$made/lulesh" -s 5 --offload 3 --persistent "$1"
        expect "and on a device" as_expected
        expect "which ran it" [ "$(grep -c 'kernels: 432 left' report)" = 1 ]
        expect "and held up stand-ins only" only_stand_ins 'pageable copy'
    done
}

case_lulesh_otherwise() {
    expect_of_lulesh
    on_device OMP_NUM_THREADS=2 "$made/lulesh" -s 5 -tel 1 -tnl 1 --offload 1
    expect "lulesh in one piece" as_expected
    on_device OMP_NUM_THREADS=2 OMP_TARGET_OFFLOAD=disabled "$made/lulesh" -s 5 --offload 3
    expect "lulesh with OMP_TARGET_OFFLOAD=disabled" as_expected
    run env LD_LIBRARY_PATH="$made/driver:$llvm" OMP_NUM_THREADS=2 "$made/lulesh" -s 5 --offload 3
    expect "lulesh on libomp" as_expected
}

case_lulesh_on_ranks() {
    local ranks
    pkg-config --exists mpich || left_out "libmpich-dev is not installed"
    use_application lulesh mpich
    ranks=(mpiexec.hydra -n 8 "$loomp" run "$made/lulesh-mpich" -s 5 -i 60)
    on_device OMP_NUM_THREADS=1 "${ranks[@]}"
    expected=$(checksum)
    on_device OMP_NUM_THREADS=1 "${ranks[@]}" --offload 2
    expect "lulesh on 8 ranks of mpich, a device each" as_expected
}
