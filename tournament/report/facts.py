"""A run as its report sees it: standings, results, faults, times, and how to play it again.

Nothing in here is about the machine but times: no path, no log, no traceback, no master before its segment is complete.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Final

import msgspec

from tournament.errors import RecordError, RunError
from tournament.ranking.sources import read_sources
from tournament.records.analysis import Analysis, check_judges, find_analyses
from tournament.records.fitting import read_results
from tournament.records.folder import read_run
from tournament.records.layout import Reference
from tournament.records.model import FaultKind
from tournament.records.read import find_record
from tournament.records.results import ResultLine, has_record
from tournament.records.run import RunInfo
from tournament.records.standings import StandingsFile
from tournament.report.times import TimeFact, read_times

DETAILED_FAULTS: Final = 200
"""So many faults are told in full, the first of every kind before the second of any."""


class FaultFact(msgspec.Struct, frozen=True, kw_only=True):
    """One fault; step, detail and answer where the record of its game is kept."""

    id: str
    seat: int
    entrant: str
    kind: FaultKind
    at: int | None = None
    detail: str | None = None
    answer: str | None = None


class RunFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is shown of a run."""

    folder: Path
    info: RunInfo
    standings: StandingsFile
    finals: dict[int, StandingsFile]
    """Of each final that has games, by the number of its segment."""

    notes: tuple[str, ...]
    results: tuple[ResultLine, ...]
    faults: tuple[FaultFact, ...]
    fault_counts: dict[str, int]
    """Of all faults by kind, the most frequent first."""

    times: tuple[TimeFact, ...]
    digest: str
    """SHA-256 over the digests of all games, one a line."""

    analyses: dict[str, Analysis] = {}
    """By the id of the game, those that were given."""


def read_facts(folder: Path, analyses: Sequence[Path] = ()) -> RunFacts:
    """Returns what is shown of a run, also of one that is being played; `analyses` are files, or folders of files.

    Raises `RunError` for a folder that is no run, `RecordError` for a file that cannot be read, or an
    analysis of no game of this run. Memory: the results.
    """
    info = read_run(folder)
    sources = read_sources([folder])
    results = tuple(read_results(folder))
    counts: defaultdict[str, int] = defaultdict(int)
    for result in results:
        for _, kind in result.faults:
            counts[kind] += 1
    return RunFacts(
        folder=folder,
        info=info,
        standings=sources.standings(),
        finals={number: read_sources([folder], segment=number).standings() for number in _finals(info, results)},
        notes=sources.notes,
        results=results,
        faults=tuple(_faults(folder, results, keep=info.keep)),
        fault_counts=dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
        times=tuple(read_times([(folder, results)])),
        digest=sha256("".join(f"{result.digest}\n" for result in results).encode()).hexdigest(),
        analyses=dict(_analyses(folder, results, analyses)),
    )


def _finals(info: RunInfo, results: Sequence[ResultLine]) -> Iterator[int]:
    """Yields the segments that are finals and have games."""
    played = {result.segment for result in results}
    for segment in info.segments:
        if segment.final and segment.number in played:
            yield segment.number


def _analyses(folder: Path, results: Sequence[ResultLine], paths: Sequence[Path]) -> Iterator[tuple[str, Analysis]]:
    """Yields the analyses in files with the ids of their games."""
    known = {result.id for result in results}
    found: dict[str, Path] = {}
    for path, analysis in find_analyses(paths).items():
        if analysis.record not in known:
            raise RecordError(f"{path} judges {analysis.record}, and {folder} has no such game. Leave it out.")
        check_judges(analysis, find_record(Reference(folder, analysis.record)), path)
        other = found.setdefault(analysis.record, path)
        if other != path:
            raise RecordError(f"{other} and {path} both judge {analysis.record}. Give one of them.")
        yield analysis.record, analysis


def named_spec(spec: str) -> str:
    """Returns how a bot is named without saying where it lies on a machine."""
    return PurePath(spec).name if PurePath(spec).is_absolute() or spec.startswith("~") else spec


def _faults(folder: Path, results: Sequence[ResultLine], *, keep: str) -> Iterator[FaultFact]:
    """Yields faults by kind, at most `DETAILED_FAULTS`; the same number of each kind as far as there are."""
    by_kind: defaultdict[FaultKind, list[tuple[ResultLine, int]]] = defaultdict(list)
    for result in results:
        for number, (_, kind) in enumerate(result.faults):
            by_kind[kind].append((result, number))
    each = DETAILED_FAULTS // max(1, len(by_kind))
    for kind in sorted(by_kind, key=lambda kind: (-len(by_kind[kind]), kind)):
        for result, number in by_kind[kind][:each]:
            yield _fault(folder, result, number, keep=keep)


def _fault(folder: Path, result: ResultLine, number: int, *, keep: str) -> FaultFact:
    seat, kind = result.faults[number]
    told = FaultFact(id=result.id, seat=seat, entrant=result.seats[seat], kind=kind)
    if not has_record(result, keep=keep):
        return told
    try:
        fault = find_record(Reference(folder, result.id)).faults[number]
    except (RecordError, RunError, IndexError):
        return told
    return msgspec.structs.replace(told, at=fault.at, detail=fault.detail, answer=fault.answer)
