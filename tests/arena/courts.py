"""Competitions for the tests of the referee: a folder, its rows, and bots handed in whose programs are there."""

from __future__ import annotations

import shutil
import time
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import msgspec
import yaml

from tournament.arena.files import (
    COMPETITION_FILE,
    VERSION_FILE,
    CompetitionFile,
    Lane,
    RoundKind,
    StateChange,
    VersionFile,
    format_moment,
    write_json,
)
from tournament.arena.play.house import house_bots
from tournament.arena.play.rounds import make_round, play_round
from tournament.arena.scheduling.known import PlannedRound
from tournament.arena.season.beginning import season_environment
from tournament.arena.transitions import VersionState
from tournament.configuration.types import Budget, GameEntry
from tournament.records.run import Field, Format
from tournament.records.settings import ClockEntry, Isolation

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)

FIRST = """
from tournament import Bot


class Keeper(Bot):
    def act(self, view):
        return view.legal_actions()[0]
"""

RULES = CompetitionFile(
    title="Cup",
    games=(GameEntry(game="scout", players=3),),
    isolation=Isolation.NONE,
    clock=ClockEntry(move_ms=2000),
    round_seconds=1,
)


def make_competition(arena, name="cup", *, rules=RULES, state="open"):
    """Returns the folder and the row of a new competition."""
    from tournament.arena.models import CompetitionRow

    folder = arena.competition(name)
    folder.path.mkdir(parents=True)
    folder.bots.mkdir()
    folder.rounds.mkdir()
    (folder.path / COMPETITION_FILE).write_text(yaml.safe_dump(msgspec.to_builtins(rules)), encoding="utf-8")
    row = CompetitionRow.objects.create(name=name, title=rules.title, state=state, created=NOW)
    return folder, row


def make_version(
    folder, row, bot="keeper", number=1, *, program=FIRST, state="active", placed=True, digest=None, check_only=False
):
    """Returns the row of a version whose program lies in its place."""
    from tournament.arena.models import BotRow, VersionRow

    owner = BotRow.objects.get_or_create(competition=row, name=bot, defaults={"created": NOW, "versions_made": number})[
        0
    ]
    place = folder.version(bot, number)
    place.program.mkdir(parents=True)
    (place.program / "bot.py").write_text(program, encoding="utf-8")
    place.upload.write_text(program, encoding="utf-8")
    is_checked = state not in ("received", "checking")
    file = VersionFile(
        competition=row.name,
        bot=bot,
        number=number,
        received=format_moment(NOW),
        file_name="bot.py",
        size_bytes=len(program),
        upload_digest="0" * 64,
        digest=(digest or sha256(f"{bot} {number}".encode()).hexdigest()) if is_checked else None,
        check_only=check_only,
        spec={"bot": "bot.py"} if is_checked else None,
        changes=(StateChange(at=format_moment(NOW), state=VersionState(state)),),
    )
    write_json(place.path / VERSION_FILE, file)
    return VersionRow.objects.create(
        bot=owner,
        number=number,
        state=state,
        received=NOW,
        changed=NOW,
        digest=file.digest or "",
        placed=placed,
        check_only=check_only,
    )


def make_received(folder, row, bot="keeper", number=1, *, program=FIRST):
    """Returns the row of a version that was handed in, and waits for its check."""
    version = make_version(folder, row, bot, number, program=program, state="received", placed=False)
    shutil.rmtree(folder.version(bot, number).program)
    return version


def read_version_file(folder, bot, number):
    """Returns what is known of a version."""
    return msgspec.json.decode((Path(folder.version(bot, number).path) / VERSION_FILE).read_bytes(), type=VersionFile)


GROUP = "scout-3p"


def planned(*entrants, blocks=2, focus=()):
    field = Field(group=GROUP, players=3, entrants=entrants, blocks=blocks, focus=focus)
    return PlannedRound(
        competition="cup",
        kind=RoundKind.PLACEMENT if focus else RoundKind.LADDER,
        lane=Lane.QUICK if focus else Lane.LONG,
        format=Format.GAUNTLET if focus else Format.ROUND_ROBIN,
        entrants=entrants,
        focus=focus,
        fields=(field,),
        budget=Budget(games=3 * blocks),
        expected_ms=100,
    )


def made_round(folder, plan, *, rules=RULES, number=1, environment=None):
    versions = {"keeper.v1": read_version_file(folder, "keeper", 1)} if "keeper.v1" in plan.entrants else {}
    return make_round(
        folder,
        plan,
        rules=rules,
        house=house_bots(rules, folder),
        versions=versions,
        number=number,
        season=1,
        environment=environment or season_environment(rules).digest,
        at=NOW,
    )


SECONDS = 120
"""The longest that a test waits for what has to come: the machine may be busy."""


LOOK_SECONDS = 0.25
"""So often does a referee look around in tests when nothing ends: each look has a dozen queries."""

ASK_SECONDS = 0.05


def go_on(refereeing, until):
    """Lets a referee work until something holds, which is asked more often than the referee looks around."""
    ends, next_look = time.monotonic() + SECONDS, 0.0
    while not until():
        asked = time.monotonic()
        assert asked < ends, f"it did not come to that; it said {refereeing.said}"
        if asked >= next_look:
            refereeing.tick()
            asked = time.monotonic()
            next_look = asked + LOOK_SECONDS
        refereeing.wait(ASK_SECONDS)
        if time.monotonic() < asked + ASK_SECONDS:  # something has ended
            next_look = 0.0


def play_without_cluster(folder, number, cluster):
    """Stands in for `play_round` where nobody is at the address of a cluster."""
    if cluster is not None:
        raise OSError("nobody is there")
    play_round(folder, number, None)
