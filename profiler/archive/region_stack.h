// The regions that a thread or a task is in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <otf2/otf2.h>

#include "profiler/archive/event_writer.h"

namespace loomp::analysis::archive {

/// Nested regions, the innermost last. A region that the program names has a number, any other
/// kNoName.
struct RegionStack {
    static constexpr std::uint32_t kNoName = ~std::uint32_t{0};
    std::vector<OTF2_RegionRef> regions;
    std::vector<std::uint32_t> names;

    void push(OTF2_RegionRef region, std::uint32_t name) {
        regions.push_back(region);
        names.push_back(name);
    }
    void erase(std::size_t at) {
        regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(at));
        names.erase(names.begin() + static_cast<std::ptrdiff_t>(at));
    }

    /// Leaves the regions from a position on. Named regions may be entered again later; if no
    /// thread enters them, they ended here.
    void leave_for_now(EventWriter &events, std::size_t from) const;
    void enter_again(EventWriter &events, std::size_t from) const;
    /// Regions that began later inside the ended one continue: they are left and entered again.
    void end(EventWriter &events, std::size_t at);
};

} // namespace loomp::analysis::archive
