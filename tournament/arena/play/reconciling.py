"""What a killed referee, site or machine left half done, put right before anything else is done."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tournament.arena.acts import read_acts, state_after
from tournament.arena.files import ROUND_FILE, VERSION_FILE, ActKind
from tournament.arena.folder import UNFINISHED
from tournament.arena.models import RoundRow, VersionRow
from tournament.arena.play.desk import Desk
from tournament.arena.play.indexing import (
    index_round,
    index_version,
    remove_unfinished,
    round_places,
    version_places,
)
from tournament.arena.play.knowing import Competition
from tournament.arena.play.tallies import Tallies
from tournament.arena.play.works import follow_start, settle_accepted, settle_round
from tournament.arena.season.beginning import move_season
from tournament.arena.states import locked, move_round, move_version
from tournament.arena.transitions import RoundState, VersionState
from tournament.errors import TournamentError
from tournament.text import format_count, format_names

OLD_SECONDS: Final = 3600.0
"""An upload that has not grown for so long is received no more."""

STOPPED: Final = "The referee stopped while it was checked. It is checked again."


def remove_old_uploads(folder: Path) -> None:
    """Removes uploads whose senders went away."""
    for path in folder.glob("*"):
        if path.stat().st_mtime < time.time() - OLD_SECONDS:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def reconcile(competition: Competition, desk: Desk) -> None:
    """Brings rows to what the folders say, and puts back what was under way. Trouble is told of what cannot be."""
    _reconcile_state(competition)
    _reconcile_versions(competition, desk)
    _reconcile_rounds(competition, desk)


def _reconcile_state(competition: Competition) -> None:
    acts = read_acts(competition.folder)
    if not acts or acts[0].kind is not ActKind.CREATE:
        return
    state, season = state_after(acts)
    row = competition.row
    if row.state != state.value:
        type(row).objects.filter(pk=row.pk).update(state=state.value)
        row.refresh_from_db()
    if row.season != season:
        move_season(row, season)


def _reconcile_versions(competition: Competition, desk: Desk) -> None:
    row, folder = competition.row, competition.folder
    remove_unfinished(folder)
    seen = set()
    places = list(version_places(folder))
    for place in places:
        try:
            with locked(folder.bots):  # whoever hands in writes the row after the folder
                seen.add(index_version(row, place).pk)
        except TournamentError as error:
            desk.trouble(str(error), competition=row)
    lost = {}
    rows = VersionRow.objects.filter(bot__competition=row).exclude(pk__in=seen)
    for version in rows.select_related("bot").order_by("pk"):
        place = folder.version(version.bot.name, version.number).path
        if place not in places and (place / VERSION_FILE).exists():
            seen.add(version.pk)  # it was handed in meanwhile
        else:
            lost[version.pk] = competition.name_of(version)
    if lost:
        names, then = list(lost.values()), "takes part" if len(lost) == 1 else "take part"
        desk.trouble(_what_is_gone("version", names, where=folder.bots, then=then), competition=row)
    # It stays in the index, for whoever restores its folder; until then it is in no state to play.
    VersionRow.objects.filter(pk__in=lost).exclude(state=VersionState.DISQUALIFIED.value).update(
        state=VersionState.RETIRED.value
    )
    left = VersionRow.objects.filter(bot__competition=row, pk__in=seen).select_related("bot")
    for version in left.filter(state=VersionState.CHECKING.value):
        move_version(version, VersionState.RECEIVED, folder=folder, at=desk.now(), why=STOPPED)
    for version in left.filter(state=VersionState.ACCEPTED.value).order_by("received", "pk"):
        settle_accepted(version, folder=folder, at=desk.now())


def _what_is_gone(noun: str, names: Sequence[str], *, where: Path, then: str) -> str:
    """Returns what hosts are told of versions or rounds whose folders are gone; `then` is what they no longer do."""
    is_one = len(names) == 1
    return (
        f"The {'folder' if is_one else 'folders'} of {format_count(len(names), noun)} "
        f"{'is' if is_one else 'are'} gone: {format_names(names)}. {'It' if is_one else 'They'} {then} no more. "
        f"Restore what is missing in {where} from a backup, and start the referee again."
    )


def _add_tallies(competition: Competition, desk: Desk) -> None:
    """Works out the tallies that are missing: without them placements would be played once more."""
    complete = RoundRow.objects.filter(competition=competition.row, state=RoundState.COMPLETE.value)
    for number in complete.order_by("number").values_list("number", flat=True):
        if number in competition.tallies:
            continue
        try:
            competition.tallies.add(number)
        except TournamentError as error:
            desk.trouble(str(error), competition=competition.row)


def _reconcile_rounds(competition: Competition, desk: Desk) -> None:
    row, folder = competition.row, competition.folder
    for half_made in folder.rounds.glob(f"{UNFINISHED}*"):
        shutil.rmtree(half_made, ignore_errors=True)
    seen = set()
    for place in round_places(folder):
        for half_written in place.glob(f"{ROUND_FILE}.*"):
            half_written.unlink(missing_ok=True)  # beside it, no run is begun, and only a referee writes it
        try:
            seen.add(index_round(row, place).pk)
        except TournamentError as error:
            desk.trouble(str(error), competition=row)
    lost = RoundRow.objects.filter(competition=row).exclude(pk__in=seen)
    numbers = [str(number) for number in lost.order_by("number").values_list("number", flat=True)]
    if numbers:
        told = _what_is_gone("round", numbers, where=folder.rounds, then="counts" if len(numbers) == 1 else "count")
        desk.trouble(told, competition=row)
        shutil.rmtree(folder.outcomes, ignore_errors=True)  # made anew from the folders that are there
        competition.tallies = Tallies(folder)
    lost.delete()
    _add_tallies(competition, desk)
    for one in RoundRow.objects.filter(competition=row, state=RoundState.PLAYING.value):
        if not settle_round(competition, one, at=desk.now()):
            follow_start(competition, one)
            move_round(one, RoundState.INTERRUPTED, folder=folder, at=desk.now())
