"""`make bench`: every measurement that takes minutes at most, one after the other, pinned to one core."""

from __future__ import annotations

import os

from benchmarks import isolation, ranking_speed, records, rules


def main() -> None:
    """Prints each table."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for benchmark in (rules, records, isolation, ranking_speed):
        print(f"## {benchmark.__doc__.splitlines()[0]}\n")
        benchmark.main()
        print()


if __name__ == "__main__":
    main()
