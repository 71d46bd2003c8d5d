"""Why a program that was handed in is refused, as a value, and the sentence that tells its owner what to do."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from tournament.arena.files import MOST_UPLOAD_BYTES
from tournament.errors import BotError
from tournament.languages import gettext, gettext_noop, kept_ngettext, spoken
from tournament.text import printable, printable_lines, shortened

MOST_UNPACKED_BYTES: Final = 50_000_000
MOST_FILES: Final = 500
"""And as many folders."""

MOST_PYTHON_BYTES: Final = 512 << 10
"""Of all Python files together: to read a megabyte of them can take a gigabyte of memory."""

READING_SECONDS: Final = 10
"""Of the processor, for the Python of a bot."""

MOST_PATH_BYTES: Final = 200
SHOWN_CHARACTERS: Final = 80


class DefectKind(StrEnum):
    """What is wrong with something that was handed in."""

    EMPTY = "empty"
    TOO_LARGE = "too large"
    TOO_LARGE_UNPACKED = "too large unpacked"
    TOO_MANY_FILES = "too many files"
    UNKNOWN_FORM = "unknown form"
    """Neither a Python file nor an archive that is read here."""

    BROKEN = "broken"
    """An archive that cannot be read to its end."""

    LYING_SIZE = "lying size"
    """A member of an archive that is longer or shorter than the archive says."""

    UNKNOWN_METHOD = "unknown method"
    """A member that is packed in a way that is not read here."""

    ENCRYPTED = "encrypted"
    LINK = "link"
    DEVICE = "device"
    """A member that is no file and no folder."""

    ABSOLUTE_NAME = "absolute name"
    CLIMBING_NAME = "climbing name"
    BACKSLASH = "backslash"
    UNPRINTABLE_NAME = "unprintable name"
    LONG_NAME = "long name"
    NAME_TWICE = "name twice"
    ALIKE_NAMES = "alike names"
    """Two names that differ only in case or in the normal form of a letter."""

    ARCHIVE_INSIDE = "archive inside"
    LONG_PYTHON = "long Python"
    """So much Python, or such, that reading it would keep everybody waiting."""

    NOT_TEXT = "not text"
    """A Python file that is no text in UTF-8."""

    NO_BOT = "no bot"
    """An archive without a `bot.yaml` or a `bot.py`."""

    WRONG_BOT_FILE = "wrong bot file"
    """A `bot.yaml` that cannot be read, or says something that it may not say."""

    FOREIGN_PATH = "foreign path"
    """A path in `bot.yaml` that leads out of what was handed in."""

    UNREADABLE_BOT = "unreadable bot"
    """A program in which no bot is found, or more than one."""

    BUILD_FAILED = "build failed"
    BUILD_TOO_LONG = "build too long"
    BUILD_TOO_MUCH = "build too much"
    """A build that uses more memory or prints more than it may."""

    UNPACKING_TOO_LONG = "unpacking too long"
    CHECK_FAILED = "check failed"
    """A step of its check failed: the steps say more."""

    CHECK_TOO_LONG = "check too long"


_SENTENCES: Final[dict[DefectKind, str]] = {
    DefectKind.EMPTY: gettext_noop("The file is empty. Choose the file of your bot, and hand it in again."),
    DefectKind.TOO_LARGE: gettext_noop(
        "The file has more than {upload_mb} MB. Leave out what the bot does not need to play."
    ),
    DefectKind.TOO_LARGE_UNPACKED: gettext_noop(
        "Unpacked it has more than {unpacked_mb} MB. Leave out what the bot does not need to play."
    ),
    DefectKind.TOO_MANY_FILES: gettext_noop(
        "It has more than {files} files or folders. Leave out what the bot does not need to play."
    ),
    DefectKind.UNKNOWN_FORM: gettext_noop(
        "{name} is neither a Python file nor a zip or tar.gz. Hand in one file that ends in .py, or pack the folder of "
        "the bot as zip or tar.gz."
    ),
    DefectKind.BROKEN: gettext_noop("The archive cannot be read: {found}. Pack it again, and hand in the new one."),
    DefectKind.LYING_SIZE: gettext_noop(
        "{name} has another size than the archive says. Pack it again with an ordinary program, such as zip or tar."
    ),
    DefectKind.UNKNOWN_METHOD: gettext_noop(
        "{name} is packed in a way that is not read here. Pack it again as an ordinary zip (deflate) or tar.gz."
    ),
    DefectKind.ENCRYPTED: gettext_noop("{name} is encrypted. Pack it again without a password."),
    DefectKind.LINK: gettext_noop("{name} is a link. Put the file itself in its place, or leave it out."),
    DefectKind.DEVICE: gettext_noop("{name} is neither a file nor a folder. Leave it out."),
    DefectKind.ABSOLUTE_NAME: gettext_noop(
        "{name} is an absolute path. Pack the folder of the bot from inside, so that names begin there."
    ),
    DefectKind.CLIMBING_NAME: gettext_noop(
        "{name} leads out of the folder of the bot. Pack that folder from inside, without .. in names."
    ),
    DefectKind.BACKSLASH: gettext_noop(
        "{name} has a backslash. Pack it again with a program that writes / between folders."
    ),
    DefectKind.UNPRINTABLE_NAME: gettext_noop(
        "{name} has a character that cannot be shown. Give the file a plain name."
    ),
    DefectKind.LONG_NAME: gettext_noop(
        "{name} is longer than {path_bytes} bytes. Give files and folders shorter names."
    ),
    DefectKind.NAME_TWICE: gettext_noop("{name} is there twice. Leave one of them out."),
    DefectKind.ALIKE_NAMES: gettext_noop(
        "{name} and {found} differ only in case, or in how a letter is written, and are one file on many machines. "
        "Give one of them another name."
    ),
    DefectKind.ARCHIVE_INSIDE: gettext_noop(
        "{name} is an archive inside the archive. Unpack it first, or leave it out."
    ),
    DefectKind.LONG_PYTHON: gettext_noop(
        "It has more than {python_kb} KB of Python, or reading it takes more than {seconds} "
        "seconds. Put data, such as tables of weights, into a file that the bot reads."
    ),
    DefectKind.NOT_TEXT: gettext_noop("{name} is no text in UTF-8, as a Python file has to be. Save it as UTF-8."),
    DefectKind.NO_BOT: gettext_noop(
        "There is no bot.py and no bot.yaml at the top. Name the Python file of the bot bot.py, or write a bot.yaml "
        "with the command that starts it, such as command: [./bot]."
    ),
    DefectKind.WRONG_BOT_FILE: gettext_noop("bot.yaml{line}: {found}"),
    DefectKind.FOREIGN_PATH: gettext_noop(
        "bot.yaml{line}: {name} leads out of what was handed in. Name files of the bot by paths that begin in its "
        "folder, and programs of the system by their names alone, such as python3."
    ),
    DefectKind.UNREADABLE_BOT: gettext_noop("{found}"),
    DefectKind.BUILD_FAILED: gettext_noop(
        "The build failed: {found}. Its output says more. It runs without a network, so put everything it needs into "
        "the archive."
    ),
    DefectKind.BUILD_TOO_LONG: gettext_noop(
        "The build took more than {found}. Make it faster, or hand in what it makes."
    ),
    DefectKind.BUILD_TOO_MUCH: gettext_noop("The build was ended: {found}. Let it use less, or hand in what it makes."),
    DefectKind.UNPACKING_TOO_LONG: gettext_noop(
        "It could not be unpacked in {found}. Leave out what the bot does not need to play."
    ),
    DefectKind.CHECK_FAILED: gettext_noop("Its check failed: {found}"),
    DefectKind.CHECK_TOO_LONG: gettext_noop(
        "Its check took more than {found}, and was ended. Let the bot think less for each move."
    ),
}

_FIGURES: Final = {
    "upload_mb": MOST_UPLOAD_BYTES // 1_000_000,
    "unpacked_mb": MOST_UNPACKED_BYTES // 1_000_000,
    "files": MOST_FILES,
    "path_bytes": MOST_PATH_BYTES,
    "python_kb": MOST_PYTHON_BYTES >> 10,
    "seconds": READING_SECONDS,
}


class Defect(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why something is refused; the parts that its kind has no use for are None."""

    kind: DefectKind
    name: str | None = None
    """Which member of an archive, or which path: as it was handed in, so it may hold anything."""

    found: str | None = None
    """What was found: a reason or a time, in English, as `spoken` takes it; of two names alike, the other one."""

    line: int | None = None
    """In `bot.yaml`."""


class SubmissionError(BotError):
    """What was handed in is refused."""

    def __init__(self, defect: Defect) -> None:
        super().__init__(defect)
        self.defect = defect

    def __str__(self) -> str:
        return format_defect(self.defect)


def refuse(
    kind: DefectKind, name: str | None = None, *, found: str | None = None, line: int | None = None
) -> SubmissionError:
    """Returns the error that says why something is refused."""
    return SubmissionError(Defect(kind=kind, name=name, found=found, line=line))


def told_seconds(seconds: float) -> str:
    """Returns a time as what a defect has found."""
    return kept_ngettext("{count} second", "{count} seconds", round(seconds))


def format_defect(defect: Defect) -> str:
    """Returns one or two sentences for the owner: what is wrong, and what to do about it."""
    name = shortened(printable(defect.name or ""), SHOWN_CHARACTERS)
    # Translators: the name of a file, in the quotation marks of the language; it stands as {name} in other texts.
    quoted = gettext('"{name}"', name=name)
    found = defect.found or ""
    if defect.kind is not DefectKind.ALIKE_NAMES:  # a name may read like a word of ours
        found = spoken(found)
    return gettext(
        _SENTENCES[defect.kind],
        name=quoted,
        found=printable_lines(found),
        line="" if defect.line is None else gettext(", line {line}", line=defect.line),
        **_FIGURES,
    )
