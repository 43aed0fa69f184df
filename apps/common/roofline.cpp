#include "common/roofline.h"

#include "common/omp_decls.h"
#include "common/ranks.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace apps {

namespace {

// Long enough that a clock's steps and a thread's start do not count.
constexpr double kSeconds = 0.1;
constexpr int kChains = 12; // independent of each other: more than a multiply-add takes, in cycles
constexpr long kElements = 8L << 20; // of an array: no cache holds three

// So that the chains are registers.
#if defined(__clang__)
#define APPS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define APPS_UNROLL _Pragma("GCC unroll 12")
#endif

// Some multiply-adds in each chain: how many operations they were. The sum is looked at by nobody,
// but the compiler does not know.
struct Loop {
    const char *vectors;
    double (*run)(long rounds, double *sum);
};

double run_baseline(long rounds, double *sum) {
    typedef double Vector __attribute__((vector_size(16)));
    Vector chain[kChains];
    APPS_UNROLL for (int i = 0; i < kChains; ++i) chain[i] = Vector{1.0 * i, 2.0 * i};
    for (long n = 0; n < rounds; ++n)
        APPS_UNROLL for (int i = 0; i < kChains; ++i) chain[i] = chain[i] * 0.999 + 0.001;
    APPS_UNROLL for (int i = 0; i < kChains; ++i) *sum += chain[i][0] + chain[i][1];
    return 2.0 * 2 * kChains * static_cast<double>(rounds);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) double run_avx2(long rounds, double *sum) {
    const __m256d factor = _mm256_set1_pd(0.999);
    const __m256d summand = _mm256_set1_pd(0.001);
    __m256d chain[kChains];
    APPS_UNROLL for (int i = 0; i < kChains; ++i) chain[i] = _mm256_set1_pd(i);
    for (long n = 0; n < rounds; ++n)
        APPS_UNROLL for (int i = 0; i < kChains; ++i) chain[i] =
            _mm256_fmadd_pd(chain[i], factor, summand);
    APPS_UNROLL for (int i = 0; i < kChains; ++i) *sum += _mm256_cvtsd_f64(chain[i]);
    return 2.0 * 4 * kChains * static_cast<double>(rounds);
}

__attribute__((target("avx512f"))) double run_avx512(long rounds, double *sum) {
    const __m512d factor = _mm512_set1_pd(0.999);
    const __m512d summand = _mm512_set1_pd(0.001);
    __m512d chain[kChains];
    APPS_UNROLL for (int i = 0; i < kChains; ++i) chain[i] = _mm512_set1_pd(i);
    for (long n = 0; n < rounds; ++n)
        APPS_UNROLL for (int i = 0; i < kChains; ++i) chain[i] =
            _mm512_fmadd_pd(chain[i], factor, summand);
    APPS_UNROLL for (int i = 0; i < kChains; ++i) *sum += _mm512_cvtsd_f64(chain[i]);
    return 2.0 * 8 * kChains * static_cast<double>(rounds);
}
#endif

Loop choose() {
#if defined(__x86_64__) && !defined(__NVPTX__) &&                                                  \
    !defined(__AMDGPU__) // clang compiles all of it for devices, too
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return {"AVX-512", run_avx512};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {"AVX2", run_avx2};
#endif
    return {"vectors of 16 bytes", run_baseline};
}

const Loop kLoop = choose();

double measure_flops() {
    ranks::barrier();
    double flops = 0;
    double sum = 0;
    const double begin = omp_get_wtime();
#pragma omp parallel reduction(+ : flops, sum)
    while (omp_get_wtime() - begin < kSeconds)
        flops += kLoop.run(100000, &sum);
    const double seconds = omp_get_wtime() - begin;
    return sum != 0 ? flops / seconds : 0;
}

// The best of some passes: the first ones wait for pages.
double measure_bytes() {
    const auto size = static_cast<std::size_t>(kElements);
    const std::unique_ptr<double[]> a(new double[size]), b(new double[size]), c(new double[size]);
    double *to = a.get();
    double *from = b.get();
    double *scaled = c.get();
#pragma omp parallel for
    for (long i = 0; i < kElements; ++i) {
        to[i] = 0;
        from[i] = 1;
        scaled[i] = 2;
    }
    double best = 1e300;
    ranks::barrier();
    const double begin = omp_get_wtime();
    do {
        const double start = omp_get_wtime();
#pragma omp parallel for simd
        for (long i = 0; i < kElements; ++i)
            to[i] = from[i] + 3 * scaled[i];
        best = std::min(best, omp_get_wtime() - start);
        std::swap(to, from);
    } while (omp_get_wtime() - begin < 2 * kSeconds);
    return 24.0 * static_cast<double>(kElements) / best;
}

} // namespace

Machine measure_machine() {
    Machine machine{};
    machine.bytes_per_second = ranks::sum(measure_bytes());
    machine.flops_per_second = ranks::sum(measure_flops());
    return machine;
}

void report_roofline(Report &report, const Machine &machine, const Demand &demand, double seconds) {
    const double longest = ranks::most(seconds);
    const double least =
        std::max(demand.flops / machine.flops_per_second, demand.bytes / machine.bytes_per_second);
    const bool by_flops = least > demand.bytes / machine.bytes_per_second;
    char text[160];
    std::snprintf(text, sizeof text, "%.1f GFLOP/s with %s, %.1f GB/s (triad)",
                  1e-9 * machine.flops_per_second, kLoop.vectors, 1e-9 * machine.bytes_per_second);
    report.text("machine", text);
    std::snprintf(text, sizeof text, "%.1f GFLOP/s, %.1f GB/s, %.1f flops a byte",
                  1e-9 * demand.flops / longest, 1e-9 * demand.bytes / longest,
                  demand.flops / demand.bytes);
    report.text("reached", text);
    std::snprintf(text, sizeof text, "%.0f%% of the roofline, where %s bounds it",
                  100 * least / longest, by_flops ? "arithmetic" : "memory");
    report.text("share", text);
}

} // namespace apps
