// Each function of MPI's that must pass the gate (thread_level.h) is here twice. The linker leads
// the layer's calls of PMPI_X here, and they go to the library. loomp_next_PMPI_X goes to the next
// function MPI_X: a tool's (tools.h), or the library's. The layer passes the program's calls
// to it, and the program's own MPI_X leads there, unless the layer has a function of that name.
// While the gate is open, each is one test and a jump. mpi_gated.inc has the names
// (cmake/GatedNames.cmake): LOOMP_GATED(the library's, which may not be there; the program's), and
// LOOMP_ALSO for a further one of the program's that goes to the library: Open MPI's `use mpi_f08`
// calls it, and a tool has another function for that, which the program has called already.

#if defined(__x86_64__)

        // A jump to the address that lies at `address`.
        .macro  jump_to address
        jmp     *\address(%rip)
        .endm
        .macro  jump_to_library library
        jmp     *__real_\library@GOTPCREL(%rip)
        .endm
        // The first instructions of a function. While the gate is open, the code after them runs.
        .macro  begin pass
        endbr64
        cmpb    $0, loomp_mpi_gate(%rip)
        jne     \pass
        .endm

#elif defined(__aarch64__)

        .macro  jump_to address
        adrp    x16, \address
        ldr     x16, [x16, :lo12:\address]
        br      x16
        .endm
        .macro  jump_to_library library
        adrp    x16, :got:__real_\library
        ldr     x16, [x16, :got_lo12:__real_\library]
        br      x16
        .endm
        .macro  begin pass
        hint    #34 // bti c
        adrp    x16, loomp_mpi_gate
        ldrb    w16, [x16, :lo12:loomp_mpi_gate]
        cbz     w16, 1f
        b       \pass
1:
        .endm

#else
#error "write gated for this processor"
#endif

        // The functions of one name. loomp_pass_X and loomp_pass_next_X wait at the gate.
        .macro  function name, pass, jump, to
        .globl  \name
        .hidden \name
        .hidden \pass
        .type   \name, %function
        .p2align 4
\name:
        .cfi_startproc
        begin   \pass
        \jump   \to
        .cfi_endproc
        .size   \name, . - \name
        .endm

        .macro  gated library
        .weak   __real_\library
        function __wrap_\library, loomp_pass_\library, jump_to_library, \library
        function loomp_next_\library, loomp_pass_next_\library, jump_to, loomp_target_\library
        target  \library
        .endm

        // The next function's address, in a table of all in their order: the library's, or
        // loomp_enter_X if a tool has the function (gated_calls.cpp). Two further tables have the
        // tool's function and loomp_enter_X.
        .macro  target library
        .data   0
        .globl  loomp_target_\library
        .hidden loomp_target_\library
loomp_target_\library:
        .8byte  __real_\library
        .data   1
        .globl  loomp_tool_\library
        .hidden loomp_tool_\library
loomp_tool_\library:
        .8byte  0
        .data   2
        .hidden loomp_enter_\library
        .8byte  loomp_enter_\library
        .text
        .endm

        .macro  leads program, function
        .weak   \program
        .set    \program, \function
        .endm

        .macro  table number name
        .data   \number
        .globl  \name
        .hidden \name
        .p2align 3
\name:
        .text
        .endm

        .hidden loomp_mpi_gate
        table   0 loomp_mpi_next
        table   1 loomp_mpi_tools
        table   2 loomp_mpi_enter

#define LOOMP_GATED(LIBRARYS, PROGRAMS) \
        gated LIBRARYS; \
        leads PROGRAMS, loomp_next_##LIBRARYS
#define LOOMP_ALSO(LIBRARYS, PROGRAMS) leads PROGRAMS, __wrap_##LIBRARYS
#include "mpi_gated.inc"

        .section .note.GNU-stack, "", %progbits
