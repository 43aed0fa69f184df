#include "mpi/gate.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <sched.h>

#include "core/base/quiet_threads.h"
#include "mpi/errors.h"

namespace loomp::mpi {

constinit std::atomic<Gate> gate::state{Gate::open};

namespace {

/// Depth; in the memory that threads have from their start. The thread is not left while it is set.
constinit thread_local int inside __attribute__((tls_model("initial-exec"))) = 0;

std::mutex one_at_a_time;

/// The thread that makes all calls.
class MpiThread {
  public:
    bool start(const GateDuty &duty);
    void end();
    void make(GatedWork &work);
    void wake();
    int take_found() { return found_.exchange(0, std::memory_order_relaxed); }

  private:
    static void *run(void *self);
    void serve();
    void serve_queue(std::unique_lock<std::mutex> &lock);
    /// Looks for what is pending; naps after looks in vain.
    void look(std::unique_lock<std::mutex> &lock);

    /// Looks in vain before it naps, each a chance for others to have the processor.
    static constexpr int kLooks = 20;
    static constexpr std::chrono::microseconds kFirstNap{10};
    static constexpr std::chrono::microseconds kLongestNap{200};

    pthread_t id_{};
    GateDuty duty_{};
    std::atomic<int> found_{0};
    std::mutex mutex_; ///< guards what follows
    std::condition_variable changed_;
    GatedWork *first_ = nullptr;
    GatedWork **last_ = &first_;
    bool ending_ = false;
    int looks_in_vain_ = 0;
    std::chrono::microseconds nap_ = kFirstNap;
};
/// Never destroyed: if the process exits without MPI_Finalize, the thread still waits for calls.
auto &mpi_thread = *new MpiThread;

void make_noting(GatedWork &work) {
    if (!work.notes_errors)
        return work.make(work);
    const FatalErrors errors;
    work.make(work);
    work.noted = FatalErrors::noted();
}

void MpiThread::make(GatedWork &work) {
    work.notes_errors = FatalErrors::are_noted();
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        work.next = nullptr;
        *last_ = &work;
        last_ = &work.next;
    }
    changed_.notify_one();
    // acquire: what the call has written.
    work.made.wait(0, std::memory_order_acquire);
    if (work.noted != MPI_SUCCESS)
        FatalErrors::takes(work.noted);
}

void MpiThread::wake() {
    // Once, when something becomes pending or is waited for: not at each look of a worker.
    const std::lock_guard<std::mutex> lock(mutex_);
    looks_in_vain_ = 0;
    nap_ = kFirstNap;
    changed_.notify_one();
}

void MpiThread::serve_queue(std::unique_lock<std::mutex> &lock) {
    while (first_ != nullptr) {
        GatedWork &work = *first_;
        first_ = work.next;
        if (first_ == nullptr)
            last_ = &first_;
        lock.unlock();
        make_noting(work);
        // release: what the call has written. The work is gone from here on but for its address.
        work.made.store(1, std::memory_order_release);
        work.made.notify_one();
        lock.lock();
        looks_in_vain_ = 0;
        nap_ = kFirstNap;
    }
}

void MpiThread::look(std::unique_lock<std::mutex> &lock) {
    lock.unlock();
    const int found = duty_.poll();
    if (found > 0)
        found_.fetch_add(found, std::memory_order_relaxed);
    const bool rests = found == 0 && looks_in_vain_ >= kLooks;
    if (found == 0 && !rests)
        sched_yield();
    lock.lock();
    looks_in_vain_ = found > 0 ? 0 : looks_in_vain_ + 1;
    nap_ = found > 0 ? kFirstNap : nap_;
    if (rests && first_ == nullptr && !ending_) {
        changed_.wait_for(lock, nap_);
        nap_ = std::min(2 * nap_, kLongestNap);
    }
}

void MpiThread::serve() {
    inside = 1;
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        serve_queue(lock);
        if (ending_)
            return;
        if (duty_.pending())
            look(lock);
        else
            changed_.wait(lock);
    }
}

void *MpiThread::run(void *self) {
    static_cast<MpiThread *>(self)->serve();
    return nullptr;
}

bool MpiThread::start(const GateDuty &duty) {
    duty_ = duty;
    ending_ = false;
    const core::QuietThreads quiet;
    return pthread_create(&id_, nullptr, run, this) == 0;
}

void MpiThread::end() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ending_ = true;
    }
    changed_.notify_one();
    pthread_join(id_, nullptr);
}

} // namespace

bool is_inside_gate() { return inside != 0; }

TriedGate::TriedGate()
    : passed(!is_gated() || is_inside_gate() || (!has_mpi_thread() && one_at_a_time.try_lock())) {
    if (is_gated() && !has_mpi_thread() && passed)
        ++inside;
}
TriedGate::~TriedGate() {
    if (is_gated() && !has_mpi_thread() && passed && --inside == 0)
        one_at_a_time.unlock();
}

void pass_gate(GatedWork &work) {
    if (is_inside_gate())
        return work.make(work);
    if (has_mpi_thread())
        return mpi_thread.make(work);
    const std::lock_guard<std::mutex> lock(one_at_a_time);
    inside = 1;
    work.make(work);
    inside = 0;
}

bool close_gate(Gate how, const GateDuty &duty) {
    if (how == Gate::one_thread && !mpi_thread.start(duty))
        return false;
    gate::state.store(how, std::memory_order_relaxed);
    return true;
}

void open_gate() {
    const bool had_thread = has_mpi_thread();
    gate::state.store(Gate::open, std::memory_order_relaxed);
    if (had_thread)
        mpi_thread.end();
}

void wake_mpi_thread() { mpi_thread.wake(); }

int take_found_by_mpi_thread() { return mpi_thread.take_found(); }

} // namespace loomp::mpi
