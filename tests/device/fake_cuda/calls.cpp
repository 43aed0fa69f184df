// The driver's functions, by their names. Their arguments and results are those of CUDA's driver
// interface.
#include "driver.h"
#include "memory.h"
#include "stream.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace fake_cuda;

using Address = std::uint64_t;

namespace {

constexpr std::uintptr_t kFirstContext = 0x1000;
thread_local void *context = nullptr;

/// One copy engine for each direction of each device.
enum Direction { kToDevice, kToHost, kWithin };
std::mutex engines[64][3];

std::atomic<std::int64_t> kernels_started{0};

/// Small enough to be taken along by the call.
constexpr std::size_t kTakenAlong = 64 * 1024;

void copy(int device, Direction direction, void *to, const void *from, std::size_t size) {
    const std::lock_guard<std::mutex> engine(engines[device][direction]);
    const std::int64_t rate = settings().bytes_per_us;
    const std::int64_t transfer = rate != 0 ? static_cast<std::int64_t>(size) / rate : 0;
    const std::int64_t end = now() + 1000 * std::max(settings().copy_us, transfer);
    std::memcpy(to, from, size);
    sleep_until(end);
}

Result queue_copy(Direction direction, void *to, const void *from, std::size_t size, void *handle) {
    const auto stream = stream_of(handle);
    if (stream == nullptr)
        return kInvalidHandle;
    add(Count::copies, 1);
    const int device = stream->device();
    const bool pinned = direction == kWithin || is_pinned(direction == kToHost ? to : from, size);
    if (!pinned && direction == kToDevice && size <= kTakenAlong) {
        const auto *bytes = static_cast<const char *>(from);
        return stream->put([=, taken = std::vector<char>(bytes, bytes + size)] {
            copy(device, direction, to, taken.data(), taken.size());
        });
    }
    const Result result = stream->put([=] { copy(device, direction, to, from, size); });
    if (!pinned && result == kSuccess) {
        const Blocked blocked(Blocking::pageable_copy);
        stream->wait();
    }
    return result;
}

Result copy_now(Direction direction, void *to, const void *from, std::size_t size) {
    if (current_device() < 0)
        return kInvalidContext;
    const Blocked blocked(Blocking::pageable_copy);
    copy(current_device(), direction, to, from, size);
    return fault_of(current_device());
}

Result synchronise(Stream &stream, std::uint64_t number) {
    if (!stream.has_done(number)) {
        const Blocked blocked(Blocking::synchronisation);
        stream.wait(number);
    }
    return fault_of(stream.device());
}

void *at(Address address) { return reinterpret_cast<void *>(address); }

Result allocate_for_device(Address *address, std::size_t size) {
    if (current_device() < 0)
        return kInvalidContext;
    if (const Result fault = fault_of(current_device()); fault != kSuccess)
        return fault;
    const Blocked blocked(Blocking::allocation);
    sleep_until(now() + 1000 * settings().alloc_us);
    void *block = allocate(Memory::device, size);
    *address = reinterpret_cast<Address>(block);
    return block != nullptr ? kSuccess : kOutOfMemory;
}

/// An image for the host, of which as_cuda_image.py has changed the header only.
void *load(const void *image) {
    const auto *header = static_cast<const Elf64_Ehdr *>(image);
    const std::size_t size = header->e_shoff + std::size_t{header->e_shnum} * header->e_shentsize;
    const int file = memfd_create("fake_cuda_image", MFD_CLOEXEC);
    if (file < 0)
        return nullptr;
    Elf64_Ehdr ours = *header;
    ours.e_machine = EM_X86_64;
    ours.e_flags = 0;
    ours.e_ident[EI_OSABI] = ours.e_ident[EI_ABIVERSION] = 0;
    void *module = nullptr;
    if (write(file, image, size) == static_cast<ssize_t>(size) &&
        pwrite(file, &ours, sizeof(ours), 0) == sizeof(ours)) {
        const std::string path = "/proc/self/fd/" + std::to_string(file);
        module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (module == nullptr)
            std::fprintf(stderr, "fake_cuda: %s\n", dlerror());
    }
    close(file);
    return module;
}

constexpr std::size_t kMostArguments = 32;

template <std::size_t> using Argument = void *;

template <std::size_t... at>
void call(void *function, void *const *arguments, std::index_sequence<at...>) {
    reinterpret_cast<void (*)(Argument<at>...)>(function)(arguments[at]...);
}

/// How a kernel of a host image takes its arguments: up to clang 22 as a function does, from 23 on
/// by one pointer to an array of their addresses.
enum class Arguments { by_value, by_address };

void run_kernel(int device, void *function, Arguments how, std::vector<void *> values) {
    const std::int64_t end = now() + 1000 * settings().kernel_us;
    if (++kernels_started == settings().fails_at_kernel) {
        sleep_until(end);
        lose(device, kIllegalAddress);
        return;
    }
    if (how == Arguments::by_value) {
        call(function, values.data(), std::make_index_sequence<kMostArguments>());
    } else {
        void *addresses[kMostArguments];
        std::transform(values.begin(), values.end(), addresses,
                       [](void *&value) { return static_cast<void *>(&value); });
        reinterpret_cast<void (*)(void **)>(function)(addresses);
    }
    sleep_until(end);
}

} // namespace

namespace fake_cuda {
int current_device() {
    return context == nullptr
               ? -1
               : static_cast<int>(reinterpret_cast<std::uintptr_t>(context) - kFirstContext);
}
} // namespace fake_cuda

#define CALL extern "C" __attribute__((visibility("default"))) int
/// Today's form of a function has the suffix _v2; some callers look for the name alone.
#define ALSO_V2(name)                                                                              \
    extern "C" __attribute__((visibility("default"), alias(#name))) __typeof(name) name##_v2

// --- Devices and contexts

CALL cuInit(unsigned) { return kSuccess; }
CALL cuDriverGetVersion(int *version) { return *version = 13000, kSuccess; }
CALL cuDeviceGetCount(int *count) { return *count = settings().devices, kSuccess; }
CALL cuDeviceGet(int *device, int number) {
    *device = number;
    return number >= 0 && number < settings().devices ? kSuccess : kInvalidValue;
}
CALL cuDeviceGetName(char *name, int length, int device) {
    std::snprintf(name, static_cast<std::size_t>(length), "fake device %d", device);
    return kSuccess;
}
CALL cuDeviceTotalMem(std::size_t *bytes, int) { return *bytes = std::size_t{8} << 30, kSuccess; }
ALSO_V2(cuDeviceTotalMem);
CALL cuDeviceGetAttribute(int *value, int attribute, int) {
    switch (attribute) {
    case 1: // threads of a block, in all and in the first dimension
    case 2:
        return *value = 1024, kSuccess;
    case 5: // blocks of a grid, likewise
        return *value = 65535, kSuccess;
    case 8: // bytes that the threads of a block share
        return *value = 48 * 1024, kSuccess;
    case 10: // threads of a warp
        return *value = 32, kSuccess;
    case 16: // multiprocessors
        return *value = 132, kSuccess;
    case 39: // threads of a multiprocessor
        return *value = 2048, kSuccess;
    case 75: // compute capability, major
        return *value = 9, kSuccess;
    default:
        return *value = 0, kSuccess;
    }
}
CALL cuDeviceCanAccessPeer(int *can, int, int) { return *can = 0, kSuccess; }
CALL cuDevicePrimaryCtxRetain(void **made, int device) {
    *made = reinterpret_cast<void *>(kFirstContext + static_cast<std::uintptr_t>(device));
    return kSuccess;
}
CALL cuDevicePrimaryCtxRelease(int) { return kSuccess; }
ALSO_V2(cuDevicePrimaryCtxRelease);
CALL cuDevicePrimaryCtxGetState(int, unsigned *flags, int *active) {
    return *flags = 0, *active = 0, kSuccess;
}
CALL cuDevicePrimaryCtxSetFlags(int, unsigned) { return kSuccess; }
ALSO_V2(cuDevicePrimaryCtxSetFlags);
CALL cuCtxSetCurrent(void *wanted) { return context = wanted, kSuccess; }
CALL cuCtxGetCurrent(void **current) { return *current = context, kSuccess; }
CALL cuCtxGetDevice(int *device) {
    *device = current_device();
    return *device >= 0 ? kSuccess : kInvalidContext;
}
CALL cuCtxGetLimit(std::size_t *value, int) { return *value = 1024, kSuccess; }
CALL cuCtxSetLimit(int, std::size_t) { return kSuccess; }
CALL cuCtxEnablePeerAccess(void *, unsigned) { return kSuccess; }
CALL cuCtxSynchronize() {
    if (current_device() < 0)
        return kInvalidContext;
    const Blocked blocked(Blocking::synchronisation);
    drain(current_device());
    return fault_of(current_device());
}
CALL cuGetErrorString(int result, const char **text) {
    switch (result) {
    case kSuccess:
        return *text = "no error", kSuccess;
    case kOutOfMemory:
        return *text = "out of memory", kSuccess;
    case kInvalidContext:
        return *text = "invalid device context", kSuccess;
    case kNoBinaryForGpu:
        return *text = "no kernel image is available for execution on the device", kSuccess;
    case kInvalidHandle:
        return *text = "invalid resource handle", kSuccess;
    case kNotFound:
        return *text = "named symbol not found", kSuccess;
    case kIllegalAddress:
        return *text = "an illegal memory access was encountered", kSuccess;
    default:
        return *text = "invalid argument", kSuccess;
    }
}

// --- Images

CALL cuModuleLoadDataEx(void **module, const void *image, unsigned, void *, void *) {
    if (current_device() < 0)
        return kInvalidContext;
    if (settings().wrong_architecture)
        return kNoBinaryForGpu;
    const Blocked blocked(Blocking::loading);
    sleep_until(now() + 1000 * settings().load_us);
    *module = load(image);
    return *module != nullptr ? kSuccess : kNoBinaryForGpu;
}
CALL cuModuleUnload(void *) { return kSuccess; }
CALL cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = dlsym(module, name);
    return *function != nullptr ? kSuccess : kNotFound;
}
CALL cuModuleGetGlobal(Address *address, std::size_t *size, void *module, const char *name) {
    void *found = dlsym(module, name);
    if (found == nullptr)
        return kNotFound;
    if (address != nullptr)
        *address = reinterpret_cast<Address>(found);
    Dl_info info;
    Elf64_Sym *symbol = nullptr;
    if (size != nullptr &&
        dladdr1(found, &info, reinterpret_cast<void **>(&symbol), RTLD_DL_SYMENT) != 0 &&
        symbol != nullptr)
        *size = symbol->st_size;
    return kSuccess;
}
ALSO_V2(cuModuleGetGlobal);
/// The threads of a block; a kernel has no memory of its own.
CALL cuFuncGetAttribute(int *value, int attribute, void *) {
    return *value = attribute == 0 ? 1024 : 0, kSuccess;
}

// --- Memory

CALL cuMemAlloc(Address *address, std::size_t size) { return allocate_for_device(address, size); }
ALSO_V2(cuMemAlloc);
CALL cuMemAllocManaged(Address *address, std::size_t size, unsigned) {
    return allocate_for_device(address, size);
}
CALL cuMemAllocAsync(Address *address, std::size_t size, void *) {
    return allocate_for_device(address, size);
}
CALL cuMemFree(Address address) {
    if (current_device() < 0)
        return kInvalidContext;
    const Blocked blocked(Blocking::allocation);
    drain(current_device());
    sleep_until(now() + 1000 * settings().alloc_us);
    return give_back(Memory::device, at(address));
}
ALSO_V2(cuMemFree);
CALL cuMemFreeAsync(Address address, void *handle) {
    const auto stream = stream_of(handle);
    return stream == nullptr ? kInvalidHandle
                             : stream->put([=] { give_back(Memory::device, at(address)); });
}
CALL cuMemAllocHost(void **block, std::size_t size) {
    *block = allocate(Memory::pinned, size);
    return *block != nullptr ? kSuccess : kOutOfMemory;
}
ALSO_V2(cuMemAllocHost);
CALL cuMemFreeHost(void *block) { return give_back(Memory::pinned, block); }
CALL cuMemHostRegister(void *from, std::size_t size, unsigned) { return pin(from, size), kSuccess; }
ALSO_V2(cuMemHostRegister);
CALL cuMemHostUnregister(void *from) { return unpin(from); }
CALL cuMemGetInfo(std::size_t *free, std::size_t *total) {
    if (current_device() < 0)
        return kInvalidContext;
    return *free = std::size_t{6} << 30, *total = std::size_t{8} << 30, fault_of(current_device());
}
ALSO_V2(cuMemGetInfo);
CALL cuPointerGetAttribute(void *value, int attribute, Address address) {
    constexpr int memory_type = 2;
    if (attribute != memory_type)
        return kInvalidValue;
    sleep_until(now() + 1000 * settings().look_us);
    const bool pinned = is_pinned(at(address), 1);
    if (!pinned && !is_on_device(at(address), 1))
        return kInvalidValue;
    *static_cast<unsigned *>(value) = pinned ? 1 : 2;
    return kSuccess;
}

CALL cuMemcpyHtoD(Address to, const void *from, std::size_t size) {
    return copy_now(kToDevice, at(to), from, size);
}
ALSO_V2(cuMemcpyHtoD);
CALL cuMemcpyDtoH(void *to, Address from, std::size_t size) {
    return copy_now(kToHost, to, at(from), size);
}
ALSO_V2(cuMemcpyDtoH);
CALL cuMemcpyHtoDAsync(Address to, const void *from, std::size_t size, void *stream) {
    return queue_copy(kToDevice, at(to), from, size, stream);
}
ALSO_V2(cuMemcpyHtoDAsync);
CALL cuMemcpyDtoHAsync(void *to, Address from, std::size_t size, void *stream) {
    return queue_copy(kToHost, to, at(from), size, stream);
}
ALSO_V2(cuMemcpyDtoHAsync);
CALL cuMemcpyDtoDAsync(Address to, Address from, std::size_t size, void *stream) {
    return queue_copy(kWithin, at(to), at(from), size, stream);
}
ALSO_V2(cuMemcpyDtoDAsync);
CALL cuMemcpyPeerAsync(Address to, void *, Address from, void *, std::size_t size, void *stream) {
    return queue_copy(kWithin, at(to), at(from), size, stream);
}

// --- Streams, events, kernels

CALL cuStreamCreate(void **made, unsigned) {
    if (current_device() < 0)
        return kInvalidContext;
    *made = make_stream(current_device());
    return kSuccess;
}
CALL cuStreamDestroy(void *handle) { return destroy_stream(handle); }
ALSO_V2(cuStreamDestroy);
CALL cuStreamQuery(void *handle) {
    if (settings().needs_context && current_device() < 0)
        return kInvalidContext;
    const auto stream = stream_of(handle);
    if (stream == nullptr)
        return kInvalidHandle;
    add(Count::queries, 1);
    if (!stream->has_done(stream->last()))
        return kNotReady;
    return fault_of(stream->device());
}
CALL cuStreamSynchronize(void *handle) {
    const auto stream = stream_of(handle);
    return stream == nullptr ? kInvalidHandle : synchronise(*stream, stream->last());
}
CALL cuStreamWaitEvent(void *handle, Event *event, unsigned) {
    const auto stream = stream_of(handle);
    if (stream == nullptr)
        return kInvalidHandle;
    const std::lock_guard<std::mutex> lock(event->mutex);
    return stream->put([other = event->stream, number = event->number] {
        if (other != nullptr)
            other->wait(number);
    });
}
CALL cuEventCreate(Event **made, unsigned) { return *made = new Event, kSuccess; }
CALL cuEventDestroy(Event *event) {
    delete event;
    return kSuccess;
}
ALSO_V2(cuEventDestroy);
CALL cuEventRecord(Event *event, void *handle) {
    const auto stream = stream_of(handle);
    if (stream == nullptr)
        return kInvalidHandle;
    const std::lock_guard<std::mutex> lock(event->mutex);
    event->number = stream->last();
    event->stream = stream;
    return fault_of(stream->device());
}
CALL cuEventQuery(Event *event) {
    add(Count::queries, 1);
    const std::lock_guard<std::mutex> lock(event->mutex);
    if (event->stream == nullptr)
        return kSuccess;
    return event->stream->has_done(event->number) ? fault_of(event->stream->device()) : kNotReady;
}
// For programs that check what comes of a device that a kernel has lost.
CALL fakeCudaLose(int device) {
    lose(device, kIllegalAddress);
    return kSuccess;
}
CALL cuEventSynchronize(Event *event) {
    std::shared_ptr<Stream> stream;
    std::uint64_t number;
    {
        const std::lock_guard<std::mutex> lock(event->mutex);
        stream = event->stream;
        number = event->number;
    }
    return stream == nullptr ? kSuccess : synchronise(*stream, number);
}

/// The arguments are words: libomptarget 19 gives a buffer of them (`extra`), 23 a list of pointers
/// to words that lie one after the other, by which it is known where the list ends. The compiler of
/// the image is taken to be of the same version.
static Result launch(void *function, void *handle, void *const *list, void *const *extra) {
    const auto stream = stream_of(handle);
    if (stream == nullptr)
        return kInvalidHandle;
    const Arguments how = list != nullptr ? Arguments::by_address : Arguments::by_value;
    const void *buffer = list != nullptr ? list[0] : nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0; list != nullptr && i < kMostArguments &&
                            list[i] == static_cast<void *const *>(buffer) + i && buffer != nullptr;
         ++i)
        size += sizeof(void *);
    for (; extra != nullptr && *extra != nullptr; extra += 2) {
        if (extra[0] == reinterpret_cast<void *>(1))
            buffer = extra[1];
        else if (extra[0] == reinterpret_cast<void *>(2))
            size = *static_cast<std::size_t *>(extra[1]);
    }
    std::vector<void *> arguments(kMostArguments);
    if (size > kMostArguments * sizeof(void *))
        return kInvalidValue;
    if (buffer != nullptr)
        std::memcpy(arguments.data(), buffer, size);
    add(Count::kernels, 1);
    return stream->put([=, device = stream->device(), values = std::move(arguments)] {
        run_kernel(device, function, how, values);
    });
}
CALL cuLaunchKernel(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                    unsigned, void *handle, void **list, void **extra) {
    return launch(function, handle, list, extra);
}
/// CUlaunchConfig
struct LaunchConfig {
    unsigned grid[3], block[3], shared_bytes;
    void *stream;
};
CALL cuLaunchKernelEx(const LaunchConfig *config, void *function, void **list, void **extra) {
    return launch(function, config->stream, list, extra);
}
CALL cuFuncSetAttribute(void *, int, int) { return kSuccess; }
CALL cuOccupancyMaxPotentialBlockSize(int *blocks, int *threads, void *, void *, std::size_t, int) {
    return *blocks = 132, *threads = 1024, kSuccess;
}
CALL cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *, int, std::size_t) {
    return *blocks = 2, kSuccess;
}

// --- Functions that libomptarget 23 looks for, beside the others

CALL cuDeviceGetUuid(unsigned char (*uuid)[16], int device) {
    std::memset(uuid, device, sizeof(*uuid));
    return kSuccess;
}
ALSO_V2(cuDeviceGetUuid);
CALL cuMemGetAllocationGranularity(std::size_t *bytes, const void *, int) {
    return *bytes = std::size_t{2} << 20, kSuccess;
}
CALL cuEventElapsedTime(float *milliseconds, Event *, Event *) {
    return *milliseconds = 0, kSuccess;
}

static Result fill(void *handle, Address to, std::size_t pitch, std::vector<char> pattern,
                   std::size_t count, std::size_t rows) {
    const auto stream = stream_of(handle);
    if (stream == nullptr)
        return kInvalidHandle;
    return stream->put([=, value = std::move(pattern)] {
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t i = 0; i < count; ++i)
                std::memcpy(static_cast<char *>(at(to)) + row * pitch + i * value.size(),
                            value.data(), value.size());
    });
}
#define FILL(BITS, TYPE)                                                                           \
    CALL cuMemsetD##BITS##Async(Address to, TYPE value, std::size_t count, void *stream) {         \
        const auto *bytes = reinterpret_cast<const char *>(&value);                                \
        return fill(stream, to, 0, std::vector<char>(bytes, bytes + sizeof(value)), count, 1);     \
    }                                                                                              \
    CALL cuMemsetD2D##BITS##Async(Address to, std::size_t pitch, TYPE value, std::size_t width,    \
                                  std::size_t height, void *stream) {                              \
        const auto *bytes = reinterpret_cast<const char *>(&value);                                \
        return fill(stream, to, pitch, std::vector<char>(bytes, bytes + sizeof(value)), width,     \
                    height);                                                                       \
    }                                                                                              \
    ALSO_V2(cuMemsetD2D##BITS##Async)
FILL(8, unsigned char);
FILL(16, unsigned short);
FILL(32, unsigned);

/// Functions that nothing here calls.
#define NOT_SUPPORTED(name)                                                                        \
    CALL name() { return kNotSupported; }
NOT_SUPPORTED(cuMemAddressFree)
NOT_SUPPORTED(cuMemAddressReserve)
NOT_SUPPORTED(cuMemCreate)
NOT_SUPPORTED(cuMemMap)
NOT_SUPPORTED(cuMemPrefetchAsync)
NOT_SUPPORTED(cuMemRelease)
NOT_SUPPORTED(cuMemSetAccess)
NOT_SUPPORTED(cuMemUnmap)
NOT_SUPPORTED(cuStreamAddCallback)
