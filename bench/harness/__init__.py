"""Builds the benchmark programs, runs them on the runtimes, and compares the results."""
