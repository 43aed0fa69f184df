// Writes starts and completions of MPI requests among the events of a thread.
#pragma once

#include <cstdint>

#include "profiler/archive/event_writer.h"
#include "profiler/archive/process_context.h"

namespace loomp::analysis::archive {

class RequestWriter {
  public:
    /// Both arguments outlive this object.
    RequestWriter(EventWriter &events, const ProcessContext &context)
        : events_(events), context_(context) {}

    /// `index` numbers a use of a request like Requests does.
    void start(Index index);
    /// `completed_for` is the task that waits for the request; 0 means the thread's task.
    void finish(Index index, std::uint64_t completed_for);

  private:
    EventWriter &events_;
    const ProcessContext &context_;
};

} // namespace loomp::analysis::archive
