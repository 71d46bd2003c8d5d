"""Parts that a game may offer: its choices as buttons and lists of pages have them. The others stand in `parts`."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from msgspec import Struct


@runtime_checkable
class OffersButtons(Protocol):
    """A game that says what a button of a page does in other words than a list from which one types."""

    def word_button(self, action: Any, view: Any) -> str:
        """Returns a legal action as one asks for it, such as `Keep my hand`; the page adds which cards are meant."""


class ListedChoice(Struct, frozen=True, kw_only=True):
    """Where a legal action stands in the list of all choices, which is folded below headings."""

    headings: tuple[str, ...] = ()
    """From the widest to the narrowest, such as `Discard a card`; none for an action that stands by itself."""

    words: str = ""
    """What tells it from the others below its heading, in words that its button has; empty: the place where it goes."""


@runtime_checkable
class OffersChoiceList(Protocol):
    """A game that says how many choices are told apart: first by what one does, then by the card."""

    def list_choice(self, action: Any, view: Any) -> ListedChoice:
        """Returns where a legal action stands in the list; actions with the same headings stand together."""
