#include "mpi/waiting/stuck.h"

#include <algorithm>
#include <cstdlib>

#include "mpi/waiting/call_text.h"
#include "mpi/waiting/request_origin.h"
#include "platform/clock.h"

namespace loomp::mpi {

namespace {

constexpr int kShown = 16;

} // namespace

WaitingCalls::~WaitingCalls() { std::free(entries_); }

int WaitingCalls::add(const Call &call, std::int64_t since, int total) {
    if (count_ == capacity_) {
        const int capacity = capacity_ == 0 ? 256 : 2 * capacity_;
        void *more = std::realloc(entries_, static_cast<std::size_t>(capacity) * sizeof(Entry));
        if (more == nullptr)
            return -1;
        entries_ = static_cast<Entry *>(more);
        capacity_ = capacity;
    }
    entries_[count_] = {&call, since, total, 0, {}};
    return count_++;
}

void WaitingCalls::add_request(int entry, int number, MPI_Request request) {
    if (entry < 0)
        return;
    Entry &of = entries_[entry];
    if (of.pending < kRequestsShown)
        of.requests[of.pending] = {number, request};
    ++of.pending;
}

namespace {

/// Adds the indices of at most `most` of the call's incomplete requests.
void add_requests(Text &text, int pending, int total, WaitingCalls::Request *requests, int most) {
    const int shown = std::min(pending, most);
    std::sort(requests, requests + shown,
              [](const auto &a, const auto &b) { return a.number < b.number; });
    text.add(", for %d of %d requests (", pending, total);
    for (int i = 0; i < shown; ++i) {
        text.add("%s[%d]", i == 0 ? "" : "; ", requests[i].number);
        Call started;
        if (what_started(requests[i].handle, started)) {
            text.add(" ");
            add_call(text, started);
        }
    }
    text.add("%s)", pending > shown ? "; ..." : "");
}

} // namespace

void WaitingCalls::print(double seconds_idle) {
    if (count_ == 0)
        return; // the calls completed while this waited for the gate
    std::sort(entries_, entries_ + count_,
              [](const Entry &a, const Entry &b) { return a.since < b.since; });
    int rank = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::int64_t now = core::coarse_nanoseconds();
    Text text;
    text.add("loomp: rank %d: all threads have been idle for %.1f s, and %d calls of tasks wait in "
             "MPI:\n",
             rank, seconds_idle, count_);
    for (int i = 0; i < std::min(count_, kShown); ++i) {
        const Call &call = *entries_[i].call;
        text.add("loomp: rank %d:   ", rank);
        add_call(text, call);
        if (entries_[i].pending > 0)
            add_requests(text, entries_[i].pending, entries_[i].total, entries_[i].requests,
                         kRequestsShown);
        text.add(", for %.1f s", static_cast<double>(now - entries_[i].since) * 1e-9);
        add_place(text, call);
        text.add("\n");
    }
    if (count_ > kShown)
        text.add("loomp: rank %d:   and %d more\n", rank, count_ - kShown);
    text.write();
}

} // namespace loomp::mpi
