"""A whole game judged: every decision, and how much of each margin was deal and how much play.

The estimator. A decision is worth, to each seat, what its action could be expected to bring more
than the guide's: a mean over worlds that fit what the deciding seat knew, played on by the guide.
A seat's own play is the sum over its decisions, the others' play the sum over theirs, and the deal
is what remains of the margin: an estimate of what the guide in every seat would have had. Since an
action is judged by what could be known, luck with hidden cards falls to the deal. It is the idea of
DIVAT (Zinkevich and others, 2006), with the guide as the baseline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tournament.errors import UsageError
from tournament.lab.decisions import Question, judge, judge_effect
from tournament.lab.guides import Guide, Seating
from tournament.lab.rollouts import Rollouts, margins_of, total_of
from tournament.players.bot import Bot
from tournament.records.analysis import FORMAT, VERSION, Analysis, Decision, MeanPoints, Split, costliest
from tournament.records.codec import AnyRecord, codec_for, digest_of
from tournament.replay import replay

Progress = Callable[[int, int], object]
"""Takes how many decisions are judged, and how many there are."""


def questions_of(record: AnyRecord, guide: Guide) -> list[Question]:
    """Returns every decision of a record at which there was a choice, in order.

    Raises `RecordError` for a record that does not follow its rules.
    """
    walk = replay(record)
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
    """Returns a judged game; `seats` empty: of all seats. What others did is judged for its effect only.

    Others are other seats, and the stand-in that played on for a bot with a fault.

    Raises `UsageError` for a seat the game does not have or too few worlds, `RecordError` for a
    record that cannot be replayed, `BotError` for a guide that fails.
    """
    players = len(record.seats)
    asked = tuple(seats) or tuple(range(players))
    for seat in asked:
        if not 0 <= seat < players:
            raise UsageError(f"--seat {seat}: {record.id} has the seats 0 to {players - 1}.")
    if worlds < 2:
        raise UsageError(f"--worlds {worlds}: an interval needs 2 worlds or more.")
    walk = replay(record)
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
    """Returns what the margin of a seat came from; `judged` are all decisions of the game with their effects."""
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
