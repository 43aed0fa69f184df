// This library only loads the recorder and, after it, the layer for MPI.
