"""What only the owners of a bot see: its checks as they run, what it printed in rounds, and its faults."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final, TypeVar

import msgspec
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.arena.checks.check_steps import CheckSentences
from tournament.arena.checks.defects import Defect, format_defect
from tournament.arena.files import VERSION_FILE, VersionFile, read_json
from tournament.arena.models import VersionRow
from tournament.arena.places import arena_folder, competition_folder, version_folder
from tournament.arena.states import format_reason
from tournament.arena.taking_part import (
    Call,
    CheckFile,
    entrant_name,
    find_bot,
    find_version,
    read_check_file,
    read_round_faults,
    read_round_log,
    require,
)
from tournament.arena.transitions import RoundState, VersionState
from tournament.arena.web.makers import MAKER
from tournament.arena.web.news import NewsKind, NewsSubject, stamp
from tournament.arena.web.pages.round_pages import round_of, send_bytes
from tournament.arena.web.visits import Visit, for_accounts
from tournament.errors import RunError
from tournament.languages import Language, gettext, present_language, spoken
from tournament.languages.sent import receive_sentences

Kind = TypeVar("Kind")

SHOWN_CHARACTERS: Final = 200_000
"""Of a log: its end, as much as a page shows of it."""

WAITING: Final = frozenset({VersionState.RECEIVED, VersionState.CHECKING, VersionState.ACCEPTED})
"""The states of a version in which its page goes on by itself."""


def own_version(request: HttpRequest, visit: Visit, bot: str, number: int) -> VersionRow:
    """Returns a version whose checks and logs the visitor may read. Raises `RefusedError`."""
    row = find_bot(visit.row, bot)
    require(Call.READ_CHECK, request.user, visit.row, row)
    return find_version(row, number)


@require_safe
@for_accounts
def version(request: HttpRequest, visit: Visit, *, bot: str, number: int) -> HttpResponseBase:
    """Shows a version: its check step by step as it goes, its log, and what became of it."""
    row = own_version(request, visit, bot, number)
    since = stamp(NewsSubject(NewsKind.VERSION, row.pk))
    row.refresh_from_db()  # what is shown is not older than the stamp
    try:
        file = read_json(version_folder(row).path / VERSION_FILE, VersionFile)
    except RunError:
        file = None
    check = _decoded(read_check_file(request.user, row, CheckFile.STEPS), dict[str, Any], {})
    if present_language() is not Language.ENGLISH:
        kept = _decoded(read_check_file(request.user, row, CheckFile.SENTENCES), CheckSentences, CheckSentences())
        receive_sentences(kept.sentences)
    why = _why(row, file, check)
    values = visit.values(
        page="mine",
        since=since,
        bot=row.bot,
        why=why,
        version=row,
        file=file,
        waits=row.state in WAITING or (row.state == VersionState.ACTIVE and not row.placed),
        ahead=_waiting_before(row),
        steps=_steps(check, why),
        log=end_of_log(read_check_file(request.user, row, CheckFile.LOG)),
        build=end_of_log(read_check_file(request.user, row, CheckFile.BUILD)),
        rounds=row.rounds.order_by("-number")[:20],
    )
    return render(request, "arena/version.html", values)


def _waiting_before(row: VersionRow) -> int:
    if row.state != VersionState.RECEIVED:
        return 0
    return VersionRow.objects.filter(state=VersionState.RECEIVED, received__lt=row.received).count()


def _decoded(data: bytes, kind: type[Kind], nothing: Kind) -> Kind:
    """Returns the values of a file of a check; `nothing` before its first step, and for a file of another version."""
    try:
        return msgspec.json.decode(data, type=kind) if data else nothing
    except msgspec.DecodeError:
        return nothing


def _why(row: VersionRow, file: VersionFile | None, check: dict[str, Any]) -> str:
    """Returns why a version is in its state, in the language of the reader where that is known as a value."""
    if row.state == VersionState.REFUSED and check.get("defect") is not None:
        with suppress(msgspec.ValidationError):  # of another version of this program
            return format_defect(msgspec.convert(check["defect"], Defect))
    if file is not None and file.changes[-1].reason is not None:
        return format_reason(file.changes[-1].reason)
    return gettext(row.why) if row.why else ""


def _steps(found: dict[str, Any], why: str) -> list[dict[str, Any]]:
    """Returns the steps of a check: those that have ended, the one that is being made, and those to come.

    `why` is told in place of the step that says the same in English.
    """
    ended = [_shown_step(step, {found.get("why"): why}) for step in found.get("steps", ())]
    to_come = list(found.get("names", ()))[len(ended) :] if found.get("outcome") is None else []
    return ended + [
        {"name": name, "verdict": "to come" if number else "running"} for number, name in enumerate(to_come)
    ]


def _shown_step(step: dict[str, Any], known: Mapping[str | None, str]) -> dict[str, Any]:
    """Returns a step in the language of the reader; `english` names what stays in English, such as an error."""
    shown = {name: known.get(step[name]) or spoken(step[name]) for name in ("found", "advice") if step.get(name)}
    is_english = present_language() is Language.ENGLISH
    return {**step, **shown, "english": [name for name in shown if shown[name] == step[name] and not is_english]}


def end_of_log(data: bytes) -> str:
    """Returns as much of a log as a page shows."""
    return data.decode("utf-8", "replace")[-SHOWN_CHARACTERS:]


@require_safe
@for_accounts
def own_round(request: HttpRequest, visit: Visit, *, bot: str, number: int, played: int) -> HttpResponseBase:
    """Shows what a version printed in a round that has ended, and its faults with tracebacks."""
    row = own_version(request, visit, bot, number)
    round_row = round_of(visit, played)
    values = visit.values(
        page="mine",
        bot=row.bot,
        version=row,
        round=round_row,
        entrant=entrant_name(row),
        faults=read_round_faults(request.user, row, round_row),
        log=end_of_log(read_round_log(request.user, row, round_row)),
        complete=round_row.state == RoundState.COMPLETE,
    )
    return render(request, "arena/own_round.html", values)


@require_safe
@for_accounts
def repro(
    request: HttpRequest, visit: Visit, *, bot: str, number: int, played: int, game: str, seat: int
) -> HttpResponseBase:
    """Sends the folder that plays the first fault of a version in a game again, as a zip file."""
    row = own_version(request, visit, bot, number)
    round_row = round_of(visit, played)
    faults = read_round_faults(request.user, row, round_row)
    if not any((fault.id, fault.seat) == (game, seat) for fault in faults):
        raise Http404(_("This version has no fault in that game."))
    folder = arena_folder().cache / "repro"
    folder.mkdir(parents=True, exist_ok=True)
    run = competition_folder(visit.row).round(played)
    with NamedTemporaryFile(dir=folder, suffix=".zip") as file:
        MAKER.make("make_repro", run, game, seat, Path(file.name))
        content = Path(file.name).read_bytes()
    return send_bytes(content, name=f"repro-{game}-seat{seat}.zip", media_type="application/zip")
