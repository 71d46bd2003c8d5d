"""Who takes part: joining under a public name, agreeing, bots and who owns them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Final

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import F, Q

from tournament.arena.files import BotName, CompetitionFile, Joining
from tournament.arena.models import BotRow, CompetitionRow, JoinCode, Participant
from tournament.arena.places import competition_folder
from tournament.arena.play.house import house_names
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.rules import read_rules
from tournament.arena.taking_part.permissions import Call, no_such, participant_of, require, the_participant
from tournament.arena.throttling import MINUTE, Throttle
from tournament.arena.transitions import CompetitionState, state_word
from tournament.languages import gettext, ngettext
from tournament.paths import data_folder

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

NAME_CHARACTERS: Final = 40
MOST_OWNERS: Final = 8
_BESIDE_LETTERS: Final = " .'’_-"
_LOOKS: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTYXaesijopcyxdh" + "ABEZHIKMNOPTYXo",
)
"""Letters of the Cyrillic and the Greek alphabet, and the Latin ones that nobody can tell from them."""

WRONG_CODES: Final = Throttle("join code", limit=20, seconds=60 * MINUTE)


def join(
    account: Account,
    competition: CompetitionRow,
    *,
    now: datetime,
    public_name: str = "",
    code: str = "",
    consents: bool = False,
) -> Participant:
    """Returns the participant that an account is from now on; the name of the account, unless another is given.

    Raises `RefusedError`: already in, over, a name that is taken, a code that does not hold, or no consent.
    """
    require(Call.JOIN, account, competition)
    assert account is not None
    rules = read_rules(competition_folder(competition))
    if participant_of(account, competition) is not None:
        raise RefusedError(
            RefusalKind.STATE, gettext("You take part in {title} already. Go on to your bots.", title=competition.title)
        )
    _require_open(competition)
    if rules.joining is Joining.INVITED:
        raise RefusedError(
            RefusalKind.NOT_ALLOWED, gettext("Hosts enter the participants of this competition. Ask one to enter you.")
        )
    if rules.consent and not consents:
        raise RefusedError(
            RefusalKind.WRONG, gettext("Nobody takes part without agreeing. Read the text, and agree to it.")
        )
    name = clean_public_name(public_name or account.get_username())
    if rules.joining is Joining.CODE:
        WRONG_CODES.require(str(account.pk))
    with transaction.atomic():
        if rules.joining is not Joining.CODE or _use_code(competition, code, now=now):
            return enter(competition, account, name, now=now, consented=now)
    WRONG_CODES.note(str(account.pk))
    raise RefusedError(
        RefusalKind.WRONG, gettext("This join code is wrong, or is no longer valid. Ask the host for a new one.")
    )


def enter(
    competition: CompetitionRow, account: Account, public_name: str, *, now: datetime, consented: datetime | None
) -> Participant:
    """Returns a new participant; whether that may be is asked by who calls. Raises `RefusedError` for a taken name."""
    assert account is not None
    _require_free(competition, public_name)
    try:
        with transaction.atomic():
            return Participant.objects.create(
                competition=competition,
                account_id=account.pk,
                public_name=public_name,
                joined=now,
                consented=consented,
            )
    except IntegrityError:
        raise _taken(public_name) from None


def _require_open(competition: CompetitionRow) -> None:
    if competition.state in (CompetitionState.FROZEN, CompetitionState.CLOSED):
        raise RefusedError(
            RefusalKind.STATE,
            gettext(
                "{title} is {state}: nobody can join any more. Look at its ladder and rounds.",
                title=competition.title,
                state=state_word(competition.state),
            ),
        )


def _use_code(competition: CompetitionRow, code: str, *, now: datetime) -> bool:
    """Returns whether a join code holds; of one that may be used so often, whoever is quicker has the last use."""
    word = code.strip().upper()
    holds = JoinCode.objects.filter(Q(expires=None) | Q(expires__gt=now), competition=competition, code=word)
    if holds.filter(uses_left=None).exists():
        return True
    return holds.filter(uses_left__gt=0).update(uses_left=F("uses_left") - 1) == 1


def clean_public_name(text: str) -> str:
    """Returns a public name as it is kept. Raises `RefusedError` for one that could be taken for something else.

    Letters of all scripts, digits and a few signs: no markup, no formula of a spreadsheet, nothing invisible.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    is_fine = all(
        character.isalnum() or character in _BESIDE_LETTERS or unicodedata.category(character) in ("Mn", "Mc")
        for character in name
    )
    if not is_fine or not name[:1].isalnum() or not 2 <= len(name) <= NAME_CHARACTERS:
        raise RefusedError(
            RefusalKind.WRONG,
            gettext(
                "A public name has 2 to {most} letters, digits, blanks, dots, hyphens or apostrophes, and begins with "
                "a letter or a digit. Choose another.",
                most=NAME_CHARACTERS,
            ),
        )
    return name


def forms_of_name(name: str) -> set[str]:
    """Returns the forms by which a name is told from others: as it is read, and as its letters look.

    Two names that have one in common look the same to somebody.
    """
    whole = unicodedata.normalize("NFKC", name)
    return {whole.casefold(), whole.translate(_LOOKS).casefold()}


def forms_of_names(names: Iterable[str]) -> set[str]:
    """Returns the forms by which names are told from others."""
    return {form for name in names for form in forms_of_name(name)}


def _require_free(competition: CompetitionRow, name: str, *, but: Participant | None = None) -> None:
    others = Participant.objects.filter(competition=competition)
    if but is not None:
        others = others.exclude(pk=but.pk)
    if not forms_of_names(others.values_list("public_name", flat=True)).isdisjoint(forms_of_name(name)):
        raise _taken(name)


def _taken(name: str) -> RefusedError:
    return RefusedError(
        RefusalKind.TAKEN, gettext("Somebody is called {name} here already. Choose another name.", name=name)
    )


def rename(account: Account, competition: CompetitionRow, public_name: str) -> Participant:
    """Changes under which name an account takes part; rounds that were played keep the names of bots only."""
    require(Call.RENAME, account, competition)
    participant = the_participant(account, competition)
    name = clean_public_name(public_name)
    _require_free(competition, name, but=participant)
    try:
        with transaction.atomic():
            Participant.objects.filter(pk=participant.pk).update(public_name=name)
    except IntegrityError:
        raise _taken(name) from None
    participant.public_name = name
    return participant


def consent(account: Account, competition: CompetitionRow, *, now: datetime) -> None:
    """Notes that a participant whom a host entered agrees to what the competition asks."""
    participant = the_participant(account, competition)
    Participant.objects.filter(pk=participant.pk, consented=None).update(consented=now)


def require_consent(participant: Participant, rules: CompetitionFile) -> None:
    """Raises `RefusedError` for a participant who has yet to agree to what the competition asks."""
    if rules.consent and participant.consented is None:
        raise RefusedError(
            RefusalKind.STATE,
            gettext("You have not agreed yet to what this competition asks. Read its text, and agree to it."),
        )


def make_bot(account: Account, competition: CompetitionRow, name: str, *, now: datetime) -> BotRow:
    """Returns a new bot, owned by who asks.

    Raises `RefusedError` for a wrong or taken name, and for more bots than a participant may have.
    """
    require(Call.MAKE_BOT, account, competition)
    participant = the_participant(account, competition)
    rules = read_rules(competition_folder(competition))
    require_consent(participant, rules)
    _require_open(competition)
    try:
        name = msgspec.convert(name, BotName)
    except msgspec.ValidationError:
        raise RefusedError(
            RefusalKind.WRONG,
            gettext(
                "A bot's name has 2 to 32 small letters, digits, hyphens or underscores, and begins with a letter. "
                "Choose another."
            ),
        ) from None
    house = house_names(rules, competition_folder(competition))
    if (data_folder("bots") / f"{name}.py").exists() or name in house:
        raise RefusedError(
            RefusalKind.TAKEN, gettext("{name} is the name of an example bot. Choose another.", name=name)
        )
    with transaction.atomic():
        _lock(participant)
        if participant.bots.count() >= rules.bots_a_participant:
            raise RefusedError(
                RefusalKind.QUOTA,
                ngettext(
                    "A participant has at most {count} bot here. Hand in new versions of the one you have.",
                    "A participant has at most {count} bots here. Hand in new versions of the one you have.",
                    rules.bots_a_participant,
                ),
            )
        try:
            with transaction.atomic():
                bot = BotRow.objects.create(competition=competition, name=name, created=now, made_by=participant)
        except IntegrityError:
            raise RefusedError(
                RefusalKind.TAKEN, gettext("There is a bot {name} already. Choose another name.", name=name)
            ) from None
        bot.owners.add(participant)
    return bot


def _lock(participant: Participant) -> None:
    """Lets others who count what a participant has wait; SQLite has one writer anyway."""
    Participant.objects.select_for_update().get(pk=participant.pk)


def add_owner(account: Account, bot: BotRow, public_name: str) -> Participant:
    """Makes another participant a co-owner: the bot counts among theirs. Raises `RefusedError`."""
    require(Call.NAME_OWNERS, account, bot.competition, bot)
    other = Participant.objects.filter(competition=bot.competition, public_name=public_name.strip()).first()
    if other is None:
        raise no_such(gettext("There is no participant {name}. Check how it is written.", name=public_name))
    rules = read_rules(competition_folder(bot.competition))
    with transaction.atomic():
        _lock(other)
        if bot.owners.filter(pk=other.pk).exists():
            return other
        if bot.owners.count() >= MOST_OWNERS:
            raise RefusedError(
                RefusalKind.QUOTA, gettext("A bot has at most {most} owners. Remove one first.", most=MOST_OWNERS)
            )
        if other.bots.count() >= rules.bots_a_participant:
            raise RefusedError(
                RefusalKind.QUOTA,
                gettext("{name} has as many bots as a participant may have. Name another.", name=other.public_name),
            )
        bot.owners.add(other)
    return other


def remove_owner(account: Account, bot: BotRow, public_name: str) -> None:
    """Takes a co-owner's rights, and the tokens with them; whoever asks for their own leaves the bot.

    Raises `RefusedError` when nobody would be left. Where the owner leaves, the first co-owner is the owner.
    """
    other = bot.owners.filter(public_name=public_name.strip()).first()
    is_own = other is not None and other == participant_of(account, bot.competition)
    require(Call.LEAVE_BOT if is_own else Call.NAME_OWNERS, account, bot.competition, bot)
    if other is None:
        raise no_such(gettext("There is no owner {name}. Check how it is written.", name=public_name))
    with transaction.atomic():
        BotRow.objects.select_for_update().get(pk=bot.pk)
        if bot.owners.count() == 1:
            raise RefusedError(RefusalKind.STATE, gettext("{bot} has no other owner. Name one first.", bot=bot.name))
        give_up(other, bot)


def give_up(owner: Participant, bot: BotRow) -> None:
    """Takes an owner from a bot, with the tokens, and leaves it to the first co-owner that is left."""
    bot.tokens.filter(owner=owner).delete()
    bot.owners.remove(owner)
    if bot.made_by_id == owner.pk:
        bot.made_by = bot.owners.order_by("pk").first()
        bot.save(update_fields=["made_by"])
