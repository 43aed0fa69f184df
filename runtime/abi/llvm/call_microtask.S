// Calls a region's outlined function with more pointers than registers hold: see microtask.cpp.
//
// void loomp_call_microtask(Microtask fn, int32_t *gtid, int32_t *tid, int64_t count, void **arguments)
// At least five pointers, and one readable word behind them.

#if defined(__x86_64__)

        .text
        .globl  loomp_call_microtask
        .hidden loomp_call_microtask
        .type   loomp_call_microtask, @function
        .p2align 4
loomp_call_microtask:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        movq    %rdi, %r11
        movq    %r8, %r10
        subq    $4, %rcx                // the first four are in registers
        leaq    15(,%rcx,8), %rax
        andq    $-16, %rax
        subq    %rax, %rsp
        xorl    %eax, %eax
1:      movq    32(%r10,%rax,8), %r9
        movq    %r9, (%rsp,%rax,8)
        incq    %rax
        cmpq    %rcx, %rax
        jb      1b
        movq    %rsi, %rdi
        movq    %rdx, %rsi
        movq    (%r10), %rdx
        movq    8(%r10), %rcx
        movq    16(%r10), %r8
        movq    24(%r10), %r9
        call    *%r11
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   loomp_call_microtask, . - loomp_call_microtask

#elif defined(__aarch64__)

        .text
        .globl  loomp_call_microtask
        .hidden loomp_call_microtask
        .type   loomp_call_microtask, %function
        .p2align 4
loomp_call_microtask:
        .cfi_startproc
        stp     x29, x30, [sp, #-16]!
        .cfi_def_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov     x29, sp
        .cfi_def_cfa_register x29
        mov     x9, x0
        mov     x10, x4
        mov     x0, x1
        mov     x1, x2
        subs    x11, x3, #6             // the first six are in registers
        b.le    2f
        add     x12, x11, #1
        and     x12, x12, #-2
        sub     sp, sp, x12, lsl #3
        add     x13, x10, #48
        mov     x14, #0
1:      ldr     x15, [x13, x14, lsl #3]
        str     x15, [sp, x14, lsl #3]
        add     x14, x14, #1
        cmp     x14, x11
        b.lo    1b
2:      ldp     x2, x3, [x10]
        ldp     x4, x5, [x10, #16]
        ldp     x6, x7, [x10, #32]
        blr     x9
        mov     sp, x29
        ldp     x29, x30, [sp], #16
        .cfi_def_cfa sp, 0
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size   loomp_call_microtask, . - loomp_call_microtask

#endif

        .section .note.GNU-stack, "", %progbits
