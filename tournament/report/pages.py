"""The pages of a report, made from its facts with templates that escape everything bots or organisers wrote.

Written and served pages are the same but for the games that have a page, and what says how far a run is.
"""

from __future__ import annotations

import shlex
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tournament.languages import (
    Language,
    format_moment,
    format_page_texts,
    gettext,
    knows_languages,
    ngettext,
    page_functions,
    pgettext,
    present_language,
    spoken,
)
from tournament.languages import format_number as format_count
from tournament.ranking.sequential import format_ratio_test
from tournament.records.analysis import Analysis, costliest
from tournament.records.codec import canonical_bytes
from tournament.records.figures import Figure, format_number, format_points, format_rating, format_share
from tournament.records.run import RunState
from tournament.records.standings import GroupStandings, Standings, format_rank, meetings_by_pair
from tournament.report.choices import Section
from tournament.report.facts import RunFacts, named_spec
from tournament.report.groups import format_seat_points
from tournament.report.listing import Chunk, ShownFor
from tournament.report.ratings import BETTER, WORSE, claim_sign
from tournament.report.shown.bot_facts import GroupOfBot, bot_facts, bot_numbers, curve_of, pages_of_bots
from tournament.report.shown.pace import Progress, format_played, format_progress
from tournament.report.shown.replays import Replays
from tournament.report.shown.verdicts import absent_from_final, format_final, verdicts
from tournament.report.shown.words import format_isolation, format_kind, format_kinds, format_schedule, format_state
from tournament.report.standings import legend_of, standings_parts
from tournament.report.tables import ReportPart
from tournament.text import printable
from tournament.viewer.judgement import format_cost, sign_of

if TYPE_CHECKING:
    from jinja2 import Environment


REFRESH_SECONDS: Final = 5
"""How often a served page of a run that is being played reloads itself."""


def index_page(
    facts: RunFacts,
    *,
    replays: Replays,
    above: str | None = None,
    progress: Progress | None = None,
    watched: bool = False,
) -> str:
    """Returns the first page: who won, how certain that is, and all tables.

    `above` is what the page is called to which a served one leads back; a written one has none, and asks for nothing.
    `progress` says how far a run under way is, and `watched` that there are pages beside it for those who watch.
    """
    live = above is not None
    shown: list[dict[str, Any]] = [
        {
            "result": game.result,
            "why": game.why,
            "link": replays.link(record_id, has_faults=bool(game.result.faults)),
        }
        for record_id, game in facts.chosen.items()
    ]
    kinds = {kind: [game for game in shown if kind in game["why"]] for kind in ShownFor if kind != ShownFor.NOTABLE}
    kinds[ShownFor.CLOSEST].sort(key=lambda game: game["result"].lead)
    kinds[ShownFor.WIDEST].sort(key=lambda game: -game["result"].lead)
    groups = [_group(facts, group) for group in facts.standings.groups]
    return _render(
        "index.html.j2",
        script=web_text("report.js"),
        asks=live,
        is_served=live,
        root="",
        bots=pages_of_bots(facts),
        facts=facts,
        info=facts.info,
        running=facts.info.state is RunState.RUNNING,
        refresh=REFRESH_SECONDS if live and facts.info.state is RunState.RUNNING else None,
        above=above,
        watched=watched,
        extent_line=format_played(
            facts.standings.extent,
            games=len(facts.results),
            is_running=facts.info.state is RunState.RUNNING,
            games_in_finals=facts.games_in_finals if facts.finals else None,
        ),
        progress=progress,
        progress_text=None if progress is None else format_progress(progress),
        verdicts=verdicts(facts.standings, facts.finals),
        absent=[line for number in facts.finals for line in absent_from_final(facts.info, number)],
        rankings=list(_rankings(facts, groups)),
        test=None if facts.standings.test is None else format_ratio_test(facts.standings.test),
        groups=groups,
        games=kinds,
        replays=replays,
        costliest={record_id: _costliest(analysis) for record_id, analysis in facts.analyses.items()},
        faults=[{"fault": fault, "link": replays.link(fault.id, has_faults=True)} for fault in facts.faults],
        specs=[(entrant.name, bot, named_spec(bot.spec)) for entrant in facts.info.entrants for bot in entrant.bots],
        legend=legend_of(facts.standings),
    )


def games_page(facts: RunFacts, *, lists: Iterable[tuple[str, str]], replays: Replays) -> str:
    """Returns the page on which all games can be searched; `lists` are the groups and files of the chunks."""
    data = {
        "run": facts.info.name,
        "lists": [{"group": group, "file": file} for group, file in lists],
        "available": None if replays.available is None else sorted(replays.available),
        "hidden": replays.hidden,
        "analysed": sorted(facts.analyses),
        "bots": pages_of_bots(facts),
    }
    return _render(
        "games.html.j2",
        script=web_text("games.js"),
        external=True,
        is_served=replays.available is None,
        info=facts.info,
        data=data,
        replays=replays,
    )


def bot_page(facts: RunFacts, number: int, *, replays: Replays) -> str | None:
    """Returns the page of the entrant with a number, from 1; None where there is none."""
    bot = bot_facts(facts, number)
    if bot is None:
        return None
    linked = {
        kind: [
            {"game": game, "link": replays.link(game.result.id, has_faults=bool(game.result.faults))}
            for games in own.values()
            for game in games
        ]
        for kind, own in ((gettext("Best wins"), bot.best), (gettext("Worst losses"), bot.worst))
    }
    return _render(
        "bot.html.j2",
        script=web_text("report.js"),
        is_served=replays.available is None,
        root="../",
        bots=pages_of_bots(facts),
        bot=bot,
        info=facts.info,
        groups=[_group_of_bot(own) for own in bot.groups],
        games=linked,
        faults=[{"fault": fault, "link": replays.link(fault.id, has_faults=True)} for fault in bot.faults],
        replays=replays,
        times=bot.times,
        curves=[curve for course in bot.courses if (curve := curve_of(course, bot.name)) is not None],
    )


def _group_of_bot(own: GroupOfBot) -> dict[str, Any]:
    title = own.group if own.final is None else format_final(own.final, own.group)
    meetings = [(meeting, _cell(meeting)) for meeting in own.meetings]
    return {"own": own, "title": title, "row": own.row, "meetings": meetings}


def runs_page(runs: Iterable[Mapping[str, Any]]) -> str:
    """Returns the list of runs that a server shows."""
    return _render("runs.html.j2", script=None, is_served=True, runs=list(runs))


def message_page(title: str, text: str) -> str:
    """Returns a page with an error message."""
    return _render("message.html.j2", script=None, is_served=True, title=title, text=text)


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
    twins |= {f"bot-{number}": bot_facts(facts, number) for number in bot_numbers(facts).values()}
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


def _rankings(facts: RunFacts, groups: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yields every ranking with its tables, the one that decides first: finals, the championship, the groups."""
    for number in sorted(facts.finals, reverse=True):
        final = facts.finals[number]
        scopes = [None] if final.championship is not None else []
        for scope in [*scopes, *final.groups]:
            for part in _parts(final, scope, Section.STANDINGS):
                title = format_final(number, part.title)
                yield {"part": part._replace(title=title), "json": f"data/final-{number}.json", "plot": []}
    if facts.standings.championship is not None:
        plot = _plot([(row.entrant, row.points) for row in facts.standings.championship.rows])
        for part in _parts(facts.standings, None, Section.STANDINGS):
            yield {"part": part, "json": "data/championship.json", "plot": plot}
    for group in groups:
        name = group["group"].group
        plot = [] if group["group"].bracket is not None else group["plot"]
        yield {"part": group["standings"], "json": f"data/group-{name}.json", "plot": plot}


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
    meetings = meetings_by_pair(group.meetings)
    return {
        "group": group,
        "standings": _parts(facts.standings, group, Section.STANDINGS)[0],
        "seats": _parts(facts.standings, group, Section.SEATS, Section.BALANCE),
        "forfeits": _parts(facts.standings, group, Section.FORFEITS) if group.without_forfeits is not None else [],
        "plot": _plot([(row.entrant, row.points) for row in group.rows]),
        "matrix": [
            (name, [_cell(meetings.get((name, other))) if name != other else None for other in names]) for name in names
        ],
        "names": names,
    }


def _cell(meeting: Any) -> dict[str, Any] | None:
    if meeting is None:
        return {"text": "·", "games": 0, "sign": ""}
    claimed = claim_sign(meeting)
    sign = {BETTER: "▲", WORSE: "▼"}.get(claimed, "")
    text = format_number(100 * meeting.score.value, digits=0)
    heat = round(10 * meeting.score.value)
    title = ngettext(
        "{wins} better, {draws} tied, {losses} worse, of {games} game",
        "{wins} better, {draws} tied, {losses} worse, of {games} games",
        meeting.games,
        wins=meeting.wins,
        draws=meeting.draws,
        losses=meeting.losses,
        games=meeting.games,
    )
    return {"text": text, "games": meeting.games, "sign": sign, "heat": heat, "title": title}


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


def _render(
    name: str,
    *,
    script: str | None,
    external: bool = False,
    asks: bool = False,
    is_served: bool = False,
    **values: Any,
) -> str:
    style = web_text("report.css")
    script = None if script is None else f"{page_functions()}\n{script}"
    sources = [_hash_source(script)] if script is not None else []
    if external:
        sources.append("'self'")
    policy = (
        f"default-src 'none'; script-src {' '.join(sources) or chr(39) + 'none' + chr(39)}; "
        f"style-src {_hash_source(style)}; img-src data:; base-uri 'none'; form-action 'none'"
        + ("; connect-src 'self'" if asks else "")
    )
    values |= {"style": style, "script": script, "policy": policy, "texts": format_page_texts()}
    # A written page is in one language.
    values["languages"] = list(Language) if is_served and knows_languages() else []
    return _environment().get_template(name).render(language=present_language(), **values)


def _hash_source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


@cache
def web_text(name: str) -> str:
    """Returns a file of `web/`."""
    return (files("tournament.report") / "web" / name).read_text(encoding="utf-8")


def _speaking_functions() -> dict[str, Callable[..., str]]:
    """Returns the functions with which templates speak: they escape what is put into a text, and the text itself."""
    from markupsafe import escape

    def with_values(text: str, values: Mapping[str, object]) -> str:
        return escape(text).format(**values) if values else escape(text)

    def kept(values: Mapping[str, object]) -> dict[str, str]:
        return {name: f"{{{name}}}" for name in values}

    return {
        "gettext": lambda message, **values: with_values(gettext(message), values),
        "pgettext": lambda context, message, **values: with_values(pgettext(context, message), values),
        "ngettext": lambda one, many, count, **values: with_values(ngettext(one, many, count, **kept(values)), values),
    }


@cache
def _environment() -> Environment:
    from markupsafe import Markup

    from tournament.viewer.templates import template_environment

    environment = template_environment("tournament.report")
    environment.globals.update(_speaking_functions())
    environment.filters["shown"] = printable
    environment.filters["moment"] = lambda text: format_moment(datetime.fromisoformat(text))
    environment.filters["spoken"] = spoken
    environment.filters["count"] = format_count
    environment.filters["measured"] = lambda value: format_number(value, digits=1 if round(value, 1) == value else 2)
    environment.filters["seat_points"] = format_seat_points
    environment.filters["kind"] = format_kind
    environment.filters["kinds"] = format_kinds
    environment.filters["state"] = format_state
    environment.filters["schedule"] = format_schedule
    environment.filters["isolation"] = format_isolation
    environment.filters["number"] = lambda value, digits=1: format_number(value, digits=digits)
    environment.filters["margin"] = lambda value: format_number(value, digits=1, signed=True)
    environment.filters["points"] = format_points
    environment.filters["place"] = format_rank
    environment.filters["signed"] = lambda value: format_number(value, digits=0, signed=True)
    environment.filters["rating"] = format_rating
    environment.filters["share"] = format_share
    environment.filters["quoted"] = shlex.quote
    # Inside a script element markup is not read, so nothing may end it.
    environment.filters["inert"] = lambda value: Markup(
        canonical_bytes(value).decode().replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    )
    environment.filters["verbatim"] = Markup
    return environment
