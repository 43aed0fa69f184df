#include "stream.h"

#include <atomic>
#include <map>
#include <vector>

namespace fake_cuda {

namespace {

std::mutex registry_mutex; ///< guards what follows
std::map<void *, std::shared_ptr<Stream>> &streams() {
    static auto *all = new std::map<void *, std::shared_ptr<Stream>>;
    return *all;
}
std::map<int, std::shared_ptr<Stream>> &default_streams() {
    static auto *all = new std::map<int, std::shared_ptr<Stream>>;
    return *all;
}

constexpr int kMostDevices = 64;
std::atomic<int> faults[kMostDevices];

} // namespace

Stream::Stream(int device) : device_(device), thread_([this] { serve(); }) {}

Stream::~Stream() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    // Its own thread may be the last to let go of it.
    if (thread_.get_id() == std::this_thread::get_id())
        thread_.detach();
    else
        thread_.join();
}

Result Stream::put(std::function<void()> operation) {
    if (const Result fault = fault_of(device_); fault != kSuccess)
        return fault;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        operations_.push_back(std::move(operation));
        ++put_;
    }
    changed_.notify_all();
    return kSuccess;
}

std::uint64_t Stream::last() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return put_;
}

bool Stream::has_done(std::uint64_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return done_ >= number;
}

void Stream::wait(std::uint64_t number) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return done_ >= number; });
}

void Stream::serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return ends_ || !operations_.empty(); });
        if (operations_.empty())
            return;
        std::function<void()> operation = std::move(operations_.front());
        operations_.pop_front();
        lock.unlock();
        operation();
        operation = nullptr;
        lock.lock();
        ++done_;
        changed_.notify_all();
    }
}

std::shared_ptr<Stream> stream_of(void *handle) {
    const std::lock_guard<std::mutex> lock(registry_mutex);
    if (handle != nullptr) {
        const auto found = streams().find(handle);
        return found != streams().end() ? found->second : nullptr;
    }
    const int device = current_device();
    if (device < 0)
        return nullptr;
    std::shared_ptr<Stream> &stream = default_streams()[device];
    if (stream == nullptr)
        stream = std::make_shared<Stream>(device);
    return stream;
}

void *make_stream(int device) {
    const auto stream = std::make_shared<Stream>(device);
    const std::lock_guard<std::mutex> lock(registry_mutex);
    streams()[stream.get()] = stream;
    add(Count::streams, 1);
    return stream.get();
}

Result destroy_stream(void *handle) {
    std::shared_ptr<Stream> last; // ends without the lock
    const std::lock_guard<std::mutex> lock(registry_mutex);
    const auto found = streams().find(handle);
    if (found == streams().end())
        return kInvalidHandle;
    last = found->second;
    streams().erase(found);
    add(Count::streams, -1);
    return kSuccess;
}

void drain(int device) {
    std::vector<std::shared_ptr<Stream>> all;
    {
        const std::lock_guard<std::mutex> lock(registry_mutex);
        for (const auto &[handle, stream] : streams())
            all.push_back(stream);
        for (const auto &[number, stream] : default_streams())
            all.push_back(stream);
    }
    for (const auto &stream : all)
        if (stream->device() == device)
            stream->wait();
}

Result fault_of(int device) { return static_cast<Result>(faults[device % kMostDevices].load()); }
void lose(int device, Result why) { faults[device % kMostDevices] = why; }

} // namespace fake_cuda
