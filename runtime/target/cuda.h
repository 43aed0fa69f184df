// Calls to NVIDIA's driver, if libomptarget has loaded it. They set the context that libomptarget's
// queries take for granted, and tell whether memory is pinned. Without the driver they do nothing.
//
// Thread safety: from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loomp::target::cuda {

/// libomptarget has just used the device on the calling thread.
void note_context(std::int64_t device);

/// Sets the calling thread's context to the device's, if known, during this object's life.
class InContext {
  public:
    explicit InContext(std::int64_t device);
    ~InContext();
    InContext(const InContext &) = delete;
    InContext &operator=(const InContext &) = delete;

  private:
    void *before_ = nullptr;
    bool changed_ = false;
};

/// Returns whether the driver copies from and to `memory` without blocking its caller. Requires the
/// device's context.
bool is_pinned(const void *memory);

/// The driver's state of a device at the moment of the query.
struct Health {
    const char *fault = nullptr; ///< why it is lost; null: it is not, or this is unknown
    std::size_t free = 0;        ///< bytes
    std::size_t total = 0;       ///< 0: unknown
};
Health health_of(std::int64_t device);

} // namespace loomp::target::cuda
