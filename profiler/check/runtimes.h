/* The libraries whose code is none of the program's, by the begin of their files' names: runtimes,
 * and libraries that synchronise by themselves. */
#ifndef LOOMP_CHECK_RUNTIMES_H
#define LOOMP_CHECK_RUNTIMES_H

/* clang-format off */
#define LOOMP_CHECK_RUNTIMES                                                                       \
    "libloomp", "libgomp", "libomp", "libiomp", "ld-linux", "ld-", "libpthread", "libstdc++",      \
    "libgcc_s", "libdl", "librt", "libgfortran", "libquadmath", "libmpi", "libmpich", "libopen-",  \
    "mca_", "libpmix", "libhwloc", "libevent", "libuc", "libfabric", "libib", "librdmacm",         \
    "libpsm", "libdw", "libelf", "libz.so"
/* clang-format on */

#endif
