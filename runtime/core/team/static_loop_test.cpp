// clang's static loops: the runtime's results give every iteration exactly once when they run like
// the compiled loop. A member without iterations gets an empty range, in every type, up to the
// type's ends.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "platform/system_mutex.h"
#include "tests/unit/support.h"

extern "C" {
void __kmpc_for_static_init_4(void *, std::int32_t, std::int32_t, std::int32_t *, std::int32_t *,
                              std::int32_t *, std::int32_t *, std::int32_t, std::int32_t);
void __kmpc_for_static_init_4u(void *, std::int32_t, std::int32_t, std::int32_t *, std::uint32_t *,
                               std::uint32_t *, std::int32_t *, std::int32_t, std::int32_t);
void __kmpc_for_static_init_8(void *, std::int32_t, std::int32_t, std::int32_t *, std::int64_t *,
                              std::int64_t *, std::int64_t *, std::int64_t, std::int64_t);
void __kmpc_for_static_init_8u(void *, std::int32_t, std::int32_t, std::int32_t *, std::uint64_t *,
                               std::uint64_t *, std::int64_t *, std::int64_t, std::int64_t);
}

namespace loomp {
namespace {

// The compiler's numbers of schedules.
constexpr std::int32_t kStaticChunked = 33;
constexpr std::int32_t kStatic = 34;
constexpr std::int32_t kBalancedChunked = 45;

template <class T> using Signed = std::make_signed_t<T>;
template <class T> using Limits = std::numeric_limits<T>;

template <class T>
void static_init(std::int32_t kind, std::int32_t *last, T *lower, T *upper, Signed<T> *stride,
                 Signed<T> step, Signed<T> chunk) {
    if constexpr (std::is_same_v<T, std::int32_t>)
        __kmpc_for_static_init_4(nullptr, 0, kind, last, lower, upper, stride, step, chunk);
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        __kmpc_for_static_init_4u(nullptr, 0, kind, last, lower, upper, stride, step, chunk);
    else if constexpr (std::is_same_v<T, std::int64_t>)
        __kmpc_for_static_init_8(nullptr, 0, kind, last, lower, upper, stride, step, chunk);
    else
        __kmpc_for_static_init_8u(nullptr, 0, kind, last, lower, upper, stride, step, chunk);
}

/// The iterations of one loop that all members executed.
template <class T> struct Outcome {
    std::vector<T> iterations; ///< sorted
    std::vector<T> lasts;      ///< the last iteration of each member that was reported to have it
};

constexpr std::size_t kTooMany = 10000;

template <class T> bool within(T i, T upper, Signed<T> step) {
    return step > 0 ? i <= upper : i >= upper;
}

/// Runs the loop lower..upper by `step`, like clang compiles it. Upper is capped at the loop's
/// bound, and with chunks the range moves on by the stride. Stops if the compiled loop would never
/// end.
template <class T>
Outcome<T> run(int threads, std::int32_t kind, T lower, T upper, Signed<T> step, Signed<T> chunk) {
    Outcome<T> outcome;
    SystemMutex mutex;
    core::test::in_parallel(threads, [&](core::Member &) {
        T from = lower, to = upper;
        Signed<T> stride = step;
        std::int32_t last = -1;
        static_init<T>(kind, &last, &from, &to, &stride, step, chunk);
        std::vector<T> mine;
        const bool chunked = kind == kStaticChunked;
        do {
            to = step > 0 ? std::min(to, upper) : std::max(to, upper);
            if (!within(from, to, step))
                break;
            for (T i = from; mine.size() < kTooMany; i = static_cast<T>(i + step)) {
                mine.push_back(i);
                if (i == to || !within(static_cast<T>(i + step), to, step))
                    break;
            }
            // A loop that reaches its type's end cannot move on without wrapping around.
            T next;
            if (__builtin_add_overflow(from, stride, &next))
                break;
            from = next;
            if (__builtin_add_overflow(to, stride, &to))
                to = upper;
        } while (chunked && mine.size() < kTooMany);
        const std::lock_guard guard(mutex);
        outcome.iterations.insert(outcome.iterations.end(), mine.begin(), mine.end());
        if (last == 1)
            outcome.lasts.push_back(mine.empty() ? lower : mine.back());
    });
    std::sort(outcome.iterations.begin(), outcome.iterations.end());
    return outcome;
}

template <class T> class StaticLoop : public testing::Test {};
using Types = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(StaticLoop, Types);

template <class T> void check(T lower, T upper, Signed<T> step) {
    std::vector<T> expected;
    for (T i = lower; within(i, upper, step); i = static_cast<T>(i + step)) {
        expected.push_back(i);
        if (step > 0 ? static_cast<T>(upper - i) < static_cast<T>(step)
                     : static_cast<T>(i - upper) < static_cast<T>(-step))
            break;
    }
    const T end = expected.empty() ? lower : expected.back();
    std::sort(expected.begin(), expected.end());
    constexpr Signed<T> kHuge = Limits<Signed<T>>::max();
    for (int threads : {1, 2, 3, 5, 8})
        for (std::int32_t kind : {kStatic, kStaticChunked, kBalancedChunked})
            for (Signed<T> chunk : {Signed<T>{1}, Signed<T>{3}, Signed<T>(kHuge / 2 + 1), kHuge}) {
                SCOPED_TRACE(testing::Message()
                             << +lower << ".." << +upper << " by " << +step << ", threads "
                             << threads << ", kind " << kind << ", chunk " << +chunk);
                const Outcome<T> outcome = run<T>(threads, kind, lower, upper, step, chunk);
                EXPECT_EQ(outcome.iterations, expected);
                EXPECT_EQ(outcome.lasts, std::vector<T>(expected.empty() ? 0 : 1, end));
            }
}

TYPED_TEST(StaticLoop, FewerIterationsThanMembers) {
    for (TypeParam count : {0, 1, 2, 3, 7, 20})
        check<TypeParam>(TypeParam{1}, count, 1);
}

TYPED_TEST(StaticLoop, Downwards) {
    for (TypeParam count : {1, 2, 3, 20})
        check<TypeParam>(static_cast<TypeParam>(count * 3), TypeParam{3}, -3);
}

TYPED_TEST(StaticLoop, UpToTheTypesEnd) {
    constexpr TypeParam kMax = Limits<TypeParam>::max();
    for (TypeParam count : {1, 2, 3, 9})
        check<TypeParam>(static_cast<TypeParam>(kMax - count + 1), kMax, 1);
}

TYPED_TEST(StaticLoop, DownToTheTypesEnd) {
    constexpr TypeParam kMin = Limits<TypeParam>::min();
    for (TypeParam count : {1, 2, 3, 9})
        check<TypeParam>(static_cast<TypeParam>(kMin + count - 1), kMin, -1);
}

} // namespace
} // namespace loomp
