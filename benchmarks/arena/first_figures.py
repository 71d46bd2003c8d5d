"""How long a hand-in waits for its first figures on the ladder, and for what.

    python -m benchmarks.arena.first_figures [--hand-ins 3] [--isolation sandbox]

An arena is made and run as a host runs it, with a game and house bots that are quick. Bots are handed in one after the
other; each is followed from the moment when the site has it until the ladder shows its figures. The moments between
come from the rows, which are asked four times a second, and from what the check and the round write.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.arena.load import running
from benchmarks.quiet import Ear
from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.settings_file import ArenaFile
from tournament.paths import data_folder

GOAL_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.25
MOST_SECONDS: Final = 600.0
NAME: Final = "cup"
HOST: Final = "host"
PROGRAM: Final = "random_legal.py"
RULES: Final = """\
title: Winter Cup
games: [{game: scout, players: 3}]
house: [random, cautious, steady, strong]
isolation: ISOLATION
bots_a_participant: 100
versions_a_day: 100
"""


class FirstFigures(NamedTuple):
    """When what happened to one version, in seconds since it was handed in."""

    check_begun: float
    accepted: float
    round_planned: float
    round_begun: float
    """When its run was begun."""

    first_game: float
    round_complete: float
    figures: float
    """When the ladder shows it with figures."""

    games: int
    """Of its placement."""


class _NotInTimeError(Exception):
    """Something that was waited for has not come."""


def _moment(since: float, condition: Callable[[], object]) -> float:
    while not condition():
        if time.monotonic() - since > MOST_SECONDS:
            raise _NotInTimeError
        time.sleep(LOOK_SECONDS)
    return time.monotonic() - since


def hand_in_and_follow(arena: ArenaFolder, competition: Any, number: int) -> FirstFigures:
    """Returns when what happened to a version that is handed in now."""
    from django.contrib.auth import get_user_model

    from tournament.arena.ladder_file import read_ladder
    from tournament.arena.models import RoundRow, VersionRow
    from tournament.arena.taking_part.handing_in import hand_in
    from tournament.arena.taking_part.joining import join, make_bot
    from tournament.arena.transitions import RoundState, VersionState
    from tournament.records.results import RESULTS_FILE

    folder, name = arena.competition(NAME), f"bot{number}"
    account = get_user_model().objects.create_user(username=f"owner{number}")
    now = datetime.now(UTC)
    join(account, competition, now=now, consents=True)
    bot = make_bot(account, competition, name, now=now)
    # each is a program of its own, or it would be one version
    program = f"# {number}\n".encode() + (data_folder("bots") / PROGRAM).read_bytes()
    hand_in(account, bot, file_name="bot.py", chunks=[program], now=now)
    since = time.monotonic()

    def state() -> str:
        return str(VersionRow.objects.get(bot=bot).state)

    def placement() -> RoundRow | None:
        return RoundRow.objects.filter(competition=competition, versions__bot=bot, kind="placement").first()

    def results() -> Path:
        row = placement()
        assert row is not None, "it has been planned"
        return folder.round(row.number) / RESULTS_FILE

    def is_shown() -> bool:
        ladder = read_ladder(folder)
        row = None if ladder is None else ladder.row_of_bot(name)
        return row is not None and row.points is not None

    check_begun = _moment(since, lambda: state() != VersionState.RECEIVED)
    accepted = _moment(since, lambda: state() not in (VersionState.RECEIVED, VersionState.CHECKING))
    if state() not in (VersionState.ACCEPTED, VersionState.ACTIVE):
        raise SystemExit(f"The version was refused: {VersionRow.objects.get(bot=bot).why}")
    planned = _moment(since, placement)
    begun = _moment(since, results().exists)
    first_game = _moment(since, lambda: results().stat().st_size)
    complete = _moment(since, lambda: (row := placement()) is not None and row.state == RoundState.COMPLETE)
    figures = _moment(since, is_shown)
    row = placement()
    return FirstFigures(
        check_begun=check_begun,
        accepted=accepted,
        round_planned=planned,
        round_begun=begun,
        first_game=first_game,
        round_complete=complete,
        figures=figures,
        games=0 if row is None else row.games,
    )


def measure(place: Path, *, hand_ins: int, isolation: str) -> list[FirstFigures]:
    """Returns how it went for each hand-in at an arena in a new folder. Once in a process: Django is set up for it."""
    from tournament.arena.operating.founding import found_arena

    arena = ArenaFolder(place.resolve() / "arena")
    found_arena(arena.path, ArenaFile(), host=HOST)
    row = _open_competition(isolation)
    with running(arena, "referee"):
        try:
            return [hand_in_and_follow(arena, row, number) for number in range(1, hand_ins + 1)]
        except _NotInTimeError:
            said = (arena.path.parent / "referee.txt").read_text("utf-8")
            raise SystemExit(f"It took longer than {MOST_SECONDS:.0f} s. The referee said:\n{said}") from None


def _open_competition(isolation: str) -> Any:
    from django.contrib.auth import get_user_model

    from tournament.arena.hosting.competitions import change_state, create_competition
    from tournament.arena.transitions import CompetitionState

    host, now = get_user_model().objects.get(username=HOST), datetime.now(UTC)
    row = create_competition(host, NAME, RULES.replace("ISOLATION", isolation), now=now)
    change_state(row, CompetitionState.OPEN, account=host, now=now)
    return row


def report(found: list[FirstFigures]) -> str:
    """Returns a line for each hand-in, and the middle one against the goal."""
    lines = [
        f"hand-in {number}: check begun {one.check_begun:.1f} s, accepted {one.accepted:.1f} s, placement planned "
        f"{one.round_planned:.1f} s, begun {one.round_begun:.1f} s, first game {one.first_game:.1f} s, its {one.games} "
        f"games complete {one.round_complete:.1f} s, figures {one.figures:.1f} s"
        for number, one in enumerate(found, start=1)
    ]
    middle = statistics.median(one.figures for one in found)
    return "\n".join([*lines, f"First figures after {middle:.1f} s in the middle (goal {GOAL_SECONDS:.0f} s)."])


def main() -> None:
    """Measures, and prints it with what else the machine did."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hand-ins", type=int, default=3, help="one after the other")
    parser.add_argument("--isolation", default="sandbox", help="of the bots")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        ear = Ear()
        found = measure(Path(place), hand_ins=options.hand_ins, isolation=options.isolation)
        print(report(found), flush=True)
        noise = ear.noise("the whole benchmark, the arena's processes among the others", name_busy=True)
    if noise is not None:
        print(noise.text())


if __name__ == "__main__":
    main()
