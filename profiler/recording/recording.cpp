#include "profiler/recording/recording.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <unordered_set>

#include "loomp/omp-tools.h"
#include "profiler/trace/intervals.h"

namespace loomp::analysis {

namespace fs = std::filesystem;

namespace {

using record::Event;
using record::Record;

/// The number after `prefix`, or -1.
long number_after(const std::string &name, const std::string &prefix) {
    if (!name.starts_with(prefix))
        return -1;
    long value = -1;
    const char *begin = name.data() + prefix.size();
    const char *end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(begin, end, value);
    return error == std::errc() && stop == end && value >= 0 ? value : -1;
}

/// True if there is no record, or one that the recorder did not write.
bool is_end(const record::Record &record) {
    return record.event == record::Event::none ||
           record.time > static_cast<std::uint64_t>(Clock::kMost);
}

/// Reads the records of a thread's file and reports its damage.
std::span<const record::Record> records_in(const MappedFile &file, const fs::path &path,
                                           std::vector<std::string> &problems) {
    const auto bytes = file.bytes();
    record::Header header;
    if (bytes.empty() && !file.problem().empty()) {
        problems.push_back(path.string() + ": " + file.problem() + ": what it had is left out");
        return {};
    }
    if (bytes.size() < sizeof header) {
        problems.push_back(path.string() + ": cut off: too short for a recording");
        return {};
    }
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic != record::kMagic) {
        problems.push_back(path.string() + ": no recording of loomp's");
        return {};
    }
    if (!record::is_readable(header.version)) {
        problems.push_back(
            path.string() + ": a recording of format " + std::to_string(header.version) +
            ", and this loomp reads formats " + std::to_string(record::kOldestVersion) + " to " +
            std::to_string(record::kVersion) + ": the loomp that recorded it is needed");
        return {};
    }
    // Mapped at the beginning of a page, so aligned.
    const auto *first = reinterpret_cast<const record::Record *>(bytes.data() + sizeof header);
    const std::span all(first, (bytes.size() - sizeof header) / sizeof(record::Record));
    const auto end = std::find_if(all.begin(), all.end(), is_end);
    if (end == all.end() && (bytes.size() - sizeof header) % sizeof(record::Record) != 0)
        problems.push_back(path.string() + ": cut off within record " +
                           std::to_string(all.size() + 1));
    if (end != all.end() && end->event != record::Event::none)
        problems.push_back(path.string() + ": damaged: what follows record " +
                           std::to_string(end - all.begin()) + " is left out");
    return all.first(static_cast<std::size_t>(end - all.begin()));
}

/// Reads a time of a process' clock and its offset to another, up to `most`. False if they are
/// impossible.
bool read_offset(std::istream &words, ClockOffset &found, Time most = Clock::kMost) {
    const auto within = [](Time time, Time bound) { return -bound < time && time < bound; };
    return words >> found.at >> found.offset && within(found.at, Clock::kMost) &&
           within(found.offset, most);
}

/// A ring's records in order, without those that begin pieces. Records before a missing piece are
/// dropped.
void gather(RecordedThread &thread) {
    constexpr std::size_t kRecords = record::kPieceSize / sizeof(Record);
    const auto bytes = thread.file.bytes();
    // Mapped at the beginning of a page, so aligned.
    const std::span all(reinterpret_cast<const Record *>(bytes.data()),
                        bytes.size() / sizeof(Record));
    std::map<std::uint64_t, std::span<const Record>> pieces;
    for (std::size_t at = 0; at < all.size(); at += kRecords) {
        const Record &head = all[at];
        if (head.event == record::Event::piece && head.other == record::kMagic &&
            record::is_readable(head.detail))
            pieces[head.task] = all.subspan(at + 1, std::min(kRecords, all.size() - at) - 1);
    }
    std::uint64_t before = 0;
    for (const auto &[number, records] : pieces) {
        const auto end = std::find_if(records.begin(), records.end(), is_end);
        if (number != before + 1)
            thread.gathered.clear();
        if (thread.gathered.empty() && number > 1 && !records.empty())
            thread.known_from = static_cast<Time>(records.front().time);
        before = number;
        thread.gathered.insert(thread.gathered.end(), records.begin(), end);
    }
    thread.records = thread.gathered;
    if (thread.gathered.empty())
        thread.known_from = std::numeric_limits<Time>::min();
}

/// Stops and starts alternate, beginning with a stop.
void read_switch(RecordedProcess &process, bool stops, std::istringstream &words) {
    std::vector<Interval> &pauses = process.pauses;
    Time time = 0;
    if (!(words >> time) || time < 0 || time >= Clock::kMost)
        return;
    const Time latest = pauses.empty()                ? 0
                        : pauses.back().end == kNever ? pauses.back().begin
                                                      : pauses.back().end;
    if (time < latest)
        return;
    const bool stopped = !pauses.empty() && pauses.back().end == kNever;
    if (stops && !stopped)
        pauses.push_back({time, kNever});
    if (!stops && stopped)
        pauses.back().end = time;
}

void read_info(RecordedProcess &process) {
    std::ifstream file(process.folder / record::kInfoFile);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string key;
        words >> key >> std::ws;
        if (key == record::kHostKey)
            std::getline(words, process.host);
        if (key == record::kRuntimeKey)
            std::getline(words, process.runtime);
        if (key == record::kRankKey)
            words >> process.rank;
        if (key == record::kClockKey) {
            ClockOffset measured{};
            if (read_offset(words, measured, 2 * Clock::kMost)) { // since 1970
                process.began = measured.at;
                process.to_real = measured.offset - measured.at;
            }
        }
        if (Time time = 0; (key == record::kLoadedKey || key == record::kEndedKey) &&
                           words >> time && time >= 0 && time < Clock::kMost)
            (key == record::kLoadedKey ? process.loaded : process.ended) = time;
        if (key == record::kDevicesKey)
            process.device_records.emplace_back();
        if (long pid = 0; key == record::kForkedKey && words >> pid)
            process.forked.push_back(pid);
        if (key == record::kStopKey || key == record::kStartKey)
            read_switch(process, key == record::kStopKey, words);
        if (std::string name; key == record::kCounterKey && words >> name)
            process.counters.push_back(name);
        if (key == record::kClockNameKey)
            std::getline(words, process.clock_name);
        if (key == record::kOffsetKey) {
            ClockOffset measured{};
            if (read_offset(words, measured))
                process.offsets.push_back(measured);
        }
    }
}

void read_communicators(RecordedProcess &process) {
    std::ifstream file(process.folder / record::kCommunicatorsFile);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        RecordedCommunicator made{};
        if (!(words >> made.number))
            continue;
        std::vector<long> *ranks = &made.members;
        std::string word;
        while (words >> word) {
            if (word == "/")
                ranks = &made.remote;
            else
                ranks->push_back(number_after(word, ""));
        }
        process.communicators.push_back(std::move(made));
    }
}

void read_labels(RecordedProcess &process) {
    std::ifstream file(process.folder / record::kLabelsFile);
    std::string line;
    while (std::getline(file, line)) {
        std::size_t number = 0;
        const char *const end = line.data() + line.size();
        const auto [blank, error] = std::from_chars(line.data(), end, number);
        if (error != std::errc() || blank == end || number == 0 || number > record::kMostLabels)
            continue;
        process.labels.resize(std::max(process.labels.size(), number));
        process.labels[number - 1].assign(blank + 1, end);
    }
}

/// Messages of the recorder that could not be printed.
void read_messages(const RecordedProcess &process, std::vector<std::string> &problems) {
    std::ifstream file(process.folder / record::kMessagesFile);
    constexpr std::string_view kPrefix = "loomp: ";
    for (std::string line; std::getline(file, line);)
        problems.push_back(process.folder.string() + ": " +
                           line.substr(line.starts_with(kPrefix) ? kPrefix.size() : 0));
}

bool tells_of_something(const record::Record &record) {
    return record.event != record::Event::implicit_begin &&
           record.event != record::Event::implicit_end;
}

/// Reports a program that never wanted to be recorded.
void check_pauses(const RecordedProcess &process, std::vector<std::string> &problems) {
    if (process.pauses.size() != 1 || process.pauses.front().end != kNever)
        return;
    const auto begin = static_cast<std::uint64_t>(process.pauses.front().begin);
    for (const RecordedThread &thread : process.threads)
        for (const record::Record &record : thread.records)
            if (record.time < begin && tells_of_something(record))
                return;
    problems.push_back(process.folder.string() +
                       ": nothing is recorded: the program has not called loomp_record_start(), "
                       "which --paused waits for");
}

/// True for a completion of a request, or of a task whose code has ended, and for a deletion.
bool completes(const Record &record) {
    return record.event == Event::completions || record.event == Event::finish ||
           record.event == Event::deleted ||
           (record.event == Event::schedule && record.detail == ompt_task_late_fulfill);
}

/// True for the begin and end of a thread's initial task, in which OpenMP's runtime first sees it.
bool is_initial(const Record &record) {
    return (record.event == Event::implicit_begin || record.event == Event::implicit_end) &&
           (record.detail & ompt_task_initial) != 0;
}

/// A thread that only finds completions for others' tasks, such as a polling thread of a runtime,
/// is not the program's. The first thread reports its findings.
void fold_helpers(RecordedProcess &process) {
    std::vector<Record> found;
    const auto is_helper = [](const RecordedThread &recorded) {
        return std::any_of(recorded.records.begin(), recorded.records.end(), completes) &&
               std::all_of(recorded.records.begin(), recorded.records.end(),
                           [](const Record &record) {
                               return completes(record) || is_initial(record) ||
                                      record.event == Event::counters;
                           });
    };
    for (std::size_t i = process.threads.size(); i > 1; --i) {
        const RecordedThread &recorded = process.threads[i - 1];
        if (!is_helper(recorded))
            continue;
        std::copy_if(recorded.records.begin(), recorded.records.end(), std::back_inserter(found),
                     completes);
        process.threads.erase(process.threads.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    }
    if (found.empty())
        return;
    // A group is one `completions` record, or another one, with the finish records that follow it.
    std::vector<std::span<const Record>> groups;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].event != Event::finish || groups.empty())
            groups.push_back(std::span(found).subspan(i, 1));
        else
            groups.back() = {groups.back().data(), groups.back().size() + 1};
    std::stable_sort(groups.begin(), groups.end(),
                     [](auto a, auto b) { return a.front().time < b.front().time; });
    RecordedThread &first = process.threads.front();
    std::vector<Record> all;
    all.reserve(first.records.size() + found.size());
    auto group = groups.begin();
    for (const Record &record : first.records) {
        // Records of one group stay together.
        const Event before = all.empty() ? Event::none : all.back().event;
        const bool within = before == Event::envelope || before == Event::completions ||
                            before == Event::counters || record.event == Event::finish;
        for (; !within && group != groups.end() && group->front().time <= record.time; ++group)
            all.insert(all.end(), group->begin(), group->end());
        all.push_back(record);
    }
    for (; group != groups.end(); ++group)
        all.insert(all.end(), group->begin(), group->end());
    first.gathered = std::move(all);
    first.records = first.gathered;
}

bool is_of_device(const Record &record) {
    return record.event >= Event::target_begin && record.event <= Event::device_end;
}

/// Device records belong to no thread. Threads with no other records make calls for tasks and are
/// not the program's.
void take_device_records(RecordedProcess &process) {
    if (process.device_records.empty())
        return;
    process.device_records.clear();
    for (std::size_t i = process.threads.size(); i > 0; --i) {
        const std::span<const Record> records = process.threads[i - 1].records;
        std::vector<Record> found;
        std::copy_if(records.begin(), records.end(), std::back_inserter(found), is_of_device);
        if (found.empty())
            continue;
        process.device_records.push_back(std::move(found));
        const bool only = std::all_of(records.begin(), records.end(), [](const Record &record) {
            return is_of_device(record) || completes(record) || is_initial(record) ||
                   record.event == Event::counters;
        });
        if (!only || process.threads.size() == 1)
            continue;
        // Its other completions stay, like a helper's.
        std::vector<Record> &rest = process.threads[i - 1].gathered;
        std::vector<Record> kept;
        std::copy_if(records.begin(), records.end(), std::back_inserter(kept), completes);
        rest = std::move(kept);
        process.threads[i - 1].records = rest;
        if (rest.empty())
            process.threads.erase(process.threads.begin() + static_cast<std::ptrdiff_t>(i) - 1);
    }
}

/// Threads that create nothing and only run target tasks, which others have created.
void find_stand_ins(RecordedProcess &process) {
    if (process.device_records.empty())
        return;
    std::unordered_set<std::uint64_t> target_tasks;
    for (const RecordedThread &thread : process.threads)
        for (const Record &record : thread.records)
            if (record.event == Event::create && (record.detail & ompt_task_target) != 0)
                target_tasks.insert(record.task);
    for (std::size_t i = 1; i < process.threads.size(); ++i) {
        std::unordered_set<std::uint64_t> runs = target_tasks; // and its own implicit task
        runs.insert(0);
        bool any = false;
        const auto may_be = [&](const Record &record) {
            if (record.event == Event::implicit_begin)
                runs.insert(record.task);
            if (record.event == Event::schedule && !completes(record)) {
                any = any || target_tasks.contains(record.other);
                return runs.contains(record.other);
            }
            return completes(record) || is_initial(record) || is_of_device(record) ||
                   record.event == Event::counters;
        };
        const std::span<const Record> records = process.threads[i].records;
        process.threads[i].stands_in = std::all_of(records.begin(), records.end(), may_be) && any;
    }
    std::stable_partition(process.threads.begin(), process.threads.end(),
                          [](const RecordedThread &recorded) { return !recorded.stands_in; });
}

RecordedProcess read_process(const fs::path &folder, std::vector<std::string> &problems) {
    RecordedProcess process;
    process.folder = folder;
    process.pid = number_after(folder.filename(), record::kProcessPrefix);
    read_info(process);
    read_communicators(process);
    read_labels(process);
    for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
        const long ring = number_after(entry.path().filename(), record::kRingPrefix);
        if (ring >= 1) {
            process.threads.push_back(
                {static_cast<std::uint32_t>(ring), MappedFile(entry.path()), {}, {}});
            gather(process.threads.back());
            continue;
        }
        const long number = number_after(entry.path().filename(), record::kThreadPrefix);
        if (number < 1)
            continue;
        MappedFile file(entry.path());
        const auto records = records_in(file, entry.path(), problems);
        process.threads.push_back(
            {static_cast<std::uint32_t>(number), std::move(file), records, {}});
    }
    std::sort(process.threads.begin(), process.threads.end(),
              [](const auto &a, const auto &b) { return a.number < b.number; });
    check_pauses(process, problems);
    read_messages(process, problems);
    take_device_records(process);
    fold_helpers(process);
    find_stand_ins(process);
    return process;
}

/// Gives all processes one time; they are in the order of ranks. Processes that share a clock have
/// one offset. Clocks that were not compared with rank 0's are assumed correct.
void align_clocks(std::vector<RecordedProcess> &processes) {
    const Time reference = processes.front().to_real;
    std::map<std::string, Clock> clocks;
    for (const RecordedProcess &process : processes)
        if (!process.offsets.empty())
            clocks.try_emplace(
                process.clock_name,
                Clock(process.offsets.front(), process.offsets.back()).shifted(reference));
    for (RecordedProcess &process : processes)
        process.clock =
            clocks.try_emplace(process.clock_name, Clock(process.to_real)).first->second;
}

std::string remark_on_forks(const std::filesystem::path &folder, const RecordedProcess &process) {
    // Removes a slash at the end of the name.
    const std::filesystem::path name = folder.has_filename() ? folder : folder.parent_path();
    const std::size_t count = process.forked.size();
    std::string line = "process " + std::to_string(process.pid) + " has forked " +
                       std::to_string(count) + (count == 1 ? " that has" : " others that have") +
                       " run OpenMP, too: what " + (count == 1 ? "it" : "these") + " did is in " +
                       name.string() + record::kForkedSuffix + std::to_string(process.forked[0]);
    if (count > 1)
        line += " and " + std::to_string(count - 1) + " more folders of such names";
    return line;
}

} // namespace

std::vector<Interval> RecordedProcess::gaps_of(const RecordedThread &thread) const {
    std::vector<Interval> gaps = pauses;
    gaps.push_back({std::min(began, thread.known_from), thread.known_from});
    return unite(std::move(gaps));
}

Recording open_recording(const fs::path &folder) {
    Recording recording;
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
        if (number_after(entry.path().filename(), record::kProcessPrefix) >= 0)
            recording.processes.push_back(read_process(entry.path(), recording.problems));
    if (error)
        throw std::runtime_error(folder.string() + ": " + error.message());
    std::erase_if(recording.processes, [](const RecordedProcess &process) {
        return std::all_of(process.threads.begin(), process.threads.end(),
                           [](const RecordedThread &thread) { return thread.records.empty(); });
    });
    if (recording.processes.empty())
        throw std::runtime_error(
            folder.string() + ": nothing is recorded there: " +
            (recording.problems.empty()
                 ? "no MPI call was made, and no parallel region ran, or its OpenMP runtime did "
                   "not take the recorder as its tool (libgomp takes none: without --stock, loomp "
                   "stands in for it; a tool of the program's own comes before the recorder)"
                 : recording.problems.front()));
    const auto order = [](const RecordedProcess &process) {
        return std::tuple(process.rank < 0, process.rank, process.pid);
    };
    std::sort(recording.processes.begin(), recording.processes.end(),
              [&](const auto &a, const auto &b) { return order(a) < order(b); });
    align_clocks(recording.processes);
    for (const RecordedProcess &process : recording.processes)
        if (!process.forked.empty())
            recording.remarks.push_back(remark_on_forks(folder, process));
    return recording;
}

} // namespace loomp::analysis
