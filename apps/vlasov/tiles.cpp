#include "vlasov/tiles.h"

#include "vlasov/ghosts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vlasov {

namespace {

// The first of `count` things that `part` of `parts` has.
int first_of(int count, int part, int parts) {
    return static_cast<int>(std::int64_t{count} * part / parts);
}

int part_of(int thing, int count, int parts) {
    int part = static_cast<int>(std::int64_t{thing} * parts / count);
    while (part + 1 < parts && first_of(count, part + 1, parts) <= thing)
        ++part;
    return part;
}

int wrapped(int index, int count) { return (index + count) % count; }

// The largest number of tiles of one rank.
std::int64_t most_tiles(const Grid &grid, const Decomposition &of) {
    const std::int64_t columns = (grid.columns() + of.ranks_x - 1) / of.ranks_x;
    const std::int64_t rows = (grid.rows() + of.ranks_v - 1) / of.ranks_v;
    return columns * rows;
}

constexpr int kDirectionsOfTile = 9;

// The tag of the ghosts of a tile in a direction: by where it lies on its rank, so that the same
// messages of ranks with as many tiles have the same tags.
int tag_of(const Grid &grid, const Decomposition &decomposition, int column, int row,
           Direction where) {
    const int owner = decomposition.owner(grid, column, row);
    const int rank_x = owner % decomposition.ranks_x;
    const int first_column = decomposition.first_column(grid, rank_x);
    const int width = decomposition.first_column(grid, rank_x + 1) - first_column;
    const int first_row = decomposition.first_row(grid, owner / decomposition.ranks_x);
    return ((row - first_row) * width + column - first_column) * kDirectionsOfTile + where.index();
}

} // namespace

int Decomposition::first_column(const Grid &grid, int rank_x) const {
    return first_of(grid.columns(), rank_x, ranks_x);
}

int Decomposition::first_row(const Grid &grid, int rank_v) const {
    return first_of(grid.rows(), rank_v, ranks_v);
}

int Decomposition::owner(const Grid &grid, int column, int row) const {
    return part_of(row, grid.rows(), ranks_v) * ranks_x + part_of(column, grid.columns(), ranks_x);
}

Decomposition decompose(const Grid &grid, int ranks, int ranks_x, std::string &why) {
    Decomposition best;
    double least = std::numeric_limits<double>::infinity();
    for (int x = 1; x <= ranks; ++x) {
        const int v = ranks / x;
        if (x * v != ranks || (ranks_x != 0 && x != ranks_x) || x > grid.columns() ||
            v > grid.rows())
            continue;
        // The amount that a rank exchanges: half its circumference.
        const double circumference = double(grid.columns()) / x + double(grid.rows()) / v;
        if (circumference < least) {
            least = circumference;
            best = {x, v};
        }
    }
    const std::string tiles =
        std::to_string(grid.columns()) + " x " + std::to_string(grid.rows()) + " tiles";
    if (least == std::numeric_limits<double>::infinity())
        why = std::to_string(ranks) + " ranks" +
              (ranks_x != 0 ? ", --ranks-x " + std::to_string(ranks_x) : "") + ": " + tiles +
              " cannot be divided among them (--tile)";
    else if (ranks > 1 &&
             most_tiles(grid, best) * kDirectionsOfTile - 1 > apps::ranks::largest_tag())
        why = tiles + " on " + std::to_string(ranks) + " ranks: this MPI library's tags end at " +
              std::to_string(apps::ranks::largest_tag()) + " (--tile)";
    return best;
}

Tiles::Tiles(const Grid &grid, const Decomposition &decomposition, bool each_alone) {
    const int rank_x = apps::ranks::rank() % decomposition.ranks_x;
    const int rank_v = apps::ranks::rank() / decomposition.ranks_x;
    const int first_column = decomposition.first_column(grid, rank_x);
    const int last_column = decomposition.first_column(grid, rank_x + 1);
    const int first_row = decomposition.first_row(grid, rank_v);
    const int last_row = decomposition.first_row(grid, rank_v + 1);
    width_ = last_column - first_column;
    for (int row = first_row; row < last_row; ++row)
        for (int column = first_column; column < last_column; ++column)
            tiles_.push_back(std::make_unique<Tile>(grid, column, row));
    connect(grid, decomposition, each_alone);
}

void Tiles::connect(const Grid &grid, const Decomposition &decomposition, bool each_alone) {
    const int first_column = tiles_.front()->column;
    const int first_row = tiles_.front()->row;
    for (auto &tile : tiles_) {
        tile->around.push_back(&tile->marks.now);
        for (const Direction where : kDirections) {
            const int column = wrapped(tile->column + where.x, grid.columns());
            const int row = wrapped(tile->row + where.v, grid.rows());
            const int owner = decomposition.owner(grid, column, row);
            if (owner == apps::ranks::rank()) {
                Tile *neighbour = tiles_[static_cast<std::size_t>((row - first_row) * width_ +
                                                                  column - first_column)]
                                      .get();
                tile->neighbours[static_cast<std::size_t>(where.index())] = neighbour;
                if (std::find(tile->around.begin(), tile->around.end(), &neighbour->marks.now) ==
                    tile->around.end())
                    tile->around.push_back(&neighbour->marks.now);
                continue;
            }
            const auto points =
                static_cast<std::size_t>(ring(where, tile->edge, tile->ghosts).points());
            Link link{where,
                      owner,
                      tag_of(grid, decomposition, column, row, where.opposite()),
                      tag_of(grid, decomposition, tile->column, tile->row, where),
                      std::vector<double>(points),
                      std::vector<double>(points),
                      {},
                      {}};
            tile->links.push_back(std::move(link));
        }
        using apps::ranks::Request;
        for (Link &link : tile->links) {
            const auto points = static_cast<std::int64_t>(link.outgoing.size());
            link.send = Request::to_send(link.outgoing.data(), points, link.peer, link.tag_out,
                                         Request::Calls::persistent);
            link.receive = Request::to_receive(link.incoming.data(), points, link.peer, link.tag_in,
                                               Request::Calls::persistent);
        }
        tile->arrived_marks.resize(each_alone ? tile->links.size()
                                              : std::min<std::size_t>(tile->links.size(), 1));
        for (char &mark : tile->arrived_marks)
            tile->arrived.push_back(&mark);
    }
}

} // namespace vlasov
