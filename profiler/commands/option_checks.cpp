#include "profiler/commands/option_checks.h"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>

#include <fmt/core.h>

#include "profiler/format/detail.h"
#include "profiler/format/format.h"

namespace loomp::cli {

namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

/// Checks that `text` is a number from `low` to `high`; `expected` describes it in the message.
CLI::Validator number(double low, double high, const std::string &expected) {
    return {[=](const std::string &text) -> std::string {
                double value = 0;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), value);
                const bool whole = error == std::errc() && end == text.data() + text.size();
                if (whole && value >= low && value <= high)
                    return {};
                return fmt::format("'{}' is not {}", text, expected);
            },
            ""};
}

} // namespace

std::string positive_number(const std::string &text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && value > 0)
        return {};
    return fmt::format("'{}' is no number of threads: 1 or more is needed", text);
}

std::string size_to_keep(std::string &text) {
    constexpr std::string_view units = "KMGT";
    std::uint64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    unsigned shift = 0;
    if (!unit.empty()) {
        const auto known = units.find(static_cast<char>(std::toupper(unit.front())));
        shift = known == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(known) + 1);
        unit.remove_prefix(shift == 0 ? 0 : 1);
    }
    if (error != std::errc() || !(unit.empty() || unit == "B" || unit == "iB") ||
        size > (std::numeric_limits<std::uint64_t>::max() >> shift))
        return fmt::format("'{}' is no size such as 64M", text);
    size <<= shift;
    if (size < 2 * record::kPieceSize)
        return fmt::format("{} are too few bytes to keep: 2M is the least", text);
    text = std::to_string(size);
    return {};
}

CLI::Validator count_of(const std::string &what, unsigned most) {
    return {[=](const std::string &text) -> std::string {
                unsigned value = 0;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), value);
                const bool whole = error == std::errc() && end == text.data() + text.size();
                if (whole && value > 0 && value <= most)
                    return {};
                return fmt::format("'{}' is no number of {} from 1 to {}", text, what, most);
            },
            ""};
}

CLI::Validator between(double low, double high, const std::string &unit) {
    return number(low, high, fmt::format("a number from {:.15g} to {:.15g} {}", low, high, unit));
}
CLI::Validator not_negative() { return number(0, kLargest, "a number of at least 0"); }

CLI::Validator count() {
    return {[](const std::string &text) -> std::string {
                std::size_t value = 0;
                const auto [end, error] =
                    std::from_chars(text.data(), text.data() + text.size(), value);
                if (error == std::errc() && end == text.data() + text.size())
                    return {};
                return fmt::format("'{}' is not a whole number of at least 0", text);
            },
            ""};
}

std::string names_of_details(const std::string &text) {
    std::string_view wrong;
    if (record::details_of(text, wrong) != 0)
        return {};
    return fmt::format("'{}' is none of {}", wrong, record::kDetailHelp);
}

} // namespace loomp::cli
