"""Accounts as the arena wants them: who may sign up, what they are called, what is kept of who signs in elsewhere."""

from __future__ import annotations

import re
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from tournament.arena.models import Token
from tournament.arena.operating.fitness_file import registration_problem, stranger_problem
from tournament.arena.places import arena_folder, server_of

_USERNAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{1,39}")

_KEPT: Final = ("sub", "preferred_username", "email")
"""What is kept of what a server tells of somebody: no names, pictures or groups."""

BORROWED: Final = (
    gettext_lazy("Forgot your password?"),
    gettext_lazy("Your password can’t be too similar to your other personal information."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
    gettext_lazy("Your password can’t be a commonly used password."),
)
"""Texts of Django and allauth on our pages. Our catalogues have them too, for theirs address a reader more formally."""


class ArenaAccounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """What allauth asks of the arena."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Returns whether strangers may sign up."""
        return registration_problem(arena_folder(), settings.ARENA) is None

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Returns the name of a new account. Raises `ValidationError` for one that could pass for another."""
        if _USERNAME.fullmatch(username) is None:
            raise ValidationError(
                _("Choose 2 to 40 letters without accents, digits, and . _ @ + -; the first is a letter or a digit.")
            )
        return str(super().clean_username(username, shallow=shallow))


class ArenaSignIns(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """What allauth asks of the arena about servers of others."""

    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Any:
        """Returns what reads the answers of a server; one that the settings have no more is called by its id."""
        from allauth.socialaccount.models import SocialApp

        from tournament.arena.web.pages.open_id import ArenaOpenId

        try:
            app = self.get_app(request, provider=provider, client_id=client_id)
        except SocialApp.DoesNotExist:
            app = SocialApp(provider=ArenaOpenId.id, provider_id=provider, name=provider)
        return ArenaOpenId(request, app=app)

    def get_requests_session(self) -> Any:
        """Returns what asks servers."""
        from tournament.arena.web.pages.careful_asking import CarefulSession

        return CarefulSession()

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Returns whether somebody who is new here gets an account."""
        server = server_of(sociallogin.account.provider)
        return server is not None and server.new_accounts and stranger_problem(arena_folder(), settings.ARENA) is None

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> Any:
        """Makes an account, whole or not at all: nobody could get into a half of it, and its name would be taken."""
        with transaction.atomic():
            return super().save_user(request, sociallogin, form=form)

    def authenticate_by_email(self, sociallogin: Any) -> tuple[Any, str] | None:
        """Returns the one account that has an address which a trusted server vouches for, and that address.

        None where several have it: anybody may have written it into an account.
        """
        server = server_of(sociallogin.account.provider)
        if server is None or not server.trust_mail:
            return None
        for mail in (one.email for one in sociallogin.email_addresses if one.verified):
            found = _accounts_with(mail)
            if len(found) == 1:
                return found[0], mail
        return None

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Forgets the token of the server, and shuts out who made an account with the address of another."""
        sociallogin.token = None  # nothing is asked with it any more, and it would lie in the session
        is_by_mail = sociallogin.account.pk is None and sociallogin.is_existing
        if is_by_mail and sociallogin.state.get("process") != "connect" and sociallogin.user.is_active:
            for mail in (one.email for one in sociallogin.email_addresses if one.verified):
                _confirm(sociallogin.user, mail)

    def validate_disconnect(self, account: Any, accounts: Any) -> None:
        """Raises `ValidationError` where nobody could sign in any more once an account elsewhere is removed."""
        usable = [one for one in accounts if one.pk != account.pk and server_of(one.provider) is not None]
        if server_of(account.provider) is not None and not usable and not account.user.has_usable_password():
            raise self.validation_error("no_password")

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> Any:
        """Returns the account to be, without a person's own name; forgets what else the server told."""
        told = sociallogin.account.extra_data
        sociallogin.account.extra_data = {
            part: {key: values[key] for key in _KEPT if key in values}
            for part, values in told.items()
            if isinstance(values, dict)
        }
        return super().populate_user(request, sociallogin, {key: data.get(key) for key in ("username", "email")})


def _accounts_with(mail: str) -> list[Any]:
    """Returns the accounts with an address; where one has confirmed it, that one alone."""
    addresses = EmailAddress.objects.filter(email__iexact=mail).select_related("user")
    own = get_user_model().objects.filter(email__iexact=mail)
    # databases take some other letters for the same
    listed = [one for one in addresses if one.email.lower() == mail.lower()]
    confirmed = {one.user for one in listed if one.verified}
    return list(
        confirmed or {*(one.user for one in listed), *(user for user in own if user.email.lower() == mail.lower())}
    )


def _confirm(user: Any, mail: str) -> None:
    """Notes that an address is that of an account; before, its password, sessions, tokens and accounts elsewhere end.

    Whoever made the account may have written the address of somebody else, and waited for them.
    """
    if user.emailaddress_set.filter(email__iexact=mail, verified=True).exists():
        return
    with transaction.atomic():
        user.socialaccount_set.all().delete()
        Token.objects.filter(owner__account=user).delete()
        user.set_unusable_password()  # sessions end with it, also where there was none
        user.save(update_fields=["password"])
        user.emailaddress_set.update_or_create(email=mail, defaults={"verified": True})
