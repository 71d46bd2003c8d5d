"""What a person may choose at the table, and actions as people type them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

import msgspec
from msgspec import Struct

from tournament.errors import UsageError, nearest_word
from tournament.games import parts_of
from tournament.games.parts import OffersPointing, Pointed
from tournament.languages import gettext, ngettext
from tournament.viewer.actions import label, meaning_of, short_text, with_meaning, words_of


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
            raise UsageError(
                gettext("{number}: the actions have the numbers 1 to {last}.", number=number, last=len(legal))
            )
        return legal[number - 1]
    if text.lstrip().startswith("{"):
        return parse_action(text, action_type)
    by_text = {short_text(action).casefold(): action for action in legal}
    found = [by_text[words]] if words in by_text else [by_text[one] for one in by_text if begins(one, words)]
    if len(found) == 1 and words:
        return found[0]
    if found and words:
        raise UsageError(
            ngettext(
                '"{text}" fits {count} action, the first being "{first}".',
                '"{text}" fits {count} actions, the first being "{first}".',
                len(found),
                text=text.strip(),
                first=short_text(found[0]),
            )
        )
    near = nearest_word(words, by_text)
    if near is None:
        told = gettext('"{text}" is none of the actions. Write a number, or words as in the list.', text=text.strip())
    else:
        told = gettext(
            '"{text}" is none of the actions. Did you mean "{near}"? Write a number, or words as in the list.',
            text=text.strip(),
            near=near,
        )
    raise UsageError(told)


def begins(text: str, typed: str) -> bool:
    """Returns whether a short text begins with what was typed; `play 10 1` does not begin with `play 1`."""
    return text.startswith(typed) and not (typed[-1:].isdecimal() and text[len(typed) :][:1].isdecimal())


def parse_action(text: str, action_type: Any) -> Any:
    """Returns the action in a JSON object. Raises `UsageError` saying what is wrong with it."""
    try:
        return msgspec.json.decode(text.encode(), type=action_type)
    except msgspec.DecodeError as error:
        raise UsageError(
            gettext(
                "{text} is no action of this game ({error}). Write it as it stands in a record.",
                text=text.strip(),
                error=error,
            )
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
            raise UsageError(gettext("{place}: the places are {places}.", place=place, places=self.places))
        return found[0]


def choices_of(view: Any) -> tuple[TableChoice, ...]:
    """Returns the choices of the seat of a view, in the order of its legal actions."""
    grouped = (tuple(group) for _, group in groupby(view.legal_actions(), key=lambda action: _but_place(action, view)))
    return tuple(TableChoice(actions=actions, text=_text(actions, view)) for actions in grouped)


def _but_place(action: Any, view: Any) -> tuple[Any, str]:
    """Returns an action without its place, and its meaning. Actions that differ only in the place give equal values."""
    meaning = meaning_of(action, view)
    if not hasattr(action, PLACE) or not meaning:
        return action, ""
    return msgspec.structs.replace(action, **{PLACE: 0}), meaning


def _text(actions: Sequence[Any], view: Any) -> str:
    action, *others = actions
    if not others:
        return label(action, view)
    place = str(getattr(action, PLACE))
    name = gettext("PLACE")
    words = " ".join(name if word == place else word for word in words_of(action))
    return f"{with_meaning(words, meaning_of(action, view))}; {name} {_places(actions)}"


def _places(actions: Sequence[Any]) -> str:
    places = [getattr(action, PLACE) for action in actions]
    if places == list(range(places[0], places[-1] + 1)):
        return gettext("{first} to {last}", first=places[0], last=places[-1])
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
        raise UsageError(
            gettext("{number}: the choices have the numbers 1 to {last}.", number=words[0], last=len(choices))
        )
    choice = choices[int(words[0]) - 1]
    if len(words) == 1:
        return choice if choice.needs_place else choice.actions[0]
    if not choice.needs_place:
        raise UsageError(
            gettext(
                '"{text}": choice {number} needs no place. Write {number} alone.',
                text=" ".join(words),
                number=words[0],
            )
        )
    if len(words) > 2:
        raise UsageError(
            gettext(
                '"{text}": choice {number} needs one place. The places are {places}.',
                text=" ".join(words),
                number=words[0],
                places=choice.places,
            )
        )
    return choice.at(words[1])


def pointed_at(action: Any, view: Any, *, with_place: bool = True) -> Pointed:
    """Returns which cards an action moves, and where in the hand one goes.

    Where its game does not say, that is the one `card` of the action.
    """
    parts = parts_of(view.game)
    if isinstance(parts, OffersPointing):
        pointed = parts.point_at(action, view)
        return pointed if with_place else msgspec.structs.replace(pointed, gap=None)
    card = getattr(action, "card", None)
    return Pointed(hand=(view.hand.index(card),)) if card is not None and card in view.hand else Pointed()
