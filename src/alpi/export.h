// How the library's functions are exported.
#pragma once

#define LOOMP_EXPORT extern "C" __attribute__((visibility("default")))
