// One process, without any exchange.
#include "common/ranks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace apps::ranks {

namespace {

[[noreturn]] void no_such_rank(int other) {
    std::fprintf(stderr, "there is no rank %d: this program has one process\n", other);
    std::abort();
}

} // namespace

void start(int *, char ***) {}
void finish() {}

int rank() { return 0; }
int count() { return 1; }
int largest_tag() { return 2147483647; }

void send(const double *, std::int64_t, int to, int) { no_such_rank(to); }
void receive(double *, std::int64_t, int from, int) { no_such_rank(from); }

void gather(const double *own, double *all, const std::vector<std::int64_t> &counts) {
    std::copy(own, own + counts.front(), all);
}

void exchange(const std::vector<Message> &outgoing, const std::vector<Message> &incoming) {
    for (const std::vector<Message> *messages : {&outgoing, &incoming})
        if (!messages->empty())
            no_such_rank(messages->front().peer);
}

struct Request::State {};
Request Request::to_send(const double *, std::int64_t, int to, int, Calls) { no_such_rank(to); }
Request Request::to_receive(double *, std::int64_t, int from, int, Calls) { no_such_rank(from); }
Request::~Request() = default;
void Request::begin() {}
void Request::complete() {}

bool waiting_frees_threads() { return true; }

// Therefore the next four are never called.
bool can_stop_ahead() { return false; }
void begin_iterations() {}
bool next_iteration() { return true; }
void stop_after_this_iteration() {}
int end_iterations() { return 0; }

double sum(double value) { return value; }
void sum(double *, std::int64_t) {}
double least(double value) { return value; }
double most(double value) { return value; }
void barrier() {}

} // namespace apps::ranks
