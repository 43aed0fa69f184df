// A call of the program's in words: which, with whom, and where in the source.
//
// Where there is debug information, and libdw, which is opened for that, a place is a file and a
// line; else what addr2line takes. Not for what is done often.
#pragma once

#include <cstddef>

#include "mpi/waiting/call.h"

namespace loomp::mpi {

/// A text that is written at once, so that ranks' lines do not mix.
class Text {
  public:
    __attribute__((format(printf, 2, 3))) void add(const char *format, ...);
    void write() const;

  private:
    char text_[16384];
    std::size_t length_ = 0;
};

/// The call's name, and peer, tag and communicator as far as they are known.
void add_call(Text &text, const Call &call);
/// Where it was made, if that is known.
void add_place(Text &text, const Call &call);

} // namespace loomp::mpi
