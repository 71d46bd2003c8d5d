"""The files of a run, read and tampered with, and what an audit finds then."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tournament import audit
from tournament.auditing import FindingCode

BOTS = Path(__file__).parents[2] / "bots"

Values = dict[str, Any]


def claim(run: Path, change: Callable[[Values], Any], *, name: str = "run.json") -> None:
    """Changes a JSON file of a run."""
    values = json.loads((run / name).read_bytes())
    change(values)
    (run / name).write_text(json.dumps(values))


def results_of(run: Path) -> list[Values]:
    """Returns the lines of `results.jsonl`."""
    return [json.loads(line) for line in (run / "results.jsonl").read_bytes().splitlines()]


def write_results(run: Path, results: list[Values]) -> None:
    """Writes `results.jsonl` anew."""
    lines = (json.dumps(result, separators=(",", ":")) + "\n" for result in results)
    (run / "results.jsonl").write_text("".join(lines))


def found_in(run: Path) -> list[tuple[FindingCode, str]]:
    """Returns code and message of all that an audit finds."""
    return [(finding.code, finding.message) for finding in audit(run).findings]
