#include "runtime/core/process/hang_reporter.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>
#include <unistd.h>
#include <utility>

#include "platform/atomic.h"
#include "platform/clock.h"
#include "platform/diagnostics.h"
#include "platform/futex.h"
#include "platform/locks_at_fork.h"
#include "platform/node_names.h"
#include "platform/threads.h"
#include "runtime/core/environment/waiting_settings.h"
#include "runtime/core/process/hang_text.h"
#include "runtime/core/progress/hang.h"
#include "runtime/core/progress/poller.h"

namespace loomp::core {

namespace {

constexpr std::int64_t kBetweenLooks = 100'000'000;
/// Nothing is pending, and the program alone could end its waits: all threads have been idle for so
/// long.
constexpr std::int64_t kWarnAfter = 5'000'000'000;
/// So many looks an answer waits for that of other processes.
constexpr int kLooksForAnswer = 15;
constexpr int kSignals[] = {SIGQUIT, SIGTERM, SIGINT};

/// The thread's state. look_for_hang() moves it out of `asleep`, the thread itself out of `awake`.
enum State : std::uint32_t { not_started, awake, asleep };
Atomic<std::uint32_t> state{not_started};

Atomic<Poller *> observing_poller{nullptr};
Atomic<const HangObserver *> observer{nullptr};

/// The signal that waits for the report; 0: none does.
Atomic<int> signal_seen{0};

void on_signal(int signal) {
    // relaxed: the handler and the thread, which looks often, only exchange the number. Whoever
    // sends a second one does not want to wait.
    if (signal_seen.exchange(signal, std::memory_order_relaxed) != 0) {
        std::signal(signal, SIG_DFL);
        raise(signal);
    }
}

std::string what_openmp_awaits() {
    const std::string events = text_of_lost_events();
    const std::string locks = text_of_held_locks();
    return events + (events.empty() || locks.empty() ? "" : "\n") + locks;
}

bool has_handler(int signal, void (*handler)(int)) {
    struct sigaction current = {};
    return sigaction(signal, nullptr, &current) == 0 && (current.sa_flags & SA_SIGINFO) == 0 &&
           current.sa_handler == handler;
}

/// Sets the handlers of those signals that have the handler `before`.
void replace_handlers(void (*before)(int), void (*after)(int)) {
    struct sigaction action = {};
    action.sa_handler = after;
    action.sa_flags = SA_RESTART;
    for (const int signal : kSignals)
        if (has_handler(signal, before))
            sigaction(signal, &action, nullptr);
}

/// One suspicion, from its begin to its end. The thread's stack owns it.
class Suspicion {
  public:
    Suspicion() {
        poller_ = observing_poller.load(std::memory_order_acquire);
        observer_ = poller_ != nullptr ? observer.load(std::memory_order_relaxed) : nullptr;
        listen_for_questions();
        replace_handlers(SIG_DFL, on_signal);
    }
    ~Suspicion() {
        replace_handlers(on_signal, SIG_DFL);
        if (question_ >= 0)
            close(question_);
        if (listener_ >= 0)
            close(listener_);
        if (has_begun_)
            observer_->end(poller_->data);
    }
    Suspicion(const Suspicion &) = delete;
    Suspicion &operator=(const Suspicion &) = delete;

    /// Looks once, after all threads have been idle for so many nanoseconds.
    void look(std::int64_t idle) {
        idle_ = idle;
        if (is_observed() && !has_begun_)
            has_begun_ = call_in_place(*poller_, observer_->begin);
        if (is_observed() && has_begun_)
            observer_->look(poller_->data, static_cast<double>(idle) * 1e-9, others_pend() ? 1 : 0);
        else if (!is_observed())
            warn_if_hopeless();
        answer_question();
        answer_signal();
        if (question_ < 0 && listener_ >= 0)
            question_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (question_ >= 0 && !is_of_this_user(question_))
            close(std::exchange(question_, -1));
        pause_for(kBetweenLooks);
    }

  private:
    bool is_observed() const {
        // The library may have unregistered its poller.
        return observer_ != nullptr && observing_poller.load(std::memory_order_acquire) == poller_;
    }

    /// Operations that the observer does not know may end the waits.
    bool others_pend() const {
        return progress::pending.load(std::memory_order_relaxed) >
               poller_->pending.load(std::memory_order_relaxed);
    }

    void listen_for_questions() {
        const NodeAddress own = hang_address(getpid());
        listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (listener_ >= 0 &&
            (bind(listener_, own.get(), own.length()) != 0 || ::listen(listener_, 4) != 0)) {
            close(listener_);
            listener_ = -1;
        }
    }

    /// Warns once in a process, because a thread that is not OpenMP's may be right to take its
    /// time.
    void warn_if_hopeless() {
        const std::int64_t bound = waiting_settings().stuck_after;
        if (warned_ || idle_ < (anything_pending() ? bound : std::min(kWarnAfter, bound)))
            return;
        const std::string awaited = what_openmp_awaits();
        warned_ = !awaited.empty();
        if (warned_)
            print(text_of(awaited));
    }

    /// The lines of a process without an observer.
    std::string text_of(const std::string &awaited) const {
        char begin[128];
        std::snprintf(begin, sizeof begin, "loomp: all threads have been idle for %.1f s: ",
                      static_cast<double>(idle_) * 1e-9);
        std::string text = begin;
        if (awaited.empty())
            return text + "they wait for a library or a device\n";
        // The first one on the first line.
        for (const char c : awaited)
            c == '\n' ? text += "\nloomp:   " : text += c;
        return text + "\nloomp:   it is a hang, unless a thread that is not OpenMP's ends it\n";
    }

    /// False: the report is not there yet. It is late after so many looks.
    bool get_report(std::string &text, int looks, bool for_signal) const {
        if (!is_observed() || !has_begun_) {
            text = text_of(what_openmp_awaits());
            return true;
        }
        constexpr std::size_t kMost = 1 << 18;
        text.resize(kMost);
        const long length = observer_->describe(poller_->data, text.data(), kMost,
                                                looks >= kLooksForAnswer, for_signal);
        text.resize(static_cast<std::size_t>(std::max(length, 0l)));
        return length >= 0;
    }

    static void print(const std::string &text) {
        (void)!write(STDERR_FILENO, text.data(), text.size());
    }

    void answer_question() {
        if (question_ < 0)
            return;
        std::string text;
        if (!get_report(text, ++question_looks_, false))
            return;
        (void)!send(question_, text.data(), text.size(), MSG_NOSIGNAL);
        close(question_);
        question_ = -1;
        question_looks_ = 0;
    }

    void answer_signal() {
        const int signal = signal_seen.load(std::memory_order_relaxed);
        if (signal == 0)
            return;
        std::string text;
        if (!get_report(text, ++signal_looks_, true))
            return;
        print(text);
        std::signal(signal, SIG_DFL);
        kill(getpid(), signal);
    }

    Poller *poller_ = nullptr;
    const HangObserver *observer_ = nullptr;
    bool has_begun_ = false; ///< the observer
    int listener_ = -1;
    int question_ = -1;      ///< the connection that waits for an answer
    int question_looks_ = 0; ///< since it came
    int signal_looks_ = 0;
    std::int64_t idle_ = 0;
    static bool warned_;
};

bool Suspicion::warned_ = false;

void *reporter_main(void *) {
    for (;;) {
        if (idle_since_suspicion() != 0) {
            Suspicion suspicion;
            while (const std::int64_t idle = idle_since_suspicion()) {
                suspicion.look(idle);
                rest_as_own_thread();
            }
        }
        // A signal whose report came too late for the suspicion.
        if (const int signal = signal_seen.exchange(0, std::memory_order_relaxed))
            kill(getpid(), signal);
        // seq_cst, here and in wake(): one side runs {state = asleep; look}, the other {suspect;
        // read state}. At least one sees the other.
        state.store(asleep, std::memory_order_seq_cst);
        atomic_fence(std::memory_order_seq_cst);
        while (idle_since_suspicion() == 0 && state.load(std::memory_order_relaxed) == asleep) {
            // relaxed: it decides only about a look. An observer that comes wakes the thread.
            if (observing_poller.load(std::memory_order_relaxed) == nullptr ||
                waiting_settings().stuck_after == 0)
                futex_wait(state, asleep);
            else
                futex_wait_until(state, asleep, look_if_waiting_outside(nanoseconds()));
        }
        state.store(awake, std::memory_order_relaxed);
    }
    return nullptr;
}

void wake() {
    atomic_fence(std::memory_order_seq_cst);
    std::uint32_t seen = state.load(std::memory_order_seq_cst);
    // Only one of several simultaneous callers starts it.
    if (seen == awake || !state.compare_exchange_strong(seen, awake, std::memory_order_relaxed))
        return;
    if (seen == asleep)
        futex_wake(state, 1);
    else if (start_thread(reporter_main, nullptr) != 0)
        LOOMP_WARN_ONCE("no thread can be started that would report why the program hangs");
}

const LocksAtFork at_fork([] {
    // The handlers of the parent's thread: the child has none to answer.
    replace_handlers(on_signal, SIG_DFL);
    state.store(not_started, std::memory_order_relaxed);
    signal_seen.store(0, std::memory_order_relaxed);
    observing_poller.store(nullptr, std::memory_order_relaxed);
});

} // namespace

void observe_hangs(Poller &poller, const HangObserver &by) {
    observer.store(&by, std::memory_order_relaxed);
    // release: the observer.
    observing_poller.store(&poller, std::memory_order_release);
    observe_hang_of(poller);
    if (waiting_settings().stuck_after != 0)
        wake();
}

void forget_observer_of(Poller &poller) {
    Poller *expected = &poller;
    observing_poller.compare_exchange_strong(expected, nullptr, std::memory_order_relaxed);
}

void watch_for_hangs() { when_hang_is_suspected(wake); }

} // namespace loomp::core
