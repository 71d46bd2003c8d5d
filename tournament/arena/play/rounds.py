"""A planned round as a run folder, and its play: an ordinary run, which every command reads as it reads others."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from tournament.arena.checks.programs import with_python
from tournament.arena.files import (
    ROUND_FILE,
    VERSION_FILE,
    CompetitionFile,
    RoundEntrant,
    RoundFile,
    VersionFile,
    format_moment,
    read_json,
    version_name,
    write_json,
)
from tournament.arena.folder import UNFINISHED, CompetitionFolder, VersionFolder
from tournament.arena.play.house import HouseBot, groups_of, house_bots
from tournament.arena.rules import read_rules
from tournament.arena.scheduling.known import PlannedRound
from tournament.arena.transitions import RoundState
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import Configuration, resolve
from tournament.configuration.rules import group_games
from tournament.configuration.types import ConfigurationFile, GameEntry
from tournament.entrants.entries import entrants_from
from tournament.entrants.model import Entrant
from tournament.errors import ConfigurationError, RunError, SchedulerGoneError, writing_advice
from tournament.games import game_names
from tournament.run.budgets import fields_of
from tournament.run.listeners import Observer
from tournament.run.run import Run
from tournament.store.files import sync_folder
from tournament.store.layout import RUN_FILE

_PATHS: Final = ("bot", "python")


def entry_of_version(folder: CompetitionFolder, file: VersionFile) -> dict[str, Any]:
    """Returns the entry of a configuration that runs a version, its paths relative to the competition's folder.

    Raises `RunError` for a version that was not unpacked.
    """
    if file.spec is None:
        raise RunError(f"Version {file.number} of {file.bot} has no program yet. Let it be checked first.")
    version = folder.version(file.bot, file.number)
    below = version.program.relative_to(folder.path)
    entry = {key: _placed(key, value, below, version) for key, value in file.spec.items() if key != "build"}
    return {**entry, "name": version_name(file.bot, file.number)}


def _placed(key: str, value: Any, below: Path, version: VersionFolder) -> Any:
    if key == "command":
        return [str(below / word) if (version.program / word).exists() and word else word for word in value]
    if key == "files":
        return [str(below / name) for name in value]
    if key in _PATHS or key in game_names():
        return str(below / value)
    return value


def entrant_of_version(folder: CompetitionFolder, file: VersionFile) -> Entrant:
    """Returns a version as one that takes part, found by reading its files. Raises `BotError`, `RunError`."""
    (entrant,) = entrants_from([entry_of_version(folder, file)], base=folder.path)
    return entrant


def make_round(
    folder: CompetitionFolder,
    planned: PlannedRound,
    *,
    rules: CompetitionFile,
    house: Sequence[HouseBot],
    versions: Mapping[str, VersionFile],
    number: int,
    season: int,
    environment: str,
    at: datetime,
    asked_by: str | None = None,
) -> RoundFile:
    """Returns a round as its folder says, which is whole on the disk then; nothing of it is played.

    `versions` are the files of those that play, by their names in the round.
    """
    at_home = {bot.name: bot for bot in house}
    entrants = tuple(
        RoundEntrant(name=name, bot=file.bot, number=file.number, digest=file.digest or "")
        if (file := versions.get(name)) is not None
        else RoundEntrant(name=name, bot=name, number=None, digest=at_home[name].digest)
        for name in planned.entrants
    )
    round_file = RoundFile(
        competition=planned.competition,
        season=season,
        number=number,
        kind=planned.kind,
        lane=planned.lane,
        planned=format_moment(at),
        asked_by=asked_by,
        challenge=planned.challenge,
        environment=environment,
        entrants=entrants,
        games=tuple(_games_of(rules, {field.group for field in planned.fields})),
        schedule=planned.format,
        budget=planned.budget,
        focus=planned.focus,
        state=RoundState.PLANNED,
    )
    place = folder.round(number)
    beside = place.with_name(f"{UNFINISHED}{place.name}")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        write_json(beside / ROUND_FILE, round_file)
        os.rename(beside, place)
        sync_folder(place.parent)
    except OSError as error:
        raise RunError(f"{place} cannot be made: {error.strerror}. {writing_advice(error)}.") from None
    return round_file


def _games_of(rules: CompetitionFile, groups: set[str]) -> list[GameEntry]:
    """Returns the games of some groups, each with one number of players."""
    named = zip(groups_of(rules), group_games(rules.games), strict=True)
    return [
        GameEntry(game=game, players=players, options=msgspec.to_builtins(options))
        for (group, game, players), (_, _, options) in named
        if group in groups
    ]


def configuration_of(folder: CompetitionFolder, round_file: RoundFile) -> Configuration:
    """Returns what a round plays, from its file and the rules. Raises `ConfigurationError`, `BotError`, `RunError`."""
    rules = read_rules(folder)
    at_home = {bot.name: bot.entry for bot in house_bots(rules, folder)}
    bots: list[dict[str, Any]] = []
    for one in round_file.entrants:
        if one.number is not None:
            file = read_json(folder.version(one.bot, one.number).path / VERSION_FILE, VersionFile)
            bots.append(with_python(entry_of_version(folder, file), rules, folder=folder, base=folder.path))
        elif one.name in at_home:
            bots.append(dict(at_home[one.name]))
        else:
            raise ConfigurationError(f"house: {one.name} does not play any more. Abandon this round.")
    games = {entry.game for entry in round_file.games}
    weights = None if rules.weights is None else {game: share for game, share in rules.weights.items() if game in games}
    written = ConfigurationFile(
        name=f"{round_file.competition}-{round_file.number}",
        games=round_file.games,
        bots=tuple(bots),
        schedule=round_file.schedule,
        focus=round_file.focus or None,
        budget=round_file.budget,
        isolation=rules.isolation,
        clock=rules.clock,
        limits=rules.limits,
        compress=True,
        weights=weights,
    )
    return resolve(ConfigurationSource(written, folder.path, None, {}))


def play_round(folder: Path, number: int, cluster: str | None, observer: Observer | None = None) -> None:
    """Plays what is left of a round of the competition in a folder.

    Raises what `Run.play` raises. It is the work of a process of its own: `folder` and `number` can be sent to one.
    """
    competition = CompetitionFolder(folder)
    place = competition.round(number)
    if (place / RUN_FILE).exists():
        run = Run.open(place, cluster=cluster, observer=observer)
    else:
        configuration = configuration_of(competition, read_json(place / ROUND_FILE, RoundFile))
        run = Run.begin(configuration, place, cluster=cluster, observer=observer)
    try:
        run.play()
    except SchedulerGoneError as error:  # whose advice is for a run that somebody plays at a terminal
        raise RunError(
            f"The scheduler at {error.address} is gone, or the connection to it. The round goes on by itself once it "
            "is back. To play on this machine, take `cluster` out of arena.yaml and start the referee again."
        ) from None


def check_plan(configuration: Configuration, planned: PlannedRound) -> None:
    """Raises `RunError` where a configuration does not play the fields that were planned."""
    found = fields_of(configuration)
    if found != planned.fields:
        raise RunError(
            f"A round of {planned.competition} was planned as {planned.fields}, and would be played as {found}. "
            "Report this."
        )
