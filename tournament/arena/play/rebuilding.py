"""Index and ladders made anew from the folders alone: the rows of competitions, versions and rounds, and outcomes.

Who may do what stands in the database only, and stays as it is.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from msgspec import Struct

from tournament.arena.acts import read_acts, state_after
from tournament.arena.files import COMPETITION_FILE, ActKind, CompetitionFile, format_moment, parse_moment
from tournament.arena.folder import ArenaFolder, CompetitionFolder
from tournament.arena.ladder_file import LadderFile
from tournament.arena.models import CompetitionRow, RoundRow, VersionRow
from tournament.arena.play.indexing import (
    index_round,
    index_version,
    remove_unfinished,
    round_places,
    version_places,
)
from tournament.arena.play.knowing import Competition
from tournament.arena.play.ladders import publish_ladder
from tournament.arena.rules import columns_of, read_rules
from tournament.arena.transitions import RoundState
from tournament.errors import RunError


class Rebuilt(Struct, frozen=True, kw_only=True):
    """What was made anew of a competition."""

    name: str
    versions: int
    rounds: int
    ladder: LadderFile


def rebuild(
    folder: ArenaFolder, *, now: datetime, say: Callable[[str], object] = lambda text: None
) -> tuple[Rebuilt, ...]:
    """Makes rows, outcomes and ladders of all competitions of an arena anew, and returns what there is then.

    Django has been set up. Raises `RunError` while a referee works, and for a damaged folder.
    """
    with _alone(folder):
        return tuple(_rebuilt(place, now=now, say=say) for place in _competitions(folder))


@contextmanager
def _alone(folder: ArenaFolder) -> Iterator[None]:
    descriptor = os.open(folder.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise RunError(f"A referee has {folder.path}. Stop it first: it would write what is made anew.") from None
        yield
    finally:
        os.close(descriptor)


def _competitions(folder: ArenaFolder) -> list[CompetitionFolder]:
    return [CompetitionFolder(path.parent) for path in sorted(folder.competitions.glob(f"*/{COMPETITION_FILE}"))]


def _rebuilt(folder: CompetitionFolder, *, now: datetime, say: Callable[[str], object]) -> Rebuilt:
    row = _index_competition(folder, read_rules(folder), now=now)
    remove_unfinished(folder)
    versions = {index_version(row, place).pk for place in version_places(folder)}
    VersionRow.objects.filter(bot__competition=row).exclude(pk__in=versions).delete()
    rounds = {index_round(row, place, is_fresh=True).pk for place in round_places(folder)}
    RoundRow.objects.filter(competition=row).exclude(pk__in=rounds).delete()
    shutil.rmtree(folder.outcomes, ignore_errors=True)
    competition = Competition(row, folder)
    _index_tallies(competition)
    ladder = publish_ladder(competition, made=format_moment(now), is_fresh=True)
    say(f"{row.name}: {len(versions)} versions, {len(rounds)} rounds, {ladder.games} games on the ladder.")
    return Rebuilt(name=row.name, versions=len(versions), rounds=len(rounds), ladder=ladder)


def _index_competition(folder: CompetitionFolder, rules: CompetitionFile, *, now: datetime) -> CompetitionRow:
    acts = read_acts(folder)
    created = parse_moment(acts[0].at) if acts else now
    row, _ = CompetitionRow.objects.get_or_create(name=folder.path.name, defaults={"created": created})
    for name, value in columns_of(rules).items():
        setattr(row, name, value)
    if acts and acts[0].kind is ActKind.CREATE:
        state, row.season = state_after(acts)
        row.state, row.created = state.value, created
    row.save()
    return row


def _index_tallies(competition: Competition) -> None:
    """Keeps the tallies of all rounds, and works out whose placement is complete."""
    rounds = RoundRow.objects.filter(competition=competition.row, state=RoundState.COMPLETE.value)
    for number in rounds.order_by("number").values_list("number", flat=True):
        if number not in competition.tallies:
            competition.tallies.add(number)
    placed = competition.tallies.sums(competition.row.season).placed
    for version in VersionRow.objects.filter(bot__competition=competition.row).select_related("bot"):
        name = competition.name_of(version)
        version.placed = name in placed
        version.save(update_fields=["placed"])
