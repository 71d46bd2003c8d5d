"""`tournament bot new`: a working bot to start from, a tournament in which it plays, and its test."""

from __future__ import annotations

import re
from enum import StrEnum
from importlib import import_module, resources
from pathlib import Path
from string import Template
from typing import Final, NamedTuple, get_args

from tournament.errors import UsageError
from tournament.games import load_game
from tournament.games.contract import Game
from tournament.paths import data_folder
from tournament.records.schema import modeline_of
from tournament.store.layout import BOT_FILE

NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
OPPONENT: Final = "opponent.py"


class BotLanguage(StrEnum):
    """What a new bot is written in."""

    PYTHON = "python"
    NODE = "node"
    C = "c"


class _Start(NamedTuple):
    suffix: str
    entry: tuple[str, ...]
    """What its entry in a configuration says, beside its name."""

    @property
    def is_a_program(self) -> bool:
        """Whether an arena must be told how to start it."""
        return self.suffix != ".py"


_STARTS: Final = {
    BotLanguage.PYTHON: _Start(".py", ("bot: $name.py",)),
    BotLanguage.NODE: _Start(".js", ("command: [node, $name.js]", "files: [$name.js]", "games: [$game]")),
    BotLanguage.C: _Start(
        ".c",
        ("build: [cc, -O2, -o, $name, $name.c]", "command: [./$name]", "files: [$name.c]", "games: [$game]"),
    ),
}
_FOR_ARENAS: Final = "# What an arena must know of this bot: tournament submit, and the page of your own bots"


def new_bot(name: str, *, game: str, language: BotLanguage = BotLanguage.PYTHON, folder: Path | None = None) -> Path:
    """Writes a working bot, its tournament and its test, and returns their folder, by default `name`.

    Beside a program lies the `bot.yaml` with which it is handed in at an arena.

    Raises `UsageError` for a name that no file can have and for a folder that exists, `GameError` for an unknown game.
    """
    if not NAME.fullmatch(name):
        raise UsageError(f'"{name}" cannot be the name of a new bot. Use small letters, digits and _, such as my_bot.')
    players = load_game(game).players[0]
    folder = Path(name) if folder is None else folder
    start = _STARTS[language]
    words = {
        "name": name,
        "title": "".join(part.capitalize() for part in name.split("_")) or name.capitalize(),
        "game": game,
        "players": str(players),
        "opponents": "\n".join(f"  - {{name: opponent_{seat}, bot: {OPPONENT}}}" for seat in range(1, players)),
    }
    words |= _typing_of(game)
    entry = [Template(line).substitute(words) for line in start.entry]
    words["entry"] = f"{{{', '.join((f'name: {name}', *entry))}}}"
    files = {
        f"{name}{start.suffix}": _first(language).safe_substitute(words),
        f"test_{name}.py": _starter("test.py").substitute(words),
        "tournament.yaml": f"{modeline_of('configuration.v1')}\n{_starter('tournament.yaml').substitute(words)}",
        OPPONENT: (data_folder("bots") / "random_legal.py").read_text(encoding="utf-8"),
    }
    if start.is_a_program:
        files[BOT_FILE] = "\n".join((modeline_of("bot.v1"), _FOR_ARENAS, *entry, ""))
    try:
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise UsageError(f"{folder} exists already. Give another name, or another --out.") from None
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}. Give another --out.") from None
    return folder


def _typing_of(game: str) -> dict[str, str]:
    """Returns what a Python bot imports and derives from, with the types of its game where these have names."""
    own = "from tournament import Bot, GameStart"
    found = _named_types(load_game(game))
    if found is None:
        return {"imports": f"from typing import Any\n\n{own}", "base": "Bot", "view": "Any", "action": "Any"}
    module, view, action = found
    types = f"from {module} import {', '.join(sorted((action, view)))}"
    # As formatters sort them: the modules of others by name, without an empty line between.
    imports = "\n".join(sorted((own, types)))
    return {"imports": imports, "base": f"Bot[{view}, {action}]", "view": view, "action": action}


def _named_types(game: Game) -> tuple[str, str, str] | None:
    """Returns the module that has both the view and the action of a game, and their names there; None without one.

    Of a package and the modules in it, the package comes first.
    """
    kinds = get_args(game.Action) or (game.Action,)
    homes = dict.fromkeys([game.View.__module__, type(game).__module__, *(kind.__module__ for kind in kinds)])
    for home in homes:
        parts = home.split(".")
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            known = vars(import_module(name))
            view = next((word for word, value in known.items() if value is game.View), None)
            action = next((word for word, value in known.items() if value is game.Action), None)
            if view is not None and action is not None:
                return name, view, action
    return None


def _first(language: BotLanguage) -> Template:
    """Returns the template of the bot itself; in C that is the example that plays every game."""
    if language is BotLanguage.C:
        text = (data_folder("bots") / "other-languages" / "uniform.c").read_text(encoding="utf-8")
        return Template(text.replace("$", "$$").replace("Uniform: a bot", "$title: a bot").replace("uniform", "$name"))
    return _starter("bot.py" if language is BotLanguage.PYTHON else "bot.js")


def _starter(name: str) -> Template:
    return Template((resources.files("tournament.lab") / "starters" / f"{name}.txt").read_text(encoding="utf-8"))
