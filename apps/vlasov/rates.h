// Rates of the field, measured in the window that the case names (plasma.h).
#pragma once

#include "vlasov/field.h"
#include "vlasov/plasma.h"

#include <vector>

namespace vlasov {

struct Rates {
    double omega = 0; // 0: the fit has none
    double gamma = 0;
    bool found = false; // false: too little of a wave in the window
};

// The line through the maxima of the logarithm of the norm; the frequency from their distance,
// which is half a period.
Rates fit_peaks(const std::vector<Moment> &history, double from, double to);
// The lines through logarithm and phase of the first mode.
Rates fit_mode(const std::vector<Moment> &history, double from, double to);
// gamma: between the first two maxima of the norm.
Rates fit_first_peaks(const std::vector<Moment> &history);

} // namespace vlasov
