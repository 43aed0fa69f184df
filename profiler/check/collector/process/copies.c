/* Functions of the C library that copy, fill and compare memory: the accesses are the program's if
 * it has made the call. */
#include <dlfcn.h>
#include <string.h>
#include <strings.h>

#include "profiler/check/collector/process/callers.h"
#include "profiler/check/collector/process/process.h"

/* The function behind one of this library. Threads that find it at once store the same address. */
#define LOOMP_NEXT(NAME)                                                                           \
    ({                                                                                             \
        static __typeof__(&NAME) next = NULL;                                                      \
        if (next == NULL)                                                                          \
            next = (__typeof__(&NAME))dlsym(RTLD_NEXT, #NAME);                                     \
        next;                                                                                      \
    })

/* The last answers for callers, by address. A thread may find another one's answer half written:
 * the code of one and the kind of another never agree, because they are one word. */
enum { kCallers = 1 << 10 };
static Addr callers[kCallers]; /* an address; the highest bit: examined */
static const Addr kIsExamined = (Addr)1 << 63;

static Bool is_of_program(Addr code) {
    if (current->task == 0)
        return False;
    Addr *place = &callers[(code * 0x9E3779B97F4A7C15UL) >> 54];
    /* relaxed: the word is all that is read. */
    const Addr known = __atomic_load_n(place, __ATOMIC_RELAXED);
    if ((known & ~kIsExamined) == code)
        return (known & kIsExamined) != 0;
    const Bool examined = is_examined(code);
    __atomic_store_n(place, examined ? code | kIsExamined : code, __ATOMIC_RELAXED);
    return examined;
}

static void reads(const void *address, size_t size, Addr code) {
    if (size != 0 && is_of_program(code))
        read_first((Addr)address, size, code);
}
static void writes(const void *address, size_t size, Addr code) {
    if (size != 0 && is_of_program(code))
        write_first((Addr)address, size, code);
}
static size_t length(const char *text, size_t most) { return LOOMP_NEXT(strnlen)(text, most); }
/* With the byte at its end. */
static size_t whole(const char *text) { return LOOMP_NEXT(strlen)(text) + 1; }

LOOMP_SHARED void *memcpy(void *to, const void *from, size_t size) {
    reads(from, size, LOOMP_ACCESSING_CODE);
    writes(to, size, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(memcpy)(to, from, size);
}
LOOMP_SHARED void *memmove(void *to, const void *from, size_t size) {
    reads(from, size, LOOMP_ACCESSING_CODE);
    writes(to, size, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(memmove)(to, from, size);
}
LOOMP_SHARED void *memset(void *to, int byte, size_t size) {
    writes(to, size, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(memset)(to, byte, size);
}
LOOMP_SHARED void bzero(void *to, size_t size) {
    writes(to, size, LOOMP_ACCESSING_CODE);
    LOOMP_NEXT(memset)(to, 0, size);
}
LOOMP_SHARED int memcmp(const void *one, const void *other, size_t size) {
    reads(one, size, LOOMP_ACCESSING_CODE);
    reads(other, size, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(memcmp)(one, other, size);
}
LOOMP_SHARED size_t strlen(const char *text) {
    const size_t size = LOOMP_NEXT(strlen)(text);
    reads(text, size + 1, LOOMP_ACCESSING_CODE);
    return size;
}
LOOMP_SHARED size_t strnlen(const char *text, size_t most) {
    const size_t size = length(text, most);
    reads(text, size < most ? size + 1 : most, LOOMP_ACCESSING_CODE);
    return size;
}
LOOMP_SHARED char *strcpy(char *to, const char *from) {
    const size_t size = whole(from);
    reads(from, size, LOOMP_ACCESSING_CODE);
    writes(to, size, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(memcpy)(to, from, size);
}
LOOMP_SHARED char *stpcpy(char *to, const char *from) {
    const size_t size = whole(from);
    reads(from, size, LOOMP_ACCESSING_CODE);
    writes(to, size, LOOMP_ACCESSING_CODE);
    return (char *)LOOMP_NEXT(memcpy)(to, from, size) + size - 1;
}
LOOMP_SHARED char *strncpy(char *to, const char *from, size_t most) {
    const size_t size = length(from, most);
    reads(from, size < most ? size + 1 : most, LOOMP_ACCESSING_CODE);
    writes(to, most, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(strncpy)(to, from, most);
}
LOOMP_SHARED char *strcat(char *to, const char *from) {
    const size_t before = whole(to), size = whole(from);
    reads(to, before, LOOMP_ACCESSING_CODE);
    reads(from, size, LOOMP_ACCESSING_CODE);
    writes(to + before - 1, size, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(strcat)(to, from);
}

/* How far two strings are read. */
static size_t compared(const char *one, const char *other, size_t most) {
    size_t size = 0;
    while (size < most && one[size] == other[size] && one[size] != '\0')
        ++size;
    return size < most ? size + 1 : most;
}
LOOMP_SHARED int strcmp(const char *one, const char *other) {
    if (is_of_program(LOOMP_ACCESSING_CODE)) {
        const size_t size = compared(one, other, ~(size_t)0);
        read_first((Addr)one, size, LOOMP_ACCESSING_CODE);
        read_first((Addr)other, size, LOOMP_ACCESSING_CODE);
    }
    return LOOMP_NEXT(strcmp)(one, other);
}
LOOMP_SHARED int strncmp(const char *one, const char *other, size_t most) {
    if (is_of_program(LOOMP_ACCESSING_CODE)) {
        const size_t size = compared(one, other, most);
        reads(one, size, LOOMP_ACCESSING_CODE);
        reads(other, size, LOOMP_ACCESSING_CODE);
    }
    return LOOMP_NEXT(strncmp)(one, other, most);
}

/* clang calls these. */
LOOMP_SHARED void *__tsan_memcpy(void *to, const void *from, size_t size) {
    reads(from, size, LOOMP_ACCESSING_CODE);
    writes(to, size, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(memcpy)(to, from, size);
}
LOOMP_SHARED void *__tsan_memmove(void *to, const void *from, size_t size) {
    reads(from, size, LOOMP_ACCESSING_CODE);
    writes(to, size, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(memmove)(to, from, size);
}
LOOMP_SHARED void *__tsan_memset(void *to, int byte, size_t size) {
    writes(to, size, LOOMP_ACCESSING_CODE);
    return LOOMP_NEXT(memset)(to, byte, size);
}
