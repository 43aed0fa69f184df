// The vectors on the host, in memory that is pinned or not.
#pragma once

#include <cstddef>

namespace daxpy {

// Copies from and to a device hold up nobody where memory is pinned.
enum class Memory { pageable, pinned };

class Vector {
  public:
    // Pinned for the default device. Ends the program where there is no memory.
    Vector(std::size_t size, Memory memory);
    ~Vector();
    Vector(const Vector &) = delete;
    Vector &operator=(const Vector &) = delete;

    double *get() { return values_; }
    const double *get() const { return values_; }

  private:
    double *values_;
    Memory memory_;
};

// Those that target regions can run on, beside the host.
int device_count();
// Whether this program can pin memory: it has LLVM's libomptarget, and there is a device.
bool can_pin();

} // namespace daxpy
