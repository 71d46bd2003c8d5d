"""How a run with `until` ended, decided again from its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from tournament.ranking.deciding import Decider
from tournament.records.results import ResultLine
from tournament.records.run import DecisionInfo, RunInfo, RunState
from tournament.schedule import Block
from tournament.version import __version__


def can_decide(info: RunInfo) -> bool:
    """Returns whether the results alone tell how a run with `until` ended.

    Not where blocks were left out or replaced on the way, and not of what another version played, whose
    statistics may have been others.
    """
    is_plain = not (info.void or info.withdrawn or info.replaced or info.continued)
    is_ours = info.versions.get("tournament") == __version__
    return info.until is not None and info.state is RunState.COMPLETE and is_plain and is_ours


def check_decision(
    info: RunInfo, blocks: Iterable[Block], results: Iterable[ResultLine], note: Callable[[str, object, object], None]
) -> None:
    """Notes where a complete run says that it ended otherwise than its results do. Ask `can_decide` first."""
    known = {block.id: block for block in blocks}
    decider = Decider(info)
    for name, games in groupby(results, key=lambda result: result.block):
        block = known.get(name)
        if block is None or block.segment:
            break
        decision = decider.note(block, list(games))
        if decision is not None:
            if decision != info.decision:
                note("The results decide otherwise.", _text(decision), _text(info.decision))
            return
    if info.decision is not None and info.decision.decided:
        note("The results decide nothing.", "a decision that is none", _text(info.decision))


def _text(decision: DecisionInfo | None) -> str:
    return "no decision" if decision is None else f"{decision.after}: {decision.text}"
