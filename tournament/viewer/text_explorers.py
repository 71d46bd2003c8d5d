"""De store oppdagere as text: stock and piles, then each seat with its hand and its expeditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rich.text import Text

from tournament.games.cards import ORDER, SUITS
from tournament.games.explorers.types import Built, Discarded, Drew, StartedExpedition
from tournament.text import format_count
from tournament.viewer.audience import Audience
from tournament.viewer.frames import Frame, Header, Seen
from tournament.viewer.text_parts import (
    FAINT,
    MARKED,
    POINTED,
    Pointed,
    Unit,
    beside,
    blank_line,
    flow,
    seat_line,
)

LEFT: Final = 26

SUIT_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SUIT_STYLES: Final = {"C": "green", "D": "blue", "H": "red", "S": "bold"}


def draw_explorers(
    frame: Frame, header: Header, audience: Audience, *, width: int, pointed: Pointed | None = None
) -> list[Text]:
    """Returns stock and piles, then each seat: its hand, or backs where it is hidden, and its expeditions.

    With `pointed` the cards of the audience's own hand that are pointed at are marked.
    """
    seen = frame.seen[audience]
    lines = _draw_piles(seen, width=width)
    for seat in range(seen.view.players):
        score = str(frame.reading.scores[seat]) if frame.reading.scores else ""
        laid = len(seen.view.expeditions[seat])
        lines.append(blank_line())
        lines += beside(
            [
                seat_line(frame, header, seat, score=score, width=LEFT - 2),
                Text(f"    {format_count(laid, 'expedition') if laid else 'no expeditions'}", style=FAINT),
            ],
            [
                *_draw_hand(frame, audience, seat, width=width - LEFT, pointed=pointed),
                *_draw_expeditions(frame, seen, seat, width=width - LEFT),
            ],
            width=LEFT,
        )
    return lines


def _draw_piles(seen: Seen, *, width: int) -> list[Text]:
    view = seen.view
    last = seen.news[-1] if seen.news else None
    groups = []
    for suit in SUITS:
        pile = view.piles[suit]
        if pile:
            top = len(pile) - 1 if isinstance(last, Discarded) and last.card[-1] == suit else None
            closed = [Text(" closed", style=FAINT)] if suit == view.closed else []
            groups.append([_sign(suit), *_cards(pile, top), *closed])
    left = [Text(f"  Stock: {format_count(view.stock, 'card')}"), Text("  Piles, top card last")]
    if view.pile_draws:
        left.append(Text(f"  {format_count(view.pile_draws, 'pile draw')} in a row", style=FAINT))
    right = flow(groups, width=width - LEFT) if groups else [Text(" no piles yet", style=FAINT)]
    return beside(left, right, width=LEFT)


def _draw_hand(frame: Frame, audience: Audience, seat: int, *, width: int, pointed: Pointed | None) -> list[Text]:
    seen = frame.seen[audience]
    owner = frame.seen.get(Audience(seat=seat)) if audience.may_see(seat) else None
    if owner is None:
        cards = seen.view.hand_sizes[seat]
        return flow(
            [[Text(" ▒▒", style=FAINT)] * cards + [Text(f" {format_count(cards, 'card')}", style=FAINT)]], width=width
        )
    hand: Sequence[str] = owner.view.hand
    last = seen.news[-1] if seen.news else None
    laid = pointed.hand if pointed is not None and audience.seat == seat else ()
    drawn = len(hand) - 1 if isinstance(last, Drew) and last.seat == seat else None
    groups = []
    for suit in SUITS:
        held = sorted((index for index, card in enumerate(hand) if card[-1] == suit), key=lambda i: ORDER[hand[i]])
        if held:
            groups.append([_card(hand[index], marked=index == drawn, pointed=index in laid) for index in held])
    return flow(groups, width=width) if groups else [Text(" no cards", style=FAINT)]


def _draw_expeditions(frame: Frame, seen: Seen, seat: int, *, width: int) -> list[Text]:
    view, points = seen.view, frame.reading.expedition_points
    last = seen.news[-1] if seen.news else None
    groups = []
    for index, cards in enumerate(view.expeditions[seat]):
        laid_here = _laid_on(last, seat, len(view.expeditions[seat])) == index
        group = [
            Text(f" {index}", style=FAINT),
            _sign(cards[0][-1]),
            *_cards(cards, len(cards) - 1 if laid_here else None),
        ]
        if points is not None:
            group.append(Text(f" = {points[seat][index]}", style="bold"))
        groups.append(group)
    return flow(groups, width=width)


def _laid_on(last: Any, seat: int, expeditions: int) -> int | None:
    """Returns the expedition that the last action laid a card on, where it was this seat's."""
    if isinstance(last, Built) and last.seat == seat:
        return last.expedition
    return expeditions - 1 if isinstance(last, StartedExpedition) and last.seat == seat else None


def _sign(suit: str) -> Unit:
    return Text(f" {SUIT_SIGNS[suit]}", style=SUIT_STYLES[suit])


def _cards(cards: Sequence[str], marked: int | None) -> list[Unit]:
    return [_card(card, marked=index == marked) for index, card in enumerate(cards)]


def _card(card: str, *, marked: bool, pointed: bool = False) -> Unit:
    if pointed:
        return Text(f"+{card}", style=POINTED)
    return Text(f"{'*' if marked else ' '}{card}", style=MARKED if marked else SUIT_STYLES[card[-1]])
