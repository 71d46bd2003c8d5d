"""Where in the arena's folder that which a row speaks of lies: short, because models may not know the settings."""

from __future__ import annotations

from django.conf import settings

from tournament.arena.folder import ArenaFolder, CompetitionFolder, VersionFolder
from tournament.arena.models import CompetitionRow, VersionRow
from tournament.arena.operating.settings_file import SignIn


def arena_folder() -> ArenaFolder:
    """Returns the folder of the arena that Django is set up for."""
    folder: ArenaFolder = settings.ARENA_FOLDER
    return folder


def competition_folder(competition: CompetitionRow) -> CompetitionFolder:
    """Returns the folder of a competition."""
    return arena_folder().competition(competition.name)


def version_folder(version: VersionRow) -> VersionFolder:
    """Returns the folder of a version."""
    return competition_folder(version.bot.competition).version(version.bot.name, version.number)


def server_of(provider: str) -> SignIn | None:
    """Returns the server of that id; None when the settings have none any more."""
    return next((one for one in settings.ARENA.sign_in if one.id == provider), None)
