// Calls a function on another stack, so that the caller can continue before it returns. This is the
// machine part of running a new task at once (runtime/core/scheduling/work_first.h).
//
// In the usual case the function returns, and this is a call and a return. No context is restored,
// and the processor's return predictor stays right. Boost.Context has no such call; a pair of its
// switches mispredicts and costs three times as much.
#pragma once

namespace loomp::core {

#if defined(__x86_64__) || defined(__aarch64__)
inline constexpr bool kCanCallOnStack = true;
#else
inline constexpr bool kCanCallOnStack = false;
#endif

extern "C" {
/// Calls function(argument) with the stack pointer at `top` (aligned to 16) and returns 0 when it
/// returns. Before the call, *continuation is set to the argument for loomp_continue_caller().
__attribute__((visibility("hidden"))) int
loomp_call_on_stack(void (*function)(void *), void *argument, void *top, void **continuation);
/// Abandons the current stack and makes the call that set `continuation` return 1, on the calling
/// thread. The called function must never return afterwards.
[[noreturn]] __attribute__((visibility("hidden"))) void loomp_continue_caller(void *continuation);
}

} // namespace loomp::core
