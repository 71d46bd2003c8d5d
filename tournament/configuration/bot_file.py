"""`bot.yaml`, which an author puts beside a bot: read as an arena reads it, and made an entry of a configuration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

import msgspec

from tournament.configuration.file import read_yaml
from tournament.configuration.types import BotFile
from tournament.errors import nearest_word
from tournament.games import game_names
from tournament.languages import KeptNumber, KeptWord, gettext_noop, kept_gettext
from tournament.plain_yaml import YamlError, YamlText, line_of, told_too_long
from tournament.store.layout import BOT_PYTHON_FILE
from tournament.text import printable, shortened

MOST_BOT_FILE_BYTES: Final = 65_536
MOST_WORD_BYTES: Final = 200
"""Of a command: it may be a path."""

EXPECTED: Final = {
    "command": gettext_noop("a list of 1 to 100 texts"),
    "build": gettext_noop("a list of 1 to 100 texts"),
    "games": gettext_noop("a list of names of games"),
    "players": gettext_noop("a list of numbers from 2 on"),
    "files": gettext_noop("a list of 1 to 100 paths"),
}
EXAMPLES: Final = {
    "command": "command: [./bot, --fast]",
    "build": "build: [make]",
    "games": "games: [NAME]",
    "players": "players: [2, 3]",
    "files": "files: [weights.bin]",
}


NO_PROGRAM: Final = (
    f"it has no command, and there is no {BOT_PYTHON_FILE} beside it. Write the command that starts the bot, such as "
    f"{EXAMPLES['command']}, or call its Python file {BOT_PYTHON_FILE}."
)


class ForeignPathError(YamlError):
    """A path in `bot.yaml` that leads out of the folder of the bot."""

    def __init__(self, path: Path, line: int, name: str) -> None:
        """Takes the path that leads out."""
        advice = (
            "Name files of the bot by paths that begin in its folder, and programs of the system by their names alone, "
            "such as python3."
        )
        super().__init__(path, line, f'"{shortened(printable(name))}" leads out of what was handed in. {advice}')
        self.name = name


def parse_bot_file(path: Path) -> BotFile:
    """Returns the `bot.yaml` at a path. Raises `YamlError` with the line, and `ConfigurationError` where there is none.

    Raises `ForeignPathError` for a path that leads out of its folder. All that it says of a file is kept for `spoken`,
    but for that path.
    """
    if path.is_file() and path.stat().st_size > MOST_BOT_FILE_BYTES:
        raise YamlError(path, None, told_too_long(MOST_BOT_FILE_BYTES))
    return _bot_file_from(read_yaml(path), path)


def entry_of(folder: Path, bot_file: BotFile | None) -> dict[str, Any] | None:
    """Returns the entry of a configuration that runs the program in a folder, its paths relative to the folder.

    None where it has neither a command nor a `bot.py`.
    """
    entry: dict[str, Any] = {}
    if bot_file is not None and bot_file.command is not None:
        entry |= {"command": list(bot_file.command), "files": ["."]}
    elif (folder / BOT_PYTHON_FILE).is_file():
        entry["bot"] = BOT_PYTHON_FILE
    else:
        return None
    if bot_file is not None:
        listed = {name: getattr(bot_file, name) for name in ("games", "players", "files")}
        entry |= {name: list(values) for name, values in listed.items() if values is not None}
    return entry


def _bot_file_from(text: YamlText, path: Path) -> BotFile:
    known = BotFile.__struct_fields__
    if not isinstance(text.data, dict):
        told = kept_gettext("expected names with values. Write for example {example}", example=EXAMPLES["command"])
        raise YamlError(path, 1, told)
    types = {field.name: field.type for field in msgspec.structs.fields(BotFile)}
    values = {}
    for key, value in text.data.items():
        line = line_of((key,), text.lines)
        if key not in known:
            raise YamlError(path, line, _told_unknown_key(str(key), known))
        try:
            values[key] = msgspec.convert(value, types[key])
        except (msgspec.ValidationError, OverflowError):
            told = kept_gettext(
                "{key}: expected {expected}, found {found}. Write for example {example}",
                key=key,
                expected=KeptWord(EXPECTED[key]),
                found=shortened(json.dumps(value, ensure_ascii=False)),
                example=EXAMPLES[key],
            )
            raise YamlError(path, line, told) from None
    for game in values.get("games") or ():
        if game not in game_names():
            raise YamlError(path, line_of(("games",), text.lines), _told_unknown_game(game))
    for key in ("command", "build", "files"):
        for number, word in enumerate(values.get(key) or ()):
            _check_word(word, path, line_of((key, number), text.lines))
    return BotFile(**values)


def _check_word(word: str, path: Path, line: int) -> None:
    if not word.isprintable() or len(word.encode()) > MOST_WORD_BYTES:
        told = kept_gettext(
            "{word}: expected a printable text of at most {bytes} bytes. Put what is longer into a file of the bot.",
            word=shortened(printable(word)),
            bytes=KeptNumber(MOST_WORD_BYTES),
        )
        raise YamlError(path, line, told)
    if _leads_out(word):
        raise ForeignPathError(path, line, word)


def _told_unknown_key(key: str, known: Sequence[str]) -> str:
    near, names = nearest_word(key, known), ", ".join(known)
    if near is None:
        return kept_gettext('"{key}" is not known here. Known names: {names}.', key=key, names=names)
    return kept_gettext(
        '"{key}" is not known here. Did you mean "{near}"? Known names: {names}.', key=key, near=near, names=names
    )


def _told_unknown_game(game: str) -> str:
    near, names = nearest_word(game, game_names()), ", ".join(game_names())
    if near is None:
        return kept_gettext('there is no game "{game}". Known games: {names}.', game=game, names=names)
    return kept_gettext(
        'there is no game "{game}". Did you mean "{near}"? Known games: {names}.', game=game, near=near, names=names
    )


def _leads_out(word: str) -> bool:
    """Returns whether a word, if it is a path, leads out of the bot's folder; what the system has, all may read."""
    from tournament.players.linux.sandbox import SYSTEM, is_below  # lazy: other systems lack what it imports

    path = PurePosixPath(word)
    return ".." in path.parts or (path.is_absolute() and not is_below(word, SYSTEM))
