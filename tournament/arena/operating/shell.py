"""What a host does at the shell: hosts, competitions, bots handed in for others, public copies.

Whoever is at the shell needs no account: acts say `the command`. Django is set up.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError

from tournament.arena.api.submitting import pack_bot
from tournament.arena.files import COMPETITION_FILE, ROUND_FILE, RoundFile, read_json
from tournament.arena.folder import LADDER_FILE
from tournament.arena.hosting.competitions import THE_COMMAND, add_competition, apply_rules, change_state
from tournament.arena.hosting.people import one_time_link
from tournament.arena.models import BotRow, CompetitionRow, Host, Participant
from tournament.arena.places import competition_folder
from tournament.arena.rules import parse_rules
from tournament.arena.taking_part.handing_in import hand_in
from tournament.arena.taking_part.joining import clean_public_name, enter, make_bot
from tournament.arena.taking_part.permissions import participant_of
from tournament.arena.transitions import CompetitionState, RoundState
from tournament.errors import ConfigurationError, RunError, TournamentError, UsageError, did_you_mean, writing_advice

NO_BOTS: Final = ("__pycache__", "node_modules")
"""Folders that programs make by themselves."""


def find_row(name: str) -> CompetitionRow:
    """Returns a competition. Raises `UsageError` where there is none of this name."""
    row = CompetitionRow.objects.filter(name=name).first()
    if row is not None:
        return row
    names = list(CompetitionRow.objects.order_by("name").values_list("name", flat=True))
    known = f"There are {', '.join(names)}." if names else "There is none yet: give one its rules with --from."
    raise UsageError(f"There is no competition {name}.{did_you_mean(name, names)} {known}")


class NamedHost(NamedTuple):
    """An account that hosts."""

    name: str
    link: str | None
    """Where its password is chosen, once; None where it has one and none was asked for."""


def name_host(name: str, competition: str | None, *, with_link: bool) -> NamedHost:
    """Makes an account one that may create competitions, or one that hosts a competition; makes the account, too.

    Raises `UsageError` for a name that cannot be one of an account, or a competition that there is not.
    """
    row = None if competition is None else find_row(competition)
    account, is_new = _account(name)
    if row is None:
        get_user_model().objects.filter(pk=account.pk).update(is_staff=True)
    else:
        Host.objects.get_or_create(competition=row, account=account)
    return NamedHost(name, one_time_link(account) if is_new or with_link else None)


def _account(name: str) -> tuple[Any, bool]:
    """Returns the account of a name, and whether it is new."""
    accounts = get_user_model()
    known = accounts.objects.filter(username=name).first()
    if known is not None:
        return known, False
    account = accounts(username=name)
    account.set_unusable_password()
    try:
        account.full_clean(exclude=["password"])
    except ValidationError as error:
        raise UsageError(f"The account {name} cannot be made: {' '.join(error.messages)}") from None
    account.save()
    return account, True


class CompetitionDone(NamedTuple):
    """What became of a competition."""

    row: CompetitionRow
    is_new: bool
    changed: tuple[str, ...]
    """The names of the rules that are others now."""


def set_competition(
    name: str, rules: Path | None, state: CompetitionState | None, *, begins_season: bool, now: datetime
) -> CompetitionDone:
    """Creates a competition, or changes its rules or its state, and returns what became of it.

    A new one is hosted by every account that may create competitions. Raises `UsageError`, `ConfigurationError` for
    wrong rules, and `RefusedError` for what does not go together with its state.
    """
    text = None if rules is None else _text_of(rules)
    is_new = not CompetitionRow.objects.filter(name=name).exists()
    changed: tuple[str, ...] = ()
    if is_new and text is not None:
        row = add_competition(name, text, by=THE_COMMAND, now=now)
        for account in get_user_model().objects.filter(is_staff=True):
            Host.objects.get_or_create(competition=row, account=account)
    else:
        row, is_new = find_row(name), False
        if text is not None:
            changed = apply_rules(row, text, account=None, now=now, begins_season=begins_season)
    if state is not None and state != row.state:
        change_state(row, state, account=None, now=now)
    return CompetitionDone(row, is_new, changed)


def _text_of(path: Path) -> str:
    """Returns the text of rules that are right: what is wrong is said of the file that the host knows."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}. Name the rules of a competition.") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is no text in UTF-8. Save it as one.") from None
    parse_rules(path)
    return text


class Imported(NamedTuple):
    """A bot that was handed in for somebody."""

    bot: str
    number: int
    link: str | None
    """Where its owner chooses a password, once; None for an account that there was."""


def import_bots(competition: str, paths: Sequence[Path], *, consented: bool, now: datetime) -> Iterator[Imported]:
    """Hands in bots from files or folders, each for a participant who is called like it, and yields one after another.

    `consented`: their owners have agreed to what the competition asks. Raises `UsageError`, `BotError` and
    `RefusedError` before the bot that cannot be handed in; those before it stay.
    """
    row = find_row(competition)
    for path in _bots_in(paths):
        name = path.stem if path.is_file() else path.name
        account, is_new = _account(name)
        if participant_of(account, row) is None:
            enter(row, account, clean_public_name(name), now=now, consented=now if consented else None)
        if consented:
            Participant.objects.filter(competition=row, account=account, consented=None).update(consented=now)
        bot = BotRow.objects.filter(competition=row, name=name).first() or make_bot(account, row, name, now=now)
        packed = pack_bot(path)
        done = hand_in(account, bot, file_name=packed.file_name, chunks=[packed.data], now=now)
        yield Imported(name, done.version.number, one_time_link(account) if is_new else None)


def _bots_in(paths: Sequence[Path]) -> list[Path]:
    """Returns files and folders of bots: of a folder without a bot of its own what is in it."""
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise UsageError(f"There is nothing at {path}. Name bots, or a folder of them.")
        if path.is_file() or (path / "bot.yaml").exists() or (path / "bot.py").exists():
            found.append(path)
            continue
        inside = [child for child in sorted(path.iterdir()) if _may_be_bot(child)]
        if not inside:
            raise UsageError(f"{path} has no bots in it: expected .py files, .zip, .tar.gz, or folders with a bot.py.")
        found += inside
    return found


def _may_be_bot(path: Path) -> bool:
    if path.name in NO_BOTS or path.name[0] in "._":
        return False
    return path.is_dir() or path.suffix in (".py", ".zip", ".gz", ".tgz")


class Exported(NamedTuple):
    """How much of a competition was copied."""

    rounds: int
    left_out: int
    """Rounds that are not complete: their deals are still secret, or will never be published."""


def export_competition(name: str, out: Path, *, say: Callable[[str], object]) -> Exported:
    """Writes what everybody may see of a competition into a new folder: rules, ladder, and its complete rounds.

    `say` takes a sentence for a round that cannot be copied. Raises `UsageError` for a folder that is there.
    """
    from tournament.report.site import write_public_copy

    row = find_row(name)
    folder = competition_folder(row)
    if out.exists():
        raise UsageError(f"{out} is there already. Name a folder that is not there yet.")
    beside = out.with_name(f"{out.name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    copied = left_out = 0
    try:
        (beside / "rounds").mkdir(parents=True)
        for file in (COMPETITION_FILE, LADDER_FILE):
            if (folder.path / file).exists():
                shutil.copyfile(folder.path / file, beside / file)
        for place in sorted(folder.rounds.glob("[0-9]*")):
            try:
                told = read_json(place / ROUND_FILE, RoundFile)
                if told.state is not RoundState.COMPLETE:
                    left_out += 1
                    continue
                write_public_copy(place, beside / "rounds" / place.name)
                shutil.copyfile(place / ROUND_FILE, beside / "rounds" / place.name / ROUND_FILE)
                copied += 1
            except TournamentError as error:
                say(f"Left out: {error}")
                left_out += 1
        beside.replace(out)
    except OSError as error:
        raise RunError(
            f"{error.filename or out} cannot be copied: {error.strerror}. {writing_advice(error)}."
        ) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return Exported(copied, left_out)
