// Our list scheduler (profiler/simulation/simulation.h) beside SimGrid's engine: random programs
// with dependences and messages, of which workers that are SimGrid's actors take ready tasks from a
// queue for each rank. Prints a line for each case; the status is 1 if any makespan differs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>
#include <simgrid/version.h>

#include "profiler/simulation/program.h"
#include "profiler/simulation/simulation.h"
#include "tests/analysis/support.h"

namespace sg = simgrid::s4u;
using namespace loomp::analysis;

namespace {

constexpr Time kLatency = 50'000;  ///< ns
constexpr double kBandwidth = 1e9; ///< bytes/s
constexpr double kExact = 1e-6;    ///< of a makespan: SimGrid's times are of type double
constexpr Index kMostRanks = 3;

/// It may receive first, then computes, and then may send.
struct RandomTask {
    Index rank = 0;
    Time duration = 0;
    std::vector<Index> predecessors; ///< of its rank
    Index receives = kNone;          ///< message
    Index sends = kNone;
};
struct RandomMessage {
    Index from;
    Index to;
    std::uint64_t bytes;
};
struct Case {
    Index ranks;
    Index threads;
    bool suspends;
    std::vector<RandomTask> tasks;
    std::vector<RandomMessage> messages;
};

Case make_case(unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<Index>(random() % n); };
    Case made{1 + below(kMostRanks), 1 + below(4), below(2) == 0, {}, {}};
    const Index count = 20 + below(180);
    for (Index task = 0; task < count; ++task) {
        RandomTask drawn;
        drawn.rank = below(made.ranks);
        drawn.duration = 1 + static_cast<Time>(random() % 1'000'000);
        for (Index tries = below(4); tries > 0 && task > 0; --tries) {
            const Index before = task - 1 - below(std::min<Index>(task, 30));
            if (made.tasks[before].rank == drawn.rank &&
                std::find(drawn.predecessors.begin(), drawn.predecessors.end(), before) ==
                    drawn.predecessors.end())
                drawn.predecessors.push_back(before);
        }
        if (task > 0 && below(3) == 0) {
            const Index before = task - 1 - below(std::min<Index>(task, 20));
            if (made.tasks[before].rank != drawn.rank && made.tasks[before].sends == kNone) {
                const auto message = static_cast<Index>(made.messages.size());
                made.messages.push_back({before, task, random() % 1'000'000});
                made.tasks[before].sends = drawn.receives = message;
            }
        }
        made.tasks.push_back(std::move(drawn));
    }
    return made;
}

/// A trace in which the tasks ran one after the other, with messages that took no time.
Trace trace_of(const Case &made) {
    Events events;
    Time now = 0;
    for (Index rank = 0; rank < made.ranks; ++rank)
        events.thread(std::to_string(rank) + ".0");
    for (Index i = 0; i < made.tasks.size(); ++i)
        events.create(std::to_string(made.tasks[i].rank) + ".0", 0, std::to_string(i));
    for (Index i = 0; i < made.tasks.size(); ++i) {
        const RandomTask &task = made.tasks[i];
        const std::string name = std::to_string(i);
        const Index thread = events.thread(std::to_string(task.rank) + ".0");
        events.builder.run(thread, now, events.id(name));
        const auto call = [&](RequestKind kind, Index message, Index other) {
            events.builder.enter_call(thread, now);
            events.builder.start(thread, now, message,
                                 {.kind = kind,
                                  .peer = made.tasks[other].rank,
                                  .tag = static_cast<std::int32_t>(message),
                                  .bytes = made.messages[message].bytes});
            events.builder.finish(thread, now, message);
            events.builder.leave_call(thread, now);
        };
        if (task.receives != kNone)
            call(RequestKind::receive, task.receives, made.messages[task.receives].from);
        now += task.duration;
        if (task.sends != kNone)
            call(RequestKind::send, task.sends, made.messages[task.sends].to);
        events.builder.leave(thread, now, Leaving::ended);
        for (const Index before : task.predecessors)
            events.depend(task.rank, std::to_string(before), name);
    }
    return events.take();
}

Simulation ours(const Case &made) {
    const Trace trace = trace_of(made);
    Program program = make_program(trace);
    SimulationOptions options;
    options.threads = made.threads;
    options.at_once = false;
    options.suspends = made.suspends;
    options.task_overhead = 0;
    options.network = Network{kLatency, kBandwidth};
    return simulate(trace, program, options);
}

/// Plays the case in SimGrid.
class Play {
  public:
    explicit Play(const Case &made)
        : case_(made), missing_(made.tasks.size()), successors_(made.tasks.size()),
          arrived_(made.messages.size(), false), waits_(made.messages.size(), kNone),
          ranks_(made.ranks) {
        for (Index i = 0; i < made.tasks.size(); ++i) {
            missing_[i] = static_cast<Index>(made.tasks[i].predecessors.size());
            for (const Index before : made.tasks[i].predecessors)
                successors_[before].push_back(i);
            if (missing_[i] == 0)
                ranks_[made.tasks[i].rank].ready.push_back(i);
        }
    }

    /// Seconds.
    double run() {
        const double begin = sg::Engine::get_clock();
        for (Index message = 0; message < case_.messages.size(); ++message)
            sg::Actor::create("arrival", host(case_.tasks[case_.messages[message].to].rank),
                              [this, message] { arrive(message); });
        for (Index rank = 0; rank < case_.ranks; ++rank)
            for (Index thread = 0; thread < case_.threads; ++thread)
                sg::Actor::create("worker", host(rank), [this, rank] { work(rank); });
        sg::Engine::get_instance()->run();
        return last_ - begin;
    }

  private:
    struct Rank {
        std::deque<Index> ready;
        sg::MutexPtr mutex = sg::Mutex::create();
        sg::ConditionVariablePtr changed = sg::ConditionVariable::create();
    };

    static sg::Host *host(Index rank) { return sg::Host::by_name("rank" + std::to_string(rank)); }
    sg::Mailbox *mailbox(Index message) const {
        return sg::Mailbox::by_name("message" + std::to_string(message));
    }

    void arrive(Index message) {
        mailbox(message)->get_unique<int>();
        Rank &rank = ranks_[case_.tasks[case_.messages[message].to].rank];
        const std::scoped_lock guard(*rank.mutex);
        arrived_[message] = true;
        if (waits_[message] != kNone)
            rank.ready.push_front(waits_[message]);
        rank.changed->notify_all();
    }

    void work(Index rank) {
        Rank &own = ranks_[rank];
        for (;;) {
            std::unique_lock lock(*own.mutex);
            while (own.ready.empty() && ended_ < case_.tasks.size())
                own.changed->wait(lock);
            if (ended_ == case_.tasks.size())
                return;
            const Index task = own.ready.front();
            own.ready.pop_front();
            const RandomTask &is = case_.tasks[task];
            if (is.receives != kNone && !arrived_[is.receives]) {
                if (case_.suspends) {
                    waits_[is.receives] = task;
                    continue;
                }
                while (!arrived_[is.receives])
                    own.changed->wait(lock);
            }
            lock.unlock();
            sg::this_actor::sleep_for(static_cast<double>(is.duration) / 1e9);
            if (is.sends != kNone)
                mailbox(is.sends)->put_init(new int(0), case_.messages[is.sends].bytes)->detach();
            end(task);
        }
    }

    void end(Index task) {
        Rank &own = ranks_[case_.tasks[task].rank];
        {
            const std::scoped_lock guard(*own.mutex);
            last_ = sg::Engine::get_clock();
            for (const Index next : successors_[task])
                if (--missing_[next] == 0)
                    own.ready.push_back(next);
            ++ended_;
            own.changed->notify_all();
        }
        if (ended_ == case_.tasks.size())
            for (Rank &rank : ranks_) {
                const std::scoped_lock guard(*rank.mutex);
                rank.changed->notify_all();
            }
    }

    const Case &case_;
    std::vector<Index> missing_; ///< predecessors of each task
    std::vector<std::vector<Index>> successors_;
    std::vector<bool> arrived_;
    std::vector<Index> waits_; ///< for each message: the task that is suspended
    std::vector<Rank> ranks_;
    std::size_t ended_ = 0;
    double last_ = 0;
};

// The parts of SimGrid's interface that version 4 has replaced.
#if SIMGRID_VERSION_MAJOR >= 4
sg::NetZone *make_zone(const sg::Engine &engine) {
    return engine.get_netzone_root()->add_netzone_full("all");
}
void add_host(sg::NetZone *zone, const std::string &name) { zone->add_host(name, 1e9); }
sg::Link *add_link(sg::NetZone *zone) { return zone->add_link("wire", kBandwidth); }
void add_route(sg::NetZone *zone, const std::string &from, const std::string &to, sg::Link *link) {
    zone->add_route(sg::Host::by_name(from), sg::Host::by_name(to), {sg::LinkInRoute(link)});
}
#else
sg::NetZone *make_zone(const sg::Engine &) { return sg::create_full_zone("all"); }
void add_host(sg::NetZone *zone, const std::string &name) { zone->create_host(name, 1e9); }
sg::Link *add_link(sg::NetZone *zone) { return zone->create_link("wire", kBandwidth); }
void add_route(sg::NetZone *zone, const std::string &from, const std::string &to, sg::Link *link) {
    zone->add_route(sg::Host::by_name(from)->get_netpoint(), sg::Host::by_name(to)->get_netpoint(),
                    nullptr, nullptr, {sg::LinkInRoute(link)});
}
#endif

/// Hosts that are as far from each other as our network says, without contention or corrections.
void make_platform(const sg::Engine &engine) {
    sg::NetZone *zone = make_zone(engine);
    for (Index rank = 0; rank < kMostRanks; ++rank)
        add_host(zone, "rank" + std::to_string(rank));
    sg::Link *link = add_link(zone)
                         ->set_latency(static_cast<double>(kLatency) / 1e9)
                         ->set_sharing_policy(sg::Link::SharingPolicy::FATPIPE)
                         ->seal();
    for (Index a = 0; a < kMostRanks; ++a)
        for (Index b = a + 1; b < kMostRanks; ++b)
            add_route(zone, "rank" + std::to_string(a), "rank" + std::to_string(b), link);
    zone->seal();
}

} // namespace

int main(int argc, char **argv) {
    sg::Engine engine(&argc, argv);
    // Latency and size over bandwidth, and no more; times as exact as they get.
    for (const char *setting :
         {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0",
          "network/latency-factor:1", "network/bandwidth-factor:1", "surf/precision:1e-12"})
        sg::Engine::set_config(setting);
    make_platform(engine);
    const unsigned cases = argc > 1 ? static_cast<unsigned>(std::stoul(argv[1])) : 200;
    unsigned compared = 0;
    unsigned differ = 0;
    for (unsigned seed = 1; seed <= cases; ++seed) {
        const Case made = make_case(seed);
        const Simulation found = ours(made);
        if (found.unfinished > 0)
            continue; // calls that hold all threads
        ++compared;
        const double theirs = Play(made).run();
        const double makespan = seconds(static_cast<double>(found.makespan));
        const bool same = std::abs(theirs - makespan) <= kExact * theirs;
        differ += same ? 0 : 1;
        std::printf("%s case %u: %u ranks x %u threads, %zu tasks, %zu messages, calls %s: %.9f s, "
                    "SimGrid %.9f s\n",
                    same ? "same" : "DIFFERENT", seed, made.ranks, made.threads, made.tasks.size(),
                    made.messages.size(), made.suspends ? "suspend" : "hold", makespan, theirs);
    }
    std::printf("%u of %u cases compared, %u differ\n", compared, cases, differ);
    return differ == 0 && compared > cases / 2 ? 0 : 1;
}
