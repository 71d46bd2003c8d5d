"""The keys of every viewer: one table for the terminal, the HTML replay, and the help of both."""

from __future__ import annotations

from typing import Final

from msgspec import Struct


class Key(Struct, frozen=True, kw_only=True):
    """One thing a viewer does, and the keys for it."""

    action: str
    """Its name: the same in every viewer."""

    label: str
    """A word or two for a button."""

    keys: tuple[str, ...]
    """As browsers name them (`KeyboardEvent.key`)."""

    shown: str
    """The keys as people read them."""

    words: str
    """What it does."""


KEYS: Final[tuple[Key, ...]] = (
    Key(action="next", label="next", keys=("ArrowRight", "l", "Enter"), shown="→ l Enter", words="next step"),
    Key(action="back", label="back", keys=("ArrowLeft", "h", "b"), shown="← h b", words="previous step"),
    Key(action="next_turn", label="turn", keys=("]",), shown="]", words="next turn"),
    Key(
        action="previous_turn",
        label="turn back",
        keys=("[",),
        shown="[",
        words="beginning of the turn, or the turn before",
    ),
    Key(action="next_round", label="round", keys=("}",), shown="}", words="next round"),
    Key(
        action="previous_round",
        label="round back",
        keys=("{",),
        shown="{",
        words="beginning of the round, or the round before",
    ),
    Key(action="first", label="first", keys=("Home",), shown="Home", words="the deal"),
    Key(action="last", label="last", keys=("End", "$"), shown="End $", words="the end of the game"),
    Key(action="go", label="go to", keys=("g",), shown="g", words="go to a step by its number"),
    Key(action="next_mark", label="mark", keys=("n",), shown="n", words="next fault or end of a round"),
    Key(action="previous_mark", label="mark back", keys=("N",), shown="N", words="previous fault or end of a round"),
    Key(action="next_costly", label="costly", keys=("c",), shown="c", words="next costly move"),
    Key(action="previous_costly", label="costly back", keys=("C",), shown="C", words="previous costly move"),
    Key(action="play", label="play", keys=(" ",), shown="Space", words="play on its own, or stop"),
    Key(action="faster", label="faster", keys=("+", "="), shown="+", words="play faster"),
    Key(action="slower", label="slower", keys=("-",), shown="-", words="play slower"),
    Key(
        action="view",
        label="view",
        keys=("v",),
        shown="v",
        words="show as the next one sees it: all, public, each seat",
    ),
    Key(action="all", label="all", keys=("a",), shown="a", words="show all cards"),
    Key(action="public", label="public", keys=("p",), shown="p", words="show what everybody sees"),
    Key(action="seat", label="seat", keys=("0", "1", "2", "3", "4"), shown="0 to 4", words="show what that seat sees"),
    Key(action="help", label="help", keys=("?",), shown="?", words="this help"),
    Key(action="quit", label="quit", keys=("q",), shown="q", words="leave"),
)

COSTLY_KEYS: Final = frozenset({"next_costly", "previous_costly"})
"""The actions that only a replay with an analysis has."""


def keys_for(*, judged: bool) -> tuple[Key, ...]:
    """Returns the keys of a replay, with an analysis or without."""
    return KEYS if judged else tuple(key for key in KEYS if key.action not in COSTLY_KEYS)


SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Steps a second while a game plays on its own."""

USUAL_SPEED: Final = 1.0
