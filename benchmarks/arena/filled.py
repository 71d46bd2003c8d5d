"""An arena with a long season behind it, for benchmarks: folders, rows and outcomes, as play would have left them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final

import msgspec
import numpy as np

from benchmarks.arena.growth import GROUPS, HOUSE, history, versions_of
from tournament.arena.files import (
    ROUND_FILE,
    VERSION_FILE,
    Lane,
    RoundEntrant,
    RoundFile,
    RoundKind,
    StateChange,
    VersionFile,
    format_moment,
)
from tournament.arena.folder import ArenaFolder, CompetitionFolder
from tournament.arena.rules import read_rules
from tournament.arena.season.outcome_files import OutcomeFiles
from tournament.arena.season.outcomes import Outcomes
from tournament.arena.transitions import RoundState, VersionState
from tournament.configuration.types import Budget, GameEntry
from tournament.paths import data_folder
from tournament.records.run import Format

NAME: Final = "cup"
HOST: Final = "host"
DAYS: Final = 14
"""So long has the season gone on."""

HOUSE_BOTS: Final = ("random", "cautious", "steady", "strong")
PLAYED: Final = {"cards-2p": ("explorers", 2), "cards-4p": ("scout", 4)}
"""The games in the place of those that are made up."""

RULES: Final = """\
title: Winter Cup
games: [{game: explorers, players: 2}, {game: scout, players: 4}]
house: [random, cautious, steady, strong]
isolation: ISOLATION
clock: {move_ms: 100}
round_seconds: 30
deals_a_day: 1000
"""
ROWS_AT_ONCE: Final = 5_000
PROGRAM: Final = "random_legal.py"


def fill(arena: ArenaFolder, games: int, *, active: int, isolation: str) -> None:
    """Makes an open competition in an arena, with a season of so many games until yesterday; Django is set up.

    `active`: how many versions are active at once.
    """
    from django.contrib.auth import get_user_model

    from tournament.arena.hosting.competitions import change_state, create_competition
    from tournament.arena.models import CompetitionRow
    from tournament.arena.season.beginning import season_environment
    from tournament.arena.transitions import CompetitionState

    now = datetime.now(UTC).replace(microsecond=0)
    begun = now - timedelta(days=DAYS + 1)
    host = get_user_model().objects.get(username=HOST)
    row = create_competition(host, NAME, RULES.replace("ISOLATION", isolation), now=begun)
    change_state(row, CompetitionState.OPEN, account=host, now=begun)
    folder = arena.competition(NAME)
    season = list(history(games, np.random.default_rng(games), at_once=active))
    rounds = [_named(outcomes) for outcomes, _ in season]
    keys = _write_versions(folder, row, versions_of(games, active), season[-1][1], begun)
    OutcomeFiles(folder).keep(rounds, season=1)
    environment = season_environment(read_rules(folder)).digest  # of another one the referee would begin a new season
    _write_rounds(folder, row, rounds, keys, begun, environment=environment)
    CompetitionRow.objects.filter(pk=row.pk).update(rounds_made=len(rounds))


def _named(outcomes: Outcomes) -> Outcomes:
    """Returns outcomes with the games and the house bots that the competition has."""
    house = {f"house{number}": name for number, name in enumerate(HOUSE_BOTS)}
    assert len(house) == HOUSE
    groups = {}
    for made_up in GROUPS:
        game, players = PLAYED[made_up]
        name = f"{game}-{players}p"
        groups[name] = replace(outcomes.groups[made_up], group=name, game=game)
    return replace(outcomes, names=tuple(house.get(name, name) for name in outcomes.names), groups=groups)


def _write_versions(
    folder: CompetitionFolder, row: Any, count: int, active: frozenset[int], begun: datetime
) -> dict[str, int]:
    """Returns the key of the row of each version by its name in rounds."""
    from tournament.arena.models import BotRow, VersionRow

    program = (data_folder("bots") / PROGRAM).read_bytes()
    names = [f"v{number:05d}" for number in range(HOUSE, HOUSE + count)]
    at = format_moment(begun)
    bots = BotRow.objects.bulk_create(
        (BotRow(competition=row, name=name, created=begun, versions_made=1) for name in names), ROWS_AT_ONCE
    )
    versions = []
    for number, bot in enumerate(bots, start=HOUSE):
        state = VersionState.ACTIVE if number in active else VersionState.RETIRED
        digest = sha256(bot.name.encode()).hexdigest()
        place = folder.version(bot.name, 1)
        place.program.mkdir(parents=True)
        (place.program / "bot.py").write_bytes(program)
        file = VersionFile(
            competition=NAME,
            bot=bot.name,
            number=1,
            received=at,
            file_name="bot.py",
            size_bytes=len(program),
            upload_digest=digest,
            digest=digest,
            spec={"bot": "bot.py"},
            changes=(StateChange(at=at, state=VersionState.RECEIVED), StateChange(at=at, state=state)),
        )
        (place.path / VERSION_FILE).write_bytes(msgspec.json.encode(file))
        versions.append(
            VersionRow(
                bot=bot,
                number=1,
                state=state.value,
                received=begun,
                changed=begun,
                digest=digest,
                upload_digest=digest,
                placed=True,
            )
        )
    made = VersionRow.objects.bulk_create(versions, ROWS_AT_ONCE)
    return {f"{one.bot.name}.v1": one.pk for one in made}


def _write_rounds(
    folder: CompetitionFolder,
    row: Any,
    rounds: list[Outcomes],
    keys: dict[str, int],
    begun: datetime,
    *,
    environment: str,
) -> None:
    """Writes the folder of each round without its records, its tally, its row, and the rows of who was in it."""
    from tournament.arena.models import RoundRow
    from tournament.arena.play.tallies import TALLIES_FILE

    step = timedelta(days=DAYS) / len(rounds)
    files = []
    with (folder.outcomes / TALLIES_FILE).open("wb") as tallies:
        for outcomes in rounds:
            planned = begun + step * (outcomes.rounds[0] - 1)
            file = _round_file(outcomes, format_moment(planned), environment=environment)
            files.append(file)
            place = folder.round(file.number)
            place.mkdir()
            (place / ROUND_FILE).write_bytes(msgspec.json.encode(file))
            tallies.write(msgspec.json.encode(_tally(outcomes, file)) + b"\n")
    made = RoundRow.objects.bulk_create(
        (
            RoundRow(
                competition=row,
                number=file.number,
                season=1,
                kind=file.kind.value,
                lane=file.lane.value,
                state=file.state.value,
                planned=begun + step * (file.number - 1),
                started=begun + step * (file.number - 1),
                ended=begun + step * (file.number - 1) + timedelta(seconds=30),
                games=_games(outcomes),
            )
            for outcomes, file in zip(rounds, files, strict=True)
        ),
        ROWS_AT_ONCE,
    )
    sat = RoundRow.versions.through
    pairs = ((one.pk, keys[name]) for one, outcomes in zip(made, rounds, strict=True) for name in _versions(outcomes))
    sat.objects.bulk_create((sat(roundrow_id=played, versionrow_id=key) for played, key in pairs), ROWS_AT_ONCE)


def _versions(outcomes: Outcomes) -> Iterator[str]:
    return (name for name in outcomes.names if name not in HOUSE_BOTS)


def _games(outcomes: Outcomes) -> int:
    return sum(group.places.shape[0] * group.places.shape[1] for group in outcomes.groups.values())


def _round_file(outcomes: Outcomes, planned: str, *, environment: str) -> RoundFile:
    return RoundFile(
        competition=NAME,
        season=1,
        number=outcomes.rounds[0],
        kind=RoundKind.LADDER,
        lane=Lane.LONG,
        planned=planned,
        environment=environment,
        entrants=tuple(
            RoundEntrant(
                name=name,
                bot=name if name in HOUSE_BOTS else name[: -len(".v1")],
                number=None if name in HOUSE_BOTS else 1,
                digest="0" * 64,
            )
            for name in outcomes.names
        ),
        games=tuple(GameEntry(game=game, players=players) for game, players in PLAYED.values()),
        schedule=Format.ROUND_ROBIN,
        budget=Budget(games=_games(outcomes)),
        state=RoundState.COMPLETE,
    )


def _tally(outcomes: Outcomes, file: RoundFile) -> Any:
    from tournament.arena.play.tallies import OwnTime, RoundTally

    deals: dict[str, dict[str, int]] = {}
    times: dict[str, dict[str, OwnTime]] = {}
    for group, own in outcomes.groups.items():
        counts = np.bincount(own.order.ravel(), minlength=len(outcomes.names)).tolist()
        sat = {name: count for name, count in zip(outcomes.names, counts, strict=True) if count}
        deals[group] = sat
        times[group] = {name: OwnTime(5.0 * count, count * own.players) for name, count in sat.items()}
    return RoundTally(
        number=file.number,
        season=1,
        kind=file.kind,
        planned=file.planned,
        games=_games(outcomes),
        deals=deals,
        times=times,
    )
