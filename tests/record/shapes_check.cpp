// Compares the trace of a program of known shape with a model of it: shapes_check ARCHIVE SHAPE.
// SHAPE is what shapes.c printed. It prints what differs, and returns 1 then. It returns 2 if only
// the naps differ from the tasks' recorded time by more than a busy machine should cause.
//
// The structure must be exact: tasks, parents, undeferred ones, and the order that the depend
// clauses imply. With the recorded times of the code, the model computes T1 and the longest paths,
// which must be the analysis' to the nanosecond. The naps were timed by the program itself.
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
#include "profiler/simulation/simulation.h"

namespace {

using namespace loomp::analysis;

struct Move {
    char kind;
    std::size_t what;
};
struct Shape {
    int parent, undeferred, in, inout, mutex;
    std::vector<Move> moves;
};
struct Given {
    std::vector<Shape> shapes;
    std::vector<Time> naps;
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

Given read(const char *path) {
    Given program;
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line) && line != "naps") {
        std::istringstream words(line);
        int number = 0;
        Shape shape{};
        words >> number >> shape.parent >> shape.undeferred >> shape.in >> shape.inout >>
            shape.mutex;
        for (std::string word; words >> word;)
            shape.moves.push_back(
                {word[0], word.size() > 1 ? std::stoul(word.substr(1)) : std::size_t{0}});
        program.shapes.push_back(shape);
    }
    Time begin = 0;
    Time end = 0;
    for (std::size_t number = 0; file >> number >> begin >> end;)
        program.naps.push_back(end - begin);
    return program;
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
    Check(const Trace &trace, const Given &program)
        : trace_(trace), program_(program), count_(program.shapes.size()) {
        task_.assign(count_, kNone);
        for (Index i = 0; i < trace.tasks.size(); ++i)
            if (const Task &task = trace.tasks[i]; !task.implicit && !trace.segments_of(i).empty())
                if (const std::size_t number = std::stoul(trace.kinds[task.kind].label);
                    number < count_)
                    task_[number] = i;
    }

    void run() {
        if (std::count(task_.begin(), task_.end(), kNone) > 0) {
            expect("tasks that are missing", std::count(task_.begin(), task_.end(), kNone), 0);
            return;
        }
        structure();
        order();
        times();
        paths();
        simulations();
    }

  private:
    std::string name(std::size_t number) const { return "task " + std::to_string(number); }

    void structure() {
        for (std::size_t i = 0; i < count_; ++i) {
            const Task &task = trace_.tasks[task_[i]];
            const Shape &shape = program_.shapes[i];
            expect(name(i) + " is undeferred", task.undeferred, shape.undeferred != 0);
            if (shape.parent < 0)
                expect(name(i) + ": an implicit parent", trace_.tasks[task.parent].implicit, true);
            else
                expect(name(i) + ": parent", task.parent,
                       task_[static_cast<std::size_t>(shape.parent)]);
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
                if (a.parent == b.parent &&
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
                expect(name(to) + " comes after " + name(from), found(task_[from], task_[to]),
                       wanted(from, to));
    }

    Time code(std::size_t number, Time from = 0, Time to = kNever) const {
        Time sum = 0;
        for (const Segment &segment : trace_.segments_of(task_[number]))
            sum += std::max<Time>(0, std::min(segment.end, to) - std::max(segment.begin, from));
        return sum;
    }

    void times() {
        // Clocks are read in one order in the task and in the recorder; a thread may lose its
        // processor between two readings.
        constexpr Time kBusy = 5'000'000;
        for (std::size_t i = 0; i < count_; ++i) {
            Time naps = 0;
            for (const Move &move : program_.shapes[i].moves)
                if (move.kind == 'n')
                    naps += program_.naps[move.what];
            const Time found = code(i);
            expect(name(i) + " takes at least its naps", found >= naps, true);
            busy = busy || found > naps + kBusy;
            all_ += found;
        }
        const Breakdown sum = break_down(trace_).total();
        expect("work", sum.work, all_);
        expect("work, overhead and idle time", sum.total(),
               static_cast<Time>(trace_.count_threads()) * trace_.makespan().length());
    }

    /// When each task ends at the earliest, by repeating the rules until nothing changes.
    struct Earliest {
        std::vector<Time> created, ended;
        bool changed = false;

        explicit Earliest(std::size_t count) : created(count, 0), ended(count, 0) {}
        void set(Time &value, Time to) {
            changed = changed || value != to;
            value = to;
        }
    };

    void paths() {
        std::vector<std::vector<std::size_t>> before(count_);
        const Closure wanted = wanted_order();
        for (std::size_t from = 0; from < count_; ++from)
            for (std::size_t to = 0; to < count_; ++to)
                if (wanted(from, to))
                    before[to].push_back(from);
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
        Earliest at(count_);
        do {
            at.changed = false;
            Time main = 0; // the creator of those without a parent, which takes no time
            for (std::size_t i = 0; i < count_; ++i) {
                if (program_.shapes[i].parent < 0)
                    at.set(at.created[i], main);
                Time time = at.created[i];
                for (const std::size_t other : before[i])
                    time = std::max(time, at.ended[other]);
                at.set(at.ended[i], run(i, time, at, waits));
                if (waits && program_.shapes[i].parent < 0 && program_.shapes[i].undeferred != 0)
                    main = std::max(main, at.ended[i]);
            }
        } while (at.changed);
        return *std::max_element(at.ended.begin(), at.ended.end());
    }

    Time run(std::size_t number, Time time, Earliest &at, bool waits) const {
        Time from = 0; // of the code that follows
        std::vector<std::size_t> children;
        for (const Move &move : program_.shapes[number].moves) {
            if (move.kind == 'c') {
                const Time created = trace_.tasks[task_[move.what]].created;
                time += code(number, from, created);
                from = created;
                at.set(at.created[move.what], waits ? time : 0);
                children.push_back(move.what);
                if (waits && program_.shapes[move.what].undeferred != 0)
                    time = std::max(time, at.ended[move.what]);
            } else if (move.kind == 'w' || move.kind == ')') {
                const Time begin = begin_of_wait(number);
                time += code(number, from, begin);
                from = begin;
                for (const std::size_t child : children)
                    if (waits)
                        time = std::max(time, at.ended[child]);
            }
        }
        return time + code(number, from, kNever);
    }

    /// A task has one wait for its children at most.
    Time begin_of_wait(std::size_t number) const {
        for (const Wait &wait : trace_.waits)
            if (wait.task == task_[number] && wait.what != WaitFor::undeferred)
                return wait.begin;
        expect(name(number) + " has a wait", false, true);
        return 0;
    }

    void simulations() const {
        const Program program = make_program(trace_);
        for (const Index threads : {1U, 2U, 200U}) {
            SimulationOptions options;
            options.threads = threads;
            options.at_once = false;
            options.task_overhead = 0;
            const Simulation found = simulate(trace_, program, options);
            const std::string on = " on " + std::to_string(threads) + " threads";
            expect("tasks that never end" + on, found.unfinished, 0U);
            expect("at least the work" + on, found.makespan * static_cast<Time>(threads) >= all_,
                   true);
        }
    }

    const Trace &trace_;
    const Given &program_;
    const std::size_t count_;
    std::vector<Index> task_; ///< in the trace
    Time all_ = 0;
};

} // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: shapes_check ARCHIVE SHAPE\n");
        return 1;
    }
    const Trace trace = read_archive(argv[1]);
    for (const std::string &problem : trace.problems)
        expect("a problem: " + problem, true, false);
    const Given program = read(argv[2]);
    Check(trace, program).run();
    if (faults > 0)
        return 1;
    return busy ? 2 : 0;
}
