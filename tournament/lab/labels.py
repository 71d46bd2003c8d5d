"""What a person may choose at the table, and actions as people read and type them.

The short text of an action is its kind and its values: `play 4 3`, `build 6H 0`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

import msgspec
from msgspec import Struct

from tournament.errors import UsageError, did_you_mean
from tournament.games import parts_of
from tournament.games.parts import OffersLabels, OffersPointing, Pointed


def short_text(action: Any) -> str:
    """Returns an action in a few words: its kind, then its values in order, and the names of those that are true."""
    return " ".join(_words_of(action))


def _words_of(action: Any) -> list[str]:
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
    return _label(short_text(action), _meaning(action, view))


def _label(words: str, meaning: str) -> str:
    return f"{words}: {meaning}" if meaning else words


def _meaning(action: Any, view: Any) -> str:
    """Returns what an action means with the cards of the view; nothing where its game does not say."""
    parts = parts_of(view.game)
    return parts.explain_action(action, view) if isinstance(parts, OffersLabels) else ""


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
    """Returns whether a short text begins with what was typed; `play 10 1` does not begin with `play 1`."""
    return text.startswith(typed) and not (typed[-1:].isdecimal() and text[len(typed) :][:1].isdecimal())


def parse_action(text: str, action_type: Any) -> Any:
    """Returns the action in a JSON object. Raises `UsageError` saying what is wrong with it."""
    try:
        return msgspec.json.decode(text.encode(), type=action_type)
    except msgspec.DecodeError as error:
        raise UsageError(
            f"{text.strip()} is no action of this game ({error}). Write it as it stands in a record."
        ) from None


PLACE: Final = "at"
"""The field of an action that says at which place in the hand."""


class TableChoice(Struct, frozen=True, kw_only=True):
    """One legal action, or several that differ only in the place in the hand."""

    actions: tuple[Any, ...]
    text: str
    """Its words in the list, without its number."""

    @property
    def needs_place(self) -> bool:
        """Whether the person has to say a place, too."""
        return len(self.actions) > 1

    @property
    def places(self) -> str:
        """The places: `0 to 8`, or one by one where some in between are not allowed."""
        return _places(self.actions)

    def at(self, place: str) -> Any:
        """Returns the action with that place. Raises `UsageError` for a place that is not allowed."""
        found = [action for action in self.actions if str(getattr(action, PLACE)) == place]
        if not found:
            raise UsageError(f"{place}: the places are {self.places}.")
        return found[0]


def choices_of(view: Any) -> tuple[TableChoice, ...]:
    """Returns the choices of the seat of a view, in the order of its legal actions."""
    grouped = (tuple(group) for _, group in groupby(view.legal_actions(), key=lambda action: _but_place(action, view)))
    return tuple(TableChoice(actions=actions, text=_text(actions, view)) for actions in grouped)


def _but_place(action: Any, view: Any) -> tuple[Any, str]:
    """Returns an action without its place, and its meaning: equal for actions that do the same at another place."""
    meaning = _meaning(action, view)
    if not hasattr(action, PLACE) or not meaning:
        return action, ""
    return msgspec.structs.replace(action, **{PLACE: 0}), meaning


def _text(actions: Sequence[Any], view: Any) -> str:
    action, *others = actions
    if not others:
        return label(action, view)
    place = str(getattr(action, PLACE))
    words = " ".join("PLACE" if word == place else word for word in _words_of(action))
    return f"{_label(words, _meaning(action, view))}; PLACE {_places(actions)}"


def _places(actions: Sequence[Any]) -> str:
    places = [getattr(action, PLACE) for action in actions]
    if places == list(range(places[0], places[-1] + 1)):
        return f"{places[0]} to {places[-1]}"
    return ", ".join(map(str, places))


def parse_choice(text: str, choices: Sequence[TableChoice], *, view: Any, action_type: Any) -> Any:
    """Returns the action that a text stands for, or the `TableChoice` whose place is still to be said.

    A text is the number of a choice, from 1, perhaps with a place behind it; words as in the list; or JSON. Raises
    `UsageError` saying what to write.
    """
    words = text.split()
    if words and words[0].isdecimal():
        return _numbered(words, choices)
    typed = " ".join(words).casefold()
    fitting = [choice for choice in choices if any(_fits(action, typed) for action in choice.actions)]
    if typed and len(fitting) == 1 and fitting[0].needs_place:
        exact = [action for action in fitting[0].actions if short_text(action).casefold() == typed]
        return exact[0] if exact else fitting[0]
    return parse_answer(text, view, action_type)


def _fits(action: Any, typed: str) -> bool:
    return begins(short_text(action).casefold(), typed)


def _numbered(words: Sequence[str], choices: Sequence[TableChoice]) -> Any:
    if not 1 <= int(words[0][:9]) <= len(choices):
        raise UsageError(f"{words[0]}: the choices have the numbers 1 to {len(choices)}.")
    choice = choices[int(words[0]) - 1]
    if len(words) == 1:
        return choice if choice.needs_place else choice.actions[0]
    if not choice.needs_place:
        raise UsageError(f'"{" ".join(words)}": choice {words[0]} needs no place. Write {words[0]} alone.')
    if len(words) > 2:
        raise UsageError(f'"{" ".join(words)}": choice {words[0]} needs one place. The places are {choice.places}.')
    return choice.at(words[1])


def pointed_at(action: Any, view: Any, *, with_place: bool = True) -> Pointed:
    """Returns which cards an action moves, and where in the hand one goes: as its game says, else its one `card`."""
    parts = parts_of(view.game)
    if isinstance(parts, OffersPointing):
        pointed = parts.point_at(action, view)
        return pointed if with_place else msgspec.structs.replace(pointed, gap=None)
    card = getattr(action, "card", None)
    return Pointed(hand=(view.hand.index(card),)) if card is not None and card in view.hand else Pointed()
