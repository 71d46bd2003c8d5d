"""Whether there is news of what people look at: a stamp that changes with it, for streams and pages that are kept."""

from __future__ import annotations

import time
from collections.abc import Iterable
from enum import StrEnum
from hashlib import blake2b
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Max
from django.utils.timezone import now

from tournament.arena.files import COMPETITION_FILE
from tournament.arena.folder import CheckFile, CompetitionFolder
from tournament.arena.models import Announcement, CompetitionRow, RoundRow, Trouble, VersionRow
from tournament.arena.operating.fitness_file import FITNESS_FILE
from tournament.arena.places import arena_folder, competition_folder
from tournament.arena.transitions import RoundState
from tournament.arena.web.visits import are_standings_shown, rules_of
from tournament.errors import TournamentError
from tournament.records.results import RESULTS_FILE
from tournament.store.files import stamp_of

FRESH_SECONDS: Final = 2.0
"""For so long the stamp that somebody has looked up is good enough for others."""


class NewsKind(StrEnum):
    """What a stream is about."""

    COMPETITION = "competition"
    GAMES = "games"
    """A competition, and the games that its rounds have by now."""

    VERSION = "version"
    CONTROL = "control"


class NewsSubject(NamedTuple):
    """One thing that streams follow, by its key in the database."""

    kind: NewsKind
    key: int


class _Looked(NamedTuple):
    stamp: str
    began: float


_looked: dict[NewsSubject, _Looked] = {}


def stamp(subject: NewsSubject) -> str:
    """Returns a value that changes whenever there is news of a subject."""
    found: tuple[object, ...]
    if subject.kind is NewsKind.VERSION:
        found = _stamp_of_version(subject.key)
    else:
        found = _stamp_of_competition(subject.key)
        if subject.kind is NewsKind.GAMES:
            found = (*found, _stamps_of_games(subject.key))
        elif subject.kind is NewsKind.CONTROL:
            found = (*found, Trouble.objects.aggregate(last=Max("id"))["last"], int(now().timestamp()) // 10)
    return blake2b(repr(found).encode(), digest_size=8).hexdigest()


def _stamp_of_competition(key: int) -> tuple[object, ...]:
    row = CompetitionRow.objects.filter(pk=key).first()
    if row is None:
        return ()
    folder = competition_folder(row)
    rounds = RoundRow.objects.filter(competition=key)
    versions = VersionRow.objects.filter(bot__competition=key)
    return (
        (row.name, row.title, row.state, row.season, row.opens, row.freezes, row.closes),
        tuple(map(stamp_of, (folder.ladder, folder.path / COMPETITION_FILE, arena_folder().path / FITNESS_FILE))),
        _are_standings_shown(folder),
        rounds.aggregate(Max("number"), Max("ended")),
        list(rounds.filter(state=RoundState.PLAYING).order_by("number").values_list("number", flat=True)),
        versions.aggregate(Max("changed"), Max("received")),
        Announcement.objects.filter(competition=key).aggregate(Max("id")),
    )


def _stamps_of_games(key: int) -> list[object]:
    playing = RoundRow.objects.filter(competition=key, state=RoundState.PLAYING).select_related("competition")
    return [stamp_of(competition_folder(row.competition).round(row.number) / RESULTS_FILE) for row in playing]


def _are_standings_shown(folder: CompetitionFolder) -> bool | None:
    """Returns whether their date has come; None where the rules cannot be read."""
    try:
        return are_standings_shown(rules_of(folder))
    except (TournamentError, OSError):
        return None


def _stamp_of_version(key: int) -> tuple[object, ...]:
    row = VersionRow.objects.filter(pk=key).select_related("bot__competition").first()
    if row is None:
        return ()
    folder = arena_folder().competition(row.bot.competition.name).version(row.bot.name, row.number)
    files = tuple(map(stamp_of, (folder.check / CheckFile.STEPS, folder.check / CheckFile.BUILD)))
    return (row.state, row.changed, row.placed, files)


def look(subjects: Iterable[NewsSubject]) -> dict[NewsSubject, str]:
    """Returns the stamps of subjects, keeps them for others, and keeps no connection to the database."""
    began = time.monotonic()
    try:
        found = {subject: stamp(subject) for subject in subjects}
    finally:
        connection.close()
    _looked.update({subject: _Looked(one, began) for subject, one in found.items()})
    return found


def fresh_stamp(subject: NewsSubject) -> str | None:
    """Returns the stamp that somebody looked up a moment ago; None where nobody did."""
    looked = _looked.get(subject)
    return looked.stamp if looked is not None and time.monotonic() - looked.began <= FRESH_SECONDS else None
