/* Transforms by FFTW's OpenMP threads compared with plans of one thread. Prints the largest
 * difference and a checksum of the threaded results, bit for bit. Usage: fftw_check THREADS */
#include <fftw3.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t checksum = 1469598103934665603u;
static double worst;

static void fill(fftw_complex *data, size_t count) {
    uint64_t state = count;
    for (size_t i = 0; i < count; ++i)
        for (int part = 0; part < 2; ++part) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            data[i][part] = (double)(state >> 11) * 0x1p-53 - 0.5;
        }
}

static void transform(int rank, const int *extent, size_t count, int threads, fftw_complex *data) {
    fftw_plan_with_nthreads(threads);
    fftw_plan plan = fftw_plan_dft(rank, extent, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
    fill(data, count);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
}

static void check(int rank, const int *extent, int threads) {
    size_t count = 1;
    for (int i = 0; i < rank; ++i)
        count *= (size_t)extent[i];
    fftw_complex *got = fftw_malloc(sizeof *got * count);
    fftw_complex *expected = fftw_malloc(sizeof *expected * count);
    transform(rank, extent, count, threads, got);
    transform(rank, extent, count, 1, expected);

    double norm = 0, difference = 0;
    for (size_t i = 0; i < count; ++i)
        for (int part = 0; part < 2; ++part) {
            uint64_t bits;
            memcpy(&bits, &got[i][part], sizeof bits);
            checksum = (checksum ^ bits) * 1099511628211u;
            norm += expected[i][part] * expected[i][part];
            const double here = got[i][part] - expected[i][part];
            difference += here * here;
        }
    if (!(sqrt(difference / norm) <= worst))
        worst = sqrt(difference / norm);
    fftw_free(got);
    fftw_free(expected);
}

int main(int argc, char **argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 0;
    if (threads < 1 || !fftw_init_threads()) {
        fprintf(stderr, "fftw_check: a number of threads is needed, and FFTW's threads\n");
        return 2;
    }
    const int line[] = {1 << 18}, odd_line[] = {3 * 5 * 7 * 1024}, plane[] = {700, 512},
              cube[] = {64, 60, 72};
    for (int round = 0; round < 3; ++round) {
        check(1, line, threads);
        check(1, odd_line, threads);
        check(2, plane, threads);
        check(3, cube, threads);
    }
    printf("difference %.3e checksum %016llx\n", worst, (unsigned long long)checksum);
    return worst <= 1e-14 ? 0 : 1;
}
