// The settings of devices (settings.h).
#pragma once

namespace loomp::core {

// Device numbers of omp.h that name no device of the machine's.
inline constexpr int kInitialDevice = -1; ///< the host; omp_initial_device
inline constexpr int kInvalidDevice = -4; ///< gcc's omp_invalid_device
inline constexpr int kDefaultDevice =
    -5; ///< gcc's omp_default_device: what default-device-var says

enum class TargetOffload : int { mandatory, disabled, default_ };

struct DeviceSettings {
    int default_device = 0;
    TargetOffload target_offload = TargetOffload::default_;
    int device_operations = 64; ///< in flight at once
};

const DeviceSettings &device_settings();

} // namespace loomp::core
