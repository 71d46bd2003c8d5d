"""Seasons: what a season is played with beside its rules, and how another one begins."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec
from django.db import transaction
from msgspec import Struct

from tournament.arena.checks.environment import BotEnvironment, environment_with
from tournament.configuration.rules import group_games
from tournament.records.record import Hex256
from tournament.version import __version__

if TYPE_CHECKING:
    from tournament.arena.files import CompetitionFile
    from tournament.arena.models import CompetitionRow


class SeasonEnvironment(Struct, frozen=True, kw_only=True):
    """What a season is played with on this machine: a change of anything begins another one."""

    tournament: str
    """The version of this program."""

    rules_versions: dict[str, int]
    """By game."""

    bots: BotEnvironment
    """Python, and the packages that bots may import."""

    @property
    def digest(self) -> Hex256:
        """SHA-256, as hex, of all of it."""
        parts = (self.tournament, self.rules_versions, self.bots.digest)
        return hashlib.sha256(msgspec.json.encode(parts, order="sorted")).hexdigest()

    def words(self) -> str:
        """Returns what it is, for everybody: `tournament 0.2.0, CPython 3.11.7 on Linux x86_64`, and so on."""
        rules = [f"rules {number} of {game}" for game, number in sorted(self.rules_versions.items())]
        packages = [f"{package.name} {package.version}" for package in self.bots.packages if package.is_named]
        python = f"{self.bots.python} on {self.bots.machine}"
        return ", ".join([f"tournament {self.tournament}", python, *rules, *packages])


def season_environment(rules: CompetitionFile) -> SeasonEnvironment:
    """Returns what a competition is played with here and now. Raises `ConfigurationError` for a missing package."""
    games = {game.name: game.rules_version for game, _, _ in group_games(rules.games)}
    return SeasonEnvironment(tournament=__version__, rules_versions=games, bots=environment_with(rules.packages))


def move_season(row: CompetitionRow, season: int, **columns: object) -> None:
    """Writes that a season goes on from now, with other columns of the competition: nobody is placed in it yet."""
    from tournament.arena.models import VersionRow

    with transaction.atomic():
        type(row).objects.filter(pk=row.pk).update(season=season, **columns)
        VersionRow.objects.filter(bot__competition=row).update(placed=False)
    row.refresh_from_db()
