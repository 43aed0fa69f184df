// What addresses in a process' code mean, by its memory map and the debug information of its files.
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
};

class CodeNames {
  public:
    /// `maps`: a copy of /proc/PID/maps. Without it, addresses keep their numbers.
    explicit CodeNames(const std::filesystem::path &maps);
    ~CodeNames();

    /// Of the call that returns to `address`.
    CodeName caller(std::uint64_t address) const;

  private:
    struct Modules;
    std::unique_ptr<Modules> modules_;
};

} // namespace loomp::analysis
