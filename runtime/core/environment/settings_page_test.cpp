// Checks that docs/settings.md matches the table of settings. After a change of the table, run this
// test with LOOMP_WRITE_PAGES=1, which writes the page.
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

#include "runtime/core/environment/settings.h"
#include "runtime/core/environment/settings_table.h"

namespace loomp::core {
namespace {

const char *const kPage = LOOMP_SOURCE_DIR "/docs/settings.md";

/// Escapes text for a cell of a table.
std::string escaped(const std::string &text) {
    std::string out;
    for (const char c : text) {
        if (c == '|')
            out += '\\';
        out += c;
    }
    return out;
}

std::string row(const Setting &setting, const Settings &defaults) {
    const std::string value = setting.show(defaults);
    const std::string shown = setting.default_note != nullptr ? std::string(setting.default_note)
                              : value.empty()                 ? std::string("-")
                                                              : "`" + value + "`";
    return "| `" + std::string(setting.name) + "` | " + escaped(setting.doc) + " | " +
           escaped(setting.expected) + " | " + escaped(shown) + " |\n";
}

void add_table(std::string &page, bool of_openmp) {
    Settings defaults;
    set_defaults(defaults);
    page += "| variable | what it sets | values | default |\n| --- | --- | --- | --- |\n";
    for (const Setting &setting : setting_rows())
        if ((std::string(setting.name).rfind("OMP_", 0) == 0) == of_openmp)
            page += row(setting, defaults);
}

std::string make_page() {
    std::string page =
        "# Settings\n\n"
        "Settings are environment variables, read once: at the start, or, in programs that ask\n"
        "for libomp, at the first use of OpenMP. A bad value gives one line on stderr and the\n"
        "default. `loomp info` shows each value and where it came from, and `loomp info "
        "--verbose`\n"
        "what it means. `runtime/core/environment/settings_table.cpp` has all of them; this page "
        "is "
        "made\n"
        "from it.\n\n## loomp's own\n\n";
    add_table(page, false);
    page += "\n## OpenMP's\n\nThose of OpenMP 5.2, which describes them in full.\n\n";
    add_table(page, true);
    page += "\n## Other names\n\nOther runtimes' variables count where the variable in the second "
            "column is not set.\n\n"
            "| variable | stands for | values |\n| --- | --- | --- |\n";
    for (const ForeignSetting &foreign : foreign_rows())
        page += "| `" + std::string(foreign.name) + "` | `" + foreign.stands_for + "` | " +
                escaped(foreign.expected) + " |\n";
    return page;
}

TEST(SettingsPage, IsWhatTheTableSays) {
    const std::string wanted = make_page();
    if (std::getenv("LOOMP_WRITE_PAGES") != nullptr)
        std::ofstream(kPage) << wanted;
    std::ostringstream page;
    page << std::ifstream(kPage).rdbuf();
    EXPECT_EQ(page.str(), wanted) << "LOOMP_WRITE_PAGES=1 writes docs/settings.md anew";
}

} // namespace
} // namespace loomp::core
