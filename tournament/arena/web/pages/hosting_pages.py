"""What hosts do: the course of a competition, its rules, versions, rounds and people."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.templatetags.static import static
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.arena import hosting
from tournament.arena.files import COMPETITION_FILE
from tournament.arena.models import Participant, VersionRow
from tournament.arena.refusals import RefusedError
from tournament.arena.taking_part import Call, find_bot, require
from tournament.arena.transitions import CompetitionState
from tournament.arena.web.pages.acting import act, tell_refusal
from tournament.arena.web.pages.own_pages import end_of_log
from tournament.arena.web.pages.round_pages import send_bytes
from tournament.arena.web.visits import Visit, for_hosts
from tournament.errors import ConfigurationError
from tournament.text import is_plain_number

NEW_RULES: Final = """\
# yaml-language-server: $schema=SCHEMA
title: My competition
games:
  - game: GAME
    players: [3]
joining: everybody
about: |
  What it is about.
"""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponseBase:
    """Creates a competition, a draft that only its host sees."""
    require(Call.CREATE, request.user)
    name = request.POST.get("name", "")
    text = request.POST.get("rules") or _new_rules()
    if request.method == "POST":
        try:
            made = hosting.create_competition(request.user, name, text, now=now())
        except (RefusedError, ConfigurationError) as error:
            tell_refusal(request, error)
        else:
            messages.success(request, _("It is a draft that only you see. Open it when its rules are right."))
            return redirect("control", name=made.name)
    return render(request, "arena/create.html", {"name": name, "rules_text": text})


def _new_rules() -> str:
    """Returns rules to begin with, which tell an editor where their schema is."""
    from tournament.games import game_names

    schema = f"{settings.ARENA.address}{static('schemas/competition.v1.json')}"
    return NEW_RULES.replace("SCHEMA", schema).replace("GAME", game_names()[0])


@require_http_methods(["GET", "HEAD", "POST"])
@for_hosts
def rules(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Shows the rules as they are written, and changes them."""
    text = request.POST.get("rules")
    if request.method == "POST" and text is not None:
        begins = request.POST.get("begins_season") == "yes"
        try:
            parts = hosting.change_rules(request.user, visit.row, text, now=now(), begins_season=begins)
        except (RefusedError, ConfigurationError) as error:
            tell_refusal(request, error)
        else:
            told = (
                _("Changed: %(parts)s.") % {"parts": ", ".join(parts)} if parts else _("Nothing is other than before.")
            )
            messages.success(request, told)
            return redirect("rules", name=visit.row.name)
    else:
        text = (visit.folder.path / COMPETITION_FILE).read_text("utf-8")
    return render(request, "arena/rules.html", visit.values(page="control", rules_text=text))


@require_POST
@for_hosts
def steer(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Opens, pauses, freezes or closes the competition."""
    state = request.POST.get("state", "")
    if state not in list(CompetitionState):
        messages.error(request, _("There is no such state."))
        return redirect("control", name=visit.row.name)
    return act(
        request,
        lambda: hosting.steer(request.user, visit.row, CompetitionState(state), now=now()),
        told=_("Done."),
        then="control",
        name=visit.row.name,
    )


@require_POST
@for_hosts
def announce(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Tells everybody something."""
    return act(
        request,
        lambda: hosting.announce(request.user, visit.row, request.POST.get("text", ""), now=now()),
        told=_("Everybody can read it now."),
        then="control",
        name=visit.row.name,
    )


@require_POST
@for_hosts
def moderate(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Checks a version again, takes it out or back in; or all versions of its bot."""
    chosen = VersionRow.objects.filter(bot__competition=visit.row).select_related("bot__competition")
    version = get_object_or_404(chosen, pk=_number(request, "version") or 0)
    reason, what = request.POST.get("reason", ""), request.POST.get("what", "")
    number = None if request.POST.get("all") == "yes" else version.number
    calls = {
        "check again": lambda: hosting.check_again(request.user, version, now=now()),
        "disqualify": lambda: hosting.disqualify(request.user, version.bot, number, reason=reason, now=now()),
        "reinstate": lambda: hosting.reinstate(request.user, version.bot, number, reason=reason, now=now()),
    }
    if what not in calls:
        messages.error(request, _("Choose what to do."))
        return redirect("control", name=visit.row.name)
    return act(request, calls[what], told=_("Done."), then="control", name=visit.row.name)


@require_POST
@for_hosts
def check_logs(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Shows what the check of a version wrote; that a host read it stands among the acts."""
    name, number = request.POST.get("bot", "").strip(), _number(request, "version") or 0
    try:
        bot = find_bot(visit.row, name)
        logs = hosting.read_check_logs(request.user, bot, number, now=now())
    except RefusedError as error:
        messages.error(request, str(error))
        return redirect("control", name=visit.row.name)
    values = visit.values(
        page="control", bot=bot, number=number, log=end_of_log(logs.log), build=end_of_log(logs.build)
    )
    return _once(render(request, "arena/check_logs.html", values))


@require_POST
@for_hosts
def abandon(request: HttpRequest, visit: Visit, *, number: int) -> HttpResponseBase:
    """Lets a round that has not ended count for nothing."""
    reason = request.POST.get("reason", "")
    return act(
        request,
        lambda: hosting.abandon(request.user, visit.row, number, reason=reason, now=now()),
        told=_("The round counts for nothing."),
        then="control",
        name=visit.row.name,
    )


@require_POST
@for_hosts
def enter_participants(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Enters everybody on a list, and shows the links by which new accounts get their passwords, this once."""
    upload = request.FILES.get("file")
    if upload is None:
        messages.error(request, _("Choose a file first."))
        return redirect("control", name=visit.row.name)
    try:
        entered = hosting.enter_participants(request.user, visit.row, upload.read(), now=now())
    except RefusedError as error:
        messages.error(request, str(error))
        return redirect("control", name=visit.row.name)
    if request.POST.get("as") == "csv":
        content = hosting.links_csv(entered).encode()
        return send_bytes(content, name=f"{visit.row.name}-links.csv", media_type="text/csv; charset=utf-8")
    return _links(request, visit, entered)


@require_POST
@for_hosts
def give_link(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Shows a link by which a participant chooses a new password, this once."""
    participant = get_object_or_404(Participant, competition=visit.row, pk=_number(request, "participant") or 0)
    try:
        link = hosting.give_link(request.user, visit.row, participant, now=now())
    except RefusedError as error:
        messages.error(request, str(error))
        return redirect("control", name=visit.row.name)
    account = participant.account
    username = "" if account is None else account.get_username()
    return _links(request, visit, [hosting.Entered(username, participant.public_name, link)])


def _links(request: HttpRequest, visit: Visit, entered: list[hosting.Entered]) -> HttpResponse:
    return _once(render(request, "arena/links.html", visit.values(page="control", entered=entered)))


def _once(answer: HttpResponse) -> HttpResponse:
    """Returns a page with something secret, which nobody keeps."""
    answer["Cache-Control"] = "no-store"
    return answer


@require_POST
@for_hosts
def make_code(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Makes a join code."""
    return act(
        request,
        lambda: hosting.make_code(
            request.user, visit.row, now=now(), uses=_number(request, "uses"), days=_number(request, "days")
        ),
        told=_("The code is there: it stands in the list of join codes."),
        then="control",
        name=visit.row.name,
    )


def _number(request: HttpRequest, name: str) -> int | None:
    """Returns a number of a form; None where it is left empty, 0 where it is none."""
    text = request.POST.get(name, "").strip()
    return None if not text else int(text) if is_plain_number(text, whole=True) and len(text) < 9 else 0


@require_POST
@for_hosts
def end_code(request: HttpRequest, visit: Visit, *, key: int) -> HttpResponseBase:
    """Ends a join code."""
    return act(
        request,
        lambda: hosting.end_code(request.user, visit.row, key),
        told=_("The code holds no longer."),
        then="control",
        name=visit.row.name,
    )


@require_POST
@for_hosts
def add_host(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Lets another account run the competition, too."""
    return act(
        request,
        lambda: hosting.add_host(request.user, visit.row, request.POST.get("username", ""), now=now()),
        told=_("The competition has another host."),
        then="control",
        name=visit.row.name,
    )


@require_POST
@for_hosts
def remove_host(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Takes the rights of a host."""
    return act(
        request,
        lambda: hosting.remove_host(request.user, visit.row, request.POST.get("username", ""), now=now()),
        told=_("The competition has a host less."),
        then="home",
    )


@require_safe
@for_hosts
def marks(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Sends the marks of all participants as CSV."""
    text = hosting.marks_csv(request.user, visit.row)
    return send_bytes(text.encode(), name=f"{visit.row.name}-marks.csv", media_type="text/csv; charset=utf-8")
