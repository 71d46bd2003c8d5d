"""A deal of De store oppdagere that could have led to what one seat saw.

The views of a seat at all its decisions, one after the other, tell every action of the game so
far; only the cards others were dealt or drew from the stock are hidden. So a deal is made in
which each of those comes out right, and the game is played again from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import is_
from typing import Any

from tournament.games.contract import GameError, Rng, shuffled
from tournament.games.explorers.types import (
    Build,
    Built,
    Discard,
    Draw,
    DrawSource,
    Drew,
    ExplorersAction,
    ExplorersDeal,
    ExplorersNews,
    StartedExpedition,
    StartExpedition,
)
from tournament.games.explorers.view import ExplorersView


def not_one_game(why: str) -> GameError:
    """Returns the error for views that do not fit together."""
    return GameError(
        f"redeal: {why}. It needs the views of one seat at each of its decisions, oldest first, "
        "from the first decision of one game."
    )


def action_from(news: ExplorersNews) -> ExplorersAction:
    """Returns the action that an item of news tells of."""
    if isinstance(news, Drew):
        return Draw(news.source)
    if isinstance(news, StartedExpedition):
        return StartExpedition(news.card)
    if isinstance(news, Built):
        return Build(news.card, news.expedition)
    return Discard(news.card)


def deal_from_views(
    seen: Sequence[ExplorersView], rng: Rng, pack: Sequence[str]
) -> tuple[ExplorersDeal, list[ExplorersAction]]:
    """Returns a deal of that pack consistent with the views, and the actions since.

    Every consistent way to place the cards that others are known to have laid is as likely as any
    other. A card equal to one its seat openly took counts as the one taken: cards that look the
    same are the same. Raises `GameError` when no deal fits.
    """
    if not seen:
        raise not_one_game("there is no view")
    first = seen[0]
    if any((view.seat, view.players, view.options) != (first.seat, first.players, first.options) for view in seen):
        raise not_one_game("the views differ in seat, players or options")
    history: list[ExplorersNews] = [news for view in seen for news in view.news]
    sizes = first.hand_sizes
    begins = [sum(sizes[:seat]) for seat in range(len(sizes) + 1)]
    drawn_before = sum(_from_stock(news) for news in first.news)
    cards: list[str | None] = [None] * (begins[-1] + drawn_before + first.stock)
    if first.seat is None or len(cards) != len(pack):
        raise not_one_game(f"the first view tells of {len(cards)} cards, the pack has {len(pack)}")
    if len(first.hand) != sizes[first.seat]:
        raise not_one_game(f"the first view shows {len(first.hand)} cards of a hand of {sizes[first.seat]}")
    cards[begins[first.seat] : begins[first.seat + 1]] = first.hand

    hidden = [list(range(begins[seat], begins[seat + 1])) for seat in range(len(sizes))]
    taken: list[list[str]] = [[] for _ in sizes]
    next_drawn = begins[-1]
    for news in history:
        own = news.seat == first.seat
        if isinstance(news, Drew):
            if news.source != DrawSource.STOCK:
                taken[news.seat].append(str(news.card))
                continue
            if next_drawn == len(cards):
                raise not_one_game("more cards were drawn than the stock had")
            if own:
                cards[next_drawn] = news.card
            else:
                hidden[news.seat].append(next_drawn)
            next_drawn += 1
        elif not own:
            if news.card in taken[news.seat]:
                taken[news.seat].remove(news.card)
            elif hidden[news.seat]:
                places = hidden[news.seat]
                cards[places.pop(int(rng.random() * len(places)))] = news.card
            else:
                raise not_one_game(f"seat {news.seat} laid more cards than it had")
    unseen = Counter(pack)
    unseen.subtract(card for card in cards if card is not None)
    if min(unseen.values()) < 0:
        raise not_one_game(f"{min(unseen, key=unseen.__getitem__)} was seen more often than the pack has it")
    rest = iter(shuffled(unseen.elements(), rng))
    whole = [next(rest) if card is None else card for card in cards]
    hands = tuple(tuple(whole[begins[seat] : begins[seat + 1]]) for seat in range(len(sizes)))
    deal = ExplorersDeal(hands, tuple(whole[begins[-1] :]))
    return deal, _last_seen[1] if seen_before(seen) else [action_from(news) for news in history]


_last_seen: tuple[tuple[ExplorersView, ...], list[ExplorersAction]] = ((), [])
"""The views of the last redeal, and the actions that they tell: a search redeals the same position a hundred times."""


def seen_before(seen: Sequence[ExplorersView]) -> bool:
    """Returns whether the last redeal was of these very views, and they fitted together."""
    before = _last_seen[0]
    return len(before) == len(seen) > 0 and all(map(is_, before, seen))  # views never change


def note_seen(seen: Sequence[ExplorersView], actions: list[ExplorersAction]) -> None:
    """Keeps views that fit together, and the actions that they tell."""
    global _last_seen  # noqa: PLW0603 (one position is kept, whatever was redealt)
    _last_seen = (tuple(seen), actions)


def _from_stock(news: Any) -> bool:
    return isinstance(news, Drew) and news.source == DrawSource.STOCK
