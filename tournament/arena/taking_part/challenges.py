"""Challenges: a round that a participant asks for to look at its games; it counts for nothing.

They are played after the end, too: whoever wants to go on does so without touching the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.db import transaction

from tournament.arena.models import Challenge, Participant, VersionRow
from tournament.arena.places import competition_folder
from tournament.arena.play.house import house_names
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.rules import read_rules
from tournament.arena.taking_part.permissions import Call, no_such, require, the_participant
from tournament.arena.taking_part.quotas import quotas_of, require_challenge
from tournament.arena.transitions import VersionState
from tournament.languages import gettext

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

MOST_OPPONENTS: Final = 7
_CAN_PLAY: Final = frozenset({VersionState.ACTIVE, VersionState.RETIRED, VersionState.PARKED})


def challenge(
    account: Account,
    version: VersionRow,
    opponents: Sequence[VersionRow],
    *,
    now: datetime,
    house: Sequence[str] = (),
) -> Challenge:
    """Returns a challenge that waits to be played: a version of one's own against active ones, or others of one's own.

    `house` has the names of house bots that it is against, too. Raises `RefusedError`.
    """
    bot = version.bot
    competition = bot.competition
    require(Call.CHALLENGE, account, competition, bot)
    participant = the_participant(account, competition)
    rules = read_rules(competition_folder(competition))
    if version.state not in _CAN_PLAY:
        raise RefusedError(
            RefusalKind.STATE,
            gettext(
                "Version {number} of {bot} cannot play. Choose one that can play.", number=version.number, bot=bot.name
            ),
        )
    if not 1 <= len(opponents) + len(house) <= MOST_OPPONENTS:
        raise RefusedError(
            RefusalKind.WRONG, gettext("A challenge has 1 to {most} opponents. Choose so many.", most=MOST_OPPONENTS)
        )
    different = {version.pk, *(opponent.pk for opponent in opponents)}
    if len(different) != 1 + len(opponents) or len(set(house)) != len(house):
        raise RefusedError(
            RefusalKind.WRONG, gettext("Each version may be in a challenge once. Choose different ones.")
        )
    known = house_names(rules, competition_folder(competition)) if house else ()
    for name in house:
        if name not in known:
            raise no_such(gettext("There is no house bot {name}. Check how it is written.", name=name))
    for opponent in opponents:
        is_own = opponent.bot.owners.filter(pk=participant.pk).exists()
        can_play = _CAN_PLAY if is_own else frozenset({VersionState.ACTIVE})
        if opponent.bot.competition_id != competition.pk or opponent.state not in can_play:
            raise RefusedError(
                RefusalKind.STATE,
                gettext(
                    "Version {number} of {bot} does not play here now. Choose an active one.",
                    number=opponent.number,
                    bot=opponent.bot.name,
                ),
            )
    with transaction.atomic():
        # two at once are counted one after the other
        Participant.objects.select_for_update().get(pk=participant.pk)
        require_challenge(quotas_of(participant, rules, now=now), rules)
        row = Challenge.objects.create(
            competition=competition, version=version, asked_by=participant, asked=now, house=list(house)
        )
        row.opponents.set(opponents)
    return row
