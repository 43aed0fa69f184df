#include "runtime/core/process/suspended_frames.h"

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include "platform/source_lines.h"

namespace loomp::core {

#if LOOMP_HAS_LIBDW && (defined(__x86_64__) || defined(__aarch64__))

namespace {

/// Registers by DWARF's numbers, and the next instruction.
struct Registers {
#if defined(__x86_64__)
    static constexpr int kCount = 17;
#else
    static constexpr int kCount = 32;
#endif
    Dwarf_Word number[kCount] = {};
    Dwarf_Word next = 0;
};

/// Reads memory of the process that may not exist any more.
class OwnMemory {
  public:
    OwnMemory() : file_(open("/proc/self/mem", O_RDONLY | O_CLOEXEC)) {}
    ~OwnMemory() {
        if (file_ >= 0)
            close(file_);
    }
    OwnMemory(const OwnMemory &) = delete;
    OwnMemory &operator=(const OwnMemory &) = delete;
    bool read(std::uint64_t address, void *to, std::size_t size) const {
        return pread(file_, to, size, static_cast<off_t>(address)) == static_cast<ssize_t>(size);
    }

  private:
    int file_;
};

/// The data that libdw's callbacks read.
struct Unwinding {
    Registers registers;
    const OwnMemory *memory = nullptr;
    const void **frames = nullptr;
    int most = 0;
    int count = 0;
};
Unwinding unwinding;

bool is_runtimes(std::uint64_t address) {
    Dl_info own;
    Dl_info other;
    return dladdr(reinterpret_cast<const void *>(&is_runtimes), &own) != 0 &&
           dladdr(reinterpret_cast<const void *>(address), &other) != 0 &&
           own.dli_fbase == other.dli_fbase;
}

/// Boost.Context's jump_fcontext leaves registers at the suspended stack's pointer.
bool read_registers(const OwnMemory &memory, const Suspension &suspension, Registers &registers) {
    const auto sp = reinterpret_cast<std::uint64_t>(suspension.context.sp);
#if defined(__x86_64__)
    std::uint64_t words[12];
    if (!memory.read(sp, words, sizeof words))
        return false;
    // Before the return address; how much lies before them depends on the version.
    constexpr int kFirst = 7;
    for (int at = kFirst; at < 12; ++at) {
        if (!is_runtimes(words[at]))
            continue;
        constexpr int kNumbers[] = {12, 13, 14, 15, 3, 6}; // r12 to r15, rbx, rbp
        for (int i = 0; i < 6; ++i)
            registers.number[kNumbers[i]] = words[at - 6 + i];
        registers.number[7] = sp + 8 * (static_cast<std::uint64_t>(at) + 1); // rsp
        registers.number[16] = registers.next = words[at];
        return true;
    }
    return false;
#else
    std::uint64_t words[21];
    if (!memory.read(sp, words, sizeof words) || !is_runtimes(words[20]))
        return false;
    for (int i = 0; i < 12; ++i)
        registers.number[19 + i] = words[8 + i];
    registers.number[31] = sp + 0xb0;
    registers.next = words[20];
    return true;
#endif
}

bool read_registers(const loomp_code_point &point, Registers &registers) {
    const auto word = [&](int at) { return reinterpret_cast<std::uint64_t>(point.registers[at]); };
#if defined(__x86_64__)
    constexpr int kNumbers[] = {3, 6, 12, 13, 14, 15, 7, 16}; // rbx, rbp, r12 to r15, rsp, rip
    for (int i = 0; i < 8; ++i)
        registers.number[kNumbers[i]] = word(i);
    registers.next = word(7);
#else
    for (int i = 0; i < 13; ++i)
        registers.number[19 + i] = word(i);
    registers.next = word(13);
#endif
    return true;
}

constexpr pid_t kThread = 1; // libdw wants a number

pid_t next_thread(Dwfl *, void *own, void **thread) {
    if (*thread != nullptr)
        return 0;
    *thread = own;
    return kThread;
}
bool get_thread(Dwfl *, pid_t, void *own, void **thread) {
    *thread = own;
    return true;
}
bool read_memory(Dwfl *, Dwarf_Addr address, Dwarf_Word *word, void *own) {
    return static_cast<Unwinding *>(own)->memory->read(address, word, sizeof *word);
}

const text::OwnCode &own_code() {
    static const text::OwnCode code;
    return code;
}

bool set_registers(Dwfl_Thread *thread, void *own) {
    const Registers &registers = static_cast<Unwinding *>(own)->registers;
    own_code().dwfl_thread_state_register_pc(thread, registers.next);
    return own_code().dwfl_thread_state_registers(thread, 0, Registers::kCount, registers.number);
}

int add_frame(Dwfl_Frame *frame, void *own) {
    auto &to = *static_cast<Unwinding *>(own);
    Dwarf_Addr address = 0;
    bool is_exact = false;
    if (!own_code().dwfl_frame_pc(frame, &address, &is_exact) || to.count == to.most)
        return DWARF_CB_ABORT;
    to.frames[to.count++] = reinterpret_cast<const void *>(address);
    return DWARF_CB_OK;
}

constexpr Dwfl_Thread_Callbacks kCallbacks = {next_thread,   get_thread, read_memory,
                                              set_registers, nullptr,    nullptr};

/// A process attaches once.
bool attach() {
    static const bool attached =
        own_code().dwfl != nullptr &&
        own_code().dwfl_attach_state(own_code().dwfl, nullptr, getpid(), &kCallbacks, &unwinding);
    return attached;
}

/// `read(memory, registers)` finds the innermost frame.
template <class Read> int find_frames(const void **frames, int most, Read read) {
    const OwnMemory memory;
    if (!attach())
        return 0;
    unwinding = {{}, &memory, frames, most, 0};
    if (read(memory, unwinding.registers))
        own_code().dwfl_getthread_frames(own_code().dwfl, kThread, add_frame, &unwinding);
    return unwinding.count;
}

} // namespace

int frames_of_waiter(const TaskSignal &signal, const void **frames, int most) {
    const Suspension *suspension = signal.waiter();
    return suspension == nullptr
               ? 0
               : find_frames(frames, most, [&](const OwnMemory &memory, Registers &registers) {
                     return read_registers(memory, *suspension, registers);
                 });
}

int frames_of_point(const loomp_code_point &point, const void **frames, int most) {
    return find_frames(frames, most, [&](const OwnMemory &, Registers &registers) {
        return read_registers(point, registers);
    });
}

#else

int frames_of_waiter(const TaskSignal &, const void **, int) { return 0; }
int frames_of_point(const loomp_code_point &, const void **, int) { return 0; }

#endif

} // namespace loomp::core
