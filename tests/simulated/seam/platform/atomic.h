// Atomic variables of the simulated machine: before each access another thread may run.
#pragma once

#include <atomic>

#include "tests/simulated/machine.h"

namespace loomp {

template <class T> class Atomic : public std::atomic<T> {
    using Base = std::atomic<T>;
    static constexpr auto kOrder = std::memory_order_seq_cst;

  public:
    constexpr Atomic() noexcept = default;
    constexpr Atomic(T value) noexcept : Base(value) {}
    Atomic(const Atomic &) = delete;
    Atomic &operator=(const Atomic &) = delete;

    T load(std::memory_order order = kOrder) const noexcept {
        simulated::access(this, false);
        return Base::load(order);
    }
    operator T() const noexcept { return load(); }
    void store(T value, std::memory_order order = kOrder) noexcept {
        simulated::access(this, true);
        Base::store(value, order);
    }
    T operator=(T value) noexcept {
        store(value);
        return value;
    }
    T exchange(T value, std::memory_order order = kOrder) noexcept {
        simulated::access(this, true);
        return Base::exchange(value, order);
    }
    template <class... Orders>
    bool compare_exchange_weak(T &expected, T value, Orders... orders) noexcept {
        simulated::access(this, true);
        return Base::compare_exchange_weak(expected, value, orders...);
    }
    template <class... Orders>
    bool compare_exchange_strong(T &expected, T value, Orders... orders) noexcept {
        simulated::access(this, true);
        return Base::compare_exchange_strong(expected, value, orders...);
    }
    template <class U> T fetch_add(U value, std::memory_order order = kOrder) noexcept {
        simulated::access(this, true);
        return Base::fetch_add(value, order);
    }
    template <class U> T fetch_sub(U value, std::memory_order order = kOrder) noexcept {
        simulated::access(this, true);
        return Base::fetch_sub(value, order);
    }
    T fetch_and(T value, std::memory_order order = kOrder) noexcept {
        simulated::access(this, true);
        return Base::fetch_and(value, order);
    }
    T fetch_or(T value, std::memory_order order = kOrder) noexcept {
        simulated::access(this, true);
        return Base::fetch_or(value, order);
    }
    T fetch_xor(T value, std::memory_order order = kOrder) noexcept {
        simulated::access(this, true);
        return Base::fetch_xor(value, order);
    }
};

template <class T> class AtomicRef : public std::atomic_ref<T> {
    using Base = std::atomic_ref<T>;
    static constexpr auto kOrder = std::memory_order_seq_cst;

  public:
    explicit AtomicRef(T &object) : Base(object), address_(&object) {}
    T load(std::memory_order order = kOrder) const noexcept {
        simulated::access(address_, false);
        return Base::load(order);
    }
    void store(T value, std::memory_order order = kOrder) const noexcept {
        simulated::access(address_, true);
        Base::store(value, order);
    }
    T exchange(T value, std::memory_order order = kOrder) const noexcept {
        simulated::access(address_, true);
        return Base::exchange(value, order);
    }
    template <class... Orders>
    bool compare_exchange_weak(T &expected, T value, Orders... orders) const noexcept {
        simulated::access(address_, true);
        return Base::compare_exchange_weak(expected, value, orders...);
    }
    template <class... Orders>
    bool compare_exchange_strong(T &expected, T value, Orders... orders) const noexcept {
        simulated::access(address_, true);
        return Base::compare_exchange_strong(expected, value, orders...);
    }
    template <class U> T fetch_add(U value, std::memory_order order = kOrder) const noexcept {
        simulated::access(address_, true);
        return Base::fetch_add(value, order);
    }
    template <class U> T fetch_sub(U value, std::memory_order order = kOrder) const noexcept {
        simulated::access(address_, true);
        return Base::fetch_sub(value, order);
    }
    T fetch_and(T value, std::memory_order order = kOrder) const noexcept {
        simulated::access(address_, true);
        return Base::fetch_and(value, order);
    }
    T fetch_or(T value, std::memory_order order = kOrder) const noexcept {
        simulated::access(address_, true);
        return Base::fetch_or(value, order);
    }

  private:
    const void *address_;
};

class AtomicFlag : public std::atomic_flag {
  public:
    bool test_and_set(std::memory_order order = std::memory_order_seq_cst) noexcept {
        simulated::access(this, true);
        return std::atomic_flag::test_and_set(order);
    }
};

inline __attribute__((always_inline)) void atomic_fence(std::memory_order order) {
    simulated::step();
    std::atomic_thread_fence(order);
}

} // namespace loomp
