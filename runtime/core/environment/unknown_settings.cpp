#include "runtime/core/environment/unknown_settings.h"

#include <climits>
#include <string>
#include <string_view>
#include <vector>

#include "platform/diagnostics.h"
#include "platform/near_name.h"
#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/settings_table.h"
#include "runtime/core/environment/settings_text.h"

namespace loomp::core {

namespace {

/// The command `loomp` informs its libraries with these variables.
constexpr std::string_view kOthers[] = {
    "LOOMP_LAYERS",    "LOOMP_TRACE_COUNTERS", "LOOMP_TRACE_CPU_TIME", "LOOMP_TRACE_DETAIL",
    "LOOMP_TRACE_DIR", "LOOMP_TRACE_LAST",     "LOOMP_TRACE_PAUSED"};

/// Sizes of libomp's tables, which loomp does not have. They are still checked: loomp reports a
/// value that libomp would refuse.
constexpr struct {
    std::string_view name;
    long low, high;
} kWithoutEffect[] = {{"KMP_DISP_NUM_BUFFERS", 1, 4096}};

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

/// Recognises OMP_X_ALL, OMP_X_DEV and OMP_X_DEV_<n> for a device setting OMP_X. Those with _DEV
/// have no effect, because only the host has such settings.
bool is_for_devices(std::string_view variable, const Setting &setting) {
    const std::string_view name = setting.name;
    if (!setting.per_device || !starts_with(variable, name))
        return false;
    const std::string_view suffix = variable.substr(name.size());
    return suffix == "_ALL" || suffix == "_DEV" || starts_with(suffix, "_DEV_");
}

bool is_known(std::string_view variable) {
    for (const Setting &setting : setting_rows())
        if (variable == setting.name || is_for_devices(variable, setting))
            return true;
    for (const ForeignSetting &foreign : foreign_rows())
        if (variable == foreign.name)
            return true;
    for (std::string_view other : kOthers)
        if (variable == other)
            return true;
    for (const auto &one : kWithoutEffect)
        if (variable == one.name)
            return true;
    return false;
}

/// Returns the names of settings that begin with `prefix`, without the prefix.
std::vector<std::string_view> settings_with(std::string_view prefix) {
    std::vector<std::string_view> names;
    for (const Setting &setting : setting_rows())
        if (starts_with(setting.name, prefix))
            names.push_back(std::string_view(setting.name).substr(prefix.size()));
    for (std::string_view other : kOthers)
        if (starts_with(other, prefix))
            names.push_back(other.substr(prefix.size()));
    return names;
}

/// Ways to misspell LOOMP_ itself. Other programs may have such variables, so the rest must be
/// right.
constexpr std::string_view kNearPrefixes[] = {"LOMP_", "LOOM_", "LOOPM_", "LLOMP_"};

/// Prints the name with LOOMP_ if only that part is misspelt.
bool guess_prefix(std::string_view variable) {
    for (const std::string_view near : kNearPrefixes) {
        if (!starts_with(variable, near))
            continue;
        const std::string meant = "LOOMP_" + std::string(variable.substr(near.size()));
        if (!is_known(meant))
            return false;
        warn("%s: unknown setting; did you mean %s?", std::string(variable).c_str(), meant.c_str());
        return true;
    }
    return false;
}

/// Prints the intended name if one is near enough.
bool guess(std::string_view variable) {
    for (std::string_view prefix : {std::string_view("OMP_"), std::string_view("LOOMP_")}) {
        if (!starts_with(variable, prefix))
            continue;
        const std::string_view meant =
            text::nearest_name(variable.substr(prefix.size()), settings_with(prefix));
        if (meant.empty())
            return false;
        warn("%s: unknown setting; did you mean %s%s?", std::string(variable).c_str(),
             std::string(prefix).c_str(), std::string(meant).c_str());
        return true;
    }
    return false;
}

} // namespace

const char *complaint_beginning(const Settings &settings) {
    return settings.interface == ProgramInterface::llvm ? "OMP: Warning #42: " : "loomp: ";
}

void check_without_effect(const Settings &settings, const char *const *environment) {
    for (; *environment != nullptr; ++environment) {
        const std::string_view entry = *environment;
        const std::string_view variable = entry.substr(0, entry.find('='));
        for (const auto &one : kWithoutEffect) {
            int value = 0;
            // An entry may lack the sign, because execve() accepts any text.
            if (variable != one.name || variable.size() == entry.size())
                continue;
            const std::string text(entry.substr(variable.size() + 1));
            if (!parse_int_in(text, one.low, one.high, value))
                warn_as(complaint_beginning(settings),
                        "%s: %s, which libomp takes from %ld to %ld; loomp needs none",
                        std::string(entry).c_str(),
                        parse_int_in(text, INT_MIN, one.low, value)    ? "too small"
                        : parse_int_in(text, one.high, INT_MAX, value) ? "too large"
                                                                       : "not a number",
                        one.low, one.high);
        }
    }
}

void tell_unknown_settings(const char *const *environment, bool all) {
    std::string ignored;
    for (; *environment != nullptr; ++environment) {
        const std::string_view entry = *environment;
        const std::string_view variable = entry.substr(0, entry.find('='));
        bool looks_like_one = false;
        for (const char *prefix : {"OMP_", "LOOMP_", "KMP_", "GOMP_"})
            looks_like_one |= starts_with(variable, prefix);
        if (!looks_like_one)
            guess_prefix(variable);
        if (!looks_like_one || is_known(variable) || guess(variable))
            continue;
        ignored.append(ignored.empty() ? "" : ", ").append(variable);
    }
    if (all && !ignored.empty())
        warn("ignored, as nothing here has that name: %s", ignored.c_str());
}

} // namespace loomp::core
