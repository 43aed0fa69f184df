// Archives that OTF2's library writes, as other tools do.
#pragma once

#include <filesystem>

#include <otf2/otf2.h>

namespace loomp::analysis {

/// Creates the archive `run` in a folder that does not exist yet, open for events. Null if it
/// cannot.
inline OTF2_Archive *open_for_events(const std::filesystem::path &folder) {
    OTF2_Archive *archive = OTF2_Archive_Open(folder.c_str(), "run", OTF2_FILEMODE_WRITE, 1 << 20,
                                              4 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == nullptr)
        return nullptr;
    static const OTF2_FlushCallbacks flush = {
        [](void *, OTF2_FileType, OTF2_LocationRef, void *, bool) {
            return static_cast<OTF2_FlushType>(OTF2_FLUSH);
        },
        nullptr};
    OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    return archive;
}

} // namespace loomp::analysis
