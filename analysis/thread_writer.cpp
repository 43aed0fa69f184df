#include "analysis/thread_writer.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/archive_format.h"
#include "loomp/omp-tools.h"
#include "record/functions.h"

namespace loomp::analysis::archive {

namespace {

using record::Event;
using record::Record;

void done(OTF2_ErrorCode code) { check(code, "writing events"); }

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

OTF2_CollectiveOp operation(std::uint32_t function) {
    using Pair = std::pair<std::string_view, OTF2_CollectiveOp>;
    // The longer of two that begin alike comes first.
    static constexpr std::array<Pair, 17> kOperations{{
        {"barrier", OTF2_COLLECTIVE_OP_BARRIER},
        {"bcast", OTF2_COLLECTIVE_OP_BCAST},
        {"allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
        {"allgather", OTF2_COLLECTIVE_OP_ALLGATHER},
        {"alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW},
        {"alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
        {"alltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
        {"allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
        {"reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
        {"reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
        {"reduce", OTF2_COLLECTIVE_OP_REDUCE},
        {"gatherv", OTF2_COLLECTIVE_OP_GATHERV},
        {"gather", OTF2_COLLECTIVE_OP_GATHER},
        {"scatterv", OTF2_COLLECTIVE_OP_SCATTERV},
        {"scatter", OTF2_COLLECTIVE_OP_SCATTER},
        {"exscan", OTF2_COLLECTIVE_OP_EXSCAN},
        {"scan", OTF2_COLLECTIVE_OP_SCAN},
    }};
    if (function >= std::size(record::kFunctionNames))
        return OTF2_COLLECTIVE_OP_BARRIER;
    std::string name = record::kFunctionNames[function];
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return std::tolower(letter); });
    for (const auto &[part, code] : kOperations)
        if (name.find(part) != std::string::npos)
            return code;
    return OTF2_COLLECTIVE_OP_BARRIER;
}

bool is_wait(Event event) { return event == Event::wait_begin || event == Event::wait_end; }

/// The rank in the team of the thread that created a task.
std::uint32_t creator(std::uint64_t task) { return record::thread_of(task) - 1; }

} // namespace

ThreadWriter::ThreadWriter(OTF2_EvtWriter *writer, const ProcessContext &context,
                           std::uint32_t number, std::span<const Interval> gaps)
    : writer_(writer), list_(OTF2_AttributeList_New()), context_(context), number_(number),
      gaps_(gaps) {}

void ThreadWriter::write(std::span<const Record> records, std::span<const RequestRecord> requests) {
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto time =
            static_cast<std::uint64_t>(context_.clock.shared(static_cast<Time>(records[i].time)));
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
            be_in_a_task();
            // A request starts when its call does, which is the latest event.
            if (records[i].event != Event::finish) {
                start_request(use);
                continue;
            }
            time_ = std::max(time_, time);
            finish_request(use);
            continue;
        }
        time_ = std::max(time_, time);
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
            OTF2_AttributeList_AddUint8(list_.get(), kSuspended, 1);
        leave_wait(implicit.wait);
    }
    for (auto implicit = implicit_.rbegin(); implicit != implicit_.rend(); ++implicit)
        leave_constructs(*implicit);
    done(OTF2_EvtWriter_MeasurementOnOff(writer_, nullptr, time_, OTF2_MEASUREMENT_OFF));
    task_ = created_ = 0;
}

void ThreadWriter::go_on(Time time, std::span<const Record> rest) {
    set_time(time);
    done(OTF2_EvtWriter_MeasurementOnOff(writer_, nullptr, time_, OTF2_MEASUREMENT_ON));
    if (const std::uint64_t task = task_before(rest); task != 0) {
        go_on_with(task);
        go_on_in_call(rest);
        if (!rest.empty() && rest.front().event == Event::wait_end)
            begin_wait(rest.front().detail, rest.front().other);
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
}

void ThreadWriter::set_time(Time time) {
    time_ = std::max(time_, static_cast<std::uint64_t>(context_.clock.shared(time)));
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
        done(OTF2_EvtWriter_ParameterUnsignedInt(
            writer_, nullptr, time_, static_cast<OTF2_ParameterRef>(access_kind(of.detail)),
            of.other));
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
    case Event::counters:
        count(of);
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
    OTF2_AttributeList_AddRegionRef(list_.get(), kKind, kind(Kinds::place_of(of)));
    done(OTF2_EvtWriter_ThreadTaskCreate(writer_, list_.get(), time_, context_.team,
                                         creator(of.task), record::number_of(of.task)));
    created_ = of.task;
}

void ThreadWriter::schedule(const Record &of, std::span<const Record> rest) {
    switch (of.detail) {
    case ompt_task_early_fulfill:
        return; // it goes on, and completes as any task does
    case ompt_task_late_fulfill:
    case ompt_taskwait_complete:
        OTF2_AttributeList_AddUint8(list_.get(), kOnBehalf, 1);
        done(OTF2_EvtWriter_ThreadTaskComplete(writer_, list_.get(), time_, context_.team,
                                               creator(of.task), record::number_of(of.task)));
        return;
    case ompt_task_detach:
        leave_regions();
        OTF2_AttributeList_AddUint8(list_.get(), kLater, 1);
        complete(of.task);
        break;
    case ompt_task_complete:
    case ompt_task_cancel:
        complete(of.task);
        break;
    case ompt_task_yield:
        leave_regions();
        OTF2_AttributeList_AddUint8(list_.get(), kLeaving, kYielded);
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
    done(OTF2_EvtWriter_ThreadTaskComplete(writer_, list_.get(), time_, context_.team,
                                           creator(task), record::number_of(task)));
    task_ = 0;
}

void ThreadWriter::go_on_with(std::uint64_t task) {
    leave_regions();
    if (record::is_implicit(task) && task != announced_) {
        OTF2_AttributeList_AddUint8(list_.get(), kImplicit, 1);
        announced_ = task;
    }
    done(OTF2_EvtWriter_ThreadTaskSwitch(writer_, list_.get(), time_, context_.team, creator(task),
                                         record::number_of(task)));
    task_ = task;
    const std::uint64_t place = context_.kinds.place(task);
    if (place == Kinds::kNotCreated)
        return;
    region_ = kind(place);
    done(OTF2_EvtWriter_Enter(writer_, nullptr, time_, region_));
}

/// What a thread does before its OpenMP runtime has told of anything is an implicit task's.
void ThreadWriter::be_in_a_task() {
    if (task_ != 0)
        return;
    go_on_with(record::task_name(number_, record::kNoNumber));
}

void ThreadWriter::leave_regions() {
    if (call_ != OTF2_UNDEFINED_REGION) {
        OTF2_AttributeList_AddUint8(list_.get(), kSuspended, 1);
        leave_call();
    }
    calls_ = 0;
    if (wait_ != OTF2_UNDEFINED_REGION) {
        OTF2_AttributeList_AddUint8(list_.get(), kSuspended, 1);
        leave_wait(wait_);
    }
    if (region_ != OTF2_UNDEFINED_REGION)
        done(OTF2_EvtWriter_Leave(writer_, nullptr, time_, region_));
    region_ = OTF2_UNDEFINED_REGION;
}

// MPI calls

void ThreadWriter::enter_call(std::uint32_t function) {
    call_ = context_.regions.of_function(function);
    done(OTF2_EvtWriter_Enter(writer_, list_.get(), time_, call_));
}

void ThreadWriter::leave_call() {
    done(OTF2_EvtWriter_Leave(writer_, list_.get(), time_, call_));
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
    done(OTF2_EvtWriter_Enter(writer_, list_.get(), time_, wait));
}

/// An explicit task that was suspended meanwhile enters the region only to leave it.
void ThreadWriter::end_wait(std::uint32_t construct, std::uint64_t address) {
    be_in_a_task();
    OTF2_RegionRef &wait = in_implicit() ? implicit_.back().wait : wait_;
    if (wait == OTF2_UNDEFINED_REGION) {
        wait = context_.regions.of_wait(context_.names, context_.process, construct, address);
        OTF2_AttributeList_AddUint8(list_.get(), kSuspended, 1);
        done(OTF2_EvtWriter_Enter(writer_, list_.get(), time_, wait));
    }
    leave_wait(wait);
}

/// If it is one.
void ThreadWriter::leave_wait(OTF2_RegionRef &wait) {
    if (wait == OTF2_UNDEFINED_REGION)
        return;
    done(OTF2_EvtWriter_Leave(writer_, list_.get(), time_, wait));
    wait = OTF2_UNDEFINED_REGION;
}

// Regions and worksharing

void ThreadWriter::begin_region(std::uint64_t name) {
    const OTF2_RegionRef region =
        context_.regions.of_parallel(context_.names, context_.process, context_.kinds.region(name));
    OTF2_AttributeList_AddUint64(list_.get(), kRegion, name);
    done(OTF2_EvtWriter_Enter(writer_, list_.get(), time_, region));
    implicit_.back().region = region;
    implicit_.back().name = name;
}

void ThreadWriter::begin_work(const Record &of) {
    be_in_a_task();
    if (!in_implicit())
        return;
    // gcc's loops are known by their regions only.
    const std::uint64_t address =
        of.other != 0 ? of.other : context_.kinds.region(implicit_.back().name);
    const OTF2_RegionRef work =
        context_.regions.of_work(context_.names, context_.process, of.detail, address);
    done(OTF2_EvtWriter_Enter(writer_, nullptr, time_, work));
    implicit_.back().work.push_back(work);
}

void ThreadWriter::end_work() {
    if (!in_implicit() || implicit_.back().work.empty())
        return;
    done(OTF2_EvtWriter_Leave(writer_, nullptr, time_, implicit_.back().work.back()));
    implicit_.back().work.pop_back();
}

void ThreadWriter::leave_constructs(Implicit &implicit) {
    for (auto work = implicit.work.rbegin(); work != implicit.work.rend(); ++work)
        done(OTF2_EvtWriter_Leave(writer_, nullptr, time_, *work));
    implicit.work.clear();
    if (implicit.region != OTF2_UNDEFINED_REGION)
        done(OTF2_EvtWriter_Leave(writer_, nullptr, time_, implicit.region));
    implicit.region = OTF2_UNDEFINED_REGION;
}

/// The thread goes on with what it was in before; an explicit task may have been in a call.
void ThreadWriter::end_implicit(std::uint64_t task, std::span<const Record> rest) {
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
    const std::vector<OTF2_Type> types(values_.size(), OTF2_TYPE_UINT64);
    done(OTF2_EvtWriter_Metric(
        writer_, nullptr, time_, static_cast<OTF2_MetricRef>(context_.process),
        static_cast<std::uint8_t>(values_.size()), types.data(), values_.data()));
    values_.clear();
}

/// A task that goes on may be in a call: then the next that it does is to leave it.
void ThreadWriter::go_on_in_call(std::span<const Record> rest) {
    for (const Record &of : rest) {
        if (of.event == Event::completions || of.event == Event::finish)
            continue;
        if (of.event != Event::leave_call)
            return;
        OTF2_AttributeList_AddUint8(list_.get(), kSuspended, 1);
        calls_ = 1;
        enter_call(of.detail);
        return;
    }
}

void ThreadWriter::start_request(Index index) {
    const RequestUse &use = context_.requests.use(index);
    const auto at = context_.communicators.find(context_.process, use.communicator, use.peer);
    if (at.communicator == kNone)
        return;
    const OTF2_CommRef communicator = context_.first_communicator + at.communicator;
    switch (use.kind) {
    case record::Kind::synchronous_send:
        OTF2_AttributeList_AddUint8(list_.get(), kSynchronous, 1);
        [[fallthrough]];
    case record::Kind::send:
        done(OTF2_EvtWriter_MpiIsend(writer_, list_.get(), time_, at.number, communicator, use.tag,
                                     use.bytes, index));
        break;
    case record::Kind::receive:
        done(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, time_, index));
        break;
    case record::Kind::collective:
        OTF2_AttributeList_AddCommRef(list_.get(), kCommunicator, communicator);
        done(OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, list_.get(), time_, index));
        break;
    }
}

void ThreadWriter::finish_request(Index index) {
    const RequestUse &use = context_.requests.use(index);
    const auto at = context_.communicators.find(context_.process, use.communicator, use.peer);
    if (at.communicator == kNone)
        return;
    const OTF2_CommRef communicator = context_.first_communicator + at.communicator;
    if (use.cancelled) {
        done(OTF2_EvtWriter_MpiRequestCancelled(writer_, nullptr, time_, index));
        return;
    }
    switch (use.kind) {
    case record::Kind::send:
    case record::Kind::synchronous_send:
        done(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, time_, index));
        break;
    case record::Kind::receive:
        done(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, time_, at.number, communicator, use.tag, 0,
                                     index));
        break;
    case record::Kind::collective:
        done(OTF2_EvtWriter_NonBlockingCollectiveComplete(writer_, nullptr, time_,
                                                          operation(use.function), communicator,
                                                          OTF2_UNDEFINED_UINT32, 0, 0, index));
        break;
    }
}

} // namespace loomp::analysis::archive
