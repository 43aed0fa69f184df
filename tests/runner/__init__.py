"""./test: which cases run, in which order, and what they come to."""
