// A tile is named in a depend clause by its first element; so is the place for a copy of another
// rank's tile, which orders the receives into it.
#include "cholesky/blas.h"
#include "cholesky/factor.h"
#include "common/ranks.h"
#include "common/time_tasks.h"
#include "loomp/record.h"

namespace cholesky {

namespace ranks = apps::ranks;

namespace {

// Priorities of the four kernels in step k, and of a send. The critical path is potrf, then the
// trsm and syrk that lead to the next one; early steps come before late ones.
struct Priorities {
    Priority which;
    int tiles;

    bool path() const { return which == Priority::path; }
    int of_potrf(int k) const { return path() ? 3 * (tiles - k) : 0; }
    int of_trsm(int k, int i) const {
        return path() ? (i == k + 1 ? of_potrf(k) - 1 : tiles - k) : 0;
    }
    int of_syrk(int k, int i) const {
        return path() ? (i == k + 1 ? of_potrf(k) - 2 : tiles - k) : 0;
    }
    int of_gemm(int k, int j) const { return path() && j == k + 1 ? tiles - k : 0; }
    int of_send(int k) const {
        return path() ? of_potrf(k) : static_cast<int>(which == Priority::sends);
    }
};

// Makes the tasks of this rank.
class Creator {
  public:
    Creator(TiledMatrix &matrix, const Priorities &priorities, int *failed, apps::Cost &cost)
        : matrix_(matrix), priorities_(priorities), failed_(failed), cost_(cost) {}

    // The elements as they were before the first time.
    void restore(int i, int j);
    void factor_diagonal(int k);
    void solve(int k, int i);
    void update(int k, int i, int j);
    // Tile (i, k) goes to those who read it, or comes here if this rank does.
    void pass_on(int k, int i);

  private:
    void count(long dependences) {
        ++cost_.tasks;
        cost_.dependences += dependences;
    }

    TiledMatrix &matrix_;
    Priorities priorities_;
    int *failed_;
    apps::Cost &cost_;
};

void Creator::restore(int i, int j) {
    if (!matrix_.owns(i, j))
        return;
    TiledMatrix *matrix = &matrix_;
    double *ij = matrix_.tile(i, j);
    loomp_task_label("restore");
#pragma omp task depend(out : ij[0]) firstprivate(matrix, ij, i, j)
    {
        (void)ij;
        matrix->restore(i, j);
    }
    count(1);
}

void Creator::factor_diagonal(int k) {
    if (!matrix_.owns(k, k))
        return;
    double *kk = matrix_.tile(k, k);
    const int depth = matrix_.rows(k);
    const int ld = matrix_.tile_size();
    int *failed = failed_;
    loomp_task_label("potrf");
#pragma omp task depend(inout : kk[0]) priority(priorities_.of_potrf(k))                           \
    firstprivate(kk, depth, ld, k, failed)
    {
        int info = 0;
        potrf(depth, kk, ld, &info);
        if (info != 0)
            failed[k] = k * ld + info;
    }
    count(1);
}

void Creator::solve(int k, int i) {
    if (!matrix_.owns(i, k))
        return;
    double *kk = matrix_.panel(k, k);
    double *ik = matrix_.tile(i, k);
    const int rows = matrix_.rows(i);
    const int depth = matrix_.rows(k);
    const int ld = matrix_.tile_size();
    loomp_task_label("trsm");
#pragma omp task depend(in : kk[0]) depend(inout : ik[0]) priority(priorities_.of_trsm(k, i))      \
    firstprivate(kk, ik, rows, depth, ld)
    trsm(rows, depth, kk, ld, ik, ld);
    count(2);
}

void Creator::update(int k, int i, int j) {
    if (!matrix_.owns(i, j))
        return;
    double *ik = matrix_.panel(i, k);
    double *jk = matrix_.panel(j, k);
    double *ij = matrix_.tile(i, j);
    const int rows = matrix_.rows(i);
    const int columns = matrix_.rows(j);
    const int depth = matrix_.rows(k);
    const int ld = matrix_.tile_size();
    if (i == j) {
        loomp_task_label("syrk");
#pragma omp task depend(in : ik[0]) depend(inout : ij[0]) priority(priorities_.of_syrk(k, i))      \
    firstprivate(ik, ij, rows, depth, ld)
        syrk(rows, depth, ik, ld, ij, ld);
        count(2);
    } else {
        loomp_task_label("gemm");
#pragma omp task depend(in : ik[0], jk[0]) depend(inout : ij[0])                                   \
    priority(priorities_.of_gemm(k, j)) firstprivate(ik, jk, ij, rows, columns, depth, ld)
        gemm(rows, columns, depth, ik, ld, jk, ld, ij, ld);
        count(3);
    }
}

void Creator::pass_on(int k, int i) {
    const Grid &grid = matrix_.grid();
    double *ik = matrix_.panel(i, k);
    const std::int64_t values = matrix_.panel_values(k);
    const int tag = cholesky::tag(matrix_, i, k);
    if (!matrix_.owns(i, k)) {
        if (!grid.reads(i, k, matrix_.tiles()))
            return;
        const int owner = grid.owner(i, k);
        loomp_task_label("receive");
#pragma omp task depend(out : ik[0]) firstprivate(ik, values, owner, tag)
        ranks::receive(ik, values, owner, tag);
        return count(1);
    }
    for (int reader : grid.readers(i, k, matrix_.tiles())) {
        loomp_task_label("send");
#pragma omp task depend(in : ik[0]) priority(priorities_.of_send(k))                               \
    firstprivate(ik, values, reader, tag)
        ranks::send(ik, values, reader, tag);
        count(1);
    }
}

// The tiles that are needed first come first.
void restore_all(Creator &creator, int tiles) {
    for (int j = 0; j < tiles; ++j)
        for (int i = j; i < tiles; ++i)
            creator.restore(i, j);
}

void factor_once(Creator &creator, int tiles) {
    const bool alone = ranks::count() == 1;
    for (int k = 0; k < tiles; ++k) {
        creator.factor_diagonal(k);
        if (!alone)
            creator.pass_on(k, k);
        for (int i = k + 1; i < tiles; ++i)
            creator.solve(k, i);
        for (int i = k + 1; i < tiles && !alone; ++i)
            creator.pass_on(k, i);
        for (int i = k + 1; i < tiles; ++i)
            for (int j = k + 1; j <= i; ++j)
                creator.update(k, i, j);
    }
}

void factor_repeatedly(Creator &creator, int tiles, const Repetitions &repetitions) {
    namespace kept_graph = apps::kept_graph;
    for (int repetition = 0; repetition < repetitions.count; ++repetition) {
        if (!kept_graph::begin("cholesky", repetitions.keep, repetitions.wait))
            continue;
        if (repetitions.count > 1)
            restore_all(creator, tiles);
        factor_once(creator, tiles);
        kept_graph::end(repetitions.keep);
    }
}

} // namespace

Factorisation factor_task(TiledMatrix &matrix, Priority priority, const Repetitions &repetitions) {
    Factorisation result;
    // One place per step: tasks report what went wrong without sharing a variable.
    std::vector<int> failed(static_cast<std::size_t>(matrix.tiles()), 0);
    Creator creator(matrix, Priorities{priority, matrix.tiles()}, failed.data(), result.cost);
    const apps::Cost times =
        apps::time_tasks([&] { factor_repeatedly(creator, matrix.tiles(), repetitions); });
    result.cost.seconds = times.seconds;
    result.cost.discovery_seconds = times.discovery_seconds;
    result.cost.flops = repetitions.count * flops(matrix.size());
    result.info = first_failure(failed);
    return result;
}

} // namespace cholesky
