// Implements runtime/core/suspension/call_on_stack.h. The caller's stack saves the registers that a
// callee must preserve, so that the caller can continue from there. The caller handles
// floating-point modes.

#if defined(__x86_64__)

        .text
        .globl  loomp_call_on_stack
        .hidden loomp_call_on_stack
        .type   loomp_call_on_stack, @function
        .p2align 4
loomp_call_on_stack:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        movq    %rsp, (%rcx)
        movq    %rdi, %rax
        movq    %rsi, %rdi
        movq    %rdx, %rsp
        call    *%rax
        xorl    %eax, %eax
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   loomp_call_on_stack, . - loomp_call_on_stack

        .globl  loomp_continue_caller
        .hidden loomp_continue_caller
        .type   loomp_continue_caller, @function
        .p2align 4
loomp_continue_caller:
        movq    %rdi, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        movl    $1, %eax
        ret
        .size   loomp_continue_caller, . - loomp_continue_caller

#elif defined(__aarch64__)

        .text
        .globl  loomp_call_on_stack
        .hidden loomp_call_on_stack
        .type   loomp_call_on_stack, %function
        .p2align 4
loomp_call_on_stack:
        .cfi_startproc
        stp     x29, x30, [sp, #-160]!
        .cfi_def_cfa_offset 160
        .cfi_offset x29, -160
        .cfi_offset x30, -152
        mov     x29, sp
        .cfi_def_cfa_register x29
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        mov     x9, sp
        str     x9, [x3]
        mov     x9, x0
        mov     x0, x1
        mov     sp, x2
        blr     x9
        mov     w0, #0
        mov     sp, x29
        ldp     x29, x30, [sp], #160
        .cfi_def_cfa sp, 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size   loomp_call_on_stack, . - loomp_call_on_stack

        .globl  loomp_continue_caller
        .hidden loomp_continue_caller
        .type   loomp_continue_caller, %function
        .p2align 4
loomp_continue_caller:
        mov     sp, x0
        ldp     d14, d15, [sp, #144]
        ldp     d12, d13, [sp, #128]
        ldp     d10, d11, [sp, #112]
        ldp     d8, d9, [sp, #96]
        ldp     x27, x28, [sp, #80]
        ldp     x25, x26, [sp, #64]
        ldp     x23, x24, [sp, #48]
        ldp     x21, x22, [sp, #32]
        ldp     x19, x20, [sp, #16]
        mov     w0, #1
        ldp     x29, x30, [sp], #160
        ret
        .size   loomp_continue_caller, . - loomp_continue_caller

#endif

        .section .note.GNU-stack, "", %progbits
