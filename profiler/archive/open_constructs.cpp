#include "profiler/archive/open_constructs.h"

#include <algorithm>
#include <array>

#include "profiler/archive/archive_format.h"

namespace loomp::analysis::archive {

using record::Record;

namespace {

bool of_explicit_task(const Record &record) {
    return record.task != 0 && !record::is_implicit(record.task);
}

} // namespace

// Implicit tasks

void OpenConstructs::begin_implicit(std::uint64_t task, std::uint64_t before) {
    implicit_.emplace_back().task = task;
    implicit_.back().before = before;
}

std::uint64_t OpenConstructs::end_implicit() {
    std::uint64_t next = 0;
    if (!implicit_.empty()) {
        leave_wait(implicit_.back().wait);
        leave_constructs(implicit_.back());
        next = implicit_.back().before;
        implicit_.pop_back();
    }
    return next != 0 ? next : innermost();
}

void OpenConstructs::begin_region(std::uint64_t name) {
    const OTF2_RegionRef region =
        context_.regions.of_parallel(context_.names, context_.process, context_.kinds.region(name));
    OTF2_AttributeList_AddUint64(events_.list(), kRegion, name);
    events_.enter_marked(region);
    implicit_.back().region = region;
    implicit_.back().name = name;
}

void OpenConstructs::leave_constructs(Implicit &implicit) {
    const RegionStack &inner = implicit.inner;
    for (std::size_t i = inner.regions.size(); i > 0; --i) {
        if (inner.names[i - 1] != RegionStack::kNoName)
            events_.leave_suspended(inner.regions[i - 1]);
    }
    implicit.inner = {};
    if (implicit.region != OTF2_UNDEFINED_REGION)
        events_.leave(implicit.region);
    implicit.region = OTF2_UNDEFINED_REGION;
}

// Explicit tasks

void OpenConstructs::enter_task(const std::vector<std::uint32_t> &names) {
    for (const std::uint32_t name : names)
        user_.push(context_.regions.of_user(context_.labels, name), name);
    user_.enter_again(events_, 0);
}

void OpenConstructs::leave_task() {
    if (wait_ != OTF2_UNDEFINED_REGION) {
        events_.mark(kSuspended);
        leave_wait(wait_);
    }
    user_.leave_for_now(events_, 0);
    user_ = {};
}

// Waits

OTF2_RegionRef OpenConstructs::wait_region(std::uint32_t construct, std::uint64_t address) const {
    return context_.regions.of_wait(context_.names, context_.process, construct, address);
}

void OpenConstructs::begin_wait(std::uint64_t task, std::uint32_t construct,
                                std::uint64_t address) {
    OTF2_RegionRef &wait = wait_of(task);
    leave_wait(wait);
    wait = wait_region(construct, address);
    events_.enter_marked(wait);
}

void OpenConstructs::end_wait(std::uint64_t task, std::uint32_t construct, std::uint64_t address) {
    OTF2_RegionRef &wait = wait_of(task);
    if (wait == OTF2_UNDEFINED_REGION) {
        wait = wait_region(construct, address);
        events_.enter_suspended(wait);
    }
    leave_wait(wait);
}

void OpenConstructs::leave_wait(OTF2_RegionRef &wait) {
    if (wait == OTF2_UNDEFINED_REGION)
        return;
    events_.leave_marked(wait);
    wait = OTF2_UNDEFINED_REGION;
}

// Worksharing

void OpenConstructs::begin_work(std::uint64_t task, const Record &record) {
    if (!runs_implicit(task))
        return;
    // gcc's `parallel for` is one construct: its loop has its region's address.
    const std::uint64_t address =
        record.other != 0 ? record.other : context_.kinds.region(implicit_.back().name);
    const OTF2_RegionRef work =
        context_.regions.of_work(context_.names, context_.process, record.detail, address);
    events_.enter(work);
    implicit_.back().inner.push(work, RegionStack::kNoName);
}

void OpenConstructs::end_work(std::uint64_t task) {
    if (!runs_implicit(task))
        return;
    const std::vector<std::uint32_t> &names = implicit_.back().inner.names;
    const auto work = std::find(names.rbegin(), names.rend(), RegionStack::kNoName);
    if (work != names.rend())
        implicit_.back().inner.end(events_,
                                   static_cast<std::size_t>(work.base() - names.begin()) - 1);
}

// Regions that the program names

/// The list that a region belongs to if this record begins it.
RegionStack &OpenConstructs::place_of(const Record &begun) {
    if (of_explicit_task(begun))
        return user_;
    return begun.task == 0 || implicit_.empty() ? outside_ : implicit_.back().inner;
}

/// The list that holds a region which ends here, and its position as OpenRegions counts; null if no
/// such region began.
std::pair<RegionStack *, std::size_t> OpenConstructs::ending_of(const Record &record) {
    std::array<RegionStack *, 2> places = {&outside_, nullptr};
    if (of_explicit_task(record))
        places = {&user_, nullptr};
    else if (record.task != 0 && !implicit_.empty())
        places = {&implicit_.back().inner, &outside_};
    for (RegionStack *place : places) {
        if (place == nullptr)
            continue;
        Record what = record;
        if (record.detail == record::kInnermost) { // worksharing is none of them
            const auto named = std::find_if(place->names.rbegin(), place->names.rend(),
                                            [](auto name) { return name != RegionStack::kNoName; });
            if (named == place->names.rend())
                continue;
            what.detail = 0;
            what.other = *named;
        }
        if (const std::size_t at = ending(place->names, what); at < place->names.size())
            return {place, at};
    }
    return {nullptr, 0};
}

void OpenConstructs::begin_user(const Record &record) {
    const OTF2_RegionRef region = context_.regions.of_user(context_.labels, record.other);
    events_.enter(region);
    place_of(record).push(region, static_cast<std::uint32_t>(record.other));
}

void OpenConstructs::end_user(const Record &record) {
    if (const auto [open, at] = ending_of(record); open != nullptr)
        open->end(events_, at);
}

// Times of which nothing is known

void OpenConstructs::stop() {
    for (Implicit &implicit : implicit_) {
        if (implicit.wait != OTF2_UNDEFINED_REGION)
            events_.mark(kSuspended);
        leave_wait(implicit.wait);
    }
    for (auto implicit = implicit_.rbegin(); implicit != implicit_.rend(); ++implicit) {
        const RegionStack inner = implicit->inner;
        leave_constructs(*implicit);
        // The program's own regions continue.
        for (std::size_t i = 0; i < inner.names.size(); ++i)
            if (inner.names[i] != RegionStack::kNoName)
                implicit->inner.push(inner.regions[i], inner.names[i]);
    }
    outside_.leave_for_now(events_, 0);
}

void OpenConstructs::go_on() {
    outside_.enter_again(events_, 0);
    for (const Implicit &implicit : implicit_)
        implicit.inner.enter_again(events_, 0);
}

void OpenConstructs::end_implicit_unwritten() {
    if (!implicit_.empty())
        implicit_.pop_back();
}

/// OpenRegions knows the regions of an explicit task.
void OpenConstructs::begin_user_unwritten(const Record &record) {
    if (!of_explicit_task(record))
        place_of(record).push(context_.regions.of_user(context_.labels, record.other),
                              static_cast<std::uint32_t>(record.other));
}

void OpenConstructs::end_user_unwritten(const Record &record) {
    if (of_explicit_task(record))
        return;
    if (const auto [open, at] = ending_of(record); open != nullptr)
        open->erase(at);
}

} // namespace loomp::analysis::archive
