// Kinds of tasks, functions of MPI, constructs of OpenMP and what the program names, as regions of
// an archive.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <otf2/otf2.h>

#include "profiler/format/format.h"
#include "profiler/recording/code_names.h"

namespace loomp::analysis::archive {

/// The regions of all processes: kinds of tasks, one place in the source being one, functions of
/// MPI, and OpenMP's constructs, those included in which tasks wait.
class Regions {
  public:
    struct Region {
        OTF2_RegionRef ref;
        CodeName name;
        OTF2_RegionRole role;
        OTF2_Paradigm paradigm;
    };

    /// Of the tasks with a label that the call at a place of Kinds creates.
    OTF2_RegionRef of_task(const CodeNames &names, const std::vector<std::string> &labels,
                           std::size_t process, std::uint64_t place);
    OTF2_RegionRef of_function(std::uint32_t function);
    // By what OMPT calls them, and the address in the code, 0 where it is not known.
    OTF2_RegionRef of_wait(const CodeNames &names, std::size_t process, std::uint32_t sync_region,
                           std::uint64_t address);
    OTF2_RegionRef of_work(const CodeNames &names, std::size_t process, std::uint32_t work,
                           std::uint64_t address);
    /// A name that the program gives; the number is of `labels`.
    OTF2_RegionRef of_user(const std::vector<std::string> &labels, std::uint64_t number);
    OTF2_RegionRef of_parallel(const CodeNames &names, std::size_t process, std::uint64_t address);
    /// What a device does for the construct at that address, 0 where it is not known.
    OTF2_RegionRef of_device(const CodeNames &names, std::size_t process, record::DeviceWork work,
                             std::uint64_t address);
    const std::vector<Region> &all() const { return all_; }

  private:
    OTF2_RegionRef add(CodeName name, OTF2_RegionRole role, OTF2_Paradigm paradigm);
    OTF2_RegionRef of_construct(const CodeNames &names, std::size_t process,
                                std::string_view construct, OTF2_RegionRole role,
                                std::uint64_t address);

    std::map<std::pair<std::size_t, std::uint64_t>, OTF2_RegionRef> places_;
    std::map<std::string, OTF2_RegionRef> tasks_;
    std::map<std::uint32_t, OTF2_RegionRef> functions_;
    std::map<std::tuple<std::string_view, std::size_t, std::uint64_t>, OTF2_RegionRef>
        construct_places_;
    std::map<std::string, OTF2_RegionRef> constructs_;
    std::map<std::string, OTF2_RegionRef> user_;
    std::vector<Region> all_;
};

} // namespace loomp::analysis::archive
