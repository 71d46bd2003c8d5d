"""An audit with several workers: the same report, whatever is wrong and wherever."""

from __future__ import annotations

from pathlib import Path

import pytest
from run_files import BOTS

from tournament import audit, run_tournament
from tournament.auditing import checking
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget, ConfigurationFile, GameEntry
from tournament.records.settings import Isolation


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = ConfigurationFile(
        name="shared",
        games=(GameEntry(game="explorers", players=2, options={"move_limit": 8}),),
        bots=("random_legal.py",) * 3,
        budget=Budget(games=24),
        isolation=Isolation.NONE,
    )
    configuration = resolve(ConfigurationSource(file, BOTS, None, {}))
    return run_tournament(configuration, out=tmp_path_factory.mktemp("shared") / "run")


@pytest.fixture(autouse=True)
def short_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that even a few records are many pieces of work."""
    monkeypatch.setattr(checking, "MOST_LINES", 3)


def damage(path: Path) -> None:
    """Swaps, repeats, breaks, drops, glues and tears lines."""
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2], lines[15] = lines[15], lines[2]
    lines.insert(20, lines[1])
    lines[4] = b"{\n"
    lines[13] = lines[13].replace(b"0", b"1", 1)
    del lines[7:9]
    lines[10] = lines[10].rstrip() + lines.pop(11)
    lines[-1] = lines[-1][:50]
    path.write_bytes(b"".join(lines))


@pytest.mark.parametrize("names", [(), ("games.jsonl",), ("results.jsonl",)], ids=["sound", "records", "results"])
def test_two_workers_report_what_one_reports(run: Path, names: tuple[str, ...]):
    """Findings in the same order, notes and counts."""
    for name in names:
        damage(run / name)
    one, two = audit(run, workers=1), audit(run, workers=2)

    assert one == two
    assert bool(names) == bool(one.findings)


def test_several_files_are_audited_with_the_same_workers(played: Path):
    sources = [played / "games.jsonl", f"{played}#explorers-2p.0.000001.1", played]

    assert audit(*sources) == audit(*sources, workers=2)
