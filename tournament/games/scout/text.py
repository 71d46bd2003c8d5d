"""Events of SCOUT in words."""

from __future__ import annotations

from tournament.games.scout.types import TURNED, VALUE, Keep, Play, RoundEnding, RoundOver, Scout, ScoutEvent

_WHY = {
    RoundEnding.EMPTIED: "a hand is empty",
    RoundEnding.ALL_SCOUTED: "everybody else has only scouted",
    RoundEnding.STUCK: "the other seat can neither play nor scout",
    RoundEnding.MOVE_LIMIT: "the limit on turns is reached",
}


def describe_event(event: ScoutEvent, seat: int | None) -> str:
    """Returns one plain sentence about an event, as that seat (None: the public) may know it."""
    sentence = _describe_action(event, own=event.seat == seat)
    if event.round_over is None:
        return f"{sentence}."
    return f"{sentence}; {_describe_round_over(event.round_over)}."


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


def _describe_round_over(over: RoundOver) -> str:
    points = ", ".join(map(str, over.points))
    return f"round {over.round} is over, {_WHY[over.why]}: points {points}"


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
