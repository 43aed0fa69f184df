#include "profiler/check/segments.h"

#include <algorithm>

namespace loomp::check {

SegmentNumber Segments::add(TaskNumber task, std::uint32_t locks, SegmentNumber previous,
                            std::span<const SegmentNumber> joined) {
    const auto number = static_cast<SegmentNumber>(segments_.size());
    const auto first = static_cast<std::uint32_t>(joined_.size());
    const auto follow = [this](SegmentNumber before) {
        if (!segments_[before].has_successor) {
            segments_[before].has_successor = true;
            --open_;
        }
    };
    for (const SegmentNumber each : joined)
        if (each != kNoSegment) {
            follow(each);
            joined_.push_back(each);
        }
    if (previous != kNoSegment)
        follow(previous);
    const auto count = static_cast<std::uint32_t>(joined_.size()) - first;
    const bool joins = count != 0 || previous == kNoSegment;
    segments_.push_back({task, locks, joins ? number : segments_[previous].joining,
                         joins ? previous : segments_[previous].before_joining, first, count,
                         false});
    ++open_;
    if (open_ == 1)
        cut_ = number;
    if (task >= found_.size())
        found_.resize(std::size_t{task} * 2 + 16);
    return number;
}

bool Segments::is_found(SegmentNumber segment) const {
    const Found &found = found_[task_of(segment)];
    return found.round == round_ && found.last >= segment;
}

void Segments::found(SegmentNumber segment) {
    if (is_found(segment))
        return;
    found_[task_of(segment)] = {round_, segment};
    heap_.push_back(segment);
    std::push_heap(heap_.begin(), heap_.end());
}

/// Continues the search from `after` until everything not below `down_to` is found.
void Segments::search(SegmentNumber after, SegmentNumber down_to) {
    if (from_ != after) {
        from_ = after;
        ++round_;
        heap_.clear();
        found(after);
    }
    while (!heap_.empty() && heap_.front() > down_to) {
        std::pop_heap(heap_.begin(), heap_.end());
        const Segment from = segments_[segments_[heap_.back()].joining];
        heap_.pop_back();
        for (std::uint32_t i = 0; i < from.count; ++i)
            found(joined_[from.first + i]);
        if (from.before_joining != kNoSegment) {
            heap_.push_back(from.before_joining);
            std::push_heap(heap_.begin(), heap_.end());
        }
    }
}

bool Segments::precedes(SegmentNumber before, SegmentNumber after) {
    if (before < cut_ || task_of(before) == task_of(after))
        return true;
    search(after, before);
    return is_found(before);
}

} // namespace loomp::check
