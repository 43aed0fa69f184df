"""The experiments of R. Pereira's thesis (2023), chapters 5 and 6, and of the A64FX paper (2024), on this machine."""
