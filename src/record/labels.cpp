#include "record/labels.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "record/recorder.h"

namespace loomp::record {

namespace {

std::mutex numbering; ///< of what follows
/// Never destroyed: threads may create tasks until the process is gone.
auto &numbers = *new std::map<std::string, std::uint32_t, std::less<>>;

thread_local std::uint32_t next = 0;

std::uint32_t number_of(const char *label) {
    const std::lock_guard guard(numbering);
    if (const auto known = numbers.find(label); known != numbers.end())
        return known->second;
    if (numbers.size() == kMostLabels)
        return 0;
    const auto number = static_cast<std::uint32_t>(numbers.size() + 1);
    numbers.emplace(label, number);
    std::string line = std::to_string(number) + ' ' + label;
    std::replace(line.begin(), line.end(), '\n', ' ');
    line += '\n';
    append(kLabelsFile, line.data(), line.size());
    return number;
}

} // namespace

std::uint32_t take_label() { return next == 0 ? 0 : std::exchange(next, 0); }

} // namespace loomp::record

/// What loomp_task_label() calls.
extern "C" LOOMP_SHARED void loomp_record_label(const char *label) {
    using namespace loomp::record;
    // Most threads give few labels, again and again: the text behind an address may change, though.
    static thread_local std::string last;
    static thread_local std::uint32_t number = 0;
    if (label != nullptr && last != label) {
        last = label;
        number = number_of(label);
    }
    next = label == nullptr ? 0 : number;
}
