// What a program could reach on the machine that it runs on: the roofline of Williams, Waterman and
// Patterson (2009). Memory bandwidth and arithmetic are measured in the same run, by the same
// threads, on all ranks at once, so that a share of them means something on any machine, whatever
// else runs on it.
#pragma once

#include "common/report.h"

#include <cstddef>

namespace apps {

// What all threads of all ranks reach together.
struct Machine {
    double bytes_per_second; // of a triad, a = b + s c; 24 bytes an element, as STREAM counts them
    double
        flops_per_second; // of multiply-adds on registers, with the widest vectors that there are
};

// Takes about half a second, and 200 MB a rank. By all ranks.
Machine measure_machine();

// What a program's work asks of the machine, all in all: each value that has to be read or written
// once, and each operation of the source once, a multiply-add as two.
struct Demand {
    double flops;
    double bytes;
};

// Lines on the machine, on the work, and on the share that `seconds` for it are of what the
// roofline allows. By all ranks.
void report_roofline(Report &report, const Machine &machine, const Demand &demand, double seconds);

} // namespace apps
