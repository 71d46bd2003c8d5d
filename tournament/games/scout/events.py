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
    Turn,
    Turned,
)

_ENDINGS = {
    RoundEnding.EMPTIED: "a hand is empty",
    RoundEnding.ALL_SCOUTED: "everybody else has only scouted",
    RoundEnding.STUCK: "the other seat can neither play nor scout",
    RoundEnding.MOVE_LIMIT: "the limit on turns is reached",
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
    sentence = _describe_action(event, own=event.seat == seat)
    if event.round_over is None:
        return f"{sentence}."
    over = event.round_over
    points = ", ".join(map(str, over.points))
    return f"{sentence}; round {over.round} is over, {_ENDINGS[over.why]}: points {points}."


def _describe_action(event: ScoutEvent, *, own: bool) -> str:
    action = event.action
    who = f"Seat {event.seat}"
    if type(action) is Play:
        shown = " ".join(str(VALUE[card]) for card in event.cards)
        captured = f" and captures {_cards(event.captured)}" if event.captured else ""
        return f"{who} plays {shown}{captured}"
    if type(action) is Scout:
        card = event.cards[0]
        sentence = f"{who} scouts {card} from the {action.end} end"
        if own:
            sentence += f", puts it in place {action.at} as {TURNED[card] if action.flip else card}"
        return sentence + (" and will play" if action.then_play else "")
    if not own:
        return f"{who} decides which way up to hold its hand"
    return f"{who} keeps its hand" if isinstance(action, Keep) else f"{who} turns its hand"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
