#include "profiler/archive/archive_events.h"

#include <algorithm>
#include <utility>

namespace loomp::analysis::archive {

namespace {

// Records between events.
enum : std::uint8_t { kTimestamp = 5, kAttributeList = 6 };
// OTF2's oldest events that are one number have no length.
enum : std::uint8_t { kRequestTest = 20, kFork = 24, kTaskCreate = 28, kTaskComplete = 30 };

/// The value of an attribute with one of OTF2's types.
std::uint64_t read_value(Bytes &bytes, std::uint8_t type) {
    switch (type) {
    case OTF2_TYPE_UINT8:
    case OTF2_TYPE_INT8:
        return bytes.byte();
    case OTF2_TYPE_UINT16:
    case OTF2_TYPE_INT16:
        bytes.skip(2);
        return 0;
    case OTF2_TYPE_FLOAT:
        bytes.skip(4);
        return 0;
    case OTF2_TYPE_DOUBLE:
        bytes.skip(8);
        return 0;
    default:
        return bytes.number64();
    }
}

} // namespace

EventReader::EventReader(std::span<const std::byte> file, std::uint64_t chunk_size,
                         LocalDefinitions definitions, const AttributeRefs &attributes)
    : file_(file, chunk_size), definitions_(std::move(definitions)), attributes_(attributes) {}

void EventReader::read_attributes() {
    Bytes list = file_.bytes().record();
    const std::uint32_t count = list.number32();
    for (std::uint32_t i = 0; i < count && list.left() > 0; ++i) {
        const std::uint32_t ref = definitions_.number(OTF2_MAPPING_ATTRIBUTE, list.number32());
        const std::uint8_t type = list.byte();
        std::uint64_t value = read_value(list, type);
        const auto found = std::find(attributes_.begin(), attributes_.end(), ref);
        if (found == attributes_.end())
            continue;
        const auto known = static_cast<unsigned>(found - attributes_.begin());
        if (type == OTF2_TYPE_REGION)
            value = definitions_.number(OTF2_MAPPING_REGION, static_cast<std::uint32_t>(value));
        if (type == OTF2_TYPE_COMM)
            value = definitions_.number(OTF2_MAPPING_COMM, static_cast<std::uint32_t>(value));
        values_[known] = value;
        known_ |= 1U << known;
    }
    if (list.failed())
        file_.stop("what is there is no list of attributes");
    pending_ = true;
}

void EventReader::read_counts(Bytes &record) {
    counts_.assign(record.byte(), 0);
    for (std::uint64_t &count : counts_) {
        const std::uint8_t type = record.byte();
        const std::uint64_t value = read_value(record, type);
        count = type == OTF2_TYPE_UINT64 ? value : 0;
    }
}

bool EventReader::next(Event &event) {
    while (const auto type = file_.next()) {
        if (!pending_ && known_ != 0) {
            values_ = {};
            known_ = 0;
        }
        if (*type == kTimestamp) {
            time_ = definitions_.time(file_.bytes().full64());
            continue;
        }
        if (*type == kAttributeList) {
            read_attributes();
            continue;
        }
        pending_ = false;
        const bool wanted = read(*type, event);
        if (file_.damage() != nullptr)
            return false;
        ++count_;
        if (wanted) {
            event.time = time_;
            return true;
        }
    }
    return false;
}

/// False if a trace needs no such record, or if it is no event.
bool EventReader::read(std::uint8_t type, Event &event) {
    Bytes &bytes = file_.bytes();
    const bool single = (type >= static_cast<std::uint8_t>(EventType::enter) &&
                         type <= static_cast<std::uint8_t>(EventType::leave)) ||
                        type == static_cast<std::uint8_t>(EventType::isend_complete) ||
                        type == static_cast<std::uint8_t>(EventType::irecv_request) ||
                        type == kRequestTest ||
                        type == static_cast<std::uint8_t>(EventType::request_cancelled) ||
                        type == kFork || (type >= kTaskCreate && type <= kTaskComplete);
    bool wanted = true;
    bool good = true;
    if (single) {
        const std::uint64_t number = bytes.number64();
        event.name = number;
        event.subject =
            definitions_.number(OTF2_MAPPING_REGION, static_cast<std::uint32_t>(number));
        wanted = type <= static_cast<std::uint8_t>(EventType::irecv_request) ||
                 type == static_cast<std::uint8_t>(EventType::request_cancelled);
        good = !bytes.failed();
    } else {
        Bytes record = bytes.record();
        const auto communicator = [&] {
            return definitions_.number(OTF2_MAPPING_COMM, record.number32());
        };
        switch (static_cast<EventType>(type)) {
        case EventType::measurement:
            event.value = record.byte();
            break;
        case EventType::send:
        case EventType::isend:
        case EventType::recv:
        case EventType::irecv:
            event.peer = record.number32();
            event.communicator = communicator();
            event.tag = record.number32();
            event.value = record.number64();
            if (static_cast<EventType>(type) == EventType::isend ||
                static_cast<EventType>(type) == EventType::irecv)
                event.name = record.number64();
            break;
        case EventType::metric:
            event.subject = definitions_.number(OTF2_MAPPING_METRIC, record.number32());
            read_counts(record);
            break;
        case EventType::parameter:
            event.subject = definitions_.number(OTF2_MAPPING_PARAMETER, record.number32());
            event.value = record.number64();
            break;
        case EventType::task_create:
        case EventType::task_switch:
        case EventType::task_complete: {
            record.number32(); // the team
            const std::uint32_t creator = record.number32();
            event.name = task_name(creator, record.number32());
            break;
        }
        case EventType::blocking_collective:
        case EventType::program_begin:
        case EventType::program_end:
            break;
        case EventType::collective_request:
            event.name = record.number64();
            break;
        case EventType::collective_complete:
        case EventType::blocking_collective_end:
            record.byte(); // which one
            event.communicator = communicator();
            record.number32();               // root
            event.value = record.number64(); // given
            event.value = std::max(event.value, record.number64());
            if (static_cast<EventType>(type) == EventType::collective_complete)
                event.name = record.number64();
            break;
        default:
            wanted = false;
            break;
        }
        good = !record.failed();
    }
    if (!good)
        file_.stop("what is there is no event");
    event.type = static_cast<EventType>(type);
    return wanted;
}

} // namespace loomp::analysis::archive
