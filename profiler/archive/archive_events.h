// The events of one location of an archive, one after the other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "profiler/archive/archive_definitions.h"
#include "profiler/archive/archive_file.h"
#include "profiler/archive/archive_format.h"

namespace loomp::analysis::archive {

/// By OTF2's numbers: those that a trace is made of.
enum class EventType : std::uint8_t {
    measurement = 11, ///< on or off
    enter = 12,
    leave = 13,
    send = 14,
    isend = 15,
    isend_complete = 16,
    irecv_request = 17,
    recv = 18,
    irecv = 19,
    metric = 31,
    parameter = 34, ///< an unsigned number
    task_create = 59,
    task_switch = 60,
    task_complete = 61,
    program_begin = 83,
    program_end = 84,
    collective_request = 85,
    collective_complete = 86,
};

/// What an event has; the rest is of no meaning.
struct Event {
    EventType type;
    std::uint64_t time;             ///< ticks, by the clock of all
    std::uint32_t subject = 0;      ///< region, parameter or metric
    std::uint32_t communicator = 0; ///< of messages
    std::uint32_t peer = 0;         ///< of messages
    std::uint32_t tag = 0;
    std::uint64_t value = 0; ///< bytes of a message, value of a parameter, a measurement's mode
    std::uint64_t name = 0;  ///< of a request, or of a task: never 0 then
};

/// Event::name of a task. Generation numbers begin with 1.
constexpr std::uint64_t task_name(std::uint32_t creator, std::uint32_t generation) {
    return (static_cast<std::uint64_t>(creator) + 1) << 32 | generation;
}

using AttributeRefs = std::array<OTF2_AttributeRef, kAttributes>;

class EventReader {
  public:
    /// `attributes`: the archive's numbers of ours.
    EventReader(std::span<const std::byte> file, std::uint64_t chunk_size,
                LocalDefinitions definitions, const AttributeRefs &attributes);

    /// False at the end, and where the file is damaged.
    bool next(Event &event);
    /// Of the latest event, 0 if it has none of that name.
    std::uint64_t attribute(Attribute attribute) const { return values_[attribute]; }
    /// Of a metric: its members'; of those that are no unsigned numbers of 64 bits, 0.
    std::span<const std::uint64_t> counts() const { return counts_; }
    bool has(Attribute attribute) const { return (known_ >> attribute & 1) != 0; }

    /// All events, those included that a trace is not made of.
    std::uint64_t count() const { return count_; }
    RecordFile &file() { return file_; }

  private:
    void read_attributes();
    void read_counts(Bytes &record);
    bool read(std::uint8_t type, Event &event);

    RecordFile file_;
    const LocalDefinitions definitions_;
    const AttributeRefs attributes_;
    std::array<std::uint64_t, kAttributes> values_{};
    std::vector<std::uint64_t> counts_;
    unsigned known_ = 0;
    bool pending_ = false; ///< attributes have been read of the event to come
    std::uint64_t time_ = 0;
    std::uint64_t count_ = 0;
};

} // namespace loomp::analysis::archive
