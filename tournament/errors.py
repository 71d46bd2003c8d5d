"""The exception tree: one class a kind of trouble, each with the exit code of the command.

    TournamentError             1   anything a user can do something about
    ├── UsageError              2   words of a command that do not fit together, an output that is there already,
    │                               what the system refuses: no room, no permission, too many open files
    ├── ConfigurationError      3   a configuration file or its flags
    ├── BotError                4   a bot or an entrant that does not exist or cannot be read; at isolation none, loaded
    ├── GameError               5   an unknown game, a number of players or an option it does not have
    │   ├── IllegalAction           an action the rules do not allow now
    │   └── DealError               a deal that is no deal of this game
    ├── RecordError             6   a record or a file of records that is missing, cannot be read or is not valid
    ├── RunError                7   a run folder: exists, is missing, not writable, not a run, in no state for this;
    │                               also what an arena refuses to do for somebody
    ├── NotComparableError      8   two bots that `gate` cannot compare, because nothing joins their results
    └── WorkerError             9   a worker process of `audit`, `export` or `validate` was killed or crashed
    Interrupted               130   the user stopped the command

Exit code 1 is also an answer: `audit`, `validate` or `selftest` found something, `gate` or `bot check`
says no. A message says what was expected, what was found, and what to do.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Mapping
from typing import ClassVar, Final


class TournamentError(Exception):
    """Something a user can mend; its text is one or more plain sentences."""

    exit_code: ClassVar[int] = 1


class UsageError(TournamentError):
    """Words of a command that do not fit together, an output that is there already, or what the system refuses."""

    exit_code = 2


class ConfigurationError(TournamentError):
    """A configuration that cannot be used as it is."""

    exit_code = 3


class BotError(TournamentError):
    """A bot or an entrant that does not exist, or cannot be read or loaded."""

    exit_code = 4


class GameError(TournamentError):
    """An unknown game, or a number of players or an option that a game does not have."""

    exit_code = 5


class IllegalAction(GameError):  # noqa: N818 (the word of the contract)
    """An action the rules do not allow in this state; the text names the rule broken."""


class DealError(GameError):
    """A deal that is no deal of this game."""


class RecordError(TournamentError):
    """A record, or a file of records, that is missing, cannot be read or is not valid."""

    exit_code = 6


class RunError(TournamentError):
    """A run folder exists already, is missing, cannot be written, is not a run, or its state forbids the command."""

    exit_code = 7


class SchedulerGoneError(RunError):
    """The scheduler of a cluster that went while a run was played, or the connection to it."""

    def __init__(self, address: str, text: str) -> None:
        super().__init__(text)
        self.address = address


class NotComparableError(TournamentError):
    """Two entrants that met different opponents, with no chain of wins and ties between them and too few tables."""

    exit_code = 8


class WorkerError(TournamentError):
    """A worker process ended while it worked: it was killed, by the system or by somebody, or it crashed."""

    exit_code = 9


class Interrupted(TournamentError):  # noqa: N818 (says what happened, as the exit code does)
    """The user stopped the command; what was finished by then is kept."""

    exit_code = 130


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """Returns the known word that is most like another; None when none is similar."""
    from difflib import get_close_matches  # lazy: only an error needs it

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=0.6)), None)


def did_you_mean(word: str, known: Iterable[str], *, shown: Mapping[str, str] | None = None) -> str:
    """Returns `Did you mean "x"?` with a blank before it, or an empty text when no known word is similar.

    `shown` says how known words are shown where that differs, such as a name with its folder.
    """
    near = nearest_word(word, known)
    return "" if near is None else f' Did you mean "{(shown or {}).get(near, near)}"?'


def install_advice(extra: str) -> str:
    """Returns the command that installs an extra of this package, wherever and however the package was installed."""
    return f"Install it: pip install 'tournament[{extra}]'"


_NO_SPACE: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_NO_RIGHT: Final = frozenset({errno.EACCES, errno.EPERM})
_NO_NAME: Final = frozenset({errno.EINVAL, errno.EILSEQ, errno.ENAMETOOLONG, errno.ELOOP})
_NO_MEMORY: Final = frozenset({errno.ENOMEM, errno.EAGAIN})
_NO_WRITING: Final = _NO_SPACE | {errno.EROFS, errno.EFBIG}
_NOT_ABOUT_A_FILE: Final = _NO_WRITING | _NO_MEMORY | {errno.EIO, errno.EMFILE, errno.ENFILE}
"""What the system refuses without saying of which file; any other error without a file is a fault of ours."""


def writing_advice(error: OSError) -> str:
    """Returns what helps where a file or a folder cannot be written, by the number of the error; no full stop."""
    if error.errno in _NO_SPACE:
        return "Make room on the disk"
    if error.errno in _NO_RIGHT:
        return "Mend its permissions"
    if error.errno == errno.EROFS:
        return "Mount the disk so that it can be written"
    if error.errno == errno.EFBIG:
        return "Allow larger files: ulimit -f unlimited"
    if error.errno == errno.EIO:
        return "Check the disk"
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return _more_files()
    if error.errno == errno.ENOENT:
        return "Make the folder first"
    if error.errno == errno.EISDIR:
        return "Name a file, not a folder"
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return "Give it a path on which no folder has the name of a file"
    if error.errno in _NO_NAME:
        return "Give it a name that this disk takes"
    return "Mend that"


def refused_by_system(error: OSError) -> UsageError | None:
    """Returns the error that tells a user what the system refused and what helps; None for what no user can mend.

    For where nobody knows any more what was to be read or written.
    """
    if error.errno is None or (error.filename is None and error.errno not in _NOT_ABOUT_A_FILE):
        return None
    place = "" if error.filename is None else f"{os.fsdecode(error.filename)} "
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return UsageError(f"{error.strerror}: {_more_files()}.")
    if error.errno in _NO_MEMORY:
        return UsageError(f"{error.strerror}. Close other programs, or use fewer --workers.")
    if error.errno in _NO_WRITING:
        return UsageError(f"{place or 'The output '}cannot be written: {error.strerror}. {writing_advice(error)}.")
    if error.errno == errno.ENOENT:
        return UsageError(f"{place}does not exist. Check the path, and make the folder where one is missing.")
    return UsageError(f"{place or 'A file '}cannot be used: {error.strerror}. {writing_advice(error)}.")


def _more_files() -> str:
    if sys.platform == "win32":
        return "Close other programs, or play with fewer workers"
    import resource  # lazy: only this error needs it

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return f"this process may have {limit} open. Allow more: ulimit -n 1024"


def no_such_word(name: str, word: str, known: Iterable[str]) -> str:
    """Returns a sentence for a word that `name` does not take: which one is near, and which there are."""
    words = list(known)
    return f"{name}: {word} does not exist.{did_you_mean(word.lower(), words)} Choose from: {', '.join(words)}."
