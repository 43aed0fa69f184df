#include "profiler/archive/event_writer.h"

namespace loomp::analysis::archive {

void EventWriter::enter(OTF2_RegionRef region) {
    done(OTF2_EvtWriter_Enter(writer_, nullptr, time_, region));
}

void EventWriter::leave(OTF2_RegionRef region) {
    done(OTF2_EvtWriter_Leave(writer_, nullptr, time_, region));
}

void EventWriter::mark(Attribute attribute, std::uint8_t value) {
    OTF2_AttributeList_AddUint8(list_.get(), attribute, value);
}

void EventWriter::enter_marked(OTF2_RegionRef region) {
    done(OTF2_EvtWriter_Enter(writer_, list_.get(), time_, region));
}

void EventWriter::leave_marked(OTF2_RegionRef region) {
    done(OTF2_EvtWriter_Leave(writer_, list_.get(), time_, region));
}

void EventWriter::enter_suspended(OTF2_RegionRef region) {
    mark(kSuspended);
    enter_marked(region);
}

void EventWriter::leave_suspended(OTF2_RegionRef region) {
    mark(kSuspended);
    leave_marked(region);
}

void EventWriter::create(std::uint64_t task, OTF2_RegionRef kind) {
    OTF2_AttributeList_AddRegionRef(list_.get(), kKind, kind);
    done(OTF2_EvtWriter_ThreadTaskCreate(writer_, list_.get(), time_, context_.team,
                                         context_.creator(task), record::number_of(task)));
}

void EventWriter::go_on_with(std::uint64_t task) {
    done(OTF2_EvtWriter_ThreadTaskSwitch(writer_, list_.get(), time_, context_.team,
                                         context_.creator(task), record::number_of(task)));
}

void EventWriter::complete(std::uint64_t task) {
    done(OTF2_EvtWriter_ThreadTaskComplete(writer_, list_.get(), time_, context_.team,
                                           context_.creator(task), record::number_of(task)));
}

void EventWriter::access(AccessKind kind, std::uint64_t address) {
    done(OTF2_EvtWriter_ParameterUnsignedInt(writer_, nullptr, time_,
                                             static_cast<OTF2_ParameterRef>(kind), address));
}

void EventWriter::deleted(std::uint64_t task) {
    const std::uint64_t name =
        std::uint64_t{context_.creator(task)} << 32 | record::number_of(task);
    done(OTF2_EvtWriter_ParameterUnsignedInt(writer_, nullptr, time_, kDeleted, name));
}

void EventWriter::mutex(OTF2_ParameterRef what, std::uint64_t mutex) {
    done(OTF2_EvtWriter_ParameterUnsignedInt(writer_, nullptr, time_, what, mutex));
}

void EventWriter::measure(OTF2_MeasurementMode mode) {
    done(OTF2_EvtWriter_MeasurementOnOff(writer_, nullptr, time_, mode));
}

void EventWriter::count(const std::vector<OTF2_MetricValue> &values) {
    const std::vector<OTF2_Type> types(values.size(), OTF2_TYPE_UINT64);
    done(OTF2_EvtWriter_Metric(
        writer_, nullptr, time_, static_cast<OTF2_MetricRef>(context_.process),
        static_cast<std::uint8_t>(values.size()), types.data(), values.data()));
}

} // namespace loomp::analysis::archive
