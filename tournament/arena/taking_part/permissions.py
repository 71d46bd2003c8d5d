"""Who may ask for what: one table, which every call of people, pages and programs goes through."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tournament.arena.models import BotRow, CompetitionRow, Host, Participant
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.transitions import CompetitionState
from tournament.languages import gettext, gettext_noop

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

    Account = AbstractBaseUser | AnonymousUser | None
    """Whoever asks; None and the anonymous user are nobody."""


class ArenaRole(StrEnum):
    """What somebody is to a competition, or to a bot in it."""

    NOBODY = "nobody"
    """Not logged in."""

    STRANGER = "stranger"
    """Has an account."""

    PARTICIPANT = "participant"
    CO_OWNER = "co-owner"
    OWNER = "owner"
    """Made the bot, or was left it."""

    HOST = "host"
    OTHER_HOST = "host of another competition"


class Call(StrEnum):
    """What can be asked for."""

    LOOK = gettext_noop("look at the competition")
    LOOK_AT_HIDDEN = gettext_noop("look at drafts and hidden standings")
    JOIN = gettext_noop("join")
    RENAME = gettext_noop("change one's public name")
    MAKE_BOT = gettext_noop("make a bot")
    HAND_IN = gettext_noop("hand in a version")
    READ_CHECK = gettext_noop("read checks and logs")
    ACTIVATE = gettext_noop("choose the active version")
    CHALLENGE = gettext_noop("ask for a challenge")
    KEEP_TOKENS = gettext_noop("make, list and end one's tokens")
    NAME_OWNERS = gettext_noop("name and remove co-owners")
    LEAVE_BOT = gettext_noop("give up a bot that others own too")
    TAKE_DATA = gettext_noop("take one's data away")
    DELETE_ACCOUNT = gettext_noop("delete one's account")
    CREATE = gettext_noop("create a competition")
    CHANGE_RULES = gettext_noop("change the rules")
    STEER = gettext_noop("open, pause, freeze and close")
    CHECK_AGAIN = gettext_noop("check a version again")
    READ_LOGS = gettext_noop("read the logs of all checks")
    DISQUALIFY = gettext_noop("disqualify and reinstate")
    ANNOUNCE = gettext_noop("announce something")
    ABANDON = gettext_noop("abandon a round")
    ENTER = gettext_noop("enter participants")
    MAKE_CODES = gettext_noop("make join codes")
    GIVE_LINKS = gettext_noop("give one-time links for passwords")
    READ_MARKS = gettext_noop("read marks")
    READ_TRAIL = gettext_noop("read the acts of hosts")
    NAME_HOSTS = gettext_noop("name hosts")


_FOR_WHOM: Final = {
    ArenaRole.NOBODY: gettext_noop("everybody"),
    ArenaRole.STRANGER: gettext_noop("somebody with an account"),
    ArenaRole.PARTICIPANT: gettext_noop("a participant"),
    ArenaRole.CO_OWNER: gettext_noop("a co-owner"),
    ArenaRole.OWNER: gettext_noop("its owner"),
    ArenaRole.HOST: gettext_noop("a host"),
    ArenaRole.OTHER_HOST: gettext_noop("a host of another competition"),
}

_EVERYBODY: Final = frozenset(ArenaRole)
_ACCOUNTS: Final = _EVERYBODY - {ArenaRole.NOBODY}
_OWNERS: Final = frozenset({ArenaRole.OWNER, ArenaRole.CO_OWNER})
_HOSTS: Final = frozenset({ArenaRole.HOST})

MAY: Final[dict[Call, frozenset[ArenaRole]]] = {
    Call.LOOK: _EVERYBODY,
    Call.LOOK_AT_HIDDEN: _HOSTS,
    Call.JOIN: _ACCOUNTS,
    Call.RENAME: frozenset({ArenaRole.PARTICIPANT}),
    Call.MAKE_BOT: frozenset({ArenaRole.PARTICIPANT}),
    Call.HAND_IN: _OWNERS,
    Call.READ_CHECK: _OWNERS,
    Call.ACTIVATE: _OWNERS,
    Call.CHALLENGE: _OWNERS,
    Call.KEEP_TOKENS: _OWNERS,
    Call.NAME_OWNERS: frozenset({ArenaRole.OWNER}),
    Call.LEAVE_BOT: _OWNERS,
    Call.TAKE_DATA: _ACCOUNTS,
    Call.DELETE_ACCOUNT: _ACCOUNTS,
    Call.CREATE: frozenset({ArenaRole.HOST, ArenaRole.OTHER_HOST}),
    Call.CHANGE_RULES: _HOSTS,
    Call.STEER: _HOSTS,
    Call.CHECK_AGAIN: _HOSTS,
    Call.READ_LOGS: _HOSTS,
    Call.DISQUALIFY: _HOSTS,
    Call.ANNOUNCE: _HOSTS,
    Call.ABANDON: _HOSTS,
    Call.ENTER: _HOSTS,
    Call.MAKE_CODES: _HOSTS,
    Call.GIVE_LINKS: _HOSTS,
    Call.READ_MARKS: _HOSTS,
    Call.READ_TRAIL: _HOSTS,
    Call.NAME_HOSTS: _HOSTS,
}
"""For each call: whoever has one of these roles."""


def is_somebody(account: Account) -> bool:
    """Returns whether an account is logged in and not shut."""
    return account is not None and account.is_authenticated and account.is_active


def participant_of(account: Account, competition: CompetitionRow) -> Participant | None:
    """Returns as whom an account takes part; None where it does not."""
    if account is None or not is_somebody(account):
        return None
    return Participant.objects.filter(competition=competition, account_id=account.pk).first()


def roles_of(
    account: Account, competition: CompetitionRow | None = None, bot: BotRow | None = None
) -> frozenset[ArenaRole]:
    """Returns everything that an account is to a competition, and to a bot in it.

    Without a competition whoever hosts any, or was made a host at the shell, is the host of another.
    """
    if account is None or not is_somebody(account):
        return frozenset({ArenaRole.NOBODY})
    roles = {ArenaRole.STRANGER}
    hosted = set(Host.objects.filter(account_id=account.pk).values_list("competition_id", flat=True))
    own = None if competition is None else competition.pk
    if own in hosted:
        roles.add(ArenaRole.HOST)
    if hosted - {own} or getattr(account, "is_staff", False):
        roles.add(ArenaRole.OTHER_HOST)
    participant = None if competition is None else participant_of(account, competition)
    if participant is not None:
        roles.add(ArenaRole.PARTICIPANT)
        if bot is not None and bot.owners.filter(pk=participant.pk).exists():
            roles.add(ArenaRole.OWNER if bot.made_by_id == participant.pk else ArenaRole.CO_OWNER)
    return frozenset(roles)


def may(call: Call, account: Account, competition: CompetitionRow | None = None, bot: BotRow | None = None) -> bool:
    """Returns whether somebody may ask for something: pages show only what they may."""
    roles = roles_of(account, competition, bot)
    return bool(MAY[call] & roles) and not _is_hidden(competition, roles)


def require(call: Call, account: Account, competition: CompetitionRow | None = None, bot: BotRow | None = None) -> None:
    """Raises `RefusedError` when somebody may not ask for something; a draft exists for its hosts only."""
    roles = roles_of(account, competition, bot)
    if competition is not None and _is_hidden(competition, roles):
        raise no_such_competition(competition.name)
    if MAY[call] & roles:
        return
    if ArenaRole.NOBODY in roles:
        raise RefusedError(
            RefusalKind.NOT_LOGGED_IN,
            # Translators: {action} is what can be asked for, such as "hand in a version".
            gettext("Only people with an account may {action}. Log in first.", action=gettext(call.value)),
        )
    who = ", ".join(gettext(_FOR_WHOM[role]) for role in _in_order(MAY[call]))
    raise RefusedError(
        RefusalKind.NOT_ALLOWED,
        # Translators: {action} is such as "hand in a version"; {who} lists some of "a host", "its owner".
        gettext("You may not {action}: that is for {who}. Ask one of them.", action=gettext(call.value), who=who),
    )


def _is_hidden(competition: CompetitionRow | None, roles: frozenset[ArenaRole]) -> bool:
    return competition is not None and competition.state == CompetitionState.DRAFT and ArenaRole.HOST not in roles


def _in_order(roles: frozenset[ArenaRole]) -> list[ArenaRole]:
    return [role for role in ArenaRole if role in roles]


def no_such(text: str) -> RefusedError:
    """Returns the refusal for something that there is not, or not for whoever asks; the text says so."""
    return RefusedError(RefusalKind.UNKNOWN, text)


def no_such_competition(name: str) -> RefusedError:
    """Returns the refusal for a competition that there is not, or not for whoever asks."""
    return no_such(gettext("There is no competition {name}. Check how it is written.", name=name))


def the_participant(account: Account, competition: CompetitionRow) -> Participant:
    """Returns as whom an account takes part. Raises `RefusedError` where it does not."""
    participant = participant_of(account, competition)
    if participant is None:
        raise RefusedError(
            RefusalKind.NOT_ALLOWED,
            gettext("You do not take part in {title}. Join it first.", title=competition.title),
        )
    return participant


def find_competition(name: str, account: Account = None) -> CompetitionRow:
    """Returns a competition that somebody may look at. Raises `RefusedError` where there is none."""
    competition = CompetitionRow.objects.filter(name=name).first()
    if competition is None:
        raise no_such_competition(name)
    require(Call.LOOK, account, competition)
    return competition


def find_bot(competition: CompetitionRow, name: str) -> BotRow:
    """Returns a bot of a competition. Raises `RefusedError` where there is none."""
    bot = BotRow.objects.filter(competition=competition, name=name).select_related("competition").first()
    if bot is None:
        raise no_such(gettext("There is no bot {name}. Check how it is written.", name=name))
    return bot
