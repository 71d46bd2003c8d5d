"""Standings as tables, Markdown, CSV and JSON, all made from the contents of `standings.json`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from tournament.errors import UsageError
from tournament.languages import gettext, gettext_noop, ngettext, spoken
from tournament.ranking.sequential import format_ratio_test
from tournament.ranking.sources import Sources, read_sources
from tournament.records.figures import Basis
from tournament.records.standings import INTERIM, CaveatKind, ChampionshipRow, Rank, Reason, Row, Standings
from tournament.report.choices import Section, TableFormat
from tournament.report.facts import TIME_HEADERS, TimeFact, time_parts, time_rows
from tournament.report.groups import (
    KNOCKOUT_LEGEND,
    NO_RATINGS,
    balance_part,
    championship_part,
    forfeit_part,
    group_part,
    has_letters,
    knockout_parts,
    seat_parts,
)
from tournament.report.ratings import (
    head_to_head_csv,
    head_to_head_parts,
    history_csv,
    history_parts,
    rating_csv,
    rating_parts,
    superiority_csv,
    superiority_parts,
)
from tournament.report.shown.words import format_reason
from tournament.report.tables import (
    ReportPart,
    Value,
    figure_cells,
    format_csv,
    format_json,
    format_markdown,
    format_text,
)
from tournament.text import format_place

STANDINGS_HEADERS: Final = (
    *("group", "place", "best_rank", "worst_rank", "letters", "entrant"),
    *("points", "points_error", "points_low", "points_high"),
    *("basis", "part", "strength", "strength_error", "strength_low", "strength_high", "opposition"),
    *("rating", "rating_error", "rating_low", "rating_high"),
    *("win_share", "win_share_low", "win_share_high", "margin", "margin_low", "margin_high", "mean_score"),
    *("games", "deals", "forfeits", "faults", "withdrawn", "interim"),
)


def standings_rows(file: Standings) -> Iterator[Sequence[Value]]:
    """Yields the CSV row of each entrant of each group, then of the championship."""
    for group in file.groups:
        for row in group.rows:
            yield (
                *_rank(group.group, row.rank),
                row.entrant,
                *figure_cells(row.points),
                *_basis(group.basis, group.parts, row),
                row.opposition,
                *figure_cells(row.rating),
                *(row.win_share.value, row.win_share.low, row.win_share.high),
                *(row.margin.value, row.margin.low, row.margin.high),
                row.mean_score,
                row.games,
                row.points.deals,
                row.forfeits,
                sum(row.faults.values()),
                str(row.withdrawn).lower(),
                str(file.interim).lower(),
            )
    for line in file.championship.rows if file.championship is not None else ():
        rest: Iterable[Value] = [None] * 12
        basis = _basis(file.championship.basis, file.championship.parts, line) if file.championship is not None else ()
        cells = (*_rank("championship", line.rank), line.entrant, *figure_cells(line.points), *basis, None, *rest)
        yield (*cells, line.points.deals, None, None, str(line.withdrawn).lower(), str(file.interim).lower())


def _basis(basis: Basis, parts: Sequence[Sequence[str]], row: Row | ChampionshipRow) -> tuple[Value, ...]:
    part = next((number for number, members in enumerate(parts, start=1) if row.entrant in members), None)
    return str(basis), part, *figure_cells(row.strength)


def _rank(group: str, rank: Rank) -> tuple[Value, ...]:
    return group, rank.place, rank.best_rank, rank.worst_rank, rank.letters


LEGEND = gettext_noop(
    "Bots sharing a letter are statistically tied; brackets show the possible ranks after a place, and the 95 % "
    "interval after any other number."
)
LEGEND_WITHOUT_LETTERS = gettext_noop(
    "Brackets show the possible ranks after a place, and the 95 % interval after any other number."
)


def format_standings_file(folder: Path, *, width: int = 100) -> str:
    """Returns the standings of a run as tables, computed from its records."""
    sources = read_sources([folder])
    return format_standings(sources.standings(), notes=sources.notes, width=width)


def with_sections(sources: Sources, sections: Collection[Section], *, anchor: str | None = None) -> Standings:
    """Returns the standings of sources, with ratings and history if a section needs them.

    `anchor` is `NAME=1500`: whose rating is held fast. Raises `UsageError` for one that cannot be. Groups with games
    of a knockout have no ratings.
    """
    # numpy and scipy: only when a ranking is asked for
    from tournament.ranking.ratings import history, parse_anchor, rating_tables

    file = sources.standings()
    rated = sources.counted.only(
        [own.games.group for own in sources.counted.groups if own.games.group not in sources.knockouts]
    )
    if Section.RATINGS in sections or Section.SUPERIORITY in sections:
        fixed = None if anchor is None else parse_anchor(anchor)
        file = msgspec.structs.replace(file, ratings=rating_tables(rated, anchor=fixed) if rated.groups else ())
    if Section.HISTORY in sections:
        file = msgspec.structs.replace(file, history=history(rated) if rated.groups else ())
    return file


def format_standings(
    file: Standings,
    *,
    form: TableFormat = TableFormat.TABLE,
    sections: Collection[Section] = (Section.STANDINGS,),
    notes: Sequence[str] = (),
    times: Sequence[TimeFact] = (),
    width: int = 100,
) -> str:
    """Returns standings in a form, with notes on the runs; `width` is that of the terminal. JSON has all sections.

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
    file: Standings, sections: Collection[Section], *, notes: Sequence[str] = (), times: Sequence[TimeFact] = ()
) -> Iterator[ReportPart]:
    """Yields the sections in reading order: who won, then how, then notes."""
    if file.interim:
        yield ReportPart(lines=(gettext(INTERIM),))
    if Section.STANDINGS in sections:
        for group in file.groups:
            if group.bracket is None:
                yield group_part(group)
            else:
                yield from knockout_parts(group, group.bracket)
        if file.championship is not None:
            yield championship_part(file.championship)
        if file.test is not None:
            yield ReportPart(title=gettext("Until: {what}", what="sprt"), lines=(format_ratio_test(file.test),))
    if Section.HEAD_TO_HEAD in sections:
        for group in file.groups:
            yield from head_to_head_parts(group)
    for group in file.groups:
        if Section.SEATS in sections:
            yield from seat_parts(group)
        if Section.BALANCE in sections:
            yield balance_part(group)
        troubled = any(caveat.kind is CaveatKind.FORFEITS for caveat in group.caveats)
        # The standings without forfeits are by points, which compare nobody in a knockout.
        if group.bracket is None and (Section.FORFEITS in sections or (Section.STANDINGS in sections and troubled)):
            yield forfeit_part(group)
    if {Section.RATINGS, Section.SUPERIORITY, Section.HISTORY}.intersection(sections):
        for group in file.groups:
            if group.bracket is not None:
                yield ReportPart(title=gettext("{group}, ratings", group=group.group), lines=(gettext(NO_RATINGS),))
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
            yield ReportPart(lines=(gettext("No times were kept."),))
    # Times are of every game, and have no interval: what a ranking leaves out or is unsure of is not theirs.
    warnings = [*(_warnings(file) if set(sections) != {Section.TIMES} else ()), *_without(file), *map(spoken, notes)]
    if warnings:
        yield ReportPart(title=gettext("Notes"), lines=warnings)
    if Section.STANDINGS in sections:
        yield ReportPart(lines=(legend_of(file),))


def legend_of(file: Standings) -> str:
    """Returns the line that explains the tables of standings."""
    if file.groups and all(group.bracket is not None for group in file.groups):
        return gettext(KNOCKOUT_LEGEND)
    ranks = [row.rank for rows in _all_rows(file) for row in rows]
    return gettext(LEGEND) if has_letters(ranks) or not ranks else gettext(LEGEND_WITHOUT_LETTERS)


def _all_rows(file: Standings) -> Iterator[Sequence[Row] | Sequence[ChampionshipRow]]:
    yield from (group.rows for group in file.groups)
    if file.championship is not None:
        yield file.championship.rows


def _warnings(file: Standings) -> Iterator[str]:
    for group in file.groups:
        for caveat in group.caveats:
            yield f"{group.group}: {spoken(caveat.text)}"
    left_out: Counter[tuple[str, Reason]] = Counter()
    blocks: dict[tuple[str, Reason], list[str]] = {}
    for item in file.left_out:
        left_out[item.group, item.reason] += item.games
        blocks.setdefault((item.group, item.reason), []).append(item.block)
    for (name, reason), games in left_out.items():
        named = blocks[name, reason]
        where = named[0]
        if len(named) > 1:
            where = ngettext(
                "{count} block, the first {block}", "{count} blocks, the first {block}", len(named), block=where
            )
        yield ngettext(
            "{group}: left out {count} game of {where} ({reason}).",
            "{group}: left out {count} games of {where} ({reason}).",
            games,
            group=name,
            where=where,
            reason=format_reason(reason),
        )
    ranked = {row.entrant for row in file.championship.rows} if file.championship is not None else None
    for name, bots in file.told_apart.items():
        lost = ranked is not None and ranked.isdisjoint((name, *bots))
        command = f"tournament standings RUN... --merge {format_place(name)}"
        values = {"name": name, "bots": ", ".join(bots), "command": command}
        if lost:
            yield gettext(
                "{name} is the name of several bots, listed by fingerprint: {bots}; none of them played every group, "
                "so {name} is not in the championship. To count them as one: {command}",
                **values,
            )
        else:
            yield gettext(
                "{name} is the name of several bots, listed by fingerprint: {bots}. To count them as one: {command}",
                **values,
            )
    if file.merged:
        yield gettext("Bots of the same name count as one: {names}.", names=", ".join(file.merged))


def _without(file: Standings) -> Iterator[str]:
    if file.without:
        yield gettext("Without the tables of {names}.", names=", ".join(file.without))


def _format_csv(file: Standings, sections: Collection[Section], times: Sequence[TimeFact]) -> str:
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
