// When a device fails, libomptarget prints its plugin's message and aborts the program. Before the
// end, one more line names the device, the program's construct, and possible remedies.
//
// Thread safety: from any thread.
#pragma once

#include <cstdint>

namespace loomp::target {

/// Starts the watch. Does nothing if the program handles SIGABRT itself.
void watch_for_failures();

/// Marks the calling thread as inside libomptarget during this object's life. `location` is the
/// compiler's, of the construct; null: for a routine. `address`: where the program made the call,
/// or null.
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

/// Returns the program's address of the call for which the calling thread is in libomptarget; null
/// if there is none or it is unknown.
const void *address_in_program();

} // namespace loomp::target
