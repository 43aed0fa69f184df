// Calls an outlined function with a number of pointer arguments known only at run time.
#include <utility>

#include "runtime/abi/llvm/kmp.h"

/// For five pointers and more; one word behind them is readable (call_microtask.S).
extern "C" void loomp_call_microtask(loomp::abi::llvm::Microtask fn, std::int32_t *gtid,
                                     std::int32_t *tid, std::int64_t count, void **arguments);

namespace loomp::abi::llvm {

namespace {

template <std::size_t> using Pointer = void *;

/// A call with exactly N pointers.
template <std::size_t... I>
void call_n(Microtask fn, std::int32_t *gtid, std::int32_t *tid, void **a,
            std::index_sequence<I...>) {
    reinterpret_cast<void (*)(std::int32_t *, std::int32_t *, Pointer<I>...)>(fn)(gtid, tid,
                                                                                  a[I]...);
}

} // namespace

void call_microtask(Microtask fn, std::int32_t gtid, std::int32_t tid, std::int32_t count,
                    void **a) {
    switch (count) {
    case 0:
        return call_n(fn, &gtid, &tid, a, std::make_index_sequence<0>{});
    case 1:
        return call_n(fn, &gtid, &tid, a, std::make_index_sequence<1>{});
    case 2:
        return call_n(fn, &gtid, &tid, a, std::make_index_sequence<2>{});
    case 3:
        return call_n(fn, &gtid, &tid, a, std::make_index_sequence<3>{});
    case 4:
        return call_n(fn, &gtid, &tid, a, std::make_index_sequence<4>{});
    default:
        return loomp_call_microtask(fn, &gtid, &tid, count, a);
    }
}

} // namespace loomp::abi::llvm
