"""What `RUN`, `FILE` and `RUN#ID` name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tournament.errors import RecordError
from tournament.store.layout import Reference, parse_reference, records_path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("run", Reference(Path("run"), None)),
        ("run#scout-3p.0.000000.1", Reference(Path("run"), "scout-3p.0.000000.1")),
        ("a#b/run#scout-3p.0.000000.1", Reference(Path("a#b/run"), "scout-3p.0.000000.1")),
    ],
)
def test_the_id_stands_behind_the_last_sign(text, expected):
    """A path may have a # of its own, an id has none."""
    assert expected == parse_reference(text)


def test_what_exists_is_a_path_whatever_its_name(tmp_path):
    """A folder called `runs#1`."""
    folder = tmp_path / "runs#1"
    folder.mkdir()

    assert Reference(folder, None) == parse_reference(str(folder))


@pytest.mark.parametrize("name", ["mine.yaml", "my own.yml"])
def test_a_configuration_is_told_from_records(name, tmp_path):
    """Each of its lines was told to be broken JSON."""
    path = tmp_path / name
    path.write_text("bots: [x.py]\n")
    with pytest.raises(RecordError, match="is a configuration, and has no games: `tournament validate "):
        records_path(path)
