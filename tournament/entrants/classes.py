"""Chooses the bot that a spec means among the classes of a file, and reads what its class says of itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tournament import examples
from tournament.entrants.reader import BotClass, Module, Reader
from tournament.errors import BotError, did_you_mean

VERSION_CHARACTERS = 64


def no_bot(where: str) -> str:
    """Returns the sentence that says what a bot is, and where it has to stand."""
    return f"A bot is a class that derives from tournament.Bot and has an act method, {where}."


def choose(reader: Reader, module: Module, spec: str, class_name: str | None) -> BotClass:
    """Returns the bot of a file: the one that is named, or its only one.

    Raises `BotError` when the file has no bot, several of which none is named, or none of that name.
    """
    bots = reader.bots(module)
    names = [bot.name for bot in bots]
    if class_name is None:
        if len(bots) == 1:
            return bots[0]
        if bots:
            raise BotError(f'"{spec}" has several bots: {", ".join(names)}. Name one of them: {spec}:{names[0]}.')
        raise BotError(f'"{spec}" has no bot. {no_bot("on the top level of its file")}')
    bot = reader.bot(module, class_name)
    if class_name not in module.classes:
        has = f"It has: {', '.join(names)}." if names else "It has no bot."
        raise BotError(f'"{spec}" has no class "{class_name}".{did_you_mean(class_name, names)} {has}')
    if bot is None or class_name.startswith("_"):
        why = "does not derive from tournament.Bot" if bot is None else "is private: its name starts with _"
        raise BotError(f'"{class_name}" in "{spec}" is no bot: it {why}. {_bots(names)}')
    if not bot.has_act:
        raise BotError(
            f'"{class_name}" in "{spec}" has no act method. Write one, or name another class. {_bots(names)}'
        )
    return bot


def nearly_bots(reader: Reader, module: Module, spec: str) -> Iterator[BotError]:
    """Yields why classes that derive from `Bot`, or have an act method, are no bots, in a file that has none."""
    for name in module.classes:
        if not name.startswith("_") and (reader.bot(module, name) is not None or module.has_act(name)):
            try:
                choose(reader, module, spec, name)
            except BotError as error:
                yield error


def games_of(bot: BotClass, spec: str) -> tuple[str, ...]:
    """Returns the games that a class says it plays; empty: every game. Raises `BotError` when they cannot be read."""
    games = _value(bot, "games", ())
    if isinstance(games, tuple | list) and all(isinstance(game, str) for game in games):
        return tuple(games)
    raise BotError(
        f'The games of {bot.name} in {spec} cannot be read. Write their names out: games = ("{examples.GAME}",). '
        "To play every game, leave it out."
    )


def version_of(bot: BotClass, spec: str) -> str:
    """Returns the version that a class gives itself. Raises `BotError` when it is no short text."""
    version = _value(bot, "version", "1")
    if isinstance(version, str) and is_version(version):
        return version
    raise BotError(f'The version of {bot.name} in {spec} cannot be read. Write it out as a short text: version = "2".')


def is_version(text: str) -> bool:
    """Returns whether a text can stand as a version in a record."""
    return 1 <= len(text) <= VERSION_CHARACTERS and text.isprintable()


def _bots(names: list[str]) -> str:
    return f"Its bots: {', '.join(names)}." if names else "The file has no bot."


def _value(bot: BotClass, name: str, default: object) -> object:
    """Returns a value that a class sets; None when it is not written out but computed."""
    if name not in bot.values:
        return default
    try:
        return ast.literal_eval(bot.values[name])
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
