"""A run as a static site of a few files, that opens from a disk: the same run gives the same bytes."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from tournament.errors import RecordError, RunError, UsageError
from tournament.records.codec import canonical_bytes
from tournament.records.folder import read_run
from tournament.records.layout import RUN_FILE, Reference
from tournament.records.read import find_record
from tournament.records.results import has_record
from tournament.report.choosing import choose_games, chunks
from tournament.report.facts import RunFacts, read_facts
from tournament.report.pages import chunk_script, games_page, index_page, json_twins
from tournament.report.placing import replace_folder, stamp_of
from tournament.version import __version__
from tournament.viewer.html import format_html

REPORT_FOLDER: Final = "report"
MADE_BY_FILE: Final = "data/made-by.json"
_MARK: Final = "data/standings.json"
_NAMES: Final = {"index.html", "games.html", "data", "games"}


class MadeBy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What has to be known to make a report again."""

    tournament: str
    """The version that made it."""

    analyses: tuple[str, ...]
    """The games whose decisions it shows judged: of them the run knows nothing."""


def write_report(folder: Path, out: Path | None = None, *, analyses: Sequence[Path] = ()) -> Path:
    """Writes the report of a run, by default into its folder, and returns its first page.

    The games that `analyses` judge, files or folders of files, are shown with them. An older report is
    replaced. Raises `RunError` when there is no run, `UsageError` when the folder holds something else or
    cannot be written, and `RecordError` for an analysis of no game of this run.
    """
    read_run(folder)  # before anything is made: a folder that is no run stays as it is
    own = folder / REPORT_FOLDER
    out = own if out is None else out
    if not _is_replaceable(out, is_own=out == own):
        raise UsageError(f"{out} is there and is no report. Give another --out, or move it away.")
    if out == own:
        _clear_earlier(own.with_name(f"{REPORT_FOLDER}.new"))
    for is_last in (False, False, True):
        with suppress(_RunChangedError):
            replace_folder(out, _files_of(folder, analyses, whatever_changes=is_last))
            break
    return out / "index.html"


class _RunChangedError(Exception):
    """While the report of a run was made, another process changed the run, and may have written a newer one."""


def _files_of(folder: Path, analyses: Sequence[Path], *, whatever_changes: bool) -> Iterator[tuple[str, bytes]]:
    before = stamp_of(folder / RUN_FILE)
    yield from report_files(read_facts(folder, analyses))
    if stamp_of(folder / RUN_FILE) != before and not whatever_changes:
        raise _RunChangedError


def _clear_earlier(beside: Path) -> None:
    """Removes what version 0.1.0 left beside a report when it was killed."""
    if not beside.is_symlink() and beside.is_dir() and _is_replaceable(beside, is_own=True):
        shutil.rmtree(beside, ignore_errors=True)


def _is_replaceable(out: Path, *, is_own: bool) -> bool:
    """Returns whether nothing is there, or an older report; in the run itself also one that is half deleted."""
    if not out.exists() or (out / _MARK).is_file():
        return True
    return out.is_dir() and {path.name for path in out.iterdir()} <= (_NAMES if is_own else set())


def report_files(facts: RunFacts) -> Iterator[tuple[str, bytes]]:
    """Yields name and bytes of every file of a report."""
    available = set()
    kept = {result.id for result in facts.results if has_record(result, keep=facts.info.keep)}
    for record_id in choose_games(facts.results, analysed=facts.analyses):
        if record_id not in kept:
            continue
        try:
            record = find_record(Reference(facts.folder, record_id))
            page = format_html(record, back="../index.html", analysis=facts.analyses.get(record_id))
        except (RecordError, RunError):
            continue  # lost, or of a game that is not installed here
        available.add(record_id)
        yield f"games/{record_id}.html", page.encode()
    lists = []
    numbers: Counter[str] = Counter()
    for chunk in chunks(facts.results):
        name = f"data/games-{chunk.group}-{numbers[chunk.group]:03}.js"
        numbers[chunk.group] += 1
        lists.append((chunk.group, name))
        yield name, chunk_script(chunk).encode()
    made_by = MadeBy(tournament=__version__, analyses=tuple(sorted(facts.analyses)))
    yield MADE_BY_FILE, canonical_bytes(made_by) + b"\n"
    for name, value in json_twins(facts).items():
        yield f"data/{name}.json", canonical_bytes(value) + b"\n"
    yield "games.html", games_page(facts, lists=lists, available=available).encode()
    yield "index.html", index_page(facts, available=available).encode()
