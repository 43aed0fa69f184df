#include "enclave/storage.h"

#include <algorithm>
#include <optional>

namespace enclave {

Storage::Storage(Storing storing, Kernels kernels, Field &field, const Piece &own)
    : storing_(storing), kernels_(kernels), field_(field), first_(own.first),
      copies_(static_cast<std::size_t>(own.size())) {}

void Storage::hand_over(int cell) {
    if (storing_ != Storing::copies)
        return;
    std::unique_ptr<double[]> &copy = copies_[static_cast<std::size_t>(cell - first_)];
    copy.reset(new double[field_.patch_size()]);
    std::copy_n(field_.values(cell), field_.patch_size(), copy.get());
}

double Storage::advance(int cell, const Step &step) {
    static thread_local Scratch kept;
    std::optional<Scratch> own;
    if (storing_ == Storing::per_call || kernels_ == Kernels::tasks)
        own.emplace();
    Scratch &scratch = own ? *own : kept;
    double *values = field_.values(cell);
    if (storing_ != Storing::copies)
        return field_.advance(cell, step, values, kernels_, scratch);
    std::unique_ptr<double[]> &copy = copies_[static_cast<std::size_t>(cell - first_)];
    if (copy == nullptr)
        hand_over(cell);
    const double speed = field_.advance(cell, step, copy.get(), kernels_, scratch);
    std::copy_n(copy.get(), field_.patch_size(), values);
    copy.reset();
    return speed;
}

} // namespace enclave
