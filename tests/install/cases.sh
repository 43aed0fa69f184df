# The installed tree, as its users meet it.
# shellcheck shell=bash
# shellcheck disable=SC2154 # tests/case sets the suite's variables

# Installs, once for all cases; $prefix, $libraries are the installed tree and the folder with libloomp.so.
installed() {
    prefix=$made/prefix
    once prefix cmake --install "$build" --prefix "$prefix"
    libraries=$(dirname "$(find "$prefix" -name libloomp.so -not -path '*/compat/*')")
}
on_libgomp() { succeeded && [[ $out == *" libgomp.so"* ]]; }
settings_shown() { succeeded && [[ $out == *OMP_NUM_THREADS* ]]; }

# scripts/compiler, with nothing else in PATH.
named() { run env PATH="$scratch/tools" "$compiler" "$1"; }

# A distribution's own compilers are found: here some that do nothing, and few of other names.
case_compilers() {
    local name
    mkdir tools
    for name in bash dirname seq sed grep; do
        ln -s "$(command -v "$name")" tools/
    done
    named gcc
    expect "where there is no gcc, that is said in a line" complains "no gcc and g++ of versions from 12 on"
    printf '#!/bin/sh\necho 11\n' >tools/gcc
    chmod +x tools/gcc
    cp tools/gcc tools/g++
    named gcc
    expect "one that is too old is not taken" complains "no gcc and g++ of versions from 12 on"
    printf '#!/bin/sh\necho 31.1\n' >tools/g++
    named g++
    expect "one without a number is" [ "$out" = g++ ]
    for name in gcc-11 g++-11 gcc-12 g++-12 gcc-13 g++-13 gcc-14; do
        cp tools/gcc "tools/$name"
    done
    named gfortran
    expect "of several the newest with g++ is" [ "$out" = gfortran-13 ]
    cp tools/gcc tools/clang-99
    named clang
    expect "no clang is there for what it is not known to do" complains "no clang of versions 14 to"
}

case_names_of_runtimes() {
    local name
    installed
    for name in libomp.so.5 libiomp5.so libgomp.so.1; do
        run readelf -d "$libraries/compat/$name"
        expect "compat/$name has a name of its own" grep -q "soname: \[$name\]" "$scratch/out"
        expect "and leads to libloomp.so" grep -q 'Filter library: \[libloomp.so\]' "$scratch/out"
    done
    expect "which is beside it" [ "$libraries/compat/libloomp.so" -ef "$libraries/libloomp.so" ]
}

case_linking_with_compat() {
    installed
    "$gcc" -fopenmp "$here/../cli/which.c" -L "$libraries/compat" -o linked
    run readelf -d linked
    expect "who links with compat/ asks for libgomp" grep -q 'NEEDED.*libgomp.so.1' "$scratch/out"
    expect "and not for loomp" [ "$(grep -c loomp "$scratch/out")" -eq 0 ]
    run ./linked
    expect "so it runs on libgomp, too" on_libgomp
    run env LD_LIBRARY_PATH="$libraries/compat" ./linked
    expect "and on loomp" [ "${out##* }" = libloomp.so ]
}

case_command() {
    installed
    expect "installs" [ -x "$prefix/bin/loomp" ]
    expect "gdb's script is beside the library" [ -r "$libraries/libloomp.so-gdb.py" ]
    "$gcc" -fopenmp "$here/../cli/which.c" -o which
    run "$prefix/bin/loomp" run ./which
    expect "the installed command runs a program" [ "${out##* }" = libloomp.so ]
    run "$prefix/bin/loomp" trace -o trace ./which
    expect "and records it" succeeded
    run "$prefix/bin/loomp" report trace
    expect "and reports" succeeded
}

case_find_package() {
    installed
    run cmake -S "$here/consumer" -B consumer -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$gcc" -DCMAKE_CXX_COMPILER="$gxx"
    expect "find_package(loomp) finds it" succeeded
    run cmake --build consumer
    expect "loomp::loomp links" succeeded
    run consumer/consumer
    expect "and the program runs" settings_shown
}

case_pkg_config() {
    installed
    export PKG_CONFIG_PATH=$libraries/pkgconfig
    # shellcheck disable=SC2046
    run "$gcc" "$here/consumer/consumer.c" -o plain $(pkg-config --cflags --libs loomp)
    expect "pkg-config's flags build a C program" succeeded
    run env LD_LIBRARY_PATH="$libraries" ./plain
    expect "and it runs" settings_shown
}

# The commands of the table in examples/README.md. gcc compiles the examples for Open MPI, clang those for MPICH.
# each: openmpi mpich
case_examples() {
    local command name flags=(-DCMAKE_C_COMPILER="$gcc") PATH=$PATH
    needs_layer "$1"
    needs "mpifort.$1"
    if [ "$1" = mpich ]; then
        needs_clang
        flags=(-DCMAKE_C_COMPILER="$clang" -DCMAKE_C_FLAGS="-isystem $dev/include" -DCMAKE_EXE_LINKER_FLAGS="-L$dev/lib")
    fi
    installed
    PATH=$prefix/bin:$PATH
    run env OMPI_FC="$gfortran" MPICH_FC="$gfortran" cmake -S "$root/examples" -B examples -G Ninja \
        -DCMAKE_PREFIX_PATH="$prefix" "${flags[@]}" -DCMAKE_Fortran_COMPILER="$gfortran" \
        -DMPI_C_COMPILER="mpicc.$1" -DMPI_Fortran_COMPILER="mpifort.$1"
    expect "the examples find loomp::mpi" succeeded
    run cmake --build examples
    expect "and are built" succeeded
    cd examples || return
    sed -n 's/^| .* | `\(.*\)` |$/\1/p' "$root/examples/README.md" >commands
    sed 's/.*[.]\/\([a-z_]*\).*/\1/; /^cuda_stream$/d' commands | sort >named
    find . -maxdepth 1 -type f -executable -not -name cuda_stream -printf '%f\n' | sort >built
    expect "README.md has the command of each" cmp named built
    while read -r command <&3; do
        name=$(sed 's/.*[.]\/\([a-z_]*\).*/\1/' <<<"$command")
        [ -x "$name" ] || continue # cuda_stream, without CUDA; tests/device runs it
        run bash -c "${command/mpirun/mpirun.$1}"
        expect "$command" succeeded
        expect "prints its line" grep -q "^${name%_fortran}: " "$scratch/out"
        [ "$name" != regions ] ||
            expect "and the report has its names" [ "$(grep -cE '^(assembly|solve|row) ' "$scratch/out")" -eq 3 ]
    done 3<commands
    run env -i ./queues
    expect "queues.c runs without loomp" succeeded
}

# Prints what find_package() finds: LANGUAGE REQUEST and more of cmake's arguments.
components() {
    rm -rf components
    run cmake -S "$here/components" -B components -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$gcc" -DCMAKE_CXX_COMPILER="$gxx" -DLANGUAGE="$1" -DREQUEST="$2" "${@:3}"
}
refused() { [ "$status" -ne 0 ] && grep -q "$1" "$scratch/err"; }
found() { succeeded && [[ $out == *"-- $1"* ]]; }

case_components() {
    local none=-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
    installed
    components C "REQUIRED COMPONENTS cuda"
    expect "each target is a component" found "loomp=1 mpi= cuda=TRUE"
    components C "OPTIONAL_COMPONENTS mpi other" "$none"
    expect "optional ones may be missing" found "loomp=1 mpi=FALSE cuda= other=FALSE"
    components C "COMPONENTS mpi" "$none"
    expect "without MPI the component mpi is not found" found "loomp=0 mpi=FALSE"
    components C "REQUIRED COMPONENTS mpi" "$none"
    expect "and the reason is given" refused "its component mpi needs MPI"
    components CXX "REQUIRED COMPONENTS other"
    expect "an unknown one is refused" refused "it has no component other"
}

# each: openmpi mpich
case_components_in_cxx() {
    needs_layer "$1"
    needs "mpicxx.$1"
    installed
    components CXX "REQUIRED COMPONENTS mpi" -DMPI_CXX_COMPILER="mpicxx.$1"
    expect "a project of C++ alone has the component mpi" found "loomp=1 mpi=TRUE"
    run cmake --build components
    expect "and loomp::mpi links" succeeded
    run readelf -d components/main
    expect "with the layer of that library" grep -q "libloomp-mpi-$1.so" "$scratch/out"
}

# CUDA by its own target and by its name beside loomp's, and ALPI by loomp's.
case_libraries_over_the_runtime() {
    installed
    run cmake -S "$here/consumer" -B consumer -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$gcc" -DCMAKE_CXX_COMPILER="$gxx"
    run cmake --build consumer
    expect "loomp::loomp and loomp::cuda link" succeeded
    run consumer/tasks
    expect "and the program runs on loomp" [ "$out" = 1 ]
    export PKG_CONFIG_PATH=$libraries/pkgconfig
    # shellcheck disable=SC2046
    run "$gcc" -fopenmp "$here/consumer/tasks.c" -o tasks $(pkg-config --cflags --libs loomp-cuda)
    expect "pkg-config knows them" succeeded
    run env LD_LIBRARY_PATH="$libraries" ./tasks
    expect "and that program runs on loomp" [ "$out" = 1 ]
}

# each: openmpi mpich
case_mpi_layer() {
    needs_layer "$1"
    installed
    export PKG_CONFIG_PATH=$libraries/pkgconfig
    # shellcheck disable=SC2046
    run "mpicc.$1" -fopenmp "$here/../mpi/tampi.c" -o tampi \
        -I"$prefix/include/loomp" $(pkg-config --cflags --libs "loomp-mpi-$1")
    expect "a program links with -lloomp-mpi-$1" succeeded
    run "$prefix/bin/loomp" run ./tampi
    expect "and runs under loomp run" succeeded
    run cmake -S "$here/consumer" -B consumer -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$gcc" -DCMAKE_CXX_COMPILER="$gxx" -DMPI_C_COMPILER="mpicc.$1"
    run cmake --build consumer --target tampi
    expect "loomp::tampi has TAMPI.h" succeeded
    run "$prefix/bin/loomp" run consumer/tampi
    expect "and that program runs" succeeded
}

# Users compile the headers with their own warnings, in C and in C++, for loomp and for any runtime.
case_headers() {
    local header words compile mpi
    needs_clang
    needs_layer openmpi
    mpi=$(pkg-config --cflags-only-I ompi-c | sed 's/-I/-isystem /g')
    for header in "$include"/loomp/*.h; do
        header=${header##*/}
        [ "$header" = TAMPIf.h ] || # Fortran's
            printf '#include <loomp/%s>\nint main(void) { return 0; }\n' "$header" >"$header.c"
    done
    expect "there are headers" [ "$(find . -name '*.h.c' | wc -l)" -gt 9 ]
    for words in "" "-DLOOMP_WEAK -fopenmp"; do
        for compile in "$gcc -std=c11" "$gxx -std=c++11 -x c++" "$clang -std=c11" "${clang/clang/clang++} -std=c++11 -x c++"; do
            # shellcheck disable=SC2086
            run $compile $words -Wall -Wextra -Wpedantic -Werror -fsyntax-only -DOMPI_SKIP_MPICXX -I"$include" \
                -isystem "$dev/include" $mpi ./*.h.c
            expect "$compile $words" succeeded
        done
    done
}
