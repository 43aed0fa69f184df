// ordered and doacross loops: the order and the dependences of iterations hold.
#include "check.h"
#include "omp_decls.h"

#define ORDERED(clause)                                                                            \
    do {                                                                                           \
        int next = 0;                                                                              \
        _Pragma("omp parallel num_threads(4)") _Pragma(clause) for (int i = 0; i < 100; ++i) {     \
            if (i % 7 == 3)                                                                        \
                continue; /* an iteration without its ordered region */                            \
            _Pragma("omp ordered") {                                                               \
                CHECK(next <= i);                                                                  \
                next = i + 1;                                                                      \
            }                                                                                      \
        }                                                                                          \
        CHECK_EQ(next, 100);                                                                       \
    } while (0)

static int grid[34][34];

int main(void) {
    omp_set_dynamic(0);
    ORDERED("omp for ordered");
    ORDERED("omp for ordered schedule(static, 1)");
    ORDERED("omp for ordered schedule(static, 6)");
    ORDERED("omp for ordered schedule(dynamic)");
    ORDERED("omp for ordered schedule(dynamic, 3)");
    ORDERED("omp for ordered schedule(guided, 2)");
    ORDERED("omp for ordered schedule(runtime)");

    int chain[200] = {1};
#pragma omp parallel for ordered(1) schedule(dynamic, 3) num_threads(4)
    for (int i = 1; i < 200; ++i) {
#pragma omp ordered depend(sink : i - 1)
        chain[i] = chain[i - 1] + 1;
#pragma omp ordered depend(source)
    }
    CHECK_EQ(chain[199], 200);

    for (int i = 0; i < 34; ++i)
        grid[i][0] = grid[0][i] = 1;
#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(4)
    for (int i = 1; i < 34; ++i)
        for (int j = 1; j < 34; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 10007;
#pragma omp ordered depend(source)
        }
    int expected[34][34];
    for (int i = 0; i < 34; ++i)
        for (int j = 0; j < 34; ++j) {
            expected[i][j] = i && j ? (expected[i - 1][j] + expected[i][j - 1]) % 10007 : 1;
            CHECK_EQ(grid[i][j], expected[i][j]);
        }

    // Sinks just beyond either end of a dimension are no iterations: nothing to wait for.
    static int wave[12][7];
#pragma omp parallel for ordered(2) schedule(static, 1) num_threads(4)
    for (int i = 2; i < 12; ++i)
        for (int j = 0; j <= 6; j += 2) {
#pragma omp ordered depend(sink : i - 1, j + 2) depend(sink : i - 2, j - 2)
            wave[i][j] = 1 + (j < 6 ? wave[i - 1][j + 2] : 0);
#pragma omp ordered depend(source)
        }
    for (int i = 2; i < 12; ++i)
        for (int j = 0; j <= 6; j += 2)
            CHECK_EQ(wave[i][j], 1 + (i - 2 < (6 - j) / 2 ? i - 2 : (6 - j) / 2));
    return 0;
}
