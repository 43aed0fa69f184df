// Kinds of tasks, MPI functions, OpenMP constructs and the program's named regions, as regions of
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

/// The regions of all processes. A kind of tasks is one place in the source. OpenMP's constructs
/// include those in which tasks wait.
class Regions {
  public:
    struct Region {
        OTF2_RegionRef ref;
        CodeName name;
        OTF2_RegionRole role;
        OTF2_Paradigm paradigm;
    };

    /// The region for tasks that the call at a place of Kinds creates with a label.
    OTF2_RegionRef of_task(const CodeNames &names, const std::vector<std::string> &labels,
                           std::size_t process, std::uint64_t place);
    OTF2_RegionRef of_function(std::uint32_t function);
    // The region of a construct with OMPT's kind at an address in the code; address 0 is unknown.
    OTF2_RegionRef of_wait(const CodeNames &names, std::size_t process, std::uint32_t sync_region,
                           std::uint64_t address);
    OTF2_RegionRef of_work(const CodeNames &names, std::size_t process, std::uint32_t work,
                           std::uint64_t address);
    /// The region of a name that the program gives: the name `number`, from 1 on, of `labels`.
    OTF2_RegionRef of_user(const std::vector<std::string> &labels, std::uint64_t number);
    OTF2_RegionRef of_parallel(const CodeNames &names, std::size_t process, std::uint64_t address);
    /// The region of device work for the construct at that address; address 0 is unknown.
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
