#include "profiler/archive/device_row_writer.h"

#include <algorithm>
#include <memory>

#include "profiler/archive/archive_format.h"
#include "profiler/archive/process_context.h"

namespace loomp::analysis::archive {

void DeviceRowWriter::advance(Time time) {
    time_ = std::max(time_, static_cast<std::uint64_t>(context_.clock.shared(time)));
}

void DeviceRowWriter::write(const DeviceRecord &record) {
    constexpr const char *what = "writing events";
    const OTF2_RegionRef region =
        context_.regions.of_device(context_.names, context_.process, record.what, record.address);
    const std::unique_ptr<OTF2_AttributeList, OTF2_ErrorCode (*)(OTF2_AttributeList *)> list(
        OTF2_AttributeList_New(), OTF2_AttributeList_Delete);
    OTF2_AttributeList_AddUint64(list.get(), kDevice, record.device);
    OTF2_AttributeList_AddUint8(list.get(), kWork, static_cast<std::uint8_t>(record.what));
    OTF2_AttributeList_AddUint64(list.get(), kBytes, record.bytes);
    OTF2_AttributeList_AddUint64(list.get(), kHeld, static_cast<std::uint64_t>(record.held));
    if (record.task != 0)
        OTF2_AttributeList_AddUint64(list.get(), kTask,
                                     std::uint64_t{creator_of(record.task, context_.positions)}
                                             << 32 |
                                         record::number_of(record.task));
    advance(record.begin);
    check(OTF2_EvtWriter_Enter(writer_, list.get(), time_, region), what);
    advance(record.end);
    check(OTF2_EvtWriter_Leave(writer_, nullptr, time_, region), what);
}

} // namespace loomp::analysis::archive
