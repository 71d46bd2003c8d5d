"""What the page of a ladder shows: the types of `ladder.json`, read and written without numpy.

Expected points are those of a table whose other seats are drawn evenly from the field: the active versions and the
house bots. They are what the ladder is ordered by, from 0 (always last) to 1 (always first). Strengths are ratings,
with a house bot at 1500; a difference of 400 is odds of ten to one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from tournament.arena.files import BotName, CompetitionName, Moment, write_synced
from tournament.arena.folder import CompetitionFolder
from tournament.errors import RunError
from tournament.records.figures import FEW_DEALS, Figure, Place
from tournament.records.record import Count, GameName, Positive
from tournament.store.files import read_regular

ANCHOR_STRENGTH: Final = 1500.0
"""The strength of the house bot that anchors the scale."""

DEALS_TO_RANK: Final = FEW_DEALS
"""With fewer deals in a group a version is provisional: it is listed, and neither ranked nor claimed."""

ERROR_OF_CLAIMS: Final = 0.05
"""How probable it is, at most, that a season ever shows a false claim, at any of its looks."""

MOST_POINTS_OF_A_LINE: Final = 24
"""So many points has the line of a strength over rounds at most."""

Share = Annotated[float, Meta(ge=0, le=1)]


class StrengthPoint(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How strong a version was after a round: by all its games up to then, its opponents as strong as they are now."""

    round: Positive
    strength: float


class LadderGroup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of the ladder."""

    group: str
    game: GameName
    weight: Share
    """What share its expected points have in the sum."""

    deals: Count
    """How many count."""

    games: Count


class LadderRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An active version, or a house bot."""

    name: str
    """As in rounds: `keeper.v3`; a house bot has its own name."""

    bot: str
    number: Positive | None = None
    """None for a house bot."""

    house: bool = False
    provisional: bool
    """Too few deals in a group to be ranked."""

    rank: Place | None = None
    """Among the ranked, by expected points; equal ones share a rank. None for provisional versions and house bots."""

    best_rank: Place | None = None
    """With `worst_rank` the ranks that the claims leave open."""

    worst_rank: Place | None = None
    points: Figure | None = None
    """Expected points over all groups; None until it has played each of them."""

    strength: Figure | None = None
    """The weighted mean over the groups; its interval says how far it may be off from the mean of the field."""

    strength_by_group: dict[str, float]
    points_by_group: dict[str, Share]
    deals: dict[str, Count]
    """By group."""

    games: Count
    faults: dict[str, Positive]
    """By kind."""

    since: Moment | None = None
    """Since when it has been active; None for a house bot."""

    above: tuple[str, ...] = ()
    """The names of those it is claimed to be better than, house bots among them."""

    history: tuple[StrengthPoint, ...] = ()


class FormerRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A version that played in this season and is no longer active: its games count as evidence about its opponents."""

    name: str
    bot: BotName
    number: Positive
    strength: float | None = None
    """None where it lacks a group."""

    strength_by_group: dict[str, float]
    deals: dict[str, Count]
    games: Count
    faults: dict[str, Positive]
    history: tuple[StrengthPoint, ...] = ()


class LadderMeeting(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How often two rows finished above each other in the games in which both sat, in all groups together."""

    first: Count
    """The place of the row among `rows`, from 0; less than `second`."""

    second: Count
    games: Positive
    won: Count
    """By the first."""

    level: Count


class LeftOutVersion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A disqualified version."""

    name: str
    games: Count
    """How many games with it do not count, for anybody."""


class LadderFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of `ladder.json`."""

    format: Literal["tournament-ladder"] = "tournament-ladder"
    version: Literal[1] = 1
    competition: CompetitionName
    season: Positive
    made: Moment
    rounds: Count
    """From how many rounds of this season it was made."""

    last_round: Positive | None
    """The highest number of a round that counts."""

    games: Count
    anchor: str | None
    """The house bot with strength 1500; None where it has not played, and the mean of the field is 1500."""

    groups: tuple[LadderGroup, ...]
    rows: tuple[LadderRow, ...]
    """The ranked and the house bots by expected points, then the provisional, then those without figures."""

    former: tuple[FormerRow, ...]
    """In order of names and numbers."""

    meetings: tuple[LadderMeeting, ...]
    """Of rows that met, in order."""

    left_out: tuple[LeftOutVersion, ...]

    def row(self, name: str) -> LadderRow | None:
        """Returns the row of a version or a house bot; None where it has none."""
        return next((row for row in self.rows if row.name == name), None)

    def row_of_bot(self, bot: str) -> LadderRow | None:
        """Returns the row of the active version of a bot, or of a house bot; None where it has none."""
        found = [row for row in self.rows if row.bot == bot]
        return next((row for row in found if not row.house), found[0] if found else None)

    def meetings_of(self, name: str) -> Mapping[str, LadderMeeting]:
        """Returns by opponent how often a row met it, seen from that row: it is the first of each meeting."""
        met = {}
        for meeting in self.meetings:
            first, second = self.rows[meeting.first].name, self.rows[meeting.second].name
            if name == first:
                met[second] = meeting
            elif name == second:
                lost = meeting.games - meeting.won - meeting.level
                met[first] = LadderMeeting(meeting.second, meeting.first, meeting.games, lost, meeting.level)
        return met


_DECODER: Final = msgspec.json.Decoder(LadderFile)


def format_ladder(ladder: LadderFile) -> bytes:
    """Returns a ladder as JSON, a line for each field."""
    return msgspec.json.encode(ladder) + b"\n"


def parse_ladder(data: bytes, where: str) -> LadderFile:
    """Returns the ladder in a text of JSON. Raises `RunError` naming `where`."""
    try:
        return _DECODER.decode(data)
    except msgspec.DecodeError as error:
        raise RunError(f"{where}: {error}. Make it anew: tournament arena rebuild") from None


def read_ladder(folder: CompetitionFolder) -> LadderFile | None:
    """Returns the ladder of a competition; None before the first. Raises `RunError` for a damaged file."""
    try:
        return parse_ladder(read_regular(folder.ladder), str(folder.ladder))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RunError(f"{folder.ladder} cannot be read: {error.strerror}. Mend its rights.") from None


def write_ladder(folder: CompetitionFolder, ladder: LadderFile) -> None:
    """Writes the ladder of a competition in one step, through to the disk. Raises `RunError`."""
    write_synced(folder.ladder, format_ladder(ladder))
