"""The pages of a report, made from its facts with templates that escape everything bots or organisers wrote.

Written and served pages are the same: `available` names the games that have a page, None all of them.
"""

from __future__ import annotations

import shlex
from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tournament.ranking.sequential import format_ratio_test
from tournament.records.analysis import Analysis, costliest
from tournament.records.codec import canonical_bytes
from tournament.records.figures import Figure, format_number, format_points
from tournament.records.run import RunState
from tournament.records.standings import (
    Bracket,
    ChampionshipRow,
    ChampionshipStandings,
    Claims,
    GroupStandings,
    Row,
    Standings,
)
from tournament.report.choices import Section
from tournament.report.facts import RunFacts, named_spec
from tournament.report.groups import drawn_rounds
from tournament.report.listing import DETAILED_FAULTS, Chunk, ShownFor, lead
from tournament.report.ratings import BETTER, WORSE, claim_sign, meetings_by_pair
from tournament.report.standings import legend_of, standings_parts
from tournament.report.tables import ReportPart, format_basis
from tournament.text import format_count, printable
from tournament.viewer.judgement import format_cost, sign_of

if TYPE_CHECKING:
    from jinja2 import Environment


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """The winner of the championship or of one group, as the first page shows it."""

    name: str
    winners: tuple[str, ...]
    """Who has the most points; several if these are equal."""

    points: str
    """The points of the winners, or the number of rounds of a knockout."""

    sure: str
    """How certain that is, as a sentence."""


def headlines(standings: Standings) -> list[Headline]:
    """Returns the headline of the championship, if there is one, and of each group."""
    groups, championship = standings.groups, standings.championship
    found: list[Headline] = []
    if championship is not None:
        found += _headlines("Championship", championship.rows, championship)
    for group in groups:
        if group.bracket is not None and group.rows:
            found.append(_headline_of_knockout(group, group.bracket))
        else:
            found += _headlines(group.group, group.rows, group)
    return found


def _headline_of_knockout(group: GroupStandings, bracket: Bracket) -> Headline:
    winners = tuple(row.entrant for row in group.rows if row.rank.place == 1)
    if bracket.winner is None:
        sure = f"Still playing, in round {len(bracket.rounds)} of the knockout."
    elif winners == (bracket.winner,):
        sure = "Won the knockout. Results decided who met whom, so nobody is claimed to be stronger than another."
    else:
        sure = f"{bracket.winner}, who won the knockout, does not count; nobody else came further."
    return Headline(name=group.group, winners=winners, points=format_count(len(bracket.rounds), "round"), sure=sure)


def _headlines(
    name: str, rows: Sequence[Row] | Sequence[ChampionshipRow], ranking: GroupStandings | ChampionshipStandings
) -> Iterator[Headline]:
    """Yields the headline of each part of a ranking; entrants in different parts cannot be compared."""
    for number, part in enumerate(ranking.parts, start=1):
        of_part = [row for row in rows if row.entrant in part]
        winners = tuple(row.entrant for row in of_part if row.rank.place == 1)
        yield Headline(
            name=name if len(ranking.parts) == 1 else f"{name}, part {number}",
            winners=winners,
            points=f"{format_points(of_part[0].points)} points{format_basis(ranking.basis)}",
            sure=_how_sure(winners, of_part, ranking.claims),
        )


def _how_sure(winners: tuple[str, ...], rows: Sequence[Row | ChampionshipRow], claims: Claims | None) -> str:
    if claims is None:
        return "Too few deals to claim any difference."
    others = [row.entrant for row in rows if row.entrant not in winners]
    if len(winners) > 1:
        return f"{len(winners)} entrants have the same points."
    level = [other for other in others if not claims.holds(winners[0], other)]
    if not level:
        return "Better than everybody else, at 95 % for all comparisons together."
    if len(level) == len(others):
        return "Statistically tied with everybody so far, at 95 % for all comparisons together."
    names = ", ".join(level[:4]) + (f" and {len(level) - 4} more" if len(level) > 4 else "")
    return f"Statistically tied with {names}, at 95 % for all comparisons together."


REFRESH_SECONDS: Final = 5
"""How often a served page of a run that is being played reloads itself."""


def index_page(facts: RunFacts, *, available: Collection[str] | None, live: bool = False) -> str:
    """Returns the first page: who won, how certain that is, and all tables."""
    shown: list[dict[str, Any]] = [
        {"result": game.result, "why": game.why, "page": _page_of(record_id, available)}
        for record_id, game in facts.chosen.items()
    ]
    kinds = {kind: [game for game in shown if kind in game["why"]] for kind in ShownFor}
    kinds[ShownFor.CLOSEST].sort(key=lambda game: lead(game["result"]))
    kinds[ShownFor.WIDEST].sort(key=lambda game: -lead(game["result"]))
    return _render(
        "index.html.j2",
        script=web_text("report.js"),
        asks=live,
        facts=facts,
        info=facts.info,
        running=facts.info.state is RunState.RUNNING,
        refresh=REFRESH_SECONDS if live and facts.info.state is RunState.RUNNING else None,
        live=live,
        headlines=[
            *(
                msgspec.structs.replace(headline, name=_of_final(number, headline.name))
                for number, final in facts.finals.items()
                for headline in headlines(final)
            ),
            *headlines(facts.standings),
        ],
        championship=_parts(facts.standings, None, Section.STANDINGS),
        test=None if facts.standings.test is None else format_ratio_test(facts.standings.test),
        finals={number: _final(number, final) for number, final in facts.finals.items()},
        groups=[_group(facts, group) for group in facts.standings.groups],
        championship_plot=_plot(
            [(row.entrant, row.points) for row in facts.standings.championship.rows]
            if facts.standings.championship is not None
            else []
        ),
        games=kinds,
        costliest={record_id: _costliest(analysis) for record_id, analysis in facts.analyses.items()},
        faults=[{"fault": fault, "page": _page_of(fault.id, available)} for fault in facts.faults],
        most_faults=DETAILED_FAULTS,
        specs=[(entrant.name, bot, named_spec(bot.spec)) for entrant in facts.info.entrants for bot in entrant.bots],
        legend=legend_of(facts.standings),
    )


def games_page(facts: RunFacts, *, lists: Iterable[tuple[str, str]], available: Collection[str] | None) -> str:
    """Returns the page on which all games can be searched; `lists` are the groups and files of the chunks."""
    data = {
        "run": facts.info.name,
        "lists": [{"group": group, "file": file} for group, file in lists],
        "available": None if available is None else sorted(available),
        "analysed": sorted(facts.analyses),
    }
    return _render("games.html.j2", script=web_text("games.js"), external=True, info=facts.info, data=data)


def runs_page(runs: Iterable[Mapping[str, Any]]) -> str:
    """Returns the list of runs that a server shows."""
    return _render("runs.html.j2", script=None, runs=list(runs))


def message_page(title: str, text: str) -> str:
    """Returns a page with an error message."""
    return _render("message.html.j2", script=None, title=title, text=text)


def chunk_script(chunk: Chunk) -> str:
    """Returns a chunk of the list of games as a script, because pages opened from a disk cannot load JSON."""
    return f"tournamentGames({canonical_bytes(chunk).decode()});\n"


def json_twins(facts: RunFacts) -> dict[str, Any]:
    """Returns the numbers of the tables for other programs, by the name of their JSON file."""
    twins: dict[str, Any] = {
        "standings": facts.standings,
        "faults": {"counts": facts.fault_counts, "faults": facts.faults},
        "times": facts.times,
        "games": [{"id": record_id, "why": game.why} for record_id, game in facts.chosen.items()],
        "reproduce": _reproduction(facts),
    }
    for group in facts.standings.groups:
        twins[f"group-{group.group}"] = group
    if facts.standings.championship is not None:
        twins["championship"] = facts.standings.championship
    twins |= {f"final-{number}": final for number, final in facts.finals.items()}
    return twins | {f"analysis-{record_id}": analysis for record_id, analysis in facts.analyses.items()}


def _costliest(analysis: Analysis) -> list[dict[str, Any]]:
    """Returns the costliest moves of a game, the most certain first, as the list of games shows them."""
    return [
        {"step": one.step, "seat": one.seat, "name": analysis.names[one.seat], "sign": sign_of(one)}
        | {"cost": format_cost(one)}
        for one in costliest(analysis.decisions)
    ]


def _reproduction(facts: RunFacts) -> dict[str, Any]:
    info = facts.info
    return {
        "name": info.name,
        "state": info.state,
        "started": info.started,
        "finished": info.finished,
        "versions": info.versions,
        "continued": info.continued,
        "isolation": info.isolation,
        "segments": info.segments,
        "groups": info.groups,
        "bots": [
            {"entrant": entrant.name, "game": bot.game, "spec": named_spec(bot.spec), "fingerprint": bot.fingerprint}
            for entrant in info.entrants
            for bot in entrant.bots
        ],
        "games": len(facts.results),
        "digest": facts.digest,
    }


def _page_of(record_id: str, available: Collection[str] | None) -> str | None:
    return f"games/{record_id}.html" if available is None or record_id in available else None


def _final(number: int, final: Standings) -> list[ReportPart]:
    """Returns the tables of a final, each with its own title."""
    scopes = [None] if final.championship is not None else []
    parts = [part for scope in [*scopes, *final.groups] for part in _parts(final, scope, Section.STANDINGS)]
    return [part._replace(title=_of_final(number, part.title)) for part in parts]


def _of_final(number: int, name: str) -> str:
    return f"Final (segment {number}): {name}"


def _parts(file: Standings, group: GroupStandings | None, *sections: Section) -> list[ReportPart]:
    """Returns the tables of the championship, or of one group, without the notes that the page shows only once."""
    own = msgspec.structs.replace(
        file,
        groups=() if group is None else (msgspec.structs.replace(group, caveats=()),),
        championship=file.championship if group is None else None,
        test=None,
        interim=False,
        left_out=(),
        told_apart={},
        merged=(),
        without=(),
    )
    return [part for part in standings_parts(own, sections) if part.title]


def _group(facts: RunFacts, group: GroupStandings) -> dict[str, Any]:
    names = [row.entrant for row in group.rows]
    meetings = meetings_by_pair(group)
    return {
        "group": group,
        "standings": _parts(facts.standings, group, Section.STANDINGS)[0],
        "seats": _parts(facts.standings, group, Section.SEATS, Section.BALANCE),
        "forfeits": _parts(facts.standings, group, Section.FORFEITS) if group.without_forfeits is not None else [],
        "plot": _plot([(row.entrant, row.points) for row in group.rows]),
        "bracket": None if group.bracket is None else drawn_rounds(group.bracket),
        "matrix": [
            (name, [_cell(meetings.get((name, other))) if name != other else None for other in names]) for name in names
        ],
        "names": names,
    }


def _cell(meeting: Any) -> dict[str, Any] | None:
    if meeting is None:
        return {"text": "·", "games": 0, "lean": "", "sign": ""}
    claimed = claim_sign(meeting)
    lean = {BETTER: "better", WORSE: "worse"}.get(claimed, "")
    sign = {BETTER: "▲", WORSE: "▼"}.get(claimed, "")
    text = format_number(100 * meeting.score.value, digits=0)
    title = f"{meeting.wins} better, {meeting.draws} tied, {meeting.losses} worse, of {meeting.games} games"
    return {"text": text, "games": meeting.games, "lean": lean, "sign": sign, "title": title}


def _plot(rows: list[tuple[str, Figure]]) -> list[dict[str, Any]]:
    """Returns points and intervals as positions from 0 to 100 along a line."""
    plotted = []
    for name, figure in rows:
        low = figure.value if figure.low is None else figure.low
        high = figure.value if figure.high is None else figure.high
        plotted.append(
            {"name": name, "at": round(100 * figure.value, 2), "low": round(100 * low, 2), "high": round(100 * high, 2)}
        )
    return plotted


# Templates


def _render(name: str, *, script: str | None, external: bool = False, asks: bool = False, **values: Any) -> str:
    style = web_text("report.css")
    sources = [_hash_source(script)] if script is not None else []
    if external:
        sources.append("'self'")
    policy = (
        f"default-src 'none'; script-src {' '.join(sources) or chr(39) + 'none' + chr(39)}; "
        f"style-src {_hash_source(style)}; img-src data:; base-uri 'none'; form-action 'none'"
        + ("; connect-src 'self'" if asks else "")
    )
    return _environment().get_template(name).render(style=style, script=script, policy=policy, **values)


def _hash_source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def web_text(name: str) -> str:
    """Returns a file of `web/`."""
    return (files("tournament.report") / "web" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FunctionLoader(web_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = printable
    environment.filters["number"] = lambda value, digits=1: format_number(value, digits=digits)
    environment.filters["quoted"] = shlex.quote
    # Inside a script element markup is not read, so nothing may end it.
    environment.filters["inert"] = lambda value: Markup(
        canonical_bytes(value).decode().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    )
    environment.filters["verbatim"] = Markup
    return environment
