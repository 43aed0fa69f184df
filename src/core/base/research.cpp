#include "core/base/research.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "core/base/diagnostics.h"

namespace loomp::core {

std::atomic<bool> discovering{false};

#if LOOMP_RESEARCH
Research research;
#endif

namespace {

bool apply(std::string_view word) {
#if LOOMP_RESEARCH
    if (word == "keep-duplicate-edges")
        research.keeps_duplicate_edges = true;
    else if (word == "no-redirects")
        research.no_redirects = true;
    else if (word == "discover-first")
        research.discovers_first = true;
    else if (word == "hash=golden")
        research.hash = ResearchHash::golden;
    else if (word == "hash=low-bits")
        research.hash = ResearchHash::low_bits;
    else
        return false;
    return true;
#else
    static_cast<void>(word);
    return false;
#endif
}

} // namespace

void apply_research_switches() {
    const char *value = std::getenv("LOOMP_RESEARCH");
    for (std::string_view rest = value != nullptr ? value : ""; !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view word = rest.substr(0, end);
        if (!word.empty() && !apply(word))
            warn(kResearchBuild ? "LOOMP_RESEARCH: '%.*s' is none of keep-duplicate-edges, "
                                  "no-redirects, hash=golden, hash=low-bits and discover-first"
                                : "LOOMP_RESEARCH: '%.*s' needs a research build (cmake "
                                  "-DLOOMP_RESEARCH=ON)",
                 static_cast<int>(word.size()), word.data());
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

} // namespace loomp::core
