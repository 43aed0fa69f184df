// Inputs for the fuzzers to begin with: seeds DIR writes DIR/recording/* and, of the same
// recordings, DIR/archive/*. They have what the analysis knows of each kind. text_seeds.h has the
// others.
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "fuzz/sections.h"
#include "fuzz/text_seeds.h"
#include "loomp/omp-tools.h"
#include "profiler/archive/archive.h"
#include "profiler/format/functions.h"

namespace {

namespace fs = std::filesystem;
using namespace loomp;
using record::Event;
using record::Kind;
using record::Record;
using record::task_name;

using Records = std::vector<Record>;

std::uint32_t of(Kind kind, std::uint32_t flags = 0) {
    return static_cast<std::uint32_t>(kind) | flags;
}

/// A thread with an implicit task that creates `tasks` tasks, each after the one before, and runs
/// half of them.
Records tasks(std::uint32_t thread, std::uint32_t count) {
    const std::uint64_t self = task_name(thread, record::kNoNumber - 1);
    Records records = {{100, self, 0, ompt_task_implicit, Event::implicit_begin}};
    std::uint64_t time = 200;
    for (std::uint32_t i = 1; i <= count; ++i) {
        const std::uint64_t task = task_name(thread, i);
        records.push_back({time += 10, task, 0x400000 + i % 2 * 64,
                           ompt_task_explicit | i % 3 << record::kLabelShift, Event::create});
        records.push_back({time, task, 64, ompt_dependence_type_inout, Event::dependence});
        records.push_back({time, task, 128 + i, ompt_dependence_type_in, Event::dependence});
        records.push_back({time, task, 192, ompt_dependence_type_inoutset, Event::dependence});
    }
    for (std::uint32_t i = 1; i <= count; i += 2) {
        const std::uint64_t task = task_name(thread, i);
        const std::uint32_t how = i == 1 ? ompt_task_yield : ompt_task_switch;
        records.push_back({time += 10, self, task, ompt_task_switch, Event::schedule});
        records.push_back({time += 10, task, self, how, Event::schedule});
        records.push_back({time += 10, self, task, ompt_task_switch, Event::schedule});
        records.push_back({time += 10, task, self, i == 3 ? ompt_task_detach : ompt_task_complete,
                           Event::schedule});
        if (i == 3)
            records.push_back({time += 10, task, 0, ompt_task_late_fulfill, Event::schedule});
    }
    records.push_back({time + 10, self, 0, 0, Event::implicit_end});
    return records;
}

/// MPI calls of each kind, to and from `peer`.
Records messages(std::uint32_t thread, std::uint32_t peer) {
    const std::uint64_t self = task_name(thread, record::kNoNumber - 1);
    const auto envelope = [&](std::uint64_t time, std::uint32_t tag) {
        return Record{time, record::pack(peer, tag), 1, 0, Event::envelope};
    };
    return {{100, self, 0, ompt_task_implicit, Event::implicit_begin},
            {110, 0, 0, 1, Event::enter_call},
            envelope(115, 7),
            {115, 1, 0, of(Kind::send, record::kOwn), Event::start},
            {120, 1, 64, record::kOwn, Event::finish},
            {120, 0, 0, 1, Event::leave_call},
            {130, 0, 0, 2, Event::enter_call},
            envelope(135, record::kAny),
            {135, 77, 64, of(Kind::receive), Event::start},
            {136, 0, 0, 2, Event::leave_call},
            {140, 0, 0, 3, Event::enter_call},
            {150, 0, 140, 0, Event::completions},
            {150, 77, record::pack(peer, 7), 0, Event::finish},
            {151, 0, 0, 3, Event::leave_call},
            envelope(160, 0),
            {160, 78, 8, of(Kind::collective), Event::start},
            {170, 0, 165, 0, Event::completions},
            {170, 78, 0, 0, Event::finish},
            envelope(180, 1),
            {180, 79, 8, of(Kind::synchronous_send), Event::initialize},
            {181, 80, 79, 0, Event::start_of},
            {190, 0, 185, 0, Event::completions},
            {190, 80, 0, record::kCancelled, Event::finish},
            {200, self, 0, 0, Event::implicit_end}};
}

std::string file_of(std::uint32_t thread, const Records &records) {
    const record::Header header{.thread = thread};
    std::string file(reinterpret_cast<const char *>(&header), sizeof header);
    file.append(reinterpret_cast<const char *>(records.data()), records.size() * sizeof(Record));
    return file + std::string(sizeof(Record), '\0');
}

std::string info(int rank) {
    return "rank " + std::to_string(rank) +
           "\nhost node\nruntime loomp\nclock 50 1700000000000000000\n" + "clock-name node-" +
           std::to_string(rank) + "\noffset 60 5 1\noffset 500 6 1\n";
}

std::string contents(const fs::path &file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

using Files = std::array<std::string, fuzz::kRecordingFiles>;

void write(const fs::path &folder, const std::string &name, const Files &files) {
    static constexpr const char *kNames[fuzz::kProcessFiles] = {
        record::kInfoFile, record::kCommunicatorsFile, record::kLabelsFile, "thread-1", "thread-2"};
    std::ofstream(folder / "recording" / name, std::ios::binary) << fuzz::join(files);
    const fs::path raw = folder / "raw";
    for (std::size_t i = 0; i < files.size(); ++i) {
        const fs::path process = raw / (i < fuzz::kProcessFiles ? "process-1" : "process-2");
        fs::create_directories(process);
        std::ofstream(process / kNames[i % fuzz::kProcessFiles], std::ios::binary) << files[i];
    }
    analysis::write_archive(analysis::open_recording(raw), raw);
    const fs::path archive = raw / "traces";
    std::ofstream(folder / "archive" / name, std::ios::binary) << fuzz::join<fuzz::kArchiveFiles>(
        {contents(raw / analysis::kArchive), contents(raw / "traces.def"),
         contents(archive / "0.def"), contents(archive / "0.evt"), contents(archive / "1.evt")});
    fs::remove_all(raw);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::cerr << "usage: seeds DIR\n";
        return 2;
    }
    const fs::path folder = argv[1];
    fuzz::write_text_seeds(folder);
    fs::create_directories(folder / "archive");
    fs::create_directories(folder / "recording");
    const std::string world = "1 0 1\n2 0 / 1\n";
    const std::string labels = "1 first label\n2 second\n";
    write(folder, "tasks",
          {info(0), "", labels, file_of(1, tasks(1, 6)), file_of(2, tasks(2, 2)), info(1), "",
           labels, file_of(1, tasks(1, 3)), file_of(2, {})});
    write(folder, "messages",
          {info(0), world, "", file_of(1, messages(1, 1)), file_of(2, messages(2, 1)), info(1),
           world, "", file_of(1, messages(1, 0)), file_of(2, tasks(2, 2))});
    return 0;
}
