"""What the arena writes beside runs: `competition.yaml`, `version.json`, `round.json` and `acts.jsonl`.

Times are texts in UTC, such as `2026-12-01T20:35:04Z`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from tournament.arena.transitions import RoundState, VersionState
from tournament.configuration.types import Budget, GameEntry
from tournament.errors import RunError, writing_advice
from tournament.games.contract import END_OF_TEXT
from tournament.languages import gettext_noop
from tournament.records.record import Count, GameName, Hex256, Positive
from tournament.records.run import Format
from tournament.records.settings import ClockEntry, Isolation, LimitsEntry
from tournament.store import layout
from tournament.store.files import read_regular, replace_file
from tournament.store.leftovers import place_beside

COMPETITION_FILE: Final = "competition.yaml"
ROUND_FILE: Final = layout.ROUND_FILE
VERSION_FILE: Final = layout.VERSION_FILE
ACTS_FILE: Final = layout.ACTS_FILE

Moment = Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ" + END_OF_TEXT)]
BotName = Annotated[str, Meta(pattern="^[a-z][a-z0-9_-]{1,31}" + END_OF_TEXT)]
CompetitionName = Annotated[str, Meta(pattern="^[a-z][a-z0-9_-]{1,31}" + END_OF_TEXT)]
Title = Annotated[str, Meta(min_length=1, max_length=120)]
PackageName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*" + END_OF_TEXT, max_length=64)]

MOST_UPLOAD_BYTES: Final = 10_000_000
"""The largest file that is taken."""

MOST_BODY_BYTES: Final = MOST_UPLOAD_BYTES + 1_000_000
"""The largest request that is taken: the largest upload, and the form around it."""


DATES: Final = ("opens", "freezes", "closes", "standings_from")
"""What may be written as a date, with or without a time; without an offset it is meant in the competition's zone."""


class Joining(StrEnum):
    """Who may take part."""

    EVERYBODY = "everybody"
    """Whoever signs up."""

    CODE = "code"
    """Whoever has a join code of the competition."""

    INVITED = "invited"
    """Whom a host enters."""


class FinalRules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the final is played: published before the competition opens."""

    deals: Positive = 50
    """For each table."""

    entrants: Annotated[int, Meta(ge=2, le=8)] = 8
    """At most so many, by rank, of those whose range of ranks holds 1."""

    ties: str = gettext_noop("Who cannot be told apart in the final shares the place.")
    """What is done with those that the final leaves tied."""


class CompetitionFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `competition.yaml`: what a host writes, and what everybody may read."""

    title: Title
    """What it is called on the site."""

    games: Annotated[tuple[GameEntry, ...], Meta(min_length=1)]
    """What is played; each game with each number of players is a group."""

    weights: dict[GameName, Annotated[float, Meta(gt=0)]] | None = None
    """The share of each game in the ladder; default: equal."""

    clock: ClockEntry | None = None
    """The time bots have."""

    limits: LimitsEntry | None = None
    """What a process of a bot may use."""

    isolation: Isolation = Isolation.SANDBOX
    """What keeps bots apart; `sandbox` for bots of strangers."""

    packages: tuple[PackageName, ...] = ()
    """The Python packages that bots may import."""

    house: tuple[str, ...] | None = None
    """Example bots that always play and are not ranked; default: as many as the largest table has seats."""

    opens: Moment | None = None
    """From when on bots are taken; a date is the beginning of its day in `time_zone`."""

    freezes: Moment | None = None
    """From when on no versions are taken."""

    closes: Moment | None = None
    """When everything is over."""

    standings_from: Moment | None = None
    """Until then only hosts see the ladder."""

    time_zone: str = "UTC"
    """In which days begin and end and times are shown, such as `Europe/Warsaw`.

    The arena writes its own zone into rules that name none.
    """

    joining: Joining = Joining.EVERYBODY
    """Who may take part."""

    round_seconds: Positive = 30
    """About how long a round of the ladder takes."""

    deals_a_day: Positive = 100
    """The most that a version plays a day on the ladder, in each group."""

    placement_deals: Annotated[int, Meta(ge=10)] = 10
    """For each group of a version that is new."""

    versions_a_day: Positive = 10
    """Accepted ones that a participant may hand in a day."""

    challenges_a_day: Count = 10
    """That a participant may ask for."""

    bots_a_participant: Positive = 1
    """The most that one may have."""

    final: FinalRules = FinalRules()
    """How the final is played."""

    about: Annotated[str, Meta(max_length=20_000)] = ""
    """What the page of the competition says, as Markdown."""

    consent: Annotated[str, Meta(max_length=20_000)] = ""
    """What a participant agrees to on joining, as Markdown."""


class ReasonKind(StrEnum):
    """Why the arena changed the state of a version, where that has to do with another version or a count."""

    REPLACED = "replaced"
    """Another version of its bot plays instead."""

    WITHDRAWN = "withdrawn"
    """It was withdrawn in so many rounds."""

    SAME_AS_DISQUALIFIED = "same as disqualified"
    """Another version is the same program, and is disqualified."""

    SAME_AS_FORMER = "same as former"
    """The former version, which is the same program, plays again."""

    HANDED_IN_AGAIN = "handed in again"
    """The same program as a later version, which was handed in just now."""

    LATER_PLAYS = "later plays"
    """One that was handed in later was checked earlier, and plays."""


class ChangeReason(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why the arena changed the state of a version, as a value."""

    kind: ReasonKind
    number: Positive
    """Of the other version; how many rounds for `withdrawn`."""


class StateChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One change of the state of a version."""

    at: Moment
    state: VersionState
    why: str | None = None
    """In a sentence for its owner, in English or as a host wrote it."""

    reason: ChangeReason | None = None
    """The same as a value, from which the sentence is made in the language of who reads it; None: as it is written."""

    machine_failed: bool = False
    """Whether its check was ended by a failure of the machine: nobody is to blame."""


class VersionFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `version.json`: one program that was handed in for a bot."""

    competition: CompetitionName
    bot: BotName
    number: Positive
    received: Moment
    file_name: Annotated[str, Meta(max_length=120)]
    """What the upload was called."""

    size_bytes: Count
    upload_digest: Hex256
    """SHA-256 of the upload."""

    check_only: bool = False
    """Whether it is only to be checked: accepted, it is retired at once."""

    digest: Hex256 | None = None
    """SHA-256 of the program once it is unpacked: names, modes and contents of its files, in order of names."""

    spec: dict[str, Any] | None = None
    """The entry of a configuration that runs it, its paths relative to the folder `program`; None until unpacked."""

    changes: Annotated[tuple[StateChange, ...], Meta(min_length=1)]
    """From the first; the last says the present state."""

    @property
    def state(self) -> VersionState:
        """The present state."""
        return self.changes[-1].state


class RoundKind(StrEnum):
    """What a round is played for."""

    PLACEMENT = "placement"
    """First figures of new versions."""

    LADDER = "ladder"
    CHALLENGE = "challenge"
    """Asked for by a participant; counts for nothing."""

    FINAL = "final"


class Lane(StrEnum):
    """Which of the two queues of the referee a round or a check waits in."""

    QUICK = "quick"
    """Checks, placements and challenges."""

    LONG = "long"
    """The ladder and the final."""


class RoundEntrant(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays in a round."""

    name: str
    """In the run: `keeper.v3`; a house bot has its own name."""

    bot: str
    number: Positive | None
    """None for a house bot."""

    digest: Hex256


class RoundFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `round.json`, beside `run.json`."""

    # made by a function, as what equals a plain default would be left out
    format: Literal["tournament-round"] = msgspec.field(default_factory=lambda: "tournament-round")
    version: Literal[1] = msgspec.field(default_factory=lambda: 1)
    competition: CompetitionName
    season: Positive
    number: Positive
    """Counts the rounds of the competition."""

    kind: RoundKind
    lane: Lane
    planned: Moment
    asked_by: str | None = None
    """The public name of who asked for a challenge."""

    challenge: Positive | None = None
    """The number of the challenge that it is played for."""

    environment: Hex256
    """SHA-256 of what its season is played with: versions of this program, Python, rules, and packages of bots."""

    entrants: Annotated[tuple[RoundEntrant, ...], Meta(min_length=2)]
    games: Annotated[tuple[GameEntry, ...], Meta(min_length=1)]
    """What is played in it, of what the competition plays."""

    schedule: Format
    budget: Budget
    focus: tuple[str, ...] = ()
    """In a gauntlet: for whom it is played."""

    state: RoundState
    why: str | None = None
    """Why it was abandoned."""


class ActKind(StrEnum):
    """What a host did."""

    CREATE = "create"
    CHANGE = "change"
    """Of `competition.yaml`."""

    OPEN = "open"
    PAUSE = "pause"
    FREEZE = "freeze"
    CLOSE = "close"
    CHECK_AGAIN = "check again"
    READ_LOG = "read log"
    """Of the check of somebody's version."""

    DISQUALIFY = "disqualify"
    REINSTATE = "reinstate"
    ANNOUNCE = "announce"
    SEASON = "season"
    """A new season began."""

    ABANDON = "abandon"
    ENTER = "enter"
    """A participant was entered, or a list of them."""


class HostAct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of `acts.jsonl`: everything that a host did, in its order."""

    at: Moment
    by: str
    """The name of the host's account; `the command` for somebody at the shell."""

    kind: ActKind
    bot: BotName | None = None
    number: Positive | None = None
    """Of the version; None where all versions of the bot are meant."""

    round: Positive | None = None
    text: str | None = None
    """A reason, an announcement, or what was changed."""


def version_name(bot: str, number: int) -> str:
    """Returns how a version is named in rounds, such as `keeper.v3`."""
    return f"{bot}.v{number}"


def format_moment(time: datetime) -> str:
    """Returns a time, which knows its zone, as the arena's files have it."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_moment(text: str) -> datetime:
    """Returns the time, in UTC, that a text of the arena's files says."""
    return datetime.fromisoformat(text)


File = TypeVar("File", bound=Struct)


def read_json(path: Path, kind: type[File]) -> File:
    """Returns the struct in a file of JSON. Raises `RunError` for a file that is missing or is not valid."""
    try:
        return msgspec.json.decode(read_regular(path), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise RunError(f"{path} cannot be used: {reason}. Take it from a backup.") from None


def write_json(path: Path, value: Struct) -> None:
    """Writes a struct as JSON beside its place, through to the disk, and moves it there. Raises `RunError`."""
    write_synced(path, msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def unwritten(path: Path, error: OSError) -> RunError:
    """Returns the error for a file of an arena that cannot be written."""
    return RunError(f"{path} cannot be written: {error.strerror}. {writing_advice(error)}.")


def write_synced(path: Path, data: bytes) -> None:
    """Writes a file beside its place, through to the disk, and moves it there. Raises `RunError`."""
    try:
        replace_file(path, data, beside=place_beside(path))
    except OSError as error:
        raise unwritten(path, error) from None
