"""One random game of a check: played twice, then again from its record and asked questions on the way.

The news of events must be complete, and tell a seat nothing it may not know. An event is compared with what could
have been in its place: the same action in another state that its seat cannot tell apart, and the action listed beside
it. Where a seat is told of a difference, its view or the redealt states must show one at its next decision. Cards are
hidden from a seat if, and only if, `redeal` draws them: so news of which it makes nothing told too much.
"""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from tournament.errors import IllegalAction
from tournament.games.contract import Ending, GameError, places_from_scores
from tournament.testing.case import LONGEST_GAME, Case, Chance, encode, private_part, who, without_news
from tournament.testing.parts import check_parts

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
        if hasattr(state, "bare_view"):
            self._case.same(f"bare_view({mover})", view, state.bare_view(mover))
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


SAMPLES = 8
"""How many states of each game, besides the first and the last, are asked the costly questions."""

UNLIKE = (
    "a state dealt again from all that seat {} saw looks different to it: "
    "its view shows what it cannot know, or redeal does not fit"
)


def check_one_game(case: Case) -> None:
    """Raises `AssertionError` with the first finding in the game of a case."""
    with case.answering():
        with case.global_random_in_other_hands(1):
            deal, actions, lines = _play(case)
        with case.global_random_in_other_hands(2):
            again = _play(case)[2]
            for case.step, (line, other) in enumerate(zip(lines, again, strict=False)):
                case.same("the same seed gave another game the second time", line, other)
            _follow(case, deal, actions)
        check_parts(case, deal, actions)


def check_players_refused(case: Case) -> None:
    """Raises `AssertionError` unless the game refuses a number of players it does not have."""
    asked: tuple[Callable[[], Any], ...] = (
        lambda: case.game.deal(case.players, Chance(0)),
        lambda: case.game.actions(case.players),
    )
    for ask in asked:
        with case.answering():
            try:
                ask()
            except GameError:
                continue
            case.fail("a number of players that the game does not have", expected="GameError", found="an answer")


def _play(case: Case) -> tuple[Any, list[Any], list[bytes]]:
    """Returns the deal, the actions, and all that was seen, one line for each step."""
    case.step = 0
    deal = case.game.deal(case.players, Chance(case.seed))
    case.game.check_deal(deal)
    state = case.game.start(deal)
    choose = random.Random(f"{case.seed} {case.players} play").random
    actions: list[Any] = []
    lines = [encode([deal, [state.view(seat) for seat in case.seats]])]
    while state.to_move is not None:
        case.step += 1
        limit = f"an end before step {LONGEST_GAME}"
        case.need("a random game goes on for ever", case.step < LONGEST_GAME, expected=limit, found="none")
        legal = case.legal_actions(state)
        actions.append(legal[int(choose() * len(legal))])
        ask_legal(case, state, actions[-1])
        seen = [state.to_move, state.view(state.to_move), actions[-1]]
        event = state.apply(actions[-1])
        lines.append(encode([*seen, [state.news(event, seat) for seat in case.seats]]))
    lines.append(encode(state.outcome()))
    return deal, actions, lines


def _follow(case: Case, deal: Any, actions: Sequence[Any]) -> None:
    game = case.game
    case.step = 0
    state = game.start(
        case.written("the deal", deal, game.Deal), case.written("the options", game.Options(), game.Options)
    )
    case.same("a game started without options", state.view(0), game.start(deal).view(0))
    news = NewsCheck(case)
    cards = case.cards(state)
    asked = {0, len(actions) - 1, *case.chance.sample(range(len(actions)), min(SAMPLES, len(actions)))}
    for case.step, action in enumerate(actions):
        mover = state.to_move
        news.watch_decision(state, mover)
        twin = None
        if case.step in asked:
            before = case.snapshot(state)
            ask_choices(case, state)
            case.same("a refused action changed the state", before, case.snapshot(state))
            ask_views(case, state)
            ask_copies(case, state)
            ask_redeal(case, state, news.seen[mover])
            news.compare(state, mover, action)
            case.same("being asked changed the state", before, case.snapshot(state))
            twin = state.copy()
        event = state.apply(case.written("an action", action, game.Action))
        ask_event(case, state, event, mover=mover, action=action)
        news.tell(state, event)
        if twin is not None:
            case.same("an action on a state changed its copy", before, case.snapshot(twin))
        case.same_cards("an action lost or doubled a card", cards, state)
    case.step = len(actions)
    ask_choices(case, state)
    ask_views(case, state)
    ask_outcome(case, state)


def ask_choices(case: Case, state: Any) -> None:
    """Fails unless `legal_actions` and `check` agree on every action there can be."""
    listed, whole = list(state.legal_actions()), case.game.actions(case.players)
    listed_set, whole_set = set(listed), set(whole)
    doubles = [action for action, count in Counter(listed).items() if count > 1]
    case.need("legal_actions lists an action twice", not doubles, expected="each action once", found=doubles)
    strange = [action for action in listed if action not in whole_set]
    case.need("legal_actions lists what `actions` does not have", not strange, expected="none of these", found=strange)
    for action in listed:
        ask_legal(case, state, action)
    for action in whole:
        if action not in listed_set and _refusal(case, state, action) is None:
            case.fail("legal_actions misses an action that check lets pass", expected=action, found=listed)


def ask_legal(case: Case, state: Any, action: Any) -> None:
    """Fails unless `check` accepts a listed action."""
    why = _refusal(case, state, action)
    case.need(
        "legal_actions lists an action that check refuses", why is None, expected=f"no {action}", found=f'"{why}"'
    )


def _refusal(case: Case, state: Any, action: Any) -> str | None:
    """Returns the sentence with which an action is refused; None when it is accepted."""
    try:
        state.check(action)
    except IllegalAction as error:
        case.need(f"check refuses {action}", bool(str(error)), expected="a sentence that says why", found="no word")
        return str(error)
    return None


def ask_views(case: Case, state: Any) -> None:
    """Fails unless views name their seat, list its legal actions, and survive writing and pickling."""
    for seat in case.seats:
        view = state.view(seat)
        expected = [case.game.name, case.players, seat, state.to_move]
        found = [view.game, view.players, view.seat, view.to_move]
        case.same(f"game, players, seat, to_move in the view of {who(seat)}", expected, found)
        legal = state.legal_actions() if seat is not None and seat == state.to_move else ()
        case.same(f"the choices in the view of {who(seat)}", list(legal), list(view.legal_actions()))
        case.same(f"the view of {who(seat)} after pickling", view, pickle.loads(pickle.dumps(view)))
        if seat is not None:
            case.written(f"the view of {who(seat)}", view, case.game.View)


def ask_copies(case: Case, state: Any) -> None:
    """Fails unless copies and pickles are equal, and playing on with one does not change the other."""
    before = case.snapshot(state)
    for kind, twin in (("copy", state.copy()), ("pickle", pickle.loads(pickle.dumps(state)))):
        case.same(f"a {kind} differs from its state", before, case.snapshot(twin))
        case.play_on(twin, steps=20)
        case.same(f"playing on with a {kind} changed the state", before, case.snapshot(state))


def ask_redeal(case: Case, state: Any, seen: Sequence[Any]) -> None:
    """Fails unless a redealt state shows the seat what it saw, has the same cards, and can be played to the end."""
    mover = state.to_move
    for _ in range(2):
        seed = case.chance.random()
        twin = case.redeal(seen, seed)
        case.same(UNLIKE.format(mover), state.view(mover), twin.view(mover))
        case.same(UNLIKE.format(mover), without_news(state.view(None)), without_news(twin.view(None)))
        case.same("the choices in a state dealt again", list(state.legal_actions()), list(twin.legal_actions()))
        again = case.redeal(seen, seed)
        case.same("redeal with the same chance gave another state", case.snapshot(twin), case.snapshot(again))
        case.same_cards("a state dealt again has other cards", case.cards(state), twin)
        case.play_on(twin, seed=seed)
        ask_outcome(case, twin)


def ask_event(case: Case, state: Any, event: Any, *, mover: int, action: Any) -> None:
    """Fails unless an event names seat and action, and news and words of it exist for every seat."""
    case.same("seat and action of an event", [mover, action], [event.seat, event.action])
    case.same("the news in the public view, after an event", state.news(event, None), state.view(None).news)
    for seat in case.seats:
        news = state.news(event, seat)
        case.need(f"news to {who(seat)}", isinstance(news, tuple), expected="a tuple", found=type(news).__name__)
        for item in news:
            case.written(f"news to {who(seat)}", item, case.game.News)
        text = case.game.describe(event, seat)
        sentence = isinstance(text, str) and len(text) > 1 and text.endswith(".") and "\n" not in text
        case.need(f"describe to {who(seat)}", sentence, expected="one sentence with a full stop", found=repr(text))


def ask_outcome(case: Case, state: Any) -> None:
    """Fails unless an outcome has an ending, and places that follow from the scores."""
    outcome = state.outcome()
    if outcome is None:
        case.fail("nobody is to move", expected="an outcome", found=None)
    scores, ending = outcome.scores, outcome.ending
    ends = (Ending.COMPLETE, Ending.MOVE_LIMIT)
    case.need("the ending of a game played out", ending in ends, expected="complete or move-limit", found=ending)
    case.same("the number of scores", case.players, len(scores))
    shared = (1,) * case.players
    places = shared if ending is Ending.MOVE_LIMIT else places_from_scores(scores)
    case.same(f"the places for scores {list(scores)}", list(places), list(outcome.places))
    case.written("the detail of the outcome", outcome.detail, case.game.Detail)
    standing = state.standing()
    case.same("ending and places of a standing", [Ending.ABORTED, shared], [standing.ending, standing.places])
