"""What an export says beside its rows, of a run that did not keep all records."""

from __future__ import annotations

import shutil

import pytest
from needs import need_module
from typer.testing import CliRunner

from tournament import run_tournament
from tournament.cli.app import app
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.store.reader import read_records

RAISING = """from tournament import Bot


class Raising(Bot):
    def act(self, view):
        if view.seat == 0:
            raise ValueError("tired")
        return view.legal_actions()[0]
"""
FORMS = (["--format", "json"], ["--format", "csv"], ["--format", "parquet", "--out", "rows.parquet"])


@pytest.fixture(scope="module", params=["all", "faults", "sample:50%", "none"])
def played(request, tmp_path_factory):
    """What a run of twelve games was told to keep, and its folder."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "raising.py").write_text(RAISING)
    source, _ = with_flags(
        default_source(),
        seed="kept",
        budget=Budget(deals=2),
        games=("explorers:2",),
        bots=("bots/random_legal.py", str(folder / "raising.py"), "bots/explorers_cautious.py"),
        isolation="none",
        keep=request.param,
    )
    return request.param, run_tournament(resolve(source), out=folder / "run")


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[1])
def test_an_export_says_of_how_many_games_it_is_when_not_all_were_kept(played, form, tmp_path, monkeypatch):
    """An empty file would not say whether nothing was played, or nothing kept."""
    if "parquet" in form:
        need_module("pyarrow", extra="parquet")
    monkeypatch.chdir(tmp_path)
    keep, folder = played
    games = len(list(read_records(folder)))
    done = CliRunner().invoke(app, ["export", str(folder), *form])
    what = "no records" if keep == "none" else "records of some games only"
    line = f"{folder} has {what} (keep: {keep}): {games} of its 12 games are in this export.\n"

    assert 0 == done.exit_code
    assert ("" if keep == "all" else line) == done.stderr


def test_records_without_the_rest_of_their_run_are_exported_silently(played, tmp_path):
    """What is missing beside them is not known."""
    copy = tmp_path / "run"
    shutil.copytree(played[1], copy)
    (copy / "run.json").unlink()
    done = CliRunner().invoke(app, ["export", str(copy), "--format", "csv"])

    assert (0, "") == (done.exit_code, done.stderr)
