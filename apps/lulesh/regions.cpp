#include "lulesh/regions.h"

#include <cmath>
#include <cstdlib>

namespace lulesh {

namespace {

// How long runs are: of 1,000 runs those below `upto` have from `least` on, up to `choices`
// lengths.
struct RunLength {
    int upto;
    int least;
    int choices;
};

constexpr RunLength kRunLengths[] = {{773, 1, 15},     {937, 16, 16},   {970, 32, 32},
                                     {974, 64, 64},    {978, 128, 128}, {981, 256, 256},
                                     {1000, 512, 1537}};

int draw_length() {
    const int which = std::rand() % 1000;
    const RunLength *row = kRunLengths;
    while (which >= row->upto)
        ++row;
    return row->least + std::rand() % row->choices;
}

// Half of the regions cost once, most others 1 + cost, and one of 20 ten times that.
int repeats(int region, int regions, int cost) {
    if (region < regions / 2)
        return 1;
    if (region < regions - (regions + 15) / 20)
        return 1 + cost;
    return 10 * (1 + cost);
}

// The region of each element.
std::vector<int> draw(const Setup &setup, int elements) {
    std::vector<int> region_of(std::size_t(elements), 0);
    if (setup.regions == 1)
        return region_of;
    std::srand(unsigned(setup.rank));
    // Sums of the weights up to each region.
    std::vector<int> bounds;
    int sum = 0;
    for (int r = 0; r < setup.regions; ++r) {
        sum += int(std::pow(r + 1, setup.balance));
        bounds.push_back(sum);
    }
    const auto draw_region = [&] {
        const int at = std::rand() % sum;
        int r = 0;
        while (at >= bounds[std::size_t(r)])
            ++r;
        // So each rank has most of another one.
        return (r + setup.rank) % setup.regions;
    };
    int last = -1;
    for (std::size_t at = 0; at < region_of.size();) {
        int region = draw_region();
        while (region == last)
            region = draw_region();
        for (int left = draw_length(); left > 0 && at < region_of.size(); --left)
            region_of[at++] = region;
        last = region;
    }
    return region_of;
}

} // namespace

void distribute_regions(Domain &domain) {
    const int regions = domain.setup.regions;
    const std::vector<int> region_of = draw(domain.setup, domain.elements);
    domain.region_start.assign(std::size_t(regions) + 1, 0);
    for (const int region : region_of)
        ++domain.region_start[std::size_t(region) + 1];
    for (std::size_t r = 1; r < domain.region_start.size(); ++r)
        domain.region_start[r] += domain.region_start[r - 1];
    domain.region_element = make_array<int>(region_of.size());
    std::vector<int> next = domain.region_start;
    for (std::size_t element = 0; element < region_of.size(); ++element)
        domain.region_element[next[std::size_t(region_of[element])]++] = int(element);
    for (int r = 0; r < regions; ++r)
        domain.region_repeats.push_back(repeats(r, regions, domain.setup.cost));
}

} // namespace lulesh
