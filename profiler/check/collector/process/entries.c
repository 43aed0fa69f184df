/* The functions that compilers call with -fsanitize=thread: one for each access. */
#include "profiler/check/collector/process/process.h"

#define LOOMP_READS(NAME, SIZE)                                                                    \
    LOOMP_SHARED void NAME(void *address) { on_read((Addr)address, SIZE, LOOMP_ACCESSING_CODE); }
#define LOOMP_WRITES(NAME, SIZE)                                                                   \
    LOOMP_SHARED void NAME(void *address) { on_write((Addr)address, SIZE, LOOMP_ACCESSING_CODE); }
#define LOOMP_ACCESSES(SIZE)                                                                       \
    LOOMP_READS(__tsan_read##SIZE, SIZE)                                                           \
    LOOMP_WRITES(__tsan_write##SIZE, SIZE)                                                         \
    LOOMP_WRITES(__tsan_read_write##SIZE, SIZE)                                                    \
    LOOMP_READS(__tsan_unaligned_read##SIZE, SIZE)                                                 \
    LOOMP_WRITES(__tsan_unaligned_write##SIZE, SIZE)                                               \
    LOOMP_WRITES(__tsan_unaligned_read_write##SIZE, SIZE)                                          \
    LOOMP_READS(__tsan_volatile_read##SIZE, SIZE)                                                  \
    LOOMP_WRITES(__tsan_volatile_write##SIZE, SIZE)
LOOMP_ACCESSES(1)
LOOMP_ACCESSES(2)
LOOMP_ACCESSES(4)
LOOMP_ACCESSES(8)
LOOMP_ACCESSES(16)

LOOMP_SHARED void __tsan_read_range(void *address, unsigned long size) {
    read_first((Addr)address, size, LOOMP_ACCESSING_CODE);
}
LOOMP_SHARED void __tsan_write_range(void *address, unsigned long size) {
    write_first((Addr)address, size, LOOMP_ACCESSING_CODE);
}
LOOMP_SHARED void __tsan_vptr_read(void **vptr) {
    on_read((Addr)vptr, sizeof *vptr, LOOMP_ACCESSING_CODE);
}
LOOMP_SHARED void __tsan_vptr_update(void **vptr, void *value) {
    if (*vptr != value) /* destructors write what is there */
        on_write((Addr)vptr, sizeof *vptr, LOOMP_ACCESSING_CODE);
}

LOOMP_SHARED void __tsan_func_entry(void *return_address) {
    const Thread *thread = current;
    const Addr frame = (Addr)__builtin_frame_address(0);
    const Addr code = LOOMP_ACCESSING_CODE;
    if (thread->enters ||
        (thread->stack_end != 0 &&
         (code == thread->function || frame >= thread->stack_end || frame < thread->stack_begin)))
        begin_function(frame, (Addr)return_address, code);
}
LOOMP_SHARED void __tsan_func_exit(void) {}

LOOMP_SHARED void __tsan_init(void) {}
LOOMP_SHARED void __tsan_acquire(void *address) { (void)address; }
LOOMP_SHARED void __tsan_release(void *address) { (void)address; }
LOOMP_SHARED void __tsan_atomic_thread_fence(int order) {
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
LOOMP_SHARED void __tsan_atomic_signal_fence(int order) {
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
/* What the program does in between is not to be examined. */
static void pause_thread(Bool paused) {
    if (current == &no_thread)
        return;
    current->paused = paused;
    find_unwatched(current);
}
LOOMP_SHARED void __tsan_ignore_thread_begin(void) { pause_thread(True); }
LOOMP_SHARED void __tsan_ignore_thread_end(void) { pause_thread(False); }

/* Every order that a program asks for holds, because each of them is the strongest: seq_cst. A load
 * counts as a plain one, so that two of them do not conflict. */
#define LOOMP_FETCHES(BITS, TYPE, NAME)                                                            \
    LOOMP_SHARED TYPE __tsan_atomic##BITS##_fetch_##NAME(volatile TYPE *at, TYPE value,            \
                                                         int order) {                              \
        (void)order;                                                                               \
        on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);                                     \
        return __atomic_fetch_##NAME(at, value, __ATOMIC_SEQ_CST);                                 \
    }
#define LOOMP_COMPARES(BITS, TYPE, NAME)                                                           \
    LOOMP_SHARED int __tsan_atomic##BITS##_compare_exchange_##NAME(                                \
        volatile TYPE *at, TYPE *expected, TYPE value, int order, int failure) {                   \
        (void)order, (void)failure;                                                                \
        on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);                                     \
        return __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_SEQ_CST,               \
                                           __ATOMIC_SEQ_CST);                                      \
    }
#define LOOMP_ATOMICS(BITS, TYPE)                                                                  \
    LOOMP_SHARED TYPE __tsan_atomic##BITS##_load(const volatile TYPE *at, int order) {             \
        (void)order;                                                                               \
        on_read((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);                                       \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                              \
    }                                                                                              \
    LOOMP_SHARED void __tsan_atomic##BITS##_store(volatile TYPE *at, TYPE value, int order) {      \
        (void)order;                                                                               \
        on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);                                     \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                              \
    LOOMP_SHARED TYPE __tsan_atomic##BITS##_exchange(volatile TYPE *at, TYPE value, int order) {   \
        (void)order;                                                                               \
        on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);                                     \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                   \
    }                                                                                              \
    LOOMP_FETCHES(BITS, TYPE, add)                                                                 \
    LOOMP_FETCHES(BITS, TYPE, sub)                                                                 \
    LOOMP_FETCHES(BITS, TYPE, and)                                                                 \
    LOOMP_FETCHES(BITS, TYPE, or)                                                                  \
    LOOMP_FETCHES(BITS, TYPE, xor)                                                                 \
    LOOMP_FETCHES(BITS, TYPE, nand)                                                                \
    LOOMP_COMPARES(BITS, TYPE, strong)                                                             \
    LOOMP_COMPARES(BITS, TYPE, weak)                                                               \
    LOOMP_SHARED TYPE __tsan_atomic##BITS##_compare_exchange_val(                                  \
        volatile TYPE *at, TYPE expected, TYPE value, int order, int failure) {                    \
        (void)order, (void)failure;                                                                \
        on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);                                     \
        __atomic_compare_exchange_n(at, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);  \
        return expected;                                                                           \
    }
LOOMP_ATOMICS(8, unsigned char)
LOOMP_ATOMICS(16, unsigned short)
LOOMP_ATOMICS(32, unsigned int)
LOOMP_ATOMICS(64, unsigned long)

/* Processors have no instructions for all of these, and the compiler's library may not be there.
 * The collector's lock stands for them, because all of the program's code comes here. */
typedef unsigned __int128 Wide;
static void exchange_wide(volatile Wide *at, Wide *old, Wide value) {
    lock_collector();
    *old = *at;
    *at = value;
    unlock_collector();
}
static int compare_wide(volatile Wide *at, Wide *expected, Wide value) {
    lock_collector();
    const Wide old = *at;
    const int is_equal = old == *expected;
    if (is_equal)
        *at = value;
    unlock_collector();
    *expected = old;
    return is_equal;
}
LOOMP_SHARED Wide __tsan_atomic128_load(const volatile Wide *at, int order) {
    (void)order;
    on_read((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);
    lock_collector();
    const Wide value = *at;
    unlock_collector();
    return value;
}
LOOMP_SHARED void __tsan_atomic128_store(volatile Wide *at, Wide value, int order) {
    (void)order;
    on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);
    Wide old = 0;
    exchange_wide(at, &old, value);
}
LOOMP_SHARED Wide __tsan_atomic128_exchange(volatile Wide *at, Wide value, int order) {
    (void)order;
    on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);
    Wide old = 0;
    exchange_wide(at, &old, value);
    return old;
}
LOOMP_SHARED int __tsan_atomic128_compare_exchange_strong(volatile Wide *at, Wide *expected,
                                                          Wide value, int order, int failure) {
    (void)order, (void)failure;
    on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);
    return compare_wide(at, expected, value);
}
LOOMP_SHARED int __tsan_atomic128_compare_exchange_weak(volatile Wide *at, Wide *expected,
                                                        Wide value, int order, int failure) {
    (void)order, (void)failure;
    on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);
    return compare_wide(at, expected, value);
}
LOOMP_SHARED Wide __tsan_atomic128_compare_exchange_val(volatile Wide *at, Wide expected,
                                                        Wide value, int order, int failure) {
    (void)order, (void)failure;
    on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);
    compare_wide(at, &expected, value);
    return expected;
}
#define LOOMP_WIDE_FETCH(NAME, RESULT)                                                             \
    LOOMP_SHARED Wide __tsan_atomic128_fetch_##NAME(volatile Wide *at, Wide value, int order) {    \
        (void)order;                                                                               \
        on_atomic((Addr)at, sizeof *at, LOOMP_ACCESSING_CODE);                                     \
        lock_collector();                                                                          \
        const Wide old = *at;                                                                      \
        *at = RESULT;                                                                              \
        unlock_collector();                                                                        \
        return old;                                                                                \
    }
LOOMP_WIDE_FETCH(add, old + value)
LOOMP_WIDE_FETCH(sub, old - value)
LOOMP_WIDE_FETCH(and, old &value)
LOOMP_WIDE_FETCH(or, old | value)
LOOMP_WIDE_FETCH(xor, old ^ value)
LOOMP_WIDE_FETCH(nand, ~(old &value))
