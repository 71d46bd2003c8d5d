"""Names of files and folders: every file system takes them, and keeps them apart."""

from __future__ import annotations

import pytest

from tournament.store.names import file_name, file_names, folder_name

NAMES = ["a b", "a?b", "a_b", "a%20b", ".ab", "ab", "%2Eab", "..", "\U00020000" * 64, "\U00020000" * 63 + "a", "größe"]


def test_names_that_differ_give_files_that_differ():
    """Two bots never write to one file."""
    assert len(NAMES) == len({file_name(name) for name in NAMES})


def test_plain_names_stay_as_they_are():
    """What nearly everybody is called."""
    assert "deep-thought_2.1" == file_name("deep-thought_2.1")


@pytest.mark.parametrize(("name", "file"), [("con", "%63on"), ("NUL.v2", "%4EUL.v2"), ("com1", "%63om1")])
def test_no_file_is_named_like_a_device_of_windows(name, file):
    """What is written to it there is gone."""
    assert file == file_name(name)


@pytest.mark.parametrize("name", ["console", "com", "con-2"])
def test_a_name_that_begins_like_a_device_stays_as_it_is(name):
    assert name == file_name(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_whose_name_no_other_resembles_has_the_plain_file(name):
    assert {name: file_name(name)} == file_names([name])


def test_files_of_a_run_differ_where_case_does_not_count():
    """As on Windows and macOS; also for what has no small letter of its own."""
    names = ["ann", "Ann", "ANN", "straße", "STRASSE", *NAMES, "\U00020000" * 63 + "A"]
    files = file_names(names)

    assert list(dict.fromkeys(names)) == list(files)
    assert len(files) == len({file.casefold() for file in files.values()})


def test_whoever_comes_in_later_changes_no_file():
    """A run grows by bots at its end."""
    assert {"Ann": "Ann", "ann": "ann%-2", "ANN": "ANN%-3"} == file_names(["Ann", "ann", "ANN"])


@pytest.mark.parametrize("name", ["week 3", "größe", "a.b", "ANN's", "console"])
def test_a_folder_is_called_like_its_tournament(name):
    assert name == folder_name(name)


@pytest.mark.parametrize(
    ("name", "folder"),
    [("week: 3", "week%3A 3"), ("who?", "who%3F"), ("etc.", "etc%2E"), ("con", "%63on"), ("nul .x", "%6Eul .x")],
)
def test_a_folder_has_no_name_that_windows_refuses(name, folder):
    """So that a run can be copied there."""
    assert folder == folder_name(name)
