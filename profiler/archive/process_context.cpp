#include "profiler/archive/process_context.h"

namespace loomp::analysis::archive {

std::uint32_t creator_of(std::uint64_t task, const std::vector<std::uint32_t> &positions) {
    const std::uint32_t number = record::thread_of(task);
    return number < positions.size() ? positions[number]
                                     : number + static_cast<std::uint32_t>(positions.size());
}

} // namespace loomp::analysis::archive
