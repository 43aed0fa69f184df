// Numbers of communicators, and the functions that make them.
#include "profiler/recorder/mpi/communicator_numbers.h"

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

/// The attribute that keeps a communicator's number; copies have none.
int key() {
    static const int made = [] {
        int value = MPI_KEYVAL_INVALID;
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &value, nullptr);
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

/// Makes an attribute's value: a number in place of an address.
void *as_value(std::uint32_t number) {
    return reinterpret_cast<void *>(static_cast<std::uintptr_t>(number));
}

/// Communicators that MPI_Comm_idup() makes; they take no attribute before it has ended.
struct Reserved {
    MPI_Comm comm;
    std::uint32_t number;
    Reserved *next;
};
constinit Reserved *reserved = nullptr; ///< guarded by `numbering`

/// The number that is reserved for the communicator, once. 0: none.
std::uint32_t take_reserved(MPI_Comm comm) {
    for (Reserved **at = &reserved; *at != nullptr; at = &(*at)->next)
        if ((*at)->comm == comm) {
            Reserved *const found = *at;
            const std::uint32_t number = found->number;
            *at = found->next;
            std::free(found);
            return number;
        }
    return 0;
}

std::uint32_t find(MPI_Comm comm) {
    void *value = nullptr;
    int found = 0;
    PMPI_Comm_get_attr(comm, key(), &value, &found);
    return found != 0 ? static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(value)) : 0;
}

} // namespace

std::uint32_t number_of(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        return 0;
    if (const std::uint32_t number = find(comm); number != 0)
        return number;
    const std::lock_guard guard(numbering);
    if (const std::uint32_t number = find(comm); number != 0)
        return number;
    std::uint32_t number = take_reserved(comm);
    if (number == 0)
        write_down(comm, number = ++numbers);
    PMPI_Comm_set_attr(comm, key(), as_value(number));
    return number;
}

void reserve_number(MPI_Comm made, MPI_Comm origin) {
    const std::lock_guard guard(numbering);
    write_down(origin, ++numbers);
    if (auto *entry = static_cast<Reserved *>(std::malloc(sizeof(Reserved))))
        reserved = new (entry) Reserved{made, numbers, reserved};
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
    number_of(*comm); // one that is reserved must not be another's
    return LOOMP_NEXT(Comm_free)(comm);
}
