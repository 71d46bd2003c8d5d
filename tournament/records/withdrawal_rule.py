"""When a bot that keeps failing is taken out of a run: the rule as a person writes it, and as `run.json` has it."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from tournament.errors import ConfigurationError
from tournament.games.contract import END_OF_TEXT

NEVER: Final = "never"

_PER_CENT: Final = r"^(100|[0-9]{1,2}(\.[0-9]{1,4})?) ?%" + END_OF_TEXT

Starts = Annotated[int, Meta(ge=1)]
Games = Annotated[int, Meta(ge=0)]


class WithdrawalRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is withdrawn: by starts, or by games and share together."""

    starts: Starts = 2
    """Who fails to start in so many games in a row."""

    games: Games = 3
    """Who has faults in more than so many games, if they are more than `share` too."""

    share: Annotated[float, Meta(ge=0, le=1)] = 0.01
    """Of all its games."""


class WithdrawalEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who is withdrawn because its bot keeps failing; what is left out takes its default."""

    starts: Starts | None = None
    """Who fails to start in so many games in a row; default: 2."""

    games: Games | None = None
    """Who has faults in more than so many games, if they are more than `share` too; default: 3."""

    share: (
        Annotated[str, Meta(pattern=_PER_CENT, description="a share such as 1 %")]
        | Annotated[float, Meta(ge=0, le=1)]
        | None
    ) = None
    """Of all its games; default: 1 %."""


AnyRule = WithdrawalRule | Literal["never"]
"""`never`: nobody is withdrawn, however often it fails."""

AnyEntry = WithdrawalEntry | Literal["never"]


def rule_from_entry(entry: AnyEntry | None) -> AnyRule:
    """Returns the rule of a configuration."""
    if entry is None:
        return WithdrawalRule()
    if isinstance(entry, str):
        return NEVER
    given = msgspec.to_builtins(entry)
    if isinstance(entry.share, str):
        given["share"] = float(entry.share.removesuffix("%")) / 100
    return WithdrawalRule(**given)


def parse_entry(text: str) -> AnyEntry:
    """Returns what `never` or `starts=2,games=3,share=1%` says. Raises `ConfigurationError`."""
    if text.strip() == NEVER:
        return NEVER
    given: dict[str, int | str] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        is_number = re.fullmatch(r"[0-9]{1,9}", value) is not None
        if not equals or name not in WithdrawalEntry.__struct_fields__ or name in given:
            raise _unread(text, part.strip())
        given[name] = int(value) if is_number and name != "share" else value
    try:
        return msgspec.convert(given, WithdrawalEntry)
    except msgspec.ValidationError as error:
        raise _unread(text, str(error)) from None


def _unread(text: str, found: str) -> ConfigurationError:
    return ConfigurationError(
        f'--withdraw "{text}": expected never, or some of starts=2,games=3,share=1%, each once; '
        f"found {found or 'nothing'}."
    )


def format_rule(rule: AnyRule) -> str:
    """Returns a rule as a sentence."""
    if isinstance(rule, str):
        return "Nobody is withdrawn, however often it fails."
    return (
        f"Withdrawn is who fails to start in {rule.starts} games in a row, or has faults in more than {rule.games} "
        f"games and {100 * rule.share:g} % of its games."
    )
