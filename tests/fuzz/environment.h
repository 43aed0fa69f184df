// Shared by the fuzzers of settings: a made-up machine, the reports on stderr, and the properties
// that settings have under every environment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/environment/settings.h"

namespace loomp::fuzz {

/// Ends the run, with the input kept, unless `holds`.
void require(bool holds, const char *what, std::string_view detail = {});

/// The processors of the made-up machine, which is the one that the core sees: two sockets with two
/// NUMA domains each, eight cores with two threads each. One of the threads is offline.
const std::vector<int> &machine();

/// The messages since the last call. Each is one line without control characters.
std::string take_messages();

/// While it lives, one call may keep the process to a part of the machine (LOOMP_HW_SUBSET); its
/// end returns the whole machine, and frees what the core never frees.
class KeepsMachine {
  public:
    KeepsMachine();
    ~KeepsMachine();
    KeepsMachine(const KeepsMachine &) = delete;
    KeepsMachine &operator=(const KeepsMachine &) = delete;

  private:
    const std::vector<int> *before_;
};

/// True if the text has a number of five digits: a list of places with such a number may take
/// tenths of a second to read.
bool has_long_number(std::string_view text);

/// Every place has processors of `usable` (ascending), in ascending order, each once.
void require_places(const std::vector<core::Place> &list, const std::vector<int> &usable);
/// Each field of the settings is within its bounds.
void require_bounds(const core::Settings &settings);

inline constexpr std::initializer_list<core::ProgramInterface> kInterfaces = {
    core::ProgramInterface::gnu, core::ProgramInterface::llvm};

} // namespace loomp::fuzz
