// The processes that share an application's work: the same calls with one process
// (serial/ranks.cpp) and over MPI (mpi/ranks.cpp), which one is decided when the program is linked.
//
// send(), receive(), sum(), least() and a Request's calls are plain MPI calls and may be made in
// tasks, several at a time; everything else outside of them. Calls that involve all ranks must be
// made by all, in one order. Failures of MPI end the program, with MPI's message.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace apps::ranks {

// First and last call of main().
void start(int *argc, char ***argv);
void finish();
// The body of main(): `run` between these two; returns the program's status.
inline int run_program(int argc, char **argv, int (*run)(int, char **)) {
    start(&argc, &argv);
    const int status = run(argc, argv);
    finish();
    return status;
}

int rank();
int count();
inline bool first() { return rank() == 0; }
// The greatest tag of a message.
int largest_tag();

void send(const double *data, std::int64_t values, int to, int tag);
void receive(double *data, std::int64_t values, int from, int tag);

// Gathers the parts of all ranks, one after another, on the first rank, whose `all` has room for
// them; the others' is not touched. `counts`: how many values each rank has, the same on all.
void gather(const double *own, double *all, const std::vector<std::int64_t> &counts);

// Part of an exchange; what is sent is not changed.
struct Message {
    double *data;
    std::int64_t values;
    int peer;
    int tag;
};
// Starts all of them, and waits for all: how bulk-synchronous forms communicate.
void exchange(const std::vector<Message> &outgoing, const std::vector<Message> &incoming);

// A message that is sent, or received, again and again from the same place. Begun, then completed,
// then begun again.
class Request {
  public:
    enum class Calls {
        persistent, // a persistent request
        blocking    // begin() sends, complete() receives: what stopped iterations need (below)
    };
    Request() = default;
    static Request to_send(const double *data, std::int64_t values, int to, int tag, Calls calls);
    static Request to_receive(double *data, std::int64_t values, int from, int tag, Calls calls);
    Request(Request &&other) noexcept : state_(other.state_) { other.state_ = nullptr; }
    Request &operator=(Request &&other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    // Called before finish(), and when the request is complete.
    ~Request();

    void begin();
    // Waits; returns at once if nothing has begun.
    void complete();

  private:
    struct State;
    State *state_ = nullptr; // owned
};

// Whether a task that waits for a message leaves its thread to others meanwhile: with loomp's layer
// for MPI it does, else it holds the thread. Tasks that make blocking calls in any order then hang,
// once each thread waits for a message whose sender has not run.
bool waiting_frees_threads();
// Returns the reason why such tasks cannot be used here; empty if they can. `option` asks for them,
// `other` does not.
inline std::string objection_to_blocking(const std::string &option, const std::string &other) {
    if (count() == 1 || waiting_frees_threads())
        return "";
    return option + " needs loomp: start the program by `loomp run`, or use " + other;
}

// Iterations whose tasks are created ahead of the decision to stop, which cancels those of later
// ones on all ranks. Only some runtimes can do that (loomp, over MPI). All ranks call these in the
// task that creates the tasks, except stop_after_this_iteration(). Their tasks send and receive by
// blocking calls only.
bool can_stop_ahead();
void begin_iterations();
// False: they have been cancelled.
bool next_iteration();
// A task of the iteration calls it.
void stop_after_this_iteration();
// Waits for all tasks; returns how many iterations were completed.
int end_iterations();

// Over all ranks; every rank gets the same.
double sum(double value);
// Sums each of some values, in place; all ranks have as many.
void sum(double *values, std::int64_t count);
double least(double value);
double most(double value);
void barrier();

} // namespace apps::ranks
