# Shared by the cases of tests/mpi: an MPI library, programs compiled for it, and jobs of several
# ranks.
# shellcheck shell=bash disable=SC2154 # tests/case sets $build, $here, $root, $made, $loomp, $include, $sanitize

# A variable of the build's configuration.
configured() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"; }

# use LIBRARY: the case is about openmpi or mpich, or about the standard ABI (the layer abi) with the library of
# either, abi-openmpi or abi-mpich. Its layer, launcher and compiler are those that the build was configured with:
# Debian's, or those in LOOMP_OPENMPI_ROOT, LOOMP_MPICH_ROOT or LOOMP_ABI_ROOT ($folder; else it is empty).
use() {
    library=$1 layer=${1%%-*} maker=${1#abi-}
    [ -e "$build/lib/libloomp-mpi-$layer.so" ] || left_out "libloomp-mpi-$layer.so is not built: $(why_no_layer)"
    folder=$(configured "LOOMP_${layer^^}_ROOT")
    mpirun=mpirun.openmpi hydra=mpiexec.hydra mpicc=mpicc.$library
    if [ -n "$folder" ]; then
        mpirun=$folder/bin/mpirun hydra=$folder/bin/mpiexec.hydra mpicc=$folder/bin/mpicc
    fi
    library_path=
    [ "$layer" != abi ] || use_abi
    case $maker in
    openmpi)
        needs "$mpirun"
        # shellcheck source=tests/shell/openmpi.sh
        . "$here/../shell/openmpi.sh"
        # A library that waits by spinning blocks the others.
        export OMPI_MCA_mpi_yield_when_idle=1
        ;;
    mpich) needs "$hydra" ;;
    esac
    # Ranks share the processors on purpose.
    export LOOMP_SPREAD_RANKS=false
    # The compiler that the wrappers would call may not be there under that name.
    export OMPI_CC="$gcc" MPICH_CC="$gcc" OMPI_FC="$gfortran" MPICH_FC="$gfortran"
}

why_no_layer() {
    case $layer in
    abi) echo "neither Debian nor LOOMP_ABI_ROOT has an MPI library with the standard ABI" ;;
    *) echo "$layer's development files are not installed" ;;
    esac
}

# The folder of the maker's libmpi_abi.so.1 is $library_path.
use_abi() {
    local file
    if [ -n "$folder" ]; then
        library_path=$folder/lib # the library has its own ones beside it
        case $maker in
        openmpi) [ ! -x "$hydra" ] || left_out "the standard ABI in $folder is MPICH's" ;;
        mpich) [ -x "$hydra" ] || left_out "the standard ABI in $folder is Open MPI's" ;;
        esac
        return
    fi
    file=$(compgen -G "/usr/lib/*/libmpi_abi_$maker.so.1*" | head -n 1)
    [ -e "$file" ] || left_out "there is no libmpi_abi_$maker.so.1"
    library_path=$scratch/abi
    mkdir -p "$library_path"
    ln -sfn "$file" "$library_path/libmpi_abi.so.1"
}

# Programs in Fortran, the applications and the cluster are built with Debian's libraries only.
use_debians() {
    use "$1"
    [ -z "$folder" ] || left_out "$library is not Debian's"
}

# --- Programs -------------------------------------------------------------------------------------

# c_compiler: what compiles C for the library ($cc), and what comes last ($libs).
c_compiler() {
    cc=("$mpicc") libs=()
    if [ "$layer" = abi ]; then
        cc=("$gcc" -DMPI_ABI "-I$(configured LOOMP_MPI_INCLUDE_abi)") libs=("$(configured LOOMP_MPI_FILE_abi)")
    fi
}

# compile_program SOURCE BINARY
compile_program() {
    local source=$here/$1 link=() cc libs
    c_compiler
    # Names that only the layer has.
    if grep -qE '^#include (<TAMPI|<mpi-detach|"loomp/loomp_mpi)' "$source"; then
        link=("-I$include" "-I$include/loomp" "-L$build/lib" "-lloomp-mpi-$layer" -lloomp "-Wl,-rpath,$build/lib/compat:$build/lib")
    fi
    case $1 in
    # One file calls what has no interface with arguments of several types.
    *.f90) "mpifort.$library" -O1 -g -cpp -fallow-argument-mismatch -fopenmp "${sanitize[@]}" "$source" -o "$2" -J "$scratch" "${link[@]}" ;;
    *) "${cc[@]}" -O1 -g -Wall -Wextra -Wno-unknown-pragmas -fopenmp "${sanitize[@]}" "$source" -o "$2" "${link[@]}" "${libs[@]}" ;;
    esac
}

# program SOURCE: compiled once for each library, it is $program.
program() {
    program=$made/${1%.*}.$library
    [[ $1 != *.f90 ]] || [ -n "$gfortran" ] || left_out "gfortran is not installed"
    once "${program##*/}" compile_program "$1" "$program"
}

# compile_preload SOURCE LIBRARY
compile_preload() {
    local cc libs
    c_compiler
    "${cc[@]}" -O1 -Wall -Wextra -shared -fPIC "$here/$1" -o "$2" "${libs[@]}"
}

# preload SOURCE: a library that comes between the layer and MPI, as $preload.
preload() {
    preload=$made/${1%.*}.$library.so
    once "${preload##*/}" compile_preload "$1" "$preload"
}

# --- Jobs -----------------------------------------------------------------------------------------

# A job that exceeds its time, or anything else that tests/within ends.
hung() { [ "$status" -eq 124 ]; }

# Like lib.sh's run, for functions. A launcher whose ranks are killed may write null bytes.
capture() {
    status=0
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    out=$(tr -d "\0" <"$scratch/out") err=$(tr -d "\0" <"$scratch/err")
}

# on_ranks RANKS: what starts so many ranks on the library, before a command ($launcher).
on_ranks() {
    case $maker in
    openmpi) launcher=("$mpirun" --oversubscribe --bind-to none -n "$1") ;;
    mpich) launcher=("$hydra" -n "$1") ;;
    esac
    [ -z "$library_path" ] || launcher+=(env "LD_LIBRARY_PATH=$library_path")
}

# job SECONDS RANKS COMMAND...: captured. If it hangs, $err says where its threads stand.
job() {
    local launcher
    on_ranks "$2"
    capture "$root/tests/within" --stacks "$1" "${launcher[@]}" "${@:3}"
}

quiet_success() { [ "$status" -eq 0 ] && [ -z "$out$err" ]; }

# attempt DESCRIPTION SECONDS RANKS THREADS COMMAND...: the job is silent and succeeds.
attempt() {
    local description=$1 seconds=$2 ranks=$3
    export OMP_NUM_THREADS=$4
    shift 4
    job "$seconds" "$ranks" "$@"
    ! hung || description+=" hangs"
    expect "$library, $ranks ranks, $OMP_NUM_THREADS threads: $description" quiet_success
}
