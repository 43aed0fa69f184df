#include "profiler/recording/requests.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace loomp::analysis {

namespace {

using record::Event;
using record::Record;

struct Step {
    std::uint64_t time; ///< orders the steps
    const Record *record;
    RequestRecord *at;
    RequestUse told; ///< of a started or initialized request
    bool finishes;
};

bool is_request(Event event) {
    return event == Event::initialize || event == Event::start || event == Event::start_of ||
           event == Event::finish;
}

/// The steps of one thread. Its records get a place in `places`.
class Steps {
  public:
    explicit Steps(std::vector<Step> &steps) : steps_(steps) {}

    void add(std::span<const Record> records, std::vector<RequestRecord> &places) {
        places.reserve(static_cast<std::size_t>(
            std::count_if(records.begin(), records.end(),
                          [](const Record &of) { return is_request(of.event); })));
        for (std::size_t i = 0; i < records.size(); ++i)
            add(records[i], i, places);
    }

  private:
    void add(const Record &of, std::size_t index, std::vector<RequestRecord> &places) {
        switch (of.event) {
        case Event::enter_call:
            function_ = of.detail;
            break;
        case Event::envelope:
            envelope_ = {.communicator = static_cast<std::uint32_t>(of.other),
                         .peer = record::peer_of(of.task),
                         .tag = record::tag_of(of.task)};
            break;
        case Event::completions:
            began_ = of.other;
            break;
        case Event::initialize:
        case Event::start:
        case Event::start_of:
        case Event::finish: {
            RequestUse told = envelope_;
            told.kind = static_cast<record::Kind>(of.detail & record::kKindMask);
            told.function = function_;
            told.bytes = of.other;
            const bool finishes = of.event == Event::finish;
            const bool found = finishes && (of.detail & record::kOwn) == 0;
            places.push_back({index, kNone});
            steps_.push_back({found ? began_ : of.time, &of, &places.back(), told, finishes});
            break;
        }
        default:
            break;
        }
    }

    std::vector<Step> &steps_;
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
    std::vector<Step> steps;
    for (std::size_t i = 0; i < threads_.size(); ++i)
        Steps(steps).add(process.threads[i].records, threads_[i]);
    std::sort(steps.begin(), steps.end(), [](const Step &a, const Step &b) {
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
    for (Step &step : steps) {
        const Record &of = *step.record;
        for (; next_break != breaks.end() && *next_break <= step.time; ++next_break)
            handles.clear();
        auto &names = (of.detail & record::kOwn) != 0 ? own : handles;
        if (of.event == Event::initialize) {
            initialized[of.task] = step.told;
            continue;
        }
        if (step.finishes) {
            const auto found = names.find(of.task);
            if (found == names.end())
                continue;
            step.at->use = found->second;
            names.erase(found);
            RequestUse &use = uses_[step.at->use];
            use.cancelled = (of.detail & record::kCancelled) != 0;
            if (use.kind == record::Kind::receive) {
                use.peer = record::peer_of(of.other);
                use.tag = record::tag_of(of.other);
            }
            continue;
        }
        // Uses of the handle may be lost before this.
        if (&names == &handles && static_cast<Time>(of.time) < known_from)
            continue;
        if (of.event == Event::start_of) {
            const auto found = initialized.find(of.other);
            if (found == initialized.end())
                continue;
            step.told = found->second;
        }
        step.at->use = static_cast<Index>(uses_.size());
        uses_.push_back(step.told);
        names[of.task] = step.at->use;
    }
}

} // namespace loomp::analysis
