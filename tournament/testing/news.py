"""The check of news: they are complete, and tell a seat nothing it may not know.

An event is compared with what could have been in its place: the same action in another state that
its seat cannot tell apart, and the action listed beside it. Where a seat is told of a difference,
its view or the redealt states must show one at its next decision. Cards are hidden from a seat if,
and only if, `redeal` draws them: so news of which it makes nothing told too much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tournament.testing.case import Case, encode, private_part, who, without_news

WORLDS = 4
"""How often a state is dealt again before a difference in the news counts as meaningless."""


class _Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """News of a seat that could have been different, while nothing it sees has justified the difference yet."""

    seat: int
    at: int
    """Their place in the news of its next view."""

    told: tuple[Any, ...]
    otherwise: tuple[Any, ...]
    step: int


class NewsCheck:
    """What the seats of one game saw, and the open doubts about their news."""

    def __init__(self, case: Case) -> None:
        self.seen: list[list[Any]] = [[] for _ in range(case.players)]
        """The views of each seat at its decisions."""

        self._case = case
        self._told: list[list[Any]] = [[] for _ in range(case.players)]
        self._doubts: list[_Doubt] = []

    def tell(self, state: Any, event: Any) -> None:
        """Notes the news of an event."""
        for seat, told in enumerate(self._told):
            told += state.news(event, seat)

    def watch_decision(self, state: Any, mover: int) -> None:
        """Notes what the seat to move sees, and settles the doubts about its news."""
        view = state.view(mover)
        self._case.same(f"the news in the view of seat {mover}, since its last decision", self._told[mover], view.news)
        self._told[mover] = []
        self.seen[mover].append(view)
        for doubt in self._doubts:
            if doubt.seat == mover:
                self._settle(doubt, view)
        self._doubts = [doubt for doubt in self._doubts if doubt.seat != mover]

    def compare(self, state: Any, mover: int, action: Any) -> None:
        """Compares the news of the next action with the news of what could happen instead."""
        case = self._case
        here = state.copy()
        event = here.apply(action)
        legal = list(state.legal_actions())
        beside = legal[(legal.index(action) + 1) % len(legal)]
        redealt = case.redeal(self.seen[mover], case.chance.random())
        others = [seat for seat in range(case.players) if seat != mover]
        for there, other_action, watchers in ((state.copy(), beside, others), (redealt, action, [mover, *others])):
            other = there.apply(other_action)
            for seat in watchers:
                told, otherwise = here.news(event, seat), there.news(other, seat)
                if encode(told) == encode(otherwise):
                    self._compare_words(seat, (here, event), (there, other))
                elif self._looks_alike(seat, state, here, there):
                    at = len(self._told[seat])
                    self._doubts.append(_Doubt(seat=seat, at=at, told=told, otherwise=otherwise, step=case.step))

    def _compare_words(self, seat: int, here: tuple[Any, Any], there: tuple[Any, Any]) -> None:
        """Fails when a seat gets the same news but other words, or the public gets more than the seat."""
        case = self._case
        public = [state.news(event, None) for state, event in (here, there)]
        case.same(f"news tell the public what seat {seat} is not told", public[1], public[0])
        for listener in (seat, None):
            words = [case.game.describe(event, listener) for _, event in (here, there)]
            case.same(f"describe tells {who(listener)} more than the news", words[1], words[0])

    def _looks_alike(self, seat: int, before: Any, here: Any, there: Any) -> bool:
        """Returns whether two states look the same afterwards, as far as this seat's own cards allow to say."""
        if without_news(here.view(None)) != without_news(there.view(None)):
            return False
        own = private_part(here, seat)
        return own in (private_part(there, seat), private_part(before, seat))

    def _settle(self, doubt: _Doubt, view: Any) -> None:
        """Fails when different news would lead to the same redealt states."""
        end = doubt.at + len(doubt.told)
        changed = msgspec.structs.replace(view, news=(*view.news[: doubt.at], *doubt.otherwise, *view.news[end:]))
        seen = self.seen[doubt.seat]
        for _ in range(WORLDS):
            seed = self._case.chance.random()
            if self._world(seen, seed) != self._world([*seen[:-1], changed], seed):
                return
        self._case.step = doubt.step
        self._case.fail(
            f"news tell seat {doubt.seat} what it may not know: neither its view nor redeal make anything of it",
            expected=f"the same as {msgspec.json.decode(encode(doubt.otherwise))}",
            found=msgspec.json.decode(encode(doubt.told)),
        )

    def _world(self, seen: Sequence[Any], seed: float) -> bytes | None:
        """Returns all that can be seen of a redealt state, now and at its end; None when there is no such state."""
        case = self._case
        try:
            state = case.redeal(seen, seed)
            now = [[without_news(state.view(seat)) for seat in case.seats], state.standing().detail]
            line = encode(now)
            case.play_on(state, seed=seed)
            return line + encode(state.outcome())
        except Exception:  # views changed by hand may break it: then it looked at what was changed
            return None
