#include "analysis/recording.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "analysis/intervals.h"

namespace loomp::analysis {

namespace fs = std::filesystem;

namespace {

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

/// None, or one that the recorder did not write.
bool is_end(const record::Record &of) {
    return of.event == record::Event::none || of.time > static_cast<std::uint64_t>(Clock::kMost);
}

/// The records of a thread's file; reports what is wrong with it.
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
    if (header.version != record::kVersion) {
        problems.push_back(path.string() + ": a recording of format " +
                           std::to_string(header.version) + ", and this loomp reads format " +
                           std::to_string(record::kVersion) +
                           ": the loomp that recorded it is needed");
        return {};
    }
    // Mapped at a page's beginning, so aligned.
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

/// A time of a process' clock, and its offset to another, up to `most`. False: none that can be.
bool read_offset(std::istream &words, ClockOffset &found, Time most = Clock::kMost) {
    const auto within = [](Time time, Time bound) { return -bound < time && time < bound; };
    return words >> found.at >> found.offset && within(found.at, Clock::kMost) &&
           within(found.offset, most);
}

/// A ring's, in order, without the records that begin pieces. What follows a piece that is missing
/// is what was recorded last.
void gather(RecordedThread &thread) {
    using record::Record;
    constexpr std::size_t kRecords = record::kPieceSize / sizeof(Record);
    const auto bytes = thread.file.bytes();
    // Mapped at a page's beginning, so aligned.
    const std::span all(reinterpret_cast<const Record *>(bytes.data()),
                        bytes.size() / sizeof(Record));
    std::map<std::uint64_t, std::span<const Record>> pieces;
    for (std::size_t at = 0; at < all.size(); at += kRecords) {
        const Record &head = all[at];
        if (head.event == record::Event::piece && head.other == record::kMagic &&
            head.detail == record::kVersion)
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

/// They take turns, beginning with a stop.
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
        if (key == record::kForkedKey)
            ++process.forked;
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
    std::size_t number = 0;
    std::string label;
    while (file >> number >> std::ws && std::getline(file, label))
        if (number == process.labels.size() + 1) // they are written in this order
            process.labels.push_back(label);
}

bool tells_of_something(const record::Record &of) {
    return of.event != record::Event::implicit_begin && of.event != record::Event::implicit_end;
}

/// A program that never wanted to be recorded.
void check_pauses(const RecordedProcess &process, std::vector<std::string> &problems) {
    if (process.pauses.size() != 1 || process.pauses.front().end != kNever)
        return;
    const auto begin = static_cast<std::uint64_t>(process.pauses.front().begin);
    for (const RecordedThread &thread : process.threads)
        for (const record::Record &of : thread.records)
            if (of.time < begin && tells_of_something(of))
                return;
    problems.push_back(process.folder.string() +
                       ": nothing is recorded: the program has not called loomp_record_start(), "
                       "which --paused waits for");
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
    return process;
}

/// One time for all processes, which are in the order of ranks. Those that share a clock have one
/// offset. Clocks that were not compared with rank 0's are taken as set right.
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
    std::erase_if(recording.processes, [](const RecordedProcess &of) {
        return std::all_of(of.threads.begin(), of.threads.end(),
                           [](const RecordedThread &thread) { return thread.records.empty(); });
    });
    if (recording.processes.empty())
        throw std::runtime_error(
            folder.string() + ": nothing is recorded there: " +
            (recording.problems.empty()
                 ? "no MPI call was made, and no OpenMP runtime with a tool interface began "
                   "(libgomp has none: without --stock, loomp takes its place)"
                 : recording.problems.front()));
    const auto order = [](const RecordedProcess &of) {
        return std::tuple(of.rank < 0, of.rank, of.pid);
    };
    std::sort(recording.processes.begin(), recording.processes.end(),
              [&](const auto &a, const auto &b) { return order(a) < order(b); });
    align_clocks(recording.processes);
    for (const RecordedProcess &process : recording.processes)
        if (process.forked > 0)
            recording.remarks.push_back("process " + std::to_string(process.pid) + " has forked " +
                                        std::to_string(process.forked) +
                                        (process.forked == 1 ? " that has" : " others that have") +
                                        " run OpenMP, too: what these did is not recorded");
    return recording;
}

} // namespace loomp::analysis
