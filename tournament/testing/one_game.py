"""One random game of a check: played twice, then again from its record, with questions on the way."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from tournament.games.contract import GameError
from tournament.testing import questions
from tournament.testing.case import LONGEST_GAME, Case, Chance, encode
from tournament.testing.news import NewsCheck

SAMPLES = 8
"""States of each game in which the costly questions are asked, besides the first and the last."""


def check_one_game(case: Case) -> None:
    """Raises `AssertionError` with the first thing that is wrong in the game of a case."""
    with case.answering():
        with case.global_random_in_other_hands(1):
            deal, actions, lines = _play(case)
        with case.global_random_in_other_hands(2):
            again = _play(case)[2]
            for case.step, (line, other) in enumerate(zip(lines, again, strict=False)):
                case.same("the same seed gave another game the second time", line, other)
            _follow(case, deal, actions)


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
    """Returns the deal, the actions, and everything that was seen, a line a step."""
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
        questions.ask_legal(case, state, actions[-1])
        seen = [state.to_move, state.view(state.to_move), actions[-1]]
        event = state.apply(actions[-1])
        lines.append(encode([*seen, [state.news(event, seat) for seat in case.seats]]))
    lines.append(encode(state.outcome()))
    return deal, actions, lines


def _follow(case: Case, deal: Any, actions: Sequence[Any]) -> None:
    """Plays the recorded game again and asks everything."""
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
            questions.ask_choices(case, state)
            case.same("a refused action changed the state", before, case.snapshot(state))
            questions.ask_views(case, state)
            questions.ask_copies(case, state)
            questions.ask_redeal(case, state, news.seen[mover])
            news.compare(state, mover, action)
            case.same("being asked changed the state", before, case.snapshot(state))
            twin = state.copy()
        event = state.apply(case.written("an action", action, game.Action))
        questions.ask_event(case, state, event, mover=mover, action=action)
        news.tell(state, event)
        if twin is not None:
            case.same("an action on a state changed its copy", before, case.snapshot(twin))
        case.same_cards("an action lost or doubled a card", cards, state)
    case.step = len(actions)
    questions.ask_choices(case, state)
    questions.ask_views(case, state)
    questions.ask_outcome(case, state)
