#include "runtime/core/suspension/fiber.h"

#include <boost/context/detail/fcontext.hpp>
#include <new>

namespace loomp::core {

namespace bc = boost::context::detail;

// The sanitizers' fiber interfaces, which are absent without a sanitizer.
extern "C" {
__attribute__((weak)) void *__tsan_get_current_fiber();
__attribute__((weak)) void *__tsan_create_fiber(unsigned flags);
__attribute__((weak)) void __tsan_switch_to_fiber(void *fiber, unsigned flags);
__attribute__((weak)) void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom,
                                                          std::size_t size);
__attribute__((weak)) void __asan_unpoison_memory_region(void const volatile *begin,
                                                         std::size_t size);
__attribute__((weak)) void
__sanitizer_finish_switch_fiber(void *fake_stack, const void **old_bottom, std::size_t *old_size);
}

namespace {

/// The saved context includes them on x86-64.
#if defined(__aarch64__)
constexpr bool kModesAreOurs = true;
#else
constexpr bool kModesAreOurs = false;
#endif

/// Passed with a switch: the context of the old stack, unless it is abandoned. For a new stack,
/// also the function to run there.
struct Passage {
    Context *from;
    void (*entry)(void *);
    void *argument;
};

/// Runs first after arrival: stores the position of the old stack for the side that left.
void arrive(const bc::transfer_t &t, void *fake_stack) {
    auto *passage = static_cast<Passage *>(t.data);
    const void *bottom = nullptr;
    std::size_t size = 0;
    if (__sanitizer_finish_switch_fiber != nullptr)
        __sanitizer_finish_switch_fiber(fake_stack, &bottom, &size);
    if (passage != nullptr && passage->from != nullptr) {
        passage->from->sp = t.fctx;
        passage->from->asan_bottom = bottom;
        passage->from->asan_size = size;
    }
}

/// Leaves `from` for a context, and returns when a switch comes back.
LOOMP_INLINE void jump(Context &from, bc::fcontext_t to, Passage &passage) {
    if constexpr (kModesAreOurs)
        from.modes.note();
    arrive(bc::jump_fcontext(to, &passage), from.asan_fake_stack);
    if constexpr (kModesAreOurs)
        from.modes.adopt();
}

LOOMP_ABANDONS_STACK void first_frame(bc::transfer_t t) {
    const Passage passage = *static_cast<Passage *>(t.data);
    arrive(t, nullptr);
    passage.entry(passage.argument);
    __builtin_unreachable();
}

} // namespace

bool stacks_are_unwatched() {
    return __tsan_switch_to_fiber == nullptr && __sanitizer_start_switch_fiber == nullptr;
}

void *current_tsan_fiber() {
    return __tsan_get_current_fiber != nullptr ? __tsan_get_current_fiber() : nullptr;
}

namespace {

/// Prepares a switch to `to`, where frames begin below `top`. AddressSanitizer stores its data of
/// the current stack at `fake_stack`; null: it may drop that data. Inline, because ThreadSanitizer
/// must not see a return between its switch and ours.
LOOMP_INLINE bc::fcontext_t prepare(Stack &to, char *top, void **fake_stack) {
    // The stack's last use abandoned its frames without returns, so their red zones still exist.
    if (__asan_unpoison_memory_region != nullptr)
        __asan_unpoison_memory_region(to.base, to.size());
    if (__sanitizer_start_switch_fiber != nullptr)
        __sanitizer_start_switch_fiber(fake_stack, to.base, to.size());
    if (__tsan_switch_to_fiber != nullptr) {
        if (to.tsan_fiber == nullptr)
            to.tsan_fiber = __tsan_create_fiber(0);
        __tsan_switch_to_fiber(to.tsan_fiber, 0);
    }
    return bc::make_fcontext(top, to.size(), first_frame);
}

} // namespace

LOOMP_NOINLINE void switch_to_new(Context &from, Stack &to, void (*entry)(void *), void *argument) {
    Passage passage{&from, entry, argument};
    from.tsan_fiber = current_tsan_fiber();
    jump(from, prepare(to, to.top, &from.asan_fake_stack), passage);
}

LOOMP_NOINLINE void switch_to(Context &from, Context &to) {
    Passage passage{&from, nullptr, nullptr};
    if (__sanitizer_start_switch_fiber != nullptr)
        __sanitizer_start_switch_fiber(&from.asan_fake_stack, to.asan_bottom, to.asan_size);
    if (__tsan_switch_to_fiber != nullptr) {
        from.tsan_fiber = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(to.tsan_fiber, 0);
    }
    jump(from, to.sp, passage);
}

void leave_to(Context &to) {
    // AddressSanitizer may free its data of this stack with this call, including local variables.
    if (__sanitizer_start_switch_fiber != nullptr)
        __sanitizer_start_switch_fiber(nullptr, to.asan_bottom, to.asan_size);
    if (__tsan_switch_to_fiber != nullptr)
        __tsan_switch_to_fiber(to.tsan_fiber, 0);
    bc::jump_fcontext(to.sp, nullptr);
    __builtin_unreachable();
}

void leave_to_new(Stack &to, void (*entry)(void *)) {
    // On the new stack, because AddressSanitizer frees the old stack's local variables with the
    // switch.
    constexpr std::size_t room = round_up(sizeof(Passage), 16);
    char *top = to.top - room;
    const bc::fcontext_t context = prepare(to, top, nullptr);
    bc::jump_fcontext(context, new (top) Passage{nullptr, entry, nullptr});
    __builtin_unreachable();
}

} // namespace loomp::core
