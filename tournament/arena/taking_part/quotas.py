"""How often a participant may do what: versions and challenges a day, checks an hour.

A day is one of the competition's time zone. What was refused counts in no day. What waits for its check counts until
that has ended, or else many could be handed in at once; but not where the machine has failed at that check.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from tournament.arena.files import CompetitionFile
from tournament.arena.models import Challenge, Participant, VersionRow
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.rules import zone_of
from tournament.arena.scheduling.days import day_of
from tournament.arena.transitions import RoundState, VersionState
from tournament.languages import format_moment, gettext, ngettext, showing_times_in

CHECKS_AN_HOUR: Final = 20
_HOUR: Final = timedelta(hours=1)
_UNCOUNTED: Final = (VersionState.REFUSED.value,)
_UNCHECKED: Final = (VersionState.RECEIVED.value, VersionState.CHECKING.value)


class Quota(NamedTuple):
    """How much of a quota is used."""

    used: int
    limit: int
    free_at: datetime | None
    """When the next is free; None while one is."""

    waiting: int = 0
    """How many of those used wait for their check, and are given back if it refuses them."""

    @property
    def left(self) -> int:
        """How many more there may be now."""
        return max(0, self.limit - self.used)


class Quotas(NamedTuple):
    """What a participant has left."""

    versions: Quota
    challenges: Quota
    checks: Quota


def quotas_of(participant: Participant, rules: CompetitionFile, *, now: datetime) -> Quotas:
    """Returns what a participant has used of each quota."""
    begin, end = day_of(now, rules.time_zone)
    versions = VersionRow.objects.filter(handed_in_by=participant)
    today = versions.filter(received__gte=begin, received__lt=end, check_only=False)
    today = today.exclude(state__in=_UNCOUNTED).exclude(state__in=_UNCHECKED, machine_failures__gt=0)
    waiting = today.filter(state__in=_UNCHECKED).count()
    asked = Challenge.objects.filter(asked_by=participant, asked__gte=begin, asked__lt=end)
    played = asked.exclude(round__state=RoundState.ABANDONED.value).count()
    received = list(versions.filter(received__gt=now - _HOUR).order_by("received").values_list("received", flat=True))
    return Quotas(
        versions=_quota(today.count(), rules.versions_a_day, free_at=end, waiting=waiting),
        challenges=_quota(played, rules.challenges_a_day, free_at=end),
        checks=_quota(len(received), CHECKS_AN_HOUR, free_at=received[-CHECKS_AN_HOUR] + _HOUR)
        if len(received) >= CHECKS_AN_HOUR
        else Quota(len(received), CHECKS_AN_HOUR, None),
    )


def _quota(used: int, limit: int, *, free_at: datetime, waiting: int = 0) -> Quota:
    return Quota(used, limit, free_at if used >= limit else None, waiting)


def require_version(quotas: Quotas, rules: CompetitionFile, *, check_only: bool) -> None:
    """Raises `RefusedError` when a participant may not hand in one more version now."""
    if quotas.checks.free_at is not None:
        told = gettext(
            "{count} programs were handed in within an hour. The next is free at {time}; try again then.",
            count=CHECKS_AN_HOUR,
            time=_shown(quotas.checks.free_at, rules),
        )
        raise _used_up(told, quotas.checks.free_at)
    versions = quotas.versions
    if check_only or versions.free_at is None:
        return
    time = _shown(versions.free_at, rules)
    if versions.waiting:
        told = ngettext(
            "{count} version a day may be handed in, and {waiting} of yours still wait for their check (a refused one "
            "is given back). The next is free at {time}; try again then.",
            "{count} versions a day may be handed in, and {waiting} of yours still wait for their check (a refused one "
            "is given back). The next is free at {time}; try again then.",
            versions.limit,
            waiting=versions.waiting,
            time=time,
        )
    else:
        told = ngettext(
            "{count} version a day may be handed in. The next is free at {time}; try again then.",
            "{count} versions a day may be handed in. The next is free at {time}; try again then.",
            versions.limit,
            time=time,
        )
    raise _used_up(told, versions.free_at)


def require_challenge(quotas: Quotas, rules: CompetitionFile) -> None:
    """Raises `RefusedError` when a participant may not ask for one more challenge now."""
    challenges = quotas.challenges
    if challenges.limit == 0:
        raise RefusedError(
            RefusalKind.STATE,
            gettext("This competition has no challenges. Look at the games of your bot on the ladder."),
        )
    if challenges.free_at is not None:
        told = ngettext(
            "{count} challenge a day may be asked for. The next is free at {time}; try again then.",
            "{count} challenges a day may be asked for. The next is free at {time}; try again then.",
            challenges.limit,
            time=_shown(challenges.free_at, rules),
        )
        raise _used_up(told, challenges.free_at)


def _shown(free_at: datetime, rules: CompetitionFile) -> str:
    with showing_times_in(zone_of(rules)):
        return format_moment(free_at)


def _used_up(text: str, free_at: datetime) -> RefusedError:
    return RefusedError(RefusalKind.QUOTA, text, free_at=free_at)
