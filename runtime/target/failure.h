// When a device fails, libomptarget writes what its plugin says and aborts the program. Before that
// ends, one line more says which device it was, which construct of the program, and what can be
// done.
//
// Thread safety: from any thread.
#pragma once

#include <cstdint>

namespace loomp::target {

/// From now on. A program that handles SIGABRT itself is left alone.
void watch_for_failures();

/// For as long as it lives, the calling thread is in libomptarget for the construct that
/// `location`, the compiler's, tells of; null: for a routine. `address`: where the program has
/// called, or null.
class InLibomptarget {
  public:
    InLibomptarget(std::int64_t device, const void *location, const void *address);
    ~InLibomptarget();
    InLibomptarget(const InLibomptarget &) = delete;
    InLibomptarget &operator=(const InLibomptarget &) = delete;

    std::int64_t device;
    const void *location;
    const void *address;

  private:
    const InLibomptarget *outer_;
};

/// Of the call for which the calling thread is in libomptarget; null: it is not, or it is not
/// known.
const void *address_in_program();

} // namespace loomp::target
