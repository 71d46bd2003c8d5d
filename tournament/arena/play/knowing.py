"""What planning is told of a competition: gathered from its rows, rules, tallies and ladder."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from tournament.arena.acts import Disqualified, read_acts
from tournament.arena.files import (
    ACTS_FILE,
    COMPETITION_FILE,
    ROUND_FILE,
    VERSION_FILE,
    ActKind,
    CompetitionFile,
    Lane,
    RoundFile,
    RoundKind,
    VersionFile,
    parse_moment,
    read_json,
    version_name,
)
from tournament.arena.folder import CompetitionFolder
from tournament.arena.ladder_file import LadderFile, read_ladder
from tournament.arena.models import BotRow, Challenge, CompetitionRow, RoundRow, VersionRow
from tournament.arena.play.house import HouseBot, groups_of, house_bots
from tournament.arena.play.rounds import entrant_of_version
from tournament.arena.play.tallies import Tallies
from tournament.arena.rules import read_rules
from tournament.arena.scheduling.days import day_of
from tournament.arena.scheduling.known import (
    KnownChallenge,
    KnownCheck,
    KnownCompetition,
    KnownGroup,
    KnownVersion,
)
from tournament.arena.season.beginning import SeasonEnvironment, season_environment
from tournament.arena.transitions import CompetitionState, RoundState, VersionState
from tournament.entrants.model import Entrant
from tournament.errors import TournamentError
from tournament.store.files import FileStamp, stamp_of

_ADMITTING = (VersionState.CHECKING, VersionState.ACCEPTED)
_CHALLENGEABLE = tuple(state.value for state in (VersionState.ACTIVE, VersionState.RETIRED, VersionState.PARKED))


class LaneRecord:
    """What a referee remembers of its own work for one competition; nothing is lost when it forgets."""

    def __init__(self) -> None:
        """Starts with nothing done."""
        self._works: list[tuple[float, Lane, float]] = []
        self.checked_last = False
        self.placements_in_a_row = 0

    def note(self, lane: Lane, kind: RoundKind | None, *, at: float, seconds: float) -> None:
        """Takes in that a round of a kind, or with None a check, took so many seconds of a lane until a time."""
        self._works = [work for work in self._works if work[0] > at - 3600] + [(at, lane, seconds)]
        if lane is Lane.QUICK:
            self.checked_last = kind is None
            if kind is RoundKind.PLACEMENT:
                self.placements_in_a_row += 1
            elif kind is RoundKind.CHALLENGE:
                self.placements_in_a_row = 0

    def lane_ms(self, now: float) -> dict[Lane, int]:
        """Returns how long each lane worked in the hour before a time."""
        sums: dict[Lane, float] = defaultdict(float)
        for at, lane, seconds in self._works:
            if at > now - 3600:
                sums[lane] += 1000 * seconds
        return {lane: int(ms) for lane, ms in sums.items()}


class Competition:
    """A competition as a referee has it: its row, rules and house bots, its tallies, and the versions it has read."""

    def __init__(self, row: CompetitionRow, folder: CompetitionFolder) -> None:
        """Reads rules and tallies. Raises `ConfigurationError`."""
        self.row = row
        self.folder = folder
        self.record = LaneRecord()
        self.tallies = Tallies(folder)
        self.rules: CompetitionFile = read_rules(folder)
        self.house: tuple[HouseBot, ...] = house_bots(self.rules, folder)
        self._rules_written = 0
        self._acts_bytes = -1
        self.disqualified = Disqualified(())
        self.given_up: dict[int, str] = {}
        """Rounds that a host abandons, with the reason."""

        self.told_of_environment: str | None = None
        """The digest of the environment that hosts were told of last."""

        self.read_acts()
        self._environment: tuple[object, SeasonEnvironment] | None = None
        self._environments: dict[int, str] = {}
        self._ladder: tuple[FileStamp, LadderFile | None] | None = None
        self._entrants: dict[tuple[str, str], Entrant | None] = {}

    def read_rules(self) -> None:
        """Reads the rules once more, as a host may have changed them. Raises `ConfigurationError`."""
        written = (self.folder.path / COMPETITION_FILE).stat()
        if written.st_mtime_ns == self._rules_written:
            return
        rules = read_rules(self.folder)
        self._rules_written = written.st_mtime_ns
        if rules != self.rules:
            self.house = house_bots(rules, self.folder)
            self.rules = rules

    def read_acts(self) -> None:
        """Reads what hosts did, where there is more of it. Raises `RunError`."""
        path = self.folder.path / ACTS_FILE
        size = path.stat().st_size if path.exists() else 0
        if size == self._acts_bytes:
            return
        acts = read_acts(self.folder)
        self._acts_bytes = size
        self.disqualified = Disqualified(acts)
        abandoned = [act for act in acts if act.kind is ActKind.ABANDON]
        self.given_up = {act.round: act.text or "" for act in abandoned if act.round is not None}

    @property
    def environment(self) -> SeasonEnvironment:
        """What it is played with here and now; worked out anew when rules or installed packages change.

        Raises `ConfigurationError` for a package that is not installed.
        """
        key = (self.rules.packages, self.rules.games, _installed())
        if self._environment is None or self._environment[0] != key:
            self._environment = (key, season_environment(self.rules))
        return self._environment[1]

    def environment_of_season(self) -> str | None:
        """Returns the digest of what its season began with; None before its first round."""
        season = self.row.season
        if season not in self._environments:
            rounds = RoundRow.objects.filter(competition=self.row, season=season).order_by("number")
            for number in rounds.values_list("number", flat=True).iterator():
                with suppress(TournamentError):  # a damaged file is told of elsewhere
                    self._environments = {season: self.file_of_round(number).environment}
                    break
        return self._environments.get(season)

    def ladder(self) -> LadderFile | None:
        """Returns its ladder, read anew where its file has changed; None before the first. Raises `RunError`."""
        stamp = stamp_of(self.folder.ladder)
        if self._ladder is None or self._ladder[0] != stamp:
            self._ladder = (stamp, read_ladder(self.folder))
        return self._ladder[1]

    def file_of(self, version: VersionRow) -> VersionFile:
        """Returns what `version.json` says of a version. Raises `RunError`."""
        return read_json(self.folder.version(version.bot.name, version.number).path / VERSION_FILE, VersionFile)

    def file_of_round(self, number: int) -> RoundFile:
        """Returns what `round.json` says of a round. Raises `RunError`."""
        return read_json(self.folder.round(number) / ROUND_FILE, RoundFile)

    def name_of(self, version: VersionRow) -> str:
        """Returns how a version is named in rounds."""
        return version_name(version.bot.name, version.number)

    def received(self, name: str) -> VersionRow:
        """Returns the version of a name that waits for its check."""
        return next(one for one in self._versions(VersionState.RECEIVED) if self.name_of(one) == name)

    def files_of(self, names: Collection[str]) -> dict[str, VersionFile]:
        """Returns what `version.json` says of those of some entrants that are no house bots. Raises `RunError`."""
        rows = VersionRow.objects.filter(bot__competition=self.row).select_related("bot")
        return {name: self.file_of(row) for row in rows if (name := self.name_of(row)) in names}

    def entrant_of(self, version: VersionRow) -> Entrant | None:
        """Returns a version as one that takes part; None where its program cannot be read any more."""
        key = (self.name_of(version), version.digest)
        if key not in self._entrants:
            try:
                self._entrants[key] = entrant_of_version(self.folder, self.file_of(version))
            except TournamentError:
                self._entrants[key] = None
        return self._entrants[key]

    def forget_entrants(self) -> None:
        """Has all programs read anew when they are asked for: one may be damaged by now."""
        self._entrants.clear()

    def known(
        self,
        now: datetime,
        *,
        clock: float,
        rests: Callable[[VersionRow], bool] = lambda version: False,
        failures: Callable[[VersionRow], int] = lambda version: 0,
        is_over: bool = False,
    ) -> KnownCompetition:
        """Returns all that planning is told; `clock` is a time of the monotonic clock, for what each lane worked.

        `rests` says of a version that was received whether its check may not begin yet, `failures` how often the
        machine failed at it. `is_over`: the date has come at which it closes. Raises `RunError`.
        """
        row, rules = self.row, self.rules
        gathered = _Gathered(self, now, self.ladder())
        in_placement = self._in_placement()
        versions = [one for one in self._versions(VersionState.ACTIVE) if self.name_of(one) not in in_placement]
        checks = self._versions(VersionState.RECEIVED)
        finals = RoundRow.objects.filter(
            competition=row, season=row.season, kind=RoundKind.FINAL.value, state=RoundState.COMPLETE.value
        )
        state = CompetitionState.CLOSED if is_over else CompetitionState(row.state)
        return KnownCompetition(
            name=row.name,
            state=state,
            groups=tuple(KnownGroup(name=name, players=players) for name, _, players in groups_of(rules)),
            house=tuple(gathered.house_bot(bot) for bot in self.house),
            versions=tuple(filter(None, map(gathered.version, versions))),
            checks=tuple(
                KnownCheck(
                    name=self.name_of(one),
                    owners=_owners(one.bot),
                    since=one.received,
                    failures=failures(one),
                    rests=rests(one),
                )
                for one in checks
            ),
            challenges=tuple(self._challenges(gathered)),
            time_zone=rules.time_zone,
            freezes=None if rules.freezes is None else parse_moment(rules.freezes),
            round_seconds=rules.round_seconds,
            deals_a_day=rules.deals_a_day,
            placement_deals=rules.placement_deals,
            final=rules.final,
            is_admitting=bool(in_placement) or any(map(self._versions, _ADMITTING)),
            wants_final=state is CompetitionState.FROZEN and not finals.exists(),
            rounds_made=row.rounds_made,
            lane_ms=self.record.lane_ms(clock),
            checked_last=self.record.checked_last,
            placements_in_a_row=self.record.placements_in_a_row,
        )

    def _in_placement(self) -> set[str]:
        """Returns the names of those whose placement is planned, played or interrupted."""
        rounds = RoundRow.objects.filter(competition=self.row, kind=RoundKind.PLACEMENT.value)
        under_way = rounds.exclude(state__in=(RoundState.COMPLETE.value, RoundState.ABANDONED.value))
        return {name for one in under_way for name in self.file_of_round(one.number).focus}

    def _versions(self, state: VersionState) -> list[VersionRow]:
        rows = VersionRow.objects.filter(bot__competition=self.row, state=state.value)
        return list(rows.select_related("bot").prefetch_related("bot__owners").order_by("received", "pk"))

    def _challenges(self, gathered: _Gathered) -> Iterable[KnownChallenge]:
        waiting = Challenge.objects.filter(competition=self.row, round=None, version__state__in=_CHALLENGEABLE)
        for challenge in waiting.select_related("version__bot").prefetch_related("opponents__bot"):
            own = gathered.version(challenge.version)
            others = [gathered.version(one) for one in challenge.opponents.all() if one.state in _CHALLENGEABLE]
            others += [gathered.house_bot(bot) for bot in self.house if bot.name in challenge.house]
            if own is not None:
                yield KnownChallenge(
                    number=challenge.pk,
                    version=own,
                    opponents=tuple(filter(None, others)),
                    asked=challenge.asked,
                )


class _Gathered:
    """What a season has of each entrant at one look."""

    def __init__(self, competition: Competition, now: datetime, ladder: LadderFile | None) -> None:
        self._competition = competition
        self._groups = list(groups_of(competition.rules))
        self._ladder = ladder
        season, day = competition.row.season, day_of(now, competition.rules.time_zone)
        self._season = competition.tallies.sums(season)
        self._today = competition.tallies.ladder_deals_on(season, day)

    def version(self, row: VersionRow) -> KnownVersion | None:
        entrant = self._competition.entrant_of(row)
        if entrant is None:
            return None
        name = self._competition.name_of(row)
        line = None if self._ladder is None else self._ladder.row(name)
        strength = None if line is None or line.strength is None else line.strength.value
        return KnownVersion(
            name=name,
            owners=_owners(row.bot),
            groups=self._played(entrant),
            since=row.changed,
            placed=name in self._season.placed,
            strength=strength,
            rank=None if line is None else line.rank,
            may_be_first=line is not None and line.best_rank == 1,
            **self._sums(name),
        )

    def house_bot(self, bot: HouseBot) -> KnownVersion:
        return KnownVersion(
            name=bot.name,
            groups=self._played(bot.entrant),
            since=self._competition.row.created,
            **self._sums(bot.name),
        )

    def _played(self, entrant: Entrant) -> frozenset[str]:
        return frozenset(group for group, game, players in self._groups if entrant.plays(game, players))

    def _sums(self, name: str) -> dict[str, Any]:
        return {
            "deals": dict(self._season.deals.get(name, {})),
            "deals_today": dict(self._today.get(name, {})),
            "game_ms": self._season.game_ms(name),
        }


def _installed() -> tuple[int, ...]:
    """Returns what changes when a package is installed, changed or removed: when the folders of packages changed."""
    return tuple(place.stat().st_mtime_ns for place in map(Path, sys.path) if place.is_dir())


def _owners(bot: BotRow) -> frozenset[str]:
    return frozenset(str(owner.pk) for owner in bot.owners.all())
