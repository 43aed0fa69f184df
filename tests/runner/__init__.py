"""./test: selects the cases and their order, runs them, and reports the results."""
