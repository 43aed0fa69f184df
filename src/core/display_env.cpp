// OMP_DISPLAY_ENV and omp_display_env() (OpenMP 5.2, 18.15, 21.7).
#include <cstdio>
#include <string>
#include <unistd.h>

#include "core/runtime.h"
#include "core/settings.h"

namespace loomp::core {

void display_env(bool verbose) {
    std::string text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202111'\n";
    for (const SettingView &view : describe_settings()) {
        if (!view.is_openmp && !verbose)
            continue;
        text += std::string("  [host] ") + view.name + " = '" + view.value + "'\n";
    }
    text += "OPENMP DISPLAY ENVIRONMENT END\n";
    (void)!write(STDERR_FILENO, text.data(), text.size());
}

} // namespace loomp::core
