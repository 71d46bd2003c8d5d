"""An analysis in words and as lines of blocks: what was given away where, and what the deal did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tournament.records.analysis import Analysis, Decision, Split
from tournament.viewer.judgement import describe_decision

BLOCKS: Final = "▁▂▃▄▅▆▇█"
SWINGS: Final = "·▁▂▃▄▅▆▇█"


def format_analysis(analysis: Analysis) -> str:
    """Returns an analysis for people: the costliest moves, every decision, then where each margin came from."""
    parts = [
        f"{analysis.record}: judged in {analysis.worlds} worlds a decision, {analysis.guide.bot} playing on. "
        "A margin is a score minus the mean of the others'.",
        *(_format_seat(analysis, split) for split in analysis.splits),
        "The costliest moves" if analysis.costliest else "No move was worse than another in these worlds.",
    ]
    by_step = {decision.step: decision for decision in analysis.decisions}
    for step in analysis.costliest:
        parts[-1] += f"\n{describe(by_step[step], analysis.names)}"
    return "\n\n".join(parts)


def describe(decision: Decision, names: Sequence[str]) -> str:
    """Returns a costly decision in words."""
    where = f"Step {decision.step}" + ("" if decision.round is None else f", round {decision.round}")
    return f"{where}. {describe_decision(decision, names)}"


def _format_seat(analysis: Analysis, split: Split) -> str:
    decisions = [decision for decision in analysis.decisions if decision.seat == split.seat]
    lines = [
        f"Seat {split.seat} ({split.bot}): margin {split.margin:+.1f}",
        f"  deal           {split.deal}   what the guide in every seat could expect of these cards",
        f"  own play       {split.own_play}   against what the guide would have done",
        f"  others' play   {split.others_play}",
    ]
    if decisions:
        expected = [decision.played.expected.points for decision in decisions]
        swings = [decision.swing.points for decision in decisions]
        lines += [
            f"  expected       {_line(expected, BLOCKS)}   {min(expected):+.1f} to {max(expected):+.1f} on the way",
            f"  given away     {_line([0.0, *swings], SWINGS)[1:]}   {sum(swings):.1f} in {len(swings)} decisions",
        ]
    return "\n".join(lines)


def _line(values: Sequence[float], blocks: str) -> str:
    """Returns a graph of one line: a block a value."""
    low, span = min(values), max(values) - min(values)
    top = len(blocks) - 1
    return "".join(blocks[round((value - low) / span * top) if span else 0] for value in values)


def format_decisions(analysis: Analysis) -> str:
    """Returns every decision with its sensible actions, best first."""
    lines = []
    for decision in analysis.decisions:
        where = f"Step {decision.step}" + ("" if decision.round is None else f", round {decision.round}")
        lines.append(f"{where}, seat {decision.seat}: {decision.legal} legal actions, swing {decision.swing}")
        for choice in decision.choices:
            signs = ("*" if choice == decision.played else " ") + ("g" if choice == decision.guide else " ")
            lines.append(f"  {signs} {choice.expected!s:>14}  {choice.words}")
    return "\n".join(lines)
