// A patch's values on volumes three times as small, and as wide. The sum over a cell stays the
// same: a child's volumes have the value of the volume that they lie in, a parent's the mean of
// those that lie in it.
#pragma once

#include "enclave/problem.h"

#include <vector>

namespace enclave {

class Resample {
  public:
    Resample(const Frame &frame, int unknowns) : frame_(frame), unknowns_(unknowns) {}

    // Sets the child at `place` from its parent.
    void cut(const double *parent, const Place &place, double *child) const;
    // Sets the parent from its children, x running fastest.
    void join(const std::vector<const double *> &children, double *parent) const;

  private:
    // The parent's volume that a volume of a child lies in.
    int parents(const int (&digits)[3], int volume) const;

    Frame frame_; // its place does not matter
    int unknowns_;
};

} // namespace enclave
