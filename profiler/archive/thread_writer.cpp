#include "profiler/archive/thread_writer.h"

#include "loomp/omp-tools.h"
#include "profiler/archive/archive_format.h"
#include "profiler/archive/what_follows.h"

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
            // A request starts when its call begins, which is the latest event.
            if (records[i].event != Event::finish) {
                request_writer_.start(use);
                continue;
            }
            events_.advance(time);
            request_writer_.finish(use, completed_for_);
            continue;
        }
        // An envelope does not advance the time: the call's begin stays the latest event until its
        // request has started.
        if (records[i].event != Event::envelope)
            events_.advance(time);
        write(records[i], records.subspan(i + 1));
    }
    pass_gaps(kNever, {});
}

// Times of which nothing is known

/// Advances the thread to `time`. `rest` holds its records from there on.
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
    leave_task();
    open_.stop();
    events_.measure(OTF2_MEASUREMENT_OFF);
    task_ = created_ = 0;
}

void ThreadWriter::go_on(Time time, std::span<const Record> rest) {
    set_time(time);
    events_.measure(OTF2_MEASUREMENT_ON);
    open_.go_on();
    const Time end = gaps_.empty() ? kNever : gaps_.front().begin;
    const std::uint64_t task = task_before(rest, end, open_.innermost());
    if (task == 0)
        return;
    go_on_with(task);
    go_on_in_call(rest);
    if (const Record *const end_of_wait = wait_ended_in(rest))
        open_.begin_wait(task_, end_of_wait->detail, end_of_wait->other);
}

void ThreadWriter::keep_stack(const Record &record) {
    switch (record.event) {
    case Event::implicit_begin:
        open_.begin_implicit_unwritten(record.task);
        break;
    case Event::implicit_end:
        open_.end_implicit_unwritten();
        break;
    case Event::user_begin:
        open_.begin_user_unwritten(record);
        break;
    case Event::user_end:
        open_.end_user_unwritten(record);
        break;
    default:
        break;
    }
}

void ThreadWriter::set_time(Time time) {
    events_.advance(static_cast<std::uint64_t>(context_.clock.shared(time)));
}

void ThreadWriter::write(const Record &record, std::span<const Record> rest) {
    switch (record.event) {
    case Event::implicit_begin:
        open_.begin_implicit(record.task, task_);
        go_on_with(record.task);
        if (record.other != 0)
            open_.begin_region(record.other);
        break;
    case Event::implicit_end:
        end_implicit(record.task, rest);
        break;
    case Event::create:
        create(record);
        break;
    case Event::dependence:
        if (record.task != created_)
            break; // its creation is not recorded
        events_.access(access_kind(record.detail), record.other);
        break;
    case Event::schedule:
        schedule(record, rest);
        break;
    case Event::enter_call:
        be_in_a_task();
        if (calls_++ == 0)
            enter_call(record.detail);
        break;
    case Event::leave_call:
        if (calls_ == 1)
            leave_call();
        calls_ -= calls_ > 0 ? 1 : 0;
        break;
    case Event::completions:
        completions_for_ = record.task;
        break;
    case Event::counters:
        count(record);
        break;
    case Event::deleted:
        events_.deleted(record.task);
        break;
    case Event::mutex_made:
        events_.mutex(kMade, record.task);
        break;
    case Event::mutex_acquired:
        be_in_a_task();
        events_.mutex(kAcquired, record.task);
        break;
    case Event::mutex_released:
        events_.mutex(kReleased, record.task);
        break;
    case Event::wait_begin:
        be_in_a_task();
        open_.begin_wait(task_, record.detail, record.other);
        break;
    case Event::wait_end:
        be_in_a_task();
        open_.end_wait(task_, record.detail, record.other);
        break;
    case Event::work_begin:
        be_in_a_task();
        open_.begin_work(task_, record);
        break;
    case Event::work_end:
        open_.end_work(task_);
        break;
    case Event::user_begin:
        be_in_a_task();
        open_.begin_user(record);
        break;
    case Event::user_end:
        open_.end_user(record);
        break;
    default:
        break;
    }
}

// Tasks

OTF2_RegionRef ThreadWriter::kind(std::uint64_t place) {
    return context_.regions.of_task(context_.names, context_.labels, context_.process, place);
}

void ThreadWriter::create(const Record &record) {
    if ((record.detail & (ompt_task_initial | ompt_task_implicit)) != 0)
        return;
    if ((record.detail & ompt_task_undeferred) != 0)
        events_.mark(kUndeferred);
    events_.create(record.task, kind(Kinds::place_of(record)));
    created_ = record.task;
}

void ThreadWriter::schedule(const Record &record, std::span<const Record> rest) {
    switch (record.detail) {
    case ompt_task_early_fulfill:
        return; // it continues, and completes like any task
    case ompt_task_late_fulfill:
    case ompt_taskwait_complete:
        events_.mark(kOnBehalf);
        events_.complete(record.task);
        return;
    case ompt_task_detach:
        leave_task();
        events_.mark(kLater);
        complete(record.task);
        break;
    case ompt_task_complete:
    case ompt_task_cancel:
        complete(record.task);
        break;
    case ompt_task_yield:
        leave_task();
        events_.mark(kLeaving, kYielded);
        break;
    default:
        break;
    }
    if (record.other == 0)
        return;
    go_on_with(record.other);
    go_on_in_call(rest);
}

void ThreadWriter::complete(std::uint64_t task) {
    leave_task();
    events_.complete(task);
    task_ = 0;
}

void ThreadWriter::go_on_with(std::uint64_t task) {
    leave_task();
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
    open_.enter_task(context_.open_regions.of_task(task, record_time_));
}

/// The thread continues with its previous task; an explicit one may have been in a call.
void ThreadWriter::end_implicit(std::uint64_t task, std::span<const Record> rest) {
    if (!open_.in_parallel() && task_ != task)
        return; // a forked child's task, which its parent began
    leave_task();
    const std::uint64_t next = open_.end_implicit();
    complete(task);
    if (next == 0)
        return;
    go_on_with(next);
    if (!record::is_implicit(next))
        go_on_in_call(rest);
}

/// Records before the first of the OpenMP runtime belong to an implicit task.
void ThreadWriter::be_in_a_task() {
    if (task_ != 0)
        return;
    go_on_with(record::task_name(number_, record::kNoNumber));
}

void ThreadWriter::leave_task() {
    if (call_ != OTF2_UNDEFINED_REGION) {
        events_.mark(kSuspended);
        leave_call();
    }
    calls_ = 0;
    open_.leave_task();
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

void ThreadWriter::go_on_in_call(std::span<const Record> rest) {
    const Record *const left = call_left_in(rest);
    if (left == nullptr)
        return;
    events_.mark(kSuspended);
    calls_ = 1;
    enter_call(left->detail);
}

// Counters

void ThreadWriter::count(const Record &record) {
    if (record.detail != values_.size())
        values_.clear(); // earlier values are incomplete
    if (record.detail != values_.size())
        return;
    for (const std::uint64_t value : {record.task, record.other})
        if (values_.size() < context_.counters)
            values_.push_back({.unsigned_int = value});
    if (values_.size() < context_.counters)
        return;
    events_.count(values_);
    values_.clear();
}

} // namespace loomp::analysis::archive
