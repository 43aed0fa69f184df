// Nothing of its own: who loads this library gets the recorder, and behind it the layer for MPI.
