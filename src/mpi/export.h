// How the layer's functions are exported: under MPI's own names, ahead of the library's.
#pragma once

#define LOOMP_EXPORT extern "C" __attribute__((visibility("default")))
