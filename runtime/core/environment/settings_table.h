// The rows of the table of settings. Only settings.cpp and tests use it; everybody else reads
// settings() or describe_settings().
#pragma once

#include <span>
#include <string>

namespace loomp::core {

struct Settings;

/// Reads a value into its field. False: nothing changed, and `why` may say what is wrong. True with
/// a `why`: something else than what was asked for.
using ParseSetting = bool (*)(Settings &, const std::string &text, std::string &why);

struct Setting {
    const char *name;
    ParseSetting parse;
    std::string (*show)(const Settings &); ///< so that parse() reads it back
    const char *expected;                  ///< what a right value is
    const char *doc;
    bool per_device; ///< its ICV has device scope: OMP_X_ALL, OMP_X_DEV and OMP_X_DEV_<n> are known
    const char *default_note = nullptr; ///< where a default comes from that is not plain
};

/// In the order of displays.
std::span<const Setting> setting_rows();

/// Another runtime's variable that means the same as one of ours, and counts where ours is not set.
struct ForeignSetting {
    const char *name;
    const char *stands_for;
    ParseSetting parse;
    const char *expected;
};

std::span<const ForeignSetting> foreign_rows();

/// Fields whose default is not a constant.
void set_defaults(Settings &settings);

} // namespace loomp::core
