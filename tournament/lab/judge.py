"""`tournament analyse`: what every decision of a record was worth, judged by playing on, and shown in words.

A decision is worth, to each seat, how much more its action could be expected to bring than the guide's: the mean over
worlds that fit what the deciding seat knew, with the guide playing on in every seat. A seat's own play is the sum over
its decisions, the others' play the sum over theirs. What remains of the margin is the deal: an estimate of what the
guide in every seat would have had. An action is judged by what could be known, so luck with hidden cards counts as
deal. The idea is that of DIVAT (Zinkevich and others, 2006), with the guide as the baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct

from tournament.errors import UsageError
from tournament.lab.guide import Guide, Margins, Rollouts, Seating, figure_of, margins_of, total_of
from tournament.languages import Language, format_decimal, gettext, ngettext, pgettext, speaking
from tournament.players.bot import Bot
from tournament.records.analysis import FORMAT, VERSION, Analysis, Choice, Decision, MeanPoints, Split, costliest
from tournament.records.codec import AnyRecord, codec_for, digest_of
from tournament.replaying.positions import Replay
from tournament.text import option
from tournament.viewer.actions import label
from tournament.viewer.frames import name_seats
from tournament.viewer.judgement import describe_decision, format_figure

SCREEN_SHARE: Final = 0.1
"""The share of the worlds in which every legal action is tried first; at least `SCREEN_WORLDS`."""

SCREEN_WORLDS: Final = 4
RACES: Final = 4
"""How often actions that are clearly worse than another drop out on the way."""

SENSIBLE: Final = 5
"""How many of the best are tried further, beside what was played and what the guide would do."""


class Question(Struct, frozen=True, kw_only=True):
    """A decision to be judged."""

    name: str
    """From this the chance in its worlds is drawn."""

    step: int
    seat: int
    seen: Sequence[Any]
    """The views of the seat at its decisions so far, oldest first; the last is the one of this decision."""

    played: Any
    guide: Any


def judge(question: Question, rollouts: Rollouts, *, worlds: int) -> Decision:
    """Returns the decision with all its sensible actions, judged.

    Every legal action is tried in a few worlds, and the best in more and more, until they are
    clearly worse than another. What was played, and what the guide would do, is tried in all. Cost, in
    games played on: a tenth of the worlds for each legal action, and two to six times the worlds.
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
    """Returns the decision with only what was played and what the guide would do.

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
    with speaking(Language.ENGLISH):  # an analysis is kept
        by_action = {
            action: Choice(action=action, words=label(action, view), expected=figure_of(values), worlds=len(values))
            for action, values in own.items()
        }
    # Among equals the one played comes first, so that no move is blamed when another brings no more.
    ranked = sorted(by_action.values(), key=lambda choice: (-choice.expected.points, choice.action != question.played))
    # What dropped out was beaten, even if its few worlds put it on top by chance.
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


def _difference(first: Sequence[float], second: Sequence[float]) -> MeanPoints:
    """Returns how much more the first brings than the second, compared world by world."""
    return figure_of([here - there for here, there in zip(first, second, strict=True)])


Progress = Callable[[int, int], object]
"""Takes how many decisions are judged so far, and how many there are."""


def questions_of(record: AnyRecord, guide: Guide) -> list[Question]:
    """Returns every decision of a record with more than one legal action, in order.

    Raises `RecordError` for a record that does not follow its rules.
    """
    walk = Replay.from_record(record)
    codec = codec_for(record.game.name)
    name = record.digest or digest_of(record)
    seen: list[list[Any]] = [[] for _ in record.seats]
    guides: list[Bot] = [guide.seat(seat, seed=name) for seat in range(len(record.seats))]
    questions = []
    for step, state in enumerate(walk.states()):
        seat = state.to_move
        if seat is None or step == len(record.moves):
            break
        view = state.view(seat)
        seen[seat].append(view)
        wanted = guide.ask(guides[seat], view)
        if len(view.legal_actions()) > 1:
            played = codec.to_action(record.moves[step])
            questions.append(
                Question(name=name, step=step, seat=seat, seen=tuple(seen[seat]), played=played, guide=wanted)
            )
    return questions


def analyse(
    record: AnyRecord,
    *,
    seats: Sequence[int] = (),
    worlds: int = 200,
    with_spec: str | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Returns a game with the decisions of its `seats` judged, by default those of all.

    Each is tried on so many `worlds`, deals of the hidden cards, in which the bot that `with_spec` names plays on: by
    default the example bot of the game. Decisions of other seats, and those of the stand-in of a bot with a fault, are
    judged only for what they changed. `progress` is given how many decisions are judged, and how many there are.
    Raises `UsageError` for a seat the game does not have or too few worlds, `RecordError` for a record that cannot be
    replayed, `BotError` for a bot that fails.
    """
    players = len(record.seats)
    asked = tuple(seats) or tuple(range(players))
    for seat in asked:
        if not 0 <= seat < players:
            raise UsageError(f"{option('--seat')} {seat}: {record.id} has the seats 0 to {players - 1}.")
    if worlds < 2:
        raise UsageError(f"{option('--worlds')} {worlds}: an interval needs 2 worlds or more.")
    walk = Replay.from_record(record)
    guide = Guide(Seating(game=walk.game.name, players=players, options=record.game.options), with_spec)
    rollouts = Rollouts(walk.game, guide, players=players)
    questions = questions_of(record, guide)
    own = {step for step, move in enumerate(record.moves) if move.by is None and move.seat in asked}
    judged: list[Decision] = []
    for done, question in enumerate(questions):
        if progress is not None:
            progress(done, len(questions))
        judging = judge if question.step in own else judge_effect
        judged.append(judging(question, rollouts, worlds=worlds))
    decisions = tuple(decision for decision in judged if decision.step in own)
    return Analysis(
        format=FORMAT,
        version=VERSION,
        record=record.id,
        digest=record.digest or digest_of(record),
        guide=guide.info,
        worlds=worlds,
        names=tuple(seat.bot for seat in record.seats),
        decisions=decisions,
        costliest=tuple(decision.step for decision in costliest(decisions)),
        splits=tuple(split_of(record, judged, seat) for seat in asked),
    )


def split_of(record: AnyRecord, judged: Sequence[Decision], seat: int) -> Split:
    """Returns where the margin of a seat came from; `judged` are all decisions of the game, with their effects."""
    margin = margins_of(record.result.scores)[seat]
    played = {step for step, move in enumerate(record.moves) if move.by is None and move.seat == seat}
    own = total_of([one.effect[seat] for one in judged if one.step in played])
    others = total_of([one.effect[seat] for one in judged if one.step not in played])
    play = total_of([own, others])
    return Split(
        seat=seat,
        bot=record.seats[seat].bot,
        margin=margin,
        deal=MeanPoints(margin - play.points, play.half_width),
        own_play=own,
        others_play=others,
    )


BLOCKS: Final = "▁▂▃▄▅▆▇█"
SWINGS: Final = "·▁▂▃▄▅▆▇█"


def format_analysis(analysis: Analysis) -> str:
    """Returns an analysis for people: the costliest moves, every decision, then where each margin came from."""
    parts = [
        ngettext(
            "{id}: judged in {count} world a decision, {bot} playing on. "
            "A margin is a score minus the mean of the others'.",
            "{id}: judged in {count} worlds a decision, {bot} playing on. "
            "A margin is a score minus the mean of the others'.",
            analysis.worlds,
            id=analysis.record,
            bot=analysis.guide.bot,
        ),
        *(_format_seat(analysis, split) for split in analysis.splits),
        gettext("The costliest moves")
        if analysis.costliest
        else gettext("No move was worse than another in these worlds."),
    ]
    by_step = {decision.step: decision for decision in analysis.decisions}
    for step in analysis.costliest:
        parts[-1] += f"\n{describe(by_step[step], analysis.names)}"
    return "\n\n".join(parts)


def describe(decision: Decision, names: Sequence[str]) -> str:
    """Returns a decision in words."""
    return f"{_where(decision)}. {describe_decision(decision, name_seats(names))}"


def _where(decision: Decision) -> str:
    if decision.round is None:
        return gettext("Step {step}", step=decision.step)
    return gettext("Step {step}, round {round}", step=decision.step, round=decision.round)


def _format_seat(analysis: Analysis, split: Split) -> str:
    decisions = [decision for decision in analysis.decisions if decision.seat == split.seat]
    margin = format_decimal(split.margin, 1, signed=True)
    first = gettext("Seat {seat} ({name}): margin {margin}", seat=split.seat, name=split.bot, margin=margin)
    rows = [
        (
            pgettext("part of a margin", "deal"),
            format_figure(split.deal),
            gettext("what the guide in every seat could expect of these cards"),
        ),
        (
            pgettext("part of a margin", "own play"),
            format_figure(split.own_play),
            gettext("against what the guide would have done"),
        ),
        (pgettext("part of a margin", "others' play"), format_figure(split.others_play), ""),
    ]
    if decisions:
        expected = [decision.played.expected.points for decision in decisions]
        swings = [decision.swing.points for decision in decisions]
        low, high = (format_decimal(value, 1, signed=True) for value in (min(expected), max(expected)))
        rows += [
            (
                pgettext("margins by decision", "expected"),
                _line(expected, BLOCKS),
                gettext("{low} to {high} on the way", low=low, high=high),
            ),
            (
                pgettext("margins by decision", "given away"),
                _line([0.0, *swings], SWINGS)[1:],
                ngettext(
                    "{points} in {count} decision",
                    "{points} in {count} decisions",
                    len(swings),
                    points=format_decimal(sum(swings), 1),
                ),
            ),
        ]
    width = max(len(name) for name, *_ in rows)
    lines = [f"  {name:{width}}   {figure}   {meaning}".rstrip() for name, figure, meaning in rows]
    return "\n".join([first, *lines])


def _line(values: Sequence[float], blocks: str) -> str:
    low, span = min(values), max(values) - min(values)
    top = len(blocks) - 1
    return "".join(blocks[round((value - low) / span * top) if span else 0] for value in values)


def format_decisions(analysis: Analysis) -> str:
    """Returns every decision in words, with its sensible actions, best first."""
    lines = []
    for decision in analysis.decisions:
        legal = ngettext(
            "{where}, seat {seat}: {count} legal action, swing {swing}",
            "{where}, seat {seat}: {count} legal actions, swing {swing}",
            decision.legal,
            where=_where(decision),
            seat=decision.seat,
            swing=format_figure(decision.swing),
        )
        lines.append(legal)
        for choice in decision.choices:
            signs = ("*" if choice == decision.played else " ") + ("g" if choice == decision.guide else " ")
            lines.append(f"  {signs} {format_figure(choice.expected):>14}  {choice.words}")
    return "\n".join(lines)
