// libomptarget, LLVM's library for devices, where the program has it: its functions, which programs
// and this room call. It is never linked with, and opened by the program only.
//
// Thread safety: from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loomp::target {

/// What the functions of data constructs are given; `names` and `mappers` may be null.
struct Mapping {
    std::int32_t count;
    void **bases;
    void **begins;
    std::int64_t *sizes;
    std::int64_t *types;
    void **names;
    void **mappers;
};

/// Bits of `types`; the others do not matter here.
enum MapType : std::int64_t {
    kMapTo = 0x1,
    kMapFrom = 0x2,
    kMapAlways = 0x4,
    kMapDelete = 0x8,
    kMapPointer = 0x10,
    kMapPrivate = 0x80,
    kMapLiteral = 0x100,
    kMapPresent = 0x1000,
    kMapStrided = 0x1000'0000'0000,
    kMapMember = static_cast<std::int64_t>(0xffff'0000'0000'0000), ///< of which other item
};
enum class DataConstruct { begin, end, update };

/// The beginning of what __tgt_target_kernel is given, since LLVM 16.
struct KernelArguments {
    std::uint32_t version; ///< from 2 on as here
    std::uint32_t count;
    void **bases;
    void **begins;
    std::int64_t *sizes;
    std::int64_t *types;
    void **names;
    void **mappers;
    std::uint64_t iterations;
    std::uint64_t flags;

    Mapping mapping() const {
        return {static_cast<std::int32_t>(count), bases, begins, sizes, types, names, mappers};
    }
};
static_assert(offsetof(KernelArguments, flags) == 64);
inline constexpr std::uint32_t kFirstVersionWithFlags = 2;
/// The last version of which it is known how long they are.
inline constexpr std::uint32_t kLastKnownVersion = 3;
inline constexpr std::size_t kKernelArgumentsSize = 104; // bytes
inline constexpr std::uint64_t kKernelNowait = 1;

/// The functions of the library, by their names.
struct Library {
    int (*kernel)(void *location, std::int64_t device, std::int32_t teams,
                  std::int32_t thread_limit, void *host_code, void *arguments);
    using Data = void (*)(void *location, std::int64_t device, std::int32_t count, void **bases,
                          void **begins, std::int64_t *sizes, std::int64_t *types, void **names,
                          void **mappers);
    using DataNowait = void (*)(void *location, std::int64_t device, std::int32_t count,
                                void **bases, void **begins, std::int64_t *sizes,
                                std::int64_t *types, void **names, void **mappers, std::int32_t,
                                void *, std::int32_t, void *);
    /// Of data constructs that begin, that end, and updates.
    Data data[3];
    DataNowait data_nowait[3];
    void call_data(DataConstruct construct, const void *location, std::int64_t device,
                   const Mapping &m) const {
        data[static_cast<int>(construct)](const_cast<void *>(location), device, m.count, m.bases,
                                          m.begins, m.sizes, m.types, m.names, m.mappers);
    }
    /// Leaves a handle, as all that does not wait.
    void begin_data(DataConstruct construct, const void *location, std::int64_t device,
                    const Mapping &m) const {
        data_nowait[static_cast<int>(construct)](const_cast<void *>(location), device, m.count,
                                                 m.bases, m.begins, m.sizes, m.types, m.names,
                                                 m.mappers, 0, nullptr, 0, nullptr);
    }
    /// Looks whether what a handle stands for has completed; then the handle becomes null.
    void (*query)(void **handle);
    void (*register_image)(void *);
    void (*unregister_image)(void *);

    int (*get_num_devices)();
    int (*get_initial_device)();
    void *(*allocate)(std::size_t, int);
    void (*free)(void *, int);
    int (*is_present)(const void *, int);
    void *(*get_mapped)(const void *, int);
    int (*copy)(void *, const void *, std::size_t, std::size_t, std::size_t, int, int);
    int (*copy_box)(void *, const void *, std::size_t, int, const std::size_t *,
                    const std::size_t *, const std::size_t *, const std::size_t *,
                    const std::size_t *, int, int);
    int (*associate)(const void *, const void *, std::size_t, std::size_t, int);
    int (*disassociate)(const void *, int);
};

/// Null: the program has no code for devices, or not yet.
const Library *library();
/// The same for a program whose code for devices is being made known, which comes before all else.
const Library *find_library();
/// Any other function of it; null: it has none of this name, or is not there.
void *find_function(const char *name);

} // namespace loomp::target
