#include "cholesky/blas.h"

extern "C" {
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);
char *openblas_get_config(void);
int openblas_get_parallel(void);
}

namespace cholesky {

namespace {
constexpr double kOne = 1.0;
constexpr double kMinusOne = -1.0;
} // namespace

void potrf(int n, double *a, int lda, int *info) { dpotrf_("L", &n, a, &lda, info); }

void trsm(int m, int n, const double *l, int ldl, double *b, int ldb) {
    dtrsm_("R", "L", "T", "N", &m, &n, &kOne, l, &ldl, b, &ldb);
}

void syrk(int n, int k, const double *a, int lda, double *c, int ldc) {
    dsyrk_("L", "N", &n, &k, &kMinusOne, a, &lda, &kOne, c, &ldc);
}

void gemm(int m, int n, int k, const double *a, int lda, const double *b, int ldb, double *c,
          int ldc) {
    dgemm_("N", "T", &m, &n, &k, &kMinusOne, a, &lda, b, &ldb, &kOne, c, &ldc);
}

std::string blas_description(bool *safe) {
    double one = 1;
    int info = 0;
    const long before = buffers_taken();
    potrf(1, &one, 1, &info);
    *safe = openblas_get_parallel() == 0 && buffers_taken() > before;
    return openblas_get_config();
}

} // namespace cholesky
