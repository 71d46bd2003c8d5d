"""The exception tree: one class a kind of trouble, each with the exit code of the command.

    TournamentError             1   anything a user can do something about
    ├── UsageError              2   words of a command that do not fit together, an output that is there already
    ├── ConfigurationError      3   a configuration file or its flags
    ├── BotError                4   a bot or an entrant that does not exist or cannot be read; at isolation none, loaded
    ├── GameError               5   an unknown game, a number of players or an option it does not have
    │   ├── IllegalAction           an action the rules do not allow now
    │   └── DealError               a deal that is no deal of this game
    ├── RecordError             6   a record or a file of records that is missing, cannot be read or is not valid
    ├── RunError                7   a run folder: exists, is missing, not writable, not a run, in no state for this
    ├── NotComparableError      8   two bots that `gate` cannot compare, because nothing joins their results
    └── WorkerError             9   a worker process of `audit`, `export` or `validate` was killed
    Interrupted               130   the user stopped the command

Exit code 1 is also an answer: `audit`, `validate` or `selftest` found something, `gate` or `bot check`
says no. A message says what was expected, what was found, and what to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar


class TournamentError(Exception):
    """Something a user can mend; its text is one or more plain sentences."""

    exit_code: ClassVar[int] = 1


class UsageError(TournamentError):
    """Words of a command that do not fit together, or an output that is there already or cannot be written."""

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


class NotComparableError(TournamentError):
    """Two entrants that met different opponents, with no chain of wins and ties between them and too few tables."""

    exit_code = 8


class WorkerError(TournamentError):
    """A worker process was killed while it worked, by the system or by somebody."""

    exit_code = 9


class Interrupted(TournamentError):  # noqa: N818 (says what happened, as the exit code does)
    """The user stopped the command; what was finished by then is kept."""

    exit_code = 130


def did_you_mean(word: str, known: Iterable[str], *, shown: Mapping[str, str] | None = None) -> str:
    """Returns `Did you mean "x"?` with a blank before it, or an empty text when no known word is similar.

    `shown` says how known words are shown where that differs, such as a name with its folder.
    """
    from difflib import get_close_matches  # lazy: only an error needs it

    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    if not near:
        return ""
    return f' Did you mean "{(shown or {}).get(near[0], near[0])}"?'


def install_advice(extra: str) -> str:
    """Returns the command that installs an extra of this package, wherever and however the package was installed."""
    return f"Install it: pip install 'tournament[{extra}]'"


def no_such_word(name: str, word: str, known: Iterable[str]) -> str:
    """Returns a sentence for a word that `name` does not take: which one is near, and which there are."""
    words = list(known)
    return f"{name}: {word} does not exist.{did_you_mean(word.lower(), words)} Choose from: {', '.join(words)}."
