"""A configuration as everything a run is made of: bots found, games loaded, numbers checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import msgspec

from tournament import examples
from tournament.configuration.bots import build
from tournament.configuration.file import ConfigurationSource, default_source, read_configuration
from tournament.configuration.flags import Flags, with_flags
from tournament.configuration.rules import FOR_TWO, FieldError, clashes, group_games, tournament_name_problem
from tournament.configuration.types import (
    DEFAULT_DEALS,
    DEFAULT_GAMES,
    Budget,
    ConfigurationFile,
    GameEntry,
    UntilWithBounds,
)
from tournament.deals import Suite, draw_master, load_suite
from tournament.entrants.entries import entrants_from
from tournament.entrants.finder import FINDING_VERSION
from tournament.entrants.model import Entrant
from tournament.errors import BotError, ConfigurationError, did_you_mean
from tournament.games.contract import Game
from tournament.ids import format_group
from tournament.paths import data_folder
from tournament.players.preparation import check_levels, default_isolation, prepare_hosting
from tournament.records.run import Bounds, Format, Until
from tournament.records.settings import (
    KEEP_ALL,
    AnyWithdrawalRule,
    Hosting,
    Limits,
    TimeControl,
    rule_from_entry,
    with_entry,
)
from tournament.store.compression import check_compression
from tournament.workers import usable_cores


class Group(NamedTuple):
    """A game with a number of players and its options, and the entrants that play it."""

    name: str
    game: Game
    players: int
    options: Any
    entrants: tuple[str, ...]


class Configuration(NamedTuple):
    """Everything a run is made of, checked."""

    name: str
    master: str
    master_given: bool
    suite: Suite | None
    groups: tuple[Group, ...]
    entrants: tuple[Entrant, ...]
    schedule: Format
    focus: tuple[str, ...]
    """Who plays a gauntlet; empty in another format."""

    budget: Budget
    until: Until | None
    bounds: Bounds | None
    """Of `until: sprt`."""

    withdraw: AnyWithdrawalRule
    workers: int
    hosting: Hosting
    notices: tuple[str, ...]
    """What a user should know of this machine, and of folders of bots, before play."""

    keep: str
    compress: bool
    weights: dict[str, float]
    base: Path
    """Where relative paths start."""

    finding_version: int
    """By which rules bots were found, named and fingerprinted."""

    text: str
    """The configuration as given, the seed withheld."""

    @classmethod
    def from_flags(
        cls, file: str | Path | None = None, *, say: Callable[[str], object] | None = None, **flags: Unpack[Flags]
    ) -> Configuration:
        """Returns what `tournament run FILE` would play with the same flags; without a file that of the default.

        `games` are texts such as `NAME:3,4`, a game with its numbers of players; `bots` are specs, relative to the
        current folder; `budget` is a `Budget`, and the others are what the command takes. Bots that have a `build` are
        built; `say` is given each command first, and a note for each flag that overrides the file. Raises
        `ConfigurationError`, `BotError` or `GameError`.
        """
        source = default_source() if file is None else read_configuration(Path(file))
        source, notes = with_flags(source, **flags)
        tell = say or (lambda text: None)
        for note in notes:
            tell(note)
        build(source, say=tell)
        return resolve(source)


def resolve(
    source: ConfigurationSource, *, finding_version: int = FINDING_VERSION, is_to_run: bool = True
) -> Configuration:
    """Returns a configuration with every bot found, every game loaded and every number checked.

    Nothing is built: `build` runs what builds bots. Bots are found by the rules of `finding_version`, which a run
    keeps. Only where `is_to_run`, this machine has to have the isolation of every bot.

    Raises `ConfigurationError`, `BotError` or `GameError`.
    """
    file = source.file
    for clash in clashes(file):
        raise ConfigurationError(str(clash))
    passed_over: list[str] = []
    entrants = find_entrants(source, passed_over=passed_over, finding_version=finding_version)
    hosting = hosting_of(file, entrants)
    allow_mixed = bool(file.allow_mixed)
    if is_to_run:
        if file.compress:
            check_compression()
        notices = prepare_hosting(entrants, hosting, allow_mixed=allow_mixed)
    else:
        check_levels(entrants, hosting, allow_mixed=allow_mixed)
        notices = ()
    groups = _groups(file.games or DEFAULT_GAMES, entrants)
    name = _name(source)
    focus = _focus(file, groups)
    until, bounds = _until(file, groups, focus)
    suite = None
    if file.deals_from is not None:
        suite = load_suite(_suite_path(file.deals_from, source.base))
    return Configuration(
        name=name,
        master=draw_master() if file.seed is None else str(file.seed),
        master_given=file.seed is not None,
        suite=suite,
        groups=groups,
        entrants=entrants,
        schedule=file.schedule or Format.ROUND_ROBIN,
        focus=focus,
        budget=file.budget or Budget(deals=DEFAULT_DEALS),
        until=until,
        bounds=bounds,
        withdraw=rule_from_entry(file.withdraw),
        workers=usable_cores() if file.workers == "auto" else file.workers or 1,
        hosting=hosting,
        notices=(*notices, *passed_over_notices(passed_over)),
        keep=file.keep or KEEP_ALL,
        compress=bool(file.compress),
        weights=_weights(file.weights, groups),
        text=_format_withheld(file),
        base=source.base,
        finding_version=finding_version,
    )


def find_entrants(
    source: ConfigurationSource,
    *,
    unread: list[BotError] | None = None,
    passed_over: list[str] | None = None,
    finding_version: int = FINDING_VERSION,
) -> tuple[Entrant, ...]:
    """Returns the entrants of a configuration, as `entrants_from` does; nothing is built."""
    if source.file.bots is None:
        return entrants_from(examples.DEFAULT_BOTS, base=data_folder("bots"), version=finding_version)
    return entrants_from(
        source.file.bots, base=source.base, unread=unread, passed_over=passed_over, version=finding_version
    )


def passed_over_notices(paths: Sequence[str]) -> tuple[str, ...]:
    """Returns what to say of files and folders among bots that have none; nothing of none."""
    if not paths:
        return ()
    return (
        f"No bot is in: {', '.join(paths)}. A program in another language is an entry with a command, "
        "{name: rusty, command: [./rusty]}.",
    )


def _name(source: ConfigurationSource) -> str:
    """Returns the name of a tournament, which also names its folder."""
    name = source.file.name or (source.path.stem if source.path is not None else "tournament")
    problem = tournament_name_problem(name)
    if problem is not None:
        raise FieldError("name", problem)
    return name


def _until(
    file: ConfigurationFile, groups: Sequence[Group], focus: Sequence[str]
) -> tuple[Until | None, Bounds | None]:
    """Returns what ends the run early; in a gauntlet that is asked of the focus bots, who meet the same opponents."""
    own = file.until.sprt if isinstance(file.until, UntilWithBounds) else None
    until = Until.SPRT if isinstance(file.until, UntilWithBounds) else file.until
    everywhere = sorted(set.intersection(*(set(group.entrants) for group in groups)))
    who = "entrants"
    if focus:
        everywhere, who = [name for name in focus if name in everywhere], "focus bots"
    if until is not None and len(everywhere) < 2:
        found = ", ".join(everywhere) or "none"
        raise FieldError("until", f"{until} needs two {who} that play every group; found {found}. Add some.")
    if until is Until.SPRT and any(len(group.entrants) > 2 for group in groups):
        raise FieldError("until", FOR_TWO)
    return until, (own or Bounds()) if until is Until.SPRT else None


def _focus(file: ConfigurationFile, groups: Sequence[Group]) -> tuple[str, ...]:
    """Returns the focus bots of a gauntlet, checked against every group."""
    focus = tuple(dict.fromkeys(file.focus or ()))
    if not focus:
        return ()
    names = list(dict.fromkeys(name for group in groups for name in group.entrants))
    for name in focus:
        if name not in names:
            raise FieldError(
                "focus",
                f'"{name}" takes part in nothing here.{did_you_mean(name, names)} Entrants: {", ".join(names)}.',
            )
    for group in groups:
        field = [name for name in group.entrants if name not in focus]
        if len(field) == len(group.entrants):
            raise FieldError(
                "focus", f"nobody of {', '.join(focus)} plays {group.name}. Take the group out, or add a focus bot."
            )
        if len(field) < group.players - 1:
            raise FieldError(
                "focus",
                f"{group.name} needs {group.players - 1} others at a table, but there are only {len(field)}. "
                "Add bots, or ask for fewer players.",
            )
    return focus


def _suite_path(text: str, base: Path) -> Path:
    """Returns the file of a deal suite: beside the configuration, else among those that come along."""
    shipped = {path.name: path for path in sorted(data_folder("seeds").glob("*.yaml"))}
    if (base / text).exists():
        return base / text
    if Path(text).name in shipped:
        return shipped[Path(text).name]
    known = [f"seeds/{name}" for name in shipped]
    raise FieldError(
        "deals_from",
        f"there is no deal suite {base / text}.{did_you_mean(text, known)} These come along: {', '.join(known)}.",
    )


def hosting_of(file: ConfigurationFile, entrants: Sequence[Entrant]) -> Hosting:
    """Returns how bots are hosted; who is traced must take part."""
    names = [entrant.name for entrant in entrants]
    for name in file.trace or ():
        if name not in names:
            raise FieldError(
                "trace", f'"{name}" takes no part here.{did_you_mean(name, names)} Entrants: {", ".join(names)}.'
            )
    return Hosting(
        isolation=file.isolation or default_isolation(),
        clock=with_entry(TimeControl(), file.clock),
        limits=with_entry(Limits(), file.limits),
        trace=file.trace or (),
    )


def _groups(entries: Sequence[GameEntry], entrants: Sequence[Entrant]) -> tuple[Group, ...]:
    groups: list[Group] = []
    for game, players, options in group_games(entries):
        seated = [entrant for entrant in entrants if entrant.plays(game.name, players)]
        taking_part = tuple(entrant.name for entrant in seated)
        for entrant in seated:
            entrant.check_players(game.name, players)
        if len(taking_part) < players:
            raise ConfigurationError(
                f"{game.name} with {players} players needs at least {players} entrants that play it, "
                f"but only {len(taking_part)} do: {', '.join(taking_part) or 'none'}. "
                "Add bots, or ask for fewer players."
            )
        same = sum((group.game.name, group.players) == (game.name, players) for group in groups)
        name = format_group(game.name, players, number=same + 1)
        groups.append(Group(name, game, players, options, taking_part))
    return tuple(groups)


def _weights(given: dict[str, float] | None, groups: Sequence[Group]) -> dict[str, float]:
    games = list(dict.fromkeys(group.game.name for group in groups))
    if given is None:
        return {game: 1 / len(games) for game in games}
    for game in given:
        if game not in games:
            raise FieldError(
                "weights", f'"{game}" is not played here.{did_you_mean(game, games)} Played are: {", ".join(games)}.'
            )
    missing = [game for game in games if game not in given]
    if missing:
        raise FieldError("weights", f"{', '.join(missing)} is missing. Give every game its share, or none.")
    total = sum(given.values())
    return {game: given[game] / total for game in games}


def _format_withheld(file: ConfigurationFile) -> str:
    """Returns the configuration as YAML, the seed withheld: until completion nobody may know the deals."""
    import yaml

    values = msgspec.to_builtins(file)
    if "deals_from" not in values:
        values["seed"] = "withheld"
    text: str = yaml.safe_dump(values, sort_keys=False, allow_unicode=True)
    return text
