"""Programs and files that a configuration names and that are not there, as far as can be told without running any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tournament.configuration.reading import ConfigurationSource
from tournament.entrants import BotSource, entrants_from
from tournament.entrants.scripts import missing_files
from tournament.errors import BotError


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
        text = missing_arguments(bot)
        if text is not None:
            yield text


def _is_built(entry: Any) -> bool:
    return isinstance(entry, Mapping) and entry.get("build") is not None
