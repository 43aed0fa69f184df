// How a task gets its patch: the ways that the report measured.
//
//   pointers   it refers to the patch, which is advanced in place
//   copies     it is given a copy when it is made, advances that, and copies it back
//   per-call   in place, but the step's own memory is allocated by each call, and not kept by the
//              thread
//
// A kernel that makes tasks waits for them, and its thread may advance another patch meanwhile:
// each call then has memory of its own in all of these ways.
#pragma once

#include "enclave/field.h"

#include <memory>
#include <vector>

namespace enclave {

enum class Storing { pointers, copies, per_call };

class Storage {
  public:
    // `field` lives longer.
    Storage(Storing storing, Kernels kernels, Field &field, const Piece &own);

    // When a task is made that will advance a cell; by the thread that makes it.
    void hand_over(int cell);
    // Returns the largest speed in the patch, or NaN. Any thread calls it, once for each handing
    // over, or without one.
    double advance(int cell, const Step &step);

  private:
    Storing storing_;
    Kernels kernels_;
    Field &field_;
    int first_;
    std::vector<std::unique_ptr<double[]>> copies_; // a copy for each cell, while its task has one
};

} // namespace enclave
