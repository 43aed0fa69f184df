# The layer replaces each routine that waits in each binding of the library, and docs/mpi-routines.md says so: in C, with
# large counts, and under Fortran's names, unless the library's Fortran calls C by replaceable names.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# each: openmpi mpich
case_every_binding() {
    local layer_file
    use_debians "$1"
    needs nm
    layer_file=$build/lib/libloomp-mpi-$library.so
    run python3 -B "$root/mpi/interface/routines.py" --check "$library=$(configured "LOOMP_MPI_FILE_$library"),$layer_file"
    expect "$library: each routine is replaced, or listed with a reason" [ "$status" -eq 0 ]
    expect "$library: there are routines" grep -q '`Allreduce` | yes' "$root/docs/mpi-routines.md"
}

# A program that asks whether the library has a function, by a weak reference and by dlsym(), finds on loomp what it finds
# without it. loomp does not know the library beforehand where something else than the program is in front.
# each: openmpi mpich abi-openmpi abi-mpich
case_look_ups() {
    local cc libs launcher command forwarder=$build/lib/libloomp-mpi.so
    use "$1"
    needs nm
    c_compiler
    nm -D --defined-only "$forwarder" | sed -n 's/.* T \(\(MPIX\?\|o\?mpi\)_.*\)$/NAME(\1)/p' |
        grep -vE 'MPIX_(Detach|Progress)' >"$scratch/names.h"
    expect "$library: there are names" [ "$(wc -l <"$scratch/names.h")" -gt 900 ]
    for command in "-fopenmp -o $scratch/look_ups" "-shared -fPIC -o $scratch/look_ups.so"; do
        # shellcheck disable=SC2086
        "${cc[@]}" -Wall -Wextra "-I$scratch" "$here/look_ups.c" $command -Wl,--no-as-needed "${libs[@]}"
    done
    on_ranks 1
    capture "${launcher[@]}" "$scratch/look_ups"
    local plain=$out
    expect "$library: the program runs" [ "$status" -eq 0 ]
    expect "$library: it has some names, and lacks others" grep -q "^0 0 " "$scratch/out"
    for command in env "bash -c" "python3 -c 'import os, sys; os.execv(sys.argv[1], sys.argv[1:])'"; do
        eval "capture \"\${launcher[@]}\" \"\$loomp\" run $command \"\$scratch/look_ups\""
        expect "$library: the same by loomp run $command" [ "$out" = "$plain" ]
        expect "$library: the calls lead to loomp by loomp run $command" [ "${err##*: }" -gt 100 ]
    done
    # A library that the process opens while it runs, which brings MPI along.
    local asks='import ctypes, sys; ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL).look_up()'
    capture "${launcher[@]}" python3 -c "$asks" "$scratch/look_ups.so"
    plain=$out
    capture "${launcher[@]}" "$loomp" run python3 -c "$asks" "$scratch/look_ups.so"
    expect "$library: the same in a library that is opened" [ "$out" = "$plain" ]
    expect "$library: its calls lead to loomp" [ "${err##*: }" -gt 100 ]
    # Before that, there is no MPI.
    capture "$loomp" run python3 -c 'import ctypes; print([hasattr(ctypes.CDLL(None), name) for name in ("MPI_Send", "puts")])'
    expect "$library: a process without MPI has no names of it" [ "$out" = "[False, True]" ]
}
