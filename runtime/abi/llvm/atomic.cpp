// LLVM ABI: atomic constructs that a compiler does not turn into instructions.
//
// A name consists of a type and an operator: __kmpc_atomic_fixed4_add. The suffix _cpt returns the
// value from before (flag 0) or after (flag 1) the update; _rev swaps the operands. A second type
// (_float8) is the operand's, if it differs from the object's.
#include "runtime/abi/llvm/atomic_constructs.h"

#include <new>

#include "platform/export.h"
#include "platform/locks_at_fork.h"
#include "runtime/core/regions/lock.h"

using namespace loomp;
using namespace loomp::abi::llvm;

namespace {

struct Ident;
using Fixed1 = signed char;
using Fixed1u = unsigned char;
using Fixed2 = std::int16_t;
using Fixed2u = std::uint16_t;
using Fixed4 = std::int32_t;
using Fixed4u = std::uint32_t;
using Fixed8 = std::int64_t;
using Fixed8u = std::uint64_t;
using Float4 = float;
using Float8 = double;
using Float10 = long double;
using Complex4 = __complex__ float;
using Complex8 = __complex__ double;
using Complex10 = __complex__ long double;

constexpr unsigned kLockBits = 6;
struct alignas(core::kFalseSharing) Slot {
    core::SpinLock lock;
};
Slot locks[1u << kLockBits];

/// __kmpc_atomic_start() takes it; the program holds it over a statement.
core::Mutex statement_lock;

// The forking thread is within no such statement.
const core::LocksAtFork at_fork(
    [](core::LocksAtFork::Each each) {
        for (Slot &slot : locks)
            each(slot.lock);
    },
    [] { new (&statement_lock) core::Mutex; });

} // namespace

core::SpinLock &loomp::abi::llvm::lock_of(const void *object) {
    // Fibonacci hashing, because the lowest bits hardly differ among objects of 10 bytes and more.
    const std::uint64_t key = reinterpret_cast<std::uintptr_t>(object) >> 3;
    return locks[(key * 0x9e3779b97f4a7c15u) >> (64 - kLockBits)].lock;
}

#define ENTRY(NAME) __kmpc_atomic_##NAME

#define UPDATE(NAME, T, R, OPERATOR)                                                               \
    LOOMP_EXPORT void ENTRY(NAME)(Ident *, int, T *object, R operand) {                            \
        update<OPERATOR>(object, operand);                                                         \
    }
#define CAPTURE(NAME, T, OPERATOR)                                                                 \
    LOOMP_EXPORT T ENTRY(NAME)(Ident *, int, T *object, T operand, int flag) {                     \
        const Change<T> change = update<OPERATOR>(object, operand);                                \
        return flag != 0 ? change.after : change.before;                                           \
    }
/// Two floats are returned through a pointer.
#define CAPTURE_OUT(NAME, T, OPERATOR)                                                             \
    LOOMP_EXPORT void ENTRY(NAME)(Ident *, int, T *object, T operand, T *out, int flag) {          \
        const Change<T> change = update<OPERATOR>(object, operand);                                \
        *out = flag != 0 ? change.after : change.before;                                           \
    }

#define BOTH(TYPE, NAME, T, OPERATOR)                                                              \
    UPDATE(TYPE##_##NAME, T, T, OPERATOR)                                                          \
    CAPTURE(TYPE##_##NAME##_cpt, T, OPERATOR)
#define BOTH_WAYS(TYPE, NAME, T, OPERATOR)                                                         \
    BOTH(TYPE, NAME, T, OPERATOR)                                                                  \
    UPDATE(TYPE##_##NAME##_rev, T, T, Reversed<OPERATOR>)                                          \
    CAPTURE(TYPE##_##NAME##_cpt_rev, T, Reversed<OPERATOR>)

#define READ_WRITE(TYPE, T)                                                                        \
    LOOMP_EXPORT T ENTRY(TYPE##_rd)(Ident *, int, T *object) { return read(object); }              \
    LOOMP_EXPORT void ENTRY(TYPE##_wr)(Ident *, int, T *object, T value) {                         \
        exchange(object, value);                                                                   \
    }
#define SWAP(TYPE, T)                                                                              \
    LOOMP_EXPORT T ENTRY(TYPE##_swp)(Ident *, int, T *object, T value) {                           \
        return exchange(object, value);                                                            \
    }

#define FIXED(TYPE, T, U)                                                                          \
    BOTH(TYPE, add, T, Add)                                                                        \
    BOTH(TYPE, mul, T, Mul)                                                                        \
    BOTH(TYPE, andb, T, And)                                                                       \
    BOTH(TYPE, orb, T, Or)                                                                         \
    BOTH(TYPE, xor, T, Xor)                                                                        \
    BOTH(TYPE, neqv, T, Xor)                                                                       \
    BOTH(TYPE, eqv, T, Eqv)                                                                        \
    BOTH(TYPE, andl, T, LogicalAnd)                                                                \
    BOTH(TYPE, orl, T, LogicalOr)                                                                  \
    BOTH(TYPE, min, T, Min)                                                                        \
    BOTH(TYPE, max, T, Max)                                                                        \
    BOTH_WAYS(TYPE, sub, T, Sub)                                                                   \
    BOTH_WAYS(TYPE, div, T, Div)                                                                   \
    BOTH_WAYS(TYPE, shl, T, Shl)                                                                   \
    BOTH_WAYS(TYPE, shr, T, Shr)                                                                   \
    BOTH_WAYS(TYPE##u, div, U, Div)                                                                \
    BOTH_WAYS(TYPE##u, shr, U, Shr)                                                                \
    UPDATE(TYPE##_mul_float8, T, Float8, Mul)                                                      \
    UPDATE(TYPE##_div_float8, T, Float8, Div)                                                      \
    READ_WRITE(TYPE, T)                                                                            \
    SWAP(TYPE, T)

#define FLOAT(TYPE, T)                                                                             \
    BOTH(TYPE, add, T, Add)                                                                        \
    BOTH(TYPE, mul, T, Mul)                                                                        \
    BOTH(TYPE, min, T, Min)                                                                        \
    BOTH(TYPE, max, T, Max)                                                                        \
    BOTH_WAYS(TYPE, sub, T, Sub)                                                                   \
    BOTH_WAYS(TYPE, div, T, Div)                                                                   \
    READ_WRITE(TYPE, T)                                                                            \
    SWAP(TYPE, T)

#define COMPLEX(TYPE, T)                                                                           \
    BOTH(TYPE, add, T, Add)                                                                        \
    BOTH(TYPE, mul, T, Mul)                                                                        \
    BOTH_WAYS(TYPE, sub, T, Sub)                                                                   \
    BOTH_WAYS(TYPE, div, T, Div)                                                                   \
    READ_WRITE(TYPE, T)                                                                            \
    SWAP(TYPE, T)

#define WIDER_OPERAND(TYPE, T, RTYPE, R)                                                           \
    UPDATE(TYPE##_add_##RTYPE, T, R, Add)                                                          \
    UPDATE(TYPE##_sub_##RTYPE, T, R, Sub)                                                          \
    UPDATE(TYPE##_mul_##RTYPE, T, R, Mul)                                                          \
    UPDATE(TYPE##_div_##RTYPE, T, R, Div)

#define BOTH_OUT(TYPE, NAME, T, OPERATOR)                                                          \
    UPDATE(TYPE##_##NAME, T, T, OPERATOR)                                                          \
    CAPTURE_OUT(TYPE##_##NAME##_cpt, T, OPERATOR)
#define BOTH_WAYS_OUT(TYPE, NAME, T, OPERATOR)                                                     \
    BOTH_OUT(TYPE, NAME, T, OPERATOR)                                                              \
    UPDATE(TYPE##_##NAME##_rev, T, T, Reversed<OPERATOR>)                                          \
    CAPTURE_OUT(TYPE##_##NAME##_cpt_rev, T, Reversed<OPERATOR>)

FIXED(fixed1, Fixed1, Fixed1u)
FIXED(fixed2, Fixed2, Fixed2u)
FIXED(fixed4, Fixed4, Fixed4u)
FIXED(fixed8, Fixed8, Fixed8u)
FLOAT(float4, Float4)
FLOAT(float8, Float8)
FLOAT(float10, Float10)
COMPLEX(cmplx8, Complex8)
COMPLEX(cmplx10, Complex10)
BOTH_OUT(cmplx4, add, Complex4, Add)
BOTH_OUT(cmplx4, mul, Complex4, Mul)
BOTH_WAYS_OUT(cmplx4, sub, Complex4, Sub)
BOTH_WAYS_OUT(cmplx4, div, Complex4, Div)
READ_WRITE(cmplx4, Complex4)
LOOMP_EXPORT void __kmpc_atomic_cmplx4_swp(Ident *, int, Complex4 *object, Complex4 value,
                                           Complex4 *out) {
    *out = exchange(object, value);
}
WIDER_OPERAND(float4, Float4, float8, Float8)
WIDER_OPERAND(cmplx4, Complex4, cmplx8, Complex8)

// Entry points for any operator: the compiler passes its code.

namespace {

using Operation = void (*)(void *result, void *object, void *operand);

template <class Word> LOOMP_INLINE void apply(void *object, void *operand, Operation operation) {
    change(static_cast<Word *>(object), [operand, operation](Word before) {
        Word after;
        operation(&after, &before, operand);
        return after;
    });
}

LOOMP_INLINE void apply_locked(void *object, void *operand, Operation operation) {
    core::SpinGuard guard(lock_of(object));
    operation(object, object, operand);
}

} // namespace

#define APPLY(SIZE, CALL)                                                                          \
    LOOMP_EXPORT void ENTRY(SIZE)(Ident *, int, void *object, void *operand,                       \
                                  Operation operation) {                                           \
        CALL(object, operand, operation);                                                          \
    }
APPLY(1, apply<std::uint8_t>)
APPLY(2, apply<std::uint16_t>)
APPLY(4, apply<std::uint32_t>)
APPLY(8, apply<std::uint64_t>)
APPLY(10, apply_locked)
APPLY(16, apply_locked)
APPLY(20, apply_locked)
APPLY(32, apply_locked)

LOOMP_EXPORT void __kmpc_atomic_start() { statement_lock.lock(); }
LOOMP_EXPORT void __kmpc_atomic_end() { statement_lock.unlock(); }

// atomic compare. bool_ returns whether it was equal; with _cpt, *captured gets the other value if
// it was not. val_ returns the value from before; with _cpt, *captured gets the one from after.
#define COMPARE(SIZE, T)                                                                           \
    LOOMP_EXPORT T ENTRY(val_##SIZE##_cas)(Ident *, int, T *object, T expected, T desired) {       \
        __atomic_compare_exchange_n(object, &expected, desired, false, __ATOMIC_SEQ_CST,           \
                                    __ATOMIC_SEQ_CST);                                             \
        return expected;                                                                           \
    }                                                                                              \
    LOOMP_EXPORT bool ENTRY(bool_##SIZE##_cas)(Ident *, int, T *object, T expected, T desired) {   \
        return __atomic_compare_exchange_n(object, &expected, desired, false, __ATOMIC_SEQ_CST,    \
                                           __ATOMIC_SEQ_CST);                                      \
    }                                                                                              \
    LOOMP_EXPORT T ENTRY(val_##SIZE##_cas_cpt)(Ident * loc, int gtid, T *object, T expected,       \
                                               T desired, T *captured) {                           \
        const T before = ENTRY(val_##SIZE##_cas)(loc, gtid, object, expected, desired);            \
        *captured = before == expected ? desired : before;                                         \
        return before;                                                                             \
    }                                                                                              \
    LOOMP_EXPORT bool ENTRY(bool_##SIZE##_cas_cpt)(Ident * loc, int gtid, T *object, T expected,   \
                                                   T desired, T *captured) {                       \
        const T before = ENTRY(val_##SIZE##_cas)(loc, gtid, object, expected, desired);            \
        if (before != expected)                                                                    \
            *captured = before;                                                                    \
        return before == expected;                                                                 \
    }
COMPARE(1, Fixed1)
COMPARE(2, Fixed2)
COMPARE(4, Fixed4)
COMPARE(8, Fixed8)
