"""Building the benchmark programs, running them on the runtimes, and comparing the results."""
