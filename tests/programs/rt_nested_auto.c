// env: LOOMP_PERSISTENT=auto
// Dependences across generations in a program whose repeated graphs are recognised.
#include "rt_nested.c"
