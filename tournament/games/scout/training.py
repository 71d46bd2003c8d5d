"""What learners need of SCOUT: observations, memories and chance as numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tournament.errors import GameError
from tournament.games.parts import MOST, Dealing, Numbers, Piece, Row, TrainingBounds, copy_pieces, piece_offsets
from tournament.games.scout.sets import LONGEST_SET, REACHABLE_HAND
from tournament.games.scout.types import (
    HAND_SIZE,
    TURNED,
    VALUE,
    Kept,
    PlayedSet,
    RoundEnding,
    RoundOver,
    ScoutDeal,
    Scouted,
    ScoutOptions,
    ScoutPhase,
    ScoutPublicView,
    ScoutRound,
    SetEnd,
    Turned,
    pack_for,
)

_VALUES: Final = 10
_PHASES: Final = tuple(ScoutPhase)
_PHASE_PLACES: Final = {phase: place for place, phase in enumerate(_PHASES)}
_PLACES: Final = {card: (VALUE[card] - 1, _VALUES + VALUE[TURNED[card]] - 1) for card in VALUE}
"""Of each card, which two numbers of its piece are 1."""

_CODES: Final = {card: number for number, card in enumerate(VALUE, start=1)}
_ENDS: Final = {end: number for number, end in enumerate(SetEnd, start=1)}
_ENDINGS: Final = {why: number for number, why in enumerate(RoundEnding, start=1)}


class ScoutTraining:
    """SCOUT as numbers, for one number of players."""

    row_width: int = 16

    def __init__(self, players: int) -> None:
        self._players = players
        hand, seats = REACHABLE_HAND[players], (players,)
        self.pieces: Mapping[str, Piece] = {
            "seat": Piece(seats, 1),
            "to_move": Piece(seats, 1),
            "phase": Piece((len(_PHASES),), 1),
            "round": Piece(seats, 1),
            "table": Piece((LONGEST_SET, 2, _VALUES), 1),
            "owner": Piece(seats, 1),
            "hand_sizes": Piece(seats, hand),
            "captured": Piece(seats, len(pack_for(players))),
            "tokens": Piece(seats, MOST),
            "may_scout_and_play": Piece(seats, 1),
            "scouts": Piece((1,), MOST),
            "scores": Piece(seats, MOST, -MOST),
            "turns_left": Piece((1,), MOST),
            "hand": Piece((hand, 2, _VALUES), 1, private=True),
        }
        self._begins = piece_offsets(self.pieces)

    def write_pieces(self, view: ScoutPublicView, seat: int, into: Mapping[str, Numbers]) -> None:
        """Fills zeroed pieces with what a view tells; seats count from `seat`."""
        copy_pieces(self, view, seat, into)

    def write_numbers(self, view: ScoutPublicView, seat: int, into: array[int]) -> None:
        """Fills a zeroed array with all pieces in their order; seats count from `seat`."""
        players, begins = self._players, self._begins
        into[seat] = 1
        if view.to_move is not None:
            into[begins["to_move"] + (view.to_move - seat) % players] = 1
        into[begins["phase"] + _PHASE_PLACES[view.phase]] = 1
        into[begins["round"] + view.round] = 1
        self._write_cards(view.table, into, begins["table"], LONGEST_SET)
        if view.owner is not None:
            into[begins["owner"] + (view.owner - seat) % players] = 1
        place = begins["hand_sizes"]
        for values in (view.hand_sizes, view.captured, view.tokens, view.may_scout_and_play):
            for value in values[seat:] + values[:seat]:
                into[place] = value
                place += 1
        into[place] = view.scouts
        for score in view.scores[seat:] + view.scores[:seat]:
            place += 1
            into[place] = score
        into[place + 1] = min(view.turns_left, MOST)
        self._write_cards(getattr(view, "hand", ()), into, place + 2, REACHABLE_HAND[players])

    def _write_cards(self, cards: Sequence[str], into: array[int], begin: int, most: int) -> None:
        if len(cards) > most:
            raise GameError(f"{len(cards)} cards are more than a game dealt by the rules can bring together: {most}.")
        for card in cards:
            up, down = _PLACES[card]
            into[begin + up] = 1
            into[begin + down] = 1
            begin += 2 * _VALUES

    def hand_rows(self, view: Any) -> Iterator[Row]:
        """Returns a row for each card: kind 1, the viewer, the card, its place."""
        return (_padded((1, 1, _CODES[card], place)) for place, card in enumerate(view.hand, start=1))

    def news_row(self, item: Any, seat: int) -> Row:
        """Returns kind, seat, place in the hand, end, way up, then_play, then cards or points."""
        if isinstance(item, RoundOver):
            return _padded((6, 0, _ENDINGS[item.why], 0, 0, 0, *item.points))
        who = (item.seat - seat) % self._players + 1
        if isinstance(item, Kept | Turned):
            return _padded((2 if isinstance(item, Kept) else 3, who))
        at = 0 if item.at is None else item.at + 1
        if isinstance(item, PlayedSet):
            return _padded((4, who, at, 0, 0, 0, *(_CODES[card] for card in item.cards)))
        assert isinstance(item, Scouted)
        flip = 0 if item.flip is None else 1 + item.flip
        return _padded((5, who, at, _ENDS[item.end], flip, int(item.then_play), _CODES[item.card]))

    def dealing(self, options: ScoutOptions) -> ScoutDealing:
        """Returns how the cards are dealt one by one."""
        return ScoutDealing(self._players)

    def bounds(self, options: ScoutOptions) -> TrainingBounds:
        """Returns how long a game can get and what it can bring."""
        players = rounds = self._players
        # A seat that scouts and plays decides twice in a turn, once a round; all keep or turn first.
        most = options.move_limit + 2 * players
        return TrainingBounds(
            decisions=rounds * most,
            rows=rounds * (HAND_SIZE[players] + 1 + most),
            lowest=-rounds * REACHABLE_HAND[players],
            highest=rounds * (len(pack_for(players)) + most),
        )


def _padded(row: Row) -> Row:
    return (*row, *(0,) * (ScoutTraining.row_width - len(row)))


class ScoutDealing(Dealing):
    """A card either way up, each card once; a new pack for each round, but for two players one for both (3)."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._hand = HAND_SIZE[players]
        self._pack = pack_for(players)
        self.cards = tuple(VALUE)
        self.length = len(self._pack) * (1 if players == 2 else players)
        numbers = {card: number for number, card in enumerate(self.cards)}
        self._ways = {numbers[card]: (numbers[card], numbers[TURNED[card]]) for card in self._pack}
        self._numbers = sorted(number for ways in self._ways.values() for number in ways)
        self._other_way = {one: other for pair in self._ways.values() for one, other in (pair, pair[::-1])}

    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns the cards left in the pack that is being dealt, both ways up alike."""
        gone = set(dealt[len(dealt) // len(self._pack) * len(self._pack) :])
        gone |= {self._other_way[number] for number in gone}
        left = [number for number in self._numbers if number not in gone]
        return [(number, 1 / len(left)) for number in left]

    def deal_of(self, dealt: Sequence[int]) -> ScoutDeal:
        """Returns the hands of all rounds."""
        cards = [self.cards[number] for number in dealt]
        hands = [tuple(cards[begin : begin + self._hand]) for begin in range(0, len(cards), self._hand)]
        rounds = range(0, len(hands), self._players)
        return ScoutDeal(tuple(ScoutRound(tuple(hands[first : first + self._players])) for first in rounds))

    def cards_of(self, deal: ScoutDeal) -> list[str]:
        """Returns all cards, hand by hand, round by round."""
        return [card for round_ in deal.rounds for hand in round_.hands for card in hand]
