// Copies strings to the program's buffers, in C and in Fortran.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace loomp::abi {

/// Copies a string to a C buffer; returns its full length.
inline std::size_t to_buffer(const std::string &text, char *buffer, std::size_t size) {
    if (size > 0) {
        const std::size_t n = std::min(text.size(), size - 1);
        std::memcpy(buffer, text.data(), n);
        buffer[n] = '\0';
    }
    return text.size();
}

/// Copies to a Fortran character variable, padded with blanks; returns the text's full length.
inline std::size_t to_fortran(const std::string &text, char *buffer, std::size_t size) {
    if (size > 0) {
        const std::size_t n = std::min(text.size(), size);
        std::memcpy(buffer, text.data(), n);
        std::memset(buffer + n, ' ', size - n);
    }
    return text.size();
}

} // namespace loomp::abi
