// Writes the waits, constructs and named regions that a thread is in as events of an archive.
//
// An implicit task is in a parallel region, in worksharing, in a wait and in regions that the
// program names; explicit tasks that the thread runs meanwhile lie within the wait. An explicit
// task has only its wait and its named regions. Regions that the program began outside of any task
// enclose everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <otf2/otf2.h>

#include "profiler/archive/event_writer.h"
#include "profiler/archive/process_context.h"
#include "profiler/archive/region_stack.h"
#include "profiler/format/format.h"

namespace loomp::analysis::archive {

/// Records name tasks and regions. A function that begins or ends something writes its events at
/// the writer's time, unless its name ends in `unwritten`.
class OpenConstructs {
  public:
    OpenConstructs(EventWriter &events, const ProcessContext &context)
        : events_(events), context_(context) {}

    // Implicit tasks:

    /// `before` is the task that the thread was in.
    void begin_implicit(std::uint64_t task, std::uint64_t before);
    /// Ends the innermost implicit task and all that it is in. Returns the task that the thread was
    /// in before, or else the enclosing implicit task; 0 if both are unknown.
    std::uint64_t end_implicit();
    bool in_parallel() const { return !implicit_.empty(); }
    std::uint64_t innermost() const { return implicit_.empty() ? 0 : implicit_.back().task; }
    /// Begins the parallel region of the innermost implicit task.
    void begin_region(std::uint64_t name);

    // Explicit tasks:

    /// The thread continues an explicit task, which is in these named regions.
    void enter_task(const std::vector<std::uint32_t> &names);
    /// The thread leaves the explicit task, or the task is complete.
    void leave_task();

    // The task that the thread runs
    void begin_wait(std::uint64_t task, std::uint32_t construct, std::uint64_t address);
    /// An explicit task that was suspended meanwhile enters the region only to leave it.
    void end_wait(std::uint64_t task, std::uint32_t construct, std::uint64_t address);
    void begin_work(std::uint64_t task, const record::Record &record);
    void end_work(std::uint64_t task);
    void begin_user(const record::Record &record);
    void end_user(const record::Record &record);

    // Times of which nothing is known
    void stop();
    void go_on();
    void begin_implicit_unwritten(std::uint64_t task) { implicit_.emplace_back().task = task; }
    void end_implicit_unwritten();
    void begin_user_unwritten(const record::Record &record);
    void end_user_unwritten(const record::Record &record);

  private:
    struct Implicit {
        std::uint64_t task = 0;
        std::uint64_t before = 0;
        OTF2_RegionRef wait = OTF2_UNDEFINED_REGION;
        OTF2_RegionRef region = OTF2_UNDEFINED_REGION; ///< parallel
        std::uint64_t name = 0;                        ///< the recorder's number for it
        RegionStack inner; ///< worksharing, and regions that the program names
    };
    bool runs_implicit(std::uint64_t task) const {
        return !implicit_.empty() && implicit_.back().task == task;
    }
    OTF2_RegionRef &wait_of(std::uint64_t task) {
        return runs_implicit(task) ? implicit_.back().wait : wait_;
    }
    OTF2_RegionRef wait_region(std::uint32_t construct, std::uint64_t address) const;
    /// Leaves the construct `wait`, unless it is undefined.
    void leave_wait(OTF2_RegionRef &wait);
    void leave_constructs(Implicit &implicit);
    RegionStack &place_of(const record::Record &begun);
    std::pair<RegionStack *, std::size_t> ending_of(const record::Record &record);

    EventWriter &events_;
    const ProcessContext &context_;
    std::vector<Implicit> implicit_;              ///< the innermost last
    RegionStack outside_;                         ///< begun by the program outside of any task
    RegionStack user_;                            ///< regions of the running explicit task
    OTF2_RegionRef wait_ = OTF2_UNDEFINED_REGION; ///< the construct in which that task waits
};

} // namespace loomp::analysis::archive
