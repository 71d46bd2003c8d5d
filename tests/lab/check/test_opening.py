"""Which files of a bot's folder are opened, whoever opens them, and which of them its fingerprint lacks."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tournament.entrants.entries import entrants_from
from tournament.lab.check.opening import OpenedFiles, copied_folder, folder_of, lacking, why_not_seen
from tournament.records.settings import Isolation

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells what is opened")


@pytest.fixture
def folder(tmp_path):
    """A folder with a program, its data and a cache."""
    (tmp_path / "alice" / "data").mkdir(parents=True)
    (tmp_path / "alice" / ".cache").mkdir()
    for name in ("bot.sh", "data/book.txt", ".cache/one", ".hidden"):
        (tmp_path / "alice" / name).write_text("1")
    return tmp_path / "alice"


def source_of(base, **entry):
    (entrant,) = entrants_from([{"name": "alice", **entry}], base=base)
    return entrant.bots[0]


def test_what_another_process_opens_is_seen(folder):
    """Also in folders below; what is apart, such as a cache, is not looked at, and folders are no files."""
    with OpenedFiles(folder) as opened:
        for name in ("data/book.txt", ".cache/one", ".hidden"):
            subprocess.run(["cat", str(folder / name)], check=True, capture_output=True)
        subprocess.run(["ls", str(folder / "data")], check=True, capture_output=True)

        assert {"data/book.txt", ".hidden"} == opened.names()


def test_a_folder_of_its_own_lacks_only_what_is_hidden(folder):
    """That is nobody's part by default."""
    source = source_of(folder.parent, command=["sh", "alice/bot.sh"])

    assert folder == folder_of(source)
    assert [".hidden"] == lacking(source, {"data/book.txt", ".hidden", "bot.sh"})


@pytest.mark.parametrize(
    ("files", "missing"),
    [([], ["data/book.txt"]), (["alice/data/book.txt"], []), (["alice/data"], [])],
)
def test_in_a_folder_of_several_what_is_opened_has_to_be_listed(folder, files, missing):
    """A file, or the folder that it lies in."""
    (folder / "other.py").write_text("from tournament import Bot\nclass A(Bot):\n    def act(self, view): ...\n")
    source = source_of(folder.parent, command=["sh", "alice/bot.sh"], files=files)

    assert missing == lacking(source, {"data/book.txt", "bot.sh"})


def test_copies_cannot_be_seen(folder):
    """In a sandbox each process gets its own."""
    source = source_of(folder.parent, command=["sh", "alice/bot.sh"])

    assert "copies" in why_not_seen(source, Isolation.SANDBOX)
    assert why_not_seen(source, Isolation.NONE) is None


def test_a_bot_is_watched_in_a_copy_of_its_folder(folder):
    """What others do in the folder meanwhile is not blamed on it; what is hidden comes along, caches do not."""
    source = source_of(folder.parent, command=["sh", "alice/bot.sh"], files=["alice/data"])
    with copied_folder(source) as copy:
        there = folder_of(copy)

        assert there.is_relative_to(copy.folder)
        assert "alice" == there.name
        assert [".hidden", "bot.sh", "data"] == sorted(path.name for path in there.iterdir())
        assert (str(there / "data"),) == copy.files

    assert not there.exists()
