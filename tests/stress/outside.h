// Threads outside OpenMP that fulfil what tasks wait for.
#pragma once

#include <pthread.h>

#include "support.h"

namespace outside {

struct Request {
    enum State { empty, being_filled, full };
    std::atomic<int> state{empty};
    void (*act)(void *);
    void *on;
};

inline Request requests[1024];

/// Makes another thread call `act(on)` soon.
inline void ask(void (*act)(void *), void *on) {
    constexpr unsigned count = sizeof requests / sizeof *requests;
    for (unsigned i = static_cast<unsigned>(steps.load()) % count;; i = (i + 1) % count) {
        int expected = Request::empty;
        if (!requests[i].state.compare_exchange_strong(expected, Request::being_filled))
            continue;
        requests[i].act = act;
        requests[i].on = on;
        requests[i].state.store(Request::full);
        return;
    }
}

inline void fulfill(omp_event_handle_t event) {
    ask(
        [](void *on) {
            omp_fulfill_event((omp_event_handle_t) reinterpret_cast<std::uintptr_t>(on));
        },
        reinterpret_cast<void *>(static_cast<std::uintptr_t>(event)));
}

inline void *serve(void *) {
    Random random{static_cast<std::uint64_t>(time(nullptr))};
    for (;;) {
        bool found = false;
        for (Request &request : requests) {
            int expected = Request::full;
            if (request.state.load(std::memory_order_relaxed) != expected ||
                !request.state.compare_exchange_strong(expected, Request::being_filled))
                continue;
            const auto act = request.act;
            void *on = request.on;
            request.state.store(Request::empty);
            found = true;
            if (random.chance(5))
                usleep(static_cast<unsigned>(random.below(300)));
            act(on);
        }
        if (!found)
            usleep(20);
    }
}

/// Starts `count` of them; they last as long as the process. In a child of fork(), too.
inline void start(int count) {
    for (Request &request : requests)
        request.state = Request::empty;
    for (; count > 0; --count) {
        pthread_t thread;
        pthread_create(&thread, nullptr, serve, nullptr);
        pthread_detach(thread);
    }
}

} // namespace outside
