// What a research build (CMake option LOOMP_RESEARCH) can switch off or exchange, to measure what
// each part of the discovery of task graphs is worth (Pereira's thesis, tables 6.3 and 6.4, figure
// 6.6): LOOMP_RESEARCH=WORD[,WORD...]. In other builds all of it is constant, and costs nothing.
//
//   keep-duplicate-edges   a task may have several edges to one predecessor (without (b))
//   no-redirects           m tasks and n successors of them have m * n edges (without (c))
//   hash=golden            the table's hash is one multiplication
//   hash=low-bits          it is the address, of which the low bits count
//   discover-first         nothing runs until the creator of tasks waits. For programs with one
//                          creator, whose other threads run what it created
#pragma once

#include <atomic>
#include <cstdint>

#include "core/base/common.h"

namespace loomp::core {

enum class ResearchHash : std::uint8_t { folded, golden, low_bits };

struct Research {
    bool keeps_duplicate_edges = false;
    bool no_redirects = false;
    bool discovers_first = false;
    ResearchHash hash = ResearchHash::folded;
};

#if defined(LOOMP_RESEARCH) && LOOMP_RESEARCH
inline constexpr bool kResearchBuild = true;
/// Set once at start.
LOOMP_HIDDEN extern Research research;
#else
inline constexpr bool kResearchBuild = false;
inline constexpr Research research{};
#endif
/// Reads the environment. A word that is none of these gets a line, as all of them do in other
/// builds.
void apply_research_switches();

/// With discover-first: the creator of tasks has not begun to wait since it created one.
LOOMP_HIDDEN extern std::atomic<bool> discovering;

} // namespace loomp::core
