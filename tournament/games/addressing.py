"""A part that a game may offer: how it speaks to the person who plays. The other parts stand in `parts`."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class OffersAddress(Protocol):
    """A game that says `you` to a person at the table, where others read their name."""

    def tell_own_event(self, event: Any) -> str:
        """Returns an event in a sentence to the seat that acted: `You draw a card.` and the like."""

    def ask_for_move(self, view: Any) -> str:
        """Returns what the seat of a view, which is to move, is asked to do: `Your turn: draw a card.` and the like."""
