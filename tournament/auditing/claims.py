"""What `run.json` claims about games that do or do not count: claims that the results can prove, and all others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import groupby

import msgspec

from tournament.auditing.findings import FindingCode, Findings, Note, first_difference
from tournament.auditing.records import parse_id
from tournament.auditing.schedule import Schedule
from tournament.ranking.stopping import Decider
from tournament.records.results import ResultLine
from tournament.records.run import DecisionInfo, Format, RunInfo, RunState, SegmentInfo
from tournament.schedule.extents import ExtentCounter
from tournament.schedule.formats import Block, balance_of
from tournament.schedule.withdrawals import Withdrawals, can_tell_blocks, walk_run
from tournament.version import __version__


def can_decide(info: RunInfo) -> bool:
    """Returns whether the results alone tell how a run with `until` ended.

    They do not where blocks were left out or replaced, nor where another version played, whose statistics may differ.
    """
    is_plain = not (info.void or info.withdrawn or info.replaced or info.continued)
    is_ours = info.versions.get("tournament") == __version__
    return info.until is not None and info.state is RunState.COMPLETE and is_plain and is_ours


def check_decision(info: RunInfo, schedule: Schedule, results: Iterable[ResultLine], note: Note) -> None:
    """Notes where a complete run did not end where its results say. Ask `can_decide` first."""
    decider = Decider(info)
    for name, games in groupby(results, key=lambda result: result.block):
        due = schedule.get(name)
        if due is None or due.block.segment:
            break
        decision = decider.note(due.block, list(games))
        if decision is not None:
            if decision != info.decision:
                note("The results decide otherwise.", _text(decision), _text(info.decision))
            return
    if info.decision is not None and info.decision.decided:
        note("The results decide nothing.", "a decision that is none", _text(info.decision))


def _text(decision: DecisionInfo | None) -> str:
    return "no decision" if decision is None else f"{decision.after}: {decision.text}"


Believe = Callable[[str], None]
"""Takes a claim, as a sentence, that stands in `run.json` and nowhere else."""


def check_claims(info: RunInfo, note: Note, believe: Believe) -> None:
    """Notes claims that contradict the rest of `run.json`, and claims that nothing can prove."""
    _check_names(info, note)
    _check_blocks(info, note)
    decision = info.decision
    is_decided = decision is not None and decision.decided
    if decision is not None and info.until is None:
        note("A decision is told of a run that was not to be decided.", "no decision", decision.text)
    if is_decided and info.segments[0].ended_after is None:
        note("Somebody decided the run, and yet nothing ended.", "the end of segment 0", "none")
    for segment in info.segments:
        if segment.ended_after is None:
            continue
        games = f"Only {segment.ended_after} of the {segment.blocks} blocks of segment {segment.number} count:"
        if segment.ended_after > segment.blocks:
            games = f"Segment {segment.number} ended after {segment.ended_after} blocks, some in place of others:"
        if segment.ended_after > (most := _most_blocks(info, segment)):
            note(f"Segment {segment.number} ended after its end.", f"at most {most}", segment.ended_after)
            continue
        if decision is not None and is_decided and segment.number == 0:
            if not can_decide(info):
                believe(f"{games} {decision.text.rstrip('.')}.")
        elif info.replaced and segment is not info.segments[-1]:
            changed = ", ".join(f"{old} (now {new})" for old, new in info.replaced.items())
            believe(f"{games} the bots of {changed} were changed.")
        else:
            message, found = f"Segment {segment.number} ended early, and nothing says why.", segment.ended_after
            note(message, "a decision or a replaced entrant", f"the end after {found} blocks")
    for void in info.void:
        believe(f"Block {void.block} was not played: {void.why.rstrip('.')}.")
    for one in info.disqualified:
        believe(f"{one.entrant} is disqualified, and no block with it counts: {one.reason.rstrip('.')}.")


def _most_blocks(info: RunInfo, segment: SegmentInfo) -> int:
    """Returns how many blocks a segment can have, those in place of others included."""
    alone = msgspec.structs.replace(info, segments=(msgspec.structs.replace(segment, ended_after=None),))
    if info.withdraw is None or not info.withdrawn or not can_tell_blocks(alone):
        return segment.blocks
    return sum(1 for _ in walk_run(alone))


def _check_names(info: RunInfo, note: Note) -> None:
    names = [entrant.name for entrant in info.entrants]
    claims = [("is disqualified", one.entrant) for one in info.disqualified]
    claims += [("is withdrawn", one.entrant) for one in info.withdrawn]
    claims += [("is replaced", name) for pair in info.replaced.items() for name in pair]
    for claim, name in claims:
        if name not in names:
            note(f"Somebody {claim} who takes no part.", ", ".join(names), name)


def _check_blocks(info: RunInfo, note: Note) -> None:
    """Notes blocks that are named but do not exist."""
    claims = [("is void", one.block) for one in info.void]
    claims += [("is the last of somebody withdrawn", one.after) for one in info.withdrawn]
    if info.decision is not None and info.decision.decided:
        claims.append(("decided the run", info.decision.after))
    if not claims:
        return
    named = [block for _, block in claims]
    known = {block for block in named if _is_of_run(info, block)}
    if known and can_tell_blocks(info):
        known &= _scheduled(info, known)
    for claim, block in claims:
        if block not in known:
            note(f"A block {claim} that the run has not.", "a block of the schedule", block)
    if info.decision is not None and info.decision.decided and info.segments[0].ended_after and can_tell_blocks(info):
        first = msgspec.structs.replace(info, segments=info.segments[:1])
        last = [block.id for block, _ in deque(walk_run(first), maxlen=1)]
        if last != [info.decision.after]:
            message = "Segment 0 does not end with the block that decided the run."
            note(message, info.decision.after, "".join(last) or "none")
    void = [one.block for one in info.void]
    for block in dict.fromkeys(void):
        if void.count(block) > 1:
            note("A block is void twice.", "each block once", block)


def _is_of_run(info: RunInfo, block: str) -> bool:
    parts = parse_id(f"{block}.0")
    return parts is not None and any(
        segment.number == parts.segment
        and any(
            field.group == parts.group
            and (
                parts.block < field.blocks
                or segment.format is Format.KNOCKOUT
                or (info.withdraw is not None and info.withdrawn)  # it may stand in place of another
            )
            for field in segment.fields
        )
        for segment in info.segments
    )


def _scheduled(info: RunInfo, wanted: set[str]) -> set[str]:
    """Returns those of some blocks that were scheduled, played or not."""
    segments = tuple(msgspec.structs.replace(segment, ended_after=None) for segment in info.segments)
    whole = msgspec.structs.replace(info, segments=segments)
    found: set[str] = set()
    for block, _ in walk_run(whole):
        if block.id in wanted:
            found.add(block.id)
            if len(found) == len(wanted):
                break
    return found


def check_balance(info: RunInfo, blocks: Iterable[Block], note: Note) -> None:
    """Notes where the balance of a complete run does not follow from its blocks."""
    fields = [field for segment in info.segments for field in segment.fields]
    if info.balance and (difference := first_difference(balance_of(blocks, fields), info.balance)):
        note(f"The balance is not that of the schedule, in {difference.path}.", difference.expected, difference.found)


def check_extents(info: RunInfo, blocks: Iterable[Block], note: Note) -> None:
    """Notes where the blocks of a complete run do not give what it says was planned, played or left out."""
    counter = ExtentCounter(info.segments)
    for block in blocks:
        counter.add(block)
    for segment in info.segments:
        if segment.extent is None:
            continue
        if difference := first_difference(counter.extent(info, segment), segment.extent):
            path, expected, found = difference
            note(f"Segment {segment.number} was not played so far as it says, in {path}.", expected, found)


def check_against_results(info: RunInfo, results: Iterable[ResultLine], findings: Findings) -> None:
    """Notes withdrawals that the faults in the results do not give, and void blocks that have results."""
    withdrawals = Withdrawals(info.segments, info.withdraw)
    void = {one.block for one in info.void}
    for block, games in groupby(results, key=lambda result: result.block):
        if block in void:
            findings.add(FindingCode.RUN_FILE, "A void block has results.", "no results", block)
        withdrawals.note(block, list(games))
    wanted = tuple(withdrawals.made)
    if info.state is not RunState.COMPLETE:
        # A run that was killed after a block and before its note gets the withdrawal when it is resumed.
        wanted = wanted[: len(info.withdrawn)]
    if difference := first_difference(wanted, info.withdrawn):
        message = f"The withdrawals are not what the results give, in {difference.path}."
        findings.add(FindingCode.RUN_FILE, message, difference.expected, difference.found)
