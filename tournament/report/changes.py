"""Two runs compared: who moved in the ranking, and whether that is more than luck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tournament.ranking.changes import comparison_of
from tournament.ranking.sources import Sources
from tournament.records.comparison import Change, ChangeVerdict, PlaceRange, RankingChange
from tournament.records.figures import format_figure, format_range
from tournament.records.standings import INTERIM
from tournament.report.choices import TableFormat
from tournament.report.tables import (
    Column,
    ReportPart,
    figure_cells,
    format_csv,
    format_json,
    format_markdown,
    format_text,
    numbers,
)

_WORDS = {
    ChangeVerdict.LUCK: "may be luck",
    ChangeVerdict.BETTER: "better",
    ChangeVerdict.WORSE: "worse",
    ChangeVerdict.OTHERS: "other bots changed",
    ChangeVerdict.OPPOSITION: "other opponents",
    ChangeVerdict.UNEXPLAINED: "no reason known",
}


def format_rankings(before: Sources, after: Sources, *, form: TableFormat, width: int = 100) -> str:
    """Returns two rankings side by side: who moved, by how much, and whether that is more than luck.

    Both must have named their deals, so that a deal played in both counts as one. Raises `UsageError` when there is
    nothing to compare.
    """
    compared = comparison_of(before, after)
    if form is TableFormat.JSON:
        return format_json(compared)
    if form is TableFormat.CSV:
        return _rankings_csv(compared.changes)
    parts = [ReportPart(lines=(INTERIM,))] if compared.interim else []
    parts += [ReportPart(lines=compared.notes)] if compared.notes else []
    parts += [_change_part(name, change) for name, change in compared.changes.items()]
    if compared.not_compared:
        lines = [f"{name} is not compared: {why}." for name, why in compared.not_compared.items()]
        parts.append(ReportPart(lines=lines))
    return format_markdown(parts) if form is TableFormat.MARKDOWN else format_text(parts, width=width)


def _change_part(name: str, change: RankingChange) -> ReportPart:
    return ReportPart(
        title=f"{name}: before and after",
        columns=(
            *map(Column, ("entrant", "bot", "place before", "place after")),
            *(*numbers("change of points"), Column("verdict")),
        ),
        rows=[
            (
                moved.entrant,
                "same" if moved.same_bot else "changed",
                _format_places(moved.before),
                _format_places(moved.after),
                format_figure(moved.difference, digits=3, signed=True),
                _WORDS[moved.verdict],
            )
            for moved in change.changes
        ],
        lines=list(_lines(change)),
    )


def _lines(change: RankingChange) -> Iterator[str]:
    own = [moved for moved in change.changes if moved.verdict in (ChangeVerdict.BETTER, ChangeVerdict.WORSE)]
    if own:
        yield f"More than luck: {', '.join(f'{moved.entrant} became {_WORDS[moved.verdict]}' for moved in own)}."
    elif all(moved.verdict is ChangeVerdict.LUCK for moved in change.changes):
        yield "All changes may be luck."
    if others := _named(change.changes, ChangeVerdict.OTHERS):
        yield f"The same bot in both, whose points changed because other bots did: {others}."
    if met_others := _named(change.changes, ChangeVerdict.OPPOSITION):
        yield (
            f"Met other opponents, or the same ones more or less often, which alone changes points: {met_others}. Play "
            "both runs with the same bots and the same schedule, or let the two versions meet in one run."
        )
    if unexplained := _named(change.changes, ChangeVerdict.UNEXPLAINED):
        yield (
            f"More than luck, although no bot changed: {unexplained}. Something else differs: the machine, the clock, "
            "the schedule, or a file that a bot reads."
        )
    if len(change.changed) > 1 and own:
        yield "Several bots changed: what one gained may be what another lost."
    for who, where in ((change.only_before, "before"), (change.only_after, "after")):
        if who:
            yield (
                f"Only {where}: {', '.join(who)}. The others met other opponents, which alone changes points; "
                "places count only bots that are in both runs."
            )


def _named(changes: Sequence[Change], verdict: ChangeVerdict) -> str:
    return ", ".join(moved.entrant for moved in changes if moved.verdict is verdict)


def _format_places(range_: PlaceRange) -> str:
    if range_.withdrawn:
        return "withdrawn"
    if range_.best_rank == range_.worst_rank:
        return str(range_.place)
    return f"{range_.place} ({format_range(range_.best_rank, range_.worst_rank)})"


def _rankings_csv(changes: Mapping[str, RankingChange]) -> str:
    headers = ("scope", "entrant", "same_bot", "place_before", "best_before", "worst_before", "place_after")
    return format_csv(
        (*headers, "best_after", "worst_after", "change", "error", "low", "high", "verdict", "deals"),
        [
            (
                name,
                moved.entrant,
                str(moved.same_bot).lower(),
                *(moved.before.place, moved.before.best_rank, moved.before.worst_rank),
                *(moved.after.place, moved.after.best_rank, moved.after.worst_rank),
                *figure_cells(moved.difference),
                str(moved.verdict),
                moved.difference.deals,
            )
            for name, change in changes.items()
            for moved in change.changes
        ],
    )
