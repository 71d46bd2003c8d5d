"""What a newer tournament wrote is told as such, and not as damage."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tournament import __version__, audit
from tournament.configuration.validation import validate_files
from tournament.errors import RecordError, RunError
from tournament.records.schema import EARLIER, FORMATS, load_schema, schema_names, written_by_newer
from tournament.store.analyses import read_analysis
from tournament.store.folder import read_run

STORED = Path(__file__).parents[1] / "data" / "runs-0.1.0" / "gauntlet"
LATER = {"tournament": "0.10.0", "python": "3.20.1"}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A copy of a run."""
    return Path(shutil.copytree(STORED, tmp_path / "run"))


def _change(run: Path, **changes: Any) -> None:
    path = run / "run.json"
    path.write_text(json.dumps(json.loads(path.read_bytes()) | changes))


def test_a_run_of_a_newer_format_names_the_versions(run: Path) -> None:
    _change(run, version=2, versions=LATER)
    said = (
        f"Tournament 0.10.0 wrote this, and this is tournament {__version__}: it is version 2 of tournament-run, "
        "and 1 is known here. Use tournament 0.10.0 or a later one for it."
    )

    with pytest.raises(RunError) as caught:
        read_run(run)
    assert str(caught.value).endswith(said)
    assert [problem.text for problem in validate_files([run / "run.json"])] == [said]
    assert said in [finding.found for finding in audit(run).findings]


def test_an_unknown_field_of_a_newer_tournament_is_no_damage(run: Path) -> None:
    _change(run, versions=LATER, weather="fine")

    with pytest.raises(RunError, match=r"Tournament 0\.10\.0 wrote this, and this is tournament .*\. Use tournament"):
        read_run(run)


def test_a_field_is_known_to_be_newer_by_who_played_last(run: Path) -> None:
    _change(run, continued=[{"versions": LATER, "games": 3}], weather="fine")

    with pytest.raises(RunError, match=r"Tournament 0\.10\.0 wrote this"):
        read_run(run)


def test_an_unknown_field_of_no_newer_tournament_is_told_as_before(run: Path) -> None:
    _change(run, weather="fine")

    with pytest.raises(RunError, match=r"unknown field `weather`\. `tournament validate"):
        read_run(run)


def test_a_run_of_a_newer_tournament_that_can_be_read_is_read(run: Path) -> None:
    """Versions alone are no reason to refuse: optional fields come and go unused."""
    _change(run, versions=LATER)

    assert read_run(run).versions == LATER


def test_who_wrote_a_newer_format_may_be_unknown(tmp_path: Path) -> None:
    path = tmp_path / "analysis.json"
    path.write_text('{"format": "tournament-analysis", "version": 3}')

    with pytest.raises(RecordError, match=r"A newer tournament wrote this.*it is version 3 of tournament-analysis"):
        read_analysis(path)


@pytest.mark.parametrize(
    "value",
    [b"", b"no json", b"[]", b'{"format": 7}', b'{"format": "tournament-run", "version": "2"}', {"format": "else"}, 3],
)
def test_what_says_nothing_of_who_wrote_it_is_not_called_newer(value: object) -> None:
    assert written_by_newer(value) is None


@pytest.mark.parametrize("version", ["0.1.0", "0.2.0", "", "1" * 5000, "²", "0.2"])
def test_an_older_or_odd_version_is_not_called_newer(version: str) -> None:
    values = {"format": "tournament-run", "version": 1, "versions": {"tournament": version}}

    assert written_by_newer(values) is None


def test_the_newest_version_of_every_format_is_that_of_its_schema() -> None:
    schemas = [load_schema(name) for name in schema_names() if name not in EARLIER.values()]
    properties = [schema["properties"] for schema in schemas if "properties" in schema]
    versions = {one["format"]["enum"][0]: one["version"]["enum"][0] for one in properties if "format" in one}

    versions["tournament-event"] = 1  # an event has one of several forms

    assert {name: version for name, (version, _) in FORMATS.items()} == versions
