"""What the API answers and takes, as types: its page is made from them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ninja import Schema

from tournament.arena.models import BotRow, Challenge, CompetitionRow, RoundRow, VersionRow
from tournament.arena.taking_part import Quota, Quotas, entrant_name
from tournament.arena.transitions import RoundState


class CompetitionAnswer(Schema):
    """A competition."""

    name: str
    title: str
    state: str
    season: int
    opens: datetime | None
    freezes: datetime | None
    closes: datetime | None


class RulesAnswer(CompetitionAnswer):
    """A competition with its rules."""

    rules: dict[str, Any]
    """What `competition.yaml` says."""


class BotAnswer(Schema):
    """A bot."""

    name: str
    owners: list[str]
    """Their public names."""

    active_version: int | None


class VersionAnswer(Schema):
    """A version of a bot that was accepted once; its owners see the others, too."""

    bot: str
    number: int
    state: str
    received: datetime
    changed: datetime
    digest: str | None
    """SHA-256 of the program; None until it is unpacked."""

    check_only: bool


class CheckAnswer(VersionAnswer):
    """A version with its check, for its owners."""

    why: str | None
    """Why it is in its state, in a sentence."""

    check: dict[str, Any] | None
    """The steps of its check as far as they have come; None before the first."""


class HandedInAnswer(Schema):
    """What became of an upload."""

    version: VersionAnswer
    is_new: bool
    """False: the bot has this program already, and that version is active again, or still waits."""


class QuotaAnswer(Schema):
    """How much of a quota is used."""

    used: int
    limit: int
    left: int
    free_at: datetime | None
    """When the next is free; None while one is."""


class TokenAnswer(Schema):
    """What a token is for."""

    competition: str
    bot: str
    owner: str
    label: str
    expires: datetime
    versions: QuotaAnswer
    challenges: QuotaAnswer
    checks: QuotaAnswer


class RoundAnswer(Schema):
    """A round; its games can be downloaded once it is complete."""

    number: int
    season: int
    kind: str
    state: str
    planned: datetime
    started: datetime | None
    ended: datetime | None
    games: int
    entrants: list[str]
    """The versions in it, house bots left out."""

    why: str | None
    """Why it was abandoned."""


class OpponentInput(Schema):
    """Whom a challenge is against."""

    bot: str
    version: int | None = None
    """Left out, the active one; another one only of a bot of one's own. A house bot has none."""


class ChallengeInput(Schema):
    """A challenge that is asked for."""

    version: int | None = None
    """Of the token's bot; left out, the active one."""

    opponents: list[OpponentInput]


class ChallengeAnswer(Schema):
    """A challenge."""

    id: int
    version: str
    opponents: list[str]
    asked: datetime
    round: int | None
    """The number of its round; None while it waits."""


def competition_answer(row: CompetitionRow) -> dict[str, Any]:
    """Returns a competition for an answer."""
    return {name: getattr(row, name) for name in CompetitionAnswer.model_fields}


def bot_answer(bot: BotRow) -> BotAnswer:
    """Returns a bot for an answer; `owners` and `versions` may be there already."""
    active = [version.number for version in bot.versions.all() if version.state == "active"]
    owners = sorted(owner.public_name for owner in bot.owners.all())
    return BotAnswer(name=bot.name, owners=owners, active_version=active[0] if active else None)


def version_answer(version: VersionRow) -> dict[str, Any]:
    """Returns a version for an answer."""
    return {
        "bot": version.bot.name,
        "number": version.number,
        "state": version.state,
        "received": version.received,
        "changed": version.changed,
        "digest": version.digest or None,
        "check_only": version.check_only,
    }


def round_answer(row: RoundRow) -> RoundAnswer:
    """Returns a round for an answer: who plays in it, and nothing that was played until it is complete."""
    entrants = sorted(entrant_name(version) for version in row.versions.all())
    return RoundAnswer(
        number=row.number,
        season=row.season,
        kind=row.kind,
        state=row.state,
        planned=row.planned,
        started=row.started,
        ended=row.ended,
        games=row.games if row.state == RoundState.COMPLETE else 0,
        entrants=entrants,
        why=row.why or None,
    )


def quota_answers(quotas: Quotas) -> dict[str, QuotaAnswer]:
    """Returns what is left of each quota for an answer."""
    return {name: _quota(quota) for name, quota in quotas._asdict().items()}


def _quota(quota: Quota) -> QuotaAnswer:
    return QuotaAnswer(used=quota.used, limit=quota.limit, left=quota.left, free_at=quota.free_at)


def challenge_answer(row: Challenge) -> ChallengeAnswer:
    """Returns a challenge for an answer."""
    return ChallengeAnswer(
        id=row.pk,
        version=entrant_name(row.version),
        opponents=sorted([*map(entrant_name, row.opponents.select_related("bot")), *row.house]),
        asked=row.asked,
        round=None if row.round is None else row.round.number,
    )
