"""The ladder of a competition, made anew after a round and after each act that changes it."""

from __future__ import annotations

from typing import Final, NamedTuple

from tournament.arena.acts import Disqualified, read_acts
from tournament.arena.files import ACTS_FILE, format_moment
from tournament.arena.ladder import make_ladder
from tournament.arena.ladder_file import LadderFile, write_ladder
from tournament.arena.models import RoundRow, VersionRow
from tournament.arena.play.desk import Desk
from tournament.arena.play.house import groups_of
from tournament.arena.play.knowing import Competition
from tournament.arena.season.figures import Contest, LadderEntrant
from tournament.arena.season.leads import note_lead
from tournament.arena.season.outcome_files import OutcomeFiles
from tournament.arena.transitions import RoundState, VersionState
from tournament.errors import TournamentError

SHARE_OF_TIME: Final = 0.1
"""The most of its time that the referee spends on making ladders."""


class _Seen(NamedTuple):
    """What a ladder was made from: it is made anew where something of it differs."""

    season: int
    acts_bytes: int
    active: tuple[int, ...]
    complete: int
    rules: int


class LadderKeeper:
    """Keeps the ladder of each competition up to date."""

    def __init__(self, desk: Desk) -> None:
        """Starts with no ladder made: each is made anew at the first look."""
        self._desk = desk
        self._seen: dict[int, _Seen] = {}
        self._not_before: dict[int, float] = {}

    def keep(self, competition: Competition, *, at_once: bool = False) -> bool:
        """Makes the ladder of a competition anew if something changed; returns whether it did.

        Without `at_once` it takes at most `SHARE_OF_TIME`, and so may be made later.
        """
        seen = _seen(competition)
        key = competition.row.pk
        is_early = self._desk.steady() < self._not_before.get(key, 0.0)
        if self._seen.get(key) == seen or (is_early and not at_once):
            return False
        begun = self._desk.steady()
        try:
            publish_ladder(competition, made=format_moment(self._desk.now()))
        except (TournamentError, OSError) as error:
            self._desk.trouble(f"The ladder could not be made: {error}", competition=competition.row)
            self._not_before[key] = self._desk.steady() + self._desk.patience_seconds
            return False
        self._seen[key] = seen
        self._not_before[key] = self._desk.steady() + (self._desk.steady() - begun) / SHARE_OF_TIME
        return True


def _seen(competition: Competition) -> _Seen:
    row = competition.row
    acts = competition.folder.path / ACTS_FILE
    active = VersionRow.objects.filter(bot__competition=row, state=VersionState.ACTIVE.value)
    return _Seen(
        season=row.season,
        acts_bytes=acts.stat().st_size if acts.exists() else 0,
        active=tuple(active.order_by("pk").values_list("pk", flat=True)),
        complete=RoundRow.objects.filter(competition=row, state=RoundState.COMPLETE.value).count(),
        rules=hash(str(competition.rules)),
    )


def publish_ladder(competition: Competition, *, made: str, is_fresh: bool = False) -> LadderFile:
    """Returns the ladder of a competition, which stands in its `ladder.json` then.

    `is_fresh`: no figure of the ladder before is used. Raises `RunError`, `UsageError`, `RecordError`.
    """
    rules, season = competition.rules, competition.row.season
    contest = Contest(
        competition=competition.row.name,
        season=season,
        games={name: game for name, game, _ in groups_of(rules)},
        weights=rules.weights,
        anchor=competition.house[0].name,
    )
    before = None if is_fresh else competition.ladder()
    if before is not None and before.season != season:
        before = None
    outcomes = OutcomeFiles(competition.folder).brought_up(season)
    ladder = make_ladder(contest, outcomes, _entrants(competition), made=made, before=before)
    write_ladder(competition.folder, ladder)
    note_lead(competition.folder, ladder)
    return ladder


def _entrants(competition: Competition) -> list[LadderEntrant]:
    """Returns all versions and house bots, as files and acts say."""
    out = Disqualified(read_acts(competition.folder))
    found = [
        LadderEntrant(name=bot.name, bot=bot.name, number=None, active=True, since=None) for bot in competition.house
    ]
    for row in VersionRow.objects.filter(bot__competition=competition.row).select_related("bot").order_by("pk"):
        found.append(
            LadderEntrant(
                name=competition.name_of(row),
                bot=row.bot.name,
                number=row.number,
                active=row.state == VersionState.ACTIVE,
                since=format_moment(row.changed) if row.state == VersionState.ACTIVE else None,
                is_out=out.reason(row.bot.name, row.number) is not None or row.state == VersionState.DISQUALIFIED,
            )
        )
    return found
