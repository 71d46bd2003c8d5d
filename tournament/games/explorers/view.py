"""The view of a seat in De store oppdagere, and the legal actions that follow from it."""

from __future__ import annotations

from tournament.games.cards import SUIT_NAMES, SUITS
from tournament.games.contract import LISTED
from tournament.games.explorers.lays import draws, held_by_suit, lays_of_suit, open_piles, tops_by_suit
from tournament.games.explorers.types import Cards, ExplorersAction, ExplorersPhase, ExplorersPublicView


class ExplorersView(ExplorersPublicView, frozen=True, kw_only=True, dict=True, gc=True):
    """What one seat may know: the public view and its own hand."""

    hand: Cards
    """In order of arrival."""

    def legal_actions(self) -> tuple[ExplorersAction, ...]:
        """Returns what this seat may do now, as the state lists it; empty when it is not to move."""
        if self.seat is None or self.to_move != self.seat:
            return ()
        listed: tuple[ExplorersAction, ...] | None = self.__dict__.get(LISTED)
        if listed is not None:
            return listed
        if self.phase == ExplorersPhase.LAY:
            tops = tops_by_suit(self.expeditions[self.seat])
            return tuple(
                lay for suit, held in enumerate(held_by_suit(self.hand)) for lay in lays_of_suit(held, tops[suit])
            )
        return draws(
            self.options,
            piles=open_piles(self.piles[suit] for suit in SUITS),
            closed=None if self.closed is None else SUITS.index(self.closed),
            pile_draws=self.pile_draws,
        )

    def __str__(self) -> str:
        lines = [f"seat {self.seat} of {self.players}, {self.phase}, {self.stock} cards in the stock"]
        lines.append(f"hand    {' '.join(self.hand)}")
        for seat, expeditions in enumerate(self.expeditions):
            shown = [f"{index}: {' '.join(cards)}" for index, cards in enumerate(expeditions)]
            lines.append(f"seat {seat}  {' | '.join(shown) or 'no expeditions'}")
        piles = [
            f"{SUIT_NAMES[suit]}{' (closed)' if suit == self.closed else ''}: {' '.join(self.piles[suit])}"
            for suit in SUITS
            if self.piles[suit]
        ]
        lines.append(f"piles   {' | '.join(piles) or 'none'}")
        return "\n".join(lines)
