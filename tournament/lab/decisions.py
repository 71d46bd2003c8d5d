"""One decision of a record: what every sensible action could be expected to bring."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct

from tournament.lab.labels import label
from tournament.lab.rollouts import Margins, Rollouts, figure_of
from tournament.records.analysis import Choice, Decision, MeanPoints

SCREEN_SHARE: Final = 0.1
"""Every legal action is tried in this share of the worlds first, and in at least `SCREEN_WORLDS`."""

SCREEN_WORLDS: Final = 4
RACES: Final = 4
"""So often on the way what is clearly worse than another drops out."""

SENSIBLE: Final = 5
"""So many of the best then go on, beside what was played and what the guide would do."""


class Question(Struct, frozen=True, kw_only=True):
    """A decision to be judged."""

    name: str
    """Names the worlds."""

    step: int
    seat: int
    seen: Sequence[Any]
    """The views of the seat at its decisions so far, oldest first; the last is the one of this decision."""

    played: Any
    guide: Any


def judge(question: Question, rollouts: Rollouts, *, worlds: int) -> Decision:
    """Returns the decision with all its sensible actions.

    Every legal action is tried in a few worlds, the best in more and more of them, until they are
    clearly worse than another. What was played and what the guide would do are tried in all. Cost, in
    games played on: legal actions times a tenth of the worlds, and two to six times the worlds.
    """
    view = question.seen[-1]
    legal: Sequence[Any] = view.legal_actions()
    musts = {question.played, question.guide}
    screen = min(worlds, max(SCREEN_WORLDS, round(SCREEN_SHARE * worlds)))
    results = _try(question, rollouts, legal, range(screen))
    means = {action: figure_of(_own(results[action], question.seat)).points for action in legal}
    ranked = sorted(legal, key=lambda action: -means[action])
    kept = [action for index, action in enumerate(ranked) if index < SENSIBLE or action in musts]
    racing = kept
    for begin, end in pairwise([*range(screen, worlds, max(1, (worlds - screen) // RACES)), worlds]):
        for action, more in _try(question, rollouts, racing, range(begin, end)).items():
            results[action] += more
        racing = [
            action for action in racing if action in musts or not _is_beaten(action, racing, results, question.seat)
        ]
    return _decision(question, {action: results[action] for action in kept}, legal=len(legal), worlds=worlds)


def _is_beaten(action: Any, racing: Sequence[Any], results: dict[Any, list[Margins]], seat: int) -> bool:
    """Returns whether an action is clearly worse than another in the same worlds."""
    own = _own(results[action], seat)
    return any(
        (lost := _difference(_own(results[other], seat), own)).points > 0 and lost.is_clear
        for other in racing
        if len(results[other]) == len(own) and other != action
    )


def judge_effect(question: Question, rollouts: Rollouts, *, worlds: int) -> Decision:
    """Returns the decision with what was played and what the guide would do, and no other action.

    Cost: twice the worlds in games played on; nothing when the two are the same.
    """
    legal = len(question.seen[-1].legal_actions())
    actions = list(dict.fromkeys([question.played, question.guide]))
    count = worlds if len(actions) > 1 else 0
    results = _try(question, rollouts, actions, range(count))
    return _decision(question, results, legal=legal, worlds=count, with_choices=False)


def _try(question: Question, rollouts: Rollouts, actions: Sequence[Any], worlds: range) -> dict[Any, list[Margins]]:
    results: dict[Any, list[Margins]] = {action: [] for action in actions}
    for world in worlds:
        tried = rollouts.try_actions(question.seen, actions, f"{question.name}|{question.step}|{world}")
        for action, margins in zip(actions, tried, strict=True):
            results[action].append(margins)
    return results


def _own(results: Sequence[Margins], seat: int) -> list[float]:
    return [margins[seat] for margins in results]


def _decision(
    question: Question, results: dict[Any, list[Margins]], *, legal: int, worlds: int, with_choices: bool = True
) -> Decision:
    view, seat = question.seen[-1], question.seat
    own = {action: _own(margins, seat) for action, margins in results.items()}
    by_action = {
        action: Choice(
            action=action,
            words=label(action, view),
            expected=figure_of(values) if values else _NOTHING,
            worlds=len(values),
        )
        for action, values in own.items()
    }
    # Among equals the one played, so that a move is never blamed for what brings no more.
    ranked = sorted(by_action.values(), key=lambda choice: (-choice.expected.points, choice.action != question.played))
    # What dropped out is beaten, and so are its few worlds by chance at the top.
    best = next(choice for choice in ranked if len(own[choice.action]) == len(own[question.played]))
    return Decision(
        step=question.step,
        seat=seat,
        round=getattr(view, "round", None),
        played=by_action[question.played],
        guide=by_action[question.guide],
        best=best,
        choices=tuple(ranked) if with_choices else (),
        legal=legal,
        worlds=worlds,
        swing=_difference(own[best.action], own[question.played]),
        effect=tuple(
            _difference(_own(results[question.played], one), _own(results[question.guide], one))
            for one in range(view.players)
        ),
    )


_NOTHING: Final = MeanPoints(0.0, 0.0)


def _difference(first: Sequence[float], second: Sequence[float]) -> MeanPoints:
    """Returns how much more the first brings, world by world."""
    return figure_of([here - there for here, there in zip(first, second, strict=True)]) if first else _NOTHING
