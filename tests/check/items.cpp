// For tests/check/oracle.py: leaves out each depend item of a run in turn, and prints what the
// checker finds: the construct's code and the item's number; races, those that name the construct,
// whether one names the item's address; the construct's place.
#include <algorithm>
#include <cstdio>

#include "profiler/check/races.h"
#include "profiler/recording/code_names.h"

using namespace loomp::check;

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fputs("usage: check_items FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    const loomp::analysis::CodeNames names(folder / LOOMP_CHECK_MAPS);
    for (const RunItem &item : items_of(folder, 1000)) {
        int races = 0, construct = 0;
        bool clause = false;
        for (const Finding &finding : find_conflicts(folder, item.item).findings) {
            if (finding.excluded)
                continue;
            ++races;
            const Side &at = finding.advice.at == 0 ? finding.earlier : finding.later;
            for (const auto code : {finding.earlier.construct, finding.earlier.caller,
                                    finding.later.construct, finding.later.caller})
                if (code == item.item.construct) {
                    ++construct;
                    break;
                }
            clause |= finding.advice.kind == Advice::Kind::add &&
                      at.construct == item.item.construct &&
                      std::none_of(at.items.begin(), at.items.end(), [&](const Item &own) {
                          return own.address == finding.advice.address;
                      });
        }
        std::printf("%lx %zu %d %d %d %s\n", item.item.construct, item.item.number, races,
                    construct, clause ? 1 : 0, names.caller(item.item.construct).label.c_str());
    }
    return 0;
}
