// Each function of MPI's that must pass the gate (thread_level.h) is here twice. The linker leads
// the layer's calls of PMPI_X here, and they go to the library. loomp_next_PMPI_X goes to the next
// function MPI_X: a tool's (tools.h), or the library's. The layer passes the program's calls
// to it, and the program's own MPI_X leads there, unless the layer has a function of that name.
// While the gate is open, each is one test and a jump. mpi_gated.inc has the names
// (cmake/GatedNames.cmake): LOOMP_GATED(the library's, which may not be there; the program's), and
// LOOMP_ALSO for a further one of the program's that goes to the library: Open MPI's `use mpi_f08`
// calls it, and a tool has another function for that, which the program has called already.

#if defined(__x86_64__)

        .macro  next library
        .globl  loomp_next_\library
        .hidden loomp_next_\library
        .hidden loomp_pass_next_\library
        .type   loomp_next_\library, @function
        .p2align 4
loomp_next_\library:
        .cfi_startproc
        endbr64
        cmpb    $0, loomp_mpi_gate(%rip)
        jne     loomp_pass_next_\library
        jmp     *loomp_target_\library(%rip)
        .cfi_endproc
        .size   loomp_next_\library, . - loomp_next_\library
        target  \library
        .endm

        .macro  gated library
        .globl  __wrap_\library
        .hidden __wrap_\library
        .hidden loomp_pass_\library
        .weak   __real_\library
        .type   __wrap_\library, @function
        .p2align 4
__wrap_\library:
        .cfi_startproc
        endbr64
        cmpb    $0, loomp_mpi_gate(%rip)
        jne     loomp_pass_\library
        jmp     *__real_\library@GOTPCREL(%rip)
        .cfi_endproc
        .size   __wrap_\library, . - __wrap_\library
        next    \library
        .endm

#elif defined(__aarch64__)

        .macro  next library
        .globl  loomp_next_\library
        .hidden loomp_next_\library
        .hidden loomp_pass_next_\library
        .type   loomp_next_\library, %function
        .p2align 4
loomp_next_\library:
        .cfi_startproc
        hint    #34 // bti c
        adrp    x16, loomp_mpi_gate
        ldrb    w16, [x16, :lo12:loomp_mpi_gate]
        cbz     w16, 1f
        b       loomp_pass_next_\library
1:      adrp    x16, loomp_target_\library
        ldr     x16, [x16, :lo12:loomp_target_\library]
        br      x16
        .cfi_endproc
        .size   loomp_next_\library, . - loomp_next_\library
        target  \library
        .endm

        .macro  gated library
        .globl  __wrap_\library
        .hidden __wrap_\library
        .hidden loomp_pass_\library
        .weak   __real_\library
        .type   __wrap_\library, %function
        .p2align 4
__wrap_\library:
        .cfi_startproc
        hint    #34 // bti c
        adrp    x16, loomp_mpi_gate
        ldrb    w16, [x16, :lo12:loomp_mpi_gate]
        cbz     w16, 1f
        b       loomp_pass_\library
1:      adrp    x16, :got:__real_\library
        ldr     x16, [x16, :got_lo12:__real_\library]
        br      x16
        .cfi_endproc
        .size   __wrap_\library, . - __wrap_\library
        next    \library
        .endm

#else
#error "write gated for this processor"
#endif

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
