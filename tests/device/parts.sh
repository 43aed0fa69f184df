# The cases of tests/device and tests/device_races share these: the driver that is none, programs for it, and runs on
# it.
# shellcheck shell=bash disable=SC2154 # tests/case sets $build, $root, $made, $loomp, $include
compat=$build/lib/compat
device=$root/tests/device

# use_libomptarget: the case needs it, and clang. Its version is $version, its folder $llvm.
use_libomptarget() {
    version=$("$root/scripts/compiler" llvm) || left_out "no clang is installed with its OpenMP library"
    llvm=/usr/lib/llvm-$version/lib
    [ -e "$dev/lib/libomptarget.so" ] || left_out "$clang is installed without libomptarget (scripts/setup test)"
    unset "${!FAKE_CUDA_@}" "${!LIBOMPTARGET_@}"
    for_devices=(-Wno-openmp-target -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -isystem "$dev/include" "-I$include" "-L$dev/lib")
}

# --- Builds ---------------------------------------------------------------------------------------

# build_driver COMPILER...: it stays when libomptarget closes it: threads of streams that nobody destroys run to the end.
build_driver() {
    mkdir -p driver.part &&
        "$@" -std=c++20 -O1 -shared -fPIC -Wl,-z,now,-z,nodelete "$device"/fake_cuda/*.cpp -o driver.part/libcuda.so \
            -ldl -lpthread &&
        mv driver.part driver
}
use_driver() { once driver build_driver "$gxx" -Wall -Wextra -Werror; }

# use_program NAME: that of programs/NAME.c, as $made/NAME for the driver, and as $made/NAME.host for the host's plugin.
build_program() {
    "$clang" -g1 -O1 "${for_devices[@]}" "$device/programs/$1.c" -o "$1.host" &&
        python3 -B "$device/as_cuda_image.py" "$1.host" "$1"
}
use_program() {
    use_libomptarget
    use_driver
    once "$1" build_program "$1"
}

# use_application NAME [MPI]: likewise daxpy and lulesh, as $made/NAME and $made/apps/NAME-clang; with MPI, NAME-MPI.
build_application() {
    APPS=$1 OFFLOAD=-fopenmp-targets=x86_64-pc-linux-gnu CXX="clang++-$version" CXXFLAGS="-O1 -g1" \
        "$root/apps/build.sh" clang "$made/apps" "${2:-serial}" &&
        python3 -B "$device/as_cuda_image.py" "apps/$1${2:+-$2}-clang" "$1${2:+-$2}"
}
use_application() {
    use_libomptarget
    use_driver
    once "$1${2:+-$2}" build_application "$@"
}

# use_cuda_program NAME [FLAG...]: a program that calls CUDA and loomp.
build_cuda_program() {
    "$gcc" -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Wpedantic -fopenmp -I"$include" "$device/$1.c" "${@:2}" -L"$build/lib" -lloomp -lloomp-cuda -o "$1"
}
use_cuda_program() { once "$1" build_cuda_program "$@"; }

# --- Runs -----------------------------------------------------------------------------------------

# On the driver; afterwards $report is what that counted.
on_device() {
    rm -f report
    run env LD_LIBRARY_PATH="$compat:$made/driver:$llvm" FAKE_CUDA_REPORT=report "$@"
    report=$(cat report 2>/dev/null)
}
on_host_plugin() { run env LD_LIBRARY_PATH="$compat:$llvm" "$@"; }

slow=(FAKE_CUDA_KERNEL_US=1000 FAKE_CUDA_COPY_US=300 FAKE_CUDA_ALLOC_US=100 FAKE_CUDA_NEEDS_CONTEXT=1)

well() { [ "$status" -eq 0 ] && silent; }
leaves_nothing() { well && [[ $report == *"device bytes: 0 left"* && $report == *"streams: 0 left"* ]]; }
checksum() { grep -o 'checksum: .*' <<<"$out"; }
