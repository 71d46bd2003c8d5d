"""One line of `results.jsonl` on its own: whether a game can have ended as it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tournament.audit.records import listed, places_of
from tournament.games.contract import Ending
from tournament.records.results import ResultLine
from tournament.records.run import GroupInfo

_ENDINGS: Final = frozenset(Ending)


def result_problems(result: ResultLine, group: GroupInfo) -> Iterator[tuple[str, object, object]]:
    """Yields how a result contradicts itself or its group: a sentence, expected, found."""
    players = group.players
    lengths = (len(result.seats), len(result.scores), len(result.places))
    if lengths != (players, players, players):
        yield (
            "Seats, scores and places are not those of so many players.",
            f"{players} of each",
            f"{lengths[0]} seats, {lengths[1]} scores, {lengths[2]} places",
        )
        return
    if len(set(result.seats)) < players or not set(result.seats).issubset(group.entrants):
        yield (
            "These cannot have sat at one table.",
            f"{players} different of {listed(group.entrants)}",
            listed(result.seats),
        )
    forfeits = tuple(sorted({seat for seat, _ in result.faults}))
    if result.forfeits != forfeits or any(seat >= players for seat in forfeits):
        yield (
            "The forfeits are not the seats with a fault.",
            f"[{listed(forfeits)}], each under {players}",
            f"[{listed(result.forfeits)}]",
        )
    if result.ending not in _ENDINGS:
        yield "A game does not end so.", listed(Ending), result.ending
        return
    if (result.ending == Ending.ABORTED) != (len(forfeits) == players):
        yield "Aborted is a game in which every seat forfeited, and no other.", f"{players} forfeits", len(forfeits)
    places = places_of(Ending(result.ending), result.scores, result.forfeits)
    if result.places != places:
        yield "The places are not what the scores give.", f"[{listed(places)}]", f"[{listed(result.places)}]"
