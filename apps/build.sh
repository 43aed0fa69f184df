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
    # Not -fopenmp: that asks for libomp.so, which only the development package has.
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
# shellcheck disable=SC2086
"$cxx" $flags "$here"/common/*.cpp "$here"/hpccg/*.cpp -o "$out/hpccg-$kind" $runtime -ldl
# The serial flavour by its own path, at link time and at run time: the plain name is whatever
# flavour the system's alternatives point to.
# shellcheck disable=SC2086
"$cxx" $flags "$here"/common/*.cpp "$here"/cholesky/*.cpp -o "$out/cholesky-$kind" \
    "$blas/libopenblas.so" -Wl,--enable-new-dtags,-rpath,"$blas" $runtime -ldl
