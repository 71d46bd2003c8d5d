"""Crazy Eights as numbers, for PettingZoo and OpenSpiel: observations, memories, chance and bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from crazy_eights.rules import CrazyEights, Drew, EightsDeal, EightsNews, EightsView, Passed, Played
from tournament.games.cards import ORDER, PACK, SUITS
from tournament.games.parts import Dealing, Piece, Row, TrainingBounds

if TYPE_CHECKING:
    from tournament.games.parts import Numbers


class EightsDealing(Dealing):
    """Each of the cards left is as likely as any other."""

    cards, length = PACK, len(PACK)

    def __init__(self, players: int, options: Any) -> None:
        self._players, self._options = players, options

    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns the cards left."""
        left = sorted(set(range(self.length)) - set(dealt))
        return [(number, 1 / len(left)) for number in left]

    def deal_of(self, dealt: Sequence[int]) -> EightsDeal:
        """Returns hands, starter and stock."""
        return CrazyEights().lay_out([PACK[number] for number in dealt], self._players, self._options)

    def cards_of(self, deal: EightsDeal) -> list[str]:
        """Returns the cards of a deal in the order they are drawn."""
        return [*sum(deal.hands, ()), deal.starter, *deal.stock]


class EightsTraining:
    """Crazy Eights as numbers: observations, memories, chance and bounds. Other seats count from the own one."""

    row_width = 4

    def __init__(self, players: int) -> None:
        count, one_hot, cards = (players,), Piece((players,), 1), Piece((len(PACK),), 1)
        self.pieces = {"seat": one_hot, "to_move": one_hot, "suit": Piece((4,), 1), "top": cards, "pile": cards}
        self.pieces |= {"stock": Piece((1,), 52), "hand_sizes": Piece(count, 52)}
        self.pieces["hand"] = cards._replace(private=True)
        self._players = players

    def dealing(self, options: Any) -> EightsDealing:
        """Returns how the cards are dealt one by one."""
        return EightsDealing(self._players, options)

    def write_pieces(self, view: EightsView, seat: int, into: Mapping[str, Numbers]) -> None:
        """Fills the pieces that are asked for."""
        if "hand" in into:
            into["hand"][[ORDER[card] for card in view.hand]] = 1
        if "seat" not in into:
            return
        into["seat"][seat] = 1
        if view.to_move is not None:
            into["to_move"][(view.to_move - seat) % self._players] = 1
        into["suit"][SUITS.index(view.suit)] = 1
        into["top"][ORDER[view.pile[-1]]] = 1
        into["pile"][[ORDER[card] for card in view.pile]] = 1
        into["stock"][0] = view.stock
        into["hand_sizes"][:] = view.hand_sizes[seat:] + view.hand_sizes[:seat]

    def hand_rows(self, view: EightsView) -> Iterable[Row]:
        """Returns a row a card: 1, the own seat, the card."""
        return ((1, 1, ORDER[card] + 1, 0) for card in view.hand)

    def news_row(self, item: EightsNews, seat: int) -> Row:
        """Returns kind, seat, card and the suit named; 0 is what is not known."""
        kind = 2 + (Played, Drew, Passed).index(type(item))
        card, suit = getattr(item, "card", None), getattr(item, "suit", None)
        who = (item.seat - seat) % self._players + 1
        return (kind, who, ORDER[card] + 1 if card else 0, SUITS.index(suit) + 1 if suit else 0)

    def bounds(self, options: Any) -> TrainingBounds:
        """Returns bounds: at most 52 draws, and after each card played a pass of every other seat."""
        decisions = len(PACK) * (1 + self._players)
        return TrainingBounds(decisions=decisions, rows=options.hand_size + decisions, lowest=-508, highest=0)
