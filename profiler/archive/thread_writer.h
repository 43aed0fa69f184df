// Converts one thread's records to its events in an archive.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <otf2/otf2.h>

#include "profiler/archive/event_writer.h"
#include "profiler/archive/open_constructs.h"
#include "profiler/archive/process_context.h"
#include "profiler/archive/request_writer.h"
#include "profiler/recording/recording.h"
#include "profiler/recording/requests.h"

namespace loomp::analysis::archive {

class ThreadWriter {
  public:
    /// `number` is the recorder's, for tasks of this thread without a name. `gaps` comes from
    /// RecordedProcess::gaps_of().
    ThreadWriter(OTF2_EvtWriter *writer, const ProcessContext &context, std::uint32_t number,
                 std::span<const Interval> gaps);

    /// `requests` holds what Requests found about these records. Throws std::runtime_error.
    void write(std::span<const record::Record> records, std::span<const RequestRecord> requests);
    std::uint64_t time() const { return events_.time(); } ///< time of the latest event

  private:
    void pass_gaps(Time time, std::span<const record::Record> rest);
    void stop(Time time);
    void go_on(Time time, std::span<const record::Record> rest);
    void keep_stack(const record::Record &record);
    void set_time(Time time);
    void write(const record::Record &record, std::span<const record::Record> rest);
    OTF2_RegionRef kind(std::uint64_t place);
    void create(const record::Record &record);
    void schedule(const record::Record &record, std::span<const record::Record> rest);
    void complete(std::uint64_t task);
    void go_on_with(std::uint64_t task);
    void go_on_in_call(std::span<const record::Record> rest);
    void leave_task();
    void be_in_a_task();
    void enter_call(std::uint32_t function);
    void leave_call();
    void end_implicit(std::uint64_t task, std::span<const record::Record> rest);
    void count(const record::Record &record);

    EventWriter events_;
    const ProcessContext &context_;
    RequestWriter request_writer_{events_, context_};
    OpenConstructs open_{events_, context_};
    const std::uint32_t number_;
    std::uint64_t record_time_ = 0;  ///< time of the latest record, in the process' clock
    std::span<const Interval> gaps_; ///< unrecorded intervals that are not over
    bool in_gap_ = false;
    std::uint64_t task_ = 0;                        ///< the task that the thread runs
    std::vector<OTF2_MetricValue> values_;          ///< the counters reported so far
    std::uint64_t created_ = 0;                     ///< the latest created task, whose dependences
                                                    ///< follow
    std::uint64_t announced_ = 0;                   ///< the latest implicit task
    OTF2_RegionRef region_ = OTF2_UNDEFINED_REGION; ///< the kind of task_
    OTF2_RegionRef call_ = OTF2_UNDEFINED_REGION;   ///< the MPI function that the thread is in
    std::uint64_t completions_for_ = 0;             ///< task whose requests the next finish records
                                                    ///< complete; 0: task_
    std::uint64_t completed_for_ = 0;               ///< task of the current request's completion
    unsigned calls_ = 0;                            ///< depth of nested MPI calls
};

} // namespace loomp::analysis::archive
