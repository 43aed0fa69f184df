#include "daxpy/triplets.h"

#include "common/omp_decls.h"

namespace daxpy {

namespace {

void create(const Triplets &triplets, double a, const double *x, double *y) {
    const std::int64_t n = triplets.n;
    for (int t = 0; t < triplets.count; ++t) {
        const double *from = x + t * n;
        double *to = y + t * n;
#pragma omp target update to(to[0 : n]) nowait depend(inout : to[0])
#pragma omp target teams distribute parallel for nowait depend(inout : to[0])                      \
    map(to : from[0 : n]) map(tofrom : to[0 : n])
        for (std::int64_t i = 0; i < n; ++i)
            to[i] += a * from[i];
#pragma omp target update from(to[0 : n]) nowait depend(inout : to[0])
    }
}

} // namespace

apps::Cost run(const Triplets &triplets, double a, const double *x, double *y) {
    const std::int64_t size = triplets.count * triplets.n;
    apps::Cost cost;
#pragma omp target enter data map(to : x[0 : size]) map(alloc : y[0 : size])
    const double start = omp_get_wtime();
#pragma omp parallel
#pragma omp single
    for (int r = 0; r < triplets.repeat; ++r) {
        const double begin = omp_get_wtime();
        create(triplets, a, x, y);
        cost.discovery_seconds += omp_get_wtime() - begin;
#pragma omp taskwait
    }
    cost.seconds = omp_get_wtime() - start;
#pragma omp target exit data map(delete : x[0 : size]) map(delete : y[0 : size])
    cost.flops = 2.0 * static_cast<double>(size) * triplets.repeat;
    cost.tasks = 3L * triplets.count * triplets.repeat;
    cost.dependences = cost.tasks;
    return cost;
}

} // namespace daxpy
