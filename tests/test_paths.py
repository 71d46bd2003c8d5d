"""Paths as they are written into runs and configurations: with `/`, so that another system can read them."""

from __future__ import annotations

import ntpath
from pathlib import Path, PureWindowsPath

import pytest

from tournament import paths
from tournament.paths import path_from, real_path


@pytest.mark.parametrize(
    ("path", "start", "expected"),
    [("/a/bots", "/a/runs/one", "../../bots"), ("/a", "/a", "."), ("/a/b\\c", "/a", "b\\c")],
)
def test_a_path_is_seen_from_a_folder(path, start, expected):
    assert expected == path_from(Path(path), Path(start))


@pytest.mark.parametrize(
    ("path", "expected"), [(r"C:\a\bots\mine.py", "../bots/mine.py"), (r"D:\bots\mine.py", "D:/bots/mine.py")]
)
def test_on_windows_it_has_no_backslash(path, expected, monkeypatch):
    """On another drive it is whole."""
    monkeypatch.setattr(paths.os, "path", ntpath)
    monkeypatch.setattr(paths, "Path", PureWindowsPath)
    written = path_from(PureWindowsPath(path), PureWindowsPath(r"C:\a\run"))
    monkeypatch.undo()  # pytest asks for paths, too

    assert expected == written


def test_a_link_that_leads_to_itself_stays_and_is_told_by_whoever_opens_it(tmp_path):
    """`Path.resolve` raises what nobody expects."""
    loop = tmp_path / "loop"
    loop.symlink_to(loop)

    assert loop == real_path(loop)
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        loop.open()


def test_a_path_is_real_without_links(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path)

    assert tmp_path.resolve() / "a" == real_path(tmp_path / "link" / ".." / tmp_path.name / "a")
