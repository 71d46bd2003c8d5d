"""What happened in a run while somebody looked: each look at its facts is compared with the one before.

A run says when it began and ended, and of nothing else when it was. So what comes between has the time of the look that
found it, and what came before the first look is not told.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from threading import Lock
from typing import Any, Final, NamedTuple

import msgspec

from tournament.languages import format_number, gettext, gettext_noop
from tournament.records.run import RunInfo, RunState
from tournament.records.standings import Standings
from tournament.report.facts import RunFacts
from tournament.report.live.feeds import MOST_TOLD, Happening, newest
from tournament.report.shown.verdicts import format_ranking, headlines
from tournament.report.shown.words import format_kind

QUARTERS: Final = 4


class NoticedKind(StrEnum):
    """What may happen in a run."""

    BEGAN = "began"
    QUARTER = "quarter"
    LEAD = "lead"
    FAULT = "fault"
    WITHDRAWN = "withdrawn"
    ROUND = "round"
    FINAL = "final"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    COMPLETE = "complete"


SENTENCES: Final[Mapping[NoticedKind, str]] = {
    NoticedKind.BEGAN: gettext_noop("The run began, with {entrants} entrants: {groups}."),
    NoticedKind.QUARTER: gettext_noop("{percent} % of the games are played: {played} of {planned}."),
    NoticedKind.LEAD: gettext_noop("First in {ranking}: {names}. Before that: {before}."),
    NoticedKind.FAULT: gettext_noop("Fault of {name} in {group}: {kind}, {count} by now."),
    NoticedKind.WITHDRAWN: gettext_noop("{name} is withdrawn from {group}, because its bot kept failing."),
    NoticedKind.ROUND: gettext_noop("Round {number} of the knockout {group} began."),
    NoticedKind.FINAL: gettext_noop("A final began, among {names}."),
    NoticedKind.INTERRUPTED: gettext_noop("The run was interrupted after {played} games."),
    NoticedKind.FAILED: gettext_noop("The run was stopped by an error after {played} games."),
    NoticedKind.COMPLETE: gettext_noop("The run is complete: {played} games. First: {names}."),
}
"""By what happened."""

SECTIONS: Final = {NoticedKind.FAULT: "#faults", NoticedKind.LEAD: "#won", NoticedKind.COMPLETE: "#won"}
"""Which section of the report tells more."""

_ENDED: Final = {
    RunState.INTERRUPTED: NoticedKind.INTERRUPTED,
    RunState.FAILED: NoticedKind.FAILED,
    RunState.COMPLETE: NoticedKind.COMPLETE,
}


class Noticed(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened, in no language."""

    number: int
    """One more than of the one noticed before."""

    at: datetime
    kind: NoticedKind
    values: dict[str, Any]


class _Ranking(NamedTuple):
    """A ranking, or a part of one, in no language."""

    group: str | None
    part: int | None


class _Look(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared."""

    state: RunState
    games: int
    quarter: int
    segments: int
    leads: dict[_Ranking, str]
    """By ranking, who is first."""

    faults: dict[tuple[str, str, str], int]
    """By entrant, group and kind."""

    withdrawn: frozenset[tuple[str, str]]
    rounds: dict[str, int]


class Chronicle:
    """What happened in one run."""

    def __init__(self) -> None:
        self._noticed: deque[Noticed] = deque(maxlen=MOST_TOLD)
        self._before: _Look | None = None
        self._count = 0
        self._lock = Lock()

    def look(self, facts: RunFacts, *, now: datetime) -> None:
        """Takes the present facts of the run, and keeps what happened since the look before."""
        after = _look_at(facts)
        with self._lock:
            before, self._before = self._before, after
            if before is None:
                self._note(_moment(facts.info.started), NoticedKind.BEGAN, _beginning(facts.info))
                before = msgspec.structs.replace(after, state=RunState.RUNNING)
            for kind, values in _differences(before, after, facts):
                ended = facts.info.finished if kind is NoticedKind.COMPLETE else None
                self._note(now if ended is None else _moment(ended), kind, values)

    def _note(self, at: datetime, kind: NoticedKind, values: dict[str, Any]) -> None:
        self._count += 1
        self._noticed.append(Noticed(number=self._count, at=at, kind=kind, values=values))

    def told(self) -> tuple[Happening, ...]:
        """Returns what happened as sentences, the newest first; addresses are seen from beside the report."""
        with self._lock:
            noticed = tuple(self._noticed)
        return newest(
            Happening(
                id=f"{one.at:%Y%m%dT%H%M%S}-{one.number:06d}",
                at=one.at,
                text=gettext(SENTENCES[one.kind], **_in_words(one.values)),
                address=f"./{SECTIONS.get(one.kind, '')}",
            )
            for one in noticed
        )


def _in_words(values: Mapping[str, Any]) -> dict[str, Any]:
    words = {name: _in_word(value) for name, value in values.items()}
    return words | ({"kind": format_kind(values["kind"])} if "kind" in values else {})


def _in_word(value: Any) -> Any:
    if isinstance(value, _Ranking):
        return format_ranking(*value)
    return format_number(value) if isinstance(value, int) else value


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _beginning(info: RunInfo) -> dict[str, Any]:
    return {"entrants": len(info.entrants), "groups": ", ".join(group.name for group in info.groups)}


def _look_at(facts: RunFacts) -> _Look:
    info, standings, games = facts.info, facts.standings, len(facts.results)
    planned = max(sum(segment.games for segment in info.segments), games, 1)
    return _Look(
        state=info.state,
        games=games,
        quarter=QUARTERS * games // planned,
        segments=len(info.segments),
        leads=_leads(standings),
        faults={
            (row.entrant, group.group, kind): count
            for group in standings.groups
            for row in group.rows
            for kind, count in row.faults.items()
        },
        withdrawn=frozenset(
            (row.entrant, group.group) for group in standings.groups for row in group.rows if row.withdrawn
        ),
        rounds={group.group: len(group.bracket.rounds) for group in standings.groups if group.bracket is not None},
    )


def _leads(standings: Standings) -> dict[_Ranking, str]:
    return {
        _Ranking(headline.group, headline.part): ", ".join(headline.winners)
        for headline in headlines(standings)
        if not headline.rounds
    }


def _differences(before: _Look, after: _Look, facts: RunFacts) -> Iterator[tuple[NoticedKind, dict[str, Any]]]:
    """Yields what happened between two looks."""
    for segment in facts.info.segments[before.segments :]:
        if segment.final:
            entrants = sorted({name for field in segment.fields for name in field.entrants})
            yield NoticedKind.FINAL, {"names": ", ".join(entrants)}
    for group, rounds in after.rounds.items():
        for number in range(before.rounds.get(group, 0) + 1, rounds + 1):
            yield NoticedKind.ROUND, {"group": group, "number": number}
    for (name, group, kind), count in after.faults.items():
        if count > before.faults.get((name, group, kind), 0):
            yield NoticedKind.FAULT, {"name": name, "group": group, "kind": kind, "count": count}
    for name, group in sorted(after.withdrawn - before.withdrawn):
        yield NoticedKind.WITHDRAWN, {"name": name, "group": group}
    for ranking, names in after.leads.items():
        led = before.leads.get(ranking)
        if led and names and led != names:
            yield NoticedKind.LEAD, {"ranking": ranking, "names": names, "before": led}
    if before.quarter < after.quarter < QUARTERS:
        planned = max(sum(segment.games for segment in facts.info.segments), after.games)
        percent = after.quarter * 100 // QUARTERS
        yield NoticedKind.QUARTER, {"percent": percent, "played": after.games, "planned": planned}
    if before.state is RunState.RUNNING and after.state is not RunState.RUNNING:
        names = ", ".join(dict.fromkeys(after.leads.values())) or "–"
        values = {"played": after.games} | ({"names": names} if after.state is RunState.COMPLETE else {})
        yield _ENDED[after.state], values
