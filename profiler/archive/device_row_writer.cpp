#include "profiler/archive/device_row_writer.h"

#include <algorithm>
#include <memory>

#include "profiler/archive/archive_format.h"
#include "profiler/archive/process_context.h"

namespace loomp::analysis::archive {

void DeviceRowWriter::advance(Time time) {
    time_ = std::max(time_, static_cast<std::uint64_t>(context_.clock.shared(time)));
}

void DeviceRowWriter::write(const DeviceRecord &of) {
    constexpr const char *what = "writing events";
    const OTF2_RegionRef region =
        context_.regions.of_device(context_.names, context_.process, of.what, of.address);
    const std::unique_ptr<OTF2_AttributeList, OTF2_ErrorCode (*)(OTF2_AttributeList *)> list(
        OTF2_AttributeList_New(), OTF2_AttributeList_Delete);
    OTF2_AttributeList_AddUint64(list.get(), kDevice, of.device);
    OTF2_AttributeList_AddUint8(list.get(), kWork, static_cast<std::uint8_t>(of.what));
    OTF2_AttributeList_AddUint64(list.get(), kBytes, of.bytes);
    OTF2_AttributeList_AddUint64(list.get(), kHeld, static_cast<std::uint64_t>(of.held));
    if (of.task != 0)
        OTF2_AttributeList_AddUint64(list.get(), kTask,
                                     std::uint64_t{creator_of(of.task, context_.positions)} << 32 |
                                         record::number_of(of.task));
    advance(of.begin);
    check(OTF2_EvtWriter_Enter(writer_, list.get(), time_, region), what);
    advance(of.end);
    check(OTF2_EvtWriter_Leave(writer_, nullptr, time_, region), what);
}

} // namespace loomp::analysis::archive
