// A switch with slow cables between network namespaces of one machine: every frame that a node
// sends arrives `latency` later, and each node sends at most at `rate`, its frames one after
// another.
//
//     wire LATENCY_US RATE_MBIT NODE...
//
// For each node, a network namespace with that name under /run/netns, it makes the Ethernet device
// wire0 there, prints "ready" on stdout and forwards frames until it is killed, when the devices
// vanish. It sleeps until a frame comes or is due.
//
// Single-threaded.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <map>
#include <poll.h>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::size_t kLargestFrame = 9100;
// The limit of a node's bytes in flight: far more than a TCP window, so frames are rarely lost.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

using Address = std::array<unsigned char, 6>;
using Bytes = std::vector<char>;

[[noreturn]] void fail(const std::string &what) {
    std::fprintf(stderr, "wire: %s: %s\n", what.c_str(), std::strerror(errno));
    std::exit(1);
}

std::int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

struct Frame {
    std::int64_t due; ///< when it has arrived, in ns
    Bytes bytes;
};

struct Port {
    int device;
    std::int64_t sent_until = 0; ///< when the last frame has left
    std::deque<Frame> under_way; ///< in the order of `due`
    std::size_t bytes = 0;
};

/// The device wire0 in the namespace `node`. A device belongs to the namespace in which it was
/// opened.
int open_device(const std::string &node) {
    const int space = open(("/run/netns/" + node).c_str(), O_RDONLY | O_CLOEXEC);
    if (space < 0 || setns(space, CLONE_NEWNET) != 0)
        fail("network namespace " + node);
    close(space);
    const int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (device < 0)
        fail("/dev/net/tun");
    ifreq request{};
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    std::strncpy(request.ifr_name, "wire0", IFNAMSIZ - 1);
    if (ioctl(device, TUNSETIFF, &request) != 0)
        fail("device wire0 in " + node);
    return device;
}

class Switch {
  public:
    Switch(std::int64_t latency, double ns_per_byte, std::vector<Port> ports)
        : latency_(latency), ns_per_byte_(ns_per_byte), ports_(std::move(ports)) {}

    [[noreturn]] void run() {
        std::vector<pollfd> fds;
        for (const Port &port : ports_)
            fds.push_back({port.device, POLLIN, 0});
        for (;;) {
            const std::int64_t wait = deliver();
            const timespec time = {wait / 1'000'000'000, wait % 1'000'000'000};
            if (ppoll(fds.data(), fds.size(), wait < 0 ? nullptr : &time, nullptr) < 0 &&
                errno != EINTR)
                fail("ppoll");
            for (std::size_t i = 0; i < fds.size(); ++i)
                if (fds[i].revents != 0)
                    take_in(i);
        }
    }

  private:
    void take_in(std::size_t from) {
        Port &port = ports_[from];
        for (;;) {
            Bytes bytes = spare();
            const ssize_t length = read(port.device, bytes.data(), bytes.size());
            if (length < 14) { // the addresses and the kind of a frame
                spare_.push_back(std::move(bytes));
                return;
            }
            bytes.resize(static_cast<std::size_t>(length));
            Address source;
            std::memcpy(source.data(), bytes.data() + 6, source.size());
            where_[source] = from;
            if (port.bytes + bytes.size() > kMostBytes) {
                spare_.push_back(std::move(bytes));
                continue;
            }
            const auto takes = std::llround(ns_per_byte_ * static_cast<double>(bytes.size()));
            port.sent_until = std::max(port.sent_until, now()) + takes;
            port.bytes += bytes.size();
            port.under_way.push_back({port.sent_until + latency_, std::move(bytes)});
        }
    }

    /// Delivers the frames that have arrived; returns the ns until the next one does, or -1 if
    /// there is none.
    std::int64_t deliver() {
        for (;;) {
            Port *next = nullptr;
            for (Port &port : ports_)
                if (!port.under_way.empty() &&
                    (next == nullptr || port.under_way.front().due < next->under_way.front().due))
                    next = &port;
            if (next == nullptr)
                return -1;
            if (const std::int64_t left = next->under_way.front().due - now(); left > 0)
                return left;
            Bytes bytes = std::move(next->under_way.front().bytes);
            next->under_way.pop_front();
            next->bytes -= bytes.size();
            hand_over(*next, bytes);
            spare_.push_back(std::move(bytes));
        }
    }

    void hand_over(const Port &from, const Bytes &bytes) {
        Address target;
        std::memcpy(target.data(), bytes.data(), target.size());
        const auto known = where_.find(target);
        for (std::size_t i = 0; i < ports_.size(); ++i) {
            const bool meant = known != where_.end() ? i == known->second : &ports_[i] != &from;
            // A node that is ending takes nothing: the frame is lost, like on any wire.
            if (meant && write(ports_[i].device, bytes.data(), bytes.size()) < 0 && errno != EIO &&
                errno != EAGAIN && errno != ENOBUFS)
                fail("a frame");
        }
    }

    Bytes spare() {
        Bytes bytes;
        if (!spare_.empty()) {
            bytes = std::move(spare_.back());
            spare_.pop_back();
        }
        bytes.resize(kLargestFrame);
        return bytes;
    }

    std::int64_t latency_;
    double ns_per_byte_;
    std::vector<Port> ports_;
    std::map<Address, std::size_t> where_; ///< the port of a node's address
    std::vector<Bytes> spare_;
};

/// Computing ranks must not make frames late. Steps without permission are skipped.
void come_first() {
    prctl(PR_SET_TIMERSLACK, 1);
    sched_param priority{};
    priority.sched_priority = 1;
    if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0)
        setpriority(PRIO_PROCESS, 0, -20);
}

} // namespace

int main(int argc, char **argv) {
    const double latency = argc > 1 ? std::atof(argv[1]) : -1;
    const double rate = argc > 2 ? std::atof(argv[2]) : 0;
    if (argc < 5 || latency < 0 || rate <= 0) {
        std::fprintf(stderr, "usage: %s LATENCY_US RATE_MBIT NODE NODE...\n", argv[0]);
        return 2;
    }
    std::vector<Port> ports;
    for (int i = 3; i < argc; ++i)
        ports.push_back({open_device(argv[i]), 0, {}, 0});
    come_first();
    std::puts("ready");
    std::fflush(stdout);
    constexpr double bits_per_byte = 8;
    Switch(std::llround(latency * 1e3), bits_per_byte * 1e3 / rate, std::move(ports)).run();
}
