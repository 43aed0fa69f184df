// Lists that many threads push to, and one takes as a whole, have the last comer first.
#pragma once

namespace loomp::core {

/// The list from its other end, linked by `next`; the caller owns it.
template <class Node> Node *reversed(Node *list) {
    Node *result = nullptr;
    while (list != nullptr) {
        Node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

} // namespace loomp::core
