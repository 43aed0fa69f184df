#include "core/persistent/period.h"

namespace loomp::core {

void PeriodFinder::add(std::uint64_t element) {
    const std::size_t at = elements_.size();
    const auto [latest, is_new] = latest_.try_emplace(element, at);
    elements_.push_back(element);
    if (period_ != 0 && elements_[at - period_] == element) {
        ++run_;
    } else {
        period_ = is_new ? 0 : at - latest->second;
        run_ = is_new ? 0 : run_with(period_);
    }
    latest->second = at;
}

std::size_t PeriodFinder::run_with(std::size_t period) const {
    std::size_t at = elements_.size();
    while (at > period && elements_[at - 1] == elements_[at - 1 - period])
        --at;
    return elements_.size() - at;
}

void PeriodFinder::clear() { *this = PeriodFinder(); }

std::size_t PeriodFinder::repeated(std::size_t least) const {
    if (period_ == 0 || run_ < period_ || elements_.size() % period_ != 0)
        return 0;
    const std::size_t length = (least + period_ - 1) / period_ * period_;
    return run_ >= length ? length : 0;
}

} // namespace loomp::core
