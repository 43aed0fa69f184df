// Work buffers for the kernels, one pool per thread.
//
// Debian 12 builds the serial flavour of OpenBLAS without the locks that guard its list of work
// buffers: two threads inside it at once can be given the same buffer, and the product comes out
// wrong, on any OpenMP runtime. The library asks for buffers through two functions of its own that
// a program may define in its place, so this one does: a thread keeps its buffers to itself.
#include "cholesky/blas.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <vector>

namespace {

// The size that the library itself maps; it is reserved only, and pages that kernels never touch
// cost nothing.
constexpr std::size_t kBufferBytes = std::size_t{128} << 20;

class Pool {
  public:
    ~Pool() {
        for (void *buffer : idle_)
            munmap(buffer, kBufferBytes);
    }

    void *take() {
        ++taken_;
        if (!idle_.empty()) {
            void *buffer = idle_.back();
            idle_.pop_back();
            return buffer;
        }
        void *buffer = mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (buffer == MAP_FAILED) {
            std::perror("cholesky: no address space for a kernel's work buffer");
            std::abort();
        }
        return buffer;
    }

    void give_back(void *buffer) { idle_.push_back(buffer); }

    long taken() const { return taken_; }

  private:
    long taken_ = 0;
    std::vector<void *> idle_;
};

thread_local Pool pool;

} // namespace

long cholesky::buffers_taken() { return pool.taken(); }

extern "C" {
// The caller's kind goes unused: the library's own allocator tells its kinds of callers apart.
void *blas_memory_alloc(int) { return pool.take(); }
void blas_memory_free(void *buffer) { pool.give_back(buffer); }
}
