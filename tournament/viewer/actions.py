"""Actions as people read them: the words by which one is typed, and what it means with the cards of a view.

The words are its kind and its values, the same in every language: `play 4 3`, `build 6H 0`.
"""

from __future__ import annotations

from typing import Any

from tournament.games import parts_of
from tournament.games.parts import OffersLabels


def short_text(action: Any) -> str:
    """Returns an action in a few words: its kind, then its values in order, and the names of those that are true."""
    return " ".join(words_of(action))


def words_of(action: Any) -> list[str]:
    """Returns the words of `short_text`."""
    words = [action.do]
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if value is True:
            words.append(name.replace("_", "-"))
        elif value is not False and value is not None:
            words.append(str(value))
    return words


def label(action: Any, view: Any) -> str:
    """Returns the short text of an action, and what it means with the cards of the view."""
    return with_meaning(short_text(action), meaning_of(action, view))


def with_meaning(words: str, meaning: str) -> str:
    """Returns words and what they mean; the words alone where they say it all."""
    return f"{words}: {meaning}" if meaning else words


def meaning_of(action: Any, view: Any) -> str:
    """Returns what an action means with the cards of the view; nothing where its game does not say."""
    parts = parts_of(view.game)
    return parts.explain_action(action, view) if isinstance(parts, OffersLabels) else ""
