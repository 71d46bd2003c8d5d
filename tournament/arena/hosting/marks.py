"""Marks: what a host needs to grade a course, as CSV, a line for each bot, and one for whoever has none."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tournament.arena.ladder_file import LadderFile, LadderRow, read_ladder
from tournament.arena.models import BotRow, CompetitionRow, Participant
from tournament.arena.places import competition_folder
from tournament.arena.taking_part.permissions import Call, require

if TYPE_CHECKING:
    from tournament.arena.taking_part.permissions import Account

COLUMNS: Final = (
    "bot",
    "owners",
    "accounts",
    "version",
    "best_rank",
    "worst_rank",
    "strength",
    "strength_low",
    "strength_high",
    "deals",
    "faults",
    "house_bots_beaten",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""How a cell begins that a spreadsheet would work out."""


def marks_csv(account: Account, competition: CompetitionRow) -> str:
    """Returns the marks of all participants as CSV, in order of ranks.

    A bot without an active version has empty cells, and so has a participant without a bot, who stands last. House
    bots are left out. Ranks are ranges: whose ranges overlap cannot be told apart yet. A house bot is beaten where the
    ladder claims that the bot is better. Numbers are plain, and no cell begins a formula.
    """
    require(Call.READ_MARKS, account, competition)
    ladder = read_ladder(competition_folder(competition))
    bots = BotRow.objects.filter(competition=competition).prefetch_related("owners__account")
    lines = [(_order(row), _line(bot, row, ladder)) for bot in bots for row in [_row_of(ladder, bot)]]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for _, line in sorted(lines):
        writer.writerow(map(plain_cell, line))
    botless = Participant.objects.filter(competition=competition, bots=None).select_related("account")
    for participant in botless.order_by("public_name"):
        writer.writerow(map(plain_cell, _filled(["", *_names([participant])])))
    return out.getvalue()


def _row_of(ladder: LadderFile | None, bot: BotRow) -> LadderRow | None:
    row = None if ladder is None else ladder.row_of_bot(bot.name)
    return None if row is None or row.house else row  # a house bot may have the name of a bot by now


def _order(row: LadderRow | None) -> tuple[bool, int]:
    return (True, 0) if row is None or row.rank is None else (False, row.rank)


def _line(bot: BotRow, row: LadderRow | None, ladder: LadderFile | None) -> list[str]:
    who = [bot.name, *_names(list(bot.owners.order_by("public_name")))]
    if row is None or ladder is None:
        return _filled(who)
    strength = row.strength
    house = {other.name for other in ladder.rows if other.house}
    return [
        *who,
        _number(row.number),
        _number(row.best_rank),
        _number(row.worst_rank),
        *([""] * 3 if strength is None else map(_number, (strength.value, strength.low, strength.high))),
        _number(sum(row.deals.values())),
        _number(sum(row.faults.values())),
        _number(len(house & set(row.above))),
    ]


def _names(owners: Sequence[Participant]) -> tuple[str, str]:
    """Returns the public names of some participants, and the names of their accounts."""
    accounts = [owner.account.get_username() for owner in owners if owner.account is not None]
    return ", ".join(owner.public_name for owner in owners), ", ".join(accounts)


def _filled(line: list[str]) -> list[str]:
    return line + [""] * (len(COLUMNS) - len(line))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}" if isinstance(value, float) else f"{value}"


def plain_cell(text: str) -> str:
    """Returns a cell that no spreadsheet takes for a formula; a number stays one, also below zero."""
    if not text.startswith(_FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text
