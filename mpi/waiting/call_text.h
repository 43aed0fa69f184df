// Describes a program's call: its name, its partner and its place in the source.
//
// If there is debug information and libdw can be opened, a place is a file and a line; otherwise it
// is an argument for addr2line. This is slow.
#pragma once

#include <cstddef>
#include <mpi.h>
#include <string>

#include "mpi/waiting/call.h"

namespace loomp::mpi {

/// A text that is written in one piece, so that ranks' lines do not mix.
class Text {
  public:
    __attribute__((format(printf, 2, 3))) void add(const char *format, ...);
    void write() const;
    const char *text() const { return text_; }
    std::size_t length() const { return length_; }

  private:
    char text_[16384] = "";
    std::size_t length_ = 0;
};

/// The communicator's name, or words for it.
std::string name_of(MPI_Comm comm);
/// The call's name, and its peer, tag and communicator if known.
void add_call(Text &text, const Call &call);
/// The place of the call, if known. Any thread may call it.
void add_place(Text &text, const Call &call);

} // namespace loomp::mpi
