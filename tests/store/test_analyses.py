"""Analyses in files: what is written is read again, and only for the record that was judged."""

from __future__ import annotations

import json

import pytest
from made_analyses import made_analysis
from made_records import random_record
from msgspec import structs

from tournament.configuration.validation import validate_files
from tournament.errors import RecordError, UsageError
from tournament.records.analysis import costliest
from tournament.records.codec import canonical_bytes, format_record
from tournament.store.analyses import find_analyses, read_analysis, read_analysis_of, write_analysis

RECORD = random_record("explorers", 2, 4, stock=12)
ANALYSIS = made_analysis(RECORD, costs={3: (2.5, 1.0), 6: (4.0, 3.9), 9: (1.0, 2.0), 12: (3.0, 0.5)})


@pytest.fixture
def file(tmp_path):
    """The analysis as a file."""
    write_analysis(ANALYSIS, tmp_path / "judged.json")
    return tmp_path / "judged.json"


def test_what_is_written_is_read_again_and_fits_its_schema(file):
    """One file, with a schema as all others."""
    assert ANALYSIS == read_analysis_of(RECORD, file)
    assert [] == validate_files([file])


def test_a_field_that_is_missing_is_told_by_validate(file):
    """`tournament validate`: any file that this project writes."""
    values = json.loads(file.read_text())
    del values["decisions"][1]["swing"]["half_width"]
    file.write_text(json.dumps(values))

    assert ["$.decisions[1].swing: expected all of points, half_width, found points."] == [
        problem.text for problem in validate_files([file])
    ]


def test_the_costliest_are_three_by_the_low_end_of_what_they_cost():
    """docs/analysis.md: those whose cost is surest come first, and what costs nothing is none."""
    assert [12, 3, 6] == [decision.step for decision in costliest(ANALYSIS.decisions)]
    assert () == costliest(made_analysis(RECORD, costs={}).decisions)


def test_an_analysis_of_another_record_is_refused(file):
    """Another digest: another game, even under the same id."""
    other = random_record("explorers", 2, 5, stock=12)

    with pytest.raises(RecordError, match=f"judges {RECORD.id} with the digest {RECORD.digest[:12]}, and this record"):
        read_analysis_of(other, file)


@pytest.mark.parametrize(
    "change",
    [
        lambda decisions: (*decisions, structs.replace(decisions[-1], step=9999)),
        lambda decisions: (structs.replace(decisions[0], seat=1 - decisions[0].seat), *decisions[1:]),
        lambda decisions: decisions[::-1],
    ],
    ids=["step", "seat", "order"],
)
def test_decisions_that_a_record_does_not_have_are_refused(file, change):
    """A file made by hand shows nothing that is not there."""
    write_analysis(structs.replace(ANALYSIS, decisions=change(ANALYSIS.decisions)), file)

    with pytest.raises(RecordError, match="does not have"):
        read_analysis_of(RECORD, file)


@pytest.mark.parametrize(
    "change",
    [
        {"splits": ()},
        {"splits": (*ANALYSIS.splits, structs.replace(ANALYSIS.splits[0], seat=9))},
        {"names": ANALYSIS.names[:1]},
    ],
    ids=["none", "one too many", "names"],
)
def test_seats_that_a_record_does_not_have_are_refused(file, change):
    """A file made by hand: each seat that decided has its split, and no other seat has one."""
    write_analysis(structs.replace(ANALYSIS, **change), file)

    with pytest.raises(RecordError, match="tells of other seats"):
        read_analysis_of(RECORD, file)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (format_record(RECORD), 'format is "tournament-record", expected "tournament-analysis"'),
        (b"[1, 2]", "this is not an analysis"),
        (b"\xff", "this is not an analysis"),
        (canonical_bytes({"record": RECORD.id}), "missing required field `format`"),
        (b'{"format": "tournament-analysis", "version": 1}', "missing required field `record`"),
    ],
    ids=["record", "list", "bytes", "nameless", "empty"],
)
def test_what_is_no_analysis_is_refused(tmp_path, data, said):
    """Errors for users: expected, found, what to do."""
    path = tmp_path / "other.json"
    path.write_bytes(data)

    with pytest.raises(RecordError, match=said):
        read_analysis(path)


def test_analyses_are_found_in_files_and_folders(file, tmp_path):
    """`report --analysis`: a file, or a folder of files."""
    empty = tmp_path / "empty"
    empty.mkdir()

    assert {file: ANALYSIS} == find_analyses([file.parent]) == find_analyses([file])
    with pytest.raises(RecordError, match=r"has no \.json in it"):
        find_analyses([empty])
    with pytest.raises(RecordError, match="cannot be read"):
        find_analyses([tmp_path / "missing.json"])


def test_only_an_analysis_is_written_over(file, tmp_path):
    """A record, or a file of others, stays as it is."""
    record = tmp_path / "game.json"
    record.write_bytes(format_record(RECORD))
    write_analysis(ANALYSIS, file)

    with pytest.raises(UsageError, match="exists already and is not an analysis"):
        write_analysis(ANALYSIS, record)
    with pytest.raises(UsageError, match="There is no folder"):
        write_analysis(ANALYSIS, tmp_path / "none" / "judged.json")
    assert format_record(RECORD) == record.read_bytes()
