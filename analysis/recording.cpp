#include "analysis/recording.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace loomp::analysis {

namespace fs = std::filesystem;

MappedFile::MappedFile(const fs::path &path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    struct stat status = {};
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        const auto size = static_cast<std::size_t>(status.st_size);
        void *data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data != MAP_FAILED) {
            data_ = static_cast<const std::byte *>(data);
            size_ = size;
        }
    }
    close(file);
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

MappedFile::~MappedFile() {
    if (data_ != nullptr)
        munmap(const_cast<std::byte *>(data_), size_);
}

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

/// The records of a thread's file; reports what is wrong with it.
std::span<const record::Record> records_in(const MappedFile &file, const fs::path &path,
                                           std::vector<std::string> &problems) {
    const auto bytes = file.bytes();
    record::Header header;
    if (bytes.size() < sizeof header) {
        problems.push_back(path.string() + ": too short for a recording");
        return {};
    }
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic != record::kMagic) {
        problems.push_back(path.string() + ": no recording of loomp's");
        return {};
    }
    if (header.version != record::kVersion) {
        problems.push_back(path.string() + ": format " + std::to_string(header.version) +
                           ", and this loomp reads " + std::to_string(record::kVersion));
        return {};
    }
    // Mapped at a page's beginning, so aligned.
    const auto *first = reinterpret_cast<const record::Record *>(bytes.data() + sizeof header);
    const std::span all(first, (bytes.size() - sizeof header) / sizeof(record::Record));
    const auto end = std::find_if(all.begin(), all.end(), [](const record::Record &of) {
        return of.event == record::Event::none;
    });
    return all.first(static_cast<std::size_t>(end - all.begin()));
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
            Time monotonic = 0;
            Time real = 0;
            if (words >> monotonic >> real)
                process.to_real = real - monotonic;
        }
        if (key == record::kClockNameKey)
            std::getline(words, process.clock_name);
        if (key == record::kOffsetKey) {
            ClockOffset measured{};
            if (words >> measured.at >> measured.offset)
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

RecordedProcess read_process(const fs::path &folder, std::vector<std::string> &problems) {
    RecordedProcess process;
    process.folder = folder;
    process.pid = number_after(folder.filename(), record::kProcessPrefix);
    read_info(process);
    read_communicators(process);
    read_labels(process);
    for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
        const long number = number_after(entry.path().filename(), record::kThreadPrefix);
        if (number < 1)
            continue;
        MappedFile file(entry.path());
        const auto records = records_in(file, entry.path(), problems);
        process.threads.push_back({static_cast<std::uint32_t>(number), std::move(file), records});
    }
    std::sort(process.threads.begin(), process.threads.end(),
              [](const auto &a, const auto &b) { return a.number < b.number; });
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
    return recording;
}

} // namespace loomp::analysis
