"""The rules of a competition: `competition.yaml`, read and checked."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import msgspec

from tournament.arena.files import COMPETITION_FILE, DATES, CompetitionFile, format_moment, parse_moment
from tournament.configuration.file import read_yaml
from tournament.configuration.moments import ORDER, disorder_of, moments_of, time_zones
from tournament.configuration.rules import group_games
from tournament.errors import ConfigurationError, TournamentError, did_you_mean, no_such_word
from tournament.plain_yaml import YamlError

if TYPE_CHECKING:
    from tournament.arena.folder import CompetitionFolder

FIXED: Final = ("games", "clock", "limits", "isolation", "weights", "packages", "house")
"""What stays as it is while a season goes on: a change of any begins a new one."""

_NAMES: Final = tuple(field.encode_name for field in msgspec.structs.fields(CompetitionFile))


def read_rules(folder: CompetitionFolder) -> CompetitionFile:
    """Returns the rules of a competition. Raises `ConfigurationError` with what is wrong and where."""
    return parse_rules(folder.path / COMPETITION_FILE)


def parse_rules(path: Path) -> CompetitionFile:
    """Returns the rules in a file. Raises `ConfigurationError` with what is wrong and where."""
    try:
        data = read_yaml(path, with_dates=True).data
    except YamlError as error:  # without its folder, which is nobody's business
        where = path.name if error.line is None else f"{path.name}, line {error.line}"
        raise ConfigurationError(f"{where}: {error.text}") from None
    for name in data if isinstance(data, dict) else ():
        if name not in _NAMES:
            raise ConfigurationError(f"{path.name}: {no_such_word('a line', str(name), _NAMES)}")
    if isinstance(data, dict):
        data = _with_moments(data)
    try:
        rules = msgspec.convert(data, CompetitionFile)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{path.name}: {error}. Mend that place, then try again.") from None
    check_rules(rules, where=path.name)
    return rules


def names_zone(path: Path) -> bool:
    """Returns whether rules that can be read say in which zone their days begin."""
    return "time_zone" in read_yaml(path, with_dates=True).data


def _with_moments(data: dict[str, Any]) -> dict[str, Any]:
    """Returns rules whose dates are moments in UTC; what is no date stays, and is refused later."""
    found = dict(data)
    for name, moment in moments_of(data, DATES).items():
        with suppress(OverflowError):  # at the end of all years
            found[name] = format_moment(moment)
    return found


def check_rules(rules: CompetitionFile, *, where: str) -> None:
    """Raises `ConfigurationError` for rules whose parts do not fit together, or name a game that there is not."""
    try:
        groups = group_games(rules.games)
    except TournamentError as error:
        raise ConfigurationError(f"{where}: games: {error}") from None
    twice = [one for one, times in Counter((game.name, players) for game, players, _ in groups).items() if times > 1]
    if twice:  # a round plays some of the groups, and names them by game and players alone
        name, players = twice[0]
        raise ConfigurationError(
            f"{where}: games: {name} with {players} players stands twice, with other options. Take one out, and create "
            "another competition for it."
        )
    if rules.time_zone not in time_zones():
        near = did_you_mean(rules.time_zone, time_zones())
        raise ConfigurationError(
            f"{where}: time_zone: there is no {rules.time_zone}.{near} Write one such as Europe/Warsaw, or UTC."
        )
    disorder = disorder_of(moments_of(msgspec.structs.asdict(rules), ORDER))
    if disorder is not None:
        raise ConfigurationError(f"{where}: {disorder}")
    names = {entry.game for entry in rules.games}
    for name in rules.weights or {}:
        if name not in names:
            raise ConfigurationError(f"{where}: weights: {no_such_word('a game', name, sorted(names))}")


def changed_parts(before: CompetitionFile, after: CompetitionFile) -> tuple[str, ...]:
    """Returns the names of what differs between two rules, in the order of the file."""
    first, second = (msgspec.to_builtins(rules) for rules in (before, after))
    return tuple(name for name in _NAMES if first.get(name) != second.get(name))


def columns_of(rules: CompetitionFile) -> dict[str, Any]:
    """Returns what the row of a competition says of its rules: its title, and its dates as times."""
    moments = {name: getattr(rules, name) for name in ORDER}
    dates = {name: None if moment is None else parse_moment(moment) for name, moment in moments.items()}
    return {"title": rules.title, **dates}


def zone_of(rules: CompetitionFile) -> ZoneInfo:
    """Returns the time zone of a competition."""
    return ZoneInfo(rules.time_zone)
