// An oracle: random programs whose every time is known. A model runs each one, writes what a
// recorder would, and computes the figures of docs/metrics.md in another way than the analysis. The
// archive of that recording must give the same figures, to the nanosecond.
//
// A rank has a team in a region. Its first thread creates tasks and all meet in the region's
// barrier. A task computes, creates children, waits for them or for a taskgroup, meets a region of
// its own, sends to the next rank or receives from the one before, calls a collective, and names
// locations in its depend clause. Some tasks are undeferred. Ready tasks run in the order in which
// they became ready. LOOMP_ORACLE_SEEDS sets how many programs.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <unistd.h>

#include <gtest/gtest.h>

#include "loomp/omp-tools.h"
#include "profiler/archive/archive.h"
#include "profiler/format/functions.h"
#include "profiler/graph/critical_path.h"
#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/communication.h"
#include "profiler/simulation/simulation.h"

namespace loomp::analysis {
namespace {

namespace fs = std::filesystem;
using record::Event;
using record::Record;

// The program

struct Move {
    enum Kind {
        compute,
        create,
        wait_for_children,
        end_group,
        region,
        send,
        receive,
        collective
    } kind;
    Time time = 0; ///< computing
    int what = -1; ///< the child, the message, or the taskgroup
    std::vector<std::vector<Time>> members =
        {}; ///< a region's: their code before and after a barrier
};
struct Item {
    int type; ///< ompt_dependence_type_t
    int location;
};
struct Job {
    int parent = -1;         ///< -1: the first thread's implicit task
    Time creation = 0;       ///< its creator's time before it, if that is the implicit task
    bool undeferred = false; ///< its creator waits for it,
    bool stays = false;      ///< and keeps its thread meanwhile, if other threads are left
    int group = -1;          ///< the innermost taskgroup that it is in
    std::vector<Item> items = {};
    std::vector<Move> moves = {};
};
struct Message {
    Time flight;
    Time sent = kNever; ///< in the run
    Time received = kNever;
};
struct Rank {
    int threads;
    std::vector<Job> jobs; ///< a child comes after its parent
    int groups = 0;        ///< taskgroups
};
/// A collective of all ranks completes at a time after all of them have come to it.
struct Collective {
    Time completed = kNever; ///< kNever: there is none
    std::vector<Time> started = {};
    bool late = false; ///< a rank came after its completion

    Time last() const { return *std::max_element(started.begin(), started.end()); }
};
struct Model {
    std::vector<Rank> ranks;
    std::vector<Message> messages; ///< the rank that receives is one above the one that sends
    Collective collective = {};
    bool exclusive = false;  ///< some tasks exclude each other
    bool main_waits = false; ///< an implicit task creates undeferred tasks
};

constexpr std::uint64_t kBytes = 8; // the size of each message

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
    Time time() { return 1 + static_cast<Time>(engine_() % 1'000'000); }

  private:
    std::mt19937 engine_;
};

void add_region(Random &random, Job &job) {
    Move region{.kind = Move::region};
    const bool barrier = random.below(2) == 0;
    for (int member = 1 + random.below(3); member > 0; --member) {
        region.members.push_back({random.time()});
        if (barrier)
            region.members.back().push_back(random.time());
    }
    job.moves.push_back(region);
}

/// Adds children of the job, and its wait for them or for their taskgroup.
void add_children(Random &random, Rank &rank, int job) {
    const bool in_group = random.below(2) == 0;
    const int group = in_group ? rank.groups++ : -1;
    const auto add_child = [&](int parent) {
        const int child = static_cast<int>(rank.jobs.size());
        rank.jobs.push_back({.parent = parent, .group = group});
        rank.jobs.back().moves.push_back({.kind = Move::compute, .time = random.time()});
        rank.jobs[static_cast<std::size_t>(parent)].moves.push_back(
            {.kind = Move::create, .what = child});
        return static_cast<std::size_t>(child);
    };
    for (int children = 1 + random.below(3); children > 0; --children) {
        const std::size_t child = add_child(job);
        rank.jobs[child].undeferred = random.below(4) == 0;
        rank.jobs[child].stays = random.below(2) == 0;
        if (random.below(2) == 0)
            rank.jobs[child].items.push_back(
                {random.below(2) == 0 ? ompt_dependence_type_in : ompt_dependence_type_inout, 1});
        // Only a taskgroup waits for the descendants.
        for (int more = in_group ? random.below(3) : 0; more > 0; --more) {
            add_child(static_cast<int>(child));
            rank.jobs[child].moves.push_back({.kind = Move::compute, .time = random.time()});
        }
    }
    rank.jobs[static_cast<std::size_t>(job)].moves.push_back(
        in_group ? Move{.kind = Move::end_group, .what = group}
                 : Move{.kind = Move::wait_for_children});
}

Model make_model(unsigned seed) {
    Random random(seed);
    Model model;
    model.ranks.resize(static_cast<std::size_t>(1 + random.below(3)));
    for (Rank &rank : model.ranks) {
        rank.threads = 1 + random.below(4);
        for (int tasks = 1 + random.below(12); tasks > 0; --tasks) {
            const int job = static_cast<int>(rank.jobs.size());
            rank.jobs.push_back({.creation = 1 + random.time() / 20,
                                 .undeferred = random.below(8) == 0,
                                 .stays = random.below(2) == 0});
            model.main_waits |= rank.jobs.back().undeferred;
            rank.jobs[static_cast<std::size_t>(job)].moves.push_back(
                {.kind = Move::compute, .time = random.time()});
            for (int items = random.below(3); items > 0; --items) {
                constexpr int kTypes[] = {ompt_dependence_type_in, ompt_dependence_type_inout,
                                          ompt_dependence_type_mutexinoutset};
                // One location is named by mutexinoutsets only.
                const int type = kTypes[random.below(3)];
                const bool mutex = type == ompt_dependence_type_mutexinoutset;
                rank.jobs[static_cast<std::size_t>(job)].items.push_back(
                    {type, mutex ? 9 : random.below(3)});
                model.exclusive |= mutex;
            }
            for (int shape = random.below(4); shape > 0; --shape) {
                const int what = random.below(3);
                if (what == 0) {
                    add_children(random, rank, job);
                } else if (what == 1) {
                    add_region(random, rank.jobs[static_cast<std::size_t>(job)]);
                }
                rank.jobs[static_cast<std::size_t>(job)].moves.push_back(
                    {.kind = Move::compute, .time = random.time()});
            }
        }
    }
    for (std::size_t rank = 0; rank + 1 < model.ranks.size(); ++rank)
        for (int messages = random.below(4); messages > 0; --messages) {
            const int message = static_cast<int>(model.messages.size());
            model.messages.push_back({random.time()});
            const auto some = [&](Rank &of) -> Job & {
                return of
                    .jobs[static_cast<std::size_t>(random.below(static_cast<int>(of.jobs.size())))];
            };
            for (const auto &[job, kind] :
                 {std::pair(&some(model.ranks[rank]), Move::send),
                  std::pair(&some(model.ranks[rank + 1]), Move::receive)}) {
                job->moves.push_back({.kind = kind, .what = message});
                job->moves.push_back({.kind = Move::compute, .time = random.time()});
            }
        }
    if (model.ranks.size() > 1 && random.below(2) == 0) {
        constexpr Time kFar = 100'000'000;
        model.collective.completed = kFar + random.time();
        model.collective.started.resize(model.ranks.size());
        for (Rank &rank : model.ranks) {
            Job &job = rank.jobs[static_cast<std::size_t>(
                random.below(static_cast<int>(rank.jobs.size())))];
            job.moves.push_back({.kind = Move::collective});
            job.moves.push_back({.kind = Move::compute, .time = random.time()});
        }
    }
    return model;
}

/// The predecessors of a rank's jobs by OpenMP's rules, written down from the standard: a task
/// comes after each earlier sibling that names a location with which it may not run.
std::vector<std::set<int>> predecessors_of(const Rank &rank) {
    std::vector<std::set<int>> before(rank.jobs.size());
    const auto strongest = [](const Job &job) {
        std::map<int, int> of;
        for (const Item &item : job.items)
            of[item.location] = of.contains(item.location) && of[item.location] != item.type
                                    ? static_cast<int>(ompt_dependence_type_inout)
                                    : item.type;
        return of;
    };
    for (std::size_t late = 0; late < rank.jobs.size(); ++late)
        for (std::size_t early = 0; early < late; ++early)
            for (const auto &[location, type] : strongest(rank.jobs[late]))
                if (const auto others = strongest(rank.jobs[early]);
                    rank.jobs[early].parent == rank.jobs[late].parent && others.contains(location))
                    if (type == ompt_dependence_type_inout || others.at(location) != type)
                        before[late].insert(static_cast<int>(early));
    return before;
}

bool excludes(const Job &a, const Job &b) {
    const auto named = [](const Job &job) {
        return std::any_of(job.items.begin(), job.items.end(), [](const Item &item) {
            return item.type == ompt_dependence_type_mutexinoutset;
        });
    };
    return named(a) && named(b);
}

// The run

struct Busy {
    Interval time;
    bool in_mpi = false;
};
struct Ran {
    std::vector<std::vector<Busy>> threads; ///< work
    std::vector<Time> created, ready, begun, ended;
    std::vector<int> turns;        ///< tasks that exclude each other, in the order of their begins
    std::vector<Interval> resumed; ///< from an undeferred task's end to its creator's resumption
};

/// Runs one rank and writes its records.
class Runner {
  public:
    Runner(Model &model, std::size_t number)
        : model_(model), rank_(model.ranks[number]), number_(number),
          before_(predecessors_of(rank_)), next_(rank_.jobs.size(), 0),
          children_(rank_.jobs.size(), 0), in_group_(static_cast<std::size_t>(rank_.groups), 0),
          waits_(rank_.jobs.size(), kNotAtAll), missing_(rank_.jobs.size(), 1),
          names_(rank_.jobs.size(), 0) {
        const std::size_t jobs = rank_.jobs.size();
        ran.created.assign(jobs, kNever);
        ran.ready.assign(jobs, kNever);
        ran.begun.assign(jobs, kNever);
        ran.ended.assign(jobs, kNever);
        for (std::size_t i = 0; i < jobs; ++i)
            missing_[i] += before_[i].size();
    }

    void run() {
        for (int thread = 0; thread < rank_.threads; ++thread) {
            add_thread();
            begin_implicit(thread, kBegin, ompt_task_implicit, 1);
        }
        add(0, kBegin - 1, record::task_name(1, 1), 0x500000, 0, Event::region);
        for (int thread = 1; thread < rank_.threads; ++thread)
            come_to_barrier(thread, kBegin);
        main_goes_on(kBegin);
        while (!events_.empty()) {
            const auto [time, event] = *events_.begin();
            events_.erase(events_.begin());
            if (event.first == -1)
                main_creates(event.second, time);
            else if (event.first == -2)
                come_to_barrier(0, time);
            else
                go_on(event.second, event.first, time);
            start_ready(time);
            end_ = std::max(end_, time);
        }
        for (int thread = 0; thread < rank_.threads; ++thread) {
            add(thread, end_, implicit_[static_cast<std::size_t>(thread)], 0,
                ompt_sync_region_barrier_implicit_parallel, Event::wait_end);
            add(thread, end_, implicit_[static_cast<std::size_t>(thread)], 0, ompt_task_implicit,
                Event::implicit_end);
        }
        std::sort(ran.turns.begin(), ran.turns.end(), [&](int a, int b) {
            return ran.begun[static_cast<std::size_t>(a)] < ran.begun[static_cast<std::size_t>(b)];
        });
    }

    void write(const fs::path &folder) const {
        const fs::path process = folder / ("process-" + std::to_string(number_ + 1));
        fs::create_directories(process);
        std::ofstream(process / record::kInfoFile)
            << "rank " << number_ << "\nhost node\nclock 50 1700000000000000000\nclock-name c\n";
        std::ofstream communicators(process / record::kCommunicatorsFile);
        communicators << 1;
        for (std::size_t i = 0; i < model_.ranks.size(); ++i)
            communicators << ' ' << i;
        communicators << '\n';
        for (std::size_t thread = 0; thread < records_.size(); ++thread) {
            std::vector<Record> sorted = records_[thread];
            std::stable_sort(sorted.begin(), sorted.end(),
                             [](const Record &a, const Record &b) { return a.time < b.time; });
            std::ofstream out(process / (record::kThreadPrefix + std::to_string(thread + 1)),
                              std::ios::binary);
            const record::Header header{.thread = static_cast<std::uint32_t>(thread + 1)};
            out.write(reinterpret_cast<const char *>(&header), sizeof header);
            out.write(reinterpret_cast<const char *>(sorted.data()),
                      static_cast<std::streamsize>(sorted.size() * sizeof(Record)));
        }
    }

    Ran ran;

  private:
    static constexpr Time kBegin = 1000;

    int add_thread() {
        records_.emplace_back();
        implicit_.push_back(0);
        ran.threads.emplace_back();
        numbers_.push_back(1);
        return static_cast<int>(records_.size() - 1);
    }
    void add(int thread, Time time, std::uint64_t task, std::uint64_t other, std::uint32_t detail,
             Event event) {
        records_[static_cast<std::size_t>(thread)].push_back(
            {static_cast<std::uint64_t>(time), task, other, detail, event});
    }
    std::uint64_t name(int thread) {
        return record::task_name(static_cast<std::uint32_t>(thread + 1),
                                 ++numbers_[static_cast<std::size_t>(thread)]);
    }
    std::uint64_t begin_implicit(int thread, Time time, std::uint32_t flags, std::uint32_t region) {
        const std::uint64_t task = record::task_name(static_cast<std::uint32_t>(thread + 1),
                                                     record::kFirstImplicit + ++implicit_count_);
        if (implicit_[static_cast<std::size_t>(thread)] == 0)
            implicit_[static_cast<std::size_t>(thread)] = task;
        add(thread, time, task, record::task_name(1, region), flags, Event::implicit_begin);
        return task;
    }

    void come_to_barrier(int thread, Time time) {
        add(thread, time, implicit_[static_cast<std::size_t>(thread)], 0,
            ompt_sync_region_barrier_implicit_parallel, Event::wait_begin);
        idle_.insert(thread);
    }

    /// The first thread's implicit task creates the next job, or comes to the barrier.
    void main_goes_on(Time time) {
        while (next_of_main_ < rank_.jobs.size() && rank_.jobs[next_of_main_].parent >= 0)
            ++next_of_main_;
        if (next_of_main_ == rank_.jobs.size()) {
            events_.emplace(time, std::pair(-2, 0));
            return;
        }
        const std::size_t job = next_of_main_++;
        events_.emplace(time + rank_.jobs[job].creation, std::pair(-1, static_cast<int>(job)));
    }
    void main_creates(int job, Time time) {
        create(job, time, 0);
        if (!rank_.jobs[static_cast<std::size_t>(job)].undeferred)
            main_goes_on(time);
        else if (!run_in_place(job, kMain, 0, time) && !may_stay(job)) {
            main_is_free_ = true;
            idle_.insert(0);
        }
    }

    // Undeferred tasks

    /// True if the creator's thread runs the job now.
    bool run_in_place(int job, int creator, int thread, Time time) {
        awaited_[job] = {creator, thread};
        const auto queued = std::find(queue_.begin(), queue_.end(), job);
        if (queued == queue_.end() || is_excluded(job))
            return false;
        queue_.erase(queued);
        awaited_[job].in_place = true;
        begin(job, creator == kMain ? implicit_[0] : names_[static_cast<std::size_t>(creator)],
              thread, time);
        return true;
    }
    bool may_stay(int job) {
        awaited_[job].stays =
            rank_.jobs[static_cast<std::size_t>(job)].stays && staying_ + 1 < rank_.threads;
        staying_ += awaited_[job].stays ? 1 : 0;
        return awaited_[job].stays;
    }
    void creator_goes_on(int job, Time time) {
        const Awaited awaited = awaited_.extract(job).mapped();
        staying_ -= awaited.stays ? 1 : 0;
        if (awaited.creator != kMain && !awaited.in_place && !awaited.stays) {
            resumable_[awaited.creator] = time;
            queue_.push_back(awaited.creator);
        } else if (awaited.creator != kMain) {
            events_.emplace(time, std::pair(awaited.thread, awaited.creator));
        } else if (!main_is_free_ || idle_.erase(0) > 0) {
            main_is_free_ = false;
            main_goes_on(time);
        } else {
            main_is_due_ = true; // its thread runs another job
        }
    }
    void become_idle(int thread, Time time) {
        if (thread != 0 || !main_is_due_) {
            idle_.insert(thread);
            return;
        }
        main_is_due_ = main_is_free_ = false;
        main_goes_on(time);
    }

    void create(int job, Time time, int thread) {
        const auto i = static_cast<std::size_t>(job);
        names_[i] = name(thread);
        ran.created[i] = time;
        add(thread, time, names_[i], 0x400000,
            static_cast<std::uint32_t>(ompt_task_explicit) |
                (rank_.jobs[i].undeferred ? static_cast<std::uint32_t>(ompt_task_undeferred) : 0),
            Event::create);
        for (const Item &item : rank_.jobs[i].items)
            add(thread, time, names_[i], static_cast<std::uint64_t>(4096 + item.location),
                static_cast<std::uint32_t>(item.type), Event::dependence);
        fulfil(job, time);
    }
    void fulfil(int job, Time time) {
        if (--missing_[static_cast<std::size_t>(job)] > 0)
            return;
        ran.ready[static_cast<std::size_t>(job)] = time;
        queue_.push_back(job);
    }

    bool is_excluded(int job) const {
        const auto i = static_cast<std::size_t>(job);
        return std::any_of(running_.begin(), running_.end(), [&](int other) {
            return excludes(rank_.jobs[i], rank_.jobs[static_cast<std::size_t>(other)]);
        });
    }
    void begin(int job, std::uint64_t before, int thread, Time time) {
        const auto i = static_cast<std::size_t>(job);
        add(thread, time, before, names_[i], ompt_task_switch, Event::schedule);
        ran.begun[i] = time;
        running_.insert(job);
        if (excludes(rank_.jobs[i], rank_.jobs[i]))
            ran.turns.push_back(job);
        events_.emplace(time, std::pair(thread, job));
    }
    void resume(int job, int thread, Time time) {
        const auto i = static_cast<std::size_t>(job);
        add(thread, time, implicit_[static_cast<std::size_t>(thread)], names_[i], ompt_task_switch,
            Event::schedule);
        if (const auto since = resumable_.extract(job))
            ran.resumed.push_back({since.mapped(), time});
        else
            add(thread, time, names_[i], 0, waits_[i], Event::wait_end);
        waits_[i] = kNotAtAll;
        events_.emplace(time, std::pair(thread, job));
    }
    void start_ready(Time time) {
        for (auto job = queue_.begin(); job != queue_.end() && !idle_.empty();) {
            const bool first = ran.begun[static_cast<std::size_t>(*job)] == kNever;
            if (first && is_excluded(*job)) {
                ++job;
                continue;
            }
            const int thread = *idle_.begin();
            idle_.erase(idle_.begin());
            if (first)
                begin(*job, implicit_[static_cast<std::size_t>(thread)], thread, time);
            else
                resume(*job, thread, time);
            job = queue_.erase(job);
        }
    }

    void work(int thread, Time from, Time to, bool in_mpi = false) {
        if (from < to)
            ran.threads[static_cast<std::size_t>(thread)].push_back({{from, to}, in_mpi});
    }
    void leave(int thread, int job, Time time, std::uint32_t status) {
        add(thread, time, names_[static_cast<std::size_t>(job)],
            implicit_[static_cast<std::size_t>(thread)], status, Event::schedule);
        // A job that waits has left its creator's place: it may resume on another thread.
        if (const auto awaited = awaited_.find(job);
            awaited != awaited_.end() && awaited->second.in_place) {
            awaited->second.in_place = false;
            main_is_free_ |= awaited->second.creator == kMain;
        }
        become_idle(thread, time);
    }
    void wait(int job, int thread, Time time, std::uint32_t what, int missing) {
        const auto i = static_cast<std::size_t>(job);
        add(thread, time, names_[i], 0, what, Event::wait_begin);
        if (missing > 0) {
            waits_[i] = what;
            leave(thread, job, time, ompt_task_switch);
            return;
        }
        add(thread, time, names_[i], 0, what, Event::wait_end);
        events_.emplace(time, std::pair(thread, job));
    }

    /// The job does what it does next.
    void go_on(int job, int thread, Time time) {
        const auto i = static_cast<std::size_t>(job);
        if (next_[i] == rank_.jobs[i].moves.size()) {
            end(job, thread, time);
            return;
        }
        const Move &move = rank_.jobs[i].moves[next_[i]++];
        Time until = time;
        switch (move.kind) {
        case Move::compute:
            until += move.time;
            work(thread, time, until);
            break;
        case Move::create: {
            const Job &child = rank_.jobs[static_cast<std::size_t>(move.what)];
            ++children_[i];
            if (child.group >= 0)
                ++in_group_[static_cast<std::size_t>(child.group)];
            create(move.what, time, thread);
            if (child.undeferred) {
                if (!run_in_place(move.what, job, thread, time) && !may_stay(move.what))
                    leave(thread, job, time, ompt_task_switch);
                return;
            }
            break;
        }
        case Move::wait_for_children:
            wait(job, thread, time, ompt_sync_region_taskwait, children_[i]);
            return;
        case Move::end_group:
            group_of_waiter_[job] = move.what;
            wait(job, thread, time, ompt_sync_region_taskgroup,
                 in_group_[static_cast<std::size_t>(move.what)]);
            return;
        case Move::region:
            until = meet_region(thread, job, time, move);
            break;
        case Move::send:
        case Move::receive:
            until = communicate(thread, time, move);
            break;
        case Move::collective:
            until = meet_all(thread, time);
            break;
        }
        events_.emplace(until, std::pair(thread, job));
    }

    void end(int job, int thread, Time time) {
        const auto i = static_cast<std::size_t>(job);
        ran.ended[i] = time;
        running_.erase(job);
        const bool awaited = awaited_.contains(job);
        if (awaited && awaited_[job].in_place) {
            const int creator = awaited_[job].creator;
            add(thread, time, names_[i],
                creator == kMain ? implicit_[0] : names_[static_cast<std::size_t>(creator)],
                ompt_task_complete, Event::schedule);
        } else {
            leave(thread, job, time, ompt_task_complete);
        }
        if (awaited)
            creator_goes_on(job, time);
        for (std::size_t later = 0; later < rank_.jobs.size(); ++later)
            if (before_[later].contains(job))
                fulfil(static_cast<int>(later), time);
        if (const int parent = rank_.jobs[i].parent; parent >= 0)
            if (const auto p = static_cast<std::size_t>(parent);
                --children_[p] == 0 && waits_[p] == ompt_sync_region_taskwait)
                queue_.push_back(parent);
        if (const int group = rank_.jobs[i].group;
            group >= 0 && --in_group_[static_cast<std::size_t>(group)] == 0)
            for (const auto &[waiter, ends] : group_of_waiter_)
                if (ends == group &&
                    waits_[static_cast<std::size_t>(waiter)] == ompt_sync_region_taskgroup)
                    queue_.push_back(waiter);
    }

    Time meet_region(int thread, int job, Time time, const Move &move) {
        const std::uint32_t region = record::number_of(name(0));
        add(thread, time, record::task_name(1, region), 0x600000, 0, Event::region);
        std::vector<int> threads{thread};
        while (threads.size() < move.members.size())
            threads.push_back(add_thread());
        std::vector<std::uint64_t> tasks;
        for (const int member : threads)
            tasks.push_back(begin_implicit(member, time, ompt_task_implicit, region));
        const std::size_t parts = move.members.front().size();
        for (std::size_t part = 0; part < parts; ++part) {
            Time all = time;
            for (std::size_t i = 0; i < threads.size(); ++i) {
                const Time until = time + move.members[i][part];
                work(threads[i], time, until);
                all = std::max(all, until);
                add(threads[i], until, tasks[i], 0, kind_of(part + 1 == parts), Event::wait_begin);
            }
            for (std::size_t i = 0; i < threads.size(); ++i)
                add(threads[i], all, tasks[i], 0, kind_of(part + 1 == parts), Event::wait_end);
            time = all;
        }
        for (std::size_t i = 0; i < threads.size(); ++i)
            add(threads[i], time, tasks[i], 0, ompt_task_implicit, Event::implicit_end);
        static_cast<void>(job);
        return time;
    }
    static std::uint32_t kind_of(bool last) {
        return last ? ompt_sync_region_barrier_implicit_parallel
                    : ompt_sync_region_barrier_explicit;
    }

    Time communicate(int thread, Time time, const Move &move) {
        Message &message = model_.messages[static_cast<std::size_t>(move.what)];
        const bool sends = move.kind == Move::send;
        const auto function =
            static_cast<std::uint32_t>(sends ? record::Function::Send : record::Function::Recv);
        const auto peer = static_cast<std::uint32_t>(sends ? number_ + 1 : number_ - 1);
        const auto tag = static_cast<std::uint32_t>(move.what);
        const std::uint64_t request = name(thread);
        Time until = time;
        if (sends)
            message.sent = time;
        else
            until = message.received = std::max(time, message.sent) + message.flight;
        add(thread, time, 0, 0, function, Event::enter_call);
        add(thread, time, record::pack(peer, tag), 1, 0, Event::envelope);
        add(thread, time, request, 0,
            static_cast<std::uint32_t>(sends ? record::Kind::send : record::Kind::receive) |
                record::kOwn,
            Event::start);
        add(thread, until, request, sends ? kBytes : record::pack(peer, tag), record::kOwn,
            Event::finish);
        add(thread, until, 0, 0, function, Event::leave_call);
        work(thread, time, until, true);
        return until;
    }

    Time meet_all(int thread, Time time) {
        Collective &collective = model_.collective;
        collective.started[number_] = time;
        collective.late |= time > collective.completed;
        const Time until = std::max(time, collective.completed);
        const auto function = static_cast<std::uint32_t>(record::Function::Barrier);
        const std::uint64_t request = name(thread);
        add(thread, time, 0, 0, function, Event::enter_call);
        add(thread, time, 0, 1, 0, Event::envelope);
        add(thread, time, request, 0,
            static_cast<std::uint32_t>(record::Kind::collective) | record::kOwn, Event::start);
        add(thread, until, request, 0, record::kOwn, Event::finish);
        add(thread, until, 0, 0, function, Event::leave_call);
        work(thread, time, until, true);
        return until;
    }

    static constexpr int kMain = -1;
    static constexpr std::uint32_t kNotAtAll = 0;
    /// An undeferred job and its creator, which runs it in its place, keeps its thread, or leaves
    /// it.
    struct Awaited {
        int creator = kMain;
        int thread = 0;
        bool in_place = false;
        bool stays = false;
    };

    Model &model_;
    const Rank &rank_;
    const std::size_t number_;
    std::vector<std::set<int>> before_;
    std::vector<std::size_t> next_;
    std::vector<int> children_;
    std::vector<int> in_group_;
    std::vector<std::uint32_t> waits_; ///< the kind of each job's wait
    std::map<int, int> group_of_waiter_;
    std::map<int, Awaited> awaited_;
    std::map<int, Time> resumable_; ///< creators
    int staying_ = 0;               ///< creators that keep their threads
    bool main_is_free_ = false;     ///< its thread runs jobs while it waits,
    bool main_is_due_ = false;      ///< although it could continue
    std::size_t next_of_main_ = 0;
    std::vector<std::size_t> missing_;
    std::vector<std::uint64_t> names_;
    std::vector<std::vector<Record>> records_;
    std::vector<std::uint64_t> implicit_;
    std::vector<std::uint32_t> numbers_;
    std::uint32_t implicit_count_ = 0;
    std::multimap<Time, std::pair<int, int>> events_; ///< (thread, job), or (-1, created job)
    std::deque<int> queue_;
    std::set<int> idle_;
    std::set<int> running_;
    Time end_ = 0;
};

// The figures

Time within(Interval a, Interval b) {
    return std::max<Time>(0, std::min(a.end, b.end) - std::max(a.begin, b.begin));
}

/// When each job ends at the earliest, on any number of threads, by repeating the rules until
/// nothing changes.
class Earliest {
  public:
    enum class Rule {
        dependences, ///< the thesis' graph
        waits,       ///< and creation and waits
        simulation,  ///< and the time of creations and messages
    };

    Earliest(const Model &model, const std::vector<Ran> &ran, Rule rule)
        : model_(model), rule_(rule), sent_(model.messages.size(), 0),
          came_(model.ranks.size(), 0) {
        for (const Rank &rank : model.ranks) {
            created_.emplace_back(rank.jobs.size(), 0);
            begun_.emplace_back(rank.jobs.size(), 0);
            ended_.emplace_back(rank.jobs.size(), 0);
            before_.push_back(predecessors_of(rank));
        }
        if (rule != Rule::simulation)
            for (std::size_t rank = 0; rank < ran.size(); ++rank)
                for (std::size_t i = 1; i < ran[rank].turns.size(); ++i)
                    before_[rank][static_cast<std::size_t>(ran[rank].turns[i])].insert(
                        ran[rank].turns[i - 1]);
        do
            changed_ = false;
        while (step());
    }

    Time length() const {
        Time first = kNever;
        Time last = 0;
        for (std::size_t rank = 0; rank < ended_.size(); ++rank) {
            first = std::min(first, *std::min_element(begun_[rank].begin(), begun_[rank].end()));
            last = std::max(last, *std::max_element(ended_[rank].begin(), ended_[rank].end()));
        }
        return rule_ == Rule::simulation ? last - first : last;
    }

  private:
    void set(Time &value, Time to) {
        changed_ |= value != to;
        value = to;
    }

    bool step() {
        changed_ = false;
        for (std::size_t rank = 0; rank < model_.ranks.size(); ++rank) {
            Time now = 0;
            for (std::size_t i = 0; i < model_.ranks[rank].jobs.size(); ++i) {
                const Job &job = model_.ranks[rank].jobs[i];
                if (job.parent < 0) {
                    now += rule_ == Rule::simulation ? job.creation : 0;
                    set(created_[rank][i], now);
                }
                Time time = created_[rank][i];
                for (const int before : before_[rank][i])
                    time = std::max(time, ended_[rank][static_cast<std::size_t>(before)]);
                set(begun_[rank][i], time);
                set(ended_[rank][i], run(rank, job, time));
                if (job.parent < 0 && job.undeferred && rule_ != Rule::dependences)
                    now = std::max(now, ended_[rank][i]);
            }
        }
        return changed_;
    }

    Time run(std::size_t rank, const Job &job, Time time) {
        std::vector<int> children;
        for (const Move &move : job.moves) {
            const auto what = static_cast<std::size_t>(move.what);
            switch (move.kind) {
            case Move::compute:
                time += move.time;
                break;
            case Move::create:
                set(created_[rank][what], rule_ == Rule::dependences ? 0 : time);
                children.push_back(move.what);
                if (model_.ranks[rank].jobs[what].undeferred && rule_ != Rule::dependences)
                    time = std::max(time, ended_[rank][what]);
                break;
            case Move::end_group:
                for (std::size_t i = 0; i < model_.ranks[rank].jobs.size(); ++i)
                    if (model_.ranks[rank].jobs[i].group == move.what && rule_ != Rule::dependences)
                        time = std::max(time, ended_[rank][i]);
                break;
            case Move::collective:
                set(came_[rank], time);
                time = std::max(time, *std::max_element(came_.begin(), came_.end())) +
                       (rule_ == Rule::simulation
                            ? model_.collective.completed - model_.collective.last()
                            : 0);
                break;
            case Move::wait_for_children:
                for (const int child : children)
                    if (rule_ != Rule::dependences)
                        time = std::max(time, ended_[rank][static_cast<std::size_t>(child)]);
                break;
            case Move::region:
                for (std::size_t part = 0; part < move.members.front().size(); ++part) {
                    Time longest = 0;
                    for (const std::vector<Time> &member : move.members)
                        longest = std::max(longest, member[part]);
                    time += longest;
                }
                break;
            case Move::send:
                set(sent_[what], time);
                break;
            case Move::receive:
                time = std::max(time, sent_[what]) +
                       (rule_ == Rule::simulation ? model_.messages[what].flight : 0);
                break;
            }
        }
        return time;
    }

    const Model &model_;
    const Rule rule_;
    std::vector<std::vector<Time>> created_, begun_, ended_; ///< by rank and job
    std::vector<std::vector<std::set<int>>> before_;
    std::vector<Time> sent_;
    std::vector<Time> came_; ///< when each rank starts the collective
    bool changed_ = false;
};

/// Divides the threads' time at every moment at which something changes.
Breakdown divide(const Ran &ran, Interval window) {
    std::set<Time> moments{window.begin, window.end};
    for (const std::vector<Busy> &thread : ran.threads)
        for (const Busy &busy : thread)
            moments.insert({busy.time.begin, busy.time.end});
    std::vector<Interval> ready;
    for (std::size_t i = 0; i < ran.begun.size(); ++i) {
        Time since = ran.ready[i];
        const auto turn = std::find(ran.turns.begin(), ran.turns.end(), static_cast<int>(i));
        if (turn != ran.turns.end() && turn != ran.turns.begin())
            since = std::max(since, ran.ended[static_cast<std::size_t>(*std::prev(turn))]);
        ready.push_back({since, ran.begun[i]});
        moments.insert({since, ran.begun[i]});
    }
    for (const Interval &resumed : ran.resumed) {
        ready.push_back(resumed);
        moments.insert({resumed.begin, resumed.end});
    }
    Breakdown sum;
    for (auto moment = moments.begin(); std::next(moment) != moments.end(); ++moment) {
        const Interval time{*moment, *std::next(moment)};
        if (within(time, window) == 0)
            continue;
        const bool waits = std::any_of(ready.begin(), ready.end(), [&](const Interval &interval) {
            return interval.contains(time.begin);
        });
        for (const std::vector<Busy> &thread : ran.threads) {
            const bool works = std::any_of(thread.begin(), thread.end(), [&](const Busy &busy) {
                return busy.time.contains(time.begin);
            });
            (works ? sum.work : waits ? sum.overhead : sum.idle) += time.length();
        }
    }
    return sum;
}

class Folder {
  public:
    Folder() : path(fs::temp_directory_path() / ("loomp-oracle-" + std::to_string(getpid()))) {
        fs::remove_all(path);
        fs::create_directories(path);
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() {
        std::error_code error;
        fs::remove_all(path, error);
    }
    const fs::path path;
};

void check(unsigned seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Model model = make_model(seed);
    const Folder folder;
    std::vector<Ran> ran;
    for (std::size_t rank = 0; rank < model.ranks.size(); ++rank) {
        Runner runner(model, rank);
        runner.run();
        runner.write(folder.path);
        ran.push_back(runner.ran);
    }
    if (model.collective.late) // no program: a rank would have to come before that
        return;
    const Recording recording = open_recording(folder.path);
    EXPECT_EQ(recording.problems, std::vector<std::string>{});
    write_archive(recording, folder.path);
    const Trace trace = read_archive(folder.path / kArchive);
    EXPECT_EQ(trace.problems, std::vector<std::string>{});

    Interval window{kNever, 0};
    for (const Ran &of : ran)
        for (const std::vector<Busy> &thread : of.threads)
            for (const Busy &busy : thread)
                window = {std::min(window.begin, busy.time.begin),
                          std::max(window.end, busy.time.end)};
    EXPECT_EQ(trace.makespan().length(), window.length());
    const TimeBreakdown times = break_down(trace);
    Time code = 0;
    for (Index rank = 0; rank < ran.size(); ++rank) {
        const Breakdown expected = divide(ran[rank], window);
        const Breakdown found = times.of_rank(trace, rank);
        EXPECT_EQ(found.work, expected.work);
        EXPECT_EQ(found.overhead, expected.overhead);
        EXPECT_EQ(found.idle, expected.idle);
        for (const std::vector<Busy> &thread : ran[rank].threads)
            for (const Busy &busy : thread)
                code += busy.in_mpi ? 0 : busy.time.length();
    }

    EXPECT_EQ(trace.messages.size(), model.messages.size());
    std::vector<Overlap> overlaps(ran.size());
    for (std::size_t rank = 0; rank < ran.size(); ++rank)
        for (const Job &job : model.ranks[rank].jobs)
            for (const Move &move : job.moves)
                if (move.kind == Move::send) {
                    const Message &message = model.messages[static_cast<std::size_t>(move.what)];
                    const Interval flight{message.sent, message.received};
                    overlaps[rank].communication += flight.length();
                    for (const std::vector<Busy> &thread : ran[rank].threads)
                        for (const Busy &busy : thread)
                            overlaps[rank].work += busy.in_mpi ? 0 : within(busy.time, flight);
                }
    const std::vector<RankOverlap> found = overlap_of_ranks(trace);
    for (std::size_t rank = 0; rank < ran.size(); ++rank) {
        EXPECT_EQ(found[rank].messages.work, overlaps[rank].work);
        EXPECT_EQ(found[rank].messages.communication, overlaps[rank].communication);
        EXPECT_EQ(found[rank].messages.threads, ran[rank].threads.size());
        Overlap collective;
        if (model.collective.completed != kNever) {
            const Interval flight{model.collective.started[rank], model.collective.completed};
            collective.communication = flight.length();
            for (const std::vector<Busy> &thread : ran[rank].threads)
                for (const Busy &busy : thread)
                    collective.work += busy.in_mpi ? 0 : within(busy.time, flight);
        }
        EXPECT_EQ(found[rank].collectives.work, collective.work);
        EXPECT_EQ(found[rank].collectives.communication, collective.communication);
    }

    for (const bool waits : {false, true}) {
        const auto path = critical_path(build_graph(trace, {.waits = waits}));
        ASSERT_TRUE(path);
        EXPECT_EQ(path->work, code);
        const Earliest expected(model, ran,
                                waits ? Earliest::Rule::waits : Earliest::Rule::dependences);
        EXPECT_EQ(path->length, expected.length()) << (waits ? "with waits" : "by dependences");
    }

    const Program program = make_program(trace);
    const auto simulated = [&](Index threads) {
        SimulationOptions options;
        options.threads = threads;
        options.at_once = false;
        options.task_overhead = 0;
        const Simulation simulation = simulate(trace, program, options);
        EXPECT_EQ(simulation.unfinished, 0u) << threads;
        return simulation.makespan;
    };
    // On one thread no message can come while its receiver waits for others.
    if (model.messages.empty() && model.ranks.size() == 1 && !model.main_waits)
        EXPECT_EQ(simulated(1), code);
    constexpr Index kEnough = 200;
    // If every receive happened to begin before its send, sends seem to wait for receives. A thread
    // that waits for an undeferred task may run another one when it could continue.
    if (!model.exclusive && !model.main_waits && !program.transport.of_size(kBytes).rendezvous)
        EXPECT_EQ(simulated(kEnough), Earliest(model, ran, Earliest::Rule::simulation).length());
}

TEST(Oracle, KnowsTheFiguresOfRandomPrograms) {
    const char *told = std::getenv("LOOMP_ORACLE_SEEDS");
    const unsigned seeds = told == nullptr ? 40 : static_cast<unsigned>(std::atoi(told));
    for (unsigned seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed)
        check(seed);
}

} // namespace
} // namespace loomp::analysis
