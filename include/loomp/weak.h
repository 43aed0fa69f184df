/* For programs that also run on other runtimes. `#define LOOMP_WEAK` before the first of loomp's
 * headers makes the declared functions weak symbols, which are null without loomp:
 *
 *     #define LOOMP_WEAK
 *     #include <loomp/loomp.h>
 *     ...
 *     if (loomp_suspend)
 *         loomp_suspend(&until_done);
 *
 * The program is then linked without -lloomp, as position-independent code: compilers' default. */
#ifndef LOOMP_WEAK_H
#define LOOMP_WEAK_H

#ifdef LOOMP_WEAK
#define LOOMP_FUNCTION __attribute__((weak))
#else
#define LOOMP_FUNCTION
#endif

#endif
