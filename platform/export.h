// The export of entry points. runtime/abi/exports/libloomp.map.in assigns symbol versions.
#pragma once

/// Visible outside libloomp.so, with C linkage.
#define LOOMP_EXPORT extern "C" __attribute__((visibility("default")))

/// Exports `name`, defined in this file, under one of libgomp's versions as well. It adds a second
/// symbol for the same code, which exists only under that version. The first one becomes
/// `name@@VERSION` here, not by the version script. ld.bfd takes a symbol without a version for an
/// alias of the second at the same place, and drops it.
#define LOOMP_SINCE(version, name)                                                                 \
    asm(".globl " #name "." #version "\n\t"                                                        \
        ".set " #name "." #version "," #name "\n\t"                                                \
        ".symver " #name "." #version "," #name "@" #version ",remove\n\t"                         \
        ".symver " #name "," #name "@@VERSION,remove")
