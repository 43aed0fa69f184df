// The Fortran routines of BLAS and LAPACK that the factorisation needs, from OpenBLAS's serial
// flavour: the parallelism is to come from the tiles alone.
#pragma once

#include <string>

namespace cholesky {

// Lower triangle, column-major, as LAPACK names them. `info` is LAPACK's: 0, or the order of the
// leading minor that is not positive.
void potrf(int n, double *a, int lda, int *info);
// B := B L^-T
void trsm(int m, int n, const double *l, int ldl, double *b, int ldb);
// C := C - A A^T, lower triangle
void syrk(int n, int k, const double *a, int lda, double *c, int ldc);
// C := C - A B^T
void gemm(int m, int n, int k, const double *a, int lda, const double *b, int ldb, double *c,
          int ldc);

// OpenBLAS's description of itself; safe is false if it has threads of its own, or takes its work
// buffers from elsewhere than from the calling thread's pool (blas_memory.cpp).
std::string blas_description(bool *safe);

// How many buffers the calling thread's pool has handed out.
long buffers_taken();

} // namespace cholesky
