// y += a x in triplets of target tasks, each for its own part of y.
#pragma once

#include "common/report.h"

#include <cstdint>

namespace daxpy {

struct Triplets {
    int count;      // tasks to upload, compute and download; each
    std::int64_t n; // elements of one
    int repeat;     // how often all of it is done, one time after the other
};

// x and y have count * n elements, mapped to the default device meanwhile. The measured time lies
// between the first task's creation and the end of the last one, without the mapping.
apps::Cost run(const Triplets &triplets, double a, const double *x, double *y);

} // namespace daxpy
