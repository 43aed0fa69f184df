// When an application worked and when it communicated, as its own code sees it: an interval for
// each kernel and for each call that communicates, by thread. Recorded between begin() and end(),
// if a file was named; otherwise an interval costs the test of one variable.
//
// File: lines of tab-separated fields, times in seconds of a clock that all processes of a machine
// share:
//   run   rank  ranks  threads  begin  end
//   work  thread  begin  end  kernel
//   send | receive | collective  thread  begin  end  peer  tag
//
// Thread safety: intervals by any thread, on which they also end; the rest outside parallel
// regions.
#pragma once

#include <string>
#include <vector>

namespace apps::timeline {

enum class Kind { work, send, receive, collective };

extern bool recording;
double now();
void record(Kind kind, double begin, const char *kernel, int peer, int tag);

// Begins to record; nothing is if `path` is empty.
void begin(const std::string &path);
// Writes path.RANK, if there is anything.
void end();

// A kernel's run, for the length of a scope.
class Work {
  public:
    explicit Work(const char *kernel) : kernel_(kernel), begin_(recording ? now() : 0) {}
    ~Work() {
        if (recording)
            record(Kind::work, begin_, kernel_, 0, 0);
    }
    Work(const Work &) = delete;
    Work &operator=(const Work &) = delete;

  private:
    const char *kernel_;
    double begin_;
};

// A call that communicates, likewise. Can be moved, for containers only.
class Communication {
  public:
    Communication(Kind kind, int peer, int tag)
        : kind_(kind), peer_(peer), tag_(tag), begin_(recording ? now() : 0) {}
    ~Communication() {
        if (recording)
            record(kind_, begin_, nullptr, peer_, tag_);
    }

  private:
    Kind kind_;
    int peer_;
    int tag_;
    double begin_;
};

} // namespace apps::timeline
