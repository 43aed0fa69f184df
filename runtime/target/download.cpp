#include "runtime/target/download.h"

#include <vector>

namespace loomp::target {

namespace {

bool has(std::int64_t type, MapType bit) { return (type & bit) != 0; }

bool is_plain_download(const Mapping &mapping, std::int32_t i) {
    constexpr std::int64_t others =
        kMapTo | kMapPointer | kMapPrivate | kMapLiteral | kMapStrided | kMapMember;
    const bool has_mapper = mapping.mappers != nullptr && mapping.mappers[i] != nullptr;
    return has(mapping.types[i], kMapFrom) && (mapping.types[i] & others) == 0 &&
           mapping.sizes[i] > 0 && !has_mapper;
}

/// The items of a mapping that are on the device.
struct Items {
    std::vector<void *> bases, begins, names;
    std::vector<std::int64_t> sizes;

    Items(const Mapping &mapping, std::int64_t device) {
        for (std::int32_t i = 0; i < mapping.count; ++i) {
            const bool present =
                library()->is_present(mapping.begins[i], static_cast<int>(device)) != 0;
            // A required item that is absent is an error, which libomptarget reports.
            if (!present && !has(mapping.types[i], kMapPresent))
                continue;
            bases.push_back(mapping.bases[i]);
            begins.push_back(mapping.begins[i]);
            names.push_back(mapping.names != nullptr ? mapping.names[i] : nullptr);
            sizes.push_back(mapping.sizes[i]);
        }
    }
    Mapping as(std::vector<std::int64_t> &types, std::int64_t type) {
        types.assign(sizes.size(), type);
        return {static_cast<std::int32_t>(sizes.size()),
                bases.data(),
                begins.data(),
                sizes.data(),
                types.data(),
                names.data(),
                nullptr};
    }
};

} // namespace

bool only_downloads(const Mapping &mapping) {
    for (std::int32_t i = 0; i < mapping.count; ++i)
        if (!is_plain_download(mapping, i))
            return false;
    return true;
}

void download(const void *location, std::int64_t device, const Mapping &mapping) {
    Items items(mapping, device);
    std::vector<std::int64_t> types;
    // This call neither moves data nor waits.
    library()->call_data(DataConstruct::begin, location, device, items.as(types, kMapPresent));
    library()->begin_data(DataConstruct::end, location, device,
                          items.as(types, kMapAlways | kMapFrom));
}

} // namespace loomp::target
