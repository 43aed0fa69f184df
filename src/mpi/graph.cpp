#include "mpi/graph.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <functional>
#include <mutex>
#include <vector>

#include "loomp/loomp_mpi.h"
#include "mpi/export.h"
#include "mpi/wait.h"

namespace loomp::mpi {

namespace {

constexpr int kNone = INT_MAX; ///< no iteration is the last

void complain(const char *what) { std::fprintf(stderr, "loomp: %s\n", what); }

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

} // namespace

class Graph {
  public:
    Graph(MPI_Comm comm, MPI_Comm own);
    ~Graph();
    Graph(const Graph &) = delete;
    Graph &operator=(const Graph &) = delete;

    MPI_Comm comm() const { return comm_; }
    loomp_speculation_t *iterations() const { return iterations_; }
    int begin_iteration();
    bool cut_off(int iteration) const { return iteration > loomp_speculation_last(iterations_); }

    void cancel(int last);
    int end();

    void count_send(int target) { add(sent_, target); }
    void count_receive(int source) { add(received_, source); }

    Graph *next = nullptr; ///< of all_graphs

  private:
    /// The poller's work for the graph, from its beginning to the end of `drained_`.
    struct Service : Operation {
        explicit Service(Graph &g) : graph(g) {
            call = {.name = "loomp_graph_end", .comm = g.comm()};
            test = [](Operation &self) { return static_cast<Service &>(self).graph.serve(); };
        }
        Graph &graph;
    };

    void add(std::vector<int> &counts, int rank) {
        if (rank < 0)
            return; // MPI_PROC_NULL
        const std::lock_guard<std::mutex> guard(mutex_);
        ++counts[at(rank)];
    }
    void tell_others(int last);
    bool serve();
    void hear();
    void drain();
    bool all_drained();

    const MPI_Comm comm_;
    const MPI_Comm own_;
    int rank_ = 0;
    int size_ = 1;
    loomp_speculation_t *const iterations_;
    int begun_ = 0; ///< the owner's
    std::mutex mutex_;
    std::vector<int> sent_;     ///< to each rank; under mutex_
    std::vector<int> received_; ///< from each; under mutex_
    bool told_ = false;         ///< the others; under mutex_
    int said_ = kNone;          ///< the one thing that they are told
    std::vector<MPI_Request> saying_;

    // The poller's.
    Service service_;
    std::vector<int> heard_;
    std::vector<MPI_Request> hearing_;
    int unheard_;
    MPI_Request draining_ = MPI_REQUEST_NULL;
    int drained_from_ = 0;
    std::vector<char> scrap_;

    loomp_suspension_t all_heard_ = LOOMP_SUSPENSION_INIT;
    std::vector<int> expected_;             ///< messages from each rank, in all
    std::atomic<bool> is_expecting_{false}; ///< that is known
};

Graph::Graph(MPI_Comm comm, MPI_Comm own)
    : comm_(comm), own_(own), iterations_(loomp_speculation_begin()), service_(*this) {
    PMPI_Comm_rank(comm, &rank_);
    PMPI_Comm_size(comm, &size_);
    sent_.resize(at(size_));
    received_.resize(at(size_));
    heard_.assign(at(size_), kNone);
    saying_.assign(at(size_), MPI_REQUEST_NULL);
    hearing_.assign(at(size_), MPI_REQUEST_NULL);
    unheard_ = size_ - 1;
    for (int other = 0; other < size_; ++other)
        if (other != rank_)
            PMPI_Irecv(&heard_[at(other)], 1, MPI_INT, other, 0, own_, &hearing_[at(other)]);
    if (unheard_ == 0)
        loomp_resume(&all_heard_);
    leave_to_poller(service_);
}

Graph::~Graph() { loomp_speculation_end(iterations_); }

void Graph::tell_others(int last) {
    said_ = last;
    told_ = true;
    for (int other = 0; other < size_; ++other)
        if (other != rank_)
            PMPI_Isend(&said_, 1, MPI_INT, other, 0, own_, &saying_[at(other)]);
}

void Graph::cancel(int last) {
    inside_gate([&] {
        const std::lock_guard<std::mutex> guard(mutex_);
        if (told_)
            return;
        loomp_speculation_cut(iterations_, last);
        tell_others(last);
    });
}

void Graph::hear() {
    while (unheard_ > 0) {
        int found = MPI_UNDEFINED;
        int flag = 0;
        PMPI_Testany(size_, hearing_.data(), &found, &flag, MPI_STATUS_IGNORE);
        if (flag == 0 || found == MPI_UNDEFINED)
            return;
        if (heard_[at(found)] != kNone)
            loomp_speculation_cut(iterations_, heard_[at(found)]);
        if (--unheard_ == 0)
            loomp_resume(&all_heard_);
    }
}

/// Takes in what no task will.
void Graph::drain() {
    for (;;) {
        int flag = 0;
        if (draining_ != MPI_REQUEST_NULL) {
            PMPI_Test(&draining_, &flag, MPI_STATUS_IGNORE);
            if (flag == 0)
                return;
            count_receive(drained_from_);
        }
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Status status;
        PMPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &flag, &message, &status);
        if (flag == 0)
            return;
        int bytes = 0;
        PMPI_Get_count(&status, MPI_BYTE, &bytes);
        scrap_.resize(std::max(scrap_.size(), at(std::max(bytes, 1))));
        drained_from_ = status.MPI_SOURCE;
        PMPI_Imrecv(scrap_.data(), bytes, MPI_BYTE, &message, &draining_);
    }
}

bool Graph::all_drained() {
    const std::lock_guard<std::mutex> guard(mutex_);
    // More have come only if the program has sent some by calls that the graph is not for.
    return draining_ == MPI_REQUEST_NULL && std::equal(received_.begin(), received_.end(),
                                                       expected_.begin(), std::greater_equal<>());
}

bool Graph::serve() {
    hear();
    // acquire: pairs with end(); what is the last iteration does not change any more, and is looked
    // at afterwards.
    const bool expecting = is_expecting_.load(std::memory_order_acquire);
    const int last = loomp_speculation_last(iterations_);
    if (last != kNone && loomp_speculation_completed(iterations_, last) != 0)
        drain();
    return expecting && (last == kNone || all_drained());
}

int Graph::begin_iteration() {
    const int number = loomp_speculation_next(iterations_);
    begun_ = std::max(begun_, number + 1);
    return number;
}

/// Returns how many iterations were completed, -1 if the caller has not begun them.
int Graph::end() {
    const Call ending = {.name = "loomp_graph_end", .comm = comm_};
    if (loomp_speculation_wait(iterations_) != 0)
        return -1;
    inside_gate([&] {
        const std::lock_guard<std::mutex> guard(mutex_);
        if (!told_)
            tell_others(kNone);
    });
    loomp_suspend(&all_heard_);
    const int last = loomp_speculation_last(iterations_);
    if (last != kNone) {
        expected_.resize(at(size_));
        MPI_Request request = MPI_REQUEST_NULL;
        PMPI_Ialltoall(sent_.data(), 1, MPI_INT, expected_.data(), 1, MPI_INT, own_, &request);
        wait_for(ending, &request, MPI_STATUS_IGNORE);
    }
    // release: what is expected.
    is_expecting_.store(true, std::memory_order_release);
    loomp_suspend(&service_.done);
    if (last != kNone) {
        // Nobody begins another graph, whose messages a rank that still drains would take.
        MPI_Request request = MPI_REQUEST_NULL;
        PMPI_Ibarrier(own_, &request);
        wait_for(ending, &request, MPI_STATUS_IGNORE);
    }
    wait_all(ending, size_, saying_.data(), MPI_STATUSES_IGNORE);
    // Each rank knows what all have said, and all iterations up to the earliest were begun by all.
    return last == kNone ? begun_ : last + 1;
}

// --- The graphs there are ------------------------------------------------------------------------

namespace {

std::mutex changing_graphs;
std::atomic<Graph *> all_graphs{nullptr};

/// Communicates for the graphs on a communicator, kept with it. Freed with it.
int private_comm_key = MPI_KEYVAL_INVALID;

int free_private_comm(MPI_Comm, int, void *value, void *) {
    auto *own = static_cast<MPI_Comm *>(value);
    PMPI_Comm_free(own);
    delete own;
    return MPI_SUCCESS;
}

int private_comm(MPI_Comm comm, MPI_Comm &own) {
    static std::once_flag once;
    std::call_once(once, [] {
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_private_comm, &private_comm_key,
                                nullptr);
    });
    MPI_Comm *kept = nullptr;
    int found = 0;
    int error = PMPI_Comm_get_attr(comm, private_comm_key, static_cast<void *>(&kept), &found);
    if (error != MPI_SUCCESS)
        return error;
    if (found == 0) {
        kept = new MPI_Comm(MPI_COMM_NULL);
        error = MPI_Comm_dup(comm, kept); // suspends the task meanwhile
        if (error == MPI_SUCCESS)
            error = PMPI_Comm_set_attr(comm, private_comm_key, kept);
    }
    own = *kept;
    return error;
}

Graph *find(MPI_Comm comm) {
    const std::lock_guard<std::mutex> guard(changing_graphs);
    for (Graph *graph = all_graphs.load(std::memory_order_relaxed); graph != nullptr;
         graph = graph->next)
        if (graph->comm() == comm)
            return graph;
    return nullptr;
}

void enter(Graph &graph) {
    const std::lock_guard<std::mutex> guard(changing_graphs);
    graph.next = all_graphs.load(std::memory_order_relaxed);
    all_graphs.store(&graph, std::memory_order_relaxed);
}

void take_out(const Graph &graph) {
    const std::lock_guard<std::mutex> guard(changing_graphs);
    if (all_graphs.load(std::memory_order_relaxed) == &graph) {
        all_graphs.store(graph.next, std::memory_order_relaxed);
        return;
    }
    Graph *before = all_graphs.load(std::memory_order_relaxed);
    while (before->next != &graph)
        before = before->next;
    before->next = graph.next;
}

Graph *graph_on(MPI_Comm comm) {
    return all_graphs.load(std::memory_order_relaxed) == nullptr ? nullptr : find(comm);
}

/// A receive of an iteration that may be cut off while it waits. Only the poller tests and cancels
/// it.
struct Receive : Operation {
    Receive(Graph &g, const Call &c, MPI_Request &r)
        : graph(g), iteration(loomp_speculation_iteration(g.iterations())), request(r) {
        call = c;
        test = [](Operation &self) { return static_cast<Receive &>(self).try_complete(); };
    }
    bool try_complete() {
        if (!asked_to_cancel && graph.cut_off(iteration)) {
            asked_to_cancel = true;
            PMPI_Cancel(&request);
        }
        int flag = 0;
        error = test_for(call, &request, &flag, &status);
        return flag != 0 || error != MPI_SUCCESS;
    }
    Graph &graph;
    int iteration;
    MPI_Request &request;
    bool asked_to_cancel = false;
    MPI_Status status;
};

} // namespace

bool is_worth_sending(MPI_Comm comm) {
    Graph *graph = graph_on(comm);
    return graph == nullptr || !graph->cut_off(loomp_speculation_iteration(graph->iterations()));
}

void count_send(MPI_Comm comm, int target) {
    if (Graph *graph = graph_on(comm); graph != nullptr)
        graph->count_send(target);
}

int wait_for_receive(const Call &call, MPI_Request *request, MPI_Status *status) {
    Graph *graph = graph_on(call.comm);
    if (graph == nullptr)
        return wait_for(call, request, status);
    Receive operation(*graph, call, *request);
    // What no library overwrites if it received nothing.
    operation.status.MPI_SOURCE = MPI_PROC_NULL;
    if (!operation.try_complete())
        suspend_until_complete(operation);
    int cancelled = 0;
    if (operation.error == MPI_SUCCESS)
        PMPI_Test_cancelled(&operation.status, &cancelled);
    // A message that was too long has arrived, too.
    if (cancelled == 0)
        graph->count_receive(operation.status.MPI_SOURCE);
    if (status != MPI_STATUS_IGNORE) {
        operation.status.MPI_ERROR = status->MPI_ERROR;
        *status = operation.status;
    }
    return raise(call, operation.error);
}

} // namespace loomp::mpi

using namespace loomp::mpi;

LOOMP_EXPORT int loomp_graph_begin(MPI_Comm comm) {
    int between = 0;
    if (!active()) {
        complain(
            "loomp_graph_begin: MPI calls are not taken over here: call it after MPI_Init, with "
            "a library that provides MPI_THREAD_MULTIPLE");
        return MPI_ERR_OTHER;
    }
    if (loomp_in_task() == 0) {
        complain("loomp_graph_begin: call it in a parallel region, in the task that creates those "
                 "of the graph");
        return MPI_ERR_OTHER;
    }
    if (const int error = PMPI_Comm_test_inter(comm, &between); error != MPI_SUCCESS)
        return error;
    if (between != 0) {
        complain("loomp_graph_begin: an intracommunicator is needed");
        return MPI_ERR_OTHER;
    }
    if (graph_on(comm) != nullptr) {
        complain("loomp_graph_begin: there is a graph on this communicator already");
        return MPI_ERR_OTHER;
    }
    MPI_Comm own = MPI_COMM_NULL;
    if (const int error = private_comm(comm, own); error != MPI_SUCCESS)
        return error;
    enter(*new Graph(comm, own));
    return MPI_SUCCESS;
}

LOOMP_EXPORT int loomp_graph_next(MPI_Comm comm) {
    Graph *graph = graph_on(comm);
    return graph == nullptr ? -1 : graph->begin_iteration();
}

LOOMP_EXPORT int loomp_graph_cancel(MPI_Comm comm) {
    Graph *graph = graph_on(comm);
    if (graph == nullptr)
        return MPI_ERR_COMM;
    const int iteration = loomp_speculation_iteration(graph->iterations());
    if (iteration < 0) {
        complain("loomp_graph_cancel: the calling task belongs to no iteration of this graph");
        return MPI_ERR_OTHER;
    }
    graph->cancel(iteration);
    return MPI_SUCCESS;
}

LOOMP_EXPORT int loomp_graph_end(MPI_Comm comm, int *iterations) {
    Graph *graph = graph_on(comm);
    if (graph == nullptr)
        return MPI_ERR_COMM;
    const int completed = graph->end();
    if (completed < 0)
        return MPI_ERR_OTHER;
    if (iterations != nullptr)
        *iterations = completed;
    take_out(*graph);
    delete graph;
    return MPI_SUCCESS;
}
