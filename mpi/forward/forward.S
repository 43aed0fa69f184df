// Each function of MPI's as one jump to where it leads. At first it leads to finding that out
// (loomp_mpi_find, forward.cpp); the arguments stay as they are meanwhile. Functions of MPI have no
// floating-point arguments.

#define LOOMP_LIBRARY(WHICH, SONAME)

#if defined(__x86_64__)

        .macro  forward name, number
        .globl  \name
        .type   \name, @function
        .p2align 4
\name:
        .cfi_startproc
        endbr64
        jmp     *loomp_mpi_targets + 8 * \number(%rip)
        .cfi_endproc
        .size   \name, . - \name
        .endm

        .macro  first_call number
first_call_\number:
        movl    $\number, %eax
        jmp     find
        .endm

        .text
        .type   find, @function
        .p2align 4
find:
        .cfi_startproc
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        pushq   %rdx
        .cfi_adjust_cfa_offset 8
        pushq   %rcx
        .cfi_adjust_cfa_offset 8
        pushq   %r8
        .cfi_adjust_cfa_offset 8
        pushq   %r9
        .cfi_adjust_cfa_offset 8
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        movl    %eax, %edi
        call    loomp_mpi_find
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %r9
        .cfi_adjust_cfa_offset -8
        popq    %r8
        .cfi_adjust_cfa_offset -8
        popq    %rcx
        .cfi_adjust_cfa_offset -8
        popq    %rdx
        .cfi_adjust_cfa_offset -8
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        jmp     *%rax
        .cfi_endproc
        .size   find, . - find

#elif defined(__aarch64__)

        .macro  forward name, number
        .globl  \name
        .type   \name, %function
        .p2align 4
\name:
        .cfi_startproc
        hint    #34 // bti c
        adrp    x16, loomp_mpi_targets + 8 * \number
        ldr     x16, [x16, :lo12:loomp_mpi_targets + 8 * \number]
        br      x16
        .cfi_endproc
        .size   \name, . - \name
        .endm

        .macro  first_call number
first_call_\number:
        hint    #36 // bti j
        mov     w17, #\number
        b       find
        .endm

        .text
        .type   find, %function
        .p2align 4
find:
        .cfi_startproc
        stp     x29, x30, [sp, #-96]!
        .cfi_def_cfa_offset 96
        .cfi_offset 29, -96
        .cfi_offset 30, -88
        stp     x0, x1, [sp, #16]
        stp     x2, x3, [sp, #32]
        stp     x4, x5, [sp, #48]
        stp     x6, x7, [sp, #64]
        str     x8, [sp, #80]
        mov     w0, w17
        bl      loomp_mpi_find
        mov     x16, x0
        ldp     x0, x1, [sp, #16]
        ldp     x2, x3, [sp, #32]
        ldp     x4, x5, [sp, #48]
        ldp     x6, x7, [sp, #64]
        ldr     x8, [sp, #80]
        ldp     x29, x30, [sp], #96
        .cfi_restore 29
        .cfi_restore 30
        .cfi_def_cfa_offset 0
        br      x16
        .cfi_endproc
        .size   find, . - find

#else
#error "write forward and first_call for this processor"
#endif

        .hidden loomp_mpi_find

#define LOOMP_FORWARD(NAME, NUMBER) forward NAME, NUMBER
#include "mpi_names.inc"
#undef LOOMP_FORWARD
#define LOOMP_FORWARD(NAME, NUMBER) first_call NUMBER
#include "mpi_names.inc"
#undef LOOMP_FORWARD

        .data
        .globl  loomp_mpi_targets
        .hidden loomp_mpi_targets
        .p2align 3
loomp_mpi_targets:
#define LOOMP_FORWARD(NAME, NUMBER) .8byte first_call_##NUMBER
#include "mpi_names.inc"

        .section .note.GNU-stack, "", %progbits
