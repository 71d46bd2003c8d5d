"""A run as a static site of a few files, that opens from a disk: the same run gives the same bytes."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from tournament import __version__
from tournament.errors import RecordError, RunError, UsageError
from tournament.records.codec import canonical_bytes
from tournament.records.read import Reference, find_record
from tournament.records.results import has_record
from tournament.report.choosing import choose_games, chunks
from tournament.report.facts import RunFacts, read_facts
from tournament.report.pages import chunk_script, games_page, index_page, json_twins
from tournament.viewer.html import format_html

REPORT_FOLDER: Final = "report"
MADE_BY_FILE: Final = "data/made-by.json"
_MARK: Final = "data/standings.json"


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
    out = folder / REPORT_FOLDER if out is None else out
    if out.exists() and not (out / _MARK).is_file() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{out} is there and is no report. Give another --out, or move it away.")
    facts = read_facts(folder, analyses)
    beside = out.with_name(f"{out.name}.new")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        for name, data in report_files(facts):
            path = beside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        shutil.rmtree(out, ignore_errors=True)
        beside.replace(out)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}. Give another --out.") from None
    return out / "index.html"


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
