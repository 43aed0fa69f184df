// From one thread's records to its events in an archive.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <otf2/otf2.h>

#include "analysis/archive/event_writer.h"
#include "analysis/archive/process_context.h"
#include "analysis/archive/region_stack.h"
#include "analysis/archive/request_writer.h"
#include "analysis/recording/recording.h"
#include "analysis/recording/requests.h"

namespace loomp::analysis::archive {

class ThreadWriter {
  public:
    /// `number`: the recorder's, for tasks of this thread that have no name; `gaps`: its
    /// RecordedProcess::gaps_of().
    ThreadWriter(OTF2_EvtWriter *writer, const ProcessContext &context, std::uint32_t number,
                 std::span<const Interval> gaps);

    /// `requests`: what Requests says of these records. Throws std::runtime_error.
    void write(std::span<const record::Record> records, std::span<const RequestRecord> requests);
    std::uint64_t time() const { return events_.time(); } ///< of the latest event

  private:
    void pass_gaps(Time time, std::span<const record::Record> rest);
    void stop(Time time);
    void go_on(Time time, std::span<const record::Record> rest);
    void keep_stack(const record::Record &of);
    std::uint64_t task_before(std::span<const record::Record> rest) const;
    void set_time(Time time);
    void write(const record::Record &of, std::span<const record::Record> rest);
    void write_mpi(const record::Record &of);
    OTF2_RegionRef kind(std::uint64_t place);
    void create(const record::Record &of);
    void schedule(const record::Record &of, std::span<const record::Record> rest);
    void complete(std::uint64_t task);
    void go_on_with(std::uint64_t task);
    void go_on_in_call(std::span<const record::Record> rest);
    void leave_regions();
    void be_in_a_task();
    void enter_call(std::uint32_t function);
    void leave_call();
    void begin_wait(std::uint32_t construct, std::uint64_t address);
    void end_wait(std::uint32_t construct, std::uint64_t address);
    void begin_region(std::uint64_t name);
    void begin_work(const record::Record &of);
    void end_work();
    void begin_user(const record::Record &of);
    void end_user(const record::Record &of);
    void end_implicit(std::uint64_t task, std::span<const record::Record> rest);
    void leave_wait(OTF2_RegionRef &wait);
    bool in_implicit() const;
    void count(const record::Record &of);

    EventWriter events_;
    const ProcessContext &context_;
    RequestWriter request_writer_{events_, context_};
    const std::uint32_t number_;
    std::pair<RegionStack *, std::size_t> ending_of(const record::Record &of);
    /// An implicit task that the thread is in. Regions of its waits enclose those of tasks that run
    /// meanwhile.
    struct Implicit {
        std::uint64_t task = 0;
        std::uint64_t before = 0; ///< task that the thread was in
        OTF2_RegionRef wait = OTF2_UNDEFINED_REGION;
        OTF2_RegionRef region = OTF2_UNDEFINED_REGION; ///< parallel
        std::uint64_t name = 0;                        ///< the recorder's, of it
        RegionStack inner; ///< worksharing that it is in, and regions that the program names
    };
    void leave_constructs(Implicit &implicit);
    std::vector<Implicit> implicit_; ///< the innermost last
    RegionStack outside_;            ///< what the program began outside of any task
    RegionStack user_;               ///< of the explicit task that the thread runs
    std::uint64_t record_time_ = 0;  ///< of the latest record, by the process' clock
    std::span<const Interval> gaps_; ///< that are not over: nothing is known of them
    bool in_gap_ = false;
    std::uint64_t task_ = 0;                        ///< that the thread runs
    std::vector<OTF2_MetricValue> values_;          ///< of counters, as far as they are told
    std::uint64_t created_ = 0;                     ///< the latest, which dependences follow
    std::uint64_t announced_ = 0;                   ///< implicit task that was last said to be one
    OTF2_RegionRef region_ = OTF2_UNDEFINED_REGION; ///< of its kind
    OTF2_RegionRef call_ = OTF2_UNDEFINED_REGION;   ///< of the MPI function that it is in
    OTF2_RegionRef wait_ = OTF2_UNDEFINED_REGION;   ///< in which an explicit task waits
    std::uint64_t completions_for_ = 0;             ///< task that finish records are for; 0: task_
    std::uint64_t completed_for_ = 0;               ///< the same, of the request at hand
    unsigned calls_ = 0;                            ///< one in another
};

} // namespace loomp::analysis::archive
