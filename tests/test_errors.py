"""What errors advise."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest

from tournament.errors import TournamentError, refused_by_system, writing_advice

README = Path(__file__).parents[1] / "README.md"


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "Make room on the disk"),
        (errno.EDQUOT, "Make room on the disk"),
        (errno.EACCES, "Mend its permissions"),
        (errno.EROFS, "Mount the disk so that it can be written"),
        (errno.EINVAL, "Give it a name that this disk takes"),
        (errno.ENAMETOOLONG, "Give it a name that this disk takes"),
        (errno.EIO, "Check the disk"),
        (errno.EFBIG, "Allow larger files: ulimit -f unlimited"),
        (errno.ENOENT, "Make the folder first"),
        (errno.EISDIR, "Name a file, not a folder"),
        (errno.ENOTDIR, "Give it a path on which no folder has the name of a file"),
        (errno.ETXTBSY, "Mend that"),
    ],
)
def test_the_advice_fits_what_stands_in_the_way_of_writing(number, advice):
    """More room does not help against a colon in a name."""
    assert advice == writing_advice(OSError(number, os.strerror(number)))


@pytest.mark.parametrize(
    ("number", "file", "sentence"),
    [
        (errno.ENOSPC, "a", "a cannot be written: No space left on device. Make room on the disk."),
        (errno.ENOSPC, None, "The output cannot be written: No space left on device. Make room on the disk."),
        (errno.EDQUOT, "a", "a cannot be written: Disk quota exceeded. Make room on the disk."),
        (errno.EROFS, "a", "a cannot be written: Read-only file system. Mount the disk so that it can be written."),
        (errno.EFBIG, "a", "a cannot be written: File too large. Allow larger files: ulimit -f unlimited."),
        (errno.EACCES, "a", "a cannot be used: Permission denied. Mend its permissions."),
        (errno.EISDIR, "a", "a cannot be used: Is a directory. Name a file, not a folder."),
        (errno.ENOENT, "a/b", "a/b does not exist. Check the path, and make the folder where one is missing."),
        (errno.EIO, None, "A file cannot be used: Input/output error. Check the disk."),
        (errno.ENOMEM, None, "Cannot allocate memory. Close other programs, or use fewer --workers."),
        (errno.EAGAIN, None, "Resource temporarily unavailable. Close other programs, or use fewer --workers."),
        (errno.ETXTBSY, "a", "a cannot be used: Text file busy. Mend that."),
    ],
    ids=lambda value: errno.errorcode.get(value) if isinstance(value, int) else None,
)
def test_what_the_system_refuses_is_told_with_what_helps(number, file, sentence):
    assert sentence == str(refused_by_system(OSError(number, os.strerror(number), file)))


def test_too_many_open_files_are_told_with_the_limit():
    told = str(refused_by_system(OSError(errno.EMFILE, os.strerror(errno.EMFILE), "a")))

    assert re.fullmatch(r"Too many open files: this process may have \d+ open\. Allow more: ulimit -n 1024\.", told)


@pytest.mark.parametrize("error", [OSError("odd"), OSError(errno.EBADF, "Bad file descriptor")])
def test_what_no_user_can_mend_stays_a_fault_of_ours(error):
    assert refused_by_system(error) is None


def test_the_readme_tells_every_exit_code():
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", README.read_text(encoding="utf-8"), re.MULTILINE)}
    kinds = {TournamentError}
    while more := {below for kind in kinds for below in kind.__subclasses__()} - kinds:
        kinds |= more

    assert {0} | {kind.exit_code for kind in kinds if kind.__module__ == "tournament.errors"} == told
