// GNU ABI: the error directive at execution time. Test suites of programs expect libgomp's exact
// lines.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "platform/export.h"
#include "runtime/core/task/tool.h"

namespace {

/// `length`: the length of Fortran's text; all ones for a C string.
void report(bool fatal, const char *text, std::size_t length, const void *codeptr) {
    const std::size_t bytes = text == nullptr             ? 0
                              : length == ~std::size_t{0} ? std::strlen(text)
                                                          : length;
    LOOMP_TOOL(error, fatal, text, bytes, codeptr);
    char line[1024];
    const int shown = length == ~std::size_t{0} ? -1 // print up to its end
                                                : static_cast<int>(std::min(length, sizeof line));
    const int n =
        std::snprintf(line, sizeof line, "\nlibgomp: %serror directive encountered%s%.*s\n",
                      fatal ? "fatal error: " : "", text != nullptr ? ": " : "", shown,
                      text != nullptr ? text : "");
    if (n > 0)
        (void)!write(STDERR_FILENO, line, std::min(static_cast<std::size_t>(n), sizeof line - 1));
}

} // namespace

LOOMP_EXPORT void GOMP_warning(const char *text, std::size_t length) {
    report(false, text, length, __builtin_return_address(0));
}
LOOMP_EXPORT void GOMP_error(const char *text, std::size_t length) {
    report(true, text, length, __builtin_return_address(0));
    std::exit(EXIT_FAILURE);
}
