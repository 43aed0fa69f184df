"""A driver for GCC's libgomp test-suite that needs neither DejaGnu nor a GCC build tree.

suite       where the tests come from, and which there are
tcl         the little Tcl that directives are written in
selectors   which target conditions hold on this machine
directives  one test's directives, turned into a recipe: flags, environment, expectations
compilers   what each compiler needs, and how its command line looks
build       recipe -> executable, once, kept in the cache
runtimes    which library an executable finds when it starts
execute     executable -> verdict, with a time limit
kinds       in which way a test has failed
expected    the lists of expected failures
report      verdicts -> text, comparison with expectations
leaving     the end of a run that cannot start here
cli         the command line
llvm        the same for LLVM's own tests of libomp, which LLVM's lit runs
"""
