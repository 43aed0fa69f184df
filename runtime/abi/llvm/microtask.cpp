// Calls an outlined function with a number of pointer arguments known only at run time.
#include <cstring>

#include "platform/diagnostics.h"
#include "runtime/abi/llvm/kmp.h"

namespace loomp::abi::llvm {

namespace {

template <std::size_t> using Pointer = void *;

/// A call with exactly N pointers. A callee with fewer parameters ignores the rest, because the
/// caller owns the argument area on our ABIs.
template <std::size_t... I>
void call_n(Microtask fn, std::int32_t *gtid, std::int32_t *tid, void **a,
            std::index_sequence<I...>) {
    reinterpret_cast<void (*)(std::int32_t *, std::int32_t *, Pointer<I>...)>(fn)(gtid, tid,
                                                                                  a[I]...);
}

template <std::size_t N>
void call_padded(Microtask fn, std::int32_t *gtid, std::int32_t *tid, std::int32_t count,
                 void **arguments) {
    void *padded[N] = {};
    std::memcpy(padded, arguments, static_cast<std::size_t>(count) * sizeof(void *));
    call_n(fn, gtid, tid, padded, std::make_index_sequence<N>{});
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
        break;
    }
    if (count <= 16)
        return call_padded<16>(fn, &gtid, &tid, count, a);
    if (count <= 64)
        return call_padded<64>(fn, &gtid, &tid, count, a);
    if (count <= 256)
        return call_padded<256>(fn, &gtid, &tid, count, a);
    core::fatal("a parallel region shares %d variables; at most 256 are supported", count);
}

} // namespace loomp::abi::llvm
