/* The entry points of atomic constructs without an instruction: the results of each, and that
   concurrent updates of every kind lose nothing.
   compilers: clang */
#include <complex.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

typedef int8_t fixed1;
typedef uint8_t fixed1u;
typedef int16_t fixed2;
typedef uint16_t fixed2u;
typedef int32_t fixed4;
typedef uint32_t fixed4u;
typedef int64_t fixed8;
typedef uint64_t fixed8u;
typedef float float4;
typedef double float8;
typedef long double float10;
typedef float _Complex cmplx4;
typedef double _Complex cmplx8;
typedef long double _Complex cmplx10;

enum { kThreads = 3, kRounds = 2000 };

extern int __kmpc_global_thread_num(void *);
static _Thread_local int gtid;

/* One call's result. */

#define ENTRY(T, NAME) __kmpc_atomic_##T##_##NAME

#define UPDATES(T, NAME, A, B, RESULT)                                                             \
    do {                                                                                           \
        extern void ENTRY(T, NAME)(void *, int, T *, T);                                           \
        T x = (T)(A);                                                                              \
        ENTRY(T, NAME)(NULL, gtid, &x, (T)(B));                                                    \
        CHECK(x == (T)(RESULT));                                                                   \
    } while (0)
#define CAPTURES(T, NAME, A, B, RESULT)                                                            \
    do {                                                                                           \
        extern T ENTRY(T, NAME)(void *, int, T *, T, int);                                         \
        T x = (T)(A);                                                                              \
        CHECK(ENTRY(T, NAME)(NULL, gtid, &x, (T)(B), 0) == (T)(A) && x == (T)(RESULT));            \
        x = (T)(A);                                                                                \
        CHECK(ENTRY(T, NAME)(NULL, gtid, &x, (T)(B), 1) == (T)(RESULT) && x == (T)(RESULT));       \
    } while (0)
/* The two-float complex type comes back through a pointer. */
#define CAPTURES_OUT(T, NAME, A, B, RESULT)                                                        \
    do {                                                                                           \
        extern void ENTRY(T, NAME)(void *, int, T *, T, T *, int);                                 \
        T x = (T)(A), out;                                                                         \
        ENTRY(T, NAME)(NULL, gtid, &x, (T)(B), &out, 0);                                           \
        CHECK(out == (T)(A) && x == (T)(RESULT));                                                  \
        x = (T)(A);                                                                                \
        ENTRY(T, NAME)(NULL, gtid, &x, (T)(B), &out, 1);                                           \
        CHECK(out == (T)(RESULT) && x == (T)(RESULT));                                             \
    } while (0)
#define OPERATOR(T, NAME, A, B, RESULT)                                                            \
    UPDATES(T, NAME, A, B, RESULT);                                                                \
    CAPTURES(T, NAME##_cpt, A, B, RESULT)
#define OPERATOR_REV(T, NAME, A, B, RESULT)                                                        \
    UPDATES(T, NAME##_rev, A, B, RESULT);                                                          \
    CAPTURES(T, NAME##_cpt_rev, A, B, RESULT)
#define WIDER(T, NAME, R, A, B, RESULT)                                                            \
    do {                                                                                           \
        extern void ENTRY(T, NAME##_##R)(void *, int, T *, R);                                     \
        T x = (T)(A);                                                                              \
        ENTRY(T, NAME##_##R)(NULL, gtid, &x, (B));                                                 \
        CHECK(x == (T)(RESULT));                                                                   \
    } while (0)
#define READ_WRITE_SWAP(T, A, B)                                                                   \
    do {                                                                                           \
        extern T ENTRY(T, rd)(void *, int, T *);                                                   \
        extern void ENTRY(T, wr)(void *, int, T *, T);                                             \
        extern T ENTRY(T, swp)(void *, int, T *, T);                                               \
        T x = (T)(A);                                                                              \
        CHECK(ENTRY(T, rd)(NULL, gtid, &x) == (T)(A));                                             \
        ENTRY(T, wr)(NULL, gtid, &x, (T)(B));                                                      \
        CHECK(x == (T)(B));                                                                        \
        CHECK(ENTRY(T, swp)(NULL, gtid, &x, (T)(A)) == (T)(B) && x == (T)(A));                     \
    } while (0)

#define FIXED(T)                                                                                   \
    OPERATOR(T, add, 100, 100, 200);                                                               \
    OPERATOR(T, sub, 5, 7, -2);                                                                    \
    OPERATOR_REV(T, sub, 5, 7, 2);                                                                 \
    OPERATOR(T, mul, 11, -3, -33);                                                                 \
    OPERATOR(T, div, -100, 7, -14);                                                                \
    OPERATOR_REV(T, div, 7, -100, -14);                                                            \
    OPERATOR(T, andb, 0x5c, 0x36, 0x14);                                                           \
    OPERATOR(T, orb, 0x5c, 0x36, 0x7e);                                                            \
    OPERATOR(T, xor, 0x5c, 0x36, 0x6a);                                                            \
    OPERATOR(T, neqv, 0x5c, 0x36, 0x6a);                                                           \
    OPERATOR(T, eqv, 0x5c, 0x36, ~0x6a);                                                           \
    OPERATOR(T, andl, 2, 4, 1);                                                                    \
    OPERATOR(T, andl, 2, 0, 0);                                                                    \
    OPERATOR(T, orl, 0, 4, 1);                                                                     \
    OPERATOR(T, orl, 0, 0, 0);                                                                     \
    OPERATOR(T, min, 3, -4, -4);                                                                   \
    OPERATOR(T, min, -4, 3, -4);                                                                   \
    OPERATOR(T, max, 3, -4, 3);                                                                    \
    OPERATOR(T, max, -4, 3, 3);                                                                    \
    OPERATOR(T, shl, 5, 3, 40);                                                                    \
    OPERATOR_REV(T, shl, 3, 5, 40);                                                                \
    OPERATOR(T, shr, -40, 3, -5);                                                                  \
    OPERATOR_REV(T, shr, 3, -40, -5);                                                              \
    OPERATOR(T##u, div, 200, 7, 28);                                                               \
    OPERATOR_REV(T##u, div, 7, 200, 28);                                                           \
    OPERATOR(T##u, shr, (T##u) - 1, 3, (T##u) - 1 / 8);                                            \
    OPERATOR_REV(T##u, shr, 3, (T##u) - 1, (T##u) - 1 / 8);                                        \
    WIDER(T, mul, float8, 5, 2.5, 12);                                                             \
    WIDER(T, div, float8, 5, 0.5, 10);                                                             \
    READ_WRITE_SWAP(T, 17, -3)

#define FLOAT(T)                                                                                   \
    OPERATOR(T, add, 1.5, 2.25, 3.75);                                                             \
    OPERATOR(T, sub, 1.5, 2.25, -0.75);                                                            \
    OPERATOR_REV(T, sub, 1.5, 2.25, 0.75);                                                         \
    OPERATOR(T, mul, 1.5, -3, -4.5);                                                               \
    OPERATOR(T, div, 4.5, -3, -1.5);                                                               \
    OPERATOR_REV(T, div, -3, 4.5, -1.5);                                                           \
    OPERATOR(T, min, 1.5, -2, -2);                                                                 \
    OPERATOR(T, min, -2, 1.5, -2);                                                                 \
    OPERATOR(T, max, 1.5, -2, 1.5);                                                                \
    OPERATOR(T, max, -2, 1.5, 1.5);                                                                \
    READ_WRITE_SWAP(T, 1.5, -2)

static void check_values(void) {
    FIXED(fixed1);
    FIXED(fixed2);
    FIXED(fixed4);
    FIXED(fixed8);
    FLOAT(float4);
    FLOAT(float8);
    FLOAT(float10);
    WIDER(float4, add, float8, 1.5, 0.25, 1.75);
    WIDER(float4, sub, float8, 1.5, 0.25, 1.25);
    WIDER(float4, mul, float8, 1.5, 0.25, 0.375);
    WIDER(float4, div, float8, 1.5, 0.25, 6);

#define COMPLEX(T)                                                                                 \
    OPERATOR(T, add, 1 + 2 * I, 3 - I, 4 + I);                                                     \
    OPERATOR(T, sub, 1 + 2 * I, 3 - I, -2 + 3 * I);                                                \
    OPERATOR_REV(T, sub, 1 + 2 * I, 3 - I, 2 - 3 * I);                                             \
    OPERATOR(T, mul, 1 + 2 * I, 3 - I, 5 + 5 * I);                                                 \
    OPERATOR(T, div, 5 + 5 * I, 2 * I, 2.5 - 2.5 * I);                                             \
    OPERATOR_REV(T, div, 2 * I, 5 + 5 * I, 2.5 - 2.5 * I);                                         \
    READ_WRITE_SWAP(T, 1 + 2 * I, 3 - I)
    COMPLEX(cmplx8);
    COMPLEX(cmplx10);

    UPDATES(cmplx4, add, 1 + 2 * I, 3 - I, 4 + I);
    UPDATES(cmplx4, sub_rev, 1 + 2 * I, 3 - I, 2 - 3 * I);
    UPDATES(cmplx4, mul, 1 + 2 * I, 3 - I, 5 + 5 * I);
    UPDATES(cmplx4, div_rev, 2 * I, 5 + 5 * I, 2.5 - 2.5 * I);
    CAPTURES_OUT(cmplx4, add_cpt, 1 + 2 * I, 3 - I, 4 + I);
    CAPTURES_OUT(cmplx4, sub_cpt, 1 + 2 * I, 3 - I, -2 + 3 * I);
    CAPTURES_OUT(cmplx4, sub_cpt_rev, 1 + 2 * I, 3 - I, 2 - 3 * I);
    CAPTURES_OUT(cmplx4, mul_cpt, 1 + 2 * I, 3 - I, 5 + 5 * I);
    CAPTURES_OUT(cmplx4, div_cpt, 5 + 5 * I, 2 * I, 2.5 - 2.5 * I);
    CAPTURES_OUT(cmplx4, div_cpt_rev, 2 * I, 5 + 5 * I, 2.5 - 2.5 * I);
    WIDER(cmplx4, add, cmplx8, 1 + 2 * I, 3 - I, 4 + I);
    WIDER(cmplx4, sub, cmplx8, 1 + 2 * I, 3 - I, -2 + 3 * I);
    WIDER(cmplx4, mul, cmplx8, 1 + 2 * I, 3 - I, 5 + 5 * I);
    WIDER(cmplx4, div, cmplx8, 5 + 5 * I, 2 * I, 2.5 - 2.5 * I);
    extern cmplx4 __kmpc_atomic_cmplx4_rd(void *, int, cmplx4 *);
    extern void __kmpc_atomic_cmplx4_wr(void *, int, cmplx4 *, cmplx4);
    extern void __kmpc_atomic_cmplx4_swp(void *, int, cmplx4 *, cmplx4, cmplx4 *);
    cmplx4 z = 1 + 2 * I, old;
    CHECK(__kmpc_atomic_cmplx4_rd(NULL, gtid, &z) == 1 + 2 * I);
    __kmpc_atomic_cmplx4_wr(NULL, gtid, &z, 3 - I);
    __kmpc_atomic_cmplx4_swp(NULL, gtid, &z, 4, &old);
    CHECK(old == 3 - I && z == 4);
}

/* atomic compare. */

#define COMPARE(SIZE, T)                                                                           \
    extern bool __kmpc_atomic_bool_##SIZE##_cas(void *, int, T *, T, T);                           \
    extern bool __kmpc_atomic_bool_##SIZE##_cas_cpt(void *, int, T *, T, T, T *);                  \
    extern T __kmpc_atomic_val_##SIZE##_cas(void *, int, T *, T, T);                               \
    extern T __kmpc_atomic_val_##SIZE##_cas_cpt(void *, int, T *, T, T, T *);                      \
    static void check_compare_##SIZE(void) {                                                       \
        T x = 5, seen = 0;                                                                         \
        CHECK(!__kmpc_atomic_bool_##SIZE##_cas(NULL, gtid, &x, 4, 9) && x == 5);                   \
        CHECK(__kmpc_atomic_bool_##SIZE##_cas(NULL, gtid, &x, 5, 6) && x == 6);                    \
        CHECK(__kmpc_atomic_val_##SIZE##_cas(NULL, gtid, &x, 5, 9) == 6 && x == 6);                \
        CHECK(__kmpc_atomic_val_##SIZE##_cas(NULL, gtid, &x, 6, 7) == 6 && x == 7);                \
        CHECK(!__kmpc_atomic_bool_##SIZE##_cas_cpt(NULL, gtid, &x, 6, 9, &seen));                  \
        CHECK(seen == 7 && x == 7);                                                                \
        seen = 0;                                                                                  \
        CHECK(__kmpc_atomic_bool_##SIZE##_cas_cpt(NULL, gtid, &x, 7, 8, &seen));                   \
        CHECK(seen == 0 && x == 8);                                                                \
        CHECK(__kmpc_atomic_val_##SIZE##_cas_cpt(NULL, gtid, &x, 7, 9, &seen) == 8 && seen == 8);  \
        CHECK(__kmpc_atomic_val_##SIZE##_cas_cpt(NULL, gtid, &x, 8, 9, &seen) == 8 && seen == 9);  \
        CHECK(x == 9);                                                                             \
    }
COMPARE(1, fixed1)
COMPARE(2, fixed2)
COMPARE(4, fixed4)
COMPARE(8, fixed8)

/* Concurrent updates. */

#define TYPES(X)                                                                                   \
    X(fixed1) X(fixed2) X(fixed4) X(fixed8) X(float4) X(float8) X(float10) X(cmplx8) X(cmplx10)
typedef void (*operation)(void *, void *, void *);
extern void __kmpc_atomic_1(void *, int, void *, void *, operation);
extern void __kmpc_atomic_2(void *, int, void *, void *, operation);
extern void __kmpc_atomic_4(void *, int, void *, void *, operation);
extern void __kmpc_atomic_8(void *, int, void *, void *, operation);
extern void __kmpc_atomic_10(void *, int, void *, void *, operation);
extern void __kmpc_atomic_16(void *, int, void *, void *, operation);
extern void __kmpc_atomic_20(void *, int, void *, void *, operation);
extern void __kmpc_atomic_32(void *, int, void *, void *, operation);
extern void __kmpc_atomic_start(void);
extern void __kmpc_atomic_end(void);

#define DECLARE(T)                                                                                 \
    extern void ENTRY(T, add)(void *, int, T *, T);                                                \
    extern T ENTRY(T, sub_cpt)(void *, int, T *, T, int);                                          \
    extern T ENTRY(T, swp)(void *, int, T *, T);                                                   \
    static T sum_##T, swapped_##T, swapped_out_##T;
TYPES(DECLARE)
extern void __kmpc_atomic_cmplx4_add(void *, int, cmplx4 *, cmplx4);
extern void __kmpc_atomic_cmplx4_sub(void *, int, cmplx4 *, cmplx4);
extern void __kmpc_atomic_cmplx4_div(void *, int, cmplx4 *, cmplx4);
static cmplx4 sum_cmplx4, turned_cmplx4 = 3 + 4 * I;
static uint8_t any1;
static uint16_t any2;
static uint32_t any4;
static uint64_t any8;
static struct {
    uint64_t word;
    char rest[24];
} any10, any16, any20, any32;
static long in_statement;
static int ready;

#define ADDER(T)                                                                                   \
    static void add_##T(void *out, void *a, void *b) { *(T *)out = (T)(*(T *)a + *(T *)b); }
ADDER(uint8_t)
ADDER(uint16_t)
ADDER(uint32_t)
ADDER(uint64_t)

static void *updates(void *unused) {
    (void)unused;
    gtid = __kmpc_global_thread_num(NULL);
    __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < kThreads)
        ;
    for (int i = 1; i <= kRounds; ++i) {
#define ADD(T) ENTRY(T, add)(NULL, gtid, &sum_##T, (T)3);
        TYPES(ADD)
#define SUB(T) ENTRY(T, sub_cpt)(NULL, gtid, &sum_##T, (T)1, 1);
        TYPES(SUB)
        /* A value that is taken out is put in again: nothing appears or vanishes. */
#define SWP(T)                                                                                     \
    {                                                                                              \
        T out = ENTRY(T, swp)(NULL, gtid, &swapped_##T, (T)1);                                     \
        ENTRY(T, add)(NULL, gtid, &swapped_out_##T, out);                                          \
    }
        TYPES(SWP)
        __kmpc_atomic_cmplx4_add(NULL, gtid, &sum_cmplx4, 3 + 3 * I);
        __kmpc_atomic_cmplx4_sub(NULL, gtid, &sum_cmplx4, 2 + I);
        __kmpc_atomic_cmplx4_div(NULL, gtid, &turned_cmplx4, I);
        uint64_t one = 1;
        __kmpc_atomic_1(NULL, gtid, &any1, &one, add_uint8_t);
        __kmpc_atomic_2(NULL, gtid, &any2, &one, add_uint16_t);
        __kmpc_atomic_4(NULL, gtid, &any4, &one, add_uint32_t);
        __kmpc_atomic_8(NULL, gtid, &any8, &one, add_uint64_t);
        __kmpc_atomic_10(NULL, gtid, &any10, &one, add_uint64_t);
        __kmpc_atomic_16(NULL, gtid, &any16, &one, add_uint64_t);
        __kmpc_atomic_20(NULL, gtid, &any20, &one, add_uint64_t);
        __kmpc_atomic_32(NULL, gtid, &any32, &one, add_uint64_t);
        __kmpc_atomic_start();
        ++in_statement;
        __kmpc_atomic_end();
    }
    return NULL;
}

int main(void) {
    gtid = __kmpc_global_thread_num(NULL);
    check_values();
    check_compare_1();
    check_compare_2();
    check_compare_4();
    check_compare_8();

    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i)
        CHECK_EQ(pthread_create(&threads[i], NULL, updates, NULL), 0);
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    const int n = kThreads * kRounds;
#define TOTAL(T)                                                                                   \
    CHECK(sum_##T == (T)(2 * n));                                                                  \
    CHECK((T)(swapped_##T + swapped_out_##T) == (T)n);
    TYPES(TOTAL)
    CHECK(sum_cmplx4 == n * (1 + 2 * I));
    /* Four divisions by I turn it once round. */
    CHECK(n % 4 == 0 && turned_cmplx4 == 3 + 4 * I);
    CHECK_EQ(any1, (uint8_t)n);
    CHECK_EQ(any2, n);
    CHECK_EQ(any4, n);
    CHECK_EQ(any8, n);
    CHECK_EQ(any10.word, n);
    CHECK_EQ(any16.word, n);
    CHECK_EQ(any20.word, n);
    CHECK_EQ(any32.word, n);
    CHECK_EQ(in_statement, n);
    return 0;
}
