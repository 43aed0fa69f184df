// GNU ABI: the error directive at execution time. Its lines are libgomp's to the letter: programs'
// own test-suites look for them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "abi/export.h"

namespace {

/// `length`: of Fortran's text; all ones for a C string.
void print(const char *severity, const char *text, std::size_t length) {
    char line[1024];
    const int shown = length == ~std::size_t{0} ? -1 // up to its end
                                                : static_cast<int>(std::min(length, sizeof line));
    const int n =
        std::snprintf(line, sizeof line, "\nlibgomp: %serror directive encountered%s%.*s\n",
                      severity, text != nullptr ? ": " : "", shown, text != nullptr ? text : "");
    if (n > 0)
        (void)!write(STDERR_FILENO, line, std::min(static_cast<std::size_t>(n), sizeof line - 1));
}

} // namespace

LOOMP_EXPORT void GOMP_warning(const char *text, std::size_t length) { print("", text, length); }
LOOMP_EXPORT void GOMP_error(const char *text, std::size_t length) {
    print("fatal error: ", text, length);
    std::exit(EXIT_FAILURE);
}
