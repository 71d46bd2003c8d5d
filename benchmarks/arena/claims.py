"""False claims on simulated ladders that are looked at after every round while versions arrive.

    python -m benchmarks.arena.claims [--ladders 500] [--first 0] [--json claims.json]

A claim is false where the one that is called better does not expect more points at tables drawn evenly from the field
of that look. A ladder fails with its first false claim, at whichever look. In half of the ladders every other table is
of versions that stand near each other; all other tables are balanced.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from benchmarks.arena.ladders import Course, draw_world
from tournament.arena.season.figures import SeasonFigures

GOAL: Final = 0.065
TABLES: Final = ((2,), (4,), (2, 3))
"""The groups of a simulated ladder, by their players."""

_EQUAL: Final = 1e-9


class LadderChecked(NamedTuple):
    """What one simulated ladder claimed at all its looks."""

    number: int
    course: Course
    players: tuple[int, ...]
    adaptive: bool
    false: int
    """False claims, counted anew at each look."""

    first_false: int | None
    """The look of the first."""

    claims: int
    """At the last look."""

    covered: float
    """Of the true differences of ranked versions at the last look, the share in their 95 % intervals."""


def check_ladder(number: int, *, looks: int = 40, arrivals: int = 20) -> LadderChecked:
    """Returns what a simulated ladder claims; the number says which ladder it is."""
    course = list(Course)[number % len(Course)]
    adaptive = number // len(Course) % 2 == 1
    players = TABLES[number // (2 * len(Course)) % len(TABLES)]
    rng = np.random.default_rng([20, number])
    world = draw_world(course, rng, players=players, adaptive=adaptive, arrivals=arrivals, looks=looks)
    number_of = {name: at for at, name in enumerate(world.names)}
    false, first_false, claims, covered = 0, None, 0, []
    truth_of = {}
    for look, outcomes in world.rounds(rng):
        figures = SeasonFigures(world.contest, outcomes, world.entrants_at(look))
        if figures.compared is None:
            continue
        field = world.field_at(look)
        if field not in truth_of:
            truth_of[field] = world.truth_at(look)
        compared = figures.compared
        true = truth_of[field][[number_of[name] for name in compared.entrants]]
        apart = true[:, None] - true[None, :]
        wrong = int((figures.claimed & (apart <= _EQUAL)).sum())
        false += wrong
        if wrong and first_false is None:
            first_false = look
        claims = int(figures.claimed.sum())
        if look == looks:
            for first in range(len(true)):
                for second in range(first):
                    figure = compared.difference(compared.entrants[first], compared.entrants[second]).figure
                    if figure.low is not None and figure.high is not None:
                        covered.append(figure.low <= apart[first, second] <= figure.high)
    return LadderChecked(
        number, course, players, adaptive, false, first_false, claims, float(np.mean(covered)) if covered else math.nan
    )


def check_ladders(numbers: Sequence[int], **sizes: int) -> Iterator[LadderChecked]:
    """Yields what each of some ladders claims."""
    return (check_ladder(number, **sizes) for number in numbers)


def standard_error(share: float, count: int) -> float:
    """Returns the binomial standard error of a share of so many ladders."""
    return math.sqrt(share * (1.0 - share) / count)


def _line(name: str, checked: Sequence[LadderChecked]) -> str:
    failed = sum(one.first_false is not None for one in checked)
    share = failed / len(checked)
    covered = float(np.mean([one.covered for one in checked]))
    claims = float(np.mean([one.claims for one in checked]))
    return (
        f"{name:<34} {len(checked):>4} ladders, {failed:>3} with a false claim ({100 * share:.1f} % +- "
        f"{100 * standard_error(share, len(checked)):.1f}), {claims:.1f} claims at the end, "
        f"{100 * covered:.1f} % of differences in their intervals"
    )


def main() -> None:
    """Checks so many ladders and prints how many made a false claim."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ladders", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the number of the first ladder")
    parser.add_argument("--json", type=Path, help="write a line for each ladder")
    options = parser.parse_args()
    checked = []
    for one in check_ladders(range(options.first, options.first + options.ladders)):
        checked.append(one)
        if options.json is not None:
            with options.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps(one._asdict()) + "\n")
    for course in Course:
        print(_line(course.value, [one for one in checked if one.course is course]))
    for adaptive in (False, True):
        own = [one for one in checked if one.adaptive is adaptive]
        if own:
            print(_line("every other table of near ones" if adaptive else "balanced tables", own))
    print(_line(f"all (goal: at most {100 * GOAL:.1f} %)", checked))


if __name__ == "__main__":
    main()
