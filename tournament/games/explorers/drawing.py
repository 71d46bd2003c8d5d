"""De store oppdagere as text: stock and piles, then each seat with its hand and its expeditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from rich.text import Text

from tournament.games.cards import ORDER, SUITS
from tournament.games.drawing import FAINT, Unit, beside, blank_line, draw_card, draw_suit, flow, seat_line
from tournament.games.explorers.types import Built, Discarded, Drew, StartedExpedition
from tournament.games.parts import Scene
from tournament.languages import gettext, ngettext, pgettext

LEFT: Final = 26


def draw_scene(scene: Scene) -> list[Text]:
    """Returns stock and piles, then each seat: its hand, or backs where it is hidden, and its expeditions."""
    lines = _draw_piles(scene)
    width = scene.width - LEFT
    for seat in range(scene.view.players):
        score = str(scene.reading.scores[seat]) if scene.reading.scores else ""
        laid = len(scene.view.expeditions[seat])
        count = ngettext("{count} expedition", "{count} expeditions", laid) if laid else gettext("no expeditions")
        cards = [*_draw_hand(scene, seat, width=width), *_draw_expeditions(scene, seat, width=width)]
        lines.append(blank_line())
        lines += beside(
            [seat_line(scene, seat, score=score, width=LEFT - 2), Text(f"    {count}", style=FAINT)], cards, width=LEFT
        )
    return lines


def _draw_piles(scene: Scene) -> list[Text]:
    view: Any = scene.view
    last = scene.news[-1] if scene.news else None
    groups = []
    for suit in SUITS:
        pile = view.piles[suit]
        if pile:
            top = len(pile) - 1 if isinstance(last, Discarded) and last.card[-1] == suit else None
            closed = [Text(" " + pgettext("a pile", "closed"), style=FAINT)] if suit == view.closed else []
            groups.append([draw_suit(suit), *_cards(pile, top), *closed])
    # Translators: this and the next two stand in a column of 24 letters.
    left = [ngettext("Stock: {count} card", "Stock: {count} cards", view.stock), gettext("Piles, top card last")]
    lines = [Text(f"  {words}") for words in left]
    if view.pile_draws:
        in_a_row = ngettext("{count} pile draw in a row", "{count} pile draws in a row", view.pile_draws)
        lines.append(Text(f"  {in_a_row}", style=FAINT))
    right = flow(groups, width=scene.width - LEFT) if groups else [Text(" " + gettext("no piles yet"), style=FAINT)]
    return beside(lines, right, width=LEFT)


def _draw_hand(scene: Scene, seat: int, *, width: int) -> list[Text]:
    if seat not in scene.hands:
        cards = scene.view.hand_sizes[seat]
        backs = [Text(" ▒▒", style=FAINT)] * cards
        return flow([[*backs, Text(" " + ngettext("{count} card", "{count} cards", cards), style=FAINT)]], width=width)
    hand: Sequence[str] = scene.hands[seat].hand
    last = scene.news[-1] if scene.news else None
    laid = scene.pointed.hand if scene.pointed is not None and seat == scene.seat else ()
    drawn = len(hand) - 1 if isinstance(last, Drew) and last.seat == seat else None
    groups = []
    for suit in SUITS:
        held = sorted((index for index, card in enumerate(hand) if card[-1] == suit), key=lambda i: ORDER[hand[i]])
        if held:
            groups.append([draw_card(hand[index], marked=index == drawn, pointed=index in laid) for index in held])
    return flow(groups, width=width) if groups else [Text(" " + gettext("no cards"), style=FAINT)]


def _draw_expeditions(scene: Scene, seat: int, *, width: int) -> list[Text]:
    expeditions, reading = scene.view.expeditions[seat], cast(Any, scene.reading)
    points = reading.expedition_points
    last = scene.news[-1] if scene.news else None
    groups = []
    for index, cards in enumerate(expeditions):
        marked = len(cards) - 1 if _laid_on(last, seat, len(expeditions)) == index else None
        group = [Text(f" {index}", style=FAINT), draw_suit(cards[0][-1]), *_cards(cards, marked)]
        if points is not None:
            group.append(Text(f" = {points[seat][index]}", style="bold"))
        groups.append(group)
    return flow(groups, width=width)


def _laid_on(last: Any, seat: int, expeditions: int) -> int | None:
    if isinstance(last, Built) and last.seat == seat:
        return last.expedition
    return expeditions - 1 if isinstance(last, StartedExpedition) and last.seat == seat else None


def _cards(cards: Sequence[str], marked: int | None) -> list[Unit]:
    return [draw_card(card, marked=index == marked) for index, card in enumerate(cards)]
