#include "profiler/recording/requests.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "loomp/omp-tools.h"

namespace loomp::analysis {

namespace {

using record::Event;
using record::Record;

struct RequestStep {
    std::uint64_t time; ///< orders the steps
    const Record *record;
    RequestRecord *at;
    RequestUse told;    ///< the use of a started or initialized request
    std::uint64_t task; ///< which starts or completes it; 0: unknown
    bool finishes;
};

bool is_request(Event event) {
    return event == Event::initialize || event == Event::start || event == Event::start_of ||
           event == Event::finish || event == Event::passed_on || event == Event::freed ||
           event == Event::cancel;
}

/// The steps of one thread. Its records get a place in `places`.
class ThreadSteps {
  public:
    explicit ThreadSteps(std::vector<RequestStep> &steps) : steps_(steps) {}

    void add(std::span<const Record> records, std::vector<RequestRecord> &places) {
        places.reserve(static_cast<std::size_t>(
            std::count_if(records.begin(), records.end(),
                          [](const Record &record) { return is_request(record.event); })));
        for (std::size_t i = 0; i < records.size(); ++i)
            add(records[i], i, places);
    }

  private:
    void add(const Record &record, std::size_t index, std::vector<RequestRecord> &places) {
        switch (record.event) {
        case Event::enter_call:
            function_ = record.detail;
            break;
        case Event::envelope:
            envelope_ = {.communicator = static_cast<std::uint32_t>(record.other),
                         .peer = record::peer_of(record.task),
                         .tag = record::tag_of(record.task)};
            break;
        case Event::completions:
            began_ = record.other;
            completions_for_ = record.task;
            break;
        case Event::implicit_begin:
            task_ = record.task;
            break;
        case Event::implicit_end:
            task_ = 0;
            break;
        case Event::schedule:
            if (record.detail != ompt_task_early_fulfill &&
                record.detail != ompt_task_late_fulfill && record.detail != ompt_taskwait_complete)
                task_ = record.other;
            break;
        case Event::initialize:
        case Event::start:
        case Event::start_of:
        case Event::finish:
        case Event::passed_on:
        case Event::freed:
        case Event::cancel: {
            RequestUse told = envelope_;
            told.kind = static_cast<record::Kind>(record.detail & record::kKindMask);
            told.function = function_;
            told.bytes = record.other;
            told.wildcard = told.kind == record::Kind::receive &&
                            (told.peer == record::kAny || told.tag == record::kAny);
            const bool by_call = record.event == Event::freed || record.event == Event::cancel;
            const bool finishes = record.event == Event::finish || by_call;
            const std::uint64_t began =
                by_call ? record.other
                : record.event == Event::finish && (record.detail & record::kOwn) == 0
                    ? began_
                    : record.time;
            places.push_back({index, kNone});
            const bool for_other = record.event == Event::finish && completions_for_ != 0;
            steps_.push_back({began, &record, &places.back(), told,
                              for_other ? completions_for_ : task_, finishes});
            break;
        }
        default:
            break;
        }
    }

    std::vector<RequestStep> &steps_;
    RequestUse envelope_;
    std::uint32_t function_ = 0;
    std::uint64_t began_ = 0;
    std::uint64_t completions_for_ = 0;
    std::uint64_t task_ = 0; ///< the thread's; 0: unknown
};

/// The uses that each handle is in. It is one, unless MPI gives one handle to all requests that are
/// complete when they start: MPICH and Open MPI do so for small sends. Those end in the order of
/// their starts, each task's for itself.
class Handles {
  public:
    void start(std::uint64_t handle, Index use, std::uint64_t task, bool may_share) {
        std::deque<Open> &open = open_[handle];
        if (!open.empty() && !(may_share && open.back().may_share))
            open.clear(); // their end is not recorded
        open.push_back({use, task, may_share});
    }
    /// Ends a use of the handle, or returns kNone.
    Index end(std::uint64_t handle, std::uint64_t task) {
        const auto found = open_.find(handle);
        if (found == open_.end())
            return kNone;
        std::deque<Open> &open = found->second;
        auto of_task =
            std::find_if(open.begin(), open.end(), [&](const Open &at) { return at.task == task; });
        if (of_task == open.end())
            of_task = open.begin();
        const Index use = of_task->use;
        open.erase(of_task);
        if (open.empty())
            open_.erase(found);
        return use;
    }
    /// The use that started last, or kNone.
    Index last(std::uint64_t handle) const {
        const auto found = open_.find(handle);
        return found == open_.end() ? kNone : found->second.back().use;
    }
    /// The uses of `before` continue as those of `handle`.
    void pass_on(std::uint64_t handle, std::uint64_t before) {
        if (auto open = open_.extract(before))
            open_[handle] = std::move(open.mapped());
    }
    void clear() { open_.clear(); }

  private:
    struct Open {
        Index use;
        std::uint64_t task;
        bool may_share;
    };
    std::unordered_map<std::uint64_t, std::deque<Open>> open_; ///< none is empty
};

/// The times at which handles lose their meaning.
std::vector<std::uint64_t> breaks_of(const RecordedProcess &process) {
    std::vector<std::uint64_t> breaks;
    for (const Interval &pause : process.pauses) {
        breaks.push_back(static_cast<std::uint64_t>(pause.begin));
        breaks.push_back(static_cast<std::uint64_t>(pause.end));
    }
    return breaks;
}

} // namespace

Requests::Requests(const RecordedProcess &process) : threads_(process.threads.size()) {
    std::vector<RequestStep> steps;
    for (std::size_t i = 0; i < threads_.size(); ++i)
        ThreadSteps(steps).add(process.threads[i].records, threads_[i]);
    std::sort(steps.begin(), steps.end(), [](const RequestStep &a, const RequestStep &b) {
        return std::tuple(a.time, a.finishes, a.record) < std::tuple(b.time, b.finishes, b.record);
    });

    std::unordered_map<std::uint64_t, RequestUse> initialized;
    std::unordered_map<std::uint64_t, Index> own; ///< the use that each name is in
    Handles handles;
    Time known_from = std::numeric_limits<Time>::min();
    for (const RecordedThread &thread : process.threads)
        known_from = std::max(known_from, thread.known_from);
    const std::vector<std::uint64_t> breaks = breaks_of(process);
    auto next_break = breaks.begin();
    for (RequestStep &step : steps) {
        const Record &record = *step.record;
        for (; next_break != breaks.end() && *next_break <= step.time; ++next_break)
            handles.clear();
        const bool is_own = (record.detail & record::kOwn) != 0;
        if (record.event == Event::initialize) {
            initialized[record.task] = step.told;
            continue;
        }
        if (record.event == Event::freed) {
            handles.end(record.task, step.task);
            initialized.erase(record.task);
            continue;
        }
        if (record.event == Event::cancel) {
            if (const Index use = handles.last(record.task); use != kNone)
                uses_[use].cancel_tried = true;
            continue;
        }
        if (record.event == Event::passed_on) {
            handles.pass_on(record.task, record.other);
            continue;
        }
        if (step.finishes) {
            if (!is_own) {
                step.at->use = handles.end(record.task, step.task);
            } else if (const auto found = own.extract(record.task)) {
                step.at->use = found.mapped();
            }
            if (step.at->use == kNone)
                continue;
            RequestUse &use = uses_[step.at->use];
            use.cancelled = (record.detail & record::kCancelled) != 0;
            use.completed = !use.cancelled;
            if (use.kind != record::Kind::receive && is_own)
                use.bytes = record.other;
            if (use.completed && use.kind == record::Kind::receive) {
                // MPICH 4.0 leaves the status of MPI_Isendrecv() empty.
                use.peer = use.peer == record::kAny ? record::peer_of(record.other) : use.peer;
                use.tag = use.tag == record::kAny ? record::tag_of(record.other) : use.tag;
            }
            continue;
        }
        // Uses of the handle may be lost before this.
        if (!is_own && static_cast<Time>(record.time) < known_from)
            continue;
        if (record.event == Event::start_of) {
            const auto found = initialized.find(record.other);
            if (found == initialized.end())
                continue;
            step.told = found->second;
        } else if (!is_own) {
            initialized.erase(record.task); // a persistent request was freed unnoticed
        }
        step.at->use = static_cast<Index>(uses_.size());
        uses_.push_back(step.told);
        if (is_own)
            own[record.task] = step.at->use;
        else
            handles.start(record.task, step.at->use, step.task,
                          record.event == Event::start && step.told.kind != record::Kind::receive);
    }
    // Nobody knows whether such a receive took a message.
    for (RequestUse &use : uses_)
        if (use.cancel_tried && !use.completed && !use.cancelled &&
            use.kind == record::Kind::receive)
            use.peer = record::kAny;
}

} // namespace loomp::analysis
