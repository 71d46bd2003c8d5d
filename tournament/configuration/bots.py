"""The bots that a configuration names: building them, and which of their programs and files are missing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeGuard

import msgspec

from tournament.configuration.file import ConfigurationSource
from tournament.entrants.entries import default_name, entrants_from, params_of
from tournament.entrants.folders import missing_files
from tournament.entrants.model import BotSource
from tournament.errors import BotError
from tournament.games import game_names
from tournament.players.preparation import build_bots, missing_builder
from tournament.records.record import name_problem


def build(source: ConfigurationSource, *, say: Callable[[str], object], name: str | None = None) -> None:
    """Builds the bots of a configuration that play, or only the one of a name; `say` is given each command first.

    Raises `BotError` when a build fails.
    """
    entries = [entry for entry in source.file.bots or () if _is_to_be_built(entry, source)]
    named = [entry for entry in entries if name is None or _may_be(entry, name, base=source.base)]
    build_bots(named, base=source.base, say=say)


def has_builds(source: ConfigurationSource) -> bool:
    """Returns whether an entry of a configuration is built."""
    return any(map(_is_built, source.file.bots or ()))


def _is_to_be_built(entry: Any, source: ConfigurationSource) -> TypeGuard[Mapping[Any, Any]]:
    """Returns whether a run builds an entry: it has a `build`, and may play a game of the configuration."""
    games = None if source.file.games is None else {entry.game for entry in source.file.games}
    return _is_built(entry) and (games is None or _plays(entry, games))


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

    What a `build` has yet to make is not missing; everything else of its entry is checked. The path of a program that
    builds is taken on trust after another `build`, which may make it.
    """
    entries: Sequence[Any] = source.file.bots or ()
    problems = 0
    has_built = False
    for number, entry in enumerate(entries):
        texts = list(_problems(entry, source.base))
        if not texts and _is_to_be_built(entry, source):
            missing = missing_builder(entry, source.base, is_first=not has_built)
            texts = [] if missing is None else [missing]
            has_built = True
        problems += len(texts)
        yield from (MissingBot(number, text) for text in texts)
    if entries and not problems:
        try:
            entrants_from(with_stand_ins(source).file.bots or (), base=source.base)
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
    try:
        entrants = entrants_from([stand_in(entry, base=base)], base=base)
    except BotError as error:
        yield from str(error).splitlines()
        return
    for bot in (bot for entrant in entrants for bot in entrant.bots):
        if not _is_built(entry) and (text := missing_arguments(bot)) is not None:
            yield text


def with_stand_ins(source: ConfigurationSource) -> ConfigurationSource:
    """Returns a configuration in which nothing has to be built: an example stands for each bot that has a `build`."""
    entries = tuple(stand_in(entry, base=source.base) for entry in source.file.bots or ())
    return source._replace(file=msgspec.structs.replace(source.file, bots=entries or None))


def stand_in(entry: Any, *, base: Path) -> Any:
    """Returns an entry with what is there in place of what its `build` makes; what is wrong in it stays as it is."""
    if not _is_built(entry):
        return entry
    made: dict[Any, Any] = {"bot": STAND_IN, "files": [], **dict.fromkeys(game_names(), STAND_IN)}
    changed = {key: made[key] for key, value in entry.items() if key in made and _is_usual(key, value)}
    if _is_texts(entry.get("command")):
        changed["command"] = [sys.executable]
        if (name := default_name(entry, base=base)) is not None and name_problem(name) is None:
            changed.setdefault("name", entry.get("name", name))
    with suppress(BotError):  # the example takes no parameters; what is no JSON is still told
        changed |= {"params": {}} if params_of(entry, "") else {}
    if isinstance(entry.get("python"), str) and entry["python"]:
        changed["python"] = sys.executable
    return {**entry, **changed}


STAND_IN: Final = "random_legal"
"""An example that plays every game."""


def _is_usual(key: str, value: Any) -> bool:
    return _is_texts(value, least=0) if key == "files" else isinstance(value, str) and bool(value.strip())


def _is_texts(value: Any, *, least: int = 1) -> bool:
    return (
        isinstance(value, list | tuple) and len(value) >= least and all(isinstance(one, str) and one for one in value)
    )


def _is_built(entry: Any) -> bool:
    return isinstance(entry, Mapping) and entry.get("build") is not None
