// How entry points are exported. src/abi/exports/libloomp.map assigns symbol versions.
#pragma once

/// Visible outside libloomp.so, with C linkage.
#define LOOMP_EXPORT extern "C" __attribute__((visibility("default")))

/// Makes `name`, defined in this file, known under one of libgomp's versions as well.
#define LOOMP_SINCE(version, name) asm(".symver " #name "," #name "@" #version)
