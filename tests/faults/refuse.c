/* A library to preload: the system refuses one of loomp's calls. REFUSE_KIND is `memory`, `pages`
 * or `threads`, REFUSE_AT the call's number from 0 on. At exit the count of calls of that kind goes
 * to the file REFUSE_COUNT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

enum kind { kMemory, kPages, kThreads };
static const char *const names[] = {"memory", "pages", "threads"};

static atomic_uintptr_t code_begin; /* loomp's code; 0 until it is loaded */
static uintptr_t code_end;
static atomic_long calls[3];
static long refused = -1;
static enum kind refused_kind;

static int find_loomp(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size, (void)data;
    if (strstr(object->dlpi_name, "/lib/compat/") == NULL)
        return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0)
            continue;
        const uintptr_t begin = object->dlpi_addr + part->p_vaddr;
        code_end = begin + part->p_memsz;
        code_begin = begin;
    }
    return 1;
}

/* The first call comes from the loader, while the process has one thread. */
static void begin(void) {
    static int begun;
    if (begun)
        return;
    begun = 1;
    dl_iterate_phdr(find_loomp, NULL);
    const char *at = getenv("REFUSE_AT"), *kind = getenv("REFUSE_KIND");
    if (at == NULL || kind == NULL)
        return;
    refused = atol(at);
    while (strcmp(names[refused_kind], kind) != 0)
        ++refused_kind;
}

static int refuses(enum kind kind, void *caller) {
    begin();
    const uintptr_t code = (uintptr_t)caller;
    if (code_begin == 0 || code < code_begin || code >= code_end)
        return 0;
    return atomic_fetch_add(&calls[kind], 1) == refused && kind == refused_kind;
}
#define REFUSES(kind) refuses(kind, __builtin_return_address(0))

__attribute__((destructor)) static void end(void) {
    const char *name = getenv("REFUSE_COUNT");
    FILE *file = name != NULL ? fopen(name, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%ld\n", calls[refused_kind]);
    fclose(file);
}

static void *no_memory(void) {
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size) { return REFUSES(kMemory) ? no_memory() : __libc_malloc(size); }
void *calloc(size_t count, size_t size) {
    return REFUSES(kMemory) ? no_memory() : __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
    return REFUSES(kMemory) ? no_memory() : __libc_realloc(block, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return REFUSES(kMemory) ? no_memory() : __libc_memalign(alignment, size);
}

void *mmap(void *address, size_t size, int access, int flags, int file, off_t offset) {
    if (REFUSES(kPages)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    __typeof__(&mmap) next = (__typeof__(&mmap))dlsym(RTLD_NEXT, "mmap");
    return next(address, size, access, flags, file, offset);
}
int mprotect(void *address, size_t size, int access) {
    if (REFUSES(kPages)) {
        errno = ENOMEM;
        return -1;
    }
    __typeof__(&mprotect) next = (__typeof__(&mprotect))dlsym(RTLD_NEXT, "mprotect");
    return next(address, size, access);
}
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*code)(void *),
                   void *data) {
    if (REFUSES(kThreads))
        return EAGAIN;
    __typeof__(&pthread_create) next =
        (__typeof__(&pthread_create))dlsym(RTLD_NEXT, "pthread_create");
    return next(thread, attributes, code, data);
}
