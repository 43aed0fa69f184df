// A CUDA driver without a device: what libomptarget's CUDA plugin and CUDA host codes call, done on
// the host. Streams are threads, device memory is the host's, kernels are x86-64 code in an image
// that says it is for a GPU (as_cuda_image.py). Time passes as on a device: launches and copies
// return at once and take as long as the environment says; copies from or to memory that is not
// pinned hold up their caller, as do synchronisations, and allocations, which also wait for the
// whole device when they are given back.
//
//   FAKE_CUDA_DEVICES=N        how many devices (1)
//   FAKE_CUDA_KERNEL_US=N      how long a kernel takes at least (0)
//   FAKE_CUDA_COPY_US=N        how long a copy takes at least (0)
//   FAKE_CUDA_MB_PER_S=N       what one copy engine, of two a device has, copies (unlimited)
//   FAKE_CUDA_ALLOC_US=N       how long it takes to allocate or give back (0)
//   FAKE_CUDA_LOAD_US=N        how long it takes to load an image (0)
//   FAKE_CUDA_LOOK_US=N        how long it takes to tell what kind of memory an address is in (0)
//   FAKE_CUDA_FAIL=WHAT        memory:BYTES         no allocation of BYTES or more succeeds
//                              kernel:N             the N-th kernel fails, and the device is lost
//                              architecture         no image is for this device
//   FAKE_CUDA_NEEDS_CONTEXT=1  a thread without a context (as libomptarget's) queries no stream
//   FAKE_CUDA_REPORT=FILE      what was counted, at the end, a line each
#pragma once

#include <cstddef>
#include <cstdint>

namespace fake_cuda {

/// CUresult; the values are the driver's.
enum Result : int {
    kSuccess = 0,
    kInvalidValue = 1,
    kOutOfMemory = 2,
    kInvalidContext = 201,
    kNoBinaryForGpu = 209,
    kInvalidHandle = 400,
    kNotFound = 500,
    kNotReady = 600,
    kIllegalAddress = 700,
    kNotSupported = 801,
};

/// The environment, read once.
struct Settings {
    int devices;
    std::int64_t kernel_us;
    std::int64_t copy_us;
    std::int64_t bytes_per_us; ///< 0: unlimited
    std::int64_t alloc_us;
    std::int64_t load_us;
    std::int64_t look_us;
    std::size_t fails_at_bytes;   ///< 0: never
    std::int64_t fails_at_kernel; ///< 0: never
    bool wrong_architecture;
    bool needs_context; ///< to query a stream
};
const Settings &settings();

/// Nanoseconds of the monotonic clock.
std::int64_t now();
void sleep_until(std::int64_t time);

/// The device whose context is the calling thread's; -1: it has none.
int current_device();

/// The kinds of waiting that the report has, by the name of the calling thread.
enum class Blocking {
    synchronisation, ///< of a stream, an event, or a context
    pageable_copy,
    allocation, ///< or giving back
    loading
};
/// For as long as it lives, the calling thread is held up by the driver.
class Blocked {
  public:
    explicit Blocked(Blocking kind) : kind_(kind), since_(now()) {}
    ~Blocked();
    Blocked(const Blocked &) = delete;
    Blocked &operator=(const Blocked &) = delete;

  private:
    Blocking kind_;
    std::int64_t since_;
};
/// Further numbers of the report.
enum class Count { streams, kernels, copies, queries, device_bytes, pinned_bytes };
void add(Count what, std::int64_t change);

} // namespace fake_cuda
