// Checks the terms of CCZ4 against another form of the same equations.
#pragma once

#include "common/report.h"

namespace enclave {

// Fields are chosen so that no term is zero, constraints included: the rates of change that
// Ccz4::source() and product() give are those of Z4, whose metric is in one piece. All derivatives
// are of sixth order, so every wrong factor, sign and index shows.
void check_ccz4(apps::Report &report);

} // namespace enclave
