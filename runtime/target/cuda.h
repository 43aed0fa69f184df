// What is asked of NVIDIA's driver itself, where libomptarget has loaded it: of its context, which
// libomptarget's queries take for granted, and whether memory is pinned. Without it nothing is
// done.
//
// Thread safety: from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loomp::target::cuda {

/// libomptarget has just used the device on the calling thread.
void note_context(std::int64_t device);

/// For as long as it lives, the calling thread's context is the device's, if that is known.
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

/// Whether the driver copies from and to that memory without holding up its caller. In the device's
/// context.
bool is_pinned(const void *memory);

/// What the driver says of a device, asked anew.
struct Health {
    const char *fault = nullptr; ///< by which it is lost; null: it is not, or nothing is known
    std::size_t free = 0;        ///< bytes
    std::size_t total = 0;       ///< 0: nothing is known
};
Health health_of(std::int64_t device);

} // namespace loomp::target::cuda
