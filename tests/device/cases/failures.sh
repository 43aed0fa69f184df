# Devices that are not to be used, not there, or fail.
# shellcheck shell=bash disable=SC2154 # see tests/device/parts.sh
# shellcheck source=tests/device/parts.sh
. "$here/parts.sh"

build_gcc_region() {
    "$gcc" -O1 -fopenmp -foffload=disable -xc - -o gcc_region <<'END'
int main(void) {
    int value = 0;
#pragma omp target map(tofrom : value)
    value = 1;
    return !value;
}
END
}
use_without_device() {
    use_program forms
    once gcc_region build_gcc_region
}

# The order of the threads must not decide which of them ends a program, or how: each runs 50 times.
# each: forms gcc_region
case_without_device() {
    local turn offload
    use_without_device
    for turn in {1..50}; do
        for offload in default disabled; do
            on_device FAKE_CUDA_DEVICES=0 OMP_NUM_THREADS=$((turn % 4 + 1)) OMP_TARGET_OFFLOAD=$offload "$made/$1"
            expect "$1 without a device, OMP_TARGET_OFFLOAD=$offload, runs on the host, turn $turn" well
        done
    done
}

# each: forms gcc_region
case_without_mandatory_device() {
    local turn line="loomp: *OMP_TARGET_OFFLOAD is mandatory*"
    use_without_device
    [ "$1" != gcc_region ] || line="libgomp: OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host device is available; "
    reported() { [ "$status" -ne 0 ] && [[ $err == *$line"set it to "[dD]*"to run on the host"* ]]; }
    for turn in {1..50}; do
        on_device FAKE_CUDA_DEVICES=0 OMP_NUM_THREADS=$((turn % 4 + 1)) OMP_TARGET_OFFLOAD=mandatory "$made/$1"
        expect "$1 without a device, OMP_TARGET_OFFLOAD=mandatory, ends and says why, turn $turn" reported
    done
}

# Libomptarget 23 does not even open the driver then, which reports nothing.
uses_no_device() { if [ "$version" -ge 23 ]; then [ ! -e report ]; else grep -q 'kernels: 0 left' report; fi; }

# each: chains undeferred data forms
case_disabled() {
    use_program "$1"
    on_device OMP_NUM_THREADS=3 OMP_TARGET_OFFLOAD=disabled "$made/$1"
    expect "$1 with OMP_TARGET_OFFLOAD=disabled" well
    expect "uses no device" uses_no_device
}

# says WORDS MORE: there is one message of loomp's with both texts, to the end of its line, and the
# program has ended. loomp writes it in one piece. Half of a line may precede it, because
# libomptarget writes in parts on another thread.
says() {
    local message
    message=$(grep -o 'loomp: .*' <<<"$err")
    [ "$status" -ne 0 ] && [[ $message == *"$1"*"$2"* && $message != *loomp:*loomp:* ]]
}

case_failing_kernel() {
    local threads
    use_program chains
    for threads in 1 4; do
        on_device OMP_NUM_THREADS=$threads FAKE_CUDA_FAIL=kernel:3 "$made/chains"
        expect "a kernel loses the device, $threads threads" \
            says "device 0 failed in the target construct at " \
            "illegal memory access was encountered); compute-sanitizer finds the access, LIBOMPTARGET_INFO=16 names the kernels"
    done
}

case_failing_kernel_without_lines() {
    use_libomptarget
    use_driver
    "$clang" -O1 "${for_devices[@]}" "$here/programs/chains.c" -o bare.host
    python3 -B "$here/as_cuda_image.py" bare.host bare
    on_device OMP_NUM_THREADS=1 FAKE_CUDA_FAIL=kernel:3 ./bare
    expect "what tells the line is named" \
        says "device 0 failed in a target construct (where: compile with -gline-tables-only): " "a kernel has lost it"
}

case_out_of_memory() {
    local threads
    use_program undeferred
    for threads in 1 4; do
        on_device OMP_NUM_THREADS=$threads FAKE_CUDA_FAIL=memory:9000 "$made/undeferred"
        expect "out of memory, $threads threads" \
            says "undeferred.c:27 (main): " " MiB are free), map less at once or set LOOMP_DEVICE_OPERATIONS lower"
    done
}

case_no_memory_for_a_routine() {
    local threads
    use_program refused
    continues() { [ "$status" -eq 0 ] && [[ $err != *loomp:* ]]; }
    for threads in 1 4; do
        on_device OMP_NUM_THREADS=$threads FAKE_CUDA_FAIL=memory:9000 "$made/refused"
        expect "no memory for a routine, $threads threads: the program continues" continues
    done
}

case_no_image() {
    local threads
    use_program chains
    for threads in 1 4; do
        on_device OMP_NUM_THREADS=$threads FAKE_CUDA_FAIL=architecture "$made/chains"
        expect "no image for the device, $threads threads" \
            says "chains.c:13 (main): on its first use; is the program compiled for it (--offload-arch=native)? Otherwise, " "if its memory is full ("
    done
}
