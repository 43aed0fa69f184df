// The functions of libomptarget, LLVM's library for devices, which programs and this folder call.
// loomp never links with it or loads it: only the program does.
//
// Thread safety: from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loomp::target {

/// Arguments of the functions of data constructs; `names` and `mappers` may be null.
struct Mapping {
    std::int32_t count;
    void **bases;
    void **begins;
    std::int64_t *sizes;
    std::int64_t *types;
    void **names;
    void **mappers;
};

/// Bits of `types`; this code uses no others.
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
    kMapMember = static_cast<std::int64_t>(
        0xffff'0000'0000'0000), ///< the index of the item to which it belongs
};
enum class DataConstruct { begin, end, update };

/// The start of __tgt_target_kernel's arguments, since LLVM 16.
struct KernelArguments {
    std::uint32_t version; ///< this layout since version 2
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
/// The last version with a known size.
inline constexpr std::uint32_t kLastKnownVersion = 3;
inline constexpr std::size_t kKernelArgumentsSize = 104; // bytes
inline constexpr std::uint64_t kKernelNowait = 1;

/// The functions of the library, under their names.
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
    /// The functions for the begin and the end of data constructs, and for updates.
    Data data[3];
    DataNowait data_nowait[3];
    void call_data(DataConstruct construct, const void *location, std::int64_t device,
                   const Mapping &m) const {
        data[static_cast<int>(construct)](const_cast<void *>(location), device, m.count, m.bases,
                                          m.begins, m.sizes, m.types, m.names, m.mappers);
    }
    /// Returns before completion and stores a handle.
    void begin_data(DataConstruct construct, const void *location, std::int64_t device,
                    const Mapping &m) const {
        data_nowait[static_cast<int>(construct)](const_cast<void *>(location), device, m.count,
                                                 m.bases, m.begins, m.sizes, m.types, m.names,
                                                 m.mappers, 0, nullptr, 0, nullptr);
    }
    /// Checks whether a handle's operation has completed; then sets the handle to null.
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

/// Returns null if the program has no code for devices, or none yet.
const Library *library();
/// Finds the library while the program registers its device code, which happens before all else.
const Library *find_library();
/// Returns any other function of the library; null if there is none, or no library.
void *find_function(const char *name);

} // namespace loomp::target
