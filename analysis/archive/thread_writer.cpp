#include "analysis/archive/thread_writer.h"

#include <algorithm>
#include <array>

#include "analysis/archive/archive_format.h"
#include "loomp/omp-tools.h"

namespace loomp::analysis::archive {

namespace {

using record::Event;
using record::Record;

AccessKind access_kind(std::uint32_t type) {
    switch (type) {
    case ompt_dependence_type_in:
        return AccessKind::in;
    case ompt_dependence_type_mutexinoutset:
        return AccessKind::mutexinoutset;
    case ompt_dependence_type_inoutset:
        return AccessKind::inoutset;
    case ompt_dependence_type_out_all_memory:
    case ompt_dependence_type_inout_all_memory:
        return AccessKind::all_memory;
    default:
        return AccessKind::inout;
    }
}

bool is_wait(Event event) { return event == Event::wait_begin || event == Event::wait_end; }

} // namespace

ThreadWriter::ThreadWriter(OTF2_EvtWriter *writer, const ProcessContext &context,
                           std::uint32_t number, std::span<const Interval> gaps)
    : events_(writer, context), context_(context), number_(number), gaps_(gaps) {}

void ThreadWriter::write(std::span<const Record> records, std::span<const RequestRecord> requests) {
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto time =
            static_cast<std::uint64_t>(context_.clock.shared(static_cast<Time>(records[i].time)));
        record_time_ = records[i].time;
        pass_gaps(static_cast<Time>(records[i].time), records.subspan(i));
        if (in_gap_) {
            keep_stack(records[i]);
            if (!requests.empty() && requests.front().record == i)
                requests = requests.subspan(1);
            continue;
        }
        if (!requests.empty() && requests.front().record == i) {
            const Index use = requests.front().use;
            requests = requests.subspan(1);
            if (use == kNone || records[i].event == Event::initialize)
                continue;
            const bool own = (records[i].detail & record::kOwn) != 0;
            completed_for_ = own || records[i].event != Event::finish ? 0 : completions_for_;
            if (completed_for_ == 0)
                be_in_a_task();
            // A request starts when its call does, which is the latest event.
            if (records[i].event != Event::finish) {
                request_writer_.start(use);
                continue;
            }
            events_.advance(time);
            request_writer_.finish(use, completed_for_);
            continue;
        }
        // Of what follows it: a call's begin is the latest event until then.
        if (records[i].event != Event::envelope)
            events_.advance(time);
        write(records[i], records.subspan(i + 1));
    }
    pass_gaps(kNever, {});
}

// Times of which nothing is known

/// The thread comes to `time`; `rest`: its records from then on.
void ThreadWriter::pass_gaps(Time time, std::span<const Record> rest) {
    while (!gaps_.empty()) {
        const Interval gap = gaps_.front();
        if (!in_gap_ && time < gap.begin)
            return;
        if (!in_gap_)
            stop(gap.begin);
        in_gap_ = true;
        if (time < gap.end || gap.end == kNever)
            return;
        in_gap_ = false;
        gaps_ = gaps_.subspan(1);
        go_on(gap.end, rest);
    }
}

void ThreadWriter::stop(Time time) {
    set_time(time);
    leave_regions();
    for (Implicit &implicit : implicit_) {
        if (implicit.wait != OTF2_UNDEFINED_REGION)
            events_.mark(kSuspended);
        leave_wait(implicit.wait);
    }
    for (auto implicit = implicit_.rbegin(); implicit != implicit_.rend(); ++implicit) {
        const RegionStack inner = implicit->inner;
        leave_constructs(*implicit);
        // The program's go on.
        for (std::size_t i = 0; i < inner.names.size(); ++i)
            if (inner.names[i] != RegionStack::kNoName)
                implicit->inner.push(inner.regions[i], inner.names[i]);
    }
    outside_.leave_for_now(events_, 0);
    events_.measure(OTF2_MEASUREMENT_OFF);
    task_ = created_ = 0;
}

void ThreadWriter::go_on(Time time, std::span<const Record> rest) {
    set_time(time);
    events_.measure(OTF2_MEASUREMENT_ON);
    outside_.enter_again(events_, 0);
    for (const Implicit &implicit : implicit_)
        implicit.inner.enter_again(events_, 0);
    if (const std::uint64_t task = task_before(rest); task != 0) {
        go_on_with(task);
        go_on_in_call(rest);
        const auto next = std::find_if(
            rest.begin(), rest.end(), [](const Record &of) { return of.event != Event::counters; });
        if (next != rest.end() && next->event == Event::wait_end)
            begin_wait(next->detail, next->other);
    }
}

/// What the thread was in before `rest`, which the next change of that tells; 0: not known.
std::uint64_t ThreadWriter::task_before(std::span<const Record> rest) const {
    for (const Record &of : rest) {
        if (!gaps_.empty() && static_cast<Time>(of.time) >= gaps_.front().begin)
            return 0;
        if (of.event == Event::implicit_begin)
            return implicit_.empty() ? 0 : implicit_.back().task;
        const bool of_another = of.detail == ompt_task_early_fulfill ||
                                of.detail == ompt_task_late_fulfill ||
                                of.detail == ompt_taskwait_complete;
        if (of.event == Event::implicit_end || (of.event == Event::schedule && !of_another) ||
            (is_wait(of.event) && of.task != 0))
            return of.task;
    }
    return 0;
}

void ThreadWriter::keep_stack(const Record &of) {
    if (of.event == Event::implicit_begin)
        implicit_.emplace_back().task = of.task;
    if (of.event == Event::implicit_end && !implicit_.empty())
        implicit_.pop_back();
    const bool explicit_task = of.task != 0 && !record::is_implicit(of.task);
    if (of.event == Event::user_begin && !explicit_task)
        (of.task == 0 || implicit_.empty() ? outside_ : implicit_.back().inner)
            .push(context_.regions.of_user(context_.labels, of.other),
                  static_cast<std::uint32_t>(of.other));
    if (of.event == Event::user_end && !explicit_task)
        if (const auto [open, at] = ending_of(of); open != nullptr)
            open->erase(at);
}

void ThreadWriter::set_time(Time time) {
    events_.advance(static_cast<std::uint64_t>(context_.clock.shared(time)));
}

void ThreadWriter::write(const Record &of, std::span<const Record> rest) {
    switch (of.event) {
    case Event::implicit_begin:
        implicit_.emplace_back().task = of.task;
        implicit_.back().before = task_;
        go_on_with(of.task);
        if (of.other != 0)
            begin_region(of.other);
        break;
    case Event::implicit_end:
        end_implicit(of.task, rest);
        break;
    case Event::create:
        create(of);
        break;
    case Event::dependence:
        if (of.task != created_)
            break; // its creation is not recorded
        events_.access(access_kind(of.detail), of.other);
        break;
    case Event::schedule:
        schedule(of, rest);
        break;
    case Event::enter_call:
        be_in_a_task();
        if (calls_++ == 0)
            enter_call(of.detail);
        break;
    case Event::leave_call:
        if (calls_ == 1)
            leave_call();
        calls_ -= calls_ > 0 ? 1 : 0;
        break;
    case Event::completions:
        completions_for_ = of.task;
        break;
    case Event::counters:
        count(of);
        break;
    case Event::deleted:
        events_.deleted(of.task);
        break;
    case Event::wait_begin:
        begin_wait(of.detail, of.other);
        break;
    case Event::wait_end:
        end_wait(of.detail, of.other);
        break;
    case Event::work_begin:
        begin_work(of);
        break;
    case Event::work_end:
        end_work();
        break;
    case Event::user_begin:
        begin_user(of);
        break;
    case Event::user_end:
        end_user(of);
        break;
    default:
        break;
    }
}

// Tasks

OTF2_RegionRef ThreadWriter::kind(std::uint64_t place) {
    return context_.regions.of_task(context_.names, context_.labels, context_.process, place);
}

void ThreadWriter::create(const Record &of) {
    if ((of.detail & (ompt_task_initial | ompt_task_implicit)) != 0)
        return;
    events_.create(of.task, kind(Kinds::place_of(of)));
    created_ = of.task;
}

void ThreadWriter::schedule(const Record &of, std::span<const Record> rest) {
    switch (of.detail) {
    case ompt_task_early_fulfill:
        return; // it goes on, and completes as any task does
    case ompt_task_late_fulfill:
    case ompt_taskwait_complete:
        events_.mark(kOnBehalf);
        events_.complete(of.task);
        return;
    case ompt_task_detach:
        leave_regions();
        events_.mark(kLater);
        complete(of.task);
        break;
    case ompt_task_complete:
    case ompt_task_cancel:
        complete(of.task);
        break;
    case ompt_task_yield:
        leave_regions();
        events_.mark(kLeaving, kYielded);
        break;
    default:
        break;
    }
    if (of.other == 0)
        return;
    go_on_with(of.other);
    go_on_in_call(rest);
}

void ThreadWriter::complete(std::uint64_t task) {
    leave_regions();
    events_.complete(task);
    task_ = 0;
}

void ThreadWriter::go_on_with(std::uint64_t task) {
    leave_regions();
    if (record::is_implicit(task) && task != announced_) {
        events_.mark(kImplicit);
        announced_ = task;
    }
    events_.go_on_with(task);
    task_ = task;
    const std::uint64_t place = context_.kinds.place(task);
    if (place == Kinds::kNotCreated)
        return;
    region_ = kind(place);
    events_.enter(region_);
    for (const std::uint32_t name : context_.open_regions.of_task(task, record_time_))
        user_.push(context_.regions.of_user(context_.labels, name), name);
    user_.enter_again(events_, 0);
}

/// What a thread does before its OpenMP runtime has told of anything is an implicit task's.
void ThreadWriter::be_in_a_task() {
    if (task_ != 0)
        return;
    go_on_with(record::task_name(number_, record::kNoNumber));
}

void ThreadWriter::leave_regions() {
    if (call_ != OTF2_UNDEFINED_REGION) {
        events_.mark(kSuspended);
        leave_call();
    }
    calls_ = 0;
    if (wait_ != OTF2_UNDEFINED_REGION) {
        events_.mark(kSuspended);
        leave_wait(wait_);
    }
    user_.leave_for_now(events_, 0);
    user_ = {};
    if (region_ != OTF2_UNDEFINED_REGION)
        events_.leave(region_);
    region_ = OTF2_UNDEFINED_REGION;
}

// MPI calls

void ThreadWriter::enter_call(std::uint32_t function) {
    call_ = context_.regions.of_function(function);
    events_.enter_marked(call_);
}

void ThreadWriter::leave_call() {
    events_.leave_marked(call_);
    call_ = OTF2_UNDEFINED_REGION;
}

// Waits

bool ThreadWriter::in_implicit() const {
    return !implicit_.empty() && implicit_.back().task == task_;
}

void ThreadWriter::begin_wait(std::uint32_t construct, std::uint64_t address) {
    be_in_a_task();
    OTF2_RegionRef &wait = in_implicit() ? implicit_.back().wait : wait_;
    leave_wait(wait);
    wait = context_.regions.of_wait(context_.names, context_.process, construct, address);
    events_.enter_marked(wait);
}

/// An explicit task that was suspended meanwhile enters the region only to leave it.
void ThreadWriter::end_wait(std::uint32_t construct, std::uint64_t address) {
    be_in_a_task();
    OTF2_RegionRef &wait = in_implicit() ? implicit_.back().wait : wait_;
    if (wait == OTF2_UNDEFINED_REGION) {
        wait = context_.regions.of_wait(context_.names, context_.process, construct, address);
        events_.enter_suspended(wait);
    }
    leave_wait(wait);
}

/// If it is one.
void ThreadWriter::leave_wait(OTF2_RegionRef &wait) {
    if (wait == OTF2_UNDEFINED_REGION)
        return;
    events_.leave_marked(wait);
    wait = OTF2_UNDEFINED_REGION;
}

// Regions and worksharing

void ThreadWriter::begin_region(std::uint64_t name) {
    const OTF2_RegionRef region =
        context_.regions.of_parallel(context_.names, context_.process, context_.kinds.region(name));
    OTF2_AttributeList_AddUint64(events_.list(), kRegion, name);
    events_.enter_marked(region);
    implicit_.back().region = region;
    implicit_.back().name = name;
}

void ThreadWriter::begin_work(const Record &of) {
    be_in_a_task();
    if (!in_implicit())
        return;
    // That of gcc's `parallel for`, one construct, is its region's.
    const std::uint64_t address =
        of.other != 0 ? of.other : context_.kinds.region(implicit_.back().name);
    const OTF2_RegionRef work =
        context_.regions.of_work(context_.names, context_.process, of.detail, address);
    events_.enter(work);
    implicit_.back().inner.push(work, RegionStack::kNoName);
}

void ThreadWriter::end_work() {
    if (!in_implicit())
        return;
    const std::vector<std::uint32_t> &names = implicit_.back().inner.names;
    const auto work = std::find(names.rbegin(), names.rend(), RegionStack::kNoName);
    if (work != names.rend())
        implicit_.back().inner.end(events_,
                                   static_cast<std::size_t>(work.base() - names.begin()) - 1);
}

void ThreadWriter::leave_constructs(Implicit &implicit) {
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

// Regions that the program names

void ThreadWriter::begin_user(const Record &of) {
    be_in_a_task();
    const OTF2_RegionRef region = context_.regions.of_user(context_.labels, of.other);
    const bool explicit_task = of.task != 0 && !record::is_implicit(of.task);
    RegionStack &open = explicit_task                       ? user_
                        : of.task == 0 || implicit_.empty() ? outside_
                                                            : implicit_.back().inner;
    events_.enter(region);
    open.push(region, static_cast<std::uint32_t>(of.other));
}

/// What a region ends in, and where there; null: nothing that was begun. As OpenRegions has it.
std::pair<RegionStack *, std::size_t> ThreadWriter::ending_of(const Record &of) {
    std::array<RegionStack *, 2> places = {&outside_, nullptr};
    if (of.task != 0 && !record::is_implicit(of.task))
        places = {&user_, nullptr};
    else if (of.task != 0 && !implicit_.empty())
        places = {&implicit_.back().inner, &outside_};
    for (RegionStack *place : places) {
        if (place == nullptr)
            continue;
        Record what = of;
        if (of.detail == record::kInnermost) { // worksharing is none of them
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

void ThreadWriter::end_user(const Record &of) {
    if (const auto [open, at] = ending_of(of); open != nullptr)
        open->end(events_, at);
}

/// The thread goes on with what it was in before; an explicit task may have been in a call.
void ThreadWriter::end_implicit(std::uint64_t task, std::span<const Record> rest) {
    if (implicit_.empty() && task_ != task)
        return; // a forked child's, which its parent has begun
    leave_regions();
    std::uint64_t next = 0;
    if (!implicit_.empty()) {
        leave_wait(implicit_.back().wait);
        leave_constructs(implicit_.back());
        next = implicit_.back().before;
        implicit_.pop_back();
    }
    complete(task);
    if (next == 0 && !implicit_.empty())
        next = implicit_.back().task;
    if (next == 0)
        return;
    go_on_with(next);
    if (!record::is_implicit(next))
        go_on_in_call(rest);
}

void ThreadWriter::count(const Record &of) {
    if (of.detail != values_.size())
        values_.clear(); // what came before lacks something
    if (of.detail != values_.size())
        return;
    for (const std::uint64_t value : {of.task, of.other})
        if (values_.size() < context_.counters)
            values_.push_back({.unsigned_int = value});
    if (values_.size() < context_.counters)
        return;
    events_.count(values_);
    values_.clear();
}

/// A task that goes on may be in a call: then the next that it does is to leave it.
void ThreadWriter::go_on_in_call(std::span<const Record> rest) {
    for (const Record &of : rest) {
        if (of.event == Event::completions || of.event == Event::finish ||
            of.event == Event::counters || of.event == Event::deleted)
            continue;
        if (of.event != Event::leave_call)
            return;
        events_.mark(kSuspended);
        calls_ = 1;
        enter_call(of.detail);
        return;
    }
}

} // namespace loomp::analysis::archive
