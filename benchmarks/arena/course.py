"""Simulated courses of two weeks: what was promised of scheduling and ladder, counted.

    python -m benchmarks.arena.course [--seeds 20] [--first 1] [--json courses.json]

A course has 60 participants, 14 days and 600 versions, among them ones that hang, crash or are slow, and a machine that
fails at random. Its days are checked as they end, and its ladder against the strengths that were drawn.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from time import process_time
from typing import NamedTuple

from benchmarks.arena.course_figures import Truth, note_standing, season_of, truth_of
from benchmarks.arena.enrolment import Sizes
from benchmarks.arena.simulated_versions import Kind
from benchmarks.arena.simulation import SimulatedCourse
from tournament.arena.transitions import VersionState

COVERED_GOAL = 0.93
"""Of the differences of all courses together. Those of one course share the errors of its versions: a version that had
luck is missed beside nearly all others, so single courses lie further apart."""


class CourseChecked(NamedTuple):
    """What became of a course."""

    seed: int
    rounds: int
    games: int
    stuck: int
    """Versions that at the end wait for a check or a placement."""

    wrongly_refused: int
    """Sound ones that were refused: what the machine did wrong counted against somebody."""

    checks_failed_by_machine: int
    accepted: int
    counted_for_quotas: int
    rounds_abandoned: int
    longest_wait_beyond: float
    """The most rounds of the quick lane beyond waiting / 8 that a version waited for its placement."""

    uneven_days: int
    """Days and groups on which versions that reached the deals of a day differ by more than one round."""

    full_days: int
    differences: int
    covered: float
    error_ratio: float
    """True errors of versions against those that the ladder tells: 1.0 where these are right."""

    claims: int
    false_claims: int
    finalists: int
    seconds: float
    """Of the processor."""


def check_course(seed: int, sizes: Sizes = Sizes()) -> CourseChecked:  # noqa: B008 (a constant)
    """Plays a course and counts what was promised."""
    begun = process_time()
    course = SimulatedCourse(seed, sizes)
    truths: list[Truth] = []
    for number, _ in enumerate(course.play(), start=1):
        figures = season_of(course)
        note_standing(course, figures)
        if number % 3 == 0 or number >= sizes.days:
            truths.append(truth_of(course, figures))
    differences = sum(one.differences for one in truths)
    return CourseChecked(
        seed=seed,
        rounds=course.rounds_made,
        games=sum(played.order.size for _, played in course.blocks),
        stuck=len(stuck_versions(course)),
        wrongly_refused=sum(version.kind not in (Kind.HANGS, Kind.FAILS) for version in course.refused),
        checks_failed_by_machine=sum(version.checks_failed_by_machine for version in course.versions.values()),
        accepted=sum(version.since is not None and version.owner is not None for version in course.versions.values()),
        counted_for_quotas=sum(course.accepted_a_day.values()),
        rounds_abandoned=course.abandoned,
        longest_wait_beyond=max(wait.rounds - wait.waiting / 8 for wait in course.waits),
        uneven_days=uneven_days(course),
        full_days=sum(
            max(deals.values()) >= sizes.deals_a_day for day in course.days for deals in day.deals.values() if deals
        ),
        differences=differences,
        covered=float(sum(one.covered for one in truths) / max(1, differences)),
        error_ratio=math.sqrt(sum(one.error_ratio**2 for one in truths) / len(truths)),
        claims=sum(one.claims for one in truths),
        false_claims=sum(one.false_claims for one in truths),
        finalists=0 if course.final is None else len(course.final.entrants),
        seconds=process_time() - begun,
    )


def stuck_versions(course: SimulatedCourse) -> list[str]:
    """Returns the versions that nothing more would happen to, and that wait."""
    waiting = (VersionState.RECEIVED, VersionState.CHECKING, VersionState.ACCEPTED)
    return [
        version.name
        for version in course.versions.values()
        if version.state in waiting or (version.state is VersionState.ACTIVE and not version.placed)
    ]


def uneven_days(course: SimulatedCourse) -> int:
    """Returns on how many days versions that were active all day ended further apart than one round."""
    return sum(
        max(deals.values()) - min(deals.values()) > day.most_of_a_round
        for day in course.days
        for deals in day.deals.values()
        if deals and max(deals.values()) >= course.sizes.deals_a_day
    )


def main() -> None:
    """Plays so many courses and prints a line for each, and what they promise together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--deals-a-day", type=int, default=Sizes().deals_a_day)
    parser.add_argument("--json", type=Path, help="write a line for each course")
    options = parser.parse_args()
    checked = []
    for seed in range(options.first, options.first + options.seeds):
        one = check_course(seed, Sizes(deals_a_day=options.deals_a_day))
        checked.append(one)
        print(
            f"seed {one.seed}: {one.rounds} rounds, {one.games} games, {100 * one.covered:.1f} % of {one.differences} "
            f"differences covered, errors {one.error_ratio:.2f} of those told, {one.false_claims} of {one.claims} "
            f"claims false, {one.seconds:.0f} s",
            flush=True,
        )
        if options.json is not None:
            with options.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps(one._asdict()) + "\n")
    covered = sum(one.covered * one.differences for one in checked) / sum(one.differences for one in checked)
    print(
        f"{len(checked)} courses: {sum(one.stuck for one in checked)} versions stuck, "
        f"{sum(one.wrongly_refused for one in checked)} wrongly refused after "
        f"{sum(one.checks_failed_by_machine for one in checked)} checks that the machine failed, "
        f"{sum(one.uneven_days for one in checked)} of {sum(one.full_days for one in checked)} days uneven, "
        f"waits at most {max(one.longest_wait_beyond for one in checked):.2f} rounds beyond waiting / 8 (goal: 2), "
        f"{100 * covered:.2f} % covered (goal: {100 * COVERED_GOAL:.0f} %), from "
        f"{100 * min(one.covered for one in checked):.1f} to {100 * max(one.covered for one in checked):.1f} %"
    )


if __name__ == "__main__":
    main()
