#!/usr/bin/env python3
"""Makes the device images of a program, compiled for the host, images for a GPU by their headers.

as_cuda_image.py PROGRAM OUT: PROGRAM is clang's with -fopenmp-targets=x86_64-pc-linux-gnu. libomptarget
then leaves its images to its CUDA plugin, and that to the driver, which is fake_cuda.
"""

import os
import sys

EM_X86_64, EM_CUDA = 62, 190
SM_90 = 0x45A  # with 64-bit addresses


def main(program, out):
    data = bytearray(open(program, "rb").read())
    at, found = data.find(b"\x7fELF", 1), 0
    while at >= 0:
        if int.from_bytes(data[at + 18 : at + 20], "little") == EM_X86_64:
            data[at + 18 : at + 20] = EM_CUDA.to_bytes(2, "little")
            data[at + 48 : at + 52] = SM_90.to_bytes(4, "little")
            found += 1
        at = data.find(b"\x7fELF", at + 1)
    if found == 0:
        sys.exit(f"{program}: no image for the host in it: compile it with -fopenmp-targets=x86_64-pc-linux-gnu")
    with open(out, "wb") as file:
        file.write(data)
    os.chmod(out, 0o755)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: as_cuda_image.py PROGRAM OUT")
    main(*sys.argv[1:])
