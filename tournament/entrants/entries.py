"""Turns the entries of a configuration, or of a command line, into entrants with different names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeGuard, TypeVar

import msgspec
from msgspec.structs import replace

from tournament import examples
from tournament.entrants.collector import VERSION_CHARACTERS, is_version
from tournament.entrants.files import canonical
from tournament.entrants.finder import FINDING_VERSION, Finder
from tournament.entrants.folders import files_named, script_of
from tournament.entrants.model import BotSource, Entrant, Found, Settings
from tournament.errors import BotError, GameError, did_you_mean
from tournament.games import game_names, load_game
from tournament.records.misfits import explain_field
from tournament.records.record import NAME_CHARACTERS, name_problem
from tournament.records.settings import ClockEntry, Isolation, LimitsEntry
from tournament.text import composed

_KEYS: Final = (
    *("name", "bot", "command", "games", "players", "files", "params", "version"),
    *("isolation", "python", "build", "env", "limits", "clock"),
)


class _Draft(NamedTuple):
    """An entrant before it is known which names are taken."""

    name: str
    is_given: bool
    bots: tuple[BotSource, ...]


def entrants_from(
    specs: Iterable[object],
    *,
    base: Path,
    unread: list[BotError] | None = None,
    passed_over: list[str] | None = None,
    version: int = FINDING_VERSION,
) -> tuple[Entrant, ...]:
    """Returns the entrants that specs stand for, in their order; paths are relative to the folder `base`.

    A spec is a text (`bots/greedy.py`, `bots/greedy.py:Greedy`, `pkg.mod:Class`, an installed name,
    a folder, a pattern such as `submissions/*`), a list (a command with its arguments), or a mapping with
    `bot`, `command` or one bot a game, and `name`, `games`, `players`, `files`, `params`, `version`, `isolation`,
    `python`, `env`, `limits`, `clock` (`build` has been run before). Raises one `BotError` on all specs that cannot be
    found or read; with a list `unread` they are noted there, and left out. In `passed_over` the paths in folders are
    noted that have no bot. `version` says by which rules bots are found, named and fingerprinted: those of the run.
    """
    games = game_names()
    base = Path(os.path.abspath(base))
    specs = list(specs)
    finder = Finder(
        base, games=games, unread=unread, passed_over=passed_over, programs=_programs(specs, base), version=version
    )
    drafts: list[_Draft] = []
    problems: list[BotError] = []
    for spec in specs:
        try:
            if isinstance(spec, Mapping):
                drafts.append(_draft(spec, finder, games))
            else:
                drafts += [
                    _Draft(composed(found.name), False, (found.source,)) for found in finder.find(spec, Settings())
                ]
        except BotError as error:
            problems.append(error)
    unnamed = [draft for draft in drafts if not draft.is_given and name_problem(draft.name) is not None]
    problems += map(_needs_name, unnamed)
    if problems and unread is None:
        raise problems[0] if len(problems) == 1 else BotError("\n".join(dict.fromkeys(map(str, problems))))
    if unread is not None:
        unread += problems
    drafts = [draft for draft in drafts if draft not in unnamed]
    return tuple(Entrant(name=name, bots=draft.bots) for name, draft in zip(_names(drafts), drafts, strict=True))


def default_name(entry: Mapping[Any, Any], *, base: Path) -> str | None:
    """Returns the name that a command gets when its entry gives none; None for another kind of entry.

    No file has to exist: it may not be built yet.
    """
    command = entry.get("command")
    if not _is_command(command):
        return None
    return Path(script_of(command, base) or command[0]).stem


def _is_command(entry: object) -> TypeGuard[Sequence[str]]:
    return isinstance(entry, list | tuple) and bool(entry) and all(isinstance(word, str) for word in entry)


def _programs(specs: Iterable[object], base: Path) -> list[Path]:
    entries = [spec.get("command") if isinstance(spec, Mapping) else spec for spec in specs]
    commands = [entry for entry in entries if _is_command(entry)]
    return [Path(os.path.abspath(path)) for command in commands for path in files_named(command, base).values()]


def _draft(entry: Mapping[Any, Any], finder: Finder, games: tuple[str, ...]) -> _Draft:
    shown = str(entry.get("name") or entry.get("bot") or entry.get("command") or "an entry")
    _check_keys(entry, games, shown)
    chosen = _texts(entry, "games", shown, example=f"games: [{examples.GAME}]")
    finder.check_games(chosen, of=f"games of {shown}")
    settings = Settings(
        params=params_of(entry, shown),
        version=_version(entry, shown),
        games=chosen,
        players=_players(entry, shown),
        files=_texts(entry, "files", shown, example="files: [rusty]"),
        isolation=_converted(entry, "isolation", Isolation, shown),
        python=_python(entry, shown),
        env=_env(entry, shown),
        limits=_converted(entry, "limits", LimitsEntry, shown),
        clock=_converted(entry, "clock", ClockEntry, shown),
    )
    build_of(entry, shown)
    if "command" in entry and not isinstance(entry["command"], list | tuple):
        raise BotError(f'A command is a list of texts: command: ["./program", "--fast"], not {entry["command"]!r}.')
    given = _given_name(entry["name"]) if "name" in entry else None
    by_game = [game for game in entry if game in games]
    if not by_game:
        found = _one(finder, entry["bot"] if "bot" in entry else entry["command"], settings)
        _check_seats((found.source,), settings.players, games, shown)
        return _Draft(given or composed(found.name), given is not None, (found.source,))
    found_by_game = [_one(finder, entry[game], replace(settings, games=(game,))) for game in by_game]
    default = found_by_game[0].name
    if given is None and any(found.name != default for found in found_by_game):
        raise BotError(
            f"An entrant with different bots for {' and '.join(by_game)} needs a name. Give it one: name: keeper."
        )
    bots = tuple(found.source for found in found_by_game)
    _check_seats(bots, settings.players, games, shown)
    return _Draft(given or composed(default), given is not None, bots)


def _check_seats(bots: Iterable[BotSource], players: Sequence[int], games: Sequence[str], shown: str) -> None:
    """Raises `BotError` for a number of players with which none of the bots' games is played."""
    if not players:
        return
    try:
        played = [load_game(name) for name in dict.fromkeys(name for bot in bots for name in bot.games or games)]
    except GameError:  # whoever plays it is told
        return
    for number in players:
        if not any(number in game.players for game in played):
            ranges = ", ".join(f"{game.name} with {game.players[0]} to {game.players[-1]}" for game in played)
            raise BotError(
                f"players of {shown} has {number}, and no game of this bot is played with so many: {ranges}. "
                f"Leave {number} out."
            )


def _check_keys(entry: Mapping[Any, Any], games: tuple[str, ...], shown: str) -> None:
    """Raises `BotError` for an unknown key, and for keys that exclude each other."""
    kinds = [key for key in ("bot", "command") if key in entry]
    for key in entry:
        if key in _KEYS or key in games:
            continue
        near = did_you_mean(str(key), _KEYS)
        if kinds or near:
            raise BotError(
                f'An entry of bots has no key "{key}".{near} '
                f"It may have: {', '.join(_KEYS)}, or a game: {', '.join(games)}."
            )
        near = did_you_mean(str(key), games)
        raise BotError(f'There is no game "{key}" to give a bot for.{near} Known games: {", ".join(games)}.')
    by_game = [key for key in entry if key in games]
    if by_game and "games" in entry:
        raise BotError(f"An entry with one bot a game ({', '.join(by_game)}) plays these games: leave out games.")
    if len(kinds) + bool(by_game) != 1:
        found = " and ".join([*kinds, *by_game]) or "none of them"
        raise BotError(
            f"An entry of bots has either bot, or command, or one bot for each game; {shown} has {found}. "
            f"For example: {examples.BOT}"
        )


def _one(finder: Finder, spec: object, settings: Settings) -> Found:
    """Returns the bot of a spec inside a mapping, which may not be a folder of several bots."""
    found = finder.find(spec, settings)
    if len(found) > 1:
        raise BotError(
            f'"{spec}" has {len(found)} bots, and this entry stands for one entrant. '
            "Name one file here, or write the folder on a line of its own."
        )
    return found[0]


def _texts(entry: Mapping[Any, Any], key: str, shown: str, *, example: str) -> tuple[str, ...]:
    value = entry.get(key, [])
    if isinstance(value, list | tuple) and all(isinstance(one, str) and one for one in value):
        return tuple(value)
    raise BotError(f"{key} of {shown} is a list of names, such as {example}, not {value!r}.")


def _players(entry: Mapping[Any, Any], shown: str) -> tuple[int, ...]:
    value = entry.get("players", [])
    numbers = value if isinstance(value, list | tuple) else [value]
    if all(type(one) is int and one > 1 for one in numbers):
        return tuple(numbers)
    raise BotError(f"players of {shown} is a list of numbers of players, such as players: [2, 3], not {value!r}.")


def params_of(entry: Mapping[Any, Any], shown: str) -> dict[str, Any]:
    """Returns what an entry gives to its bot by name. Raises `BotError` for what is no JSON."""
    params = entry.get("params", {})
    if isinstance(params, Mapping) and all(isinstance(name, str) and name.isidentifier() for name in params):
        try:
            canonical(dict(params))
        except (TypeError, ValueError) as error:
            raise BotError(f"params of {shown} are JSON values (numbers, texts, lists, mappings): {error}.") from None
        return dict(params)
    raise BotError(f"params of {shown} are names with values, such as params: {{depth: 2}}, not {params!r}.")


def _version(entry: Mapping[Any, Any], shown: str) -> str | None:
    version = entry.get("version")
    if version is None or (isinstance(version, str) and is_version(version)):
        return version
    raise BotError(
        f'version of {shown} is a text of at most {VERSION_CHARACTERS} characters, such as "2", not {version!r}.'
    )


def build_of(entry: Mapping[Any, Any], shown: str) -> tuple[str, ...]:
    """Returns the command that builds the bot of an entry; empty where it has none. Raises `BotError`."""
    command = entry.get("build")
    if command is None:
        return ()
    if not isinstance(command, list | tuple) or not command or not all(isinstance(one, str) for one in command):
        raise BotError(f"build of {shown} is a list of texts, such as build: [make], not {command!r}.")
    return tuple(command)


def _python(entry: Mapping[Any, Any], shown: str) -> str | None:
    python = entry.get("python")
    if python is not None and "command" in entry:
        raise BotError(f"python of {shown} means nothing to a command, which names its own program. Take it out.")
    if python is None or (isinstance(python, str) and python):
        return python
    raise BotError(f"python of {shown} is the path of a Python or of a virtual environment, not {python!r}.")


def _env(entry: Mapping[Any, Any], shown: str) -> dict[str, str]:
    env = entry.get("env", {})
    if isinstance(env, Mapping) and all(
        isinstance(name, str) and isinstance(text, str) and name and "=" not in name and "\0" not in name + text
        for name, text in env.items()
    ):
        return dict(env)
    raise BotError(f'env of {shown} is names with texts, such as env: {{LEVEL: "2"}}, not {env!r}.')


Kind = TypeVar("Kind", Isolation, LimitsEntry, ClockEntry)


def _converted(entry: Mapping[Any, Any], key: str, kind: type[Kind], shown: str) -> Kind | None:
    if entry.get(key) is None:
        return None
    try:
        return msgspec.convert(entry[key], kind)
    except (msgspec.ValidationError, OverflowError) as error:
        raise BotError(f"{shown}: {explain_field(key, entry[key]) or error}") from None


def _given_name(name: object) -> str:
    if not isinstance(name, str):
        raise BotError(f'The name of an entrant is a text, not {name!r}. Write it in quotes: name: "{name}".')
    clean = composed(name)
    problem = name_problem(clean)
    if problem is not None:
        raise BotError(f"The name {name!r} cannot be an entrant's: {problem}.")
    return clean


def _names(drafts: list[_Draft]) -> list[str]:
    """Returns a name for each draft: the one given, or its default, numbered when that is taken."""
    taken: set[str] = set()
    for draft in drafts:
        if draft.is_given:
            if draft.name in taken:
                raise BotError(f'Two entrants are named "{draft.name}". Give one of them another name.')
            taken.add(draft.name)
    names = []
    for draft in drafts:
        name = draft.name if draft.is_given else _free(draft, taken)
        taken.add(name)
        names.append(name)
    return names


def _needs_name(draft: _Draft) -> BotError:
    spec = draft.bots[0].spec
    return BotError(
        f"{spec if spec.isprintable() else ascii(spec)} needs a name, because its own cannot be an entrant's: "
        f"{name_problem(draft.name)}. Write name: keeper."
    )


def _free(draft: _Draft, taken: set[str]) -> str:
    name, number = draft.name, 1
    while name in taken:
        number += 1
        ending = f"_{number}"
        name = draft.name[: NAME_CHARACTERS - len(ending)] + ending
    return name
