#include "core/environment/display_env.h"

#include <cstring>
#include <unistd.h>

#include "core/environment/settings.h"

namespace loomp::core {

namespace {

std::string line(const std::string &device, const char *name, const std::string &value) {
    return "  [" + device + "] " + name + " = '" + value + "'\n";
}

std::string device_name(int device) {
    switch (device) {
    case DeviceValue::kAnyDevice:
        return "device";
    case DeviceValue::kAll:
        return "all";
    default:
        return "device " + std::to_string(device);
    }
}

} // namespace

std::string format_env(bool verbose) {
    std::string text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202111'\n";
    for (const SettingView &view : describe_settings()) {
        if (!view.is_openmp && !verbose)
            continue;
        text += line("host", view.name, view.value);
        for (const DeviceValue &given : settings().device_values)
            if (std::strcmp(given.name, view.name) == 0)
                text += line(device_name(given.device), given.name, given.value);
    }
    return text + "OPENMP DISPLAY ENVIRONMENT END\n";
}

/// As libomp lists them.
std::string format_effective() {
    std::string text = "\nUser settings:\n\n";
    for (const SettingView &view : describe_settings())
        if (view.origin.rfind("environment", 0) == 0)
            text += "   " + std::string(view.name) + "=" + view.value + "\n";
    text += "\nEffective settings:\n\n";
    for (const SettingView &view : describe_settings()) {
        const bool is_places = std::strcmp(view.name, "OMP_PLACES") == 0;
        text += "   " + std::string(view.name) + "='" +
                (is_places ? settings().places : view.value) + "'\n";
    }
    return text + "\n";
}

void display_env(bool verbose) {
    const std::string text =
        settings().display_env == DisplayEnv::effective ? format_effective() : format_env(verbose);
    (void)!write(STDERR_FILENO, text.data(), text.size());
}

} // namespace loomp::core
