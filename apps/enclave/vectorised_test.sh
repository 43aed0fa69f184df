#!/bin/sh
# Whether the kernels of Euler and of CCZ4 compute with vectors, of 16 bytes and of 64, as the compiler's
# assembly has it: vectorised_test.sh gcc|clang COMPILER
set -u
here=$(cd "$(dirname "$0")" && pwd)
for width in '' -mavx512f; do
    for source in vortex gauge_wave; do
        # shellcheck disable=SC2086
        code=$("$2" -std=c++17 -O3 $width -Wno-psabi -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp -I"$here/.." \
            -I"$here/../../include" -S "$here/$source.cpp" -o -) || exit 1
        # Along an axis, and source and constraints: what they call is inlined, or has these names. Scalars are left for
        # the largest speed of a pack, and for cube roots.
        printf '%s\n' "$code" | awk -v what="$1 $width $source" '
            /^_Z[A-Za-z0-9_]*:/ { hot = $1 ~ /sweep_column|5apply|7product|6source|9constrain|5cross/ }
            hot && $1 ~ /^v?(add|sub|mul|div|sqrt)pd$/ { vectors++ }
            hot && $1 ~ /^v?(add|sub|mul|div|sqrt)sd$/ { scalars++ }
            hot && $1 == "call" && $2 ~ /^(exp|sqrt|fmax)/ { functions = functions " " $2 }
            END {
                if (vectors < 100 || scalars > vectors / 20 || functions != "") {
                    print what ": " vectors + 0 " vector operations, " scalars + 0 " scalar ones" functions
                    exit 1
                }
            }' || exit 1
    done
done
