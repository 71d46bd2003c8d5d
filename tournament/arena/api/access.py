"""Who asks the API: whoever shows a token, as the owner it was given to, for its one bot."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest
from django.utils.timezone import now as present
from ninja.security import HttpBearer

from tournament.arena.models import BotRow, CompetitionRow, Token
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.taking_part import find_bot, find_competition, use_token
from tournament.arena.throttling import MINUTE, Throttle, client_address

WRONG_TOKENS: Final = Throttle("token", limit=60, seconds=MINUTE)
"""From one address, behind which a whole class may sit: a token that holds is never kept waiting."""

_NO_TOKEN: Final = (
    "This token is not valid: it has expired, was ended, or is not complete. Make another one under My bots."
)


class TokenAccess(HttpBearer):
    """Lets whoever shows a token that holds in; `request.auth` is its row."""

    def authenticate(self, request: HttpRequest, token: str) -> Token:
        """Returns the token's row. Raises `RefusedError`, and waits longer for an address that guesses."""
        found = use_token(token, now=present())
        if found is not None:
            return found
        address = client_address(request)
        WRONG_TOKENS.require(address)
        WRONG_TOKENS.note(address)
        raise RefusedError(RefusalKind.NOT_LOGGED_IN, _NO_TOKEN)


TOKEN_ACCESS: Final = TokenAccess()


def shown_token(request: HttpRequest) -> Token | None:
    """Returns the token that a request shows, where it need not show one; a wrong one is refused all the same."""
    found: Token | None = TOKEN_ACCESS(request)
    return found


def competition_for(request: HttpRequest, name: str) -> CompetitionRow:
    """Returns a competition that whoever asks may look at. Raises `RefusedError`."""
    token = shown_token(request)
    return find_competition(name, None if token is None else token.owner.account)


def own_bot(request: HttpRequest, competition: str, bot: str) -> BotRow:
    """Returns the bot of the token that a request shows. Raises `RefusedError` for any other bot."""
    token: Token = request.auth  # type: ignore[attr-defined]
    row = find_bot(find_competition(competition, token.owner.account), bot)
    if row.pk != token.bot_id:
        raise RefusedError(RefusalKind.NOT_ALLOWED, f"This token is for {token.bot.name}. Use one for {row.name}.")
    return row
