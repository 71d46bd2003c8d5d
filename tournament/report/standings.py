"""Standings for people, for spreadsheets and for programs, all made from what `standings.json` has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from tournament.errors import UsageError
from tournament.ranking.ratio import format_ratio_test
from tournament.ranking.sources import Sources, read_sources
from tournament.records.basis import Basis
from tournament.records.standings import (
    CaveatKind,
    ChampionshipRow,
    ChampionshipStandings,
    GroupStandings,
    Rank,
    Row,
    StandingsFile,
)
from tournament.report.brackets import KNOCKOUT_LEGEND, NO_RATINGS, knockout_parts
from tournament.report.figures import (
    INTERIM,
    format_basis,
    format_faults,
    format_number,
    format_points,
    format_range,
    format_rank,
    format_rating,
    format_share,
)
from tournament.report.head_to_head import head_to_head_csv, head_to_head_parts
from tournament.report.history import history_csv, history_parts
from tournament.report.ratings import rating_csv, rating_parts, superiority_csv, superiority_parts
from tournament.report.seats import seat_parts
from tournament.report.standings_rows import STANDINGS_HEADERS, standings_rows
from tournament.report.tables import (
    Column,
    ReportPart,
    TableFormat,
    format_csv,
    format_json,
    format_markdown,
    format_text,
)
from tournament.report.times import TIME_HEADERS, TimeFact, time_parts, time_rows
from tournament.text import format_count

_BRACKETS = "In brackets: behind a place the ranks that are open, behind another number its 95 % interval."
LEGEND = f"Who shares a letter is not told apart. {_BRACKETS}"
LEGEND_WITHOUT_LETTERS = _BRACKETS


class Section(StrEnum):
    """What can be shown of standings."""

    STANDINGS = "standings"
    HEAD_TO_HEAD = "head-to-head"
    SEATS = "seats"
    BALANCE = "balance"
    FORFEITS = "forfeits"
    RATINGS = "ratings"
    SUPERIORITY = "superiority"
    HISTORY = "history"
    TIMES = "times"


def format_standings_file(folder: Path, *, width: int = 100) -> str:
    """Returns the standings of a run, worked out from its records, as tables."""
    sources = read_sources([folder])
    return format_standings(sources.standings(), notes=sources.notes, width=width)


def with_sections(sources: Sources, sections: Collection[Section], *, anchor: str | None = None) -> StandingsFile:
    """Returns the standings of sources, with ratings and course where a section asks for them.

    `anchor` is `NAME=1500`: whose rating is held fast. Raises `UsageError` for one that cannot be. Groups with games
    of a knockout have no ratings.
    """
    # numpy and scipy: only when a ranking is asked for
    from tournament.ranking.history import history
    from tournament.ranking.rating_table import parse_anchor, rating_tables

    file = sources.standings()
    rated = [result for result in sources.results if result.group not in sources.knockouts]
    if Section.RATINGS in sections or Section.SUPERIORITY in sections:
        fixed = None if anchor is None else parse_anchor(anchor)
        file = msgspec.structs.replace(file, ratings=rating_tables(rated, anchor=fixed) if rated else ())
    if Section.HISTORY in sections:
        file = msgspec.structs.replace(file, history=history(rated) if rated else ())
    return file


def format_standings(
    file: StandingsFile,
    *,
    form: TableFormat = TableFormat.TABLE,
    sections: Collection[Section] = (Section.STANDINGS,),
    notes: Sequence[str] = (),
    times: Sequence[TimeFact] = (),
    width: int = 100,
) -> str:
    """Returns standings in a form, with notes on the runs; `width` is that of the terminal; JSON has all sections.

    `times` are no part of the standings, and of no JSON: another machine takes others.

    Raises `UsageError` for CSV of several sections, or of one that is no table.
    """
    if form is TableFormat.JSON:
        return format_json(file)
    if form is TableFormat.CSV:
        return _format_csv(file, sections, times)
    parts = list(standings_parts(file, sections, notes=notes, times=times))
    if form is TableFormat.MARKDOWN:
        return format_markdown(parts)
    return format_text(parts, width=width)


def standings_parts(
    file: StandingsFile,
    sections: Collection[Section],
    *,
    notes: Sequence[str] = (),
    times: Sequence[TimeFact] = (),
) -> Iterator[ReportPart]:
    """Yields the sections in the order in which they are read: who won, then how, then what to mind."""
    if file.interim:
        yield ReportPart(lines=(INTERIM,))
    if Section.STANDINGS in sections:
        for group in file.groups:
            if group.bracket is None:
                yield _group_part(group)
            else:
                yield from knockout_parts(group, group.bracket)
        if file.championship is not None:
            yield _championship_part(file.championship)
        if file.test is not None:
            yield ReportPart(title="Until: sprt", lines=(format_ratio_test(file.test),))
    if Section.HEAD_TO_HEAD in sections:
        for group in file.groups:
            yield from head_to_head_parts(group)
    for group in file.groups:
        if Section.SEATS in sections:
            yield from seat_parts(group)
        if Section.BALANCE in sections:
            yield _balance_part(group)
        troubled = any(caveat.kind is CaveatKind.FORFEITS for caveat in group.caveats)
        # The standings without forfeits are by points, which compare nobody in a knockout.
        if group.bracket is None and (Section.FORFEITS in sections or (Section.STANDINGS in sections and troubled)):
            yield _forfeit_part(group)
    if {Section.RATINGS, Section.SUPERIORITY, Section.HISTORY}.intersection(sections):
        for group in file.groups:
            if group.bracket is not None:
                yield ReportPart(title=f"{group.group}, ratings", lines=(NO_RATINGS,))
    ranked_by_rating = [group.group for group in file.groups if group.basis is Basis.RATINGS]
    if Section.RATINGS in sections:
        yield from rating_parts(file.ratings, ranked_by_rating=ranked_by_rating)
    if Section.SUPERIORITY in sections:
        yield from superiority_parts(file.ratings)
    if Section.HISTORY in sections:
        yield from history_parts(file.history, ranked_by_rating=ranked_by_rating)
    if Section.TIMES in sections:
        yield from time_parts(times)
        if not times and len(sections) == 1:
            yield ReportPart(lines=("No times were kept.",))
    # Times are of every game, and have no interval: what a ranking leaves out or is unsure of is not theirs.
    warnings = [*(_warnings(file) if set(sections) != {Section.TIMES} else ()), *_without(file), *notes]
    if warnings:
        yield ReportPart(title="To mind", lines=warnings)
    if Section.STANDINGS in sections:
        yield ReportPart(lines=(legend_of(file),))


def legend_of(file: StandingsFile) -> str:
    """Returns what explains the tables of standings in a line."""
    if file.groups and all(group.bracket is not None for group in file.groups):
        return KNOCKOUT_LEGEND
    ranks = [row.rank for rows in _all_rows(file) for row in rows]
    return LEGEND if _has_letters(ranks) or not ranks else LEGEND_WITHOUT_LETTERS


def _all_rows(file: StandingsFile) -> Iterator[Sequence[Row] | Sequence[ChampionshipRow]]:
    yield from (group.rows for group in file.groups)
    if file.championship is not None:
        yield file.championship.rows


def _has_letters(ranks: Iterable[Rank]) -> bool:
    return any(rank.letters for rank in ranks)


def _rank_columns(ranks: Iterable[Rank]) -> tuple[Column, ...]:
    return (Column("place"), *([Column("tied")] if _has_letters(ranks) else []), Column("entrant"))


def _rank_cells(row: Row | ChampionshipRow, ranks: Iterable[Rank]) -> tuple[str, ...]:
    place = "withdrawn" if row.withdrawn else format_rank(row.rank)
    return (place, *([row.rank.letters] if _has_letters(ranks) else []), row.entrant)


def _group_part(group: GroupStandings) -> ReportPart:
    faults = sum(sum(row.faults.values()) for row in group.rows)
    ranks = [row.rank for row in group.rows]
    columns = [
        *_part_columns(group.parts),
        *_rank_columns(ranks),
        Column("points", right=True),
        Column("rating", right=True, drop=1),
        Column("wins", right=True),
        Column("margin", right=True, drop=2),
        Column("score", right=True, drop=3),
        Column("games", right=True, drop=4),
        Column("met", right=True, drop=5),
    ]
    rows: list[tuple[str, ...]] = [
        (
            *_part_cells(group.parts, row.entrant),
            *_rank_cells(row, ranks),
            format_points(row.points),
            format_rating(row.strength or row.rating),
            format_share(row.win_share.value),
            format_number(row.margin.value, digits=1, signed=True),
            format_number(row.mean_score, digits=1),
            str(row.games),
            "" if row.opposition is None else format_number(row.opposition, digits=0),
        )
        for row in group.rows
    ]
    lines = []
    if faults:
        columns.append(Column("faults", right=True))
        rows = [(*cells, str(sum(row.faults.values()))) for cells, row in zip(rows, group.rows, strict=True)]
        lines = [f"{row.entrant}: {format_faults(row.faults)}" for row in group.rows if row.faults]
    how_many = f"{format_count(group.games, 'game')} on {format_count(group.deals, 'deal')}"
    title = f"{group.group}: {how_many}, {format_count(faults, 'fault') if faults else 'no faults'}"
    title += format_basis(group.basis)
    return ReportPart(title=title, columns=tuple(columns), rows=rows, lines=lines)


def _part_columns(parts: Sequence[Sequence[str]]) -> tuple[Column, ...]:
    return (Column("part"),) if len(parts) > 1 else ()


def _part_cells(parts: Sequence[Sequence[str]], entrant: str) -> tuple[str, ...]:
    """Returns the number of the part in which an entrant is ranked, where there are several; empty for no part."""
    if len(parts) < 2:
        return ()
    return (next((str(number) for number, part in enumerate(parts, start=1) if entrant in part), ""),)


def _championship_part(championship: ChampionshipStandings) -> ReportPart:
    groups = list(championship.rows[0].groups) if championship.rows else []
    ranks = [row.rank for row in championship.rows]
    shares = ", ".join(f"{game} {format_share(share)}" for game, share in championship.weights.items())
    return ReportPart(
        title=f"Championship: {shares}{format_basis(championship.basis)}",
        columns=(
            *_part_columns(championship.parts),
            *_rank_columns(ranks),
            Column("points", right=True),
            *([] if championship.basis is Basis.POINTS else [Column("rating", right=True)]),
            *(Column(group, right=True, drop=1) for group in groups),
        )
        if championship.rows
        else (),
        rows=[
            (
                *_part_cells(championship.parts, row.entrant),
                *_rank_cells(row, ranks),
                format_points(row.points),
                *([] if championship.basis is Basis.POINTS else [_strength(row)]),
                *(format_number(row.groups[group], digits=3) for group in groups),
            )
            for row in championship.rows
        ],
        lines=[
            *(
                f"No game of {game} counts: its share of {format_share(share)} went to the others."
                for game, share in championship.uncounted.items()
            ),
            *(
                f"{entrant} is not ranked: nothing of it counts in {', '.join(missing)}."
                for entrant, missing in championship.absent.items()
            ),
        ],
    )


def _strength(row: ChampionshipRow) -> str:
    return "" if row.strength is None else format_rating(row.strength)


def _balance_part(group: GroupStandings) -> ReportPart:
    balance = group.balance
    line = f"Each entrant played {format_range(balance.fewest_games, balance.most_games)} games"
    if balance.fewest_meetings is not None and balance.most_meetings is not None:
        line += f", each pair met in {format_range(balance.fewest_meetings, balance.most_meetings)}"
    seats = "everybody sat in each seat equally often" if balance.seats_even else "seats were not shared evenly"
    return ReportPart(title=f"{group.group}, balance", lines=(f"{line}, and {seats}.",))


def _forfeit_part(group: GroupStandings) -> ReportPart:
    title = f"{group.group}, with forfeits and without"
    if group.without_forfeits is None:
        return ReportPart(title=title, lines=("Nobody forfeited.",))
    clean = {row.entrant: row for row in group.without_forfeits}
    rows = []
    for row in group.rows:
        other = clean.get(row.entrant)
        rows.append(
            (
                row.entrant,
                _format_place(row, row.rank.place),
                format_points(row.points),
                "" if other is None else _format_place(row, other.place),
                format_points(other.points if other is not None else None),
                f"{row.forfeits} of {row.games}",
            )
        )
    return ReportPart(
        title=title,
        columns=(
            Column("entrant"),
            Column("place", right=True),
            Column("points", right=True),
            Column("place without", right=True, drop=1),
            Column("points without", right=True),
            Column("forfeits", right=True),
        ),
        rows=rows,
        lines=("Without: only the deals on which nobody forfeited.",),
    )


def _format_place(row: Row, place: int) -> str:
    return "withdrawn" if row.withdrawn else str(place)


def _warnings(file: StandingsFile) -> Iterator[str]:
    for group in file.groups:
        for caveat in group.caveats:
            yield f"{group.group}: {caveat.text}"
    left_out: Counter[tuple[str, str]] = Counter()
    blocks: dict[tuple[str, str], list[str]] = {}
    for item in file.left_out:
        left_out[item.group, item.reason] += item.games
        blocks.setdefault((item.group, item.reason), []).append(item.block)
    for (name, reason), games in left_out.items():
        named = blocks[name, reason]
        where = named[0] if len(named) == 1 else f"{len(named)} blocks, the first {named[0]}"
        yield f"{name}: left out {format_count(games, 'game')} of {where} ({reason})."
    ranked = {row.entrant for row in file.championship.rows} if file.championship is not None else None
    for name, bots in file.told_apart.items():
        lost = ranked is not None and ranked.isdisjoint((name, *bots))
        but = (
            f"; under none of these names did it play every group, so {name} is not in the championship" if lost else ""
        )
        yield (
            f"{name} is several bots, told apart by fingerprint: {', '.join(bots)}{but}. "
            f"To add them up: tournament standings RUN... --merge {name}"
        )
    if file.merged:
        yield f"Bots of the same name count as one: {', '.join(file.merged)}."


def _without(file: StandingsFile) -> Iterator[str]:
    if file.without:
        yield f"Without the tables of {', '.join(file.without)}."


def _format_csv(file: StandingsFile, sections: Collection[Section], times: Sequence[TimeFact]) -> str:
    chosen = list(sections)
    if chosen == [Section.STANDINGS]:
        return format_csv(STANDINGS_HEADERS, standings_rows(file))
    if chosen == [Section.HEAD_TO_HEAD]:
        return head_to_head_csv(file)
    if chosen == [Section.SEATS]:
        headers = ("group", "entrant", "seat", "games", "points")
        cells = ((group.group, cell) for group in file.groups for cell in group.entrants_by_seat)
        return format_csv(headers, [(name, cell.entrant, cell.seat, cell.games, cell.points) for name, cell in cells])
    if chosen == [Section.RATINGS]:
        return rating_csv(file.ratings)
    if chosen == [Section.SUPERIORITY]:
        return superiority_csv(file.ratings)
    if chosen == [Section.HISTORY]:
        return history_csv(file.history)
    if chosen == [Section.TIMES]:
        return format_csv(TIME_HEADERS, time_rows(times))
    raise UsageError(
        "CSV is one table: --show standings, head-to-head, seats, ratings, superiority, history or times. Choose one, "
        "or --format json for everything."
    )
