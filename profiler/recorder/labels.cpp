#include "profiler/recorder/labels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "profiler/recorder/recorder.h"

namespace loomp::record {

namespace {

using Numbers = std::map<std::string, std::uint32_t, std::less<>>;

constinit std::mutex numbering; ///< guards the following
/// Made by the first label and never destroyed, because threads may create tasks until the process
/// ends.
constinit Numbers *numbers = nullptr;

constinit thread_local std::uint32_t next = 0;

/// A thread uses few labels repeatedly, mostly from the same addresses. The text at an address may
/// change, though.
struct Known {
    const char *text = nullptr; ///< a key of `numbers`
    std::uint32_t number = 0;
};
static_assert(std::is_trivially_destructible_v<Known>);
constexpr std::size_t kKnown = 16;
constinit thread_local Known known_texts[kKnown];

Known number_of(const char *label) {
    const std::lock_guard guard(numbering);
    if (numbers == nullptr)
        numbers = new Numbers;
    auto known = numbers->find(label);
    if (known == numbers->end()) {
        if (numbers->size() == kMostLabels)
            return {};
        const auto number = static_cast<std::uint32_t>(numbers->size() + 1);
        known = numbers->emplace(label, number).first;
        std::string line = std::to_string(number) + ' ' + label;
        std::replace(line.begin(), line.end(), '\n', ' ');
        line += '\n';
        append(kLabelsFile, line.data(), line.size());
    }
    return {known->first.c_str(), known->second};
}

} // namespace

std::uint32_t number_of_label(const char *text) {
    begin(); // OpenMP and MPI may begin later
    const auto address = reinterpret_cast<std::uintptr_t>(text);
    Known &known = known_texts[(address ^ address >> 4 ^ address >> 8) % kKnown];
    if (known.number == 0 || std::strcmp(known.text, text) != 0)
        known = number_of(text);
    return known.number;
}

std::mutex &lock_of_labels() { return numbering; }

void begin_childs_labels() {
    std::string text;
    {
        const std::lock_guard guard(numbering);
        for (Known &known : known_texts)
            known = {};
        if (numbers == nullptr)
            return;
        for (const auto &[label, number] : *numbers)
            if (number == next)
                text = label;
        numbers->clear();
    }
    next = text.empty() ? 0 : number_of_label(text.c_str());
}

std::uint32_t take_label() { return next == 0 ? 0 : std::exchange(next, 0); }

} // namespace loomp::record

/// loomp_task_label() calls this.
extern "C" LOOMP_SHARED void loomp_record_label(const char *label) {
    using namespace loomp::record;
    next = label == nullptr ? 0 : number_of_label(label);
}
