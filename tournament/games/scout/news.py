"""Events of SCOUT as the seats see them, and back."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.games.scout.types import (
    Keep,
    Kept,
    Play,
    PlayedSet,
    RoundOver,
    Scout,
    ScoutAction,
    Scouted,
    ScoutEvent,
    ScoutNews,
    Turn,
    Turned,
)


def public_news(event: ScoutEvent) -> tuple[ScoutNews, ...]:
    """Returns what everybody but the seat that acted sees of an event (20)."""
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
    """Returns what the seat that acted sees of its event: everything."""
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
    """Returns events that give this news; what the news does not tell (place, way up) is 0 and false."""
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
