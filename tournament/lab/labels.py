"""Actions as people read and type them.

The short text of an action is its kind and its values: `play 4 3`, `scout left flip 2`, `build 6H 0`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tournament.errors import UsageError, did_you_mean
from tournament.games import parts_of
from tournament.games.parts import OffersLabels


def short_text(action: Any) -> str:
    """Returns an action in a few words: its kind, its values in order, the names of what is true."""
    words = [action.do]
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if value is True:
            words.append(name.replace("_", "-"))
        elif value is not False:
            words.append(str(value))
    return " ".join(words)


def label(action: Any, view: Any) -> str:
    """Returns the short text of an action, and what it means with the cards of the view."""
    parts = parts_of(view.game)
    meaning = parts.explain_action(action, view) if isinstance(parts, OffersLabels) else ""
    return f"{short_text(action)}: {meaning}" if meaning else short_text(action)


def parse_answer(text: str, view: Any, action_type: Any) -> Any:
    """Returns the action that a number, a short text or JSON stands for; JSON may be an action that is not legal.

    A short text may be cut, though not within a number, as long as it stands for one legal action. Raises
    `UsageError` saying what to write.
    """
    legal: Sequence[Any] = view.legal_actions()
    words = " ".join(text.split()).casefold()
    if words.isdecimal():
        number = int(words)
        if not 1 <= number <= len(legal):
            raise UsageError(f"{number}: the actions have the numbers 1 to {len(legal)}.")
        return legal[number - 1]
    if text.lstrip().startswith("{"):
        return parse_action(text, action_type)
    by_text = {short_text(action).casefold(): action for action in legal}
    found = [by_text[words]] if words in by_text else [by_text[one] for one in by_text if begins(one, words)]
    if len(found) == 1 and words:
        return found[0]
    if found and words:
        raise UsageError(f'"{text.strip()}" fits {len(found)} actions, the first being "{short_text(found[0])}".')
    near = did_you_mean(words, by_text)
    raise UsageError(f'"{text.strip()}" is none of the actions.{near} Write a number, or words as in the list.')


def begins(text: str, typed: str) -> bool:
    """Returns whether a short text begins with what was typed; `play 1` is no beginning of `play 10 1`."""
    return text.startswith(typed) and not (typed[-1:].isdecimal() and text[len(typed) :][:1].isdecimal())


def parse_action(text: str, action_type: Any) -> Any:
    """Returns the action in a JSON object. Raises `UsageError` saying what is wrong with it."""
    try:
        return msgspec.json.decode(text.encode(), type=action_type)
    except msgspec.DecodeError as error:
        raise UsageError(
            f"{text.strip()} is no action of this game ({error}). Write it as it stands in a record."
        ) from None
