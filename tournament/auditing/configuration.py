"""The configuration in a run folder, compared with what `run.json` made of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from functools import partial
from math import isclose
from pathlib import Path
from typing import Any

import msgspec

from tournament import examples
from tournament.auditing.findings import Contradiction, FindingCode, Findings
from tournament.configuration.file import read_configuration
from tournament.configuration.rules import group_games
from tournament.configuration.types import DEFAULT_DEALS, DEFAULT_GAMES, Budget, ConfigurationFile, UntilWithBounds
from tournament.errors import ConfigurationError, GameError
from tournament.records.run import BotInfo, Bounds, EntrantInfo, Format, RunInfo, RunState, Until
from tournament.records.settings import KEEP_ALL, Limits, TimeControl, rule_from_entry, with_entry
from tournament.store.layout import CONFIGURATION_FILE
from tournament.version import __version__

WITHHELD = "withheld"
"""Stands in place of the seed until the master is published."""


def check_configuration(folder: Path, info: RunInfo, findings: Findings) -> ConfigurationFile | None:
    """Returns the configuration of a run, and notes where it contradicts `run.json`; None where it cannot be read.

    What the configuration leaves out had its default.
    """
    path = folder / CONFIGURATION_FILE
    findings.move_to(str(path))
    note = partial(findings.add, FindingCode.CONFIGURATION)
    if not path.is_file():
        note("The configuration is missing.", "the configuration as it was given", "nothing")
        return None
    try:
        file = read_configuration(path).file
    except ConfigurationError as error:
        note("The configuration cannot be read.", "a configuration", error)
        return None
    if info.versions.get("tournament") == __version__:
        file = _with_defaults(file)
    for contradiction in (*_in_the_large(file, info), *_in_hosting(file, info), *_in_bots(file, info)):
        note(*contradiction)
    return file


def most_bank_ms(file: ConfigurationFile, info: RunInfo) -> int | None:
    """Returns the longest bank that any entrant begins a game with; None where `run.json` does not say."""
    if info.clock is None:
        return None
    banks = [info.clock.bank_ms]
    for entry in file.bots or ():
        clock = entry.get("clock") if isinstance(entry, Mapping) else None
        bank = clock.get("bank_ms") if isinstance(clock, Mapping) else None
        banks += [bank] if isinstance(bank, int) else []
    return max(banks)


def _with_defaults(file: ConfigurationFile) -> ConfigurationFile:
    """Returns a configuration with the defaults written out that are the same on every machine."""
    return msgspec.structs.replace(
        file,
        games=file.games or DEFAULT_GAMES,
        bots=file.bots or tuple(dict(bot) for bot in examples.DEFAULT_BOTS),
        budget=file.budget or Budget(deals=DEFAULT_DEALS),
    )


def _in_the_large(file: ConfigurationFile, info: RunInfo) -> Iterator[Contradiction]:
    first = info.segments[0]
    if file.name is not None and file.name != info.name:
        yield "It is of another tournament.", info.name, file.name
    if file.seed not in (None, WITHHELD) and not (info.state is RunState.COMPLETE and str(file.seed) == first.master):
        yield "It tells a seed that is not the published master.", WITHHELD, file.seed
    if (file.deals_from is not None) != (first.suite is not None):
        message = "Where the deals come from is not what was played."
        yield message, first.suite or "a master", file.deals_from or "a seed"
    schedule = file.schedule or Format.ROUND_ROBIN
    if schedule is not info.schedule:
        yield "It has another schedule.", info.schedule, schedule
    if file.focus is not None:
        focus = {name for field in first.fields for name in field.focus}
        if focus != set(file.focus):
            yield "It has another focus.", ", ".join(sorted(focus)) or "none", ", ".join(file.focus)
    if file.budget is not None and msgspec.to_builtins(file.budget) != info.budget:
        yield "It has another budget.", _shown(info.budget), _shown(file.budget)
    bounds = file.until.sprt if isinstance(file.until, UntilWithBounds) else None
    until = Until.SPRT if isinstance(file.until, UntilWithBounds) else file.until
    if until is Until.SPRT and bounds is None:
        bounds = info.bounds and Bounds()
    if (until, bounds) != (info.until, info.bounds):
        yield "It ends otherwise.", f"{info.until} {_shown(info.bounds)}", f"{until} {_shown(bounds)}"
    withdraw = rule_from_entry(file.withdraw)
    if info.withdraw is not None and withdraw != info.withdraw:
        yield "It withdraws bots by another rule.", _shown(info.withdraw), _shown(withdraw)
    yield from _in_games(file, info)


def _in_games(file: ConfigurationFile, info: RunInfo) -> Iterator[Contradiction]:
    if file.games is not None:
        try:
            games = [(game.name, players, msgspec.to_builtins(own)) for game, players, own in group_games(file.games)]
        except (GameError, ConfigurationError) as error:
            yield "Its games cannot be played here.", "known games", error
        else:
            played = [(group.game, group.players, group.options) for group in info.groups]
            if games != played:
                yield "It has other games.", _shown(played), _shown(games)
    if file.weights is not None:
        total = sum(file.weights.values())
        shares = {game: weight / total for game, weight in file.weights.items()}
        if shares.keys() != info.weights.keys() or not all(
            isclose(shares[game], info.weights[game], abs_tol=1e-9) for game in shares
        ):
            yield "It has other weights.", _shown(info.weights), _shown(shares)


def _in_hosting(file: ConfigurationFile, info: RunInfo) -> Iterator[Contradiction]:
    if file.isolation is not None and file.isolation is not info.isolation:
        yield "It has another isolation.", info.isolation, file.isolation
    clock, limits = with_entry(TimeControl(), file.clock), with_entry(Limits(), file.limits)
    if info.clock is not None and clock != info.clock:
        yield "It has another clock.", _shown(info.clock), _shown(clock)
    if info.limits is not None and limits != info.limits:
        yield "It has other limits.", _shown(info.limits), _shown(limits)
    if (file.keep or KEEP_ALL) != info.keep:
        yield "It keeps other records.", info.keep, file.keep or KEEP_ALL
    if bool(file.compress) != info.compress:
        yield "It compresses otherwise.", str(info.compress).lower(), str(bool(file.compress)).lower()


def _in_bots(file: ConfigurationFile, info: RunInfo) -> Iterator[Contradiction]:
    """Yields entrants that no entry asks for, and entries without an entrant."""
    if file.bots is None:
        return
    by_name = {entrant.name: entrant for entrant in info.entrants}
    origins = {now: given for given, now in info.replaced.items()}
    named = {str(entry["name"]): entry for entry in file.bots if isinstance(entry, Mapping) and "name" in entry}
    unnamed = [entry for entry in file.bots if not (isinstance(entry, Mapping) and "name" in entry)]
    for name in sorted(named.keys() - by_name.keys()):
        yield "It has an entrant that takes no part.", ", ".join(by_name), name
    used: set[int] = set()
    for entrant in info.entrants:
        entry = named.get(origins.get(entrant.name, entrant.name))
        asked: list[tuple[int, Any]] = [(-1, entry)] if entry is not None else list(enumerate(unnamed))
        for bot in entrant.bots:
            fitting = [number for number, one in asked if _asks_for(one, bot)]
            used.update(fitting)
            if not fitting:
                yield f"It does not ask for the bot that {entrant.name} plays {bot.game} with.", bot.spec, _shown(entry)
    if all(entrant.bots for entrant in info.entrants):
        for number, one in enumerate(unnamed):
            given = unnamed.count(one)
            playing = sum(any(_asks_for(one, bot) for bot in entrant.bots) for entrant in info.entrants)
            if unnamed.index(one) == number and 0 < playing < given:
                yield "It asks for more of a bot than take part.", playing, f"{given} of {_shown(one)}"
            if number not in used:
                yield "It asks for a bot that nobody plays with.", _specs(info.entrants), _shown(one)


def _asks_for(entry: Any, bot: BotInfo) -> bool:
    """Returns whether an entry of `bots` may stand for a bot, itself or as a folder or pattern that the bot fits."""
    if isinstance(entry, Mapping):
        spec = entry.get(bot.game, entry.get("bot", entry.get("command")))
        return spec is not None and _is_spec_of(spec, bot) and dict(entry.get("params", {})) == bot.params
    return _is_spec_of(entry, bot) and not bot.params


def _is_spec_of(entry: Any, bot: BotInfo) -> bool:
    if isinstance(entry, list | tuple):
        return shlex.join(map(str, entry)) == bot.spec
    spec = str(entry).partition("*")[0]
    if not entry:
        return False
    return (
        bot.spec == spec
        or bot.spec.startswith((spec.rstrip("/") + "/", f"{spec}:"))
        or ("*" in str(entry) and bot.spec.startswith(spec))
    )


def _specs(entrants: tuple[EntrantInfo, ...]) -> str:
    return ", ".join(dict.fromkeys(bot.spec for entrant in entrants for bot in entrant.bots))


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()
