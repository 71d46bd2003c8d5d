"""What servers of others tell by OpenID Connect, read with the care that strangers deserve."""

from __future__ import annotations

from typing import Any, Final

import jwt
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.arena.operating.addresses import is_issuer, is_safe
from tournament.arena.places import server_of

_LONGEST_ID: Final = 191
"""allauth keeps no longer `sub`."""

_LONGEST_TEXT: Final = 254
"""As long as an address of mail may be."""

_TEXTS: Final = ("preferred_username", "email")

_ADDRESSES: Final = ("issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri")

_ALGORITHMS: Final = "id_token_signing_alg_values_supported"
_USUAL_ALGORITHMS: Final = ["RS256"]
"""What every server can, also one that does not say what it can."""

_NEEDED: Final = ["iss", "sub", "aud", "exp", "iat"]
"""What OpenID Connect wants in every id_token."""

_UNREADABLE: Final = (KeyError, TypeError, ValueError, AttributeError)
"""What reading an answer raises that is not as OpenID Connect says."""


class UnusableServerError(Exception):
    """A server does not tell where people sign in."""


class ArenaOpenIdAnswers(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # allauth ships no types
    """Asks a server; whatever it answers, who cannot be signed in is told so in a sentence."""

    @property
    def openid_config(self) -> dict[str, Any]:
        """What a server tells of itself. Raises `UnusableServerError` where that is not enough, or not safe."""
        try:
            told: dict[str, Any] = super().openid_config
            is_enough = all(isinstance(told[key], str) and is_safe(told[key]) for key in _ADDRESSES)
            is_enough = is_enough and is_issuer(told["issuer"], server=self.get_provider().app.settings["server_url"])
        except _UNREADABLE:
            is_enough = False
        if not is_enough:
            raise UnusableServerError
        return told

    def get_access_token_data(
        self, request: HttpRequest, app: Any, client: Any, pkce_code_verifier: str | None = None
    ) -> Any:
        """Returns the answer to a code. Raises `OAuth2Error` for one that cannot be used."""
        try:
            told = super().get_access_token_data(request, app, client, pkce_code_verifier=pkce_code_verifier)
            self.parse_token(told)
            check_id_token(told.get("id_token"), verifier=pkce_code_verifier, server=self.openid_config, client=app)
        except _UNREADABLE:
            raise OAuth2Error("The answer to the code is none.") from None
        return told

    def complete_login(self, request: HttpRequest, app: Any, token: Any, **options: Any) -> Any:
        """Returns who signs in. Raises `OAuth2Error` where the answers do not tell."""
        try:
            return super().complete_login(request, app, token, **options)
        except _UNREADABLE:
            raise OAuth2Error("The answers do not tell who that is.") from None


class ArenaOpenId(OpenIDConnectProvider):  # type: ignore[misc]  # allauth ships no types
    """A server of others, of whose answers only what is right and needed goes further."""

    oauth2_adapter_class = ArenaOpenIdAnswers

    def get_pkce_params(self) -> dict[str, Any]:
        """Returns what a server is asked with, and has to prove or to repeat."""
        drawn: dict[str, Any] = super().get_pkce_params()
        return {**drawn, "nonce": _nonce_of(drawn["code_verifier"])}

    def sociallogin_from_response(self, request: HttpRequest, response: Any) -> Any:
        """Returns who signs in. Raises `OAuth2Error` where the answers do not tell, or disagree."""
        return super().sociallogin_from_response(request, checked_answers(response, client=self.app.client_id))

    def extract_email_addresses(self, data: Any) -> list[Any]:
        """Returns the address of mail, as confirmed only where the host trusts the server to have looked."""
        found: list[Any] = super().extract_email_addresses(data)
        server = server_of(self.app.provider_id)
        for one in found:
            one.verified = one.verified and server is not None and server.trust_mail
        return found


def _nonce_of(verifier: str) -> str:
    """Returns what the id_token of a visitor has to repeat, made of what is kept in the session of that visitor."""
    return salted_hmac("sign-in nonce", verifier, algorithm="sha256").hexdigest()


def check_id_token(token: Any, *, verifier: str | None, server: dict[str, Any], client: Any) -> None:
    """Raises `OAuth2Error` for an id_token that OpenID Connect Core 3.1.3.7 wants refused.

    Its signature is not verified: it comes from the server itself, whose TLS certificate stands for it.
    """
    if not isinstance(token, str) or not token:
        raise OAuth2Error("There is no id_token.")
    if not verifier:
        raise OAuth2Error("Nobody asked for the id_token here.")
    try:
        whole = jwt.decode_complete(
            token,
            options={
                "verify_signature": False,
                "verify_iss": True,
                "verify_aud": True,
                "verify_exp": True,
                "require": _NEEDED,
            },
            issuer=server["issuer"],
            audience=client.client_id,
        )
    except jwt.PyJWTError as error:
        raise OAuth2Error(f"The id_token is none for this arena: {error}") from None
    algorithm = whole["header"]["alg"]
    if algorithm == "none" or algorithm not in server.get(_ALGORITHMS, _USUAL_ALGORITHMS):
        raise OAuth2Error("The id_token is not signed as the server says.")
    if not constant_time_compare(str(whole["payload"].get("nonce")), _nonce_of(verifier)):
        raise OAuth2Error("The id_token answers another question.")


def checked_answers(told: Any, *, client: str) -> dict[str, dict[str, Any]]:
    """Returns what is needed of `userinfo` and `id_token`; texts that are none, too long or not printable are left out.

    Raises `OAuth2Error` where the two do not name the same person, or the token is for another or ends never.
    """
    person, token = told["userinfo"], told["id_token"]
    who = token.get("sub")
    if not isinstance(who, str) or not 0 < len(who) <= _LONGEST_ID or not who.isprintable():
        raise OAuth2Error("The sub of the id_token is none.")
    if person.get("sub") != who:
        raise OAuth2Error("userinfo is about another than the id_token.")
    audience = token.get("aud")
    is_for_several = isinstance(audience, list) and len(audience) > 1
    if "exp" not in token or token.get("azp", None if is_for_several else client) != client:
        raise OAuth2Error("The id_token is for another, or ends never.")
    texts = {key: person[key] for key in _TEXTS if _is_text(person.get(key))}
    return {"userinfo": {"sub": who, **texts, "email_verified": person.get("email_verified")}, "id_token": {"sub": who}}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_TEXT and value.isprintable()
