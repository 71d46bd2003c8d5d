"""How hosts let people in: participants from a CSV file, join codes, one-time links for passwords."""

from __future__ import annotations

import csv
import io
import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.urls import reverse

from tournament.arena.files import ActKind
from tournament.arena.hosting.competitions import note_act
from tournament.arena.hosting.marks import plain_cell
from tournament.arena.models import CompetitionRow, Host, JoinCode, Participant
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.taking_part.joining import clean_public_name, enter, forms_of_name, forms_of_names
from tournament.arena.taking_part.permissions import Call, no_such, require
from tournament.languages import format_number, gettext, gettext_noop, ngettext
from tournament.text import format_count, printable, shortened

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

MOST_LIST_BYTES: Final = 1_000_000
MOST_PEOPLE: Final = 2000
MOST_TOLD: Final = 10
CODE_CHARACTERS: Final = 10
MOST_USES: Final = 10_000
"""Of a join code; as many days may it hold."""

_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Of join codes: none that looks like another."""

_COLUMNS: Final = ("username", "public_name", "email")
_USERNAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@+-]{1,39}")


class Listed(NamedTuple):
    """A line of a list of participants."""

    line: int
    username: str
    public_name: str
    email: str


class Entered(NamedTuple):
    """Somebody who takes part from now on."""

    username: str
    public_name: str
    link: str | None
    """Where a new account gets its password, once; None for an account that there was."""


def enter_participants(account: Account, competition: CompetitionRow, data: bytes, *, now: datetime) -> list[Entered]:
    """Enters everybody on a list, or nobody: a CSV with `username` and, if wanted, `public_name` and `email`.

    Who has no account gets one, and a link to choose its password. Who takes part already is left out. Raises
    `RefusedError` that names the lines in which something is wrong.
    """
    require(Call.ENTER, account, competition)
    people = parse_people(data)
    users = {
        user.get_username(): user
        for user in get_user_model().objects.filter(username__in=[person.username for person in people])
    }
    there = set(
        Participant.objects.filter(competition=competition, account__isnull=False).values_list(
            "account__username", flat=True
        )
    )
    new = [person for person in people if person.username not in there]
    _check_names(competition, new)
    entered = []
    try:
        with transaction.atomic():
            for person in new:
                user = users.get(person.username)
                is_new = user is None
                if user is None:
                    user = get_user_model().objects.create_user(username=person.username, email=person.email)
                enter(competition, user, person.public_name, now=now, consented=None)
                link = one_time_link(user) if is_new else None
                entered.append(Entered(person.username, person.public_name, link))
            if entered:
                told = format_count(len(entered), "participant")
                note_act(competition, account, ActKind.ENTER, now=now, text=told)
    except IntegrityError:
        raise RefusedError(
            RefusalKind.TAKEN,
            gettext("Somebody took one of these names just now, so nobody was entered. Send the list again."),
        ) from None
    return entered


def links_csv(entered: Iterable[Entered]) -> str:
    """Returns whom a list entered as CSV, for letters: who has no `link` had an account before."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(Entered._fields)
    writer.writerows([plain_cell(cell or "") for cell in one] for one in entered)
    return out.getvalue()


def parse_people(data: bytes) -> list[Listed]:
    """Returns the lines of a list of participants. Raises `RefusedError` with all that is wrong, at most ten lines."""
    if len(data) > MOST_LIST_BYTES:
        raise RefusedError(
            RefusalKind.TOO_LARGE,
            gettext("The list has more than {most} bytes. Send it in parts.", most=format_number(MOST_LIST_BYTES)),
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _wrong_list([gettext("it is no text in UTF-8; a spreadsheet saves one as CSV UTF-8")]) from None
    first = text[: text.find("\n")] if "\n" in text else text
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        raise _wrong_list([gettext("line {line}: {problem}", line=reader.line_num, problem=error)]) from None
    if not rows:
        raise _wrong_list([gettext("nothing is in it")])
    header = [cell.lower().replace(" ", "_") for cell in rows[0][1]]
    unknown = [name for name in header if name not in _COLUMNS]
    if "username" not in header or unknown or len(set(header)) != len(header):
        raise _wrong_list(
            [
                gettext(
                    "line {line}: expected the columns {columns}, found {found}",
                    line=1,
                    columns=", ".join(_COLUMNS),
                    found=_shown(",".join(header)),
                )
            ]
        )
    if len(rows) == 1:
        raise _wrong_list([gettext("it has the names of its columns, and nobody below them")])
    if len(rows) - 1 > MOST_PEOPLE:
        raise _wrong_list(
            [
                gettext(
                    "it has {count} people, and at most {most} are entered at once",
                    count=len(rows) - 1,
                    most=MOST_PEOPLE,
                )
            ]
        )
    problems: list[str] = []
    people: list[Listed] = []
    seen: set[str] = set()
    for line, row in rows[1:]:
        if len(row) != len(header):
            problems.append(
                gettext(
                    "line {line}: expected {wanted} cells, found {found}",
                    line=line,
                    wanted=len(header),
                    found=len(row),
                )
            )
            continue
        cells = dict(zip(header, row, strict=True))
        found = _person(line, cells, seen, problems)
        if found is not None:
            people.append(found)
    if problems:
        raise _wrong_list(problems)
    return people


def _person(line: int, cells: dict[str, str], seen: set[str], problems: list[str]) -> Listed | None:
    username, email = cells["username"], cells.get("email", "")
    if not _USERNAME.fullmatch(username):
        problems.append(
            gettext(
                "line {line}: {username} is no username: 2 to 40 letters, digits or . _ @ + -, beginning with a letter "
                "or a digit",
                line=line,
                username=_shown(username),
            )
        )
        return None
    try:
        public_name = clean_public_name(cells.get("public_name", "") or username)
        if email:
            validate_email(email)
    except ValidationError:
        problems.append(gettext("line {line}: {email} is no address of mail", line=line, email=_shown(email)))
        return None
    except RefusedError as error:
        problems.append(gettext("line {line}: {problem}", line=line, problem=error))
        return None
    names = {username.casefold(), *(f" {form}" for form in forms_of_name(public_name))}
    if names & seen:
        name = username if username.casefold() in seen else public_name
        problems.append(gettext("line {line}: {name} stands twice in the list", line=line, name=name))
    seen |= names
    return Listed(line, username, public_name, email)


def _check_names(competition: CompetitionRow, people: Sequence[Listed]) -> None:
    participants = Participant.objects.filter(competition=competition)
    taken = forms_of_names(participants.values_list("public_name", flat=True))
    # by hand: an index of a database does not know which letters are the same, and accounts may differ in case only
    others = {name.casefold(): name for name in get_user_model().objects.values_list("username", flat=True)}
    problems = [
        gettext("line {line}: {name} is taken by another participant", line=person.line, name=person.public_name)
        for person in people
        if not taken.isdisjoint(forms_of_name(person.public_name))
    ]
    problems += [
        gettext(
            "line {line}: there is an account {name}, written otherwise",
            line=person.line,
            name=others[person.username.casefold()],
        )
        for person in people
        if others.get(person.username.casefold(), person.username) != person.username
    ]
    if problems:
        raise _wrong_list(problems)


def _wrong_list(problems: Sequence[str]) -> RefusedError:
    told = "; ".join(problems[:MOST_TOLD])
    more = len(problems) - MOST_TOLD
    if more <= 0:
        text = gettext("Nobody was entered: {problems}. Mend the list, and send it again.", problems=told)
    else:
        text = ngettext(
            "Nobody was entered: {problems}; and {count} more. Mend the list, and send it again.",
            "Nobody was entered: {problems}; and {count} more. Mend the list, and send it again.",
            more,
            problems=told,
        )
    return RefusedError(RefusalKind.WRONG, text)


def _shown(text: str) -> str:
    return f'"{shortened(printable(text), 60)}"'


def one_time_link(user: Any) -> str:
    """Returns where somebody chooses a new password: once, within three days."""
    parts = {"uidb36": user_pk_to_url_str(user), "key": default_token_generator.make_token(user)}
    return f"{settings.ARENA.address}{reverse('account_reset_password_from_key', kwargs=parts)}"


def give_link(account: Account, competition: CompetitionRow, participant: Participant, *, now: datetime) -> str:
    """Returns a one-time link for a participant who forgot the password.

    Raises `RefusedError` for whoever hosts something or takes part elsewhere, too: a host could come in as them there.
    """
    require(Call.GIVE_LINKS, account, competition)
    user = participant.account
    if participant.competition_id != competition.pk or user is None:
        raise no_such(
            gettext(
                "There is no participant with an account {name}. Check how it is written.", name=participant.public_name
            )
        )
    is_elsewhere = Participant.objects.filter(account=user).exclude(competition=competition).exists()
    if Host.objects.filter(account=user).exists() or getattr(user, "is_staff", False) or is_elsewhere:
        raise RefusedError(
            RefusalKind.NOT_ALLOWED,
            gettext(
                "{name} also hosts or takes part elsewhere. Only whoever runs the arena can give this link: tournament "
                "arena host.",
                name=participant.public_name,
            ),
        )
    note_act(competition, account, ActKind.ENTER, now=now, text=f"a one-time link for {participant.public_name}")
    return one_time_link(user)


def make_code(
    account: Account,
    competition: CompetitionRow,
    *,
    now: datetime,
    uses: int | None = None,
    days: int | None = None,
) -> JoinCode:
    """Returns a new join code; without a number it holds for everybody, without days until it is ended."""
    require(Call.MAKE_CODES, account, competition)
    for number, refusal in (
        (uses, gettext_noop("A join code has 1 to {most} uses. Choose a number of them.")),
        (days, gettext_noop("A join code has 1 to {most} days. Choose a number of them.")),
    ):
        if number is not None and not 1 <= number <= MOST_USES:
            raise RefusedError(RefusalKind.WRONG, gettext(refusal, most=format_number(MOST_USES)))
    code = "".join(secrets.choice(_LETTERS) for _ in range(CODE_CHARACTERS))
    note_act(competition, account, ActKind.ENTER, now=now, text="a join code")
    return JoinCode.objects.create(
        competition=competition,
        code=code,
        created=now,
        uses_left=uses,
        expires=None if days is None else now + timedelta(days=days),
    )


def codes_of(account: Account, competition: CompetitionRow) -> list[JoinCode]:
    """Returns the join codes of a competition, the newest first."""
    require(Call.MAKE_CODES, account, competition)
    return list(JoinCode.objects.filter(competition=competition).order_by("-created", "-pk"))


def end_code(account: Account, competition: CompetitionRow, key: int) -> None:
    """Ends a join code. Raises `RefusedError` where there is none."""
    require(Call.MAKE_CODES, account, competition)
    deleted, _ = JoinCode.objects.filter(competition=competition, pk=key).delete()
    if not deleted:
        raise no_such(gettext("There is no join code with the number {number}. Check how it is written.", number=key))
