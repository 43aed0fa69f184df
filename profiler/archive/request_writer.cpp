#include "profiler/archive/request_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "profiler/format/functions.h"

namespace loomp::analysis::archive {

namespace {

OTF2_CollectiveOp operation(std::uint32_t function) {
    using Pair = std::pair<std::string_view, OTF2_CollectiveOp>;
    // If two begin alike, the longer one comes first.
    static constexpr std::array<Pair, 17> kOperations{{
        {"barrier", OTF2_COLLECTIVE_OP_BARRIER},
        {"bcast", OTF2_COLLECTIVE_OP_BCAST},
        {"allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV},
        {"allgather", OTF2_COLLECTIVE_OP_ALLGATHER},
        {"alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW},
        {"alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV},
        {"alltoall", OTF2_COLLECTIVE_OP_ALLTOALL},
        {"allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE},
        {"reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
        {"reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
        {"reduce", OTF2_COLLECTIVE_OP_REDUCE},
        {"gatherv", OTF2_COLLECTIVE_OP_GATHERV},
        {"gather", OTF2_COLLECTIVE_OP_GATHER},
        {"scatterv", OTF2_COLLECTIVE_OP_SCATTERV},
        {"scatter", OTF2_COLLECTIVE_OP_SCATTER},
        {"exscan", OTF2_COLLECTIVE_OP_EXSCAN},
        {"scan", OTF2_COLLECTIVE_OP_SCAN},
    }};
    if (function >= std::size(record::kFunctionNames))
        return OTF2_COLLECTIVE_OP_BARRIER;
    std::string name = record::kFunctionNames[function];
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return std::tolower(letter); });
    for (const auto &[part, code] : kOperations)
        if (name.find(part) != std::string::npos)
            return code;
    return OTF2_COLLECTIVE_OP_BARRIER;
}

} // namespace

void RequestWriter::start(Index index) {
    const RequestUse &use = context_.requests.use(index);
    const auto at = context_.communicators.find(context_.process, use.communicator, use.peer);
    if (at.communicator == kNone)
        return;
    const OTF2_CommRef communicator = context_.first_communicator + at.communicator;
    switch (use.kind) {
    case record::Kind::synchronous_send:
        events_.mark(kSynchronous);
        [[fallthrough]];
    case record::Kind::send:
        done(OTF2_EvtWriter_MpiIsend(events_.otf2(), events_.list(), events_.time(), at.number,
                                     communicator, use.tag, use.bytes, index));
        break;
    case record::Kind::receive:
        if (use.wildcard)
            events_.mark(kWildcard);
        // OTF2 has the envelope of completed receives only.
        if (!use.completed && !use.cancelled) {
            OTF2_AttributeList_AddCommRef(events_.list(), kCommunicator, communicator);
            OTF2_AttributeList_AddUint32(events_.list(), kPeer, at.number);
            OTF2_AttributeList_AddUint32(events_.list(), kTag, use.tag);
        }
        done(OTF2_EvtWriter_MpiIrecvRequest(events_.otf2(), events_.list(), events_.time(), index));
        break;
    case record::Kind::collective:
        OTF2_AttributeList_AddCommRef(events_.list(), kCommunicator, communicator);
        done(OTF2_EvtWriter_NonBlockingCollectiveRequest(events_.otf2(), events_.list(),
                                                         events_.time(), index));
        break;
    }
}

void RequestWriter::finish(Index index, std::uint64_t completed_for) {
    const RequestUse &use = context_.requests.use(index);
    const auto at = context_.communicators.find(context_.process, use.communicator, use.peer);
    if (at.communicator == kNone)
        return;
    const OTF2_CommRef communicator = context_.first_communicator + at.communicator;
    if (completed_for != 0 && !use.cancelled)
        OTF2_AttributeList_AddUint64(events_.list(), kTask,
                                     std::uint64_t{context_.creator(completed_for)} << 32 |
                                         record::number_of(completed_for));
    if (use.cancelled) {
        done(OTF2_EvtWriter_MpiRequestCancelled(events_.otf2(), nullptr, events_.time(), index));
        return;
    }
    switch (use.kind) {
    case record::Kind::send:
    case record::Kind::synchronous_send:
        done(
            OTF2_EvtWriter_MpiIsendComplete(events_.otf2(), events_.list(), events_.time(), index));
        break;
    case record::Kind::receive:
        done(OTF2_EvtWriter_MpiIrecv(events_.otf2(), events_.list(), events_.time(), at.number,
                                     communicator, use.tag, 0, index));
        break;
    case record::Kind::collective:
        done(OTF2_EvtWriter_NonBlockingCollectiveComplete(
            events_.otf2(), events_.list(), events_.time(), operation(use.function), communicator,
            OTF2_UNDEFINED_UINT32, use.bytes, use.bytes, index));
        break;
    }
}

} // namespace loomp::analysis::archive
