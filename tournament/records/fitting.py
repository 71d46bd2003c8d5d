"""Whether the result of a game fits itself and its run: what nobody who reads results has to ask again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from tournament.errors import did_you_mean
from tournament.ids import group_of, segment_of
from tournament.records.files import read_regular
from tournament.records.read import RUN_FILE


class _Group(msgspec.Struct, frozen=True):
    name: str
    game: str
    players: int


class _Bot(msgspec.Struct, frozen=True):
    game: str


class _Entrant(msgspec.Struct, frozen=True):
    name: str
    bots: tuple[_Bot, ...]


class _Run(msgspec.Struct, frozen=True):
    """The few fields of `run.json` that a result has to fit."""

    groups: tuple[_Group, ...]
    entrants: tuple[_Entrant, ...]
    segments: tuple[msgspec.Raw, ...]


_DECODER = msgspec.json.Decoder(_Run)


class ResultFitting:
    """What the results of a run have to fit; without a `run.json` that can be read only themselves."""

    def __init__(self, folder: Path) -> None:
        try:
            run = _DECODER.decode(read_regular(folder / RUN_FILE))
        except (OSError, msgspec.DecodeError):
            self._groups: dict[str, _Group] | None = None
            return
        self._groups = {group.name: group for group in run.groups}
        self._playing = {(entrant.name, bot.game) for entrant in run.entrants for bot in entrant.bots}
        self._segments = len(run.segments)
        self._known: set[tuple[str, int | None, tuple[str, ...]]] = set()

    def misfit(
        self,
        record_id: str,
        *,
        seats: tuple[str, ...],
        scores: Sequence[int],
        places: Sequence[int],
        named: Iterable[int],
    ) -> str | None:
        """Returns what does not fit in a result, as a sentence; None when all does. `named` are seats it names."""
        return shape_misfit(len(seats), scores=scores, places=places, named=named) or self._misfit_of_run(
            record_id, seats
        )

    def _misfit_of_run(self, record_id: str, seats: tuple[str, ...]) -> str | None:
        if self._groups is None:
            return None
        name, segment = group_of(record_id), segment_of(record_id)
        table = name, segment, seats
        if table in self._known:
            return None
        group = self._groups.get(name)
        if group is None:
            known = ", ".join(self._groups)
            return f"the run has no group {name}.{did_you_mean(name, self._groups)} It has: {known}."
        if segment is None or not segment < self._segments:
            return f"{record_id} is of a segment that the run has not. It has {self._segments}."
        if len(seats) != group.players:
            return f"expected {group.players} seats in {name}, found {len(seats)}."
        for seat, entrant in enumerate(seats):
            if (entrant, group.game) not in self._playing:
                players = [one for one, game in self._playing if game == group.game]
                return f"seat {seat}: {entrant} is no entrant of {name}.{did_you_mean(entrant, sorted(players))}"
        self._known.add(table)
        return None


def shape_misfit(players: int, *, scores: Sequence[int], places: Sequence[int], named: Iterable[int]) -> str | None:
    """Returns what does not fit in a result of so many players, as a sentence; None when all does."""
    for what, values in (("scores", scores), ("places", places)):
        if len(values) != players:
            return f"expected {players} {what}, one a seat, found {len(values)}."
    if any(not 0 < place <= players for place in places):
        return f"expected places from 1 to {players}, found {', '.join(map(str, places))}."
    wrong = _wrong_place(tuple(places))
    if wrong is not None:
        return wrong
    for seat in named:
        if not 0 <= seat < players:
            return f"expected seats from 0 to {players - 1}, found seat {seat}."
    return None


@lru_cache(maxsize=1024)
def _wrong_place(places: tuple[int, ...]) -> str | None:
    """Returns which place nobody can have: each is one more than the number of seats that are better."""
    for place in places:
        better = sum(other < place for other in places)
        if place != better + 1:
            return f"expected place {better + 1} where {better} are better, found {', '.join(map(str, places))}."
    return None
