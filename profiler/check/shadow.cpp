#include "profiler/check/shadow.h"

#include <algorithm>
#include <utility>

namespace loomp::check {

namespace {

/// Uses that nothing orders are kept up to this number. Then one goes: a later write that conflicts
/// with one of so many mostly conflicts with others, too.
constexpr std::size_t kMostUses = 64;

/// The oldest read of a construct and an instruction that have made another one; otherwise the
/// oldest use.
std::size_t dispensable(const std::vector<Use> &uses, const Order &order) {
    const auto alike = [&order](const Use &one, const Use &other) {
        return one.how == other.how && one.code == other.code &&
               order.task(order.segments().task_of(one.segment)).code ==
                   order.task(order.segments().task_of(other.segment)).code;
    };
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (uses[i].how == How::read &&
            std::any_of(uses.begin() + static_cast<std::ptrdiff_t>(i) + 1, uses.end(),
                        [&](const Use &other) { return alike(uses[i], other); }))
            return i;
    return 0;
}

} // namespace

/// Both parts keep the uses. Returns the second one.
Shadow::Pieces::iterator Shadow::split(Pieces::iterator piece, Address at) {
    const Address end = std::exchange(piece->second.end, at);
    return pieces_.emplace_hint(std::next(piece), at, Piece{end, piece->second.uses});
}

/// The first piece that begins at an address or behind it, after one that contains it is split
/// there.
Shadow::Pieces::iterator Shadow::first_from(Address begin) {
    const auto at = pieces_.lower_bound(begin);
    if (at != pieces_.begin() && std::prev(at)->second.end > begin)
        return split(std::prev(at), begin);
    return at;
}

void Shadow::add(Address begin, Piece &piece, const Use &use) {
    const Segments &segments = order_.segments();
    const TaskNumber task = segments.task_of(use.segment);
    if (std::any_of(piece.uses.begin(), piece.uses.end(), [&use](const Use &old) {
            return old.segment == use.segment && old.owner == use.owner &&
                   (old.how == use.how || old.how == How::write);
        }))
        return; // it has been compared
    std::erase_if(piece.uses, [&](const Use &old) {
        if (old.owner != use.owner) // of a frame that does not exist any more
            return true;
        if (old.segment == use.segment)
            return use.how == How::write;
        const bool both_read = old.how == How::read && use.how == How::read;
        if (both_read && segments.task_of(old.segment) != task &&
            old.segment >= segments.all_before())
            return false; // a search that hardly pays
        const bool ordered = order_.segments().precedes(old.segment, use.segment);
        const std::uint32_t old_locks = segments.locks_of(old.segment);
        const std::uint32_t locks = segments.locks_of(use.segment);
        if (!ordered && !both_read)
            found_({begin, piece.end, old, use,
                    (old.how != How::write && use.how != How::write) ||
                        order_.locks().share(old_locks, locks)});
        // Whatever would race with the old one must race with the newer one.
        const bool stronger = use.how == How::write || old.how == How::read || old.how == use.how;
        return ordered && (use.how != How::read || both_read) && stronger &&
               order_.locks().contains(old_locks, locks);
    });
    if (piece.uses.size() >= kMostUses)
        piece.uses.erase(piece.uses.begin() +
                         static_cast<std::ptrdiff_t>(dispensable(piece.uses, order_)));
    piece.uses.push_back(use);
}

/// When everything so far is ordered before what follows, nothing of it is needed any more.
void Shadow::clear_all() {
    const SegmentNumber before = order_.segments().all_before();
    if (before <= cleared_)
        return;
    cleared_ = before;
    pieces_.clear();
}

void Shadow::use(Address begin, Address end, const Use &use) {
    clear_all();
    auto at = first_from(begin);
    while (begin < end) {
        const Address next = at == pieces_.end() ? end : std::min(at->first, end);
        if (begin < next) {
            at = std::next(pieces_.emplace_hint(at, begin, Piece{next, {use}}));
            begin = next;
            continue;
        }
        if (at->second.end > end)
            split(at, end);
        add(begin, at->second, use);
        begin = at->second.end;
        ++at;
    }
}

void Shadow::forget(Address begin, Address end) {
    auto at = first_from(begin);
    while (at != pieces_.end() && at->first < end) {
        if (at->second.end > end)
            split(at, end);
        at = pieces_.erase(at);
    }
}

} // namespace loomp::check
