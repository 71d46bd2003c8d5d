"""What `run.json`, or a line of the results, says in two places that do not agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from math import isclose
from typing import Final

import msgspec

from tournament.auditing.findings import Contradiction
from tournament.auditing.records import listed, places_of
from tournament.configuration.types import Budget
from tournament.games.contract import Ending
from tournament.records.results import ResultLine
from tournament.records.run import Field, Format, GroupInfo, RunInfo, RunState, Until
from tournament.schedule.formats import with_deals, with_games, with_rounds
from tournament.version import is_of_first_release


def check_facts(info: RunInfo, note: Callable[[str, object, object], None]) -> None:
    """Notes facts that contradict each other. Ask `schedule_problem` first."""
    checks = (_entrant_problems, _budget_problems, _segment_problems, _until_problems, _time_problems, _other_problems)
    for check in checks:
        for contradiction in check(info):
            note(*contradiction)


def _entrant_problems(info: RunInfo) -> Iterator[Contradiction]:
    names = Counter(entrant.name for entrant in info.entrants)
    for name in (name for name, times in names.items() if times > 1):
        yield "An entrant stands twice.", "each entrant once", name
    for entrant in info.entrants:
        games = Counter(bot.game for bot in entrant.bots)
        for game in (game for game, times in games.items() if times > 1):
            yield f"{entrant.name} has two bots for {game}.", "one bot for each game", games[game]
    played = {field.group for segment in info.segments for field in segment.fields}
    for group in info.groups:
        if group.name not in played:
            yield f"No segment plays the group {group.name}.", "a segment with it", "none"
        strangers = [name for name, times in Counter(group.entrants).items() if name not in names or times > 1]
        if strangers:
            message = f"The group {group.name} has entrants that the run has not, or has one twice."
            yield message, ", ".join(names), ", ".join(strangers)


def _budget_problems(info: RunInfo) -> Iterator[Contradiction]:
    """Yields where the first segment is not what the budget gives; later segments have other budgets."""
    first = info.segments[0]
    try:
        budget = msgspec.convert(info.budget, Budget)
    except msgspec.ValidationError as error:
        yield "The budget is none.", "deals, games or minutes", error
        return
    if len(info.budget) != 1:
        yield "The budget is not one of three.", "deals, games or minutes", ", ".join(info.budget) or "nothing"
    elif first.format is Format.KNOCKOUT:
        if budget.deals != first.deals:
            yield "The knockout has other deals than the budget.", budget.deals or "a budget in deals", first.deals
    elif (wanted := _filled(first.fields, budget)) != first.fields:
        yield "Segment 0 is not what the budget gives.", _lengths(wanted), _lengths(first.fields)


def _filled(fields: Sequence[Field], budget: Budget) -> Sequence[Field]:
    """Returns fields with the blocks that a budget gives; by minutes only equal numbers can be expected."""
    if budget.deals is not None:
        return with_deals(fields, budget.deals)
    if budget.games is not None:
        return with_games(fields, budget.games)
    return with_rounds(fields, fields[0].blocks) if fields else fields


def _lengths(fields: Sequence[Field]) -> str:
    return ", ".join(f"{field.blocks} blocks of {field.group}" for field in fields)


def _segment_problems(info: RunInfo) -> Iterator[Contradiction]:
    entrants = {group.name: set(group.entrants) for group in info.groups}
    if info.segments[0].format is not info.schedule:
        yield "Segment 0 is not of the schedule of the run.", info.schedule, info.segments[0].format
    for segment in info.segments:
        for field in segment.fields:
            strangers = [name for name in field.entrants if name not in entrants[field.group]]
            if strangers:
                message = f"Somebody plays in segment {segment.number} who is not in the group {field.group}."
                yield message, ", ".join(sorted(entrants[field.group])), ", ".join(strangers)
            if bool(field.focus) != (segment.format is Format.GAUNTLET):
                message = f"A focus is what a gauntlet has, and segment {segment.number} is a {segment.format}."
                expected = "a focus" if segment.format is Format.GAUNTLET else "no focus"
                yield message, expected, ", ".join(field.focus) or "none"
        if not segment.fields or not segment.blocks:
            yield f"Segment {segment.number} is empty.", "blocks of a group", f"{segment.blocks} blocks"
        if (segment.deals is not None) != (segment.format is Format.KNOCKOUT):
            message = f"Deals of a round are what a knockout has, and segment {segment.number} is a {segment.format}."
            yield message, "deals" if segment.format is Format.KNOCKOUT else "no deals", segment.deals or "none"
    if info.segments[0].final:
        yield "The first segment is a final of nothing.", "no final", "a final"


def _until_problems(info: RunInfo) -> Iterator[Contradiction]:
    if info.bounds is not None and info.until is not Until.SPRT:
        yield "Bounds are what `until: sprt` tells apart.", "no bounds", msgspec.json.encode(info.bounds).decode()
    if info.bounds is not None and info.bounds.low >= info.bounds.high:
        yield "The lower bound is not under the higher.", f"under {info.bounds.high:g}", f"{info.bounds.low:g}"
    if info.until is Until.SPRT and any(len(group.entrants) - len(info.replaced) != 2 for group in info.groups):
        entrants = ", ".join(f"{len(group.entrants)} in {group.name}" for group in info.groups)
        yield "`until: sprt` tells two entrants apart.", "2 entrants", entrants
    if info.until is not None and info.segments[0].format is Format.KNOCKOUT:
        yield "A knockout ends with its bracket.", "no `until`", info.until


def _time_problems(info: RunInfo) -> Iterator[Contradiction]:
    is_complete = info.state is RunState.COMPLETE
    if is_complete != (info.finished is not None):
        yield f"The run is {info.state}.", "a time at its end" if is_complete else "no end yet", info.finished or "none"
    times = []
    for name, text in (("started", info.started), ("finished", info.finished)):
        if text is None:
            continue
        time = _time(text)
        if time is None:
            yield f"`{name}` is no time.", "a time in UTC, ISO 8601", text
        else:
            times.append(time)
    if times != sorted(times):
        yield "It finished before it started.", f"after {info.started}", info.finished


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo is not None else None


def _other_problems(info: RunInfo) -> Iterator[Contradiction]:
    untold = [name for name in ("clock", "limits", "withdraw") if getattr(info, name) is None]
    if untold and not is_of_first_release(info.versions.get("tournament", "")):
        message = "It does not say what every run but one of 0.1 says."
        yield message, "clock, limits, withdraw", f"no {', '.join(untold)}"
    if info.workers < 1:
        yield "Nobody played it.", "at least 1 worker", info.workers
    games = {group.game for group in info.groups}
    if info.weights.keys() != games or not isclose(sum(info.weights.values()), 1):
        message = "The weights are not the shares of its games."
        expected = f"shares of {', '.join(sorted(games))} that sum to 1"
        yield message, expected, ", ".join(f"{game} {share}" for game, share in info.weights.items()) or "none"
    if info.replaced and len(info.segments) == 1:
        changed = ", ".join(f"{old} by {new}" for old, new in info.replaced.items())
        yield "An entrant is replaced, and yet no segment begins with the new one.", "a second segment", changed
    if info.state is RunState.COMPLETE and not info.balance:
        yield "A complete run says how even its blocks are.", "a balance for each group", "none"
    if info.state is RunState.COMPLETE and info.until is not None and info.decision is None:
        yield "A complete run that plays until something is decided says what became of that.", "a decision", "none"


_ENDINGS: Final = frozenset(Ending)


def result_problems(result: ResultLine, group: GroupInfo) -> Iterator[Contradiction]:
    """Yields how a result contradicts itself or its group."""
    players = group.players
    lengths = (len(result.seats), len(result.scores), len(result.places))
    if lengths != (players, players, players):
        message = "Seats, scores and places are not those of so many players."
        yield message, f"{players} of each", f"{lengths[0]} seats, {lengths[1]} scores, {lengths[2]} places"
        return
    if len(set(result.seats)) < players or not set(result.seats).issubset(group.entrants):
        message = "These cannot have sat at one table."
        yield message, f"{players} different of {listed(group.entrants)}", listed(result.seats)
    forfeits = tuple(sorted({seat for seat, _ in result.faults}))
    if result.forfeits != forfeits or any(seat >= players for seat in forfeits):
        message = "The forfeits are not the seats with a fault."
        yield message, f"[{listed(forfeits)}], each under {players}", f"[{listed(result.forfeits)}]"
    if result.ending not in _ENDINGS:
        yield "A game does not end so.", listed(Ending), result.ending
        return
    if (result.ending == Ending.ABORTED) != (len(forfeits) == players):
        yield "Aborted is a game in which every seat forfeited, and no other.", f"{players} forfeits", len(forfeits)
    places = places_of(Ending(result.ending), result.scores, result.forfeits)
    if result.places != places:
        yield "The places are not what the scores give.", f"[{listed(places)}]", f"[{listed(result.places)}]"
