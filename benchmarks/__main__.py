"""`make bench`: every measurement that takes minutes at most, one after the other in one run.

What is about one core is pinned to one; workers, and what other tools are compared with, take the cores they need.
"""

from __future__ import annotations

import os
from types import ModuleType

from benchmarks import isolation, kaggle, ranking_speed, records, rules, scaling
from tournament.workers import pinned

ON_ONE_CORE = (rules, records, isolation, ranking_speed)
ON_ALL_CORES = (scaling, kaggle)


def main() -> None:
    """Prints each table."""
    with pinned(min(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None):
        for benchmark in ON_ONE_CORE:
            measure(benchmark)
    for benchmark in ON_ALL_CORES:
        measure(benchmark)


def measure(benchmark: ModuleType) -> None:
    """Prints one table under what it is about."""
    print(f"## {(benchmark.__doc__ or '').splitlines()[0]}\n", flush=True)
    benchmark.main()
    print()


if __name__ == "__main__":
    main()
