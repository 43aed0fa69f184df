#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "platform/system_mutex.h"
#include "tests/simulated/machine.h"
#include "tests/simulated/mpi/network.h"

namespace loomp::simulated {

namespace {

/// MPICH's: a request that is complete from the start, and needs no completion.
constexpr MPI_Request kComplete = 0x6c000001;
constexpr MPI_Group kAllRanks = static_cast<MPI_Group>(0x88000000u);
constexpr MPI_Group kOwnRank = static_cast<MPI_Group>(0x88000001u);

struct Message {
    int source, target;
    int tag;
    MPI_Comm comm;
    std::vector<char> data;
    std::int64_t time;                     ///< of its arrival
    MPI_Request sender = MPI_REQUEST_NULL; ///< completes when it is received
};

struct Request {
    enum class Kind : std::uint8_t { send, receive, collective } kind;
    MPI_Comm comm;
    int peer, tag;
    void *buffer;
    int size; ///< bytes
    bool is_synchronous = false;
    bool persistent = false;
    bool active = true;
    bool matched = false; ///< `time` is known
    std::int64_t time = 0;
    MPI_Status status = {};
    int error = MPI_SUCCESS;
    // A collective of the program's function, which it calls when it is complete.
    MPI_Op op = MPI_OP_NULL;
    int others = 0; ///< what the other ranks give
    int user = -1;  ///< the thread that is in a call with it
};

struct Join {
    Collective collective;
    bool is_blocking;
    int value;
    std::int64_t time;
};

/// A message that another rank receives.
struct Expected {
    int rank, tag;
    MPI_Comm comm;
    Content content;
    std::int64_t time;
};

struct Communicator {
    MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
    int size = 1;
    std::deque<Join> joins;
    std::map<int, void *> attributes;
    std::map<int, std::int64_t> last; ///< arrival of a message from this rank
    std::map<int, std::int64_t> ends; ///< of this rank
};

struct Library {
    bool one_thread = false;
    bool one_lock = false; ///< the library has a lock of its own, which it holds over calls
    bool eager_is_complete = false;
    std::int64_t grain = 1; ///< things happen at multiples of this time
    int rank = 0, size = 1;
    RecursiveSystemMutex lock;
    int inside = -1;            ///< one thread at a time: the thread
    std::set<int> in_functions; ///< the threads that are in the program's function of a reduction
    int depth = 0;
    std::map<MPI_Comm, Communicator> comms;
    std::map<MPI_Errhandler, MPI_Comm_errhandler_function *> handlers;
    std::map<MPI_Op, MPI_User_function *> ops;
    std::map<MPI_Request, std::unique_ptr<Request>> requests;
    std::map<MPI_Message, Message> matched; ///< by MPI_Mprobe
    std::deque<Message> messages;           ///< to this rank, in the order of their arrival
    std::deque<MPI_Request> receives;       ///< posted ones without a message, in order
    std::deque<Message> sent;               ///< to others, that nobody has received
    std::deque<Expected> expected;
    int next_request = 0, next_handle = 0;
};
Library *library = nullptr;

[[noreturn]] void broken(const char *rule) { give_up(kWrong, rule); }

/// A thread in a call.
class Inside {
  public:
    Inside() {
        step();
        if (library->in_functions.count(own_number()) != 0)
            broken("a function of a reduction calls MPI");
        if (library->one_lock)
            library->lock.lock();
        if (library->one_thread && library->depth != 0 && library->inside != own_number())
            broken("two threads call MPI at once");
        library->inside = own_number();
        ++library->depth;
    }
    ~Inside() {
        if (library->one_thread && library->inside != own_number())
            broken("a thread left MPI in another thread's call");
        --library->depth;
        if (library->one_lock)
            library->lock.unlock();
        step();
    }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;
};

std::int64_t after(std::int64_t delay) {
    return (now() + delay + library->grain - 1) / library->grain * library->grain;
}
std::int64_t latency() { return static_cast<std::int64_t>(any_below(3000)); }

/// A message that leaves a rank for another one, or for itself.
std::int64_t arrival(int source, MPI_Comm comm, std::int64_t time) {
    std::int64_t &last = library->comms.at(comm).last[source];
    return last = std::max(last, time);
}

int size_of(MPI_Datatype type) { return type >> 8 & 0xff; }

Communicator &find(MPI_Comm comm) {
    const auto at = library->comms.find(comm);
    if (at == library->comms.end())
        broken("a communicator that does not exist");
    return at->second;
}

/// The error of a call on a communicator: MPICH until 4 raises a completion's on MPI_COMM_WORLD.
int raise_on(MPI_Comm comm, int error) {
    if (error == MPI_SUCCESS)
        return error;
    const MPI_Errhandler handler = find(comm).handler;
    if (handler == MPI_ERRORS_RETURN)
        return error;
    if (handler == MPI_ERRORS_ARE_FATAL)
        broken("a fatal error of MPI");
    library->handlers.at(handler)(&comm, &error, nullptr);
    return error;
}

MPI_Request add(Request made) {
    const MPI_Request handle = static_cast<MPI_Request>(0x98000000u) + library->next_request++;
    library->requests[handle] = std::make_unique<Request>(std::move(made));
    return handle;
}

Request &find_request(MPI_Request handle) {
    const auto at = library->requests.find(handle);
    if (at == library->requests.end())
        broken("a request that has ended is used");
    return *at->second;
}

bool matches(const Request &receive, const Message &message) {
    return receive.comm == message.comm &&
           (receive.tag == MPI_ANY_TAG || receive.tag == message.tag) &&
           (receive.peer == MPI_ANY_SOURCE || receive.peer == message.source);
}

void set_status(MPI_Status &status, int source, int tag, int bytes) {
    status.MPI_SOURCE = source;
    status.MPI_TAG = tag;
    status.count_lo = bytes;
    status.count_hi_and_cancelled = 0;
}

/// The receiver has the message.
void deliver(Request &receive, const Message &message) {
    const int bytes = static_cast<int>(message.data.size());
    receive.matched = true;
    receive.time = now();
    receive.error = bytes > receive.size ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
    std::memcpy(receive.buffer, message.data.data(),
                static_cast<std::size_t>(std::min(bytes, receive.size)));
    set_status(receive.status, message.source, message.tag, std::min(bytes, receive.size));
    if (message.sender != MPI_REQUEST_NULL) {
        Request &sender = find_request(message.sender);
        sender.matched = true;
        sender.time = after(latency());
    }
}

/// Receives from ranks that have ended fail.
void fail_receives() {
    for (std::size_t i = 0; i < library->receives.size();) {
        Request &receive = find_request(library->receives[i]);
        const auto &ends = find(receive.comm).ends;
        const auto end = ends.find(receive.peer);
        const auto matching = [&](const Message &each) { return matches(receive, each); };
        if (end == ends.end() || end->second > now() ||
            std::any_of(library->messages.begin(), library->messages.end(), matching)) {
            ++i;
            continue;
        }
        library->receives.erase(library->receives.begin() + static_cast<std::ptrdiff_t>(i));
        receive.matched = true;
        receive.time = now();
        receive.error = MPI_ERR_OTHER;
        set_status(receive.status, receive.peer, receive.tag, 0);
    }
}

/// Brings the network to the present time. Only calls of the library do that.
void progress() {
    const std::int64_t time = now();
    // Other ranks receive.
    for (std::size_t i = 0; i < library->expected.size();) {
        const Expected &each = library->expected[i];
        const auto message = each.time > time
                                 ? library->sent.end()
                                 : std::find_if(library->sent.begin(), library->sent.end(),
                                                [&](const Message &sent) {
                                                    return sent.target == each.rank &&
                                                           sent.tag == each.tag &&
                                                           sent.comm == each.comm;
                                                });
        if (message == library->sent.end()) {
            ++i;
            continue;
        }
        const auto *const values = reinterpret_cast<const int *>(message->data.data());
        if (message->data.size() != sizeof(int) * static_cast<std::size_t>(each.content.count))
            broken("a rank received a message of another size");
        for (int k = 0; k < each.content.count; ++k)
            if (values[k] != each.content.value + k)
                broken("a rank received a message with another content");
        if (message->sender != MPI_REQUEST_NULL) {
            Request &sender = find_request(message->sender);
            sender.matched = true;
            sender.time = after(latency());
        }
        library->sent.erase(message);
        library->expected.erase(library->expected.begin() + static_cast<std::ptrdiff_t>(i));
    }
    // Messages meet receives, in the order of both.
    for (std::size_t i = 0; i < library->receives.size();) {
        Request &receive = find_request(library->receives[i]);
        const auto message = std::find_if(
            library->messages.begin(), library->messages.end(),
            [&](const Message &each) { return each.time <= time && matches(receive, each); });
        if (message == library->messages.end()) {
            ++i;
            continue;
        }
        const Message taken = std::move(*message);
        library->messages.erase(message);
        library->receives.erase(library->receives.begin() + static_cast<std::ptrdiff_t>(i));
        deliver(receive, taken);
    }
    fail_receives();
}

bool is_done(const Request &request) {
    return !request.active || (request.matched && request.time <= now());
}

/// The program's function gets the values of the others: it runs once for each rank.
void reduce(Request &request) {
    auto *const to = static_cast<int *>(request.buffer);
    if (request.op == MPI_OP_NULL)
        return;
    const auto function = library->ops.find(request.op);
    if (function == library->ops.end()) {
        *to += request.others;
        return;
    }
    int count = 1;
    MPI_Datatype type = MPI_INT;
    int given = request.others;
    library->in_functions.insert(own_number());
    function->second(&given, to, &count, &type);
    library->in_functions.erase(own_number());
}

/// Ends a request that is done. Returns its error.
int end(MPI_Request *handle, MPI_Status *status) {
    Request &request = find_request(*handle);
    const bool was_active = request.active;
    if (was_active && request.kind == Request::Kind::collective && request.op != MPI_OP_NULL)
        reduce(request);
    if (status != MPI_STATUS_IGNORE) {
        const int error = status->MPI_ERROR;
        *status = request.status;
        status->MPI_ERROR = error;
        if (!was_active)
            set_status(*status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    }
    const int error = was_active ? request.error : MPI_SUCCESS;
    if (request.persistent) {
        request.active = request.matched = false;
        return error;
    }
    library->requests.erase(*handle);
    *handle = MPI_REQUEST_NULL;
    return error;
}

void empty(MPI_Status *status) {
    if (status == MPI_STATUS_IGNORE)
        return;
    const int error = status->MPI_ERROR;
    *status = {};
    set_status(*status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    status->MPI_ERROR = error;
}

/// The calling thread has the requests in a call: only one may, until the call ends.
class Use {
  public:
    Use(int count, const MPI_Request *handles) {
        for (int i = 0; i < count; ++i)
            if (Request *const request = request_of(handles[i])) {
                if (request->user == own_number())
                    continue; // a call of the library's own within another
                if (request->user >= 0)
                    broken("two threads use a request at once");
                request->user = own_number();
                handles_.push_back(handles[i]);
            }
    }
    ~Use() {
        for (const MPI_Request handle : handles_)
            if (Request *const request = request_of(handle))
                request->user = -1;
    }
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;

  private:
    static Request *request_of(MPI_Request handle) {
        const auto at = library->requests.find(handle);
        return at == library->requests.end() ? nullptr : at->second.get();
    }
    std::vector<MPI_Request> handles_;
};

/// Returns whether it is complete; stores its error.
bool test_one(MPI_Request *handle, MPI_Status *status, int &error) {
    error = MPI_SUCCESS;
    if (*handle == MPI_REQUEST_NULL || *handle == kComplete) {
        *handle = MPI_REQUEST_NULL;
        empty(status);
        return true;
    }
    if (!is_done(find_request(*handle)))
        return false;
    error = end(handle, status);
    return true;
}

/// Waits in the library, with its thread. Where one thread at a time may call, the others would
/// wait meanwhile, perhaps with what this one waits for.
template <class Done> void block(Done done) {
    if (library->one_thread)
        broken("a blocking call, where only one thread may call");
    for (;;) {
        {
            const Inside inside;
            progress();
            if (done())
                return;
        }
        sleep_until(now() + 500 + static_cast<std::int64_t>(any_below(20'000)));
    }
}

/// All ranks are in a collective, or will come without this one's other threads.
int wait_for_all(MPI_Request request) {
    int error = MPI_SUCCESS;
    const Inside inside;
    while (!test_one(&request, MPI_STATUS_IGNORE, error))
        sleep_until(now() + 500 + static_cast<std::int64_t>(any_below(20'000)));
    return raise_on(MPI_COMM_WORLD, error);
}

int wait_for(MPI_Request *handle, MPI_Status *status) {
    const Use use(1, handle);
    int error = MPI_SUCCESS;
    block([&] { return test_one(handle, status, error); });
    return raise_on(MPI_COMM_WORLD, error);
}

/// Sends what a request's buffer has now. `sender`: the request that completes with its receive.
void send_off(const Request &request, MPI_Request sender) {
    const auto *const from = static_cast<const char *>(request.buffer);
    Message message{library->rank,
                    request.peer,
                    request.tag,
                    request.comm,
                    std::vector<char>(from, from + request.size),
                    0,
                    sender};
    if (request.peer == library->rank) {
        message.time = arrival(library->rank, request.comm, after(latency()));
        library->messages.push_back(std::move(message));
    } else {
        library->sent.push_back(std::move(message));
    }
}

MPI_Request start(Request made) {
    MPI_Request handle = kComplete;
    if (made.kind == Request::Kind::receive) {
        handle = add(std::move(made));
        library->receives.push_back(handle);
    } else if (made.is_synchronous) {
        handle = add(std::move(made));
        send_off(find_request(handle), handle);
    } else {
        made.matched = true;
        made.time = after(any_below(2) == 0 ? 0 : latency());
        send_off(made, MPI_REQUEST_NULL);
        if (!library->eager_is_complete)
            handle = add(std::move(made));
    }
    progress();
    return handle;
}

/// Starts a persistent request again.
void restart(MPI_Request handle) {
    Request &request = find_request(handle);
    if (request.active)
        broken("an active request is started");
    request.active = true;
    request.matched = request.kind == Request::Kind::send;
    if (request.matched) {
        request.time = after(latency());
        send_off(request, MPI_REQUEST_NULL);
    } else {
        library->receives.push_back(handle);
    }
    progress();
}

Request sending(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                bool synchronous) {
    Request made{};
    made.kind = Request::Kind::send;
    made.comm = comm;
    made.peer = to;
    made.tag = tag;
    made.buffer = const_cast<void *>(buffer);
    made.size = count * size_of(type);
    made.is_synchronous = synchronous;
    return made;
}

Request receiving(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm) {
    Request made{};
    made.kind = Request::Kind::receive;
    made.comm = comm;
    made.peer = from;
    made.tag = tag;
    made.buffer = buffer;
    made.size = count * size_of(type);
    return made;
}

/// A collective in which all ranks are by now, or will be. The layer's own ones have no script.
MPI_Request join(MPI_Comm comm, Collective collective, bool is_blocking, void *to, MPI_Op op) {
    Communicator &joined = find(comm);
    Request made{};
    made.kind = Request::Kind::collective;
    made.comm = comm;
    made.buffer = to;
    made.matched = true;
    made.op = op;
    if (joined.size == 1) {
        made.time = after(0);
    } else if (!joined.joins.empty() && joined.joins.front().collective == collective &&
               joined.joins.front().is_blocking == is_blocking) {
        const Join other = joined.joins.front();
        joined.joins.pop_front();
        made.others = other.value;
        made.time = std::max(other.time, after(latency()));
    } else if (!is_blocking && collective != Collective::sum) {
        made.time = after(latency()); // the layer's
    } else {
        broken("a collective that the other ranks do not make");
    }
    return add(std::move(made));
}

const Message *find_message(int source, int tag, MPI_Comm comm) {
    Request wanted{};
    wanted.peer = source;
    wanted.tag = tag;
    wanted.comm = comm;
    for (const Message &each : library->messages)
        if (each.time <= now() && matches(wanted, each))
            return &each;
    return nullptr;
}

void tell(const Message &message, MPI_Status *status) {
    if (status != MPI_STATUS_IGNORE)
        set_status(*status, message.source, message.tag, static_cast<int>(message.data.size()));
}

/// Moves a message out of the reach of other receives.
MPI_Message take(const Message &message) {
    const MPI_Message handle = static_cast<MPI_Message>(0xb8000000u) + library->next_request++;
    const auto at = std::find_if(library->messages.begin(), library->messages.end(),
                                 [&](const Message &each) { return &each == &message; });
    library->matched.emplace(handle, std::move(*at));
    library->messages.erase(at);
    return handle;
}

MPI_Request receive_matched(void *buffer, int count, MPI_Datatype type, MPI_Message *message) {
    const auto at = library->matched.find(*message);
    if (at == library->matched.end())
        broken("a matched message that has been received is used");
    Request made =
        receiving(buffer, count, type, at->second.source, at->second.tag, at->second.comm);
    deliver(made, at->second);
    made.time = after(latency());
    library->matched.erase(at);
    *message = MPI_MESSAGE_NULL;
    return add(std::move(made));
}

} // namespace

void begin_network(bool one_thread_at_a_time) {
    static Library only;
    library = &only;
    library->one_thread = one_thread_at_a_time;
    library->one_lock = any_below(2) == 0;
    library->eager_is_complete = any_below(2) == 0;
    constexpr std::int64_t grains[] = {1, 1, 1000, 100'000};
    library->grain = grains[any_below(4)];
    library->size = 1 + static_cast<int>(any_below(4));
    library->rank = static_cast<int>(any_below(static_cast<std::uint64_t>(library->size)));
    library->comms[MPI_COMM_WORLD].size = library->size;
    library->comms[MPI_COMM_SELF].size = 1;
}

int own_rank() { return library->rank; }
int ranks() { return library->size; }

MPI_Comm new_communicator() {
    const MPI_Comm made = static_cast<MPI_Comm>(0x84000000u) + library->next_handle++;
    Communicator communicator;
    communicator.size = library->size;
    communicator.handler = library->comms[MPI_COMM_WORLD].handler;
    library->comms[made] = std::move(communicator);
    return made;
}

void peer_sends(int rank, int tag, MPI_Comm comm, Content content, std::int64_t delay) {
    std::vector<char> data(sizeof(int) * static_cast<std::size_t>(content.count));
    for (int i = 0; i < content.count; ++i)
        reinterpret_cast<int *>(data.data())[i] = content.value + i;
    library->messages.push_back(
        {rank, library->rank, tag, comm, std::move(data), arrival(rank, comm, after(delay))});
}

void peer_receives(int rank, int tag, MPI_Comm comm, Content content, std::int64_t delay) {
    library->expected.push_back({rank, tag, comm, content, after(delay)});
}

void peer_ends(int rank, MPI_Comm comm, std::int64_t delay) {
    find(comm).ends[rank] = after(delay);
}

void peers_join(MPI_Comm comm, Collective collective, bool is_blocking, int value,
                std::int64_t delay) {
    find(comm).joins.push_back({collective, is_blocking, value, after(delay)});
}

void print_network() {
    std::fprintf(stderr, "rank %d of %d\n", library->rank, library->size);
    for (const Message &each : library->messages)
        std::fprintf(stderr, "a message from rank %d, tag %d, has not been received\n", each.source,
                     each.tag);
    for (const Message &each : library->sent)
        std::fprintf(stderr, "rank %d has not received tag %d\n", each.target, each.tag);
    for (const Expected &each : library->expected)
        std::fprintf(stderr, "rank %d waits for tag %d\n", each.rank, each.tag);
    for (const auto &each : library->requests)
        std::fprintf(stderr, "a request for rank %d, tag %d, is not complete\n", each.second->peer,
                     each.second->tag);
}

void check_nothing_is_left() {
    if (!library->messages.empty())
        broken("a message has not been received");
    if (!library->matched.empty())
        broken("a matched message has not been received");
    if (!library->receives.empty() || !library->requests.empty())
        broken("a request has not been completed");
    for (const Expected &each : library->expected)
        sleep_until(each.time);
    progress();
    if (!library->sent.empty() || !library->expected.empty())
        broken("a rank has not received its message");
    for (const auto &each : library->comms)
        if (!each.second.joins.empty())
            broken("a rank waits in a collective");
}

} // namespace loomp::simulated

using namespace loomp::simulated;

extern "C" {

// --- The process ---------------------------------------------------------------------------------

int PMPI_Initialized(int *flag) {
    *flag = library != nullptr ? 1 : 0;
    return MPI_SUCCESS;
}
int PMPI_Finalize() { return MPI_SUCCESS; }
int PMPI_Abort(MPI_Comm, int) { broken("the layer ends the job"); }
int PMPI_Get_library_version(char *text, int *length) {
    *length = std::snprintf(text, 32, "simulated");
    return MPI_SUCCESS;
}

// --- Communicators and errors --------------------------------------------------------------------

int PMPI_Comm_rank(MPI_Comm comm, int *rank) {
    *rank = find(comm).size == 1 ? 0 : library->rank;
    return MPI_SUCCESS;
}
int PMPI_Comm_size(MPI_Comm comm, int *size) {
    *size = find(comm).size;
    return MPI_SUCCESS;
}
int PMPI_Comm_test_inter(MPI_Comm comm, int *flag) {
    find(comm);
    *flag = 0;
    return MPI_SUCCESS;
}
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
    const int error = wait_for_all(join(comm, Collective::duplicate, true, nullptr, MPI_OP_NULL));
    *made = new_communicator();
    library->comms[*made].size = find(comm).size;
    library->comms[*made].handler = find(comm).handler;
    return error;
}
int PMPI_Comm_free(MPI_Comm *comm) {
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}
int PMPI_Comm_get_parent(MPI_Comm *parent) {
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}
int PMPI_Comm_get_name(MPI_Comm, char *name, int *length) {
    name[0] = '\0';
    *length = 0;
    return MPI_SUCCESS;
}
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
    *group = find(comm).size == 1 ? kOwnRank : kAllRanks;
    return MPI_SUCCESS;
}
/// The layer leaves out nobody or all.
int PMPI_Group_excl(MPI_Group group, int count, const int *, MPI_Group *rest) {
    *rest = count == 0 ? group : MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
}
int PMPI_Group_difference(MPI_Group group, MPI_Group other, MPI_Group *rest) {
    *rest = other == MPI_GROUP_EMPTY ? group : MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
}
int PMPI_Group_size(MPI_Group group, int *size) {
    *size = group == MPI_GROUP_EMPTY ? 0 : group == kOwnRank ? 1 : library->size;
    return MPI_SUCCESS;
}
int PMPI_Group_translate_ranks(MPI_Group group, int count, const int *from, MPI_Group, int *to) {
    for (int i = 0; i < count; ++i)
        to[i] = group == kOwnRank ? library->rank : from[i];
    return MPI_SUCCESS;
}
int PMPI_Group_free(MPI_Group *group) {
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *,
                            int *key, void *) {
    *key = 0x24000000 + library->next_handle++;
    return MPI_SUCCESS;
}
int PMPI_Comm_free_keyval(int *key) {
    *key = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}
int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag) {
    const auto &attributes = find(comm).attributes;
    const auto at = attributes.find(key);
    *flag = at != attributes.end() ? 1 : 0;
    if (*flag != 0)
        *static_cast<void **>(value) = at->second;
    return MPI_SUCCESS;
}
int PMPI_Comm_set_attr(MPI_Comm comm, int key, void *value) {
    find(comm).attributes[key] = value;
    return MPI_SUCCESS;
}
int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *made) {
    *made = 0x14000010 + library->next_handle++;
    library->handlers[*made] = function;
    return MPI_SUCCESS;
}
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
    const Inside inside;
    find(comm).handler = handler;
    return MPI_SUCCESS;
}
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *handler) {
    *handler = find(comm).handler;
    return MPI_SUCCESS;
}
int PMPI_Errhandler_free(MPI_Errhandler *handler) {
    *handler = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}
int PMPI_Comm_call_errhandler(MPI_Comm comm, int error) {
    raise_on(comm, error);
    return MPI_SUCCESS;
}
int PMPI_Error_class(int error, int *error_class) {
    *error_class = error;
    return MPI_SUCCESS;
}
int PMPI_Error_string(int error, char *text, int *length) {
    *length = std::snprintf(text, 32, "error %d", error);
    return MPI_SUCCESS;
}
int PMPI_Op_create(MPI_User_function *function, int, MPI_Op *op) {
    *op = static_cast<MPI_Op>(0x98000000u) + library->next_handle++;
    library->ops[*op] = function;
    return MPI_SUCCESS;
}

// --- Point to point ------------------------------------------------------------------------------

int PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
    const Inside inside;
    *request =
        to == MPI_PROC_NULL ? kComplete : start(sending(buffer, count, type, to, tag, comm, false));
    return MPI_SUCCESS;
}
int PMPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                MPI_Request *request) {
    const Inside inside;
    *request = start(sending(buffer, count, type, to, tag, comm, true));
    return MPI_SUCCESS;
}
int PMPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request *request) {
    const Inside inside;
    *request = start(receiving(buffer, count, type, from, tag, comm));
    return MPI_SUCCESS;
}
int PMPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Isend(buffer, count, type, to, tag, comm, &request);
    return wait_for(&request, MPI_STATUS_IGNORE);
}
int PMPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Issend(buffer, count, type, to, tag, comm, &request);
    return wait_for(&request, MPI_STATUS_IGNORE);
}
int PMPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(buffer, count, type, from, tag, comm, &request);
    return wait_for(&request, status);
}
int PMPI_Sendrecv(const void *from, int send_count, MPI_Datatype send_type, int target,
                  int send_tag, void *to, int count, MPI_Datatype type, int source, int tag,
                  MPI_Comm comm, MPI_Status *status) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(to, count, type, source, tag, comm, &request);
    PMPI_Send(from, send_count, send_type, target, send_tag, comm);
    return wait_for(&request, status);
}
int PMPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   MPI_Request *request) {
    const Inside inside;
    Request made = sending(buffer, count, type, to, tag, comm, false);
    made.persistent = true;
    made.active = false;
    *request = add(std::move(made));
    return MPI_SUCCESS;
}
int PMPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                   MPI_Request *request) {
    const Inside inside;
    Request made = receiving(buffer, count, type, from, tag, comm);
    made.persistent = true;
    made.active = false;
    *request = add(std::move(made));
    return MPI_SUCCESS;
}
int PMPI_Start(MPI_Request *request) {
    const Inside inside;
    restart(*request);
    return MPI_SUCCESS;
}
int PMPI_Request_free(MPI_Request *request) {
    const Inside inside;
    if (*request != kComplete) {
        const Request &freed = find_request(*request);
        if (freed.active)
            broken("an active request is freed");
        library->requests.erase(*request);
    }
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}
int PMPI_Cancel(MPI_Request *request) {
    const Inside inside;
    find_request(*request);
    progress();
    const auto at = std::find(library->receives.begin(), library->receives.end(), *request);
    if (at == library->receives.end())
        return MPI_SUCCESS; // it has its message
    library->receives.erase(at);
    Request &cancelled = find_request(*request);
    cancelled.matched = true;
    cancelled.time = after(latency());
    set_status(cancelled.status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    cancelled.status.count_hi_and_cancelled = 1;
    return MPI_SUCCESS;
}
int PMPI_Test_cancelled(const MPI_Status *status, int *flag) {
    *flag = status->count_hi_and_cancelled & 1;
    return MPI_SUCCESS;
}
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
    *count = status->count_lo / size_of(type);
    return MPI_SUCCESS;
}
int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
    const Inside inside;
    progress();
    const Message *const found = find_message(source, tag, comm);
    *flag = found != nullptr ? 1 : 0;
    if (found != nullptr)
        tell(*found, status);
    return MPI_SUCCESS;
}
int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                 MPI_Status *status) {
    const Inside inside;
    progress();
    const Message *const found = find_message(source, tag, comm);
    *flag = found != nullptr ? 1 : 0;
    if (found != nullptr) {
        tell(*found, status);
        *message = take(*found);
    }
    return MPI_SUCCESS;
}
int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
    block([&] {
        const Message *const found = find_message(source, tag, comm);
        if (found != nullptr)
            tell(*found, status);
        return found != nullptr;
    });
    return MPI_SUCCESS;
}
int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    block([&] {
        const Message *const found = find_message(source, tag, comm);
        if (found == nullptr)
            return false;
        tell(*found, status);
        *message = take(*found);
        return true;
    });
    return MPI_SUCCESS;
}
int PMPI_Imrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
                MPI_Request *request) {
    const Inside inside;
    *request = receive_matched(buffer, count, type, message);
    return MPI_SUCCESS;
}
int PMPI_Mrecv(void *buffer, int count, MPI_Datatype type, MPI_Message *message,
               MPI_Status *status) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Imrecv(buffer, count, type, message, &request);
    return wait_for(&request, status);
}

// --- Completions ---------------------------------------------------------------------------------

int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    const Use use(1, request);
    const Inside inside;
    int error = MPI_SUCCESS;
    progress();
    *flag = test_one(request, status, error) ? 1 : 0;
    return raise_on(MPI_COMM_WORLD, error);
}
int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *) {
    const Inside inside;
    progress();
    *flag = request == MPI_REQUEST_NULL || request == kComplete || is_done(find_request(request));
    return MPI_SUCCESS;
}
int PMPI_Wait(MPI_Request *request, MPI_Status *status) {
    int flag = 0;
    const int error = PMPI_Test(request, &flag, status);
    return flag != 0 ? error : wait_for(request, status);
}

/// Tests each; `most`: ends after so many. Returns the count of the complete ones, or MPI_UNDEFINED
/// if none is active.
static int test_list(int count, MPI_Request *requests, int most, int *indices, MPI_Status *statuses,
                     int &error) {
    int found = 0;
    bool any = false;
    error = MPI_SUCCESS;
    progress();
    // A library may find any of them first.
    const int first =
        count == 0 ? 0 : static_cast<int>(any_below(static_cast<std::uint64_t>(count)));
    for (int i = 0; i < count && found < most; ++i) {
        const int at = most == 1 ? (first + i) % count : i;
        if (requests[at] == MPI_REQUEST_NULL ||
            (requests[at] != kComplete && !find_request(requests[at]).active))
            continue;
        any = true;
        int own = MPI_SUCCESS;
        MPI_Status *const status =
            statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[found];
        if (!test_one(&requests[at], status, own))
            continue;
        if (status != MPI_STATUS_IGNORE && most > 1)
            status->MPI_ERROR = own;
        if (own != MPI_SUCCESS)
            error = most > 1 ? MPI_ERR_IN_STATUS : own;
        indices[found++] = at;
    }
    return any ? found : MPI_UNDEFINED;
}
int PMPI_Testsome(int count, MPI_Request requests[], int *completed, int indices[],
                  MPI_Status statuses[]) {
    const Use use(count, requests);
    const Inside inside;
    int error = MPI_SUCCESS;
    *completed = test_list(count, requests, count + 1, indices, statuses, error);
    return raise_on(MPI_COMM_WORLD, error);
}
int PMPI_Waitsome(int count, MPI_Request requests[], int *completed, int indices[],
                  MPI_Status statuses[]) {
    const Use use(count, requests);
    int error = MPI_SUCCESS;
    block([&] {
        *completed = test_list(count, requests, count + 1, indices, statuses, error);
        return *completed != 0;
    });
    return raise_on(MPI_COMM_WORLD, error);
}
int PMPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
    const Use use(count, requests);
    const Inside inside;
    int error = MPI_SUCCESS;
    const int found = test_list(count, requests, 1, index, status, error);
    *flag = found != 0 ? 1 : 0;
    if (found != 1)
        *index = MPI_UNDEFINED;
    if (found == MPI_UNDEFINED)
        empty(status);
    return raise_on(MPI_COMM_WORLD, error);
}
int PMPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
    const Use use(count, requests);
    int error = MPI_SUCCESS;
    block([&] {
        const int found = test_list(count, requests, 1, index, status, error);
        if (found == MPI_UNDEFINED) {
            *index = MPI_UNDEFINED;
            empty(status);
        }
        return found != 0;
    });
    return raise_on(MPI_COMM_WORLD, error);
}
int PMPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
    const Use use(count, requests);
    const Inside inside;
    progress();
    *flag = 1;
    for (int i = 0; i < count; ++i)
        if (requests[i] != MPI_REQUEST_NULL && requests[i] != kComplete &&
            !is_done(find_request(requests[i])))
            *flag = 0;
    int error = MPI_SUCCESS;
    for (int i = 0; *flag != 0 && i < count; ++i) {
        MPI_Status *const status =
            statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
        int own = MPI_SUCCESS;
        test_one(&requests[i], status, own);
        if (status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = own;
        error = own != MPI_SUCCESS ? MPI_ERR_IN_STATUS : error;
    }
    return raise_on(MPI_COMM_WORLD, error);
}
int PMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
    const Use use(count, requests);
    int flag = 0;
    int error = PMPI_Testall(count, requests, &flag, statuses);
    while (flag == 0) {
        if (library->one_thread)
            broken("a blocking call, where only one thread may call");
        sleep_until(now() + 500 + static_cast<std::int64_t>(any_below(20'000)));
        error = PMPI_Testall(count, requests, &flag, statuses);
    }
    return error;
}

// --- Collectives ---------------------------------------------------------------------------------

int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    const Inside inside;
    *request = join(comm, Collective::barrier, false, nullptr, MPI_OP_NULL);
    return MPI_SUCCESS;
}
int PMPI_Barrier(MPI_Comm comm) {
    return wait_for_all(join(comm, Collective::barrier, true, nullptr, MPI_OP_NULL));
}
int PMPI_Iallreduce(const void *from, void *to, int, MPI_Datatype, MPI_Op op, MPI_Comm comm,
                    MPI_Request *request) {
    const Inside inside;
    std::memcpy(to, from, sizeof(int));
    *request = join(comm, Collective::sum, false, to, op);
    return MPI_SUCCESS;
}
int PMPI_Allreduce(const void *from, void *to, int, MPI_Datatype, MPI_Op op, MPI_Comm comm) {
    std::memcpy(to, from, sizeof(int));
    return wait_for_all(join(comm, Collective::sum, true, to, op));
}
/// All ranks give the same.
int PMPI_Iallgather(const void *from, int count, MPI_Datatype type, void *to, int, MPI_Datatype,
                    MPI_Comm comm, MPI_Request *request) {
    const Inside inside;
    const auto bytes = static_cast<std::size_t>(count * size_of(type));
    for (int i = 0; i < find(comm).size; ++i)
        std::memcpy(static_cast<char *>(to) + static_cast<std::size_t>(i) * bytes, from, bytes);
    *request = join(comm, Collective::gather, false, nullptr, MPI_OP_NULL);
    return MPI_SUCCESS;
}

// --- Questions of the layer at its start ---------------------------------------------------------

int PMPI_Cart_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *made) {
    return PMPI_Comm_dup(MPI_COMM_SELF, made);
}
int PMPI_Neighbor_alltoall(const void *from, int, MPI_Datatype, void *to, int, MPI_Datatype,
                           MPI_Comm) {
    std::memcpy(to, from, 2 * sizeof(int));
    return MPI_SUCCESS;
}
int PMPI_Ineighbor_alltoall(const void *from, int, MPI_Datatype, void *to, int, MPI_Datatype,
                            MPI_Comm, MPI_Request *request) {
    std::memcpy(to, from, 2 * sizeof(int));
    *request = kComplete;
    return MPI_SUCCESS;
}
int PMPI_Type_size(MPI_Datatype type, int *size) {
    *size = size_of(type);
    return MPI_SUCCESS;
}

} // extern "C"
