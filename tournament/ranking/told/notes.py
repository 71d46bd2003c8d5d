"""What runs that are ranked say of themselves, as sentences in English, which `spoken` translates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tournament.languages import KeptWord, gettext_noop, kept_gettext, kept_row
from tournament.ranking.told.reasons import reason_withdrawn
from tournament.records.run import Extent, RunInfo
from tournament.schedule.extents import format_extent
from tournament.text import format_names

STOPPED_EARLY: Final = gettext_noop(
    "The run stopped early, as soon as that was clear: intervals and probabilities are those of a run of fixed length, "
    "and say too much."
)


def notes_by_run(
    paths: Sequence[Path], infos: Sequence[RunInfo | None], extents: Sequence[Extent | None], *, asked: int | None
) -> Iterator[str]:
    """Yields what each run says of itself and how much of it was played; of several runs each after its path."""
    for path, info, extent in zip(paths, infos, extents, strict=True):
        notes = [] if info is None else list(_notes_of(path if path.is_dir() else path.parent, info, asked))
        if extent is not None and (extent.left_out or extent.in_place):
            notes.append(format_extent(extent))
        yield from (note if len(paths) == 1 else kept_row([str(path), note], ": ") for note in notes)


def _notes_of(folder: Path, info: RunInfo, asked: int | None) -> Iterator[str]:
    """Yields what a run says of itself, where all its segments are ranked or the one `asked` for."""
    if info.decision is not None:
        played = kept_gettext("Played until decided: {decision}", decision=info.decision.text)
        yield kept_row([played, kept_gettext(STOPPED_EARLY)], " ") if info.decision.decided else played
    for entrant in info.entrants:
        games = {bot.game for bot in entrant.bots}
        out = [one.name for one in info.groups if one.game in games and entrant.name not in one.entrants]
        if out:
            yield kept_gettext(
                "{entrant} takes no part in {groups}: `players` in its entry leaves it out there.",
                entrant=entrant.name,
                groups=", ".join(out),
            )
    for withdrawal in info.withdrawn:
        yield kept_gettext(
            "{entrant} was withdrawn after {block}: {why}",
            entrant=withdrawal.entrant,
            block=withdrawal.after,
            why=reason_withdrawn(folder, withdrawal),
        )
    for one in info.disqualified:
        yield kept_gettext(
            "{entrant} is disqualified, and none of its tables counts: {why}", entrant=one.entrant, why=one.reason
        )
    for void in info.void:
        yield kept_gettext("{block} was not played: {why}", block=void.block, why=KeptWord(void.why))
    for segment in info.segments:
        if segment.final and segment.number != asked:
            command = f"tournament standings RUN --segment {segment.number}"
            yield kept_gettext(
                "Segment {number} is a final. It is ranked alone: `{command}`.", number=segment.number, command=command
            )


def notes_of_knockouts(infos: Sequence[RunInfo | None], knockouts: Sequence[RunInfo]) -> Iterator[str]:
    """Yields why standings of knockouts leave something out."""
    if len(infos) == 1 and any(len(info.groups) > 1 for info in knockouts):
        yield kept_gettext(
            "A knockout has a winner in each group, and no championship: its entrants met different bots."
        )
    elif len(infos) > 1:
        for info in knockouts:
            yield kept_gettext(
                "{run} is a knockout, in which results decided who met whom: pooled with others, nothing is claimed in "
                "{groups}.",
                run=info.name,
                groups=", ".join(group.name for group in info.groups),
            )


def empty_groups(infos: Iterable[RunInfo], played: Collection[str]) -> Iterator[str]:
    """Yields which groups have no game that counts."""
    for name in dict.fromkeys(group.name for info in infos for group in info.groups):
        if name not in played:
            yield kept_gettext("{group} is not ranked: none of its games counts.", group=name)


def same_bot(names: Sequence[str], groups: Iterable[str]) -> str:
    """Returns that entrants of some groups are the same bot."""
    return kept_gettext(
        "{names} are the same bot in {groups}, by code and parameters: what tells them apart is luck.",
        names=kept_gettext("{first} and {second}", first=names[0], second=names[1])
        if len(names) == 2
        else format_names(names),
        groups=", ".join(groups),
    )
