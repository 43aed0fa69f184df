#include "profiler/recorder/labels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "profiler/recorder/recorder.h"

namespace loomp::record {

namespace {

std::mutex numbering; ///< guards the following
/// Never destroyed, because threads may create tasks until the process ends.
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

/// A thread uses few labels repeatedly, mostly from the same addresses. The text at an address may
/// change, though.
struct Known {
    std::string text;
    std::uint32_t number = 0;
};
constexpr std::size_t kKnown = 16;
thread_local Known known_texts[kKnown];

} // namespace

std::uint32_t number_of_label(const char *text) {
    const auto address = reinterpret_cast<std::uintptr_t>(text);
    Known &known = known_texts[(address ^ address >> 4 ^ address >> 8) % kKnown];
    if (known.number == 0 || known.text != text) {
        known.text = text;
        known.number = number_of(text);
    }
    return known.number;
}

std::mutex &lock_of_labels() { return numbering; }

void forget_labels() {
    const std::lock_guard guard(numbering);
    numbers.clear();
    for (Known &known : known_texts)
        known = {};
    next = 0;
}

std::uint32_t take_label() { return next == 0 ? 0 : std::exchange(next, 0); }

} // namespace loomp::record

/// loomp_task_label() calls this.
extern "C" LOOMP_SHARED void loomp_record_label(const char *label) {
    using namespace loomp::record;
    next = label == nullptr ? 0 : number_of_label(label);
}
