// The machinery of the __kmpc_atomic_* entry points (atomic.cpp holds their table).
//
// An update of 1, 2, 4 or 8 bytes is a compare-and-swap loop on the object's bytes. Larger updates
// hold a lock from a table, chosen by address. All accesses to one object use the same lock;
// objects that share a lock only wait slightly longer.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "platform/spinlock.h"

namespace loomp::abi::llvm {

template <std::size_t Size> struct WordOf {};
template <> struct WordOf<1> {
    using type __attribute__((may_alias)) = std::uint8_t;
};
template <> struct WordOf<2> {
    using type __attribute__((may_alias)) = std::uint16_t;
};
template <> struct WordOf<4> {
    using type __attribute__((may_alias)) = std::uint32_t;
};
template <> struct WordOf<8> {
    using type __attribute__((may_alias)) = std::uint64_t;
};

template <class T>
inline constexpr bool kIsWord =
    sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8;

template <class To, class From> LOOMP_INLINE To same_bytes(const From &from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof(to));
    return to;
}

/// Returns the lock of a large object.
core::SpinLock &lock_of(const void *object);

template <class T> struct Change {
    T before;
    T after;
};

/// Replaces *object by next(*object), atomically. `next` may be called several times. It is called
/// with a lock held if the object is large.
template <class T, class Next> LOOMP_INLINE Change<T> change(T *object, Next next) {
    if constexpr (kIsWord<T>) {
        using Word = typename WordOf<sizeof(T)>::type;
        Word *word = reinterpret_cast<Word *>(object);
        Word seen = __atomic_load_n(word, __ATOMIC_RELAXED);
        for (;;) {
            const T before = same_bytes<T>(seen);
            const T after = next(before);
            // The strongest order that an atomic construct may request, because the entry points do
            // not pass it.
            if (__atomic_compare_exchange_n(word, &seen, same_bytes<Word>(after), true,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
                return {before, after};
        }
    } else {
        core::SpinGuard guard(lock_of(object));
        const T before = *object;
        const T after = next(before);
        *object = after;
        return {before, after};
    }
}

template <class T> LOOMP_INLINE T read(const T *object) {
    if constexpr (kIsWord<T>) {
        using Word = typename WordOf<sizeof(T)>::type;
        return same_bytes<T>(
            __atomic_load_n(reinterpret_cast<const Word *>(object), __ATOMIC_SEQ_CST));
    } else {
        core::SpinGuard guard(lock_of(object));
        return *object;
    }
}

template <class T> LOOMP_INLINE T exchange(T *object, T value) {
    if constexpr (kIsWord<T>) {
        using Word = typename WordOf<sizeof(T)>::type;
        return same_bytes<T>(__atomic_exchange_n(reinterpret_cast<Word *>(object),
                                                 same_bytes<Word>(value), __ATOMIC_SEQ_CST));
    } else {
        core::SpinGuard guard(lock_of(object));
        const T before = *object;
        *object = value;
        return before;
    }
}

/// Converts integers to a type in which sums, products and shifts wrap around; other types are
/// unchanged.
template <class T> constexpr auto wrapping(T x) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<std::uint64_t>(x);
    else
        return x;
}

// The operators: of(x, y) computes x <operator> y.
#define LOOMP_ATOMIC_OPERATOR(NAME, EXPRESSION)                                                    \
    struct NAME {                                                                                  \
        template <class X, class Y> static auto of(X x, Y y) { return EXPRESSION; }                \
    }
LOOMP_ATOMIC_OPERATOR(Add, wrapping(x) + wrapping(y));
LOOMP_ATOMIC_OPERATOR(Sub, wrapping(x) - wrapping(y));
LOOMP_ATOMIC_OPERATOR(Div, x / y);
LOOMP_ATOMIC_OPERATOR(And, (x) & (y));
LOOMP_ATOMIC_OPERATOR(Or, x | y);
LOOMP_ATOMIC_OPERATOR(Xor, x ^ y);
LOOMP_ATOMIC_OPERATOR(Eqv, x ^ ~y);
LOOMP_ATOMIC_OPERATOR(LogicalAnd, (x) && (y));
LOOMP_ATOMIC_OPERATOR(LogicalOr, x || y);
LOOMP_ATOMIC_OPERATOR(Shl, wrapping(x) << y);
LOOMP_ATOMIC_OPERATOR(Shr, x >> y);
LOOMP_ATOMIC_OPERATOR(Min, y < x ? y : x);
LOOMP_ATOMIC_OPERATOR(Max, x < y ? y : x);
#undef LOOMP_ATOMIC_OPERATOR

/// An integer times a float is a float, so nothing wraps.
struct Mul {
    template <class X, class Y> static auto of(X x, Y y) {
        if constexpr (std::is_integral_v<X> && std::is_integral_v<Y>)
            return wrapping(x) * wrapping(y);
        else
            return x * y;
    }
};

/// Computes y <operator> x.
template <class Operator> struct Reversed {
    template <class X, class Y> static auto of(X x, Y y) { return Operator::of(y, x); }
};

template <class Operator, class T, class R> LOOMP_INLINE Change<T> update(T *object, R operand) {
    return change(object, [operand](T x) { return static_cast<T>(Operator::of(x, operand)); });
}

} // namespace loomp::abi::llvm
