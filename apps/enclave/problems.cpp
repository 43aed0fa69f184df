#include "enclave/problem.h"

namespace enclave {

const std::vector<Problem> &problems() {
    static const std::vector<Problem> all = {advection(), acoustics(), sod(), vortex(),
                                             gauge_wave()};
    return all;
}

} // namespace enclave
