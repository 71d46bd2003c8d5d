"""What is known of the check of a version, while it runs and afterwards: `check/steps.json`."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from tournament.arena.checks.defects import Defect
from tournament.arena.files import read_json
from tournament.arena.folder import CheckFile, VersionFolder
from tournament.lab.check.report import Step
from tournament.languages.sent import SentText


class CheckOutcome(StrEnum):
    """How a check ended."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    PUT_BACK = "put back"
    """The machine failed, not the program: it is checked again, and nobody is to blame."""


class CheckSteps(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `steps.json`, written anew after each step."""

    names: tuple[str, ...]
    """All steps in their order, those to come too."""

    steps: tuple[Step, ...] = ()
    """Those that have ended."""

    outcome: CheckOutcome | None = None
    """None while the check runs."""

    defect: Defect | None = None
    """Why it is refused; None where a step says it."""

    why: str | None = None
    """The same as a sentence for the owner, whatever the outcome."""

    figures: dict[str, float] = {}
    """Measurements by name: milliseconds (`_ms`), mebibytes (`_mb`) and counts."""


class CheckSentences(Struct, frozen=True, kw_only=True):
    """The whole of `sentences.json`, written anew ahead of `steps.json`."""

    sentences: tuple[SentText, ...] = ()


def read_check(folder: VersionFolder) -> CheckSteps | None:
    """Returns how far the check of a version is, None before its first step. Raises `RunError` for a damaged file."""
    path = folder.check / CheckFile.STEPS
    return read_json(path, CheckSteps) if path.exists() else None
