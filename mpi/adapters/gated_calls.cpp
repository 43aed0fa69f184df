// Passes MPI functions through the gate (gated_calls.S redirects them here). Their arguments are
// integers and addresses, which are all passed alike. Therefore the code passes on the maximum
// count of arguments without knowing them and does not include mpi.h.
//
// loomp_pass_X passes a call of the layer's own, loomp_pass_next_X one that tools may see. A tool's
// function is entered by loomp_enter_X, which notes that (tools.h).
#include "mpi/adapters/thread_level.h"
#include "mpi/adapters/tools.h"

namespace {

using namespace loomp::mpi;

#define LOOMP_PARAMETERS                                                                           \
    long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k,        \
        long l, long m, long n
#define LOOMP_PASSED a, b, c, d, e, f, g, h, i, j, k, l, m, n

using Function = long(LOOMP_PARAMETERS);

long pass(Function *function, LOOMP_PARAMETERS) {
    return inside_gate([&] { return function(LOOMP_PASSED); });
}

long enter(Function *tools, LOOMP_PARAMETERS) {
    const InsideTool inside;
    return tools(LOOMP_PASSED);
}

} // namespace

#define LOOMP_GATED(LIBRARYS, PROGRAMS)                                                            \
    extern "C"                                                                                     \
        __attribute__((weak)) long real_##LIBRARYS(LOOMP_PARAMETERS) __asm__("__real_" #LIBRARYS); \
    extern "C" long loomp_pass_##LIBRARYS(LOOMP_PARAMETERS) {                                      \
        return pass(real_##LIBRARYS, LOOMP_PASSED);                                                \
    }                                                                                              \
    extern "C" __attribute__((visibility("hidden"))) Function *loomp_target_##LIBRARYS;            \
    extern "C" long loomp_pass_next_##LIBRARYS(LOOMP_PARAMETERS) {                                 \
        return pass(loomp_target_##LIBRARYS, LOOMP_PASSED);                                        \
    }                                                                                              \
    extern "C" __attribute__((visibility("hidden"))) Function *loomp_tool_##LIBRARYS;              \
    extern "C"                                                                                     \
        __attribute__((visibility("hidden"))) long loomp_enter_##LIBRARYS(LOOMP_PARAMETERS) {      \
        return enter(loomp_tool_##LIBRARYS, LOOMP_PASSED);                                         \
    }
#define LOOMP_ALSO(LIBRARYS, PROGRAMS)
#include "mpi_gated.inc"
