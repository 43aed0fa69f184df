// Names of addresses in a process' code, from its memory map and the debug information of its
// files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace loomp::analysis {

struct CodeName {
    std::string label;    ///< short: "lulesh.cc:1204", without line numbers "function+0x1f"
    std::string function; ///< may be empty
    std::string file;     ///< may be empty
    unsigned line = 0;
    bool is_shared = false; ///< the code is that of several lines, of which `line` may be none
};

class CodeNames {
  public:
    /// `maps` is a copy of /proc/PID/maps. Without it, addresses stay numbers.
    explicit CodeNames(const std::filesystem::path &maps);
    ~CodeNames();

    /// The name of the call that returns to `address`. If that is in an OpenMP runtime, the
    /// program's function made the call as its last act, and the place of the call is not known.
    CodeName caller(std::uint64_t address) const;
    /// The name of a static variable and the offset in it, such as "table+32"; empty if there is
    /// none.
    std::string variable(std::uint64_t address) const;

  private:
    struct Modules;
    std::unique_ptr<Modules> modules_;
};

} // namespace loomp::analysis
