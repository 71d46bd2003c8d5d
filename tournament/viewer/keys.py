"""The keys of every viewer: one table for the terminal, the HTML replay, and the help of both.

Its words are English, and translated where they are shown.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct, structs

from tournament.languages import gettext, gettext_noop


class Key(Struct, frozen=True, kw_only=True):
    """One thing a viewer does, and the keys for it."""

    does: str
    """What it does, by a name that is the same in every viewer."""

    label: str
    """A word or two for a button."""

    keys: tuple[str, ...]
    """As browsers name them (`KeyboardEvent.key`)."""

    shown: str
    """The keys as people read them."""

    words: str
    """What it does, for people."""


KEYS: Final[tuple[Key, ...]] = (
    Key(
        does="next",
        label=gettext_noop("next"),
        keys=("ArrowRight", "l", "Enter"),
        shown=gettext_noop("→ l Enter"),
        words=gettext_noop("next step"),
    ),
    Key(
        does="back",
        label=gettext_noop("back"),
        keys=("ArrowLeft", "h", "b"),
        shown="← h b",
        words=gettext_noop("previous step"),
    ),
    Key(does="next_turn", label=gettext_noop("turn"), keys=("]",), shown="]", words=gettext_noop("next turn")),
    Key(
        does="previous_turn",
        label=gettext_noop("turn back"),
        keys=("[",),
        shown="[",
        words=gettext_noop("beginning of the turn, or the turn before"),
    ),
    Key(does="next_round", label=gettext_noop("round"), keys=("}",), shown="}", words=gettext_noop("next round")),
    Key(
        does="previous_round",
        label=gettext_noop("round back"),
        keys=("{",),
        shown="{",
        words=gettext_noop("beginning of the round, or the round before"),
    ),
    Key(
        does="first",
        label=gettext_noop("first"),
        keys=("Home",),
        shown=gettext_noop("Home"),
        words=gettext_noop("the deal"),
    ),
    Key(
        does="last",
        label=gettext_noop("last"),
        keys=("End", "$"),
        shown=gettext_noop("End $"),
        words=gettext_noop("the end of the game"),
    ),
    Key(
        does="go",
        label=gettext_noop("go to"),
        keys=("g",),
        shown="g",
        words=gettext_noop("go to a step by its number"),
    ),
    Key(
        does="next_mark",
        label=gettext_noop("mark"),
        keys=("n",),
        shown="n",
        words=gettext_noop("next fault or end of a round"),
    ),
    Key(
        does="previous_mark",
        label=gettext_noop("mark back"),
        keys=("N",),
        shown="N",
        words=gettext_noop("previous fault or end of a round"),
    ),
    Key(
        does="next_costly",
        label=gettext_noop("costly"),
        keys=("c",),
        shown="c",
        words=gettext_noop("next costly move"),
    ),
    Key(
        does="previous_costly",
        label=gettext_noop("costly back"),
        keys=("C",),
        shown="C",
        words=gettext_noop("previous costly move"),
    ),
    Key(
        does="play",
        label=gettext_noop("play"),
        keys=(" ",),
        shown=gettext_noop("Space"),
        words=gettext_noop("play on its own, or stop"),
    ),
    Key(does="faster", label=gettext_noop("faster"), keys=("+", "="), shown="+", words=gettext_noop("play faster")),
    Key(does="slower", label=gettext_noop("slower"), keys=("-",), shown="-", words=gettext_noop("play slower")),
    Key(
        does="view",
        label=gettext_noop("view"),
        keys=("v",),
        shown="v",
        words=gettext_noop("show as the next one sees it: all, public, each seat"),
    ),
    Key(does="all", label=gettext_noop("all"), keys=("a",), shown="a", words=gettext_noop("show all cards")),
    Key(
        does="public",
        label=gettext_noop("public"),
        keys=("p",),
        shown="p",
        words=gettext_noop("show what everybody sees"),
    ),
    Key(
        does="seat",
        label=gettext_noop("seat"),
        keys=("0", "1", "2", "3", "4"),
        shown=gettext_noop("0 to 4"),
        words=gettext_noop("show what that seat sees"),
    ),
    Key(does="help", label=gettext_noop("help"), keys=("?",), shown="?", words=gettext_noop("this help")),
    Key(does="quit", label=gettext_noop("quit"), keys=("q",), shown="q", words=gettext_noop("leave")),
)

COSTLY_KEYS: Final = frozenset({"next_costly", "previous_costly"})
"""What only a replay with an analysis does."""


def spoken_key(key: Key) -> Key:
    """Returns a key with its words in the present language."""
    return structs.replace(key, label=gettext(key.label), shown=gettext(key.shown), words=gettext(key.words))


def keys_for(*, judged: bool) -> tuple[Key, ...]:
    """Returns the keys of a replay, with an analysis or without."""
    return KEYS if judged else tuple(key for key in KEYS if key.does not in COSTLY_KEYS)


SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""Steps a second while a game plays on its own."""

USUAL_SPEED: Final = 1.0

WATCHED_SPEEDS: Final = (0.25, 0.4, 0.67, 1.0, 2.0, 4.0)
"""The same for a game that is watched."""

WATCHED_SPEED: Final = 0.67
"""A step takes 1.5 seconds: long enough to read its sentence."""
