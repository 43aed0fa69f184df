// Functions of the host in streams, and graphs of such, which run in the order in which they were
// added.
#include "stream.h"

#include <utility>
#include <vector>

using namespace fake_cuda;

namespace {

struct HostNode {
    void (*function)(void *);
    void *data;
};
using Nodes = std::vector<HostNode>;

Result launch(const Nodes &nodes, void *handle) {
    const auto stream = stream_of(handle);
    if (stream == nullptr)
        return kInvalidHandle;
    return stream->put([nodes] {
        for (const HostNode &node : nodes)
            node.function(node.data);
    });
}

} // namespace

extern "C" {
Result cuLaunchHostFunc(void *handle, void (*function)(void *), void *data) {
    return launch({{function, data}}, handle);
}
Result cuGraphCreate(Nodes **made, unsigned) { return *made = new Nodes, kSuccess; }
Result cuGraphAddHostNode(void **made, Nodes *graph, const void *, std::size_t,
                          const HostNode *node) {
    graph->push_back(*node);
    return *made = graph, kSuccess;
}
Result cuGraphInstantiateWithFlags(Nodes **made, const Nodes *graph, unsigned long long) {
    return *made = new Nodes(*graph), kSuccess;
}
Result cuGraphLaunch(const Nodes *executable, void *stream) { return launch(*executable, stream); }
Result cuGraphExecDestroy(Nodes *executable) {
    delete executable;
    return kSuccess;
}
Result cuGraphDestroy(Nodes *graph) {
    delete graph;
    return kSuccess;
}
}
