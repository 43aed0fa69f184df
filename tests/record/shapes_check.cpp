// Compares the trace of a program of known shape with a model of it: shapes_check ARCHIVE SHAPE...
// A SHAPE is what shapes.c printed, of each rank. It prints what differs, and returns 1 then. It
// returns 2 if only the naps of one rank's program differ from the tasks' recorded time by more
// than a busy machine should cause.
//
// The structure must be exact: tasks, parents, undeferred ones, the order that the depend clauses
// imply, the MPI calls of each task, and each message's two sides. With the recorded times of the
// code, the model computes T1, the longest paths and the overlap, which must be the analysis' to
// the nanosecond. The program has timed its naps and its calls itself: the recorded times of all
// calls lie within the program's, and each nap within one piece of its task, if the two clocks
// differ by one constant.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "profiler/archive/archive.h"
#include "profiler/graph/critical_path.h"
#include "profiler/metrics/breakdown.h"
#include "profiler/metrics/communication.h"
#include "profiler/simulation/simulation.h"

namespace {

using namespace loomp::analysis;

struct Move {
    char kind;
    std::size_t what;
    Interval time; ///< by the program's clock
};
/// A task, or the code outside tasks of a rank. Numbers of tasks are positions in Given::shapes.
struct Shape {
    int parent; ///< -1: it is no task
    int undeferred, in, inout, mutex;
    std::vector<Move> moves;
    Index rank;

    bool is_task() const { return parent >= 0; }
};
struct Sent {
    std::uint64_t bytes;
    std::int32_t tag;
    int communicator;
    Index send = kNone; ///< the requests in the trace
    Index receive = kNone;
    Index from = kNone; ///< the rank
    bool synchronous = false;
    bool wildcard = false;
};
struct Given {
    std::vector<Shape> shapes;
    std::vector<std::size_t> first; ///< each rank's code outside tasks, after which its tasks come
    std::vector<Sent> messages;
};

int faults = 0;
bool busy = false;

template <class A, class B> void expect(const std::string &what, const A &found, const B &wanted) {
    if (found == static_cast<A>(wanted))
        return;
    ++faults;
    std::ostringstream line;
    line << what << ": " << found << ", not " << wanted;
    std::printf("%s\n", line.str().c_str());
}

void read(const char *path, Given &program) {
    const auto rank = static_cast<Index>(program.first.size());
    const std::size_t first = program.shapes.size();
    program.first.push_back(first);
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line) && line != "messages") {
        std::istringstream words(line);
        int number = 0;
        Shape shape{};
        shape.rank = rank;
        words >> number >> shape.parent >> shape.undeferred >> shape.in >> shape.inout >>
            shape.mutex;
        if (shape.is_task())
            shape.parent += static_cast<int>(first);
        for (Move move{}; words >> move.kind >> move.what >> move.time.begin >> move.time.end;) {
            if (move.kind == 'c')
                move.what += first;
            shape.moves.push_back(move);
        }
        program.shapes.push_back(shape);
    }
    program.messages.clear(); // each rank prints all of them
    std::size_t number = 0;
    for (Sent sent{}; file >> number >> sent.bytes >> sent.tag >> sent.communicator;)
        program.messages.push_back(sent);
}

/// The calls that a move makes.
std::vector<std::string> functions_of(const Move &move) {
    switch (move.kind) {
    case 's':
        return {"MPI_Send"};
    case 'i':
        return {"MPI_Isend"};
    case 'y':
        return {"MPI_Issend"};
    case 'r':
    case 'a':
        return {"MPI_Recv"};
    case 'p':
        return {"MPI_Mprobe", "MPI_Mrecv"};
    case 'R':
        return {"MPI_Irecv"};
    case 'W':
        return {"MPI_Wait"};
    default:
        return {};
    }
}
bool sends(const Move &move) { return move.kind == 's' || move.kind == 'i' || move.kind == 'y'; }
bool receives(const Move &move) {
    return move.kind == 'r' || move.kind == 'a' || move.kind == 'p' || move.kind == 'R';
}

Time within(Interval a, Interval b) {
    return std::max<Time>(0, std::min(a.end, b.end) - std::max(a.begin, b.begin));
}

/// Which tasks come after which, in any number of steps.
class Closure {
  public:
    explicit Closure(std::size_t tasks) : after_(tasks, std::vector<bool>(tasks, false)) {}
    void add(std::size_t from, std::size_t to) { after_[from][to] = true; }
    void close() {
        for (std::size_t middle = 0; middle < after_.size(); ++middle)
            for (std::vector<bool> &from : after_)
                if (from[middle])
                    for (std::size_t to = 0; to < after_.size(); ++to)
                        from[to] = from[to] || after_[middle][to];
    }
    bool operator()(std::size_t from, std::size_t to) const { return after_[from][to]; }

  private:
    std::vector<std::vector<bool>> after_;
};

class Check {
  public:
    Check(const Trace &trace, Given &program)
        : trace_(trace), program_(program), count_(program.shapes.size()), calls_(count_) {
        task_.assign(count_, kNone);
        for (Index i = 0; i < trace.tasks.size(); ++i)
            if (const Task &task = trace.tasks[i];
                !task.implicit && !trace.segments_of(i).empty() && task.rank < program.first.size())
                if (const std::size_t number =
                        program.first[task.rank] + std::stoul(trace.kinds[task.kind].label);
                    number < count_)
                    task_[number] = i;
    }

    void run() {
        expect("ranks", trace_.ranks, program_.first.size());
        for (std::size_t i = 0; i < count_; ++i)
            if (program_.shapes[i].is_task() && task_[i] == kNone)
                expect(name(i) + " is in the trace", false, true);
        if (faults > 0)
            return;
        structure();
        order();
        find_calls();
        messages();
        if (faults > 0)
            return;
        times();
        clocks();
        overlaps();
        paths();
        simulations();
    }

  private:
    std::string name(std::size_t number) const {
        const Index rank = program_.shapes[number].rank;
        return "task " + std::to_string(number - program_.first[rank]) + " of rank " +
               std::to_string(rank);
    }

    void structure() {
        for (std::size_t i = 0; i < count_; ++i) {
            const Shape &shape = program_.shapes[i];
            if (!shape.is_task())
                continue;
            const Task &task = trace_.tasks[task_[i]];
            const auto parent = static_cast<std::size_t>(shape.parent);
            expect(name(i) + " is undeferred", task.undeferred, shape.undeferred != 0);
            if (program_.shapes[parent].is_task())
                expect(name(i) + ": parent", task.parent, task_[parent]);
            else
                expect(name(i) + ": an implicit parent", trace_.tasks[task.parent].implicit, true);
        }
    }

    /// Finds the calls of each move. The code outside tasks has those of the rank's implicit tasks.
    void find_calls() {
        std::vector<std::vector<const Call *>> calls(count_);
        std::map<Index, std::size_t> number_of;
        for (std::size_t i = 0; i < count_; ++i)
            number_of[task_[i]] = i;
        for (const Call &call : trace_.calls) {
            const auto found = number_of.find(call.task);
            const std::string function = label_of(trace_, call.function);
            if (found != number_of.end())
                calls[found->second].push_back(&call);
            else if (const auto *const known =
                         std::find(std::begin(kFunctions), std::end(kFunctions), function);
                     known != std::end(kFunctions))
                calls[program_.first[trace_.tasks[call.task].rank]].push_back(&call);
        }
        for (std::size_t i = 0; i < count_; ++i) {
            std::stable_sort(calls[i].begin(), calls[i].end(),
                             [](const Call *a, const Call *b) { return a->begin < b->begin; });
            std::size_t next = 0;
            for (const Move &move : program_.shapes[i].moves) {
                calls_[i].emplace_back();
                for (const std::string &function : functions_of(move)) {
                    if (next == calls[i].size()) {
                        expect(name(i) + " has the call " + function, false, true);
                        return;
                    }
                    const Call *const call = calls[i][next++];
                    expect(name(i) + ": call " + std::to_string(next),
                           label_of(trace_, call->function), function);
                    calls_[i].back().push_back(call);
                }
            }
            expect(name(i) + ": calls", calls[i].size(), next);
        }
    }

    /// Each message has the requests of the calls that the program has made for it.
    void messages() {
        for (std::size_t i = 0; i < count_ && faults == 0; ++i)
            for (std::size_t at = 0; at < calls_[i].size(); ++at)
                if (const Move &move = program_.shapes[i].moves[at]; !calls_[i][at].empty())
                    requests(i, move, calls_[i][at]);
        std::vector<Index> receive_of(trace_.requests.size(), kNone);
        for (const Message &message : trace_.messages)
            receive_of[message.send] = message.receive;
        expect("messages", trace_.messages.size(), program_.messages.size());
        std::map<int, Index> communicators;
        for (std::size_t i = 0; i < program_.messages.size() && faults == 0; ++i) {
            const Sent &sent = program_.messages[i];
            const std::string which = "message " + std::to_string(i);
            if (sent.send == kNone || sent.receive == kNone) {
                expect(which + " has two sides", false, true);
                continue;
            }
            expect(which + ": the receive", receive_of[sent.send], sent.receive);
            const Request &send = trace_.requests[sent.send];
            const Request &receive = trace_.requests[sent.receive];
            expect(which + ": its send's kind", send.kind == RequestKind::synchronous_send,
                   sent.synchronous);
            expect(which + ": its send is one", send.kind != RequestKind::receive, true);
            expect(which + ": its receive is one", receive.kind == RequestKind::receive, true);
            expect(which + ": a wildcard", receive.wildcard, sent.wildcard);
            expect(which + ": bytes", send.bytes, sent.bytes); // those of receives are not recorded
            expect(which + ": its time", send.started <= receive.completed, true);
            for (const Request *side : {&send, &receive}) {
                const Index rank = side == &send ? sent.from : 1 - sent.from;
                expect(which + ": rank", side->rank, rank);
                expect(which + ": peer", side->peer, 1 - rank);
                expect(which + ": tag", side->tag, sent.tag);
                expect(
                    which + ": communicator", side->communicator,
                    communicators.try_emplace(sent.communicator, side->communicator).first->second);
            }
        }
        for (const WaitedFor &wait : waits_) {
            const Sent &sent = program_.messages[wait.message];
            expect("message " + std::to_string(wait.message) + ": the request of its wait",
                   wait.request, wait.rank == sent.from ? sent.send : sent.receive);
        }
        expect("two communicators",
               communicators.size() < 2 || communicators[0] != communicators[1], true);
    }

    /// The calls of the move start the request of its message and complete it, or one of both.
    void requests(std::size_t number, const Move &move, const std::vector<const Call *> &calls) {
        Sent &sent = program_.messages[move.what];
        const Index rank = program_.shapes[number].rank;
        const std::string which =
            name(number) + ": message " + std::to_string(move.what) + ", " + move.kind;
        std::vector<Change> changes;
        for (const Call *call : calls)
            for (const Change &change : trace_.changes_of(*call))
                changes.push_back(change);
        const bool starts = move.kind != 'W';
        const bool completes = move.kind != 'i' && move.kind != 'y' && move.kind != 'R';
        expect(which + ": what it starts and completes", changes.size(),
               starts && completes ? 2 : 1);
        if (faults > 0)
            return;
        expect(which + ": it starts", !changes.front().completes, starts);
        expect(which + ": it completes", changes.back().completes, completes);
        expect(which + ": one request", changes.front().request, changes.back().request);
        // A matched probe starts a receive, which its receive completes.
        expect(which + ": the first call", trace_.changes_of(*calls.front()).empty(), false);
        expect(which + ": the last call", trace_.changes_of(*calls.back()).empty(), false);
        if (sends(move)) {
            sent.send = changes.front().request;
            sent.from = rank;
            sent.synchronous = move.kind == 'y';
        } else if (receives(move)) {
            sent.receive = changes.front().request;
            sent.wildcard = move.kind == 'a';
        } else {
            waits_.push_back({changes.front().request, move.what, rank});
        }
    }

    /// OpenMP's rules: a task comes after an earlier sibling that names its location, unless both
    /// only read it.
    Closure wanted_order() const {
        Closure wanted(count_);
        for (std::size_t late = 0; late < count_; ++late)
            for (std::size_t early = 0; early < late; ++early) {
                const Shape &a = program_.shapes[early];
                const Shape &b = program_.shapes[late];
                if (a.is_task() && a.parent == b.parent &&
                    ((a.inout >= 0 && a.inout == b.inout) || (a.in >= 0 && a.in == b.inout) ||
                     (a.inout >= 0 && a.inout == b.in)))
                    wanted.add(early, late);
            }
        wanted.close();
        return wanted;
    }
    void order() {
        Closure found(trace_.tasks.size());
        for (const Dependence &dependence : trace_.dependences)
            found.add(dependence.from, dependence.to);
        found.close();
        const Closure wanted = wanted_order();
        for (std::size_t from = 0; from < count_; ++from)
            for (std::size_t to = 0; to < count_; ++to)
                if (program_.shapes[from].is_task() && program_.shapes[to].is_task())
                    expect(name(to) + " comes after " + name(from), found(task_[from], task_[to]),
                           wanted(from, to));
    }

    /// A task's time on threads outside MPI calls.
    Time code(std::size_t number, Time from = 0, Time to = kNever) const {
        if (!program_.shapes[number].is_task())
            return 0;
        Time sum = 0;
        for (const Segment &segment : trace_.segments_of(task_[number])) {
            const Interval part{std::max(segment.begin, from), std::min(segment.end, to)};
            sum += std::max<Time>(0, part.length());
            for (const Call &call : trace_.calls_of(task_[number]))
                sum -= within(part, {call.begin, call.end});
        }
        return sum;
    }

    void times() {
        // Clocks are read in one order in the task and in the recorder; a thread may lose its
        // processor between two readings.
        constexpr Time kBusy = 5'000'000;
        Time work = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            if (!program_.shapes[i].is_task())
                continue;
            Time naps = 0;
            for (const Move &move : program_.shapes[i].moves)
                if (move.kind == 'n')
                    naps += move.time.length();
            const Time found = code(i);
            expect(name(i) + " takes at least its naps", found >= naps, true);
            busy = busy || (trace_.ranks == 1 && found > naps + kBusy);
            all_ += found;
            for (const Segment &segment : trace_.segments_of(task_[i]))
                work += segment.end - segment.begin;
        }
        const Breakdown sum = break_down(trace_).total();
        expect("work", sum.work, work);
        expect("work, overhead and idle time", sum.total(),
               static_cast<Time>(trace_.count_threads()) * trace_.makespan().length());
    }

    /// The recorder's clock less the program's is between `least` and `most`: each call begins and
    /// ends within the program's times of its move.
    void clocks() const {
        constexpr Time kError = 1000;
        Time least = -kNever;
        Time most = kNever;
        const auto bound = [&](const std::string &what, Interval inner, Interval outer) {
            least = std::max(least, inner.end - outer.end);
            most = std::min(most, inner.begin - outer.begin);
            if (least > most + kError) {
                expect(what + " lies within its time, ns", most - least, 0);
                least = -kNever;
                most = kNever;
            }
        };
        for (std::size_t i = 0; i < count_; ++i)
            for (std::size_t at = 0; at < calls_[i].size(); ++at)
                for (const Call *call : calls_[i][at])
                    bound(name(i) + ": " + label_of(trace_, call->function),
                          {call->begin, call->end}, program_.shapes[i].moves[at].time);
        for (std::size_t i = 0; i < count_; ++i)
            for (const Move &move : program_.shapes[i].moves)
                if (move.kind == 'n' && program_.shapes[i].is_task() && most != kNever)
                    nap(i, {move.time.begin + most, move.time.end + least}, kError);
    }
    void nap(std::size_t number, Interval time, Time error) const {
        const auto segments = trace_.segments_of(task_[number]);
        expect(name(number) + ": a nap lies within one piece of it",
               std::any_of(segments.begin(), segments.end(),
                           [&](const Segment &segment) {
                               return segment.begin <= time.begin + error &&
                                      time.end - error <= segment.end;
                           }),
               true);
        for (const Call &call : trace_.calls_of(task_[number]))
            expect(name(number) + ": a nap lies in no call, ns",
                   within({call.begin + error, call.end - error}, time), 0);
    }

    void overlaps() const {
        std::vector<Overlap> wanted(trace_.ranks);
        for (const Sent &sent : program_.messages) {
            const Interval flight{trace_.requests[sent.send].started,
                                  trace_.requests[sent.receive].completed};
            wanted[sent.from].communication += flight.length();
            for (std::size_t i = 0; i < count_; ++i)
                if (program_.shapes[i].rank == sent.from)
                    wanted[sent.from].work += code(i, flight.begin, flight.end);
        }
        const std::vector<RankOverlap> found = overlap_of_ranks(trace_);
        for (Index rank = 0; rank < trace_.ranks; ++rank) {
            const std::string of = " of rank " + std::to_string(rank);
            expect("time in flight" + of, found[rank].messages.communication,
                   wanted[rank].communication);
            expect("work in flight" + of, found[rank].messages.work, wanted[rank].work);
        }
    }

    /// When each task ends at the earliest, by repeating the rules until nothing changes.
    struct Earliest {
        std::vector<Time> created, ended, sent;
        bool changed = false;

        Earliest(std::size_t count, std::size_t messages)
            : created(count, 0), ended(count, 0), sent(messages, 0) {}
        void set(Time &value, Time to) {
            changed = changed || value != to;
            value = to;
        }
    };

    std::vector<std::vector<std::size_t>> before_each() const {
        std::vector<std::vector<std::size_t>> before(count_);
        const Closure wanted = wanted_order();
        for (std::size_t from = 0; from < count_; ++from)
            for (std::size_t to = 0; to < count_; ++to)
                if (wanted(from, to))
                    before[to].push_back(from);
        return before;
    }
    void paths() {
        std::vector<std::vector<std::size_t>> before = before_each();
        add_turns(before);
        for (const bool waits : {false, true}) {
            const std::string which = waits ? " with waits" : " by dependences";
            const auto path = critical_path(build_graph(trace_, {.waits = waits}));
            if (!path) {
                expect("a cycle" + which, true, false);
                continue;
            }
            expect("T1" + which, path->work, all_);
            expect("T-infinity" + which, path->length, length(before, waits));
        }
    }

    /// Tasks that excluded each other, in the order in which they ran.
    void add_turns(std::vector<std::vector<std::size_t>> &before) const {
        std::map<int, std::vector<std::size_t>> of_parent;
        for (const Exclusion &exclusion : trace_.exclusions)
            if (const auto found = std::find(task_.begin(), task_.end(), exclusion.task);
                found != task_.end()) {
                const auto number = static_cast<std::size_t>(found - task_.begin());
                of_parent[program_.shapes[number].parent].push_back(number);
            }
        const auto begin = [&](std::size_t i) {
            return trace_.segments_of(task_[i]).front().begin;
        };
        for (auto &[parent, tasks] : of_parent) {
            std::sort(tasks.begin(), tasks.end(),
                      [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
            for (std::size_t i = 1; i < tasks.size(); ++i)
                if (trace_.tasks[task_[tasks[i - 1]]].ended <= begin(tasks[i]))
                    before[tasks[i]].push_back(tasks[i - 1]);
        }
    }

    Time length(const std::vector<std::vector<std::size_t>> &before, bool waits) const {
        Earliest at(count_, program_.messages.size());
        do {
            at.changed = false;
            for (std::size_t i = 0; i < count_; ++i) {
                Time time = at.created[i];
                for (const std::size_t other : before[i])
                    time = std::max(time, at.ended[other]);
                at.set(at.ended[i], run(i, time, at, waits));
            }
        } while (at.changed);
        Time last = 0;
        for (std::size_t i = 0; i < count_; ++i)
            if (program_.shapes[i].is_task())
                last = std::max(last, at.ended[i]);
        return last;
    }

    Time run(std::size_t number, Time time, Earliest &at, bool waits) const {
        const Shape &shape = program_.shapes[number];
        Time from = 0; // of the code that follows
        std::vector<std::size_t> children;
        const auto go_on = [&](Time until) {
            time += code(number, from, until);
            from = until;
        };
        for (std::size_t i = 0; i < shape.moves.size(); ++i) {
            const Move &move = shape.moves[i];
            const bool comes_in =
                receives(move) ||
                (move.kind == 'W' && program_.messages[move.what].from != shape.rank);
            if (move.kind == 'c') {
                go_on(trace_.tasks[task_[move.what]].created);
                at.set(at.created[move.what], waits ? time : 0);
                children.push_back(move.what);
                if (waits && program_.shapes[move.what].undeferred != 0)
                    time = std::max(time, at.ended[move.what]);
            } else if (move.kind == 'w' || move.kind == ')') {
                go_on(begin_of_wait(number));
                for (const std::size_t child : children)
                    if (waits)
                        time = std::max(time, at.ended[child]);
            } else if (move.kind == '}') {
                for (std::size_t i = number + 1; waits && i < count_; ++i)
                    if (program_.shapes[i].rank == shape.rank)
                        time = std::max(time, at.ended[i]);
            } else if (sends(move)) {
                go_on(calls_[number][i].back()->begin);
                at.set(at.sent[move.what], time);
            } else if (comes_in && move.kind != 'R') {
                go_on(calls_[number][i].back()->begin);
                time = std::max(time, at.sent[move.what]);
            }
        }
        return time + code(number, from, kNever);
    }

    /// A task has one wait for its children at most. Earlier ones are those of clang's undeferred
    /// tasks, for their predecessors.
    Time begin_of_wait(std::size_t number) const {
        Time begin = kNever;
        for (const Wait &wait : trace_.waits)
            if (wait.task == task_[number] && wait.what != WaitFor::undeferred)
                begin = wait.begin;
        expect(name(number) + " has a wait", begin != kNever, true);
        return begin;
    }

    void simulations() const {
        const Program program = make_program(trace_);
        const Time path = length(before_each(), true);
        for (const Index threads : {1U, 2U, 200U}) {
            // The code outside tasks keeps its thread while it receives.
            if (threads == 1 && trace_.ranks > 1)
                continue;
            SimulationOptions options;
            options.threads = threads;
            options.at_once = false;
            options.suspends = true;
            options.task_overhead = 0;
            const Simulation found = simulate(trace_, program, options);
            const std::string on = " on " + std::to_string(threads) + " threads";
            expect("tasks that never end" + on, found.unfinished, 0U);
            expect("at least the work" + on,
                   found.makespan * static_cast<Time>(threads * trace_.ranks) >= all_, true);
            expect("at least the longest path" + on, found.makespan >= path, true);
        }
    }

    static constexpr const char *kFunctions[] = {"MPI_Send",  "MPI_Isend", "MPI_Issend",
                                                 "MPI_Recv",  "MPI_Irecv", "MPI_Mprobe",
                                                 "MPI_Mrecv", "MPI_Wait"};
    struct WaitedFor {
        Index request;
        std::size_t message;
        Index rank;
    };

    const Trace &trace_;
    Given &program_;
    const std::size_t count_;
    std::vector<Index> task_;                                   ///< in the trace
    std::vector<std::vector<std::vector<const Call *>>> calls_; ///< of each move of each task
    std::vector<WaitedFor> waits_;
    Time all_ = 0;
};

} // namespace

int main(int argc, char **argv) {
    if (argc < 3) {
        std::fprintf(stderr, "usage: shapes_check ARCHIVE SHAPE...\n");
        return 1;
    }
    const Trace trace = read_archive(argv[1]);
    for (const std::string &problem : trace.problems)
        expect("a problem: " + problem, true, false);
    Given program;
    for (int i = 2; i < argc; ++i)
        read(argv[i], program);
    Check(trace, program).run();
    if (faults > 0)
        return 1;
    return busy ? 2 : 0;
}
