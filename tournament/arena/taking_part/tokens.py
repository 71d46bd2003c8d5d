"""Tokens: what a program shows to hand in versions of one bot. They are shown once, and kept as a digest."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import transaction

from tournament.arena.models import BotRow, Token
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.taking_part.permissions import Call, no_such, require, the_participant
from tournament.languages import gettext
from tournament.text import printable

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

BEGINNING: Final = "arena-"
"""Of every token: whoever finds one in a file knows what it is."""

MOST_DAYS: Final = 366
MOST_TOKENS: Final = 10
LABEL_CHARACTERS: Final = 40
_SECRET_BYTES: Final = 32
_NOTED_AFTER: Final = timedelta(minutes=1)


class NewToken(NamedTuple):
    """A token with its secret, which nobody can read again."""

    row: Token
    text: str


def make_token(account: Account, bot: BotRow, *, label: str, now: datetime, days: int = 90) -> NewToken:
    """Returns a new token for one bot, which holds for so many days. Raises `RefusedError`."""
    require(Call.KEEP_TOKENS, account, bot.competition, bot)
    owner = the_participant(account, bot.competition)
    if not 1 <= days <= MOST_DAYS:
        raise RefusedError(
            RefusalKind.WRONG, gettext("A token holds for 1 to {most} days. Choose a number of them.", most=MOST_DAYS)
        )
    label = printable(label.strip())
    if not 1 <= len(label) <= LABEL_CHARACTERS:
        raise RefusedError(
            RefusalKind.WRONG,
            gettext(
                "Say in 1 to {most} letters what the token is for, such as the name of a computer.",
                most=LABEL_CHARACTERS,
            ),
        )
    text = BEGINNING + secrets.token_urlsafe(_SECRET_BYTES)
    with transaction.atomic():
        Token.objects.filter(bot=bot, owner=owner, expires__lte=now).delete()
        if Token.objects.filter(bot=bot, owner=owner).count() >= MOST_TOKENS:
            raise RefusedError(
                RefusalKind.QUOTA,
                gettext("You have {count} tokens for {bot}. End one of them first.", count=MOST_TOKENS, bot=bot.name),
            )
        row = Token.objects.create(
            bot=bot,
            owner=owner,
            digest=_digest(text),
            label=label,
            created=now,
            expires=now + timedelta(days=days),
        )
    return NewToken(row, text)


def tokens_of(account: Account, bot: BotRow) -> list[Token]:
    """Returns one's own tokens for a bot, the newest first."""
    require(Call.KEEP_TOKENS, account, bot.competition, bot)
    return list(Token.objects.filter(bot=bot, owner__account_id=_key(account)).order_by("-created", "-pk"))


def end_token(account: Account, bot: BotRow, key: int) -> None:
    """Ends one of one's own tokens for a bot. Raises `RefusedError` for one that is somebody else's, or not there."""
    require(Call.KEEP_TOKENS, account, bot.competition, bot)
    deleted, _ = Token.objects.filter(bot=bot, owner__account_id=_key(account), pk=key).delete()
    if not deleted:
        raise no_such(
            gettext("There is no token of yours with the number {number}. Check how it is written.", number=key)
        )


def use_token(text: str, *, now: datetime) -> Token | None:
    """Returns the token that a program shows; None when it does not hold: unknown, expired, or its owner is gone."""
    found = Token.objects.filter(digest=_digest(text), expires__gt=now)
    token = found.select_related("bot__competition", "owner__account").first()
    if token is None or token.owner.account is None or not token.owner.account.is_active:
        return None
    if token.last_used is None or now - token.last_used >= _NOTED_AFTER:
        Token.objects.filter(pk=token.pk).update(last_used=now)
    return token


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _key(account: Account) -> int:
    assert account is not None and account.pk is not None  # noqa: PT018 (`require` has asked)
    return int(account.pk)
