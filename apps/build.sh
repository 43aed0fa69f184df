#!/bin/sh
# Builds the applications with one compiler: apps/build.sh gcc|clang OUTDIR
# leaves OUTDIR/hpccg-gcc, OUTDIR/cholesky-gcc (or -clang). CXX overrides the compiler's name,
# CXXFLAGS the optimisation flags, LIBOMP the library that clang's binaries are linked with.
set -eu

if [ $# -ne 2 ]; then
    echo "usage: $0 gcc|clang OUTDIR" >&2
    exit 2
fi
kind=$1
out=$2
here=$(cd "$(dirname "$0")" && pwd)
blas=/usr/lib/x86_64-linux-gnu/openblas-serial
flags="-std=c++17 ${CXXFLAGS:--O3} -Wall -Wextra -fopenmp -I$here"

case $kind in
gcc)
    cxx=${CXX:-g++-12}
    runtime=-fopenmp
    ;;
clang)
    cxx=${CXX:-clang++-19}
    runtime=${LIBOMP:-/usr/lib/llvm-19/lib/libomp.so.5}
    ;;
*)
    echo "$0: '$kind': gcc or clang is needed" >&2
    exit 2
    ;;
esac
if ! command -v "$cxx" >/dev/null; then
    echo "$0: $cxx is not installed" >&2
    exit 1
fi
if [ ! -e "$blas/libopenblas.so" ]; then
    echo "$0: $blas/libopenblas.so is not there: install libopenblas-serial-dev" >&2
    exit 1
fi

mkdir -p "$out"
# Compiled and linked in two steps, because clang told of -fopenmp when it links asks for libomp.so,
# which only its development package has.
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
for app in common hpccg cholesky; do
    mkdir "$objects/$app"
    for source in "$here/$app"/*.cpp; do
        # shellcheck disable=SC2086
        "$cxx" $flags -c "$source" -o "$objects/$app/$(basename "$source" .cpp).o"
    done
done
"$cxx" "$objects"/common/*.o "$objects"/hpccg/*.o -o "$out/hpccg-$kind" "$runtime" -ldl
# The serial flavour by its own path, at link time and at run time: the plain name is whatever
# flavour the system's alternatives point to.
"$cxx" "$objects"/common/*.o "$objects"/cholesky/*.o -o "$out/cholesky-$kind" \
    "$blas/libopenblas.so" -Wl,--enable-new-dtags,-rpath,"$blas" "$runtime" -ldl
