#include "profiler/trace/clean_text.h"

#include <cstddef>
#include <cstdint>

namespace loomp::analysis {

namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0; ///< 0: the text does not begin with a character
};

/// Rejects overlong forms, surrogates and what is beyond Unicode.
Character first_of(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return {lead, 1};
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes)
        return {};
    std::uint32_t code = lead & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80)
            return {};
        code = code << 6 | (byte(i) & 0x3fU);
    }
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return code < kLeast[bytes] || surrogate || code > 0x10ffff ? Character{}
                                                                : Character{code, bytes};
}

} // namespace

std::string clean_text(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const Character character = first_of(text);
        const bool control =
            character.code < 0x20 || (character.code >= 0x7f && character.code < 0xa0);
        if (character.bytes == 0)
            clean += "\xef\xbf\xbd";
        else if (control)
            clean += ' ';
        else
            clean += text.substr(0, character.bytes);
        text.remove_prefix(character.bytes == 0 ? 1 : character.bytes);
    }
    return clean;
}

std::string clean_name(std::string_view text) {
    std::string clean = clean_text(text);
    if (clean.find_first_not_of(' ') == std::string::npos)
        return clean.empty() ? "(unnamed)" : "(blank)";
    return clean;
}

std::string shortened(const std::string &text, std::size_t most) {
    if (text.size() <= most)
        return text;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) // inside a character
        --end;
    return text.substr(0, end) + "...";
}

} // namespace loomp::analysis
