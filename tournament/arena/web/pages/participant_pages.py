"""Pages of participants: joining, their bots, handing in, challenges, tokens and owners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.arena import taking_part
from tournament.arena.files import Joining
from tournament.arena.models import BotRow, VersionRow
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.taking_part import Quotas, find_bot, find_version, quotas_of, tokens_of
from tournament.arena.transitions import VersionState
from tournament.arena.web.news import NewsKind, NewsSubject, stamp
from tournament.arena.web.pages.acting import act
from tournament.arena.web.visits import Visit, for_accounts, for_participants, house_names_of
from tournament.languages import format_moment


@require_http_methods(["GET", "HEAD", "POST"])
@for_accounts
def join(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Lets an account take part, under a public name."""
    given = request.POST
    if request.method == "POST":
        try:
            taking_part.join(
                request.user,
                visit.row,
                now=now(),
                public_name=given.get("public_name", ""),
                code=given.get("code", ""),
                consents=given.get("consent") == "yes",
            )
        except RefusedError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("You take part. Give your bot a name, and hand it in."))
            return redirect("mine", name=visit.row.name)
    values = visit.values(
        page="join",
        by_code=visit.rules.joining is Joining.CODE,
        invited=visit.rules.joining is Joining.INVITED,
        public_name=given.get("public_name", request.user.get_username()),
        code=given.get("code", request.GET.get("code", "")),
    )
    return render(request, "arena/join.html", values)


@require_safe
@for_participants
def mine(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Shows a participant's own bots, with what can be done with them."""
    participant = visit.participant
    assert participant is not None  # the decorator asks
    bots = list(participant.bots.order_by("name"))
    quotas = quotas_of(participant, visit.rules, now=now())
    active = VersionRow.objects.filter(bot__competition=visit.row, state=VersionState.ACTIVE)
    names = list(active.order_by("bot__name").values_list("bot__name", flat=True))
    values = visit.values(
        page="mine",
        since=stamp(NewsSubject(NewsKind.COMPETITION, visit.row.pk)),
        bots=[_shown(request, bot, active=names) for bot in bots],
        quota=_format_quota(quotas),
        challenges=quotas.challenges,
        house=house_names_of(visit),
        may_make=len(bots) < visit.rules.bots_a_participant,
        must_consent=bool(visit.rules.consent) and participant.consented is None,
    )
    return render(request, "arena/mine.html", values)


def _shown(request: HttpRequest, bot: BotRow, *, active: Sequence[str]) -> dict[str, Any]:
    return {
        "bot": bot,
        "versions": bot.versions.order_by("-number")[:20],
        "tokens": tokens_of(request.user, bot),
        "owners": bot.owners.order_by("public_name"),
        "opponents": [name for name in active if name != bot.name],
    }


def _format_quota(quotas: Quotas) -> str:
    """Returns what is left of the quota of versions, in a sentence."""
    for quota in (quotas.checks, quotas.versions):
        if quota.free_at is not None:
            return _("The next can be handed in at %(time)s.") % {"time": format_moment(quota.free_at)}
    left = quotas.versions.left
    return ngettext("%(count)d more version today.", "%(count)d more versions today.", left) % {"count": left}


@require_POST
@for_participants
def consent(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Notes that a participant whom a host entered agrees."""
    return act(
        request,
        lambda: taking_part.consent(request.user, visit.row, now=now()),
        told=_("Thank you. Now you can hand in."),
        then="mine",
        name=visit.row.name,
    )


@require_POST
@for_participants
def rename(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Changes the public name."""
    return act(
        request,
        lambda: taking_part.rename(request.user, visit.row, request.POST.get("public_name", "")),
        told=_("Others see your new name from now on."),
        then="mine",
        name=visit.row.name,
    )


@require_POST
@for_participants
def make_bot(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Makes a bot."""
    return act(
        request,
        lambda: taking_part.make_bot(request.user, visit.row, request.POST.get("name", ""), now=now()),
        told=_("The bot is there. Hand in its first version."),
        then="mine",
        name=visit.row.name,
    )


@require_POST
@for_accounts
def hand_in(request: HttpRequest, visit: Visit, *, bot: str) -> HttpResponseBase:
    """Takes in a version, and shows its check."""
    row = find_bot(visit.row, bot)
    upload = request.FILES.get("file")
    if upload is None:
        messages.error(request, _("Choose a file first."))
        return redirect("mine", name=visit.row.name)
    try:
        handed = taking_part.hand_in(
            request.user,
            row,
            file_name=upload.name or "",
            chunks=upload.chunks(),
            now=now(),
            check_only=request.POST.get("check_only") == "yes",
        )
    except RefusedError as error:
        messages.error(request, str(error))
        return redirect("mine", name=visit.row.name)
    if not handed.is_new:
        messages.info(request, _("This program was handed in before, as the version that you see."))
    return redirect("version", name=visit.row.name, bot=bot, number=handed.version.number)


@require_POST
@for_accounts
def activate(request: HttpRequest, visit: Visit, *, bot: str, number: int) -> HttpResponseBase:
    """Lets an earlier or a parked version play."""
    row = find_version(find_bot(visit.row, bot), number)
    told = _("Version %(number)d plays from now on.") % {"number": number}
    return act(
        request,
        lambda: taking_part.activate_version(request.user, row, now=now()),
        told=told,
        then="mine",
        name=visit.row.name,
    )


@require_POST
@for_accounts
def challenge(request: HttpRequest, visit: Visit, *, bot: str) -> HttpResponseBase:
    """Asks for a round of the active version against others."""
    row = find_bot(visit.row, bot)
    names = request.POST.getlist("opponents")

    def call() -> None:
        active = VersionRow.objects.filter(bot__competition=visit.row, state=VersionState.ACTIVE).select_related("bot")
        own = active.filter(bot=row).first() or row.versions.order_by("-number").first()
        if own is None:
            raise nothing_handed_in(bot)
        house = request.POST.getlist("house")
        taking_part.challenge(request.user, own, list(active.filter(bot__name__in=names)), house=house, now=now())

    told = _("Your challenge waits to be played: you find it among the rounds of your bot.")
    return act(request, call, told=told, then="mine", name=visit.row.name)


def nothing_handed_in(bot: str) -> RefusedError:
    """Returns the refusal for a bot that has no version yet."""
    return RefusedError(
        RefusalKind.STATE, _("Nothing was handed in for %(bot)s yet. Hand in a version first.") % {"bot": bot}
    )


@require_POST
@for_accounts
def make_token(request: HttpRequest, visit: Visit, *, bot: str) -> HttpResponseBase:
    """Makes a token, and shows it this once."""
    row = find_bot(visit.row, bot)
    try:
        made = taking_part.make_token(request.user, row, label=request.POST.get("label", ""), now=now())
    except RefusedError as error:
        messages.error(request, str(error))
        return redirect("mine", name=visit.row.name)
    values = visit.values(page="mine", bot=row, token=made.text, address=settings.ARENA.address)
    answer = render(request, "arena/token.html", values)
    answer["Cache-Control"] = "no-store"
    return answer


@require_POST
@for_accounts
def end_token(request: HttpRequest, visit: Visit, *, bot: str, key: int) -> HttpResponseBase:
    """Ends a token."""
    row = find_bot(visit.row, bot)
    return act(
        request,
        lambda: taking_part.end_token(request.user, row, key),
        told=_("The token holds no longer."),
        then="mine",
        name=visit.row.name,
    )


@require_POST
@for_accounts
def add_owner(request: HttpRequest, visit: Visit, *, bot: str) -> HttpResponseBase:
    """Makes another participant a co-owner."""
    row = find_bot(visit.row, bot)
    return act(
        request,
        lambda: taking_part.add_owner(request.user, row, request.POST.get("public_name", "")),
        told=_("The bot has another owner."),
        then="mine",
        name=visit.row.name,
    )


@require_POST
@for_accounts
def remove_owner(request: HttpRequest, visit: Visit, *, bot: str) -> HttpResponseBase:
    """Takes a bot from one of its owners."""
    row = find_bot(visit.row, bot)
    return act(
        request,
        lambda: taking_part.remove_owner(request.user, row, request.POST.get("public_name", "")),
        told=_("The bot has an owner less."),
        then="mine",
        name=visit.row.name,
    )
