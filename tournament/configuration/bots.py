"""The bots that a configuration names: building them, and which of their programs and files are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tournament.configuration.file import ConfigurationSource
from tournament.entrants.entries import default_name, entrants_from
from tournament.entrants.folders import missing_files
from tournament.entrants.model import BotSource
from tournament.errors import BotError
from tournament.games import game_names
from tournament.players.preparation import build_bots


def build(source: ConfigurationSource, *, say: Callable[[str], object], name: str | None = None) -> None:
    """Builds the bots of a configuration that play, or only the one of a name; `say` is given each command first.

    Raises `BotError` when a build fails.
    """
    games = None if source.file.games is None else {entry.game for entry in source.file.games}
    entries = [
        entry
        for entry in source.file.bots or ()
        if isinstance(entry, Mapping)
        and (games is None or _plays(entry, games))
        and (name is None or _may_be(entry, name, base=source.base))
    ]
    build_bots(entries, base=source.base, say=say)


def has_builds(source: ConfigurationSource) -> bool:
    """Returns whether an entry of a configuration is built."""
    return any(map(_is_built, source.file.bots or ()))


def _plays(entry: Mapping[str, Any], games: Iterable[str]) -> bool:
    """Returns whether an entry may play one of some games; which of them a bot plays itself is not known yet."""
    named = entry.get("games") or [key for key in entry if key in game_names()]
    return not isinstance(named, list | tuple) or not named or any(game in games for game in named)


def _may_be(entry: Mapping[str, Any], name: str, *, base: Path) -> bool:
    """Returns whether an entry may get a name; one that has none of its own is numbered where names meet."""
    if "name" in entry:
        return bool(entry["name"] == name)
    default = default_name(entry, base=base)
    return default is None or name == default or name.startswith(f"{default}_")


class MissingBot(NamedTuple):
    """What is wrong with an entry of `bots`."""

    entry: int | None
    """Which, from 0; None: with all of them together."""

    text: str


def missing_bots(source: ConfigurationSource) -> Iterator[MissingBot]:
    """Yields what of the bots of a configuration is not there, or cannot be read, in its order.

    What a `build` has yet to make is not missing.
    """
    entries: Sequence[Any] = source.file.bots or ()
    problems = 0
    for number, entry in enumerate(entries):
        for text in _problems(entry, source.base):
            problems += 1
            yield MissingBot(number, text)
    if entries and not problems:
        try:
            entrants_from([entry for entry in entries if not _is_built(entry)], base=source.base)
        except BotError as error:  # names that meet
            yield MissingBot(None, str(error))


def missing_arguments(bot: BotSource) -> str | None:
    """Returns a sentence for the arguments of a command that are named as files and are not there, or None."""
    missing = missing_files(bot.command, Path(bot.folder)) if bot.command else []
    if not missing:
        return None
    named = " and ".join(f'"{word}"' for word in missing)
    return f"There is no {named} in {bot.folder}, where the paths of {bot.spec} start."


def _problems(entry: Any, base: Path) -> Iterator[str]:
    if _is_built(entry):
        return
    try:
        entrants = entrants_from([entry], base=base)
    except BotError as error:
        yield from str(error).splitlines()
        return
    for bot in (bot for entrant in entrants for bot in entrant.bots):
        if (text := missing_arguments(bot)) is not None:
            yield text


def _is_built(entry: Any) -> bool:
    return isinstance(entry, Mapping) and entry.get("build") is not None
