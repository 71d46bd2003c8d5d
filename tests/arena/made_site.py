"""A competition as visitors find it: a host, participants with bots, a ladder, and a round that was really played."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from arena.making import NOON, RULES, make_account, make_bot, make_competition, make_participant, make_version
from django.test import Client

from tournament import run_tournament
from tournament.arena.files import ROUND_FILE, Lane, RoundEntrant, RoundFile, RoundKind, format_moment, write_json
from tournament.arena.ladder_file import LadderFile, LadderGroup, LadderMeeting, LadderRow, StrengthPoint, write_ladder
from tournament.arena.models import RoundRow, VersionRow
from tournament.arena.places import arena_folder, competition_folder
from tournament.arena.transitions import RoundState
from tournament.configuration.file import read_configuration
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget, GameEntry
from tournament.paths import data_folder
from tournament.records.figures import Figure
from tournament.records.run import Format

GROUP = "explorers-2p"

RUN = """\
name: cup-round-1
games: [{{game: explorers, players: 2}}]
budget: {{deals: 2}}
isolation: none
compress: true
bots:
  - {{name: breaker.v1, bot: {folder}/breaks.py}}
  - {{name: keeper.v1, bot: {bots}/random_legal.py}}
"""

BREAKS = '''
import sys
from tournament import Bot

class Breaks(Bot):
    """Breaks at its third move."""

    def act(self, view, legal):
        print("words of breaker", file=sys.stderr)
        self.moves = getattr(self, "moves", 0) + 1
        if self.moves % 3 == 0:
            raise RuntimeError("words of its traceback")
        return legal[0]
'''


def client_of(account=None, **options):
    """Returns a visitor, logged in with an account."""
    client = Client(headers={"host": "127.0.0.1"}, **options)
    if account is not None:
        client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    return client


def play_round(folder: Path) -> Path:
    """Plays a round of two bots, one of which breaks, and returns its folder."""
    (folder / "breaks.py").write_text(BREAKS)
    path = folder / "round.yaml"
    path.write_text(RUN.format(bots=data_folder("bots"), folder=folder))
    return run_tournament(resolve(read_configuration(path)), out=folder / "run")


class MadeSite(NamedTuple):
    """Who and what there is."""

    host: Any
    other_host: Any
    stranger: Any
    keeper_owner: Any
    breaker_owner: Any
    competition: Any
    round: RoundRow


def make_site(run: Path, *, rules: str = RULES) -> MadeSite:
    """Makes the competition `cup` in the arena that Django is set to; `run` is copied as its first round."""
    folder = arena_folder()
    host, other_host, stranger = map(make_account, ("host", "otherhost", "stranger"))
    cup = make_competition(folder, rules=rules, host=host)
    make_competition(folder, "second", host=other_host)
    participants = [make_participant(cup, name) for name in ("ada", "bob")]
    versions = [
        make_version(make_bot(owner, name)) for owner, name in zip(participants, ("keeper", "breaker"), strict=True)
    ]
    played = make_round(cup, versions, run)
    write_ladder(competition_folder(cup), made_ladder())
    return MadeSite(host, other_host, stranger, participants[0].account, participants[1].account, cup, played)


def make_round(competition: Any, versions: list[Any], run: Path, *, number: int = 1, state: str = "complete"):
    """Returns a round of a competition whose folder is a copy of a run."""
    folder = competition_folder(competition).round(number)
    shutil.copytree(run, folder)
    entrants = [
        RoundEntrant(name=f"{one.bot.name}.v{one.number}", bot=one.bot.name, number=one.number, digest=one.digest)
        for one in versions
    ]
    file = RoundFile(
        competition=competition.name,
        season=1,
        number=number,
        kind=RoundKind.LADDER,
        lane=Lane.LONG,
        planned=format_moment(NOON),
        environment="0" * 64,
        entrants=tuple(entrants),
        games=(GameEntry(game="explorers", players=2),),
        schedule=Format.ROUND_ROBIN,
        budget=Budget(deals=2),
        state=RoundState(state),
    )
    write_json(folder / ROUND_FILE, file)
    row = RoundRow.objects.create(
        competition=competition,
        number=number,
        season=1,
        kind="ladder",
        lane="long",
        state=state,
        planned=NOON,
        started=NOON,
        ended=NOON if state == "complete" else None,
        games=8 if state == "complete" else 0,
    )
    row.versions.set(versions)
    return row


def figure(value: float, *, half: float) -> Figure:
    """Returns a value with an interval."""
    return Figure(value=value, error=half / 2, low=value - half, high=value + half, deals=40)


def ladder_row(bot: str, strength: float, **others: Any) -> LadderRow:
    """Returns a row of the ladder."""
    made: dict[str, Any] = {
        "name": f"{bot}.v1",
        "bot": bot,
        "number": 1,
        "provisional": False,
        "points": figure(strength / 3000, half=0.05),
        "strength": figure(strength, half=60),
        "strength_by_group": {GROUP: strength},
        "points_by_group": {GROUP: strength / 3000},
        "deals": {GROUP: 40},
        "games": 80,
        "faults": {},
        "since": format_moment(NOON),
        "history": tuple(StrengthPoint(number, strength + number * 5) for number in range(1, 6)),
    }
    return LadderRow(**made | others)


def made_ladder() -> LadderFile:
    """Returns the ladder of `cup`."""
    return LadderFile(
        competition="cup",
        season=1,
        made=format_moment(NOON),
        rounds=5,
        last_round=5,
        games=400,
        anchor="random_legal",
        groups=(LadderGroup(group=GROUP, game="explorers", weight=1.0, deals=200, games=400),),
        rows=(
            ladder_row("keeper", 1612, rank=1, best_rank=1, worst_rank=1, above=("random_legal",)),
            ladder_row("random_legal", 1500, name="random_legal", number=None, house=True, since=None),
            ladder_row("breaker", 1320, provisional=True, faults={"crash": 7}),
        ),
        former=(),
        meetings=(LadderMeeting(0, 1, 60, 40, 5), LadderMeeting(0, 2, 20, 20, 0)),
        left_out=(),
    )


def make_playing(site, run, *, games: int, number: int = 2):
    """Returns a round whose first games have results, and whose records are all on the disk."""
    row = make_round(site.competition, list(VersionRow.objects.order_by("pk")), run, number=number, state="playing")
    folder = competition_folder(site.competition).round(number)
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(b"".join(lines[:games]))
    info = json.loads((folder / "run.json").read_text()) | {"state": "running"}
    for segment in info["segments"]:
        for name in ("extent", "master", "salt"):
            segment.pop(name, None)
    info.pop("finished", None)
    (folder / "run.json").write_text(json.dumps(info))
    return row
