#include "enclave/resample.h"

#include <algorithm>

namespace enclave {

int Resample::parents(const int (&digits)[3], int volume) const {
    const int n = frame_.across;
    int parent = 0;
    int unit = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const int at = volume / unit % n;
        parent += unit * (axis < frame_.dimensions ? (digits[axis] * n + at) / 3 : at);
        unit *= n;
    }
    return parent;
}

void Resample::cut(const double *parent, const Place &place, double *child) const {
    const int digits[3] = {digit(place, 0), digit(place, 1), digit(place, 2)};
    for (int u = 0; u < unknowns_; ++u)
        for (int volume = 0; volume < frame_.volumes(); ++volume)
            child[u * frame_.stride() + volume] =
                parent[u * frame_.stride() + parents(digits, volume)];
}

void Resample::join(const std::vector<const double *> &children, double *parent) const {
    const double share = 1.0 / static_cast<double>(children.size());
    std::fill(parent, parent + unknowns_ * frame_.stride(), 0.0);
    for (int child = 0; child < static_cast<int>(children.size()); ++child) {
        const int digits[3] = {child % 3, child / 3 % 3, child / 9};
        for (int u = 0; u < unknowns_; ++u)
            for (int volume = 0; volume < frame_.volumes(); ++volume)
                parent[u * frame_.stride() + parents(digits, volume)] +=
                    share * children[static_cast<std::size_t>(child)][u * frame_.stride() + volume];
    }
}

} // namespace enclave
