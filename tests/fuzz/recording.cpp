// Fuzzes the reading of the recorder's folders, and what becomes of them: an archive, and a trace.
// Inputs: sections.h. Files are in a folder of the process' own under TMPDIR, best in memory.
#include "profiler/recording/recording.h"

#include <fstream>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

#include "fuzz/sections.h"
#include "fuzz/use.h"
#include "profiler/archive/archive.h"
#include "profiler/recording/communicators.h"
#include "profiler/recording/requests.h"

namespace {

namespace fs = std::filesystem;
using namespace loomp;

class Scratch {
  public:
    Scratch() : folder_(fs::temp_directory_path() / ("loomp-fuzz-" + std::to_string(getpid()))) {
        for (const char *process : {"process-1", "process-2"})
            fs::create_directories(folder_ / process);
    }
    ~Scratch() {
        std::error_code error;
        fs::remove_all(folder_, error);
    }
    const fs::path &folder() const { return folder_; }

  private:
    fs::path folder_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const Scratch scratch;
    static constexpr const char *kNames[fuzz::kProcessFiles] = {
        record::kInfoFile, record::kCommunicatorsFile, record::kLabelsFile, "thread-1", "thread-2"};
    const auto files = fuzz::split<fuzz::kRecordingFiles>(std::as_bytes(std::span(data, size)));
    for (std::size_t i = 0; i < files.size(); ++i) {
        const fs::path process = i < fuzz::kProcessFiles ? "process-1" : "process-2";
        std::ofstream(scratch.folder() / process / kNames[i % fuzz::kProcessFiles],
                      std::ios::binary)
            .write(reinterpret_cast<const char *>(files[i].data()),
                   static_cast<std::streamsize>(files[i].size()));
    }
    try {
        const analysis::Recording recording = analysis::open_recording(scratch.folder());
        const analysis::Communicators communicators(recording);
        for (const analysis::RecordedProcess &process : recording.processes)
            const analysis::Requests requests(process);
        // OTF2 fills and writes megabytes for the shortest archive: one of a few will do.
        const std::string_view text(reinterpret_cast<const char *>(data), size);
        if (std::hash<std::string_view>()(text) % 4 != 0)
            return 0;
        analysis::write_archive(recording, scratch.folder());
        fuzz::use(
            analysis::read_archive(scratch.folder() / analysis::kArchive, {.accesses = true}));
    } catch (const std::runtime_error &) {
        // The input is not a recording.
    }
    return 0;
}
