"""The visitor's own account: where it takes part, its data to take away, and its end."""

from __future__ import annotations

from tempfile import TemporaryFile

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tournament.arena import taking_part
from tournament.arena.models import Host, Participant
from tournament.arena.places import arena_folder
from tournament.arena.refusals import RefusedError
from tournament.arena.throttling import MINUTE, Throttle
from tournament.arena.web.pages.round_pages import send_bytes

WRONG_PASSWORDS = Throttle("password to delete", limit=5, seconds=5 * MINUTE)


@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponseBase:
    """Shows an account to whom it belongs."""
    key = request.user.pk
    values = {
        "taking_part": Participant.objects.filter(account_id=key).select_related("competition"),
        "hosting": Host.objects.filter(account_id=key).select_related("competition"),
    }
    return render(request, "arena/account.html", values)


@require_POST
@login_required
def take_away(request: HttpRequest) -> HttpResponseBase:
    """Sends everything that is kept about an account."""
    with TemporaryFile(dir=arena_folder().incoming) as file:
        taking_part.write_data(request.user, file)
        file.seek(0)
        return send_bytes(file.read(), name="my-data.zip", media_type="application/zip")


@require_POST
@login_required
def delete_account(request: HttpRequest) -> HttpResponseBase:
    """Deletes an account, once its password was given again, or its name where it has no password."""
    user = request.user
    assert user.is_authenticated, "the page asks for an account"
    try:
        WRONG_PASSWORDS.require(str(user.pk))
        if user.has_usable_password() and not user.check_password(request.POST.get("password", "")):
            WRONG_PASSWORDS.note(str(user.pk))
            messages.error(request, _("This is not the password of your account. Nothing was deleted."))
            return redirect("account")
        if not user.has_usable_password() and request.POST.get("name", "").strip() != user.get_username():
            messages.error(request, _("This is not the name of your account. Nothing was deleted."))
            return redirect("account")
        taking_part.delete_account(user, now=now())
    except RefusedError as error:
        messages.error(request, str(error))
        return redirect("account")
    logout(request)
    messages.success(request, _("Your account is deleted."))
    return redirect("home")
