/* Products and factorisations by OpenBLAS's OpenMP flavour, which this program is linked with,
 * compared with the same by the serial flavour, which it loads beside it: openblas_check
 * SERIAL_LIBRARY Prints the largest difference and a checksum of the OpenMP flavour's results, bit
 * for bit. */
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void gemm_fn(const char *, const char *, const int *, const int *, const int *,
                     const double *, const double *, const int *, const double *, const int *,
                     const double *, double *, const int *);
typedef void getrf_fn(const int *, const int *, double *, const int *, int *, int *);
typedef void potrf_fn(const char *, const int *, double *, const int *, int *);

extern gemm_fn dgemm_;
extern getrf_fn dgetrf_;
extern potrf_fn dpotrf_;
extern int openblas_get_parallel(void);

static gemm_fn *serial_gemm;
static getrf_fn *serial_getrf;
static potrf_fn *serial_potrf;

static uint64_t checksum = 1469598103934665603u;
static double worst;

static double *matrix(int n, unsigned seed, double diagonal) {
    double *a = malloc(sizeof *a * n * n);
    uint64_t state = seed;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            a[(size_t)j * n + i] = (double)(state >> 11) * 0x1p-53 - 0.5 + (i == j ? diagonal : 0);
        }
    return a;
}

/* Differences count relative to the largest element. */
static void compare(int n, const double *got, const double *expected) {
    double largest = 0, difference = 0;
    for (size_t i = 0; i < (size_t)n * n; ++i) {
        uint64_t bits;
        memcpy(&bits, &got[i], sizeof bits);
        checksum = (checksum ^ bits) * 1099511628211u;
        largest = fmax(largest, fabs(expected[i]));
        const double here = fabs(got[i] - expected[i]);
        if (!(here <= difference))
            difference = here;
    }
    if (!(difference / largest <= worst))
        worst = difference / largest;
}

static void check(int n) {
    const double one = 1, zero = 0;
    const size_t bytes = sizeof(double) * n * n;
    double *a = matrix(n, 1, 0), *b = matrix(n, 2, 0), *c = matrix(n, 3, 0), *d = matrix(n, 3, 0);
    int *pivots = malloc(sizeof *pivots * n), info;

    dgemm_("N", "T", &n, &n, &n, &one, a, &n, b, &n, &zero, c, &n);
    serial_gemm("N", "T", &n, &n, &n, &one, a, &n, b, &n, &zero, d, &n);
    compare(n, c, d);

    double *e = matrix(n, 4, n), *f = malloc(bytes);
    memcpy(f, e, bytes);
    dgetrf_(&n, &n, e, &n, pivots, &info);
    serial_getrf(&n, &n, f, &n, pivots, &info);
    compare(n, e, f);

    double *g = matrix(n, 5, n), *h = malloc(bytes);
    memcpy(h, g, bytes);
    dpotrf_("L", &n, g, &n, &info);
    serial_potrf("L", &n, h, &n, &info);
    compare(n, g, h);

    free(a), free(b), free(c), free(d), free(e), free(f), free(g), free(h), free(pivots);
}

int main(int argc, char **argv) {
    void *serial = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
    if (!serial) {
        fprintf(stderr, "openblas_check: %s\n", argc > 1 ? dlerror() : "no serial library given");
        return 2;
    }
    serial_gemm = (gemm_fn *)dlsym(serial, "dgemm_");
    serial_getrf = (getrf_fn *)dlsym(serial, "dgetrf_");
    serial_potrf = (potrf_fn *)dlsym(serial, "dpotrf_");
    int (*serial_parallel)(void) = (int (*)(void))dlsym(serial, "openblas_get_parallel");
    if (openblas_get_parallel() != 2 || serial_parallel() != 0) {
        fprintf(stderr, "openblas_check: not the OpenMP flavour against the serial one\n");
        return 2;
    }
    for (int round = 0; round < 3; ++round)
        for (int n = 33; n <= 900; n = n * 3 - 5)
            check(n);
    printf("difference %.3e checksum %016llx\n", worst, (unsigned long long)checksum);
    return worst <= 1e3 * DBL_EPSILON ? 0 : 1;
}
