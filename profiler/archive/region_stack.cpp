#include "profiler/archive/region_stack.h"

namespace loomp::analysis::archive {

void RegionStack::leave_for_now(EventWriter &events, std::size_t from) const {
    for (std::size_t i = regions.size(); i > from; --i)
        events.leave_suspended(regions[i - 1]);
}

void RegionStack::enter_again(EventWriter &events, std::size_t from) const {
    for (std::size_t i = from; i < regions.size(); ++i)
        events.enter_suspended(regions[i]);
}

void RegionStack::end(EventWriter &events, std::size_t at) {
    leave_for_now(events, at + 1);
    events.leave(regions[at]);
    erase(at);
    enter_again(events, at);
}

} // namespace loomp::analysis::archive
