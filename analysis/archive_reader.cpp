// From an OTF2 archive to a Trace.
#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "analysis/archive.h"
#include "analysis/archive_definitions.h"
#include "analysis/archive_format.h"
#include "analysis/trace_builder.h"

namespace loomp::analysis {

namespace {

using namespace archive;

struct CloseReader {
    void operator()(OTF2_Reader *reader) const { OTF2_Reader_Close(reader); }
};

/// Turns the events of one location after the other into a builder's.
class Events {
  public:
    explicit Events(const Definitions &definitions)
        : definitions_(definitions), members_(definitions.members_of_communicators()) {
        std::map<OTF2_SystemTreeNodeRef, Index> hosts;
        for (const OTF2_SystemTreeNodeRef node : definitions.nodes)
            builder_.add_rank(
                hosts.try_emplace(node, static_cast<Index>(hosts.size())).first->second);
        std::map<Index, Index> threads_of_rank;
        for (const Definitions::Location &location : definitions.locations) {
            const Index rank = definitions.ranks.at(location.group);
            threads_.emplace(location.ref, builder_.add_thread(rank, threads_of_rank[rank]++));
            ranks_.emplace(location.ref, rank);
        }
        for (const auto &[ref, region] : definitions.regions) {
            std::string source = definitions.text(region.file);
            if (!source.empty())
                source += ':' + std::to_string(region.line);
            kinds_.emplace(ref, builder_.add_kind(definitions.text(region.name), source));
            if (region.mpi)
                functions_.insert(ref);
            else if (region.role == OTF2_REGION_ROLE_TASK_WAIT)
                waits_.emplace(ref, WaitFor::tasks);
            else if (region.role == OTF2_REGION_ROLE_BARRIER ||
                     region.role == OTF2_REGION_ROLE_IMPLICIT_BARRIER)
                waits_.emplace(ref, WaitFor::team);
        }
        for (const auto &[ref, name] : definitions.attributes)
            for (std::size_t i = 0; i < attributes_.size(); ++i)
                if (definitions.text(name) == kAttributeNames[i])
                    attributes_[i] = ref;
        for (const auto &[ref, name] : definitions.parameters)
            for (std::size_t i = 0; i < kAccessNames.size(); ++i)
                if (definitions.text(name) == kAccessNames[i])
                    accesses_.emplace(ref, static_cast<AccessKind>(i));
    }

    void begin(OTF2_LocationRef location) {
        thread_ = threads_.at(location);
        rank_ = ranks_.at(location);
        current_ = created_ = 0;
    }
    void keep_accesses() { builder_.keep_accesses(); }
    void end() { builder_.end_of_thread(thread_, latest_); }
    Trace take(std::vector<std::string> problems) {
        Trace trace = builder_.take();
        trace.problems.insert(trace.problems.begin(), problems.begin(), problems.end());
        return trace;
    }

    void create(OTF2_TimeStamp time, OTF2_AttributeList *list, std::uint64_t task) {
        OTF2_RegionRef region = OTF2_UNDEFINED_REGION;
        if (list != nullptr)
            OTF2_AttributeList_GetRegionRef(list, attributes_[kKind], &region);
        const auto kind = kinds_.find(region);
        builder_.create(thread_, ns(time), task, kind == kinds_.end() ? kNone : kind->second);
        created_ = task;
    }
    void access(OTF2_ParameterRef parameter, std::uint64_t location) {
        const auto kind = accesses_.find(parameter);
        if (kind != accesses_.end() && created_ != 0)
            builder_.access(rank_, created_, kind->second, location);
    }
    void switch_to(OTF2_TimeStamp time, OTF2_AttributeList *list, std::uint64_t task) {
        // Of a task that completes, it is said before.
        if (current_ != 0 && current_ != task && value(list, kLeaving) == kYielded)
            builder_.leave(thread_, ns(time), Leaving::yielded);
        if (value(list, kImplicit) != 0)
            builder_.set_implicit(thread_, task);
        builder_.run(thread_, ns(time), task);
        current_ = task;
    }
    void complete(OTF2_TimeStamp time, OTF2_AttributeList *list, std::uint64_t task) {
        if (task != current_ || value(list, kOnBehalf) != 0) {
            builder_.complete(thread_, ns(time), task);
            return;
        }
        if (value(list, kLater) != 0)
            builder_.completes_later(thread_, task);
        builder_.leave(thread_, ns(time), Leaving::ended);
        current_ = 0;
    }

    void enter(OTF2_TimeStamp time, OTF2_AttributeList *list, OTF2_RegionRef region) {
        const bool suspended = value(list, kSuspended) != 0;
        if (functions_.contains(region)) {
            if (suspended)
                builder_.resume_call(thread_, ns(time), kinds_.at(region));
            else
                builder_.enter_call(thread_, ns(time), kinds_.at(region));
            return;
        }
        const auto wait = waits_.find(region);
        if (wait != waits_.end() && !suspended)
            builder_.begin_wait(thread_, ns(time), wait->second);
    }
    void leave(OTF2_TimeStamp time, OTF2_AttributeList *list, OTF2_RegionRef region) {
        if (value(list, kSuspended) != 0)
            return;
        if (functions_.contains(region))
            builder_.leave_call(thread_, ns(time));
        else if (waits_.contains(region))
            builder_.end_wait(thread_, ns(time));
    }
    void send(OTF2_TimeStamp time, OTF2_AttributeList *list, std::uint32_t receiver,
              OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t bytes,
              std::uint64_t request) {
        builder_.start(thread_, ns(time), request,
                       {.kind = value(list, kSynchronous) != 0 ? RequestKind::synchronous_send
                                                               : RequestKind::send,
                        .communicator = communicator,
                        .peer = rank_in(communicator, receiver),
                        .tag = static_cast<std::int32_t>(tag),
                        .bytes = bytes});
    }
    void receive(OTF2_TimeStamp time, std::uint64_t request) {
        builder_.start(thread_, ns(time), request, {.kind = RequestKind::receive});
    }
    void received(OTF2_TimeStamp time, std::uint32_t sender, OTF2_CommRef communicator,
                  std::uint32_t tag, std::uint64_t request) {
        builder_.set_envelope(thread_, request, communicator, rank_in(communicator, sender),
                              static_cast<std::int32_t>(tag));
        finish(time, request);
    }
    void collective(OTF2_TimeStamp time, OTF2_AttributeList *list, std::uint64_t request) {
        OTF2_CommRef communicator = OTF2_UNDEFINED_COMM;
        if (list != nullptr)
            OTF2_AttributeList_GetCommRef(list, attributes_[kCommunicator], &communicator);
        builder_.start(thread_, ns(time), request,
                       {.kind = RequestKind::collective, .communicator = communicator});
    }
    void finish(OTF2_TimeStamp time, std::uint64_t request) {
        builder_.finish(thread_, ns(time), request);
    }
    /// A blocking call, of which there is one event only: ours have two.
    std::uint64_t own_request() { return --own_requests_; }

  private:
    Index rank_in(OTF2_CommRef communicator, std::uint32_t number) const {
        const auto found = members_.find(communicator);
        return found == members_.end() || number >= found->second.size() ? kNone
                                                                         : found->second[number];
    }
    Time ns(OTF2_TimeStamp time) {
        const std::uint64_t ticks = time - std::min(time, definitions_.origin);
        const std::uint64_t rate = std::max<std::uint64_t>(definitions_.ticks_per_second, 1);
        latest_ = static_cast<Time>(
            rate == 1'000'000'000
                ? ticks
                : static_cast<std::uint64_t>(static_cast<long double>(ticks) * 1e9L / rate));
        return latest_;
    }
    std::uint8_t value(OTF2_AttributeList *list, Attribute attribute) const {
        std::uint8_t found = 0;
        if (list != nullptr && OTF2_AttributeList_TestAttributeByID(list, attributes_[attribute]))
            OTF2_AttributeList_GetUint8(list, attributes_[attribute], &found);
        return found;
    }

    static std::array<OTF2_AttributeRef, kAttributes> no_attributes() {
        std::array<OTF2_AttributeRef, kAttributes> none;
        none.fill(OTF2_UNDEFINED_ATTRIBUTE);
        return none;
    }

    const Definitions &definitions_;
    const std::map<OTF2_CommRef, std::vector<Index>> members_; ///< ranks
    TraceBuilder builder_;
    std::unordered_map<OTF2_LocationRef, Index> threads_;
    std::unordered_map<OTF2_LocationRef, Index> ranks_;
    std::unordered_map<OTF2_RegionRef, Index> kinds_;
    std::unordered_set<OTF2_RegionRef> functions_; ///< of MPI
    std::unordered_map<OTF2_RegionRef, WaitFor> waits_;
    std::unordered_map<OTF2_ParameterRef, AccessKind> accesses_;
    std::array<OTF2_AttributeRef, kAttributes> attributes_ = no_attributes();
    std::uint64_t own_requests_ = 0; ///< counted down, away from an archive's
    Index thread_ = 0;
    Index rank_ = 0;
    std::uint64_t current_ = 0; ///< task of the thread
    std::uint64_t created_ = 0; ///< the latest, whose depend clause may follow
    Time latest_ = 0;
};

// Never 0: generation numbers begin with 1.
std::uint64_t name(std::uint32_t creator, std::uint32_t generation) {
    return (static_cast<std::uint64_t>(creator) + 1) << 32 | generation;
}

void set_mpi_callbacks(OTF2_EvtReaderCallbacks *callbacks) {
    OTF2_EvtReaderCallbacks_SetEnterCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data,
           OTF2_AttributeList *list, OTF2_RegionRef region) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->enter(time, list, region);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetLeaveCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data,
           OTF2_AttributeList *list, OTF2_RegionRef region) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->leave(time, list, region);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data,
           OTF2_AttributeList *list, std::uint32_t receiver, OTF2_CommRef communicator,
           std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->send(time, list, receiver, communicator, tag, bytes,
                                              request);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, OTF2_AttributeList *,
           std::uint64_t request) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->finish(time, request);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, OTF2_AttributeList *,
           std::uint64_t request) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->receive(time, request);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, OTF2_AttributeList *,
           std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag, std::uint64_t,
           std::uint64_t request) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->received(time, sender, communicator, tag, request);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data,
           OTF2_AttributeList *list, std::uint64_t request) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->collective(time, list, request);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, OTF2_AttributeList *,
           OTF2_CollectiveOp, OTF2_CommRef, std::uint32_t, std::uint64_t, std::uint64_t,
           std::uint64_t request) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->finish(time, request);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data,
           OTF2_AttributeList *list, std::uint32_t receiver, OTF2_CommRef communicator,
           std::uint32_t tag, std::uint64_t bytes) -> OTF2_CallbackCode {
            auto &events = *static_cast<Events *>(data);
            const std::uint64_t request = events.own_request();
            events.send(time, list, receiver, communicator, tag, bytes, request);
            events.finish(time, request);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data, OTF2_AttributeList *,
           std::uint32_t sender, OTF2_CommRef communicator, std::uint32_t tag,
           std::uint64_t) -> OTF2_CallbackCode {
            auto &events = *static_cast<Events *>(data);
            const std::uint64_t request = events.own_request();
            events.receive(time, request);
            events.received(time, sender, communicator, tag, request);
            return OTF2_CALLBACK_SUCCESS;
        });
}

OTF2_EvtReaderCallbacks *event_callbacks() {
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data,
           OTF2_AttributeList *list, OTF2_CommRef, std::uint32_t creator,
           std::uint32_t generation) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->create(time, list, name(creator, generation));
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data,
           OTF2_AttributeList *list, OTF2_CommRef, std::uint32_t creator,
           std::uint32_t generation) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->switch_to(time, list, name(creator, generation));
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void *data,
           OTF2_AttributeList *list, OTF2_CommRef, std::uint32_t creator,
           std::uint32_t generation) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->complete(time, list, name(creator, generation));
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(
        callbacks,
        [](OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void *data, OTF2_AttributeList *,
           OTF2_ParameterRef parameter, std::uint64_t value) -> OTF2_CallbackCode {
            static_cast<Events *>(data)->access(parameter, value);
            return OTF2_CALLBACK_SUCCESS;
        });
    set_mpi_callbacks(callbacks);
    return callbacks;
}

} // namespace

Trace read_archive(const std::filesystem::path &anchor, const ReadOptions &options) {
    const std::unique_ptr<OTF2_Reader, CloseReader> reader(OTF2_Reader_Open(anchor.c_str()));
    if (reader == nullptr)
        throw std::runtime_error(anchor.string() + ": no OTF2 archive, or one that is damaged");
    check(OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()), "opening");
    const Definitions definitions = read_definitions(reader.get());
    for (const Definitions::Location &location : definitions.locations)
        check(OTF2_Reader_SelectLocation(reader.get(), location.ref), "opening");
    std::vector<std::string> problems;
    if (OTF2_Reader_OpenDefFiles(reader.get()) == OTF2_SUCCESS) {
        for (const Definitions::Location &location : definitions.locations) {
            OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader.get(), location.ref);
            std::uint64_t count = 0;
            if (local == nullptr)
                continue;
            OTF2_Reader_ReadAllLocalDefinitions(reader.get(), local, &count);
            OTF2_Reader_CloseDefReader(reader.get(), local);
        }
        OTF2_Reader_CloseDefFiles(reader.get());
    }
    check(OTF2_Reader_OpenEvtFiles(reader.get()), "events");
    Events events(definitions);
    if (options.accesses)
        events.keep_accesses();
    OTF2_EvtReaderCallbacks *callbacks = event_callbacks();
    for (const Definitions::Location &location : definitions.locations) {
        OTF2_EvtReader *local = OTF2_Reader_GetEvtReader(reader.get(), location.ref);
        events.begin(location.ref);
        std::uint64_t count = 0;
        OTF2_ErrorCode code = OTF2_ERROR_INVALID;
        if (local != nullptr) {
            OTF2_Reader_RegisterEvtCallbacks(reader.get(), local, callbacks, &events);
            code = OTF2_Reader_ReadAllLocalEvents(reader.get(), local, &count);
            OTF2_Reader_CloseEvtReader(reader.get(), local);
        }
        if (code != OTF2_SUCCESS)
            problems.push_back("location " + std::to_string(location.ref) +
                               " can be read up to event " + std::to_string(count) +
                               " only: " + OTF2_Error_GetDescription(code));
        events.end();
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    OTF2_Reader_CloseEvtFiles(reader.get());
    return events.take(std::move(problems));
}

} // namespace loomp::analysis
