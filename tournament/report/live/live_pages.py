"""The pages for those who watch, made from values alone: the same for `tournament serve` and the arena."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import msgspec

from tournament.languages import Language, format_moment, gettext, knows_languages, ngettext, present_language
from tournament.records.codec import canonical_bytes
from tournament.report.live.featured import MERITS, FeaturedGame, explain_rule
from tournament.report.live.feeds import Happening
from tournament.text import printable
from tournament.viewer.documents import format_policy, inert

if TYPE_CHECKING:
    from jinja2 import Environment


RETRY: Final = b"retry: 3000\n\n"
"""Begins the stream that a page follows: after so many milliseconds the browser opens another."""

NOTHING_NEW: Final = b": nothing new\n\n"
NEWS: Final = b"event: news\ndata: \n\n"


class WatchedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A featured game, and where it is shown."""

    game: FeaturedGame
    address: str
    """Of its replay."""

    frame: str
    """Of the replay that plays by itself in a frame."""


class WatchPage(msgspec.Struct, frozen=True, kw_only=True):
    """What the page of featured games shows; addresses are seen from the page."""

    title: str
    games: tuple[WatchedGame, ...]
    """The first to be watched first."""

    over_by: datetime | None
    """When the newest of them was over at the latest."""

    honest: str
    """Why it shows no game that is being played, as a sentence."""

    nothing: str
    """What is said where there is no game, as sentences."""

    back: str
    back_to: str
    """What the page is called to which `back` leads."""

    events: str
    """The stream that says when there is news."""

    projector: str | None = None
    news: str | None = None
    language_page: str | None = None
    """Where a reader chooses a language; None where the page offers each."""


def format_watch_page(page: WatchPage) -> str:
    """Returns the page on which featured games play one after the other."""
    games = [shown_game(one) for one in page.games]
    over_at = "" if page.over_by is None else format_moment(page.over_by)
    style = ("report.css", "live.css")
    values: dict[str, Any] = {"page": page, "games": games, "over_at": over_at, "rule": explain_rule()}
    values["language_page"] = page.language_page
    return render_live("watch.html.j2", script="watch.js", style=style, **values)


def format_news_page(title: str, happenings: Sequence[Happening], *, note: str, events: str) -> str:
    """Returns the page of what happened in a run, the newest first; `events` says when there is news."""
    style = ("report.css", "live.css")
    values: dict[str, Any] = {"title": title, "happenings": happenings, "note": note, "events": events}
    return render_live("news.html.j2", script="news.js", style=style, **values)


def shown_game(one: WatchedGame) -> dict[str, str]:
    """Returns what the script of a page knows of a featured game."""
    return {
        "id": one.game.id,
        "who": " – ".join(printable(name) for name in one.game.seats),
        "group": one.game.group,
        "merit": gettext(MERITS[one.game.merit]),
        "address": one.address,
        "frame": one.frame,
    }


def render_live(
    name: str, *, script: str | None, style: Sequence[str], language_page: str | None = None, **values: Any
) -> str:
    """Returns a page from a template here, with a script and styles of the folder `web` here or of the report's.

    `language_page` is where a reader chooses a language; without it the page offers each.
    """
    own_style = "\n".join(map(_read, style))
    own_script = "" if script is None else _read(script)
    policy = f"{format_policy(script=own_script, style=own_style, connects=True)}; frame-src 'self'"
    values |= {"style": own_style, "script": own_script, "policy": policy, "language_page": language_page}
    values["languages"] = list(Language) if language_page is None and knows_languages() else []
    return _environment().get_template(name).render(language=present_language(), **values)


@cache
def _read(name: str) -> str:
    own = files("tournament.report.live") / "web" / name
    shared = files("tournament.report") / "web" / name
    return (own if own.is_file() else shared).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from markupsafe import Markup

    from tournament.viewer.templates import template_environment

    environment = template_environment("tournament.report.live", "tournament.report")
    environment.globals |= {"gettext": gettext, "ngettext": ngettext}
    environment.filters["shown"] = printable
    environment.filters["moment"] = format_moment
    environment.filters["verbatim"] = Markup
    environment.filters["inert"] = lambda value: Markup(inert(canonical_bytes(value).decode()))
    return environment
