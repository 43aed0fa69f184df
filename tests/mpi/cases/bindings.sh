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
