// Fuzzes the reading of OTF2 archives: no bytes in their files make it crash, hang or take more
// memory than they deserve. Inputs: sections.h.
#include "profiler/archive/archive.h"

#include <stdexcept>

#include "fuzz/sections.h"
#include "fuzz/use.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace loomp;
    const auto files = fuzz::split<fuzz::kArchiveFiles>(std::as_bytes(std::span(data, size)));
    const auto open = [&](const std::filesystem::path &path) {
        if (path.extension() == ".otf2")
            return analysis::MappedFile(files[0]);
        const std::string name = path.stem();
        if (path.extension() == ".def")
            return analysis::MappedFile(files[name == "traces" ? 1 : 2]);
        return analysis::MappedFile(files[3 + (name.back() - '0') % 2]);
    };
    try {
        fuzz::use(analysis::read_archive("traces.otf2", open, {.accesses = true}));
    } catch (const std::runtime_error &) {
        // The input is not an archive.
    }
    return 0;
}
