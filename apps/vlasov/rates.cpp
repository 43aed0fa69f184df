#include "vlasov/rates.h"

#include <cmath>
#include <cstddef>

namespace vlasov {

namespace {

struct Point {
    double time;
    double value;
};

// The slope of the line through the points by least squares.
double slope(const std::vector<Point> &points) {
    double time = 0;
    double value = 0;
    for (const Point &point : points) {
        time += point.time;
        value += point.value;
    }
    time /= static_cast<double>(points.size());
    value /= static_cast<double>(points.size());
    double above = 0;
    double below = 0;
    for (const Point &point : points) {
        above += (point.time - time) * (point.value - value);
        below += (point.time - time) * (point.time - time);
    }
    return above / below;
}

// The maxima of the norm, as logarithms: each that of the parabola through three points of the
// norm.
std::vector<Point> peaks(const std::vector<Moment> &history) {
    std::vector<Point> found;
    for (std::size_t n = 1; n + 1 < history.size(); ++n) {
        const double before = history[n - 1].norm;
        const double here = history[n].norm;
        const double after = history[n + 1].norm;
        if (!(here > before && here >= after))
            continue;
        const double bend = before - 2 * here + after;
        const double off = 0.5 * (before - after) / bend; // in steps
        const double step = history[n].time - history[n - 1].time;
        found.push_back(
            {history[n].time + off * step, std::log(here - 0.25 * (before - after) * off)});
    }
    return found;
}

} // namespace

Rates fit_peaks(const std::vector<Moment> &history, double from, double to) {
    std::vector<Point> chosen;
    for (const Point &peak : peaks(history))
        if (peak.time >= from && peak.time <= to)
            chosen.push_back(peak);
    if (chosen.size() < 3)
        return {};
    std::vector<Point> order;
    for (const Point &peak : chosen)
        order.push_back({static_cast<double>(order.size()), peak.time});
    return {M_PI / slope(order), slope(chosen), true};
}

Rates fit_mode(const std::vector<Moment> &history, double from, double to) {
    std::vector<Point> logarithm;
    std::vector<Point> phase;
    double turned = 0;
    for (const Moment &moment : history) {
        if (moment.time < from || moment.time > to)
            continue;
        const double size = std::hypot(moment.mode_cosine, moment.mode_sine);
        const double angle = std::atan2(moment.mode_sine, moment.mode_cosine);
        // The phase goes on where the angle comes round.
        turned = phase.empty() ? angle : turned + std::remainder(angle - turned, 2 * M_PI);
        logarithm.push_back({moment.time, std::log(size)});
        phase.push_back({moment.time, turned});
    }
    if (phase.size() < 3)
        return {};
    return {slope(phase), slope(logarithm), true};
}

Rates fit_first_peaks(const std::vector<Moment> &history) {
    const std::vector<Point> found = peaks(history);
    if (found.size() < 2)
        return {};
    return {0, (found[1].value - found[0].value) / (found[1].time - found[0].time), true};
}

} // namespace vlasov
