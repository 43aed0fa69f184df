// Writes one thread's events to an archive, in order of time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include <otf2/otf2.h>

#include "profiler/archive/archive_format.h"
#include "profiler/archive/process_context.h"
#include "profiler/trace/accesses.h"

namespace loomp::analysis::archive {

/// Throws std::runtime_error if an event could not be written.
inline void done(OTF2_ErrorCode code) { check(code, "writing events"); }

class EventWriter {
  public:
    EventWriter(OTF2_EvtWriter *writer, const ProcessContext &context)
        : writer_(writer), list_(OTF2_AttributeList_New()), context_(context) {}

    // These serve events that have no function here.
    OTF2_EvtWriter *otf2() const { return writer_; }
    /// The list of attributes; the next event that takes it empties it.
    OTF2_AttributeList *list() const { return list_.get(); }
    std::uint64_t time() const { return time_; } ///< time of the latest event
    void advance(std::uint64_t time) { time_ = std::max(time_, time); }

    /// Adds an attribute to the list; the next event that takes the list has it.
    void mark(Attribute attribute, std::uint8_t value = 1);

    void enter(OTF2_RegionRef region);
    void leave(OTF2_RegionRef region);
    void enter_marked(OTF2_RegionRef region); ///< takes the list
    void leave_marked(OTF2_RegionRef region); ///< takes the list
    /// These enter a region again or leave it before its end: the event is marked as suspended.
    void enter_suspended(OTF2_RegionRef region);
    void leave_suspended(OTF2_RegionRef region);

    // Tasks have the names that records give them.
    void create(std::uint64_t task, OTF2_RegionRef kind); ///< takes the list
    void go_on_with(std::uint64_t task);                  ///< takes the list
    void complete(std::uint64_t task);                    ///< takes the list
    void access(AccessKind kind, std::uint64_t address);
    void deleted(std::uint64_t task);
    void mutex(OTF2_ParameterRef what, std::uint64_t mutex); ///< kMade, kAcquired or kReleased

    void measure(OTF2_MeasurementMode mode);
    /// Writes the process' counters.
    void count(const std::vector<OTF2_MetricValue> &values);

  private:
    struct DeleteList {
        void operator()(OTF2_AttributeList *list) const { OTF2_AttributeList_Delete(list); }
    };

    OTF2_EvtWriter *writer_;
    std::unique_ptr<OTF2_AttributeList, DeleteList> list_;
    const ProcessContext &context_;
    std::uint64_t time_ = 0;
};

} // namespace loomp::analysis::archive
