// The kinds of a process' tasks and parallel regions, by the names that its recording gives them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "profiler/recording/recording.h"
#include "profiler/trace/id_table.h"

namespace loomp::analysis::archive {

/// The kinds of one process' tasks, by creating thread and number.
class Kinds {
  public:
    explicit Kinds(const RecordedProcess &process);

    static constexpr std::uint64_t kNotCreated = ~std::uint64_t{0};
    /// The address of the task's creation in the lower bits and its label's number above;
    /// kNotCreated for implicit and unknown tasks.
    std::uint64_t place(std::uint64_t task) const { return places_.find(task); }
    static std::uint64_t place_of(const record::Record &creation) {
        return std::uint64_t{record::label_of(creation.detail)} << kAddressBits |
               (creation.other & ~(~std::uint64_t{0} << kAddressBits));
    }
    /// The address of a parallel region in the code; 0 if unknown.
    std::uint64_t region(std::uint64_t name) const { return regions_.find(name); }
    static std::uint64_t address_of(std::uint64_t place) {
        return place & ~(~std::uint64_t{0} << kAddressBits);
    }
    static std::size_t label_of(std::uint64_t place) { return place >> kAddressBits; }

  private:
    static constexpr int kAddressBits = 48; ///< processors use no more bits of a program's
                                            ///< addresses

    IdTable<std::uint64_t> places_{kNotCreated};
    IdTable<std::uint64_t> regions_{0};
};

} // namespace loomp::analysis::archive
