# Each function of mpi/interface/functions.txt is replaced in each binding that the library has: in C, with large counts,
# and under Fortran's names, unless the library's Fortran calls C by replaceable names.
# shellcheck shell=bash disable=SC2154 # see tests/mpi/jobs.sh
# shellcheck source=tests/mpi/jobs.sh
. "$here/jobs.sh"

# These wait for nobody: they need no replacement in Fortran, and the last three of them none in C.
waits_for_nobody='^(bsend|start|test|testall|testany|testsome|request_free|startall|improbe|comm_free)$'
not_in_c='^(startall|improbe|comm_free)$'

# symbols KIND LIBRARY: its names of a kind, in nm's letters. The gate's names in the layer are weak.
symbols() { nm -D "$2" | awk -v kind="$1" '$(NF - 1) ~ kind {print $NF}' | sort -u; }

# replaced_names NAME: those that the layer must have, of those that the library has.
replaced_names() {
    local name=$1 lower=${1,,}
    [[ $lower =~ $not_in_c ]] || grep -xE "MPI_$name(_c)?" all_c
    [[ $lower =~ $waits_for_nobody ]] && return
    if [ "$library" = openmpi ]; then
        grep -xE "mpi_${lower}_|ompi_${lower}_f" fortran
        # Functions that convert logical values go past the names above.
        grep -xF "pmpi_${lower}_" f08 | sed 's/^p\(.*\)$/\1f08_/'
    else
        grep -xE "mpi_${lower}_f08(_large)?_" fortran
    fi
}

# each: openmpi mpich
case_every_binding() {
    local folder_of name
    use_debians "$1"
    needs nm
    folder_of=$(dirname "$(configured "LOOMP_MPI_FILE_$library")")
    symbols T "$build/lib/libloomp-mpi-$library.so" >own
    symbols '[TW]' "$(configured "LOOMP_MPI_FILE_$library")" >all_c
    if [ "$library" = openmpi ]; then
        symbols '[TW]' "$folder_of/libmpi_mpifh.so" >fortran
        symbols U "$folder_of/libmpi_usempif08.so" >f08
    else
        symbols '[TW]' "$folder_of/libmpichfort.so" >fortran
    fi
    for name in $(sed -n 's/^MPI_\([A-Za-z_]*\)(.*/\1/p' "$root/mpi/interface/functions.txt"); do
        replaced_names "$name"
    done | sort -u >wanted
    expect "$library: there are names to replace" [ "$(wc -l <wanted)" -gt 100 ]
    expect "$library: the layer has each of them" [ -z "$(comm -23 wanted own | tee /dev/stderr)" ]
}
