#!/usr/bin/env python3
"""Makes the device images of a program, compiled for the host, images for a GPU by their headers.

as_cuda_image.py PROGRAM OUT: PROGRAM is clang's with -fopenmp-targets=x86_64-pc-linux-gnu. libomptarget
then leaves its images to its CUDA plugin, and that to the driver, which is fake_cuda.
"""

import os
import sys

EM_X86_64, EM_CUDA = 62, 190
ABI_OF_CUDA = bytes((51, 7))  # the system's ABI, and its version
SM_90 = 0x45A  # with 64-bit addresses
# From version 22 on libomptarget reads the target before the image, as well; it is as long.
HOST_TARGET, CUDA_TARGET = b"x86_64-pc-linux-gnu", b"nvptx64-nvidia-cuda"
ROOM_FOR_TARGET = 256


def main(program, out):
    data = bytearray(open(program, "rb").read())
    at, found = data.find(b"\x7fELF", 1), 0
    while at >= 0:
        if int.from_bytes(data[at + 18 : at + 20], "little") == EM_X86_64:
            data[at + 7 : at + 9] = ABI_OF_CUDA
            data[at + 18 : at + 20] = EM_CUDA.to_bytes(2, "little")
            data[at + 48 : at + 52] = SM_90.to_bytes(4, "little")
            target = data.rfind(HOST_TARGET, max(0, at - ROOM_FOR_TARGET), at)
            if target >= 0:
                data[target : target + len(HOST_TARGET)] = CUDA_TARGET
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
