"""What `tournament arena check` found last, and whether strangers may sign up after that; light, for web processes."""

from __future__ import annotations

from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from tournament.arena.files import Moment
from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.addresses import is_loopback
from tournament.arena.operating.settings_file import ArenaFile
from tournament.languages import gettext
from tournament.text import format_command

FITNESS_FILE: Final = "fitness.json"


class Examined(StrEnum):
    """What is examined of a machine and an arena on it."""

    SETTINGS = "settings"
    RIGHTS = "rights"
    SECRET = "secret"
    PLACE = "place"
    """Whether the folder lies where bots see it."""

    SANDBOX = "sandbox"
    ADDRESS = "address"
    PROXIES = "proxies"
    DATABASE = "database"
    DISK = "disk"
    CORES = "cores"
    MAIL = "mail"
    SIGN_IN = "sign-in"
    """Whether servers of others answer at which people sign in."""


FOR_STRANGERS: Final = frozenset({Examined.RIGHTS, Examined.SECRET, Examined.PLACE, Examined.SANDBOX, Examined.ADDRESS})
"""What must be right before people whom no host knows may sign up, and hand in programs that run here."""


class FitnessVerdict(StrEnum):
    """What was found of one thing."""

    PASSED = "passed"
    NOTE = "note"
    """It works, and its host should know something."""

    FAILED = "failed"


class FitnessStep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that was examined."""

    about: Examined
    verdict: FitnessVerdict
    text: str
    """In a sentence; where it failed it says what to do."""


class FitnessFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of `fitness.json`."""

    at: Moment
    address: str
    """That of the arena when it was examined."""

    steps: tuple[FitnessStep, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return all(step.verdict is not FitnessVerdict.FAILED for step in self.steps)


def read_fitness(folder: ArenaFolder) -> FitnessFile | None:
    """Returns what was found last; None where nothing was examined yet, or the file is not one of this version."""
    try:
        return msgspec.json.decode((folder.path / FITNESS_FILE).read_bytes(), type=FitnessFile)
    except (OSError, msgspec.DecodeError):
        return None


def is_only_here(arena: ArenaFile) -> bool:
    """Returns whether an arena can be reached from its own machine alone, where there are no strangers."""
    hosts = (urlsplit(arena.address).hostname, urlsplit(f"//{arena.listen}").hostname)
    return arena.proxies == 0 and all(is_loopback(host or "") for host in hosts)


def registration_problem(folder: ArenaFolder, arena: ArenaFile) -> str | None:
    """Returns why strangers may not sign up, in sentences for a host; None when they may.

    They may where `arena check` found nothing wrong that matters to it since the address was set, or where nobody but
    this machine reaches the site.
    """
    if not arena.accounts:
        return gettext("The settings say `accounts: false`: hosts enter people.")
    return stranger_problem(folder, arena)


def stranger_problem(folder: ArenaFolder, arena: ArenaFile) -> str | None:
    """Returns why nobody may get an account whom no host knows, whatever the settings say; None when they may."""
    if is_only_here(arena):
        return None
    found = read_fitness(folder)
    if found is None or found.address != arena.address:
        return gettext(
            "Nobody may sign up before `arena check` has passed at this address. Run it: {command}",
            command=format_command("arena", "check", folder.path),
        )
    wrong = [step for step in found.steps if step.about in FOR_STRANGERS and step.verdict is FitnessVerdict.FAILED]
    if wrong:
        return gettext(
            "Nobody may sign up while something is wrong: {problems}", problems=" ".join(step.text for step in wrong)
        )
    return None


def format_fitness(found: FitnessFile) -> str:
    """Returns what was found as lines for a terminal."""
    lines = [
        f"{step.verdict.value.upper() if step.verdict is FitnessVerdict.FAILED else step.verdict.value:<7} "
        f"{step.about.value}: {step.text}"
        for step in found.steps
    ]
    return "\n".join(lines)
