#include "profiler/recording/requests.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace loomp::analysis {

namespace {

using record::Event;
using record::Record;

struct RequestStep {
    std::uint64_t time; ///< orders the steps
    const Record *record;
    RequestRecord *at;
    RequestUse told; ///< the use of a started or initialized request
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
            steps_.push_back({began, &record, &places.back(), told, finishes});
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
    std::unordered_map<std::uint64_t, Index> handles; ///< the use that each is in
    std::unordered_map<std::uint64_t, Index> own;
    Time known_from = std::numeric_limits<Time>::min();
    for (const RecordedThread &thread : process.threads)
        known_from = std::max(known_from, thread.known_from);
    const std::vector<std::uint64_t> breaks = breaks_of(process);
    auto next_break = breaks.begin();
    for (RequestStep &step : steps) {
        const Record &record = *step.record;
        for (; next_break != breaks.end() && *next_break <= step.time; ++next_break)
            handles.clear();
        auto &names = (record.detail & record::kOwn) != 0 ? own : handles;
        if (record.event == Event::initialize) {
            initialized[record.task] = step.told;
            continue;
        }
        if (record.event == Event::freed) {
            handles.erase(record.task);
            initialized.erase(record.task);
            continue;
        }
        if (record.event == Event::cancel) {
            if (const auto use = handles.find(record.task); use != handles.end())
                uses_[use->second].cancel_tried = true;
            continue;
        }
        if (record.event == Event::passed_on) {
            if (auto use = handles.extract(record.other)) {
                handles[record.task] = use.mapped();
            }
            continue;
        }
        if (step.finishes) {
            const auto found = names.find(record.task);
            if (found == names.end())
                continue;
            step.at->use = found->second;
            names.erase(found);
            RequestUse &use = uses_[step.at->use];
            use.cancelled = (record.detail & record::kCancelled) != 0;
            use.completed = !use.cancelled;
            if (use.kind != record::Kind::receive && &names == &own)
                use.bytes = record.other;
            if (use.completed && use.kind == record::Kind::receive) {
                // MPICH 4.0 leaves the status of MPI_Isendrecv() empty.
                use.peer = use.peer == record::kAny ? record::peer_of(record.other) : use.peer;
                use.tag = use.tag == record::kAny ? record::tag_of(record.other) : use.tag;
            }
            continue;
        }
        // Uses of the handle may be lost before this.
        if (&names == &handles && static_cast<Time>(record.time) < known_from)
            continue;
        if (record.event == Event::start_of) {
            const auto found = initialized.find(record.other);
            if (found == initialized.end())
                continue;
            step.told = found->second;
        } else if (&names == &handles) {
            initialized.erase(record.task); // a persistent request was freed unnoticed
        }
        step.at->use = static_cast<Index>(uses_.size());
        uses_.push_back(step.told);
        names[record.task] = step.at->use;
    }
    // Nobody knows whether such a receive took a message.
    for (RequestUse &use : uses_)
        if (use.cancel_tried && !use.completed && !use.cancelled &&
            use.kind == record::Kind::receive)
            use.peer = record::kAny;
}

} // namespace loomp::analysis
