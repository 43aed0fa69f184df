"""The options of the benchmarks that compare runtimes."""

import argparse
from pathlib import Path

from . import build, runtimes


def parser(about, example):
    p = argparse.ArgumentParser(description=about, epilog=f"Example: {example}", formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--runtimes", default=",".join(runtimes.NAMES), help="default: %(default)s")
    p.add_argument("--loomp", type=Path, default=runtimes.DEFAULT_LOOMP, metavar="DIR",
                   help="folder with loomp's libomp.so.5 and libgomp.so.1 (default: %(default)s)")
    p.add_argument("--cache", type=Path, default=build.DEFAULT_CACHE, metavar="DIR",
                   help="programs and runtimes (default: %(default)s)")
    return p


def parse(p):
    args = p.parse_args()
    args.runtimes = args.runtimes.split(",")
    unknown = set(args.runtimes) - set(runtimes.NAMES)
    if unknown:
        p.error(f"no runtime '{unknown.pop()}': choose from {','.join(runtimes.NAMES)}")
    args.loomp, args.cache = args.loomp.resolve(), args.cache.resolve()
    return args
