// The seam of platform/atomic.h as tests/weak compiles it: each operation is relacy's (model.cpp).
//
// An object has the size of its value, so all layouts stay. It is known to the model by its
// address. Outside of an execution it is a plain variable, which each execution finds as it was
// before the first one.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace loomp {
namespace weak {

/// The place of an operation in the sources, for the history of an execution that failed.
struct Place {
    const char *file;
    int line;
    static constexpr Place here(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
        return {file, line};
    }
};

enum class Change { exchange, add, sub, conjunction, disjunction, difference };

void construct(void *atomic, unsigned size);
std::uint64_t load(const void *atomic, unsigned size, std::memory_order order, Place place);
void store(void *atomic, unsigned size, std::uint64_t value, std::memory_order order, Place place);
/// Returns the value before.
std::uint64_t change(void *atomic, unsigned size, Change change, std::uint64_t operand,
                     std::memory_order order, Place place);
bool compare_exchange(void *atomic, unsigned size, std::uint64_t &expected, std::uint64_t desired,
                      std::memory_order success, std::memory_order failure, bool weak, Place place);
void fence(std::memory_order order, Place place);
/// A thread that spins lets others run.
void spin();

/// The failure order of the overloads that have one order.
constexpr std::memory_order failure_of(std::memory_order order) {
    if (order == std::memory_order_acq_rel)
        return std::memory_order_acquire;
    return order == std::memory_order_release ? std::memory_order_relaxed : order;
}

/// The operations on an object at an address.
template <class T> class Operations {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
    using Order = std::memory_order;
    static constexpr Order kStrongest = std::memory_order_seq_cst;

  public:
    static std::uint64_t bits_of(T value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        return bits;
    }
    static T value_of(std::uint64_t bits) {
        T value;
        std::memcpy(static_cast<void *>(&value), &bits, sizeof value);
        return value;
    }
    static T load(const T *at, Order order, Place place) {
        return value_of(weak::load(at, sizeof(T), order, place));
    }
    static void store(T *at, T value, Order order, Place place) {
        weak::store(at, sizeof(T), bits_of(value), order, place);
    }
    static T change(T *at, Change change, std::uint64_t operand, Order order, Place place) {
        return value_of(weak::change(at, sizeof(T), change, operand, order, place));
    }
    static bool compare_exchange(T *at, T &expected, T desired, Order success, Order failure,
                                 bool weak, Place place) {
        std::uint64_t bits = bits_of(expected);
        const bool done = weak::compare_exchange(at, sizeof(T), bits, bits_of(desired), success,
                                                 failure, weak, place);
        if (!done)
            expected = value_of(bits);
        return done;
    }
};

/// What Atomic and AtomicRef have in common; `at()` of `Self` is the object's address.
template <class Self, class T> class Interface {
    using Order = std::memory_order;
    using Do = Operations<T>;
    static constexpr Order kStrongest = std::memory_order_seq_cst;
    T *at() const { return static_cast<const Self *>(this)->at(); }

  public:
    T load(Order order = kStrongest, Place place = Place::here()) const {
        return Do::load(at(), order, place);
    }
    void store(T value, Order order = kStrongest, Place place = Place::here()) {
        Do::store(at(), value, order, place);
    }
    T exchange(T value, Order order = kStrongest, Place place = Place::here()) {
        return Do::change(at(), Change::exchange, Do::bits_of(value), order, place);
    }
    T fetch_add(T value, Order order = kStrongest, Place place = Place::here())
        requires std::is_integral_v<T>
    {
        return Do::change(at(), Change::add, Do::bits_of(value), order, place);
    }
    T fetch_sub(T value, Order order = kStrongest, Place place = Place::here())
        requires std::is_integral_v<T>
    {
        return Do::change(at(), Change::sub, Do::bits_of(value), order, place);
    }
    T fetch_and(T value, Order order = kStrongest, Place place = Place::here()) {
        return Do::change(at(), Change::conjunction, Do::bits_of(value), order, place);
    }
    T fetch_or(T value, Order order = kStrongest, Place place = Place::here()) {
        return Do::change(at(), Change::disjunction, Do::bits_of(value), order, place);
    }
    T fetch_xor(T value, Order order = kStrongest, Place place = Place::here()) {
        return Do::change(at(), Change::difference, Do::bits_of(value), order, place);
    }
    bool compare_exchange_weak(T &expected, T desired, Order success, Order failure,
                               Place place = Place::here()) {
        return Do::compare_exchange(at(), expected, desired, success, failure, true, place);
    }
    bool compare_exchange_weak(T &expected, T desired, Order order = kStrongest,
                               Place place = Place::here()) {
        return compare_exchange_weak(expected, desired, order, failure_of(order), place);
    }
    bool compare_exchange_strong(T &expected, T desired, Order success, Order failure,
                                 Place place = Place::here()) {
        return Do::compare_exchange(at(), expected, desired, success, failure, false, place);
    }
    bool compare_exchange_strong(T &expected, T desired, Order order = kStrongest,
                                 Place place = Place::here()) {
        return compare_exchange_strong(expected, desired, order, failure_of(order), place);
    }
    operator T() const { return load(); }
};

} // namespace weak

template <class T> class Atomic : public weak::Interface<Atomic<T>, T> {
  public:
    constexpr Atomic() noexcept : Atomic(T()) {}
    constexpr Atomic(T value) noexcept : value_(value) {
        if (!std::is_constant_evaluated())
            weak::construct(&value_, sizeof value_);
    }
    Atomic(const Atomic &) = delete;
    Atomic &operator=(const Atomic &) = delete;
    T operator=(T value) {
        this->store(value);
        return value;
    }
    static constexpr bool is_always_lock_free = true;

  private:
    friend class weak::Interface<Atomic<T>, T>;
    T *at() const { return const_cast<T *>(&value_); }
    T value_;
};

template <class T> class AtomicRef : public weak::Interface<AtomicRef<T>, T> {
  public:
    explicit AtomicRef(T &object) : object_(object) {}

  private:
    friend class weak::Interface<AtomicRef<T>, T>;
    T *at() const { return &object_; }
    T &object_;
};

class AtomicFlag {
  public:
    bool test_and_set(std::memory_order order = std::memory_order_seq_cst) {
        return set_.exchange(true, order);
    }
    void clear(std::memory_order order = std::memory_order_seq_cst) { set_.store(false, order); }
    bool test(std::memory_order order = std::memory_order_seq_cst) const {
        return set_.load(order);
    }

  private:
    Atomic<bool> set_{false};
};

inline void atomic_fence(std::memory_order order, weak::Place place = weak::Place::here()) {
    weak::fence(order, place);
}

} // namespace loomp

// cpu_relax() of platform/pause.h.
#define __builtin_ia32_pause ::loomp::weak::spin
