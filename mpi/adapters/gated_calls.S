// Every function of MPI's that must pass the gate (gate.h), by name: what the layer calls as PMPI_X,
// which the linker leads here, and what the program calls as MPI_X, unless the layer has a function
// of that name. While the gate is open it is one test and a jump. mpi_gated.inc has the names
// (cmake/GatedNames.cmake): LOOMP_GATED(the library's, which may not be there; the program's), and
// LOOMP_ALSO for a further one of the program's.

#if defined(__x86_64__)

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
        .endm

#elif defined(__aarch64__)

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
        .endm

#else
#error "write gated for this processor"
#endif

        .macro  also library, program
        .weak   \program
        .set    \program, __wrap_\library
        .endm

        .hidden loomp_mpi_gate
        .text

#define LOOMP_GATED(LIBRARYS, PROGRAMS) \
        gated LIBRARYS; \
        also LIBRARYS, PROGRAMS
#define LOOMP_ALSO(LIBRARYS, PROGRAMS) also LIBRARYS, PROGRAMS
#include "mpi_gated.inc"

        .section .note.GNU-stack, "", %progbits
