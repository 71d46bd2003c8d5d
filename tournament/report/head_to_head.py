"""Head to head, as a map of all pairs and as a list."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.records.standings import GroupStandings, Meeting, StandingsFile
from tournament.report.figures import format_number, format_points
from tournament.report.tables import Column, ReportPart, format_csv

BETTER, WORSE = ">", "<"
"""Signs before a score that is claimed to differ from one half."""


def head_to_head_parts(group: GroupStandings) -> Iterator[ReportPart]:
    """Yields the map of a group, row against column, and the list of its pairs."""
    names = [row.entrant for row in group.rows]
    meetings = meetings_by_pair(group)
    yield ReportPart(
        title=f"{group.group}, head to head: score of the row against the column in % "
        f"({BETTER} claimed to be better, {WORSE} worse)",
        columns=(
            Column("", right=True),
            Column("entrant"),
            *(Column(str(number), right=True) for number in range(1, len(names) + 1)),
        ),
        rows=[
            (str(number), name, *(meeting_cell(meetings.get((name, other))) for other in names))
            for number, name in enumerate(names, start=1)
        ],
    )
    yield ReportPart(
        title=f"{group.group}, pairs",
        columns=(
            Column("entrant"),
            Column("against"),
            Column("score", right=True),
            Column("claimed"),
            Column("games", right=True),
            Column("better", right=True, drop=1),
            Column("tied", right=True, drop=1),
            Column("worse", right=True, drop=1),
        ),
        rows=[
            (
                meeting.entrant,
                meeting.opponent,
                format_points(meeting.score),
                claim_sign(meeting),
                str(meeting.games),
                str(meeting.wins),
                str(meeting.draws),
                str(meeting.losses),
            )
            for number, name in enumerate(names)
            for other in names[number + 1 :]
            if (meeting := meetings.get((name, other))) is not None
        ],
    )


def meetings_by_pair(group: GroupStandings) -> dict[tuple[str, str], Meeting]:
    """Returns each meeting from both sides, by entrant and opponent."""
    pairs = {}
    for meeting in group.meetings:
        pairs[meeting.entrant, meeting.opponent] = meeting
        pairs[meeting.opponent, meeting.entrant] = meeting.flipped()
    return pairs


def claim_sign(meeting: Meeting) -> str:
    """Returns the sign of a claimed difference; nothing where none is claimed."""
    return (BETTER if meeting.score.value > 0.5 else WORSE) if meeting.claimed else ""


def meeting_cell(meeting: Meeting | None) -> str:
    """Returns a score in per cent with its sign; a point where two never met."""
    if meeting is None:
        return "·"
    return claim_sign(meeting) + format_number(100 * meeting.score.value, digits=0)


def head_to_head_csv(file: StandingsFile) -> str:
    """Returns all pairs of all groups as CSV."""
    headers = "group,entrant,opponent,score,score_error,score_low,score_high,claimed,games,better,tied,worse,deals"
    return format_csv(
        headers.split(","),
        [
            (
                group.group,
                meeting.entrant,
                meeting.opponent,
                meeting.score.value,
                meeting.score.error,
                meeting.score.low,
                meeting.score.high,
                str(meeting.claimed).lower(),
                meeting.games,
                meeting.wins,
                meeting.draws,
                meeting.losses,
                meeting.score.deals,
            )
            for group in file.groups
            for meeting in group.meetings
        ],
    )
