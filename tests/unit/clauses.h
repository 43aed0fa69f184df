// Clauses of the oracle (tests/order/dependence_order.h) as the core takes them.
#pragma once

#include <vector>

#include "../order/dependence_order.h"
#include "support.h"

namespace loomp::core::test {

static_assert(static_cast<int>(order::Kind::in) == static_cast<int>(Access::in) &&
              static_cast<int>(order::Kind::inoutset) == static_cast<int>(Access::inoutset) &&
              static_cast<int>(order::Kind::mutexinoutset) ==
                  static_cast<int>(Access::mutexinoutset) &&
              static_cast<int>(order::Kind::inout) == static_cast<int>(Access::inout));

/// The clause with the elements of `memory` for its locations.
inline std::vector<Dependence> dependences(const order::Clause &clause, const int *memory) {
    std::vector<Dependence> list;
    if (clause.all_memory())
        list.push_back({nullptr, Access::inout, true});
    for (const order::Item &item : clause.items())
        list.push_back(on(&memory[item.location], static_cast<Access>(item.kind)));
    return list;
}

/// The code of a task in a test of orders: it notes when it runs, yields now and then, and takes
/// some time.
inline void spend_time(order::Run &run, order::Run::Clock &clock) {
    const int begun = run.begin(clock);
    if (begun % 7 == 0)
        taskyield();
    for (int i = 0; i < begun % 50; ++i)
        cpu_relax();
}

} // namespace loomp::core::test
