# Checks what programs with device constructs compute and leave behind, on the driver that is none and on the host's
# plugin.
# shellcheck shell=bash disable=SC2154 # see tests/device/parts.sh
# shellcheck source=tests/device/parts.sh
. "$here/parts.sh"

# each: allocators batches beside boxes chains data devices exits forks forms left many memory_kinds pinned refused serial undeferred
case_runs() {
    local ends=leaves_nothing threads
    [ "$1" != exits ] || ends=well # it leaves what is in flight
    use_program "$1"
    for threads in 1 4; do
        on_device OMP_NUM_THREADS=$threads FAKE_CUDA_DEVICES=2 "$made/$1"
        expect "$1, $threads threads" "$ends"
        [ "$1" != left ] || continue # the host's plugin works while it is called
        on_host_plugin OMP_NUM_THREADS=$threads "$made/$1.host"
        expect "$1 on the host's plugin, $threads threads" well
    done
    [ "$1" != many ] || return 0
    on_device OMP_NUM_THREADS=2 FAKE_CUDA_DEVICES=3 "${slow[@]}" "$made/$1"
    expect "$1 on a slow device" "$ends"
}

case_all_programs() {
    local source
    for source in "$here"/programs/*.c; do
        expect "$(basename "$source" .c) is in a case" grep -qw "$(basename "$source" .c)" "$here/cases/programs.sh"
    done
}

# Libomptarget leaves a stream behind for an object; if a plugin makes none, it crashes. Libomptarget 23 cannot destroy
# one of CUDA's ("sync_barrier not supported").
case_interop() {
    use_program interop
    [ "$version" -lt 23 ] || left_out "libomptarget 23 cannot destroy interop objects of CUDA"
    on_device "$made/interop"
    expect "interop" well
}

# If such a look were not inside the gate (runtime/target/library_lifetime.h), one run in four would
# crash.
case_exits_while_others_look() {
    local turn
    use_program exits
    for turn in {1..5}; do
        on_device OMP_NUM_THREADS=4 FAKE_CUDA_LOOK_US=5000 "$made/exits"
        expect "exits while other threads look at what a construct maps, $turn" well
    done
}

# --- Programs that call CUDA ----------------------------------------------------------------------

case_cuda() {
    local threads
    use_libomptarget
    use_driver
    use_cuda_program cuda "-L$made/driver" -lcuda
    for threads in 1 4; do
        on_device OMP_NUM_THREADS=$threads "$made/cuda"
        expect "tasks wait for streams, events and graphs, $threads threads" well
    done
}

case_cuda_example() {
    local threads
    use_libomptarget
    use_driver
    once cuda_stream "$gcc" -std=c11 -O1 -Wall -Wextra -Werror -fopenmp -I"$include" -I"$device" \
        "$root/examples/cuda_stream.c" -L"$made/driver" -lcuda -L"$build/lib" -lloomp-cuda -o cuda_stream
    for threads in 1 4; do
        on_device OMP_NUM_THREADS=$threads "$made/cuda_stream"
        expect "examples/cuda_stream, $threads threads" leaves_nothing
        expect "finds its values" [ "$out" = "cuda_stream: 0 of 800000 values are wrong" ]
        expect "and nobody waits for a copy or a stream" [ -z "$(grep -E '^blocked: (synchronisation|pageable)' report)" ]
    done
    run env LD_LIBRARY_PATH="$compat:$made/driver" FAKE_CUDA_DEVICES=0 "$made/cuda_stream"
    expect "and says that there is no device" [ "$out" = "cuda_stream: this machine has no CUDA device" ]
}

case_task_aware() {
    local threads
    use_libomptarget
    use_driver
    use_cuda_program task_aware "-L$made/driver" -lcuda
    for threads in 1 4; do
        on_device OMP_NUM_THREADS=$threads "$made/task_aware"
        expect "a task-aware library's tasks complete with events, $threads threads" leaves_nothing
        expect "and nobody waits for a stream" [ -z "$(grep '^blocked: synchronisation' report)" ]
    done
}

case_no_cuda() {
    use_cuda_program no_cuda
    run env LD_LIBRARY_PATH="$compat" "$made/no_cuda"
    expect "a program is told that there is no driver" complains "there is no CUDA driver"
    expect "and succeeds" succeeded
}

# --- Programs that gcc has compiled ---------------------------------------------------------------

build_mixed() {
    "$clang" -O1 -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -isystem "$dev/include" -c "$here/mixed/part.c" -o part.o &&
        "$gcc" -std=c11 -O1 -Wall -Wextra -fopenmp -foffload=disable -c "$here/mixed/main.c" -o main.o &&
        "$clang" -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu "-L$dev/lib" part.o main.o "-L$compat" -lgomp -o mixed.host &&
        python3 -B "$here/as_cuda_image.py" mixed.host mixed
}
case_mixed() {
    local threads
    use_libomptarget
    use_driver
    once mixed build_mixed
    for threads in 1 4; do
        on_device OMP_NUM_THREADS=$threads "$made/mixed"
        expect "clang's object for a device in gcc's program, $threads threads" leaves_nothing
        expect "runs there" grep -q 'kernels: 48 left' report
        on_host_plugin OMP_NUM_THREADS=$threads "$made/mixed.host"
        expect "and on the host's plugin" well
    done
}

case_gcc_image() {
    run "$gcc" -O1 -Wall -Wextra -Werror "$here/gcc_image.c" "-L$compat" -lgomp -o gcc_image
    expect "gcc_image.c compiles" well
    run env LD_LIBRARY_PATH="$compat" ./gcc_image
    told() { [ "$status" -eq 0 ] && [ "$(grep -c '^loomp: .*target regions that gcc compiled for a device run on the host' <<<"$err")" -eq 1 ]; }
    expect "gcc's code for a device is reported once, and the program continues" told
    run env LD_LIBRARY_PATH="$compat" OMP_TARGET_OFFLOAD=disabled ./gcc_image
    expect "unless nobody wants a device" well
}

# --- The pack for machines with a device (scripts/gpu-pack) ---------------------------------------

case_pack() {
    use_program chains
    use_program undeferred
    mkdir -p pack/{bin,lib,loomp,libomp,no-device}
    cp "$here/pack_run" pack/run
    ln -s /lib64/ld-linux-x86-64.so.2 "$(readlink -f "$dev/lib/libomptarget.so")" pack/lib/
    ln -s "$compat"/* pack/loomp/
    ln -s "$made/chains" "$made/undeferred" pack/no-device/
    ln -s "$made/driver/libcuda.so" pack/no-device/libcuda.so.1
    run pack/run --without-device --tests
    passes() { [ "$status" -eq 0 ] && [ "$out" = "4 passed, 0 failed" ]; }
    expect "the pack's tests run without a device" passes
    run env FAKE_CUDA_FAIL=kernel:3 pack/run --without-device --tests
    reports() { [ "$status" -eq 1 ] && [[ $out == *"FAIL chains, 1 threads: status"* ]]; }
    expect "and report what failed" reports
    if [ -z "$(find /usr/lib /usr/local/nvidia -name libcuda.so.1 2>/dev/null)" ]; then
        run pack/run
        expect "without a driver it says what to do" complains "LIBCUDA=FILE"
    fi
}
