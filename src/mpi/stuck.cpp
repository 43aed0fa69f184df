#include "mpi/stuck.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <unistd.h>

namespace loomp::mpi {

namespace {

constexpr int kShown = 16;

/// A text that is written at once, so that ranks' lines do not mix.
class Text {
  public:
    __attribute__((format(printf, 2, 3))) void add(const char *format, ...) {
        va_list arguments;
        va_start(arguments, format);
        const int length =
            std::vsnprintf(text_ + length_, sizeof(text_) - length_, format, arguments);
        va_end(arguments);
        length_ =
            std::min(length_ + static_cast<std::size_t>(std::max(length, 0)), sizeof(text_) - 1);
    }
    void write() const { std::fwrite(text_, 1, length_, stderr); }

  private:
    char text_[8192];
    std::size_t length_ = 0;
};

void add_number(Text &text, const char *what, int number, int any) {
    if (number == any)
        text.add(", any %s", what);
    else
        text.add(", %s %d", what, number);
}

void add_communicator(Text &text, MPI_Comm comm) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    int size = 0;
    PMPI_Comm_get_name(comm, name, &length);
    PMPI_Comm_size(comm, &size);
    if (name[0] != '\0')
        text.add(", %s", name);
    else
        text.add(", a communicator of %d without a name", size);
}

/// A function of a library or, of the program itself, what addr2line takes.
void add_place(Text &text, const void *from) {
    Dl_info info;
    if (from == nullptr || dladdr(from, &info) == 0 || info.dli_fname == nullptr)
        return;
    const char *file = std::strrchr(info.dli_fname, '/');
    file = file == nullptr ? info.dli_fname : file + 1;
    // The call, not what follows it.
    const char *call = static_cast<const char *>(from) - 1;
    if (info.dli_sname != nullptr)
        text.add(", in %s", info.dli_sname);
    text.add(", at %s(+0x%tx)", file, call - static_cast<const char *>(info.dli_fbase));
}

} // namespace

std::int64_t coarse_now() {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

WaitingCalls::~WaitingCalls() { std::free(entries_); }

void WaitingCalls::add(const Call &call, std::int64_t since) {
    if (count_ == capacity_) {
        const int capacity = capacity_ == 0 ? 256 : 2 * capacity_;
        void *more = std::realloc(entries_, static_cast<std::size_t>(capacity) * sizeof(Entry));
        if (more == nullptr)
            return;
        entries_ = static_cast<Entry *>(more);
        capacity_ = capacity;
    }
    entries_[count_++] = {&call, since};
}

void WaitingCalls::print(double seconds_idle) {
    std::sort(entries_, entries_ + count_,
              [](const Entry &a, const Entry &b) { return a.since < b.since; });
    int rank = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::int64_t now = coarse_now();
    Text text;
    text.add("loomp: rank %d: all threads have been idle for %.1f s, and %d calls of tasks wait in "
             "MPI:\n",
             rank, seconds_idle, count_);
    for (int i = 0; i < std::min(count_, kShown); ++i) {
        const Call &call = *entries_[i].call;
        text.add("loomp: rank %d:   %s", rank, call.name);
        if (call.peer != Call::kUnknown)
            add_number(text, "rank", call.peer, MPI_ANY_SOURCE);
        if (call.tag != Call::kUnknown)
            add_number(text, "tag", call.tag, MPI_ANY_TAG);
        if (call.comm != MPI_COMM_NULL)
            add_communicator(text, call.comm);
        text.add(", for %.1f s", static_cast<double>(now - entries_[i].since) * 1e-9);
        add_place(text, call.from);
        text.add("\n");
    }
    if (count_ > kShown)
        text.add("loomp: rank %d:   and %d more\n", rank, count_ - kShown);
    text.write();
}

} // namespace loomp::mpi
