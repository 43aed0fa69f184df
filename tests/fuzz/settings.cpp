// Fuzzes the reading of settings: no environment makes it crash or hang, each value is within its
// bounds, and each wrong one is reported. Input: an environment as in /proc/PID/environ, NAME=value
// with a zero byte between two of them.
#include "runtime/core/environment/settings.h"

#include <algorithm>
#include <cstring>

#include "fuzz/environment.h"
#include "profiler/format/detail.h"
#include "runtime/abi/api/buffers.h"
#include "runtime/core/environment/settings_table.h"
#include "runtime/core/environment/settings_text.h"
#include "runtime/core/team/affinity_format.h"

namespace {

using namespace loomp;
using namespace loomp::core;
using fuzz::require;

std::vector<std::string> variables_of(std::string_view input) {
    std::vector<std::string> variables;
    for (std::size_t at = 0; at <= input.size();) {
        const std::size_t end = std::min(input.find('\0', at), input.size());
        variables.emplace_back(input.substr(at, end - at));
        at = end + 1;
    }
    return variables;
}

/// Returns null if it is not there.
const char *value_of(const std::vector<std::string> &variables, std::string_view name) {
    for (const std::string &variable : variables)
        if (variable.size() > name.size() && variable.starts_with(name) &&
            variable[name.size()] == '=')
            return variable.c_str() + name.size() + 1;
    return nullptr;
}

/// True if the variable is a list of places that may take long to read. The fuzzer of places has
/// such lists.
bool may_be_long(const std::string &variable) {
    const std::string_view name = std::string_view(variable).substr(0, variable.find('='));
    return (name.find("PLACES") != name.npos || name.find("AFFINITY") != name.npos) &&
           fuzz::has_long_number(variable);
}

std::vector<std::string> shown(const Settings &settings) {
    std::vector<std::string> values;
    for (const Setting &setting : setting_rows())
        values.push_back(setting.show(settings));
    return values;
}

/// Requires the promises of ParseSetting and Setting::show. True: the value is taken as it is.
bool check_value(const Setting &setting, ParseSetting parse, const char *value,
                 ProgramInterface interface) {
    const fuzz::KeepsMachine machine;
    Settings settings;
    settings.interface = interface;
    set_defaults(settings);
    const std::vector<std::string> before = shown(settings);
    std::string why;
    if (!parse(settings, trimmed(value), why)) {
        require(shown(settings) == before, "a refused value changes nothing", setting.name);
        return false;
    }
    fuzz::require_bounds(settings);
    const bool taken = why.empty();
    const std::string text = setting.show(settings);
    // KMP_AFFINITY may stand for places only.
    if (parse == setting.parse) {
        Settings again;
        again.interface = interface;
        set_defaults(again);
        require(setting.parse(again, text, why), "what is shown can be read", text);
        require(setting.show(again) == text, "what is shown is read as it was", text);
    }
    return taken;
}

void check_values(const std::vector<std::string> &variables, ProgramInterface interface,
                  const std::string &messages) {
    for (const Setting &setting : setting_rows())
        if (const char *value = value_of(variables, setting.name))
            if (!check_value(setting, setting.parse, value, interface))
                require(messages.find(std::string(setting.name) + "=") != std::string::npos,
                        "a wrong value is reported", setting.name);
    for (const ForeignSetting &foreign : foreign_rows())
        if (const char *value = value_of(variables, foreign.name))
            for (const Setting &setting : setting_rows())
                if (std::strcmp(setting.name, foreign.stands_for) == 0)
                    check_value(setting, foreign.parse, value, interface);
}

/// LOOMP_TRACE_DETAIL, which the recorder reads itself.
void check_details(std::string_view names) {
    std::string_view wrong;
    const std::uint32_t details = record::details_of(names, wrong);
    require(details != 0 || names.empty() || names.find(wrong) != names.npos,
            "a wrong detail is named", names);
    require((details & ~(record::kAllDetails | record::kDeletions)) == 0, "details are known",
            names);
}

/// The affinity format goes into buffers of the program's.
void check_affinity_format(const std::string &format, std::size_t size) {
    if (format.size() > 1024) // each field may take 4 KiB
        return;
    const AffinityValues values = {.host = "node7", .thread_affinity = "0-3,5"};
    const std::string text = expand_affinity_format(format, values);
    require(text.size() <= 4096 * (format.size() + 1), "a format's text is bounded", format);
    std::vector<char> buffer(size); // AddressSanitizer knows its end
    require(abi::to_buffer(text, buffer.data(), size) == text.size(), "the length is returned");
    require(size == 0 || text.starts_with(buffer.data()), "a buffer has the text's begin", text);
    require(abi::to_fortran(text, buffer.data(), size) == text.size(), "the length is returned");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::vector<std::string> variables =
        variables_of({reinterpret_cast<const char *>(data), size});
    if (std::any_of(variables.begin(), variables.end(), may_be_long))
        return -1; // and no input to make others of
    std::vector<const char *> environment;
    for (const std::string &variable : variables)
        environment.push_back(variable.c_str());
    environment.push_back(nullptr);
    for (const ProgramInterface interface : fuzz::kInterfaces) {
        std::string messages;
        {
            const fuzz::KeepsMachine machine;
            load_settings(environment.data(), interface);
            messages = fuzz::take_messages();
            fuzz::require_bounds(settings());
            require(!format_env(true).empty(), "settings can be shown");
            check_affinity_format(settings().affinity_format, size % 300);
            check_details(variables[0]);
            adopt_settings(variables[0]);
            fuzz::require_bounds(settings());
        }
        check_values(variables, interface, messages);
        fuzz::take_messages();
    }
    return 0;
}
