#!/bin/sh
# Builds the applications with one compiler: apps/build.sh gcc|clang OUTDIR [serial|openmpi|mpich]...
# leaves OUTDIR/hpccg-gcc, OUTDIR/lulesh-gcc and so on (or -clang), and their forms over
# the ranks of the MPI libraries named, OUTDIR/hpccg-openmpi-gcc and so on; serial is the default. CXX
# overrides the compiler's name, CXXFLAGS the optimisation flags, LIBOMP the library that clang's
# binaries are linked with. OBJECTS is a folder that keeps the objects for the next time. APPS are the
# applications ("hpccg lulesh"); without, all of them. OFFLOAD are clang's flags that name the devices
# for the target regions of daxpy and lulesh (--offload-arch=sm_90, say); without, they run on the host.
set -eu

if [ $# -lt 2 ]; then
    echo "usage: $0 gcc|clang OUTDIR [serial|openmpi|mpich]..." >&2
    exit 2
fi
kind=$1
out=$2
shift 2
[ $# -gt 0 ] || set -- serial
here=$(cd "$(dirname "$0")" && pwd)
blas=/usr/lib/x86_64-linux-gnu/openblas-serial
flags="-std=c++17 ${CXXFLAGS:--O3} -Wall -Wextra -fopenmp -I$here -I$here/../include"

case $kind in
gcc)
    cxx=${CXX:-$("$here/../scripts/compiler" g++)}
    runtime=-fopenmp
    ;;
clang)
    cxx=${CXX:-$("$here/../scripts/compiler" clang++)}
    runtime=${LIBOMP:-$("$here/../scripts/compiler" libomp)}
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
offload=${OFFLOAD:-}
if [ -n "$offload" ]; then
    # clang then links with this library, which the distribution names in no way that it finds (scripts/setup).
    llvm=$here/../build/llvm-$("$cxx" -dumpversion | cut -d. -f1)/lib
    if [ ! -e "$llvm/libomptarget.so" ]; then
        echo "$0: OFFLOAD=$offload: $llvm/libomptarget.so is not there: scripts/setup test, and a clang with libomptarget" >&2
        exit 1
    fi
    offload="$offload -Wno-unused-command-line-argument -L$llvm"
fi

apps=${APPS:-hpccg lulesh cholesky enclave vlasov daxpy}
# wanted NAME...: those of them that APPS names.
wanted() {
    for app in "$@"; do
        case " $apps " in
        *" $app "*) echo "$app" ;;
        esac
    done
}
for app in $apps; do
    if [ ! -e "$here/$app/main.cpp" ]; then
        echo "$0: APPS: there is no application $app" >&2
        exit 2
    fi
done

if [ -n "$(wanted cholesky)" ] && [ ! -e "$blas/libopenblas.so" ]; then
    echo "$0: $blas/libopenblas.so is not there: install libopenblas-serial-dev" >&2
    exit 1
fi

mkdir -p "$out"
# Compiled and linked in two steps, because clang told of -fopenmp when it links asks for libomp.so,
# which only its development package has.
objects=${OBJECTS:-}
if [ -z "$objects" ]; then
    objects=$(mktemp -d)
    trap 'rm -rf "$objects"' EXIT
fi
# compile OBJECTS SOURCES FLAG...: every source of a folder. Objects that are there already are used if they were made by
# the same command, and neither their source nor a header is newer.
compile() {
    command="$cxx $flags $3"
    [ "$(cat "$objects/$1/command" 2>/dev/null)" = "$command" ] || rm -rf "${objects:?}/$1"
    mkdir -p "$objects/$1"
    echo "$command" >"$objects/$1/command"
    for object in "$objects/$1"/*.o; do
        [ -e "$here/$2/$(basename "$object" .o).cpp" ] || rm -f "$object"
    done
    for source in "$here/$2"/*.cpp; do
        object=$objects/$1/$(basename "$source" .cpp).o
        if [ -e "$object" ]; then
            newer=$(find "$source" "$here" "$here/../include" \( -name '*.h' -o -path "$source" \) -newer "$object" -print -quit)
            [ -n "$newer" ] || continue
        fi
        # shellcheck disable=SC2086
        $command -c "$source" -o "$object.new"
        mv "$object.new" "$object"
    done
}
for folder in common $(wanted hpccg cholesky); do
    compile "$folder" "$folder" ''
done
# All compilers give the same bits: nobody joins a product and a sum that the source has apart.
# gcc vectorises floor(), roots and the rest where nobody asks for errno and exceptions.
for app in $(wanted vlasov enclave); do
    compile "$app" "$app" '-ffp-contract=off -fno-math-errno -fno-trapping-math'
done
# Devices give the same bits, too.
for app in $(wanted daxpy lulesh); do
    compile "$app" "$app" "${offload:+$offload -ffp-contract=off -DLULESH_OFFLOAD=1}"
done

for ranks in "$@"; do
    # The bindings of C, not those of C++ that came with MPI-2.
    case $ranks in
    serial) folder=serial package='' suffix=$kind mpi='' ;;
    openmpi) folder=mpi package=ompi-c suffix=$ranks-$kind mpi=-DOMPI_SKIP_MPICXX ;;
    mpich) folder=mpi package=mpich suffix=$ranks-$kind mpi=-DMPICH_SKIP_MPICXX ;;
    *)
        echo "$0: '$ranks': serial, openmpi or mpich is needed" >&2
        exit 2
        ;;
    esac
    libraries="$runtime -ldl"
    hdf5=hdf5-$ranks
    if [ -n "$package" ]; then
        if ! pkg-config --exists "$package"; then
            echo "$0: pkg-config knows no $package: install lib$ranks-dev" >&2
            exit 1
        fi
        mpi="$mpi $(pkg-config --cflags "$package")"
        libraries="$libraries $(pkg-config --libs "$package")"
    fi
    compile "ranks-$ranks" "common/$folder" "$mpi"
    # Files are HDF5's, of a flavour for each MPI library.
    libraries_of_files=''
    if [ -z "$(wanted vlasov enclave)" ]; then
        : # the others write no files
    elif pkg-config --exists "$hdf5"; then
        flags_of_hdf5="$mpi $(pkg-config --cflags "$hdf5")"
        compile "files-$ranks" common/files "$flags_of_hdf5"
        for app in $(wanted vlasov enclave); do
            compile "$app-files-$ranks" "$app/files" "$flags_of_hdf5"
        done
        libraries_of_files="$objects/files-$ranks/*.o $(pkg-config --libs "$hdf5")"
    else
        echo "$0: pkg-config knows no $hdf5: vlasov-$suffix and enclave-$suffix are built without --output and --restart"
        for app in $(wanted vlasov enclave); do
            compile "$app-files-$ranks" "$app/no_files" ''
        done
    fi
    for app in $(wanted vlasov enclave); do
        # shellcheck disable=SC2086
        "$cxx" "$objects"/common/*.o "$objects/ranks-$ranks"/*.o "$objects/$app"/*.o \
            "$objects/$app-files-$ranks"/*.o -o "$out/$app-$suffix" $libraries_of_files $libraries
    done
    for app in $(wanted hpccg); do
        # shellcheck disable=SC2086
        "$cxx" "$objects"/common/*.o "$objects/ranks-$ranks"/*.o "$objects/$app"/*.o \
            -o "$out/$app-$suffix" $libraries
    done
    for app in $(wanted daxpy lulesh); do
        # shellcheck disable=SC2086
        "$cxx" "$objects"/common/*.o "$objects/ranks-$ranks"/*.o "$objects/$app"/*.o \
            -o "$out/$app-$suffix" ${offload:+-fopenmp $offload} $libraries
    done
    # The serial flavour by its own path, at link time and at run time: the plain name is whatever
    # flavour the system's alternatives point to.
    for app in $(wanted cholesky); do
        # shellcheck disable=SC2086
        "$cxx" "$objects"/common/*.o "$objects/ranks-$ranks"/*.o "$objects/$app"/*.o \
            -o "$out/$app-$suffix" "$blas/libopenblas.so" \
            -Wl,--enable-new-dtags,-rpath,"$blas" $libraries
    done
done
