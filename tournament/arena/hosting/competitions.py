"""Competitions as their hosts make and steer them: created, changed, opened, paused, frozen, closed, announced.

Every act is in `acts.jsonl`, with who and when, before a row changes.
"""

from __future__ import annotations

import shutil
import uuid
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction

from tournament.arena.acts import ACT_OF_STATE, append_act, read_acts
from tournament.arena.files import (
    COMPETITION_FILE,
    ActKind,
    CompetitionFile,
    CompetitionName,
    HostAct,
    format_moment,
    write_synced,
)
from tournament.arena.folder import CompetitionFolder
from tournament.arena.models import Announcement, CompetitionRow, Host
from tournament.arena.places import arena_folder, competition_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.rules import FIXED, changed_parts, columns_of, names_zone, parse_rules, read_rules
from tournament.arena.season.beginning import move_season
from tournament.arena.states import locked, move_competition
from tournament.arena.taking_part.permissions import Call, no_such, require
from tournament.arena.transitions import COMPETITION_TRANSITIONS, CompetitionState, may_follow, state_word
from tournament.errors import ConfigurationError
from tournament.languages import format_number, gettext, gettext_noop
from tournament.store.files import sync_folder
from tournament.text import printable_lines

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

THE_COMMAND: Final = "the command"
"""Who acts at the shell, and needs no account."""

TEXT_CHARACTERS: Final = 2000
REASON_CHARACTERS: Final = 400
RULES_CHARACTERS: Final = 100_000


def note_act(competition: CompetitionRow, account: Account, kind: ActKind, *, now: datetime, **more: Any) -> HostAct:
    """Returns an act of a host that is on the disk."""
    by = THE_COMMAND if account is None else account.get_username()
    act = HostAct(at=format_moment(now), by=by, kind=kind, **more)
    append_act(competition_folder(competition), act)
    return act


def create_competition(account: Account, name: str, text: str, *, now: datetime) -> CompetitionRow:
    """Returns a new competition, a draft that only its host sees; `text` is its `competition.yaml`.

    Raises `RefusedError`, and `ConfigurationError` for wrong rules.
    """
    require(Call.CREATE, account)
    assert account is not None and account.pk is not None  # noqa: PT018 (`require` has asked)
    row = add_competition(name, text, by=account.get_username(), now=now)
    Host.objects.create(competition=row, account_id=account.pk)
    return row


def add_competition(name: str, text: str, *, by: str, now: datetime) -> CompetitionRow:
    """Returns a new competition without a host; somebody at the shell may do so."""
    try:
        msgspec.convert(name, CompetitionName)
    except msgspec.ValidationError:
        raise RefusedError(
            RefusalKind.WRONG,
            gettext(
                "A competition's name has 2 to 32 small letters, digits, hyphens or underscores, and begins with a "
                "letter. Choose another."
            ),
        ) from None
    folder = arena_folder().competition(name)
    with locked(arena_folder().competitions):
        if folder.path.exists() or CompetitionRow.objects.filter(name=name).exists():
            raise RefusedError(
                RefusalKind.TAKEN, gettext("There is a competition {name} already. Choose another name.", name=name)
            )
        beside = CompetitionFolder(folder.path.with_name(f".{uuid.uuid4().hex}.new"))
        beside.bots.mkdir(parents=True)
        try:
            beside.rounds.mkdir()
            rules, text = _checked(text, beside.path)
            write_synced(beside.path / COMPETITION_FILE, text.encode())
            append_act(beside, HostAct(at=format_moment(now), by=by, kind=ActKind.CREATE, text=rules.title))
            beside.path.rename(folder.path)
            sync_folder(folder.path.parent)
        except BaseException:
            shutil.rmtree(beside.path, ignore_errors=True)
            raise
        return CompetitionRow.objects.create(name=name, created=now, **columns_of(rules))


def _checked(text: str, folder: Path) -> tuple[CompetitionFile, str]:
    """Returns the rules that a text says, and the text, with the arena's time zone where it names none.

    It is written beside the present rules to be read.
    """
    if len(text) > RULES_CHARACTERS:
        raise RefusedError(
            RefusalKind.TOO_LARGE,
            gettext("The rules have more than {most} letters. Shorten them.", most=format_number(RULES_CHARACTERS)),
        )
    beside = folder / f".{uuid.uuid4().hex}" / COMPETITION_FILE
    beside.parent.mkdir()
    try:
        beside.write_text(text, encoding="utf-8", errors="replace")
        rules, zone = parse_rules(beside), settings.ARENA.time_zone
        if zone == rules.time_zone or names_zone(beside):
            return rules, text
        line = f"time_zone: {zone}"
        text = f"{text.rstrip()}\n{line}\n"
        beside.write_text(text, encoding="utf-8", errors="replace")
        try:
            return parse_rules(beside), text
        except ConfigurationError:  # all of it stands in brackets, or it ends before its end
            raise ConfigurationError(
                f"The rules name no time zone, and a line at their end would not be read. Write {line} into them."
            ) from None
    finally:
        shutil.rmtree(beside.parent, ignore_errors=True)


def change_rules(
    account: Account, competition: CompetitionRow, text: str, *, now: datetime, begins_season: bool = False
) -> tuple[str, ...]:
    """Returns the names of what a new `competition.yaml` changes.

    Once a competition has been opened, a change of what stays fixed in a season begins a new one, in which nothing that
    was played counts: the host has to want that (`begins_season`). Raises `RefusedError`, and `ConfigurationError` for
    wrong rules.
    """
    require(Call.CHANGE_RULES, account, competition)
    return apply_rules(competition, text, account=account, now=now, begins_season=begins_season)


def apply_rules(
    competition: CompetitionRow, text: str, *, account: Account, now: datetime, begins_season: bool
) -> tuple[str, ...]:
    """Changes the rules, as `change_rules`; account None is somebody at the shell."""
    folder = competition_folder(competition)
    with locked(folder.path):
        competition.refresh_from_db()
        rules, text = _checked(text, folder.path)
        parts = changed_parts(read_rules(folder), rules)
        fixed = [part for part in parts if part in FIXED]
        is_new_season = bool(fixed) and competition.state != CompetitionState.DRAFT
        if is_new_season and competition.state == CompetitionState.CLOSED:
            raise RefusedError(
                RefusalKind.STATE,
                gettext(
                    "{title} is over, so {fields} cannot change. Create another competition.",
                    title=competition.title,
                    fields=", ".join(fixed),
                ),
            )
        if is_new_season and not begins_season:
            raise RefusedError(
                RefusalKind.STATE,
                gettext(
                    "Changing {fields} begins a new season, in which nothing played so far counts. Say that you want a "
                    "new season, or leave these as they are.",
                    fields=", ".join(fixed),
                ),
            )
        if is_new_season:
            told = f"Season {competition.season + 1}: changed {', '.join(fixed)}"
            note_act(competition, account, ActKind.SEASON, now=now, text=told)
        write_synced(folder.path / COMPETITION_FILE, text.encode())
        if parts:
            note_act(competition, account, ActKind.CHANGE, now=now, text=", ".join(parts))
        if is_new_season:
            move_season(competition, competition.season + 1, **columns_of(rules))
        else:
            CompetitionRow.objects.filter(pk=competition.pk).update(**columns_of(rules))
            competition.refresh_from_db()
    return parts


def steer(account: Account, competition: CompetitionRow, after: CompetitionState, *, now: datetime) -> None:
    """Opens, pauses, freezes or closes a competition. Raises `RefusedError` where that does not follow its state."""
    require(Call.STEER, account, competition)
    change_state(competition, after, account=account, now=now)


def change_state(competition: CompetitionRow, after: CompetitionState, *, account: Account, now: datetime) -> None:
    """Changes the state of a competition, as `steer`; account None is somebody at the shell."""
    with locked(competition_folder(competition).path):
        competition.refresh_from_db()
        before = CompetitionState(competition.state)
        if not may_follow(COMPETITION_TRANSITIONS, before, after):
            raise RefusedError(RefusalKind.STATE, _does_not_follow(competition.title, before, after))
        note_act(competition, account, ACT_OF_STATE[after], now=now)
        move_competition(competition, after)


def _does_not_follow(title: str, before: CompetitionState, after: CompetitionState) -> str:
    states = {"title": title, "before": state_word(before), "after": state_word(after)}
    possible = ", ".join(state_word(state) for state in CompetitionState if state in COMPETITION_TRANSITIONS[before])
    if not possible:
        return gettext("{title} is {before}, and cannot become {after}. Create another competition.", **states)
    return gettext(
        "{title} is {before}, and cannot become {after}. It can become {possible}.", **states, possible=possible
    )


def announce(account: Account, competition: CompetitionRow, text: str, *, now: datetime) -> Announcement:
    """Returns an announcement, which everybody sees from now on; markup in it is shown as it is written."""
    require(Call.ANNOUNCE, account, competition)
    told = _told(
        text,
        TEXT_CHARACTERS,
        gettext_noop("An announcement has 1 to {most} letters, and this one has {count}. Write it again."),
    )
    note_act(competition, account, ActKind.ANNOUNCE, now=now, text=told)
    return Announcement.objects.create(competition=competition, at=now, text=told)


def _told(text: str, most: int, refusal: str) -> str:
    told = printable_lines(text.replace("\r\n", "\n")).strip()
    if not 1 <= len(told) <= most:
        raise RefusedError(RefusalKind.WRONG, gettext(refusal, most=most, count=len(told)))
    return told


def a_reason(text: str) -> str:
    """Returns a reason as it is shown to owners. Raises `RefusedError` where there is none, or it is too long."""
    return _told(
        text,
        REASON_CHARACTERS,
        gettext_noop("A reason has 1 to {most} letters, and this one has {count}. Write it again."),
    )


def read_trail(account: Account, competition: CompetitionRow) -> tuple[HostAct, ...]:
    """Returns every act of the hosts of a competition, the oldest first."""
    require(Call.READ_TRAIL, account, competition)
    return read_acts(competition_folder(competition))


def add_host(account: Account, competition: CompetitionRow, username: str, *, now: datetime) -> None:
    """Lets another account run a competition too. Raises `RefusedError` where there is no such account."""
    require(Call.NAME_HOSTS, account, competition)
    other = get_user_model().objects.filter(username=username.strip()).first()
    if other is None:
        raise no_such(gettext("There is no account {name}. Check how it is written.", name=username))
    note_act(competition, account, ActKind.ENTER, now=now, text=f"{other.get_username()} as a host")
    Host.objects.get_or_create(competition=competition, account=other)


def remove_host(account: Account, competition: CompetitionRow, username: str, *, now: datetime) -> None:
    """Takes a host's rights. Raises `RefusedError` for the last one, and for somebody who is none."""
    require(Call.NAME_HOSTS, account, competition)
    with transaction.atomic():
        CompetitionRow.objects.select_for_update().get(pk=competition.pk)
        host = competition.hosts.filter(account__username=username.strip()).first()
        if host is None:
            raise no_such(gettext("There is no host {name}. Check how it is written.", name=username))
        if competition.hosts.count() == 1:
            raise RefusedError(
                RefusalKind.STATE, gettext("{title} has no other host. Name one first.", title=competition.title)
            )
        host.delete()
    note_act(competition, account, ActKind.ENTER, now=now, text=f"{username.strip()} is no host any more")
