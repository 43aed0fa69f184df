#include "profiler/recording/device_work.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "loomp/omp-tools.h"

namespace loomp::analysis {

namespace {

using record::DeviceWork;
using record::Event;
using record::Record;

constexpr Time kBytesPerNs = 64;
constexpr Time kLongCall = 100'000; // ns

struct Operation {
    DeviceWork what;
    Time begin;
    Time returned = kNever;
    std::uint64_t bytes = 0;
    std::uint32_t device = 0;

    bool is_done_by_call() const {
        const Time took = returned - begin;
        return what == DeviceWork::kernel ? took >= kLongCall
                                          : took * kBytesPerNs >= static_cast<Time>(bytes);
    }
};

struct Construct {
    std::uint64_t task = 0;
    std::uint64_t address = 0;
    std::uint32_t device = 0;
    Time returned = kNever;
    Time completed = kNever;
    std::vector<Operation> operations; ///< in the order of the requests
};

class Reader {
  public:
    explicit Reader(const RecordedProcess &process) : process_(process) {
        for (const std::vector<Record> &thread : process.device_records)
            read(thread);
        end_with_tasks();
    }

    std::vector<DeviceRecord> work() {
        for (auto &[name, of] : constructs_)
            if (!of.operations.empty())
                add(of);
        for (Construct &construct : alone_)
            add(construct);
        find_rows();
        return std::move(found_);
    }

  private:
    void read(const std::vector<Record> &thread) {
        std::vector<std::pair<std::uint64_t, Operation>> open;
        for (const Record &record : thread) {
            const auto time = static_cast<Time>(record.time);
            switch (record.event) {
            case Event::target_begin:
                constructs_[record.task].address = record.other;
                constructs_[record.task].device = record::device_of(record.detail);
                break;
            case Event::target_of:
                constructs_[record.task].task = record.other;
                break;
            case Event::target_end:
                constructs_[record.task].returned = time;
                break;
            case Event::target_completed:
                constructs_[record.task].completed = time;
                break;
            case Event::device_begin:
                open.push_back({record.task,
                                {.what = static_cast<DeviceWork>(record::kind_of(record.detail)),
                                 .begin = time,
                                 .bytes = record.other,
                                 .device = record::device_of(record.detail)}});
                break;
            case Event::device_end:
                if (open.empty())
                    break;
                open.back().second.returned = time;
                close(open.back().first, open.back().second);
                open.pop_back();
                break;
            default:
                break;
            }
        }
    }

    /// Runtime routines that the program calls have no construct.
    void close(std::uint64_t construct, const Operation &operation) {
        if (construct != 0)
            constructs_[construct].operations.push_back(operation);
        else
            alone_.push_back({.device = operation.device,
                              .completed = operation.returned,
                              .operations = {operation}});
    }

    /// Some runtimes do not report when a construct's work is done: then its target task's end
    /// counts.
    void end_with_tasks() {
        std::unordered_map<std::uint64_t, Time> ends;
        for (const auto &[name, of] : constructs_)
            if (of.completed == kNever && !of.operations.empty())
                ends.emplace(of.task, kNever);
        if (ends.empty())
            return;
        std::unordered_map<std::uint64_t, Time> found;
        for (const RecordedThread &thread : process_.threads)
            for (const Record &record : thread.records) {
                if (record.event == Event::create && (record.detail & ompt_task_target) != 0 &&
                    ends.contains(record.task))
                    found.emplace(record.task, kNever);
                if (record.event == Event::schedule &&
                    (record.detail == ompt_task_complete ||
                     record.detail == ompt_task_late_fulfill) &&
                    ends.contains(record.task))
                    ends[record.task] = static_cast<Time>(record.time);
            }
        for (auto &[name, of] : constructs_) {
            if (of.completed != kNever)
                continue;
            of.completed = of.returned;
            const auto end = ends.find(of.task);
            if (found.contains(of.task) && end->second != kNever && of.returned != kNever)
                of.completed = std::max(of.returned, end->second);
        }
    }

    void add(Construct &construct) {
        std::vector<Operation> &all = construct.operations;
        std::sort(all.begin(), all.end(),
                  [](const Operation &a, const Operation &b) { return a.begin < b.begin; });
        Time end = construct.completed == kNever ? 0 : construct.completed;
        for (const Operation &operation : all)
            end = std::max(end, operation.returned);
        Time from = all.front().begin;
        for (std::size_t i = 0; i < all.size();) {
            from = std::max(from, all[i].begin);
            if (all[i].what == DeviceWork::kernel && !all[i].is_done_by_call()) {
                put(construct, all[i], from, end);
                for (++i; i < all.size(); ++i)
                    put(construct, all[i], end, end);
                break;
            }
            if (all[i].is_done_by_call()) {
                put(construct, all[i], from, std::max(from, all[i].returned));
                from = std::max(from, all[i].returned);
                ++i;
                continue;
            }
            // Copies that continue after their calls, up to the next request of another sort.
            std::size_t behind = i;
            std::uint64_t bytes = 0;
            while (behind < all.size() && all[behind].what != DeviceWork::kernel &&
                   !all[behind].is_done_by_call())
                bytes += all[behind++].bytes;
            const Time until = behind < all.size() ? std::max(from, all[behind].begin) : end;
            const auto share = static_cast<double>(until - from) / static_cast<double>(bytes);
            for (; i < behind; ++i) {
                const Time next =
                    i + 1 == behind
                        ? until
                        : from + static_cast<Time>(share * static_cast<double>(all[i].bytes));
                put(construct, all[i], from, next);
                from = next;
            }
        }
    }

    void put(const Construct &construct, const Operation &operation, Time begin, Time end) {
        const bool kernel = operation.what == DeviceWork::kernel;
        found_.push_back({begin, end, operation.returned - operation.begin, operation.bytes,
                          construct.task, construct.address,
                          kernel ? construct.device : operation.device, constructs_added_,
                          operation.what});
        if (&operation == &construct.operations.back())
            ++constructs_added_;
    }

    /// Each construct goes to the first free row of its device.
    void find_rows() {
        struct Extent {
            Time begin = kNever;
            Time end = 0;
            std::uint32_t device = 0;
            std::uint32_t row = 0;
        };
        std::vector<Extent> extents(constructs_added_);
        for (const DeviceRecord &record : found_) {
            Extent &extent = extents[record.row];
            extent.begin = std::min(extent.begin, record.begin);
            extent.end = std::max(extent.end, record.end);
            extent.device = record.device;
        }
        std::vector<Extent *> order;
        order.reserve(extents.size());
        for (Extent &extent : extents)
            order.push_back(&extent);
        std::sort(order.begin(), order.end(),
                  [](const Extent *a, const Extent *b) { return a->begin < b->begin; });
        std::map<std::uint32_t, std::vector<Time>> rows; // per device: when each row becomes free
        for (Extent *extent : order) {
            std::vector<Time> &times = rows[extent->device];
            const auto free = std::find_if(times.begin(), times.end(),
                                           [&](Time until) { return until <= extent->begin; });
            extent->row = static_cast<std::uint32_t>(free - times.begin());
            if (free == times.end())
                times.push_back(extent->end);
            else
                *free = extent->end;
        }
        for (DeviceRecord &record : found_)
            record.row = extents[record.row].row;
        std::stable_sort(
            found_.begin(), found_.end(), [](const DeviceRecord &a, const DeviceRecord &b) {
                return std::tie(a.device, a.row, a.begin) < std::tie(b.device, b.row, b.begin);
            });
    }

    const RecordedProcess &process_;
    std::map<std::uint64_t, Construct> constructs_;
    std::vector<Construct> alone_;
    std::vector<DeviceRecord> found_; ///< `row` holds the construct until all are found
    std::uint32_t constructs_added_ = 0;
};

} // namespace

std::vector<DeviceRecord> device_work(const RecordedProcess &process) {
    return process.device_records.empty() ? std::vector<DeviceRecord>() : Reader(process).work();
}

} // namespace loomp::analysis
