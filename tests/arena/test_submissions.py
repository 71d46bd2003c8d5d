"""What is handed in is unpacked, or refused for what is wrong with it: uploads of all hostile kinds among them."""

from __future__ import annotations

import gzip
import os
import random
import re
import stat
import tarfile
import zipfile

import pytest
from arena.uploads import (
    BOT,
    PROGRAM,
    packed,
    tar_header,
    tarred,
    with_flag,
    with_members_stated,
    with_name,
    with_stated_size,
    zipped,
)

from tournament.arena.checks import submissions
from tournament.arena.checks.defects import MOST_UNPACKED_BYTES, Defect, DefectKind, SubmissionError, format_defect
from tournament.arena.checks.submissions import unpack
from tournament.arena.files import MOST_BODY_BYTES, MOST_UPLOAD_BYTES
from tournament.paths import data_folder

ZEROS = bytes(60 << 20)
LINK = stat.S_IFLNK | 0o777
BLOCK = bytes(512)


def unpacked(tmp_path, data, name="bot.zip"):
    """Returns the files that come out of an upload: by names, mode and contents."""
    (tmp_path / "upload").write_bytes(data)
    unpack(tmp_path / "upload", name, tmp_path / "program")
    found = {}
    for path in sorted((tmp_path / "program").rglob("*")):
        assert path.is_dir() or stat.S_ISREG(path.lstat().st_mode)
        if path.is_file():
            found[path.relative_to(tmp_path / "program").as_posix()] = (
                stat.S_IMODE(path.stat().st_mode),
                path.read_bytes(),
            )
    return found


def deep_zip():
    """A zip whose members all are the same bytes, as in bombs that unpack to terabytes."""
    return zipped([(f"part{number}", bytes(1 << 20)) for number in range(60)])


def many_tarred():
    """A tar of a million members in a few kilobytes: the same header again and again, as far as it may be long."""
    return packed((tarfile.TarInfo("a").tobuf(tarfile.USTAR_FORMAT)) * 100_000)


HOSTILE = {
    # what it is: what makes it, what its file is called, and why it is refused
    "nothing": (lambda: b"", "bot.py", DefectKind.EMPTY),
    "over 10 MB": (lambda: os.urandom(MOST_UPLOAD_BYTES + 1), "bot.zip", DefectKind.TOO_LARGE),
    "a zip bomb": (lambda: zipped({**PROGRAM, "zeros": ZEROS}), "bot.zip", DefectKind.TOO_LARGE_UNPACKED),
    "a zip bomb of many parts": (deep_zip, "bot.zip", DefectKind.TOO_LARGE_UNPACKED),
    "a zip bomb that states a small size": (
        lambda: with_stated_size(zipped({"zeros": ZEROS}), 10),
        "bot.zip",
        DefectKind.LYING_SIZE,
    ),
    "a tar bomb": (lambda: tarred({**PROGRAM, "zeros": ZEROS}), "bot.tar.gz", DefectKind.TOO_LARGE_UNPACKED),
    "a gzip bomb that is no tar": (lambda: packed(bytes(80 << 20)), "bot.tar.gz", DefectKind.TOO_LARGE_UNPACKED),
    "501 files in a zip": (
        lambda: zipped({f"file{number}": b"1" for number in range(501)}),
        "bot.zip",
        DefectKind.TOO_MANY_FILES,
    ),
    "501 files in a tar": (
        lambda: tarred({f"file{number}": b"1" for number in range(501)}),
        "bot.tar.gz",
        DefectKind.TOO_MANY_FILES,
    ),
    "501 folders": (
        lambda: zipped({f"folder{number}/": b"" for number in range(501)}),
        "bot.zip",
        DefectKind.TOO_MANY_FILES,
    ),
    "a zip that states 60,000 files": (
        lambda: with_members_stated(zipped(PROGRAM), 60_000),
        "bot.zip",
        DefectKind.TOO_MANY_FILES,
    ),
    "a zip that states a list of 900 MB": (
        lambda: with_members_stated(zipped(PROGRAM), 1, 900_000_000),
        "bot.zip",
        DefectKind.TOO_MANY_FILES,
    ),
    "the same header a hundred thousand times": (many_tarred, "bot.tar.gz", DefectKind.NAME_TWICE),
    "a million files that are passed over": (
        lambda: packed(tarfile.TarInfo(".git/a").tobuf(tarfile.USTAR_FORMAT) * 100_000),
        "bot.tar.gz",
        DefectKind.TOO_MANY_FILES,
    ),
    "a link in a zip": (
        lambda: zipped({**PROGRAM, "key": b"/etc/passwd"}, modes={"key": LINK}),
        "bot.zip",
        DefectKind.LINK,
    ),
    "a link in a tar": (
        lambda: tarred({**PROGRAM, "key": {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}}),
        "bot.tar.gz",
        DefectKind.LINK,
    ),
    "a hard link": (
        lambda: tarred({**PROGRAM, "key": {"type": tarfile.LNKTYPE, "linkname": "bot.py"}}),
        "bot.tar.gz",
        DefectKind.LINK,
    ),
    "a link to a folder, and a file behind it": (
        lambda: tarred([("a", {"type": tarfile.SYMTYPE, "linkname": "/tmp"}), ("a/bot.py", BOT)]),
        "bot.tar.gz",
        DefectKind.LINK,
    ),
    "a device in a tar": (
        lambda: tarred({**PROGRAM, "disk": {"type": tarfile.BLKTYPE, "devmajor": 8}}),
        "bot.tar.gz",
        DefectKind.DEVICE,
    ),
    "a pipe": (lambda: tarred({**PROGRAM, "pipe": {"type": tarfile.FIFOTYPE}}), "bot.tar.gz", DefectKind.DEVICE),
    "a device in a zip": (
        lambda: zipped({**PROGRAM, "disk": b""}, modes={"disk": stat.S_IFBLK | 0o666}),
        "bot.zip",
        DefectKind.DEVICE,
    ),
    "a climbing name in a zip": (lambda: zipped({"../bot.py": BOT}), "bot.zip", DefectKind.CLIMBING_NAME),
    "a climbing name in a tar": (lambda: tarred({"a/../../bot.py": BOT}), "bot.tar.gz", DefectKind.CLIMBING_NAME),
    "an absolute name in a zip": (lambda: zipped({"/tmp/bot.py": BOT}), "bot.zip", DefectKind.ABSOLUTE_NAME),
    "an absolute name in a tar": (lambda: tarred({"/tmp/bot.py": BOT}), "bot.tar.gz", DefectKind.ABSOLUTE_NAME),
    "a drive": (lambda: zipped({"C:/bot.py": BOT}), "bot.zip", DefectKind.ABSOLUTE_NAME),
    "a backslash": (lambda: zipped({"a\\bot.py": BOT}), "bot.zip", DefectKind.BACKSLASH),
    "a newline in a name": (lambda: zipped({"a\nb": b"1"}), "bot.zip", DefectKind.UNPRINTABLE_NAME),
    "an escape in a name": (lambda: tarred({"a\x1b[2Jb": b"1"}), "bot.tar.gz", DefectKind.UNPRINTABLE_NAME),
    "a zero byte in a name": (
        lambda: with_name(zipped({"bot.pyX": BOT}), b"bot.pyX", b"bot.py\0"),
        "bot.zip",
        DefectKind.UNPRINTABLE_NAME,
    ),
    "letters that turn text around": (lambda: zipped({"a\u202eyp.b": b"1"}), "bot.zip", DefectKind.UNPRINTABLE_NAME),
    "a name that is no UTF-8": (
        lambda: tarred({"a\udcff": b"1"}, form=tarfile.GNU_FORMAT),
        "bot.tar.gz",
        DefectKind.UNPRINTABLE_NAME,
    ),
    "a long name": (lambda: zipped({"a" * 201: b"1"}), "bot.zip", DefectKind.LONG_NAME),
    "names that differ in case": (lambda: zipped({"bot.py": BOT, "Bot.py": BOT}), "bot.zip", DefectKind.ALIKE_NAMES),
    "folders that differ in case": (
        lambda: tarred({"a/one": b"1", "A/two": b"2"}),
        "bot.tar.gz",
        DefectKind.ALIKE_NAMES,
    ),
    "names that differ in the normal form": (
        lambda: zipped({"caf\u00e9": b"1", "cafe\u0301": b"2"}),
        "bot.zip",
        DefectKind.ALIKE_NAMES,
    ),
    "a name twice": (lambda: tarred([("bot.py", BOT), ("./bot.py", BOT)]), "bot.tar.gz", DefectKind.NAME_TWICE),
    "a file that is a folder, too": (lambda: tarred([("a", b"1"), ("a/b", b"2")]), "bot.tar.gz", DefectKind.NAME_TWICE),
    "a folder that is a file, too": (lambda: tarred([("a/b", b"1"), ("a", b"2")]), "bot.tar.gz", DefectKind.NAME_TWICE),
    "a zip in a zip": (lambda: zipped({**PROGRAM, "data": zipped(PROGRAM)}), "bot.zip", DefectKind.ARCHIVE_INSIDE),
    "a tar in a tar": (
        lambda: tarred({**PROGRAM, "data": tarfile.TarInfo("a").tobuf(tarfile.USTAR_FORMAT) + BLOCK * 2}),
        "bot.tar.gz",
        DefectKind.ARCHIVE_INSIDE,
    ),
    "an archive by its name": (lambda: zipped({**PROGRAM, "data.7z": b"1"}), "bot.zip", DefectKind.ARCHIVE_INSIDE),
    "a stated size that is too large": (
        lambda: with_stated_size(zipped({"a": b"12345"}), 9),
        "bot.zip",
        DefectKind.LYING_SIZE,
    ),
    "a stated size that is too small": (
        lambda: with_stated_size(zipped({"a": b"12345"}), 3),
        "bot.zip",
        DefectKind.LYING_SIZE,
    ),
    "a tar that ends within a file": (
        lambda: packed(tar_header("bot.py", 5000) + BOT),
        "bot.tar.gz",
        DefectKind.LYING_SIZE,
    ),
    "a tar that states eight exabytes": (
        lambda: packed(tar_header("bot.py", 8 << 60) + BLOCK),
        "bot.tar.gz",
        DefectKind.TOO_LARGE_UNPACKED,
    ),
    "a tar with a negative size": (
        lambda: packed(tar_header("bot.py", -512) + BLOCK),
        "bot.tar.gz",
        DefectKind.LYING_SIZE,
    ),
    "a tar and then something else": (
        lambda: packed(tar_header("a", 0) + b"not a header" * 100),
        "bot.tar.gz",
        DefectKind.BROKEN,
    ),
    "a zip that was cut off": (lambda: zipped(PROGRAM)[:-30], "bot.zip", DefectKind.BROKEN),
    "a gzip that was cut off": (lambda: tarred(PROGRAM)[:-20], "bot.tar.gz", DefectKind.BROKEN),
    "a gzip of something else": (lambda: packed(b"hello" * 200), "bot.tar.gz", DefectKind.BROKEN),
    "an encrypted zip": (lambda: with_flag(zipped(PROGRAM), 1), "bot.zip", DefectKind.ENCRYPTED),
    "another way of packing": (lambda: zipped(PROGRAM, method=zipfile.ZIP_LZMA), "bot.zip", DefectKind.UNKNOWN_METHOD),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(100), "bot.png", DefectKind.UNKNOWN_FORM),
    "a program for Windows": (lambda: b"MZ" + bytes(100), "bot.exe", DefectKind.UNKNOWN_FORM),
    "a Python file of a megabyte": (lambda: BOT + b"1\n" * (1 << 19), "bot.py", DefectKind.LONG_PYTHON),
    "Python files of a megabyte": (
        lambda: zipped({**PROGRAM, "a.py": b"1\n" * 200_000, "b.py": b"1\n" * 200_000}),
        "bot.zip",
        DefectKind.LONG_PYTHON,
    ),
    "Python that is no text": (lambda: b"\xff\xfe" + bytes(10), "bot.py", DefectKind.NOT_TEXT),
    "Python with a zero byte": (lambda: b"print(1)\0", "bot.py", DefectKind.NOT_TEXT),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_upload_is_refused_for_what_is_wrong_with_it(tmp_path, kind):
    make, name, defect = HOSTILE[kind]
    with pytest.raises(SubmissionError) as caught:
        unpacked(tmp_path, make(), name)

    assert defect == caught.value.defect.kind
    assert {"upload", "program"} >= {path.name for path in tmp_path.iterdir()}


def test_at_least_forty_hostile_kinds_are_tried():
    assert len(HOSTILE) >= 40


@pytest.mark.parametrize("kind", DefectKind)
def test_every_defect_is_a_printable_sentence_that_says_what_to_do(kind):
    text = format_defect(Defect(kind=kind, name="a\x1b{b}", found="c\x1b{d}", line=3))

    assert text.replace("\n", "").isprintable()
    assert "{b}" in text or "name" not in text
    assert kind in (DefectKind.UNREADABLE_BOT, DefectKind.CHECK_FAILED, DefectKind.WRONG_BOT_FILE) or "." == text[-1]


def test_no_more_is_written_than_may_be(tmp_path):
    """A bomb fills no disk."""
    with pytest.raises(SubmissionError):
        unpacked(tmp_path, tarred({"a": bytes(30 << 20), "b": bytes(30 << 20)}), "bot.tar.gz")

    assert sum(path.stat().st_size for path in (tmp_path / "program").iterdir()) <= MOST_UNPACKED_BYTES


def test_what_takes_too_long_is_ended(tmp_path, monkeypatch):
    """Of the processor: a machine that is busy with something else ends nothing."""
    monkeypatch.setattr(submissions, "UNPACKING_SECONDS", 0.05)

    def never(data, folder):
        while True:
            pass

    monkeypatch.setattr(submissions, "_unpack_zip", never)
    with pytest.raises(SubmissionError) as caught:
        unpacked(tmp_path, zipped(PROGRAM))

    assert DefectKind.UNPACKING_TOO_LONG == caught.value.defect.kind


@pytest.mark.parametrize("make", [zipped, tarred])
def test_whatever_bytes_are_changed_it_is_unpacked_or_refused(tmp_path, make):
    """Nothing else is ever raised: that would be the machine's, and it would be tried again for ever."""
    chance = random.Random(7)
    members = {"bot.py": BOT, "data/table.txt": bytes(range(256)) * 4, "a" * 120 + "/long": b"1"}
    plain = make(members)
    ends = {"unpacked": 0, "refused": 0}
    for number in range(300):
        data = bytearray(plain if make is zipped else gzip.decompress(plain))
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        data = bytes(data) if make is zipped else packed(bytes(data))
        place = tmp_path / str(number)
        place.mkdir()
        try:
            unpacked(place, data)
            ends["unpacked"] += 1
        except SubmissionError:
            ends["refused"] += 1

    assert ends["refused"] > 50


@pytest.mark.parametrize(("make", "name"), [(zipped, "bot.zip"), (tarred, "bot.tar.gz")])
def test_files_come_out_with_names_contents_and_modes(tmp_path, make, name):
    found = unpacked(tmp_path, make({**PROGRAM, "data/table.npz": zipped({"a": b"1"})}), name)

    assert {"bot.py": (0o644, BOT), "data/table.npz": (0o644, zipped({"a": b"1"}))} == found


def test_a_python_file_becomes_bot_py(tmp_path):
    assert {"bot.py": (0o644, BOT)} == unpacked(tmp_path, BOT, "my keeper.PY")


def test_what_an_upload_is_is_told_by_its_bytes(tmp_path):
    assert {"bot.py": (0o644, BOT)} == unpacked(tmp_path, zipped(PROGRAM), "bot.py")


def test_programs_can_be_executed(tmp_path):
    """By their mode, or by how they begin: on some machines files have no modes."""
    members = {"bot.py": BOT, "run": b"#!/bin/sh\n", "native": b"\x7fELF...", "tool": b"1"}
    found = unpacked(tmp_path, zipped(members, modes={"tool": stat.S_IFREG | 0o700}))

    assert {"bot.py": 0o644, "run": 0o755, "native": 0o755, "tool": 0o755} == {
        name: mode for name, (mode, _) in found.items()
    }


def test_the_rights_of_others_are_never_taken_over(tmp_path):
    """Neither set-user bits nor rights to write."""
    found = unpacked(tmp_path, zipped(PROGRAM, modes={"bot.py": stat.S_IFREG | 0o6777}))

    assert {"bot.py": (0o755, BOT)} == found


def test_a_folder_that_was_packed_whole_is_the_top(tmp_path):
    found = unpacked(tmp_path, zipped({"keeper/bot.py": BOT, "keeper/data/a": b"1"}))

    assert {"bot.py", "data/a"} == set(found)


def test_what_systems_put_into_folders_is_passed_over(tmp_path):
    extra = {"__MACOSX/._bot.py": b"1", ".DS_Store": b"1", "__pycache__/bot.pyc": b"1", ".git/objects/aa.gz": b"1"}

    assert {"bot.py"} == set(unpacked(tmp_path, zipped({**PROGRAM, **extra})))


def test_the_proxies_of_the_page_take_what_the_site_takes():
    """One that took less would refuse in words of its own."""
    page = (data_folder("schemas").parent / "docs" / "arena" / "operate.md").read_text(encoding="utf-8")

    assert [MOST_BODY_BYTES] == [int(found) for found in re.findall(r"max_size (\d+)\n", page)]
    assert [MOST_BODY_BYTES] == [int(found) for found in re.findall(r"client_max_body_size (\d+);", page)]
