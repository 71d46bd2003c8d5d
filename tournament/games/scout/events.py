"""Events of SCOUT as news for a seat, as sentences, and made again from news."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.games.scout.types import (
    TURNED,
    VALUE,
    Keep,
    Kept,
    Play,
    PlayedSet,
    RoundEnding,
    RoundOver,
    Scout,
    ScoutAction,
    Scouted,
    ScoutEvent,
    ScoutNews,
    SetEnd,
    Turn,
    Turned,
)
from tournament.languages import gettext, gettext_noop, ngettext

# Translators: {told} is what happened, such as: ann plays 3 4. {points} is a list of numbers.
_ENDINGS = {
    RoundEnding.EMPTIED: gettext_noop("{told}; round {round} is over, a hand is empty: points {points}."),
    RoundEnding.ALL_SCOUTED: gettext_noop(
        "{told}; round {round} is over, everybody else has only scouted: points {points}."
    ),
    RoundEnding.STUCK: gettext_noop(
        "{told}; round {round} is over, the other seat can neither play nor scout: points {points}."
    ),
    RoundEnding.MOVE_LIMIT: gettext_noop(
        "{told}; round {round} is over, the limit on turns is reached: points {points}."
    ),
}

# Translators: here and below the name of who acts stands before this; {card} is such as 3/8, {place} a number.
_SCOUTS = {
    SetEnd.LEFT: gettext_noop("scouts {card} from the left end"),
    SetEnd.RIGHT: gettext_noop("scouts {card} from the right end"),
}
_SCOUTS_TO_PLAY = {
    SetEnd.LEFT: gettext_noop("scouts {card} from the left end and will play"),
    SetEnd.RIGHT: gettext_noop("scouts {card} from the right end and will play"),
}
_OWN_SCOUTS = {
    SetEnd.LEFT: gettext_noop("scouts {card} from the left end, puts it in place {place} as {held}"),
    SetEnd.RIGHT: gettext_noop("scouts {card} from the right end, puts it in place {place} as {held}"),
}
_OWN_SCOUTS_TO_PLAY = {
    SetEnd.LEFT: gettext_noop("scouts {card} from the left end, puts it in place {place} as {held} and will play"),
    SetEnd.RIGHT: gettext_noop("scouts {card} from the right end, puts it in place {place} as {held} and will play"),
}


# Translators: here and below the person who reads this has done it; a full stop or more stands behind.
_YOU_SCOUT = {
    SetEnd.LEFT: gettext_noop("You scout {card} from the left end and put it in place {place} as {held}"),
    SetEnd.RIGHT: gettext_noop("You scout {card} from the right end and put it in place {place} as {held}"),
}
_YOU_SCOUT_TO_PLAY = {
    SetEnd.LEFT: gettext_noop("You scout {card} from the left end, put it in place {place} as {held} and will play"),
    SetEnd.RIGHT: gettext_noop("You scout {card} from the right end, put it in place {place} as {held} and will play"),
}


def public_news(event: ScoutEvent) -> tuple[ScoutNews, ...]:
    """Returns the news of an event for everybody but the seat that acted (20)."""
    action = event.action
    news: ScoutNews
    if type(action) is Play:
        news = PlayedSet(seat=event.seat, cards=event.cards, captured=event.captured)
    elif type(action) is Scout:
        news = Scouted(seat=event.seat, end=action.end, card=event.cards[0], then_play=action.then_play)
    else:
        return ()
    return (news,) if event.round_over is None else (news, event.round_over)


def own_news(event: ScoutEvent) -> tuple[ScoutNews, ...]:
    """Returns the news of an event for the seat that acted: everything."""
    action = event.action
    news: ScoutNews
    if type(action) is Play:
        news = PlayedSet(seat=event.seat, cards=event.cards, captured=event.captured, at=action.at, count=action.count)
    elif type(action) is Scout:
        news = Scouted(
            seat=event.seat,
            end=action.end,
            card=event.cards[0],
            then_play=action.then_play,
            flip=action.flip,
            at=action.at,
        )
    else:
        news = Kept(event.seat) if type(action) is Keep else Turned(event.seat)
    return (news,) if event.round_over is None else (news, event.round_over)


def events_from_news(items: Iterable[ScoutNews]) -> list[ScoutEvent]:
    """Returns events from which this news follows; what news do not tell (place, way up) is 0 and false."""
    events: list[ScoutEvent] = []
    for item in items:
        if isinstance(item, RoundOver):
            last = events[-1]
            events[-1] = ScoutEvent(last.seat, last.action, last.cards, last.captured, item)
            continue
        action: ScoutAction
        cards: tuple[str, ...] = ()
        captured = 0
        if isinstance(item, PlayedSet):
            action = Play(item.at or 0, len(item.cards))
            cards, captured = item.cards, item.captured
        elif isinstance(item, Scouted):
            action = Scout(item.end, bool(item.flip), item.at or 0, item.then_play)
            cards = (item.card,)
        else:
            action = Keep() if isinstance(item, Kept) else Turn()
        events.append(ScoutEvent(item.seat, action, cards, captured))
    return events


def describe_event(event: ScoutEvent, seat: int | None) -> str:
    """Returns one plain sentence about an event, as that seat (None: the public) may know it."""
    # Translators: {told} is what the seat did, such as: plays 3 4 5.
    return gettext("Seat {seat} {told}", seat=event.seat, told=tell_event(event, seat))


def tell_event(event: ScoutEvent, seat: int | None) -> str:
    """Returns the same sentence without who acted, which a name can stand before."""
    return _tell_whole(event, _tell_action(event, own=event.seat == seat))


def tell_own_event(event: ScoutEvent) -> str:
    """Returns a sentence about an event to the seat that acted."""
    return _tell_whole(event, _tell_own_action(event))


def _tell_whole(event: ScoutEvent, told: str) -> str:
    """Returns a sentence of what a seat did, and of how the round ended by it."""
    if event.round_over is None:
        return f"{told}."
    over = event.round_over
    points = ", ".join(map(str, over.points))
    return gettext(_ENDINGS[over.why], told=told, round=over.round, points=points)


def note_event(event: ScoutEvent, seat: int | None) -> str:
    """Returns an event in short: what is played as it is held, the upper number of a card that is scouted."""
    action = event.action
    if type(action) is Play:
        return gettext("plays {cards}", cards=_values(event))
    if type(action) is Scout:
        card = event.cards[0]
        shown = TURNED[card] if event.seat == seat and action.flip else card
        if action.then_play:
            return gettext("scouts {number} to play", number=VALUE[shown])
        return gettext("scouts {number}", number=VALUE[shown])
    if event.seat != seat:
        return gettext("looks at its hand")
    return gettext("keeps its hand") if isinstance(action, Keep) else gettext("turns its hand")


def _tell_action(event: ScoutEvent, *, own: bool) -> str:
    action = event.action
    if type(action) is Play:
        if not event.captured:
            return gettext("plays {cards}", cards=_values(event))
        return ngettext(
            "plays {cards} and captures {count} card",
            "plays {cards} and captures {count} cards",
            event.captured,
            cards=_values(event),
        )
    if type(action) is Scout:
        card = event.cards[0]
        if not own:
            return gettext((_SCOUTS_TO_PLAY if action.then_play else _SCOUTS)[action.end], card=card)
        told = (_OWN_SCOUTS_TO_PLAY if action.then_play else _OWN_SCOUTS)[action.end]
        return gettext(told, card=card, place=action.at, held=TURNED[card] if action.flip else card)
    if not own:
        return gettext("decides which way up to hold its hand")
    return gettext("keeps its hand") if isinstance(action, Keep) else gettext("turns its hand")


def _tell_own_action(event: ScoutEvent) -> str:
    action = event.action
    if type(action) is Play:
        if not event.captured:
            return gettext("You play {cards}", cards=_values(event))
        return ngettext(
            "You play {cards} and capture {count} card",
            "You play {cards} and capture {count} cards",
            event.captured,
            cards=_values(event),
        )
    if type(action) is Scout:
        card = event.cards[0]
        told = (_YOU_SCOUT_TO_PLAY if action.then_play else _YOU_SCOUT)[action.end]
        return gettext(told, card=card, place=action.at, held=TURNED[card] if action.flip else card)
    return gettext("You keep your hand") if isinstance(action, Keep) else gettext("You turn your hand round")


def _values(event: ScoutEvent) -> str:
    return " ".join(str(VALUE[card]) for card in event.cards)
