#include "common/timeline.h"

#include "common/omp_decls.h"
#include "common/ranks.h"

#include <cstdio>
#include <ctime>
#include <memory>
#include <mutex>

namespace apps::timeline {

bool recording = false;

namespace {

struct Interval {
    Kind kind;
    double begin;
    double end;
    const char *kernel;
    int peer;
    int tag;
};

// A thread's own; kept until the program ends, so that threads may end earlier.
using Track = std::vector<Interval>;

std::mutex adding;
std::vector<std::unique_ptr<Track>> tracks;
std::string file;
double began = 0;

Track &own_track() {
    thread_local Track *track = nullptr;
    if (track == nullptr) {
        const std::lock_guard<std::mutex> guard(adding);
        tracks.push_back(std::make_unique<Track>());
        track = tracks.back().get();
    }
    return *track;
}

const char *name(Kind kind) {
    switch (kind) {
    case Kind::work:
        return "work";
    case Kind::send:
        return "send";
    case Kind::receive:
        return "receive";
    case Kind::collective:
        return "collective";
    }
    return "";
}

} // namespace

double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void record(Kind kind, double begin, const char *kernel, int peer, int tag) {
    own_track().push_back({kind, begin, now(), kernel, peer, tag});
}

void begin(const std::string &path) {
    file = path;
    recording = !path.empty();
    began = now();
}

void end() {
    if (!recording)
        return;
    recording = false;
    const double ended = now();
    const std::string path = file + "." + std::to_string(ranks::rank());
    std::FILE *out = std::fopen(path.c_str(), "w");
    if (out == nullptr) {
        std::perror(path.c_str());
        return;
    }
    std::fprintf(out, "run\t%d\t%d\t%d\t%.9f\t%.9f\n", ranks::rank(), ranks::count(),
                 omp_get_max_threads(), began, ended);
    for (std::size_t thread = 0; thread < tracks.size(); ++thread) {
        for (const Interval &interval : *tracks[thread]) {
            std::fprintf(out, "%s\t%zu\t%.9f\t%.9f", name(interval.kind), thread, interval.begin,
                         interval.end);
            if (interval.kind == Kind::work)
                std::fprintf(out, "\t%s\n", interval.kernel);
            else
                std::fprintf(out, "\t%d\t%d\n", interval.peer, interval.tag);
        }
    }
    if (std::fclose(out) != 0)
        std::perror(path.c_str());
}

} // namespace apps::timeline
