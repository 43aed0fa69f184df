// Reads the events of one location of an archive in order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "profiler/archive/archive_definitions.h"
#include "profiler/archive/archive_file.h"
#include "profiler/archive/archive_format.h"

namespace loomp::analysis::archive {

/// The events that a trace is made of, with OTF2's numbers.
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
    request_cancelled = 21,
    blocking_collective = 22,
    blocking_collective_end = 23,
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

/// The fields of an event. A field has no meaning unless the event has it.
struct Event {
    EventType type;
    std::uint64_t time;             ///< ticks of the common clock
    std::uint32_t subject = 0;      ///< region, parameter or metric
    std::uint32_t communicator = 0; ///< for messages
    std::uint32_t peer = 0;         ///< for messages
    std::uint32_t tag = 0;
    std::uint64_t value = 0; ///< bytes of a message, value of a parameter, a measurement's mode
    std::uint64_t name = 0;  ///< request or task; a task is never 0
};

/// Event::name for a task. Generation numbers begin with 1.
constexpr std::uint64_t task_name(std::uint32_t creator, std::uint32_t generation) {
    return (static_cast<std::uint64_t>(creator) + 1) << 32 | generation;
}

using AttributeRefs = std::array<OTF2_AttributeRef, kAttributes>;

class EventReader {
  public:
    /// `attributes` holds the archive's numbers for our attributes.
    EventReader(std::span<const std::byte> file, std::uint64_t chunk_size,
                LocalDefinitions definitions, const AttributeRefs &attributes);

    /// False at the end of the file or at damage.
    bool next(Event &event);
    /// The latest event's attribute of this name, 0 if it has none.
    std::uint64_t attribute(Attribute attribute) const { return values_[attribute]; }
    /// The values of a metric's members; 0 for a value that is no unsigned number of 64 bits.
    std::span<const std::uint64_t> counts() const { return counts_; }
    bool has(Attribute attribute) const { return (known_ >> attribute & 1) != 0; }

    /// The count of all events so far, including those that no trace needs.
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
    bool pending_ = false; ///< the next event's attributes have been read
    std::uint64_t time_ = 0;
    std::uint64_t count_ = 0;
};

} // namespace loomp::analysis::archive
