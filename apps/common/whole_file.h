// Files that are whole or not there: what is to be at PATH is written as PATH.new, and takes its
// place when it is on the disk. So whatever happens meanwhile, a good file stays.
//
// Thread safety: different paths at the same time.
#pragma once

#include <cstddef>
#include <string>

namespace apps {

// The name to write to.
inline std::string unfinished(const std::string &path) { return path + ".new"; }

// Whether the disk has room for so much at unfinished(path), which is given back when that is
// made anew: parallel HDF5 does not come through errors of writing unharmed, so there are to be
// none (see also keep_room()). Returns an error; empty: none.
std::string try_room(const std::string &path, std::size_t bytes);

// Gives the file `name`, which is being written, so much of the disk now. Returns false if there is
// too little. A file system that cannot promise is asked nothing.
bool keep_room(const std::string &name, std::size_t bytes);

// Appends a checksum of all bytes to what was written and closed; readers of HDF5 ignore it. False:
// the system refused.
bool seal(const std::string &path);
// Returns what is wrong with a file, going by the checksum at its end; empty: it is what was
// sealed. Libraries that read damaged files may crash, so this comes before they see the file.
std::string broken_seal(const std::string &path);

// Puts what was written and closed in its place. False: the system refused, and `path` is as
// before.
bool put_in_place(const std::string &path);

// Gives up what was written.
void give_up(const std::string &path);

} // namespace apps
