"""House bots: example bots that always play, so that there is a table from the first version on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, Final, NamedTuple

from tournament import examples
from tournament.arena.files import CompetitionFile
from tournament.arena.folder import CompetitionFolder
from tournament.configuration.rules import group_games
from tournament.entrants.entries import entrants_from
from tournament.entrants.model import Entrant
from tournament.errors import ConfigurationError, did_you_mean
from tournament.ids import format_group

_RANDOM: Final = "random_legal"
"""An example that plays every game."""


class HouseBot(NamedTuple):
    """An example bot that takes part."""

    name: str
    entry: dict[str, Any]
    """Of a configuration."""

    entrant: Entrant

    @property
    def digest(self) -> str:
        """The fingerprint of its programs."""
        return self.entrant.bots[0].fingerprint


def groups_of(competition: CompetitionFile) -> Iterator[tuple[str, str, int]]:
    """Yields the name, the game and the number of players of each group of a competition."""
    seen: list[tuple[str, int]] = []
    for game, players, _ in group_games(competition.games):
        yield format_group(game.name, players, number=1 + seen.count((game.name, players))), game.name, players
        seen.append((game.name, players))


def house_bots(competition: CompetitionFile, folder: CompetitionFolder) -> tuple[HouseBot, ...]:
    """Returns the house bots: those that a competition names, and more until every table can be filled with them.

    Raises `ConfigurationError` for a name that is no example.
    """
    groups = list(groups_of(competition))
    named = _default_entries() if competition.house is None else map(_entry_named, competition.house)
    most = max(players for _, _, players in groups)
    found: list[HouseBot] = []
    for entry in named:
        if competition.house is None and len(found) == most:
            break
        found.append(_house_bot(entry, folder))
    for number in count(2):
        if all(sum(bot.entrant.plays(game, players) for bot in found) >= players for _, game, players in groups):
            return tuple(found)
        name = f"random_{number}"
        if name not in {bot.name for bot in found}:
            found.append(_house_bot({"name": name, "bot": _RANDOM}, folder))
    raise AssertionError("a bot that plays every game fills every table")


def house_names(competition: CompetitionFile, folder: CompetitionFolder) -> tuple[str, ...]:
    """Returns the names of the house bots; none where one of them cannot be found any more, which a host is told of."""
    try:
        return tuple(bot.name for bot in house_bots(competition, folder))
    except ConfigurationError:
        return ()


def _default_entries() -> Iterator[dict[str, Any]]:
    for bot in examples.DEFAULT_BOTS:
        yield {key: value if key == "name" else f"bots/{value}" for key, value in bot.items()}


def _entry_named(name: str) -> dict[str, Any]:
    defaults = {entry["name"]: entry for entry in _default_entries()}
    return defaults.get(name) or {"name": name, "bot": name}


def _house_bot(entry: Mapping[str, Any], folder: CompetitionFolder) -> HouseBot:
    try:
        (entrant,) = entrants_from([entry], base=folder.path)
    except Exception as error:
        known = [bot["name"] for bot in examples.DEFAULT_BOTS]
        near = did_you_mean(str(entry["name"]), known)
        raise ConfigurationError(
            f"house: {entry['name']} is no example bot ({error}).{near} Name one of `tournament bot list`, "
            f"or {', '.join(known)}."
        ) from None
    return HouseBot(entrant.name, dict(entry), entrant)
