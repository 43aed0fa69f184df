// Requests to valgrind, which runs a program on a processor of its own.
//
// A client request is a sequence of instructions that changes no register on a real processor; the
// valgrind manual documents the sequences and the numbers (The Client Request mechanism). They are
// here, not from valgrind's header, so that a build does not depend on whether that is installed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "platform/common.h"

namespace loomp::valgrind {

/// Returns valgrind's answer; without valgrind, and on machines that are not known here, 0.
LOOMP_INLINE std::uintptr_t request(std::uintptr_t number, std::uintptr_t first = 0,
                                    std::uintptr_t second = 0, std::uintptr_t third = 0,
                                    std::uintptr_t fourth = 0) {
    volatile std::uintptr_t words[6] = {number, first, second, third, fourth, 0};
    std::uintptr_t answer = 0;
#if defined(__x86_64__)
    asm volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
                 "xchgq %%rbx, %%rbx"
                 : "=d"(answer)
                 : "a"(&words[0]), "0"(answer)
                 : "cc", "memory");
#elif defined(__aarch64__)
    asm volatile("mov x3, %1; mov x4, %2\n\t"
                 "ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
                 "orr x10, x10, x10\n\t"
                 "mov %0, x3"
                 : "=r"(answer)
                 : "r"(answer), "r"(&words[0])
                 : "cc", "memory", "x3", "x4");
#else
    (void)words;
#endif
    return answer;
}

constexpr std::uintptr_t kRunningOn = 0x1001;
constexpr std::uintptr_t kRegisterStack = 0x1501;

/// Returns whether valgrind runs this program.
inline bool is_running() { return request(kRunningOn) != 0; }

/// Announces a stack, so that valgrind takes a jump to it for a switch and not for a large frame.
inline void announce_stack(const char *lowest, std::size_t size) {
    const auto address = reinterpret_cast<std::uintptr_t>(lowest);
    request(kRegisterStack, address, address + size - 1);
}

} // namespace loomp::valgrind
