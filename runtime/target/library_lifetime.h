// Whether libomptarget can be called. Its devices go when the program's last image is taken back,
// which exit() does while other threads run on: whoever is inside by then comes out first, and
// nobody enters any more.
//
// Invariant: after close_gate() no other thread is between the beginning and the end of an Entry
// that is open (one word: how many are inside, and whether the gate is closed).
//
// Thread safety: from any thread.
#pragma once

namespace loomp::target {

/// The calling thread is inside, for as long as it lives, if the gate is open. It stays on that
/// thread: no task is suspended meanwhile.
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

/// The process ends without the calling thread.
[[noreturn]] void stay_outside();

/// An entry that is open: a thread that comes too late stays outside.
class OpenEntry : Entry {
  public:
    OpenEntry() {
        if (!*this)
            stay_outside();
    }
};

/// An image is there, the first perhaps.
void add_image();
/// An image is to go. With the last one the gate closes: returns when all other threads are
/// outside.
void remove_image();

/// True: the calling thread has closed the gate, and does what it wants. Another one finds no
/// devices any more, and the process ends: it does not return.
bool is_closed_here();

/// Whether the process is the child of a fork() since libomptarget was there: that one's devices
/// are its parent's.
bool is_forked();

} // namespace loomp::target
