// For which runtime the program was built: where OpenMP leaves a choice to the runtime, a program
// gets the one that it knows.
#pragma once

namespace loomp::core {

enum class ProgramInterface {
    gnu,  ///< libgomp: gcc, gfortran
    llvm, ///< libomp, libiomp5: clang, flang, Intel's compilers
};

/// Of what is loaded, the program itself first: by the runtime's name that the first object asks
/// for which asks for one. gnu, where none does. Looked for once. Any thread.
ProgramInterface program_interface();

} // namespace loomp::core
