// Sets of dependences: what is added twice is there once, whatever it was added by; misuse is told
// of in one line.
#include "runtime/core/dependences/dependence_set.h"

#include <climits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loomp/loomp.h"

namespace loomp::core {
namespace {

using Expected = std::map<const void *, Access>;

/// A set that gives its memory up.
struct Owned {
    DependenceSet &set = DependenceSet::make();
    ~Owned() {
        EXPECT_TRUE(set.try_change());
        set.release();
    }
    DependenceSet *operator->() const { return &set; }
};

Expected content(const DependenceSet &set) {
    Expected found;
    for (std::size_t i = 0; i < set.size(); ++i)
        EXPECT_TRUE(found.emplace(set.data()[i].address, set.data()[i].access).second) << i;
    return found;
}

const void *at(const void *base, std::int64_t bytes) {
    return reinterpret_cast<const void *>(reinterpret_cast<std::uintptr_t>(base) +
                                          static_cast<std::uintptr_t>(bytes));
}

void expect(Expected &expected, const void *address, Access access) {
    const auto [place, is_new] = expected.emplace(address, access);
    if (!is_new && place->second != access)
        place->second = Access::inout;
}

TEST(DependenceSet, AnEmptyOneHasNothing) {
    const Owned set;
    EXPECT_EQ(set->size(), 0u);
    const std::int64_t *none = nullptr;
    set->add_array(&set, 0, 8, Access::in);
    set->add_tiles(&set, 8, 4, none, 0, Access::in);
    EXPECT_EQ(set->size(), 0u);
}

TEST(DependenceSet, KindsThatDifferOrderAsBothDo) {
    constexpr Access kinds[] = {Access::in, Access::inoutset, Access::mutexinoutset, Access::inout};
    int x = 0;
    for (const Access first : kinds)
        for (const Access second : kinds) {
            const Owned set;
            set->add(&x, first);
            set->add(&x, second);
            ASSERT_EQ(set->size(), 1u);
            EXPECT_EQ(set->data()[0].access, first == second ? first : Access::inout);
        }
}

TEST(DependenceSet, KeepsTheOrderInWhichLocationsCame) {
    int x[40] = {};
    const Owned set;
    for (int round = 0; round < 2; ++round)
        for (int i = 39; i >= 0; --i)
            set->add(&x[i], Access::in);
    ASSERT_EQ(set->size(), 40u);
    for (std::size_t i = 0; i < 40; ++i)
        EXPECT_EQ(set->data()[i].address, &x[39 - i]);
}

TEST(DependenceSet, AnIndexIsItsTilesFirst) {
    const double base[1] = {};
    const Owned set;
    const std::int32_t indices[] = {0, 1, 2, 3, -1, -3, -4, 3, 100};
    set->add_tiles(base, sizeof(double), 3, indices, std::size(indices), Access::in);
    EXPECT_EQ(content(set.set), (Expected{{at(base, 0), Access::in},
                                          {at(base, 24), Access::in},
                                          {at(base, -24), Access::in},
                                          {at(base, -48), Access::in},
                                          {at(base, 99 * 8), Access::in}}));
}

TEST(DependenceSet, TilesAreThoseOfTheFormula) {
    std::mt19937_64 random(7);
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    for (int round = 0; round < 300; ++round) {
        const std::int64_t tile = round % 3 == 0   ? 1 + below(9)
                                  : round % 3 == 1 ? std::int64_t{1} << below(12)
                                                   : 1 + below(5000);
        const std::int64_t span = 1 + below(20 * tile);
        std::vector<std::int64_t> indices(static_cast<std::size_t>(below(400)));
        for (std::int64_t &index : indices)
            index = below(2 * span) - span;
        const Owned set;
        Expected expected;
        int base = 0;
        const Access before = round % 2 == 0 ? Access::in : Access::inoutset;
        set->add(&base, before);
        expect(expected, &base, before);
        set->add_tiles(&base, 24, static_cast<std::size_t>(tile), indices.data(), indices.size(),
                       Access::in);
        for (const std::int64_t index : indices) {
            const std::int64_t number = (index >= 0 ? index : index - tile + 1) / tile;
            expect(expected, at(&base, number * tile * 24), Access::in);
        }
        ASSERT_EQ(content(set.set), expected) << round;
    }
}

TEST(DependenceSet, ExtremeIndicesAndTiles) {
    const std::int64_t indices[] = {INT64_MIN, INT64_MIN + 1, -1, 0, INT64_MAX - 1, INT64_MAX};
    const char base = 0;
    for (const std::size_t tile :
         {std::size_t{1}, std::size_t{3}, std::size_t{1} << 62, DependenceSet::kLargestTile}) {
        const Owned set;
        set->add_tiles(&base, 1, tile, indices, std::size(indices), Access::in);
        EXPECT_GE(set->size(), 3u);
        EXPECT_LE(set->size(), 6u);
    }
}

TEST(DependenceSet, ManyWithAndWithoutDuplicates) {
    constexpr std::size_t many = 200000;
    std::vector<char> bytes(many);
    const Owned different, same, mixed;
    different->add_array(bytes.data(), many, 1, Access::in);
    EXPECT_EQ(different->size(), many);
    different->add_array(bytes.data(), many, 1, Access::inout);
    EXPECT_EQ(different->size(), many);
    EXPECT_EQ(different->data()[many / 2].access, Access::inout);
    same->add_array(bytes.data(), many, 0, Access::in);
    for (std::size_t i = 0; i < many; ++i)
        same->add(bytes.data(), Access::in);
    EXPECT_EQ(same->size(), 1u);
    std::mt19937_64 random(3);
    Expected expected;
    for (std::size_t i = 0; i < many; ++i) {
        const char *address = &bytes[random() % 1000];
        const Access access = random() % 8 == 0 ? Access::inout : Access::in;
        mixed->add(address, access);
        expect(expected, address, access);
    }
    EXPECT_EQ(content(mixed.set), expected);
}

TEST(DependenceSet, MemoryIsUsedAgainAndEmpty) {
    DependenceSet &first = DependenceSet::make();
    first.add(&first, Access::in);
    const std::uint32_t word = first.begin_use();
    EXPECT_TRUE(DependenceSet::is_usable(word));
    EXPECT_TRUE(first.end_use(word));
    ASSERT_TRUE(first.try_change());
    EXPECT_FALSE(first.try_change());
    EXPECT_FALSE(DependenceSet::is_usable(first.begin_use()));
    first.release();
    EXPECT_EQ(first.state(), DependenceSet::State::freed);
    EXPECT_FALSE(first.try_change());
    const Owned second;
    EXPECT_EQ(&second.set, &first);
    EXPECT_EQ(second->size(), 0u);
    EXPECT_FALSE(second->end_use(word));
}

TEST(DependenceSetDeath, WithoutMemoryTheProgramEnds) {
    const Owned set;
    EXPECT_DEATH(set->add_array(&set, std::size_t{1} << 40, 8, Access::in),
                 "^loomp: out of memory: a set of 1099511627776 dependences\n");
}

/// The lines on stderr that `f` brings about.
template <class F> std::string told(F f) {
    testing::internal::CaptureStderr();
    f();
    return testing::internal::GetCapturedStderr();
}

TEST(DependenceSetMisuse, IsToldOfOnceAndNotDone) {
    int x = 0;
    loomp_dependences_t *set = loomp_dependences_create();
    const std::int64_t index = 0;
    const auto twice = [&](auto call) {
        return told([&] {
            EXPECT_EQ(call(), 1);
            EXPECT_EQ(call(), 1);
        });
    };
    EXPECT_EQ(twice([&] { return loomp_dependences_add(nullptr, LOOMP_DEPEND_IN, &x); }),
              "loomp: loomp_dependences_add: the set is null; ignored: loomp_dependences_create() "
              "makes one\n");
    EXPECT_EQ(twice([&] { return loomp_dependences_add(set, 6, &x); }),
              "loomp: loomp_dependences_add: unknown kind of dependence; ignored: known are "
              "LOOMP_DEPEND_IN, OUT, INOUT, MUTEXINOUTSET and INOUTSET\n");
    EXPECT_EQ(
        twice([&] { return loomp_dependences_add_array(set, LOOMP_DEPEND_IN, nullptr, 1, 1); }),
        "loomp: loomp_dependences_add_array: a location is null; ignored: a location is an "
        "address\n");
    EXPECT_EQ(twice([&] {
                  return loomp_dependences_add_tiles(set, LOOMP_DEPEND_IN, &x, 4, 0, &index, 1);
              }),
              "loomp: loomp_dependences_add_tiles: a tile has 0 elements or more than memory; "
              "ignored: at least 1 is needed\n");
    EXPECT_EQ(twice([&] {
                  return loomp_dependences_add_tiles32(set, LOOMP_DEPEND_IN, &x, 4, 1, nullptr, 1);
              }),
              "loomp: loomp_dependences_add_tiles32: the list of indices is null; ignored\n");
    EXPECT_EQ(loomp_dependences_count(set), 0u);
    auto &core = *reinterpret_cast<DependenceSet *>(set);
    ASSERT_TRUE(core.try_change());
    EXPECT_NE(told([&] { loomp_next_task_depends(set); }).find("another thread is changing"),
              std::string::npos);
    core.end_change();
    loomp_dependences_free(nullptr);
    loomp_dependences_free(set);
    EXPECT_NE(told([&] { loomp_dependences_free(set); }).find("the set was freed"),
              std::string::npos);
    EXPECT_EQ(told([&] { loomp_next_task_depends(set); }), "");
    EXPECT_EQ(loomp_dependences_add(set, LOOMP_DEPEND_IN, &x), 1);
    EXPECT_EQ(loomp_dependences_count(set), 0u);
}

} // namespace
} // namespace loomp::core
