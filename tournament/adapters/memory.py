"""All that one seat saw in a game, as text and as rows of numbers: OpenSpiel's information states.

A seat's memory follows from its views at all its decisions and from its view now: every hand it was
dealt, then all news, in order. Two positions that a seat cannot tell apart give it the same memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from tournament.games.cards import ORDER
from tournament.games.explorers.rules import HAND_SIZE as EXPLORERS_HAND
from tournament.games.explorers.types import Built, Discarded, DrawSource, Drew, StartedExpedition
from tournament.games.scout.rules import HAND_SIZE as SCOUT_HAND
from tournament.games.scout.types import VALUE, Kept, PlayedSet, RoundEnding, RoundOver, Scouted, SetEnd, Turned

Row = tuple[int, ...]

SCOUT_WIDTH: Final = 16
EXPLORERS_WIDTH: Final = 4
WIDTHS: Final = {"scout": SCOUT_WIDTH, "explorers": EXPLORERS_WIDTH}
DEALT_CARDS: Final = {"scout": SCOUT_HAND, "explorers": dict.fromkeys((2, 3, 4), EXPLORERS_HAND)}
"""Cards a seat is dealt for a round, by game and number of players."""

_encode = msgspec.json.Encoder(order="deterministic").encode
_CODES: Final = {card: number for number, card in enumerate(VALUE, start=1)}
_ENDS: Final = {end: number for number, end in enumerate(SetEnd, start=1)}
_WHYS: Final = {why: number for number, why in enumerate(RoundEnding, start=1)}
_SOURCES: Final = {source: number for number, source in enumerate(DrawSource, start=1)}


class Memory:
    """What a seat saw up to its last decision; grows by one view at every decision."""

    __slots__ = ("_round", "rows", "text", "views")

    def __init__(self) -> None:
        self.views: tuple[Any, ...] = ()
        """The seat's views at its decisions, oldest first: what `redeal` asks for."""

        self.text = ""
        self.rows: tuple[Row, ...] = ()
        self._round = -1

    def after(self, view: Any) -> Memory:
        """Returns the memory of a seat that sees this view now; this one stays as it is."""
        grown = Memory()
        grown.views = (*self.views, view)
        grown._round = getattr(view, "round", 0)
        news = [_encode(item).decode() for item in view.news]
        to_row = _ROWS[view.game]
        rows = [to_row(item, view.seat, view.players) for item in view.news]
        # A hand is seen before anything else of its round; a round ends before the next is dealt.
        if grown._round != self._round:
            at = 0 if self._round < 0 else len(news)
            news.insert(at, f"hand {' '.join(view.hand)}")
            rows[at:at] = _dealt_rows(view)
        grown.text = "\n".join([*([self.text] if self.text else []), *news])
        grown.rows = (*self.rows, *rows)
        return grown


def _dealt_rows(view: Any) -> Iterator[Row]:
    codes = _CODES if view.game == "scout" else _EXPLORERS_CODES
    padding = (0,) * (WIDTHS[view.game] - EXPLORERS_WIDTH)
    return ((1, 1, codes[card], place, *padding) for place, card in enumerate(view.hand, start=1))


_EXPLORERS_CODES: Final = {card: number + 1 for card, number in ORDER.items()}


def _scout_row(item: Any, seat: int, players: int) -> Row:
    """Returns kind, seat, place in the hand, end, way up, then_play, then cards or points; 0 is what is not known."""
    if isinstance(item, RoundOver):
        return _padded((6, 0, _WHYS[item.why], 0, 0, 0, *item.points))
    who = (item.seat - seat) % players + 1
    if isinstance(item, Kept | Turned):
        return _padded((2 if isinstance(item, Kept) else 3, who))
    at = 0 if item.at is None else item.at + 1
    if isinstance(item, PlayedSet):
        return _padded((4, who, at, 0, 0, 0, *(_CODES[card] for card in item.cards)))
    assert isinstance(item, Scouted)
    flip = 0 if item.flip is None else 1 + item.flip
    return _padded((5, who, at, _ENDS[item.end], flip, int(item.then_play), _CODES[item.card]))


def _padded(row: Row) -> Row:
    return (*row, *(0,) * (SCOUT_WIDTH - len(row)))


def _explorers_row(item: Any, seat: int, players: int) -> Row:
    """Returns kind, seat, card, then expedition or source; 0 is what is not known."""
    who = (item.seat - seat) % players + 1
    card = 0 if item.card is None else _EXPLORERS_CODES[item.card]
    if isinstance(item, Drew):
        return (5, who, card, _SOURCES[item.source])
    if isinstance(item, Built):
        return (3, who, card, item.expedition + 1)
    assert isinstance(item, StartedExpedition | Discarded)
    return (2 if isinstance(item, StartedExpedition) else 4, who, card, 0)


_ROWS: Final[dict[str, Callable[[Any, int, int], Row]]] = {"scout": _scout_row, "explorers": _explorers_row}


def most_rows(game: str, *, players: int, rounds: int, decisions: int) -> int:
    """Returns how many rows a memory can get: cards dealt, one an action, one a round."""
    return rounds * (DEALT_CARDS[game][players] + 1) + decisions
