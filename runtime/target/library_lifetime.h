// Decides whether libomptarget can be called. Its devices vanish when the program unregisters its
// last image, which exit() does while other threads run. Threads that are inside leave first, and
// no thread enters any more.
//
// Invariant: after close_gate() no other thread is inside an open Entry (one word holds how many
// threads are inside, and whether the gate is closed). Entries are made around the calls that are
// made for tasks, and around inquiries: all calls but those that the program's initial threads make
// themselves for a construct.
//
// Thread safety: from any thread.
#pragma once

#include <optional>

namespace loomp::target {

/// The calling thread is inside during this object's life, if the gate is open. The gate is open
/// for a thread that is inside, because libomptarget's routines call each other by their public
/// names. The object stays on that thread: no task is suspended meanwhile.
class Entry {
  public:
    Entry();
    ~Entry();
    Entry(const Entry &) = delete;
    Entry &operator=(const Entry &) = delete;
    explicit operator bool() const { return is_open_; }

  private:
    bool is_open_;
};

/// Waits for ever, so that the process ends without the calling thread.
[[noreturn]] void stay_outside();

/// An open entry: a late thread stays outside for ever.
class OpenEntry : Entry {
  public:
    OpenEntry() {
        if (!*this)
            stay_outside();
    }
};

/// Returns true if the calling thread closed the gate; it may do anything. Another thread that is
/// outside finds no devices any more, and does not return because the process ends.
bool is_closed_here();

/// The entry of a short call that no task makes, such as how many devices there are. The thread
/// that closed the gate may make it.
class Inquiry {
  public:
    Inquiry() {
        if (!is_closed_here())
            entry_.emplace();
    }

  private:
    std::optional<OpenEntry> entry_;
};

/// Counts a new image.
void add_image();
/// Counts an image that goes. The last one closes the gate: this returns when all other threads are
/// outside.
void remove_image();

/// Returns whether the process is a child of a fork() made after libomptarget was loaded: the
/// devices belong to its parent.
bool is_forked();

} // namespace loomp::target
