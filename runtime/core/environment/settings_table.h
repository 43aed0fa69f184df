// The rows of the table of settings. Only settings.cpp and tests use it; other files call
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
    std::string (*show)(const Settings &); ///< formats the value so that parse() can read it
    const char *expected;                  ///< describes valid values
    const char *doc;
    bool per_device; ///< its ICV has device scope: OMP_X_ALL, OMP_X_DEV and OMP_X_DEV_<n> are known
    const char *default_note = nullptr; ///< explains a default that is not constant
    bool keeps_blanks = false;          ///< at both ends of the value
};

/// The order is that of displays.
std::span<const Setting> setting_rows();

/// Another runtime's variable with the meaning of one of ours; it applies if ours is not set.
struct ForeignSetting {
    const char *name;
    const char *stands_for;
    ParseSetting parse;
    const char *expected;
};

std::span<const ForeignSetting> foreign_rows();

/// Sets fields whose default is not a constant.
void set_defaults(Settings &settings);

} // namespace loomp::core
