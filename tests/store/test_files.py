"""Files that are written beside their place and moved there."""

from __future__ import annotations

import errno
import os

import pytest

from tournament.store.files import replace_file


def test_a_file_takes_the_place_of_another(tmp_path):
    path = tmp_path / "run.json"
    path.write_bytes(b"old")
    replace_file(path, b"new", beside=tmp_path / "run.json.new")

    assert (b"new", ["run.json"]) == (path.read_bytes(), os.listdir(tmp_path))


def test_nothing_is_written_through_a_link_beside_the_place(tmp_path):
    """In a run that somebody sent it may lead anywhere."""
    (tmp_path / "elsewhere").write_bytes(b"kept")
    (tmp_path / "run.json.new").symlink_to(tmp_path / "elsewhere")
    replace_file(tmp_path / "run.json", b"new", beside=tmp_path / "run.json.new")

    assert b"kept" == (tmp_path / "elsewhere").read_bytes()
    assert (False, b"new") == ((tmp_path / "run.json").is_symlink(), (tmp_path / "run.json").read_bytes())


def test_a_file_that_does_not_reach_the_disk_leaves_the_old_one(tmp_path, monkeypatch):
    """And nothing beside it."""
    path = tmp_path / "run.json"
    path.write_bytes(b"old")

    def fail(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new", beside=tmp_path / "run.json.new")

    assert (b"old", ["run.json"]) == (path.read_bytes(), os.listdir(tmp_path))
