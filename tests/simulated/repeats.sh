#!/usr/bin/env bash
# A seed gives the same run whatever the environment, the processors and the addresses of the process are:
# tests/simulated/repeats.sh PROGRAM SEED...
set -euo pipefail
program=$1
shift
long=$(printf 'x%.0s' {1..5000})
wrong=0
digest() { { "$@" 2>/dev/null || true; } | tail -2 | tr '\n' ' '; } # and how it ended
for seed; do
    first=$(digest "$program" "$seed")
    for other in "env -i" "env LONG=$long" "setarch -R" "taskset 1"; do
        # shellcheck disable=SC2086 # a command and its arguments
        now=$(digest $other "$program" "$seed")
        if [ "$now" != "$first" ]; then
            echo "failed: seed $seed, ${other::20}: $now, and otherwise $first"
            wrong=$((wrong + 1))
        fi
    done
done
[ "$wrong" -eq 0 ]
