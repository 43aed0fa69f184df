#include "runtime/core/environment/settings.h"

#include <cstring>
#include <unistd.h>

namespace loomp::core {

std::string format_env(bool verbose) {
    std::string text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202111'\n";
    for (const SettingView &view : describe_settings()) {
        if (!view.is_openmp && !verbose)
            continue;
        text += std::string("  [host] ") + view.name + " = '" + view.value + "'\n";
    }
    return text + "OPENMP DISPLAY ENVIRONMENT END\n";
}

/// Formats the settings like libomp's list.
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
