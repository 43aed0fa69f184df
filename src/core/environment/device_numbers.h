// Device numbers of omp.h that name no device of the machine's.
#pragma once

namespace loomp::core {

constexpr int kInitialDevice = -1; ///< the host; omp_initial_device
constexpr int kInvalidDevice = -4; ///< gcc's omp_invalid_device
constexpr int kDefaultDevice = -5; ///< gcc's omp_default_device: what default-device-var says

} // namespace loomp::core
