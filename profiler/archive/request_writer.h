// Starts and completions of MPI requests among the events of a thread.
#pragma once

#include <cstdint>

#include "profiler/archive/event_writer.h"
#include "profiler/archive/process_context.h"

namespace loomp::analysis::archive {

class RequestWriter {
  public:
    /// Both outlive this.
    RequestWriter(EventWriter &events, const ProcessContext &context)
        : events_(events), context_(context) {}

    /// `index`: of a use, as Requests has them.
    void start(Index index);
    /// `completed_for`: the task that waits for it; 0: that of the thread.
    void finish(Index index, std::uint64_t completed_for);

  private:
    EventWriter &events_;
    const ProcessContext &context_;
};

} // namespace loomp::analysis::archive
