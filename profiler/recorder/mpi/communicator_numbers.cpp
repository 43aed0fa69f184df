// Numbers of communicators, and the functions that make them.
#include "profiler/recorder/mpi/communicator_numbers.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>

#include "profiler/recorder/mpi/clocks.h"
#include "profiler/recorder/mpi/recorded_call.h"

namespace loomp::record {

namespace {

constinit std::mutex numbering; ///< guards the next variable
constinit std::uint32_t numbers = 0;

/// A line of text that grows. Without memory, its end is missing.
class Line {
  public:
    ~Line() { std::free(text_); }
    void add(const char *text) {
        for (; *text != '\0'; ++text) {
            if (size_ == room_) {
                void *more = std::realloc(text_, room_ * 2 + 64);
                if (more == nullptr)
                    return;
                text_ = static_cast<char *>(more);
                room_ = room_ * 2 + 64;
            }
            text_[size_++] = *text;
        }
    }
    void add(int number) {
        char digits[16];
        std::snprintf(digits, sizeof digits, "%d ", number);
        add(digits);
    }
    void append_to(const char *file) { append(file, text_, size_); }

  private:
    char *text_ = nullptr;
    std::size_t size_ = 0;
    std::size_t room_ = 0;
};

/// A handle of communicators, one after the other. An entry stays in its list for ever, so readers
/// need no lock. Its number is 0 while no communicator has the handle.
///
/// A communicator with a number has an attribute, and MPI calls forget() when it ends. Only those
/// of reserve_number() have none before the first use: the calls that end them forget them first.
struct Entry {
    const MPI_Comm comm;
    /// Relaxed: a thread that has a communicator's handle got it after the number was given.
    std::atomic<std::uint32_t> number{0};
    /// Relaxed, too. Changed with the lock only.
    std::atomic<bool> has_attribute{false};
    Entry *const next; ///< in its list
};
constexpr std::size_t kLists = 64;
/// Guarded by `numbering`, except for reading. Acquire and release: entries are constructed before
/// they are found.
constinit std::atomic<Entry *> lists[kLists];

std::atomic<Entry *> &list_of(MPI_Comm comm) {
    return lists[(handle_of(comm) * 0x9e3779b97f4a7c15 >> 58) % kLists];
}
Entry *entry_of(MPI_Comm comm) {
    Entry *entry = list_of(comm).load(std::memory_order_acquire);
    while (entry != nullptr && entry->comm != comm)
        entry = entry->next;
    return entry;
}

int forget(MPI_Comm /*comm*/, int /*key*/, void *entry, void * /*extra*/) {
    static_cast<Entry *>(entry)->number.store(0, std::memory_order_relaxed);
    return MPI_SUCCESS;
}

/// The attribute by which a communicator's end is noticed; copies have none.
int key() {
    static const int made = [] {
        int value = MPI_KEYVAL_INVALID;
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &value, nullptr);
        int rank = 0;
        char line[64];
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        const int size = std::snprintf(line, sizeof line, "%s %d\n", kRankKey, rank);
        append(kInfoFile, line, static_cast<std::size_t>(size));
        return value;
    }();
    return made;
}

void add_members(Line &line, MPI_Group group) {
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    int size = 0;
    PMPI_Group_size(group, &size);
    for (int member = 0; member < size; ++member) {
        int rank = MPI_UNDEFINED;
        PMPI_Group_translate_ranks(group, 1, &member, world, &rank);
        line.add(rank == MPI_UNDEFINED ? -1 : rank);
    }
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
}

void write_down(MPI_Comm comm, std::uint32_t number) {
    Line line;
    line.add(static_cast<int>(number));
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    add_members(line, group);
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter != 0) {
        line.add("/ ");
        PMPI_Comm_remote_group(comm, &group);
        add_members(line, group);
    }
    line.add("\n");
    line.append_to(kCommunicatorsFile);
}

/// Sets the number of a communicator that has none. The lock must be held. Null without memory.
Entry *enter(MPI_Comm comm, std::uint32_t number) {
    Entry *entry = entry_of(comm);
    if (entry == nullptr) {
        std::atomic<Entry *> &list = list_of(comm);
        entry =
            new (std::nothrow) Entry{.comm = comm, .next = list.load(std::memory_order_relaxed)};
        if (entry == nullptr)
            return nullptr;
        list.store(entry, std::memory_order_release);
    }
    entry->has_attribute.store(false, std::memory_order_relaxed);
    entry->number.store(number, std::memory_order_relaxed);
    return entry;
}

/// False in programs that use MPI by sessions only: there, no ranks are known.
bool is_initialized() {
    int initialized = 0;
    PMPI_Initialized(&initialized);
    return initialized != 0;
}

} // namespace

std::uint32_t known_number(MPI_Comm comm) {
    const Entry *const entry = entry_of(comm);
    return entry != nullptr ? entry->number.load(std::memory_order_relaxed) : 0;
}

std::uint32_t number_of(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        return 0;
    if (const Entry *const entry = entry_of(comm)) {
        const std::uint32_t number = entry->number.load(std::memory_order_relaxed);
        if (number != 0 && entry->has_attribute.load(std::memory_order_relaxed))
            return number;
    }
    if (!is_initialized())
        return 0;
    const std::lock_guard guard(numbering);
    Entry *entry = entry_of(comm);
    if (entry == nullptr || entry->number.load(std::memory_order_relaxed) == 0) {
        write_down(comm, ++numbers);
        entry = enter(comm, numbers);
    }
    if (entry == nullptr)
        return numbers;
    if (!entry->has_attribute.exchange(true, std::memory_order_relaxed))
        PMPI_Comm_set_attr(comm, key(), entry);
    return entry->number.load(std::memory_order_relaxed);
}

void reserve_number(MPI_Comm made, MPI_Comm origin) {
    if (!is_initialized())
        return;
    const std::lock_guard guard(numbering);
    write_down(origin, ++numbers);
    enter(made, numbers);
}

void forget_reserved(MPI_Comm comm) {
    Entry *const entry = entry_of(comm);
    if (entry != nullptr && !entry->has_attribute.load(std::memory_order_relaxed))
        entry->number.store(0, std::memory_order_relaxed);
}

} // namespace loomp::record

using namespace loomp::record;

namespace {

void note_world() {
    begin();
    number_of(MPI_COMM_WORLD);
    number_of(MPI_COMM_SELF);
    compare_clocks();
}

} // namespace

LOOMP_EXPORT int MPI_Init(int *argc, char ***argv) {
    begin();
    const Call call(Function::Init);
    const int error = LOOMP_NEXT(Init)(argc, argv);
    if (error == MPI_SUCCESS)
        note_world();
    return error;
}

LOOMP_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    begin();
    const Call call(Function::Init_thread);
    const int error = LOOMP_NEXT(Init_thread)(argc, argv, required, provided);
    if (error == MPI_SUCCESS)
        note_world();
    return error;
}

LOOMP_EXPORT int MPI_Finalize() {
    append_maps();
    compare_clocks();
    const Call call(Function::Finalize);
    return LOOMP_NEXT(Finalize)();
}

LOOMP_EXPORT int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request) {
    const Call call(Function::Comm_idup);
    const int error = LOOMP_NEXT(Comm_idup)(comm, made, request);
    if (error == MPI_SUCCESS)
        reserve_number(*made, comm);
    return error;
}

#if MPI_VERSION >= 4
LOOMP_EXPORT int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made,
                                         MPI_Request *request) {
    const Call call(Function::Comm_idup_with_info);
    const int error = LOOMP_NEXT(Comm_idup_with_info)(comm, info, made, request);
    if (error == MPI_SUCCESS)
        reserve_number(*made, comm);
    return error;
}
#endif

LOOMP_EXPORT int MPI_Comm_free(MPI_Comm *comm) {
    const Call call(Function::Comm_free);
    forget_reserved(*comm);
    return LOOMP_NEXT(Comm_free)(comm);
}

LOOMP_EXPORT int MPI_Comm_disconnect(MPI_Comm *comm) {
    const Call call(Function::Comm_disconnect);
    forget_reserved(*comm);
    return LOOMP_NEXT(Comm_disconnect)(comm);
}
