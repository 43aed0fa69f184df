#include "mpi/waiting/stuck.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "loomp/experimental.h"
#include "mpi/waiting/call_text.h"
#include "mpi/waiting/outside_call.h"
#include "mpi/waiting/request_origin.h"
#include "platform/node_names.h"

namespace loomp::mpi {

namespace {

constexpr std::size_t kMostCalls = 1024;
constexpr std::size_t kMostProbes = 64;

/// A communicator, as other ranks can recognise it.
struct Communicator {
    std::string name;
    std::uint64_t members;
    std::vector<int> world; ///< the ranks of MPI_COMM_WORLD that its calls name
};

Communicator describe(MPI_Comm comm) {
    Communicator found = {name_of(comm), 0, {}};
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group world = MPI_GROUP_NULL;
    int joins_groups = 0;
    int size = 0;
    PMPI_Comm_test_inter(comm, &joins_groups);
    if (joins_groups != 0)
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i)
        ranks[static_cast<std::size_t>(i)] = i;
    found.world.resize(ranks.size());
    PMPI_Group_translate_ranks(group, size, ranks.data(), world, found.world.data());
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    const std::string_view bytes(reinterpret_cast<const char *>(found.world.data()),
                                 found.world.size() * sizeof(int));
    // The two sides of an intercommunicator name different ranks.
    found.members = joins_groups != 0 ? 0 : hash_of(bytes, hash_of(found.name));
    return found;
}

class Communicators {
  public:
    const Communicator &of(MPI_Comm comm) {
        for (const auto &[known, found] : list_)
            if (known == comm)
                return found;
        return list_.emplace_back(comm, describe(comm)).second;
    }

    /// Adds the members of those in which the rank makes collectives.
    void add_members(RankState &state) const {
        for (const auto &[comm, found] : list_)
            if (found.members != 0 &&
                std::any_of(state.calls.begin(), state.calls.end(), [&](const PendingCall &call) {
                    return call.kind == PendingCall::Kind::collective &&
                           call.members == found.members;
                }))
                state.members.push_back({found.members, found.world});
    }

  private:
    std::vector<std::pair<MPI_Comm, Communicator>> list_;
};

/// Languages and kinds of counts spell the names differently.
PendingCall::Kind kind_of(std::string_view name, const Call &call) {
    using Kind = PendingCall::Kind;
    const auto has = [name](std::string_view part) {
        return name.find(part) != std::string_view::npos;
    };
    if (has("endrecv"))
        return call.sends ? Kind::send : Kind::receive;
    if (has("recv") || has("Recv") || has("robe"))
        return Kind::receive;
    if (has("send") || has("Send"))
        return Kind::send;
    return call.comm != MPI_COMM_NULL ? Kind::collective : Kind::other;
}

int number_of(int number, int any) {
    return number == Call::kUnknown ? kNotKnown : number == any ? kAny : number;
}

/// `started`: the call that started the request for which `call` waits; often the same one.
PendingCall pending_call(const Call &call, const Call &started, std::int64_t since,
                         Communicators &communicators) {
    PendingCall pending;
    pending.name = call.name;
    if (started.name != call.name)
        pending.name += std::string(" for ") + started.name;
    pending.kind = kind_of(started.name, started);
    pending.since = since;
    pending.tag = number_of(started.tag, MPI_ANY_TAG);
    pending.peer = number_of(started.peer, MPI_ANY_SOURCE);
    if (started.is_elsewhere && pending.peer >= 0) {
        pending.detail = " (rank " + std::to_string(pending.peer) + " of another communicator)";
        pending.peer = kNotKnown;
    }
    if (started.comm == MPI_COMM_NULL)
        return pending;
    const Communicator &of = communicators.of(started.comm);
    pending.comm = of.name;
    pending.members = of.members;
    if (pending.peer >= 0 && static_cast<std::size_t>(pending.peer) < of.world.size())
        pending.peer = of.world[static_cast<std::size_t>(pending.peer)];
    return pending;
}

/// Asks for messages from `peer` that no call receives.
void probe(MPI_Comm comm, int peer, Communicators &communicators, RankState &state) {
    int flag = 0;
    MPI_Status status;
    if (PMPI_Iprobe(peer, MPI_ANY_TAG, comm, &flag, &status) != MPI_SUCCESS || flag == 0)
        return;
    const Communicator &of = communicators.of(comm);
    const auto source = static_cast<std::size_t>(status.MPI_SOURCE);
    const ArrivedMessage message = {source < of.world.size() ? of.world[source] : kNotKnown,
                                    status.MPI_TAG, of.members, of.name};
    const auto same = [&](const ArrivedMessage &other) {
        return other.from == message.from && other.tag == message.tag &&
               other.members == message.members;
    };
    if (std::none_of(state.arrived.begin(), state.arrived.end(), same))
        state.arrived.push_back(message);
}

/// True if the code belongs to an MPI library, or to loomp.
bool is_libraries(const void *address) {
    Dl_info info;
    if (dladdr(address, &info) == 0 || info.dli_fname == nullptr)
        return false;
    const char *slash = std::strrchr(info.dli_fname, '/');
    const std::string_view name = slash == nullptr ? info.dli_fname : slash + 1;
    return name.starts_with("libmpi") || name.starts_with("libloomp") ||
           name.starts_with("libopen-");
}

/// Fortran's bindings call the layer in the name of the program. The program's own frame is then
/// found on the stack of the task or thread that waits: `get_frames(frames, most)`.
template <class GetFrames> const void *caller_in_program(const void *from, GetFrames get_frames) {
    constexpr int kMost = 24;
    const void *frames[kMost];
    if (from == nullptr || !is_libraries(static_cast<const char *>(from) - 1))
        return from;
    const int count = get_frames(frames, kMost);
    for (int i = 0; i < count; ++i)
        if (!is_libraries(static_cast<const char *>(frames[i]) - 1))
            return frames[i];
    return from;
}

} // namespace

void WaitingCalls::add(const OutsideCall &outside) {
    const MoreCalls &more = outside.more();
    const bool is_wait = more.requests != 0;
    // The call itself stands for those of its requests of which nothing is known.
    if (more.count != more.requests || !is_wait)
        entries_.push_back({&outside.call(), 0, nullptr, more.requests, {}, &outside, nullptr});
    for (int i = 0; i < more.count; ++i)
        entries_.push_back({is_wait ? &outside.call() : &more.calls[i],
                            0,
                            nullptr,
                            more.requests,
                            {},
                            &outside,
                            is_wait ? &more.calls[i] : nullptr});
}

int WaitingCalls::add(const Call &call, std::int64_t since, const loomp_suspension_t &done,
                      int total) {
    entries_.push_back({&call, since, &done, total, {}, nullptr, nullptr});
    return static_cast<int>(entries_.size()) - 1;
}

void WaitingCalls::add_request(int entry, int number, MPI_Request request) {
    entries_[static_cast<std::size_t>(entry)].requests.push_back({number, request});
}

Snapshot WaitingCalls::snapshot() const {
    Snapshot made;
    Communicators communicators;
    std::vector<std::pair<MPI_Comm, int>> probed;
    const auto probe_once = [&](MPI_Comm comm, int peer) {
        const std::pair one{comm, peer};
        if (probed.size() >= kMostProbes ||
            std::find(probed.begin(), probed.end(), one) != probed.end())
            return;
        probed.push_back(one);
        probe(comm, peer, communicators, made.state);
    };
    PMPI_Comm_rank(MPI_COMM_WORLD, &made.state.rank);
    for (const Entry &entry : entries_) {
        if (made.state.calls.size() >= kMostCalls) {
            ++made.state.more_calls;
            continue;
        }
        const Call &call = *entry.call;
        const void *const caller = caller_in_program(call.from, [&](const void **frames, int most) {
            return entry.done != nullptr
                       ? loomp_suspended_frames(entry.done, frames, most)
                       : loomp_frames_of_point(&entry.outside->point(), frames, most);
        });
        Call started = call;
        if (entry.requests.empty()) {
            if (entry.started != nullptr) {
                started = *entry.started;
            } else if (call.knows_start) {
                started.name = call.started_by.name;
                started.comm = call.started_by.comm;
                started.is_elsewhere = started.comm == MPI_COMM_NULL;
            }
            PendingCall pending = pending_call(call, started, entry.since, communicators);
            if (entry.outside != nullptr) {
                pending.is_outside = true;
                pending.one_of = entry.total;
                if (entry.total != 0)
                    pending.detail += " (of " + std::to_string(entry.total) + " requests)";
            }
            const bool awaits_message = pending.kind == PendingCall::Kind::receive;
            made.add(std::move(pending), caller);
            if (awaits_message && call.comm != MPI_COMM_NULL)
                probe_once(call.comm, call.peer);
            continue;
        }
        for (const Request &request : entry.requests) {
            started = call;
            what_started(request.handle, started);
            PendingCall pending = pending_call(call, started, entry.since, communicators);
            pending.detail += " (request " + std::to_string(request.number) + " of " +
                              std::to_string(entry.total) + ")";
            made.add(std::move(pending), caller);
        }
    }
    if (!entries_.empty())
        probe_once(MPI_COMM_WORLD, MPI_ANY_SOURCE);
    communicators.add_members(made.state);
    return made;
}

void Snapshot::find_places() {
    std::map<const void *, std::string> known;
    for (std::size_t i = 0; i < callers.size(); ++i) {
        std::string &place = known[callers[i]];
        if (place.empty()) {
            Text text;
            add_place(text, {.from = callers[i]});
            place = text.text();
        }
        state.calls[i].place = place;
    }
    callers.clear();
}

} // namespace loomp::mpi
