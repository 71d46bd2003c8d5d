"""Which games are shown to those who watch: the best of the last complete blocks, by a rule that the page states.

A game is featured only once all games of its block have been played: until then its deal is secret.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from tournament.ids import group_of
from tournament.languages import gettext, gettext_noop
from tournament.records.results import ResultLine, has_record
from tournament.records.run import RunInfo
from tournament.store.folder import read_run
from tournament.store.results import read_last_results

LAST_BYTES: Final = 262_144
"""So much of the results is looked at: some hundred blocks, however long the run is."""

MOST_BLOCKS: Final = 60
"""So many blocks are old enough to be featured: the newest of the run."""

MOST_FEATURED: Final = 12


class Merit(StrEnum):
    """Why a game is featured."""

    FINAL = "final"
    LEADER = "leader"
    """Somebody who leads the standings sits at the table."""

    NEW = "new"
    """Its block is among the newest."""


MERITS: Final = {
    Merit.FINAL: gettext_noop("From the final."),
    Merit.LEADER: gettext_noop("With a leader of the standings at the table."),
    Merit.NEW: gettext_noop("From the newest block."),
}
"""What is said of a featured game."""


def explain_rule() -> str:
    """Returns the rule by which games are featured, as sentences."""
    return gettext(
        "Shown are games of the newest complete blocks: of a final first, then those with a leader of the standings "
        "at the table, then the newest. Of each block it is the game that ended closest."
    )


class FeaturedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is shown to those who watch; how it ended is not told before."""

    id: str
    group: str
    seats: tuple[str, ...]
    """Who sits where."""

    merit: Merit


def complete_blocks(results: Iterable[ResultLine], info: RunInfo) -> list[tuple[ResultLine, ...]]:
    """Returns the blocks of which every game is among the results, the newest first."""
    players = {group.name: group.players for group in info.groups}
    blocks: defaultdict[str, dict[str, ResultLine]] = defaultdict(dict)
    for result in results:
        blocks[result.block][result.id] = result
    return [
        tuple(games.values())
        for games in reversed(blocks.values())
        if len(games) == players.get(group_of(next(iter(games))))
    ]


def featured_of(
    blocks: Sequence[Sequence[ResultLine]],
    info: RunInfo,
    *,
    leaders: Collection[str],
    is_final: bool = False,
    most: int = MOST_FEATURED,
) -> list[FeaturedGame]:
    """Returns what is featured of complete blocks, which come newest first; games that were not kept are passed over.

    `leaders` are the entrants that lead the standings. `is_final`: the whole run is a final.
    """
    finals = {segment.number for segment in info.segments if segment.final}
    order = list(Merit)
    found = []
    for games in blocks[:MOST_BLOCKS]:
        kept = [game for game in games if has_record(game, keep=info.keep)]
        if not kept:
            continue
        closest = min(kept, key=lambda game: (game.lead, game.id))
        if is_final or closest.segment in finals:
            merit = Merit.FINAL
        else:
            merit = Merit.NEW if set(leaders).isdisjoint(closest.seats) else Merit.LEADER
        found.append(FeaturedGame(id=closest.id, group=group_of(closest.id), seats=closest.seats, merit=merit))
    return sorted(found, key=lambda game: order.index(game.merit))[:most]


def featured_games(folder: Path, *, leaders: Collection[str], is_final: bool = False) -> list[FeaturedGame]:
    """Returns the featured games of a run, the first to be watched first; the run may go on.

    Raises `RunError` for a folder that is no run, and `RecordError` for results that cannot be read. Cost: that of
    reading `LAST_BYTES`, however long the run is.
    """
    info = read_run(folder)
    blocks = complete_blocks(read_last_results(folder, most_bytes=LAST_BYTES), info)
    return featured_of(blocks, info, leaders=leaders, is_final=is_final)


def is_of_complete_block(folder: Path, record_id: str, *, among: Iterable[ResultLine] | None = None) -> bool:
    """Returns whether all games of a game's block are among some results of a run, if none are given the last ones.

    Raises what reading run and results raises.
    """
    results = read_last_results(folder, most_bytes=LAST_BYTES) if among is None else among
    blocks = complete_blocks(results, read_run(folder))
    return any(record_id == game.id for games in blocks for game in games)
