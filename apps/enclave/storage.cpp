#include "enclave/storage.h"

#include <algorithm>

namespace enclave {

Storage::Storage(Storing storing, Field &field, const Piece &own)
    : storing_(storing), field_(field), first_(own.first),
      copies_(static_cast<std::size_t>(own.size())) {}

void Storage::hand_over(int cell) {
    if (storing_ != Storing::copies)
        return;
    std::unique_ptr<double[]> &copy = copies_[static_cast<std::size_t>(cell - first_)];
    copy.reset(new double[field_.patch_size()]);
    std::copy_n(field_.values(cell), field_.patch_size(), copy.get());
}

double Storage::advance(int cell, const Step &step) {
    double *values = field_.values(cell);
    if (storing_ == Storing::per_call) {
        Scratch scratch;
        return field_.advance(cell, step.time, step.length, step.set, values, scratch);
    }
    static thread_local Scratch scratch;
    if (storing_ == Storing::pointers)
        return field_.advance(cell, step.time, step.length, step.set, values, scratch);
    std::unique_ptr<double[]> &copy = copies_[static_cast<std::size_t>(cell - first_)];
    if (copy == nullptr)
        hand_over(cell);
    const double speed =
        field_.advance(cell, step.time, step.length, step.set, copy.get(), scratch);
    std::copy_n(copy.get(), field_.patch_size(), values);
    copy.reset();
    return speed;
}

} // namespace enclave
