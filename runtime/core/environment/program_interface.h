// The runtime that the program was built for: if OpenMP leaves a choice to the runtime, loomp
// behaves like the library that the program asks for.
#pragma once

namespace loomp::core {

enum class ProgramInterface {
    gnu,  ///< libgomp: gcc, gfortran
    llvm, ///< libomp, libiomp5: clang, flang, Intel's compilers
};

/// The first object that is loaded, from the program on, and asks for such a runtime decides by
/// that one's name. gnu if none does. Looked for once. Any thread.
ProgramInterface program_interface();

} // namespace loomp::core
