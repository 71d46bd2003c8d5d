"""The rows of versions and rounds as their folders say: brought up to date when a referee begins, or made anew."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import transaction

from tournament.arena.files import (
    ROUND_FILE,
    VERSION_FILE,
    RoundFile,
    VersionFile,
    parse_moment,
    read_json,
)
from tournament.arena.folder import UNFINISHED, CompetitionFolder
from tournament.arena.models import BotRow, Challenge, CompetitionRow, RoundRow, VersionRow
from tournament.arena.play.tallies import games_of, run_in
from tournament.arena.states import WHY_CHARACTERS, locked, values_of
from tournament.arena.transitions import RoundState, VersionState
from tournament.records.run import RunInfo


def version_places(folder: CompetitionFolder) -> Iterator[Path]:
    """Yields the folder of each version."""
    yield from sorted(path.parent for path in folder.bots.glob(f"*/[0-9]*/{VERSION_FILE}"))


def remove_unfinished(folder: CompetitionFolder) -> None:
    """Removes what is there of versions in whose making the site was killed; nobody was told that they were taken."""
    for place in list(folder.bots.glob(f"*/{UNFINISHED}*")):
        with locked(folder.bots):  # one that is being made has its name once the lock is free
            shutil.rmtree(place, ignore_errors=True)


def round_places(folder: CompetitionFolder) -> Iterator[Path]:
    """Yields the folder of each round, by number."""
    yield from sorted(path.parent for path in folder.rounds.glob(f"[0-9]*/{ROUND_FILE}"))


def index_version(row: CompetitionRow, place: Path) -> VersionRow:
    """Returns the row of a version as its file says, made where there is none. Raises `RunError`."""
    file = read_json(place / VERSION_FILE, VersionFile)
    received = parse_moment(file.received)
    bot, _ = BotRow.objects.get_or_create(competition=row, name=file.bot, defaults={"created": received})
    if bot.versions_made < file.number:
        bot.versions_made = file.number
        bot.save(update_fields=["versions_made"])
    values = {
        **values_of(file),
        "received": received,
        "upload_digest": file.upload_digest,
        "check_only": file.check_only,
    }
    found = VersionRow.objects.filter(bot=bot, number=file.number).first()
    if file.state is VersionState.ACTIVE:  # of a database that is older than the folders another one may be so
        others = VersionRow.objects.filter(bot=bot, state=VersionState.ACTIVE.value).exclude(number=file.number)
        others.update(state=VersionState.RETIRED.value)
    if found is None:
        return VersionRow.objects.create(bot=bot, number=file.number, **values)
    if any(getattr(found, name) != value for name, value in values.items()):
        VersionRow.objects.filter(pk=found.pk).update(**values)
        for name, value in values.items():
            setattr(found, name, value)
    return found


def index_round(row: CompetitionRow, place: Path, *, is_fresh: bool = False) -> RoundRow:
    """Returns the row of a round as its file says, made where there is none. Raises `RunError`.

    A row whose state is that of the file is believed, unless `is_fresh`.
    """
    file = read_json(place / ROUND_FILE, RoundFile)
    found = RoundRow.objects.filter(competition=row, number=file.number).first()
    if found is not None:
        _link_challenge(found, file)
    if (
        found is not None
        and not is_fresh
        and (found.state, found.why) == (file.state.value, (file.why or "")[:WHY_CHARACTERS])
    ):
        return found
    values: dict[str, Any] = {
        "season": file.season,
        "kind": file.kind.value,
        "lane": file.lane.value,
        "state": file.state.value,
        "planned": parse_moment(file.planned),
        "why": (file.why or "")[:WHY_CHARACTERS],
    }
    info = run_in(place)
    if info is not None:
        values |= _times_of(info, file.state)
    with transaction.atomic():  # its number is used up once it is there
        if found is None:
            found = RoundRow.objects.create(competition=row, number=file.number, **values)
            names = [(one.bot, one.number) for one in file.entrants if one.number is not None]
            versions = VersionRow.objects.filter(bot__competition=row, bot__name__in={bot for bot, _ in names})
            found.versions.set(
                [version for version in versions.select_related("bot") if (version.bot.name, version.number) in names]
            )
            _link_challenge(found, file)
        else:
            RoundRow.objects.filter(pk=found.pk).update(**values)
            found.refresh_from_db()
        if row.rounds_made < file.number:
            row.rounds_made = file.number
            row.save(update_fields=["rounds_made"])
    return found


def _link_challenge(found: RoundRow, file: RoundFile) -> None:
    """Has a round be that of its challenge, which no other round is made for then.

    A challenge that was asked for later has the number of one that an older database had.
    """
    if file.challenge is None:
        return
    asked_before = parse_moment(file.planned) + timedelta(seconds=1)  # the time in the file has no fraction
    waiting = Challenge.objects.filter(
        pk=file.challenge, competition=found.competition_id, round=None, asked__lt=asked_before
    )
    challenge = waiting.first()
    if challenge is not None and waiting.update(round=found) == 1:
        RoundRow.objects.filter(pk=found.pk).update(asked_by=challenge.asked_by_id)


def _times_of(info: RunInfo, state: RoundState) -> dict[str, Any]:
    values: dict[str, Any] = {"started": datetime.fromisoformat(info.started)}
    if state is RoundState.COMPLETE and info.finished is not None:
        values |= {"ended": datetime.fromisoformat(info.finished), "games": games_of(info)}
    return values
