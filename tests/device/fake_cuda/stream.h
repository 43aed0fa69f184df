// Streams and events. A stream does one operation after the other, on its own thread; an event is a
// position in a stream.
#pragma once

#include "driver.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace fake_cuda {

class Stream {
  public:
    explicit Stream(int device);
    ~Stream(); ///< when everything in it has been done
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    int device() const { return device_; }
    /// The operation's number. kSuccess, or what the device is lost by.
    Result put(std::function<void()> operation);
    std::uint64_t last();
    bool has_done(std::uint64_t number);
    void wait(std::uint64_t number);
    void wait() { wait(last()); }

  private:
    void serve();

    const int device_;
    std::mutex mutex_; ///< guards what follows
    std::condition_variable changed_;
    std::deque<std::function<void()>> operations_;
    std::uint64_t put_ = 0;
    std::uint64_t done_ = 0;
    bool ends_ = false;
    std::thread thread_;
};

/// A position; none before it is recorded.
struct Event {
    std::mutex mutex;
    std::shared_ptr<Stream> stream;
    std::uint64_t number = 0;
};

/// The stream of a handle; a null handle is the default one of the calling thread's device. Returns
/// null if there is none.
std::shared_ptr<Stream> stream_of(void *handle);
void *make_stream(int device);
Result destroy_stream(void *handle);
/// Waits for all streams of a device.
void drain(int device);

/// A kernel's error on a device; every later call on the device fails.
Result fault_of(int device);
void lose(int device, Result why);

} // namespace fake_cuda
