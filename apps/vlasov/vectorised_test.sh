#!/bin/sh
# Whether the loops over points are vectors in each form of advance_span.cpp, as the compiler reports it:
# vectorised_test.sh gcc|clang COMPILER
set -u
here=$(cd "$(dirname "$0")" && pwd)
case $1 in
gcc) report=-fopt-info-vec of_32='loop vectorized using 32 byte' of_64='loop vectorized using 64 byte' ;;
*) report=-Rpass=loop-vectorize of_32='vectorization width: 4,' of_64='vectorization width: 8,' ;;
esac
said=$("$2" -std=c++17 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp -I"$here/.." -I"$here/../../include" \
    -c "$here/advance_span.cpp" -o /dev/null "$report" 2>&1)
# Feet, and values, of both.
for size in "$of_32" "$of_64"; do
    if [ "$(printf '%s\n' "$said" | grep -c "$size")" -lt 2 ]; then
        printf 'not both loops: %s\n%s\n' "$size" "$said"
        exit 1
    fi
done
