// The waits, constructs and named regions that a thread is in, as events of its archive.
//
// An implicit task is in a parallel region, in worksharing, in a wait and in regions that the
// program names; explicit tasks that the thread runs meanwhile lie within the wait. Of an explicit
// task there are the wait and the named regions. What the program began outside of any task
// encloses all.
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

/// Records name tasks and regions. Functions that begin or end something write its events at the
/// writer's time, but for those whose name ends in `unwritten`.
class OpenConstructs {
  public:
    OpenConstructs(EventWriter &events, const ProcessContext &context)
        : events_(events), context_(context) {}

    // Implicit tasks
    /// `before`: the task that the thread was in.
    void begin_implicit(std::uint64_t task, std::uint64_t before);
    /// The innermost, and all that it is in. Returns the task that the thread was in before, or the
    /// implicit task around it; 0: neither is known.
    std::uint64_t end_implicit();
    bool in_parallel() const { return !implicit_.empty(); }
    std::uint64_t innermost() const { return implicit_.empty() ? 0 : implicit_.back().task; }
    /// The innermost implicit task's parallel region.
    void begin_region(std::uint64_t name);

    // Explicit tasks
    /// The thread goes on with one, which is in these named regions.
    void enter_task(const std::vector<std::uint32_t> &names);
    /// The thread leaves it, or it is complete.
    void leave_task();

    // Of the task that the thread runs
    void begin_wait(std::uint64_t task, std::uint32_t construct, std::uint64_t address);
    /// An explicit task that was suspended meanwhile enters the region only to leave it.
    void end_wait(std::uint64_t task, std::uint32_t construct, std::uint64_t address);
    void begin_work(std::uint64_t task, const record::Record &of);
    void end_work(std::uint64_t task);
    void begin_user(const record::Record &of);
    void end_user(const record::Record &of);

    // Times of which nothing is known
    void stop();
    void go_on();
    void begin_implicit_unwritten(std::uint64_t task) { implicit_.emplace_back().task = task; }
    void end_implicit_unwritten();
    void begin_user_unwritten(const record::Record &of);
    void end_user_unwritten(const record::Record &of);

  private:
    struct Implicit {
        std::uint64_t task = 0;
        std::uint64_t before = 0;
        OTF2_RegionRef wait = OTF2_UNDEFINED_REGION;
        OTF2_RegionRef region = OTF2_UNDEFINED_REGION; ///< parallel
        std::uint64_t name = 0;                        ///< the recorder's, of it
        RegionStack inner; ///< worksharing, and regions that the program names
    };
    bool runs_implicit(std::uint64_t task) const {
        return !implicit_.empty() && implicit_.back().task == task;
    }
    OTF2_RegionRef &wait_of(std::uint64_t task) {
        return runs_implicit(task) ? implicit_.back().wait : wait_;
    }
    OTF2_RegionRef wait_region(std::uint32_t construct, std::uint64_t address) const;
    /// If it is one.
    void leave_wait(OTF2_RegionRef &wait);
    void leave_constructs(Implicit &implicit);
    RegionStack &place_of(const record::Record &begun);
    std::pair<RegionStack *, std::size_t> ending_of(const record::Record &of);

    EventWriter &events_;
    const ProcessContext &context_;
    std::vector<Implicit> implicit_;              ///< the innermost last
    RegionStack outside_;                         ///< what the program began outside of any task
    RegionStack user_;                            ///< of the explicit task that the thread runs
    OTF2_RegionRef wait_ = OTF2_UNDEFINED_REGION; ///< in which that task waits
};

} // namespace loomp::analysis::archive
