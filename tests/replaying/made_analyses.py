"""Analyses with figures that a test chooses: nothing is played on."""

from __future__ import annotations

from tournament.records.analysis import FORMAT, VERSION, Analysis, Choice, Decision, MeanPoints, Split, costliest
from tournament.records.record import SeatInfo

GUIDE = SeatInfo(bot="a_guide", version="1", fingerprint="1" * 64)


def made_analysis(record, *, costs, seats=None, words="play {step}") -> Analysis:
    """Returns an analysis of a record: every move of the seats (None: of all) a decision.

    `costs` has what moves cost by step, as points and half-width; all others cost nothing.
    """
    asked = tuple(range(record.game.players)) if seats is None else tuple(seats)
    decisions = tuple(
        _decision(step, move.seat, record, costs.get(step, (0.0, 0.0)), words)
        for step, move in enumerate(record.moves)
        if move.seat in asked
    )
    nothing = MeanPoints(0.0, 0.0)
    return Analysis(
        format=FORMAT,
        version=VERSION,
        record=record.id,
        digest=record.digest,
        guide=GUIDE,
        worlds=200,
        names=tuple(seat.bot for seat in record.seats),
        decisions=decisions,
        costliest=tuple(decision.step for decision in costliest(decisions)),
        splits=tuple(
            Split(
                seat=seat,
                bot=record.seats[seat].bot,
                margin=3.0 - seat,
                deal=nothing,
                own_play=nothing,
                others_play=nothing,
            )
            for seat in asked
        ),
    )


def _decision(step, seat, record, cost, words):
    points, half_width = cost
    value = (seat + 1) * 4.0 * (step / len(record.moves) - 0.5)
    played = _choice(words.format(step=step), value)
    best = _choice(f"better than {step}", value + points) if points else played
    return Decision(
        step=step,
        seat=seat,
        round=None,
        played=played,
        guide=best,
        best=best,
        choices=(),
        legal=2,
        worlds=200,
        swing=MeanPoints(points, half_width),
        effect=(MeanPoints(0.0, 0.0),) * record.game.players,
    )


def _choice(words, points):
    return Choice(action={"do": "keep"}, words=words, expected=MeanPoints(points, 1.0), worlds=200)
