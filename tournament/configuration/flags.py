"""The flags of a command, put into a configuration."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar

import msgspec

from tournament import examples
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.rules import MOST_WORKERS
from tournament.configuration.types import Budget, GameEntry
from tournament.errors import ConfigurationError, no_such_word
from tournament.ids import parse_spec
from tournament.paths import data_folder
from tournament.records.run import Format, Until
from tournament.records.settings import (
    NEVER,
    AnyWithdrawalEntry,
    ClockEntry,
    Isolation,
    WithdrawalEntry,
    is_keep,
)
from tournament.text import composed, each, is_plain_number, option

Word = TypeVar("Word", bound=StrEnum)


class Flags(TypedDict, total=False):
    """What `with_flags` puts into a configuration, by name."""

    games: Sequence[str]
    bots: Sequence[str]
    schedule: str | None
    focus: Sequence[str]
    budget: Budget | None
    until: str | None
    clock: str | None
    seed: str | None
    workers: str | None
    keep: str | None
    compress: bool | None
    withdraw: str | None
    isolation: str | None
    allow_mixed: bool | None
    trace: Sequence[str]


def with_flags(
    source: ConfigurationSource,
    *,
    games: Sequence[str] = (),
    bots: Sequence[str] = (),
    schedule: str | None = None,
    focus: Sequence[str] = (),
    budget: Budget | None = None,
    until: str | None = None,
    clock: str | None = None,
    seed: str | None = None,
    workers: str | None = None,
    keep: str | None = None,
    compress: bool | None = None,
    withdraw: str | None = None,
    isolation: str | None = None,
    allow_mixed: bool | None = None,
    trace: Sequence[str] = (),
) -> tuple[ConfigurationSource, list[str]]:
    """Returns a configuration with the flags of a command in it, and a note for each that overrides the file.

    `games` are texts, a game and its numbers of players: `NAME:3,4`; `bots` are specs relative to the current
    folder, one or several with commas.
    """
    given: dict[str, Any] = {
        "games": tuple(map(_parse_game_flag, each(games))),
        "bots": tuple(spec_from_here(spec) for text in each(bots) for spec in _specs_in(text)),
        "schedule": None if schedule is None else _parse_word(Format, schedule, name="schedule"),
        "focus": tuple(map(composed, each(focus))),
        "budget": budget,
        "until": None if until is None else parse_until(until),
        "clock": None if clock is None else parse_clock(clock, source.file.clock),
        "seed": seed,
        "workers": None if workers is None else parse_workers(workers),
        "keep": None if keep is None else _parse_keep(keep),
        "compress": compress,
        "withdraw": None if withdraw is None else parse_withdrawal(withdraw),
        "isolation": None if isolation is None else parse_isolation(isolation),
        "allow_mixed": allow_mixed or None,
        "trace": tuple(map(composed, each(trace))),
    }
    flags = {name: value for name, value in given.items() if value is not None and value != ()}
    notes = [
        f"{name}: the flag stands in for line {source.lines[(name,)]} of {source.path}."
        for name in flags
        if (name,) in source.lines
    ]
    return source._replace(file=msgspec.structs.replace(source.file, **flags)), notes


def parse_until(text: str) -> Until:
    """Returns the goal a text names, also with a hyphen for a space. Raises `ConfigurationError`."""
    hyphened = {word.replace(" ", "-"): word for word in Until}
    goal = hyphened.get(text.replace(" ", "-"))
    if goal is None:
        raise ConfigurationError(no_such_word("until", text, hyphened))
    return goal


def parse_clock(text: str, given: ClockEntry | None = None) -> ClockEntry:
    """Returns the clock of `1000+10000`: milliseconds free for each move, and in the bank for each game.

    Without a bank it stays as it is in `given`, and so do the times before play. Raises `ConfigurationError`.
    """
    match = re.fullmatch(r"([0-9]{1,9})(?:\+([0-9]{1,9}))?", text.strip())
    if match is None or int(match[1]) < 1:
        raise ConfigurationError(
            f'{option("--clock")} "{text}": give the milliseconds free for each move, from 1, and those in '
            "the bank for each "
            "game: 1000+10000, or only 1000."
        )
    clock = msgspec.structs.replace(given or ClockEntry(), move_ms=int(match[1]))
    return clock if match[2] is None else msgspec.structs.replace(clock, bank_ms=int(match[2]))


def parse_isolation(text: str) -> Isolation:
    """Returns the level a text names. Raises `ConfigurationError`."""
    return _parse_word(Isolation, text, name="isolation")


def _parse_word(words: type[Word], text: str, *, name: str) -> Word:
    if text in list(words):
        return words(text)
    raise ConfigurationError(no_such_word(name, text, words))


def parse_workers(text: str) -> int | Literal["auto"]:
    """Returns how many workers a text asks for. Raises `ConfigurationError`."""
    if text == "auto":
        return "auto"
    if is_plain_number(text, whole=True) and len(text) <= len(str(MOST_WORKERS)) and 1 <= int(text) <= MOST_WORKERS:
        return int(text)
    raise ConfigurationError(
        f'{option("--workers")} "{text}": give a number from 1 to {MOST_WORKERS}, or auto for one a core.'
    )


def _parse_keep(text: str) -> str:
    if is_keep(text):
        return text
    raise ConfigurationError(
        f'{option("--keep")} "{text}": choose from all, faults, sample:1% (any share under 100 %), none.'
    )


def _specs_in(text: str) -> list[str]:
    """Returns the specs in `one.py,two.py`; the path of a file may have a comma.

    Raises `ConfigurationError` for an empty text, such as a shell variable that is not set.
    """
    if not text.strip():
        raise ConfigurationError(
            f"{option('--bots')}: expected a bot, found nothing in it. Name one, such as bots/random_legal.py."
        )
    return [text] if Path(text).exists() else [spec.strip() for spec in text.split(",") if spec.strip()] or [text]


def spec_from_here(spec: str) -> str:
    """Returns a spec whose path, if it is one, starts at the current folder; that of an example stays as it is."""
    name = parse_spec(spec).where
    path = Path.cwd() / name
    if glob.has_magic(name) and not path.exists():
        return spec if name.startswith("bots/") and not Path("bots").exists() else f"{glob.escape(os.getcwd())}/{spec}"
    is_path = "/" in name or name.endswith(".py")
    is_example = name.startswith("bots/") and (data_folder("bots") / name.removeprefix("bots/")).exists()
    return str(Path.cwd() / spec) if path.exists() or (is_path and not is_example) else spec


def _parse_game_flag(text: str) -> GameEntry:
    """Returns what a text such as `NAME:3,4` asks for."""
    name, colon, numbers = text.partition(":")
    if not colon or not all(is_plain_number(number.strip(), whole=True) for number in numbers.split(",")):
        raise ConfigurationError(
            f'{option("--game", "`games`")} "{text}": say the game and its numbers of players, '
            f"such as {examples.PLAYERS} or {examples.SEVERAL_PLAYERS}."
        )
    return GameEntry(game=name, players=tuple(int(number) for number in numbers.split(",")))


def parse_withdrawal(text: str) -> AnyWithdrawalEntry:
    """Returns what `never` or `starts=2,games=3,share=1%` says. Raises `ConfigurationError`."""
    if text.strip() == NEVER:
        return NEVER
    given: dict[str, int | str] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        is_number = re.fullmatch(r"[0-9]{1,9}", value) is not None
        if not equals or name not in WithdrawalEntry.__struct_fields__ or name in given:
            raise _unread_rule(text, part.strip())
        given[name] = int(value) if is_number and name != "share" else value
        try:
            msgspec.convert({name: given[name]}, WithdrawalEntry)
        except msgspec.ValidationError:
            raise _unread_rule(text, part.strip()) from None
    return msgspec.convert(given, WithdrawalEntry)


def _unread_rule(text: str, found: str) -> ConfigurationError:
    return ConfigurationError(
        f'{option("--withdraw")} "{text}": expected never, or some of starts=2,games=3,share=1%, each once; '
        f"found {found or 'nothing'}."
    )
