"""Whether this machine is fit for an arena: what `tournament arena check` examines, and writes into `fitness.json`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from tournament.arena.files import format_moment, write_json
from tournament.arena.folder import LEAST_FREE_SHARE, ArenaFolder
from tournament.arena.operating.addresses import check_settings, is_issuer
from tournament.arena.operating.fitness_file import (
    FITNESS_FILE,
    Examined,
    FitnessFile,
    FitnessStep,
    FitnessVerdict,
    is_only_here,
)
from tournament.arena.operating.founding import check_up_to_date
from tournament.arena.operating.settings_file import ArenaFile, SignIn, read_arena
from tournament.arena.settings import socket_folder
from tournament.errors import TournamentError
from tournament.text import format_place
from tournament.workers import usable_cores

LEAST_SECRET_CHARACTERS: Final = 50
OTHERS: Final = 0o077
MAIL_SECONDS: Final = 10

Found = tuple[FitnessVerdict, str]


def examine(folder: ArenaFolder) -> FitnessFile:
    """Examines an arena and its machine, and writes what was found; Django is set up.

    Raises `RunError` where it cannot be written, `ConfigurationError` for settings that cannot be read.
    """
    arena = read_arena(folder)
    steps = tuple(
        FitnessStep(about=about, verdict=verdict, text=text)
        for about, examine_one in EXAMINATIONS.items()
        for verdict, text in [_found(examine_one, folder, arena)]
    )
    found = FitnessFile(at=format_moment(datetime.now(UTC)), address=arena.address, steps=steps)
    write_json(folder.path / FITNESS_FILE, found)
    return found


def _found(examine_one: Callable[[ArenaFolder, ArenaFile], Found], folder: ArenaFolder, arena: ArenaFile) -> Found:
    try:
        return examine_one(folder, arena)
    except TournamentError as error:
        return FitnessVerdict.FAILED, str(error)
    except OSError as error:
        return (
            FitnessVerdict.FAILED,
            f"{error.filename or folder.path}: {error.strerror}. Mend its rights, then check again.",
        )


def _settings(folder: ArenaFolder, arena: ArenaFile) -> Found:
    check_settings(arena, where=folder.settings)
    return FitnessVerdict.PASSED, f"{folder.settings} can be used."


def _rights(folder: ArenaFolder, arena: ArenaFile) -> Found:
    told = folder.path.stat()
    if told.st_uid != os.geteuid():
        return FitnessVerdict.FAILED, (
            f"{folder.path} belongs to another user than the one who runs this. Run the arena as its owner, "
            f"or give it away: chown -R {os.geteuid()} {format_place(folder.path)}"
        )
    if told.st_mode & OTHERS:
        return FitnessVerdict.FAILED, (
            f"Other users of this machine can look into {folder.path}. Close it: chmod 700 {format_place(folder.path)}"
        )
    return FitnessVerdict.PASSED, "Only the user who runs the arena can look into its folder."


def _secret(folder: ArenaFolder, arena: ArenaFile) -> Found:
    told = folder.secret.stat()
    if told.st_mode & OTHERS:
        return FitnessVerdict.FAILED, (
            f"Other users can read {folder.secret}. Close it: chmod 600 {format_place(folder.secret)}"
        )
    if len(folder.secret.read_bytes().strip()) < LEAST_SECRET_CHARACTERS:
        return FitnessVerdict.FAILED, (
            f"{folder.secret} is shorter than {LEAST_SECRET_CHARACTERS} characters, and can be guessed. Take it from a "
            "backup, or write a drawn one: python -c 'import secrets; print(secrets.token_urlsafe(64))'"
        )
    return FitnessVerdict.PASSED, "It is drawn, and readable for nobody else."


def _place(folder: ArenaFolder, arena: ArenaFile) -> Found:
    from tournament.arena.checks.showing import shown_problems

    sockets = socket_folder(arena)
    problems = shown_problems(folder, private=[] if sockets is None else [sockets])
    if problems:
        return FitnessVerdict.FAILED, " ".join(problems)
    return FitnessVerdict.PASSED, "The sandbox shows no bot anything of the folder but the bot itself."


def _sandbox(folder: ArenaFolder, arena: ArenaFile) -> Found:
    from tournament.players.linux.sandbox import check_sandbox
    from tournament.players.linux.users import sandbox_user_problem

    check_sandbox()
    problem = sandbox_user_problem()
    if problem is not None:
        return (
            FitnessVerdict.FAILED,
            f"Bots cannot be given users of their own: {problem}. Run the arena as an ordinary user.",
        )
    return FitnessVerdict.PASSED, "It works. `tournament selftest` says what it stops."


def _address(folder: ArenaFolder, arena: ArenaFile) -> Found:
    if is_only_here(arena):
        return FitnessVerdict.NOTE, f"{arena.address} can be reached from this machine alone."
    if urlsplit(arena.address).scheme != "https":
        return FitnessVerdict.FAILED, (
            f"{arena.address} is not HTTPS: passwords would travel in the clear. Put Caddy or nginx before the site, "
            f"and write the address as https://... into {folder.settings}."
        )
    return FitnessVerdict.PASSED, f"{arena.address} is HTTPS."


def _proxies(folder: ArenaFolder, arena: ArenaFile) -> Found:
    if urlsplit(arena.address).scheme == "https" and arena.proxies == 0:
        return FitnessVerdict.NOTE, (
            "The site itself speaks no HTTPS, and no proxy is declared: everybody would seem to come from one address. "
            f"Write `proxies: 1` into {folder.settings} where one stands before it."
        )
    return FitnessVerdict.PASSED, f"{arena.proxies} declared."


def _database(folder: ArenaFolder, arena: ArenaFile) -> Found:
    check_up_to_date(folder)
    return (
        FitnessVerdict.PASSED,
        f"It answers ({'SQLite' if arena.database is None else 'PostgreSQL'}), and is up to date.",
    )


def _disk(folder: ArenaFolder, arena: ArenaFile) -> Found:
    usage = shutil.disk_usage(folder.path)
    share = usage.free / usage.total
    told = f"{usage.free / 1e9:.1f} GB of {usage.total / 1e9:.1f} GB are free ({share:.0%})"
    if share < LEAST_FREE_SHARE:
        return FitnessVerdict.FAILED, f"{told}. Under {LEAST_FREE_SHARE:.0%} nothing is played: make room."
    return FitnessVerdict.PASSED, f"{told}."


def _cores(folder: ArenaFolder, arena: ArenaFile) -> Found:
    cores = usable_cores()
    if cores < 2:
        return (
            FitnessVerdict.NOTE,
            "There is one core: checks and the ladder take turns on it, and bots may run out of time.",
        )
    return FitnessVerdict.PASSED, f"{cores} can be used."


def _mail(folder: ArenaFolder, arena: ArenaFile) -> Found:
    if arena.mail is None:
        return FitnessVerdict.NOTE, "None is set: hosts give one-time links to whoever forgot a password."
    from smtplib import SMTPException

    from django.core.mail import get_connection

    connection = get_connection(timeout=MAIL_SECONDS)
    try:
        connection.open()
        connection.close()
    except (OSError, SMTPException) as error:
        return FitnessVerdict.FAILED, (
            f"{arena.mail.host}:{arena.mail.port} takes no mail: {error}. Mend `mail` in {folder.settings}, or the "
            "password in TOURNAMENT_MAIL_PASSWORD."
        )
    return FitnessVerdict.PASSED, f"{arena.mail.host} answers."


def _sign_in(folder: ArenaFolder, arena: ArenaFile) -> Found:
    if not arena.sign_in:
        return FitnessVerdict.PASSED, "People sign in here alone."
    told = [_server_problem(one) for one in arena.sign_in]
    wrong = [problem for problem in told if problem is not None]
    if wrong:
        return FitnessVerdict.FAILED, f"{' '.join(wrong)} Mend `sign_in` in {folder.settings}, then check again."
    without = [one for one in arena.sign_in if not os.environ.get(one.secret_variable)]
    if without:
        return FitnessVerdict.NOTE, (
            f"There is no secret of {_in_words(one.name for one in without)}. Set it where the arena is started, "
            f"unless none is needed there: {_in_words(one.secret_variable for one in without)}"
        )
    return FitnessVerdict.PASSED, f"{_in_words(one.name for one in arena.sign_in)} can be used."


def _server_problem(one: SignIn) -> str | None:
    """Returns what is wrong with a server at which people sign in."""
    import requests

    from tournament.arena.web.pages.careful_asking import CarefulSession

    address = f"{one.server.rstrip('/')}/.well-known/openid-configuration"
    try:
        answer = CarefulSession().get(address)
        answer.raise_for_status()
        told = answer.json()
        page, issuer = urlsplit(told["authorization_endpoint"]), str(told["issuer"])
    except (requests.RequestException, ValueError, KeyError, TypeError) as error:
        return f"{one.name} ({one.id}): {address} says nothing of OpenID Connect: {type(error).__name__}."
    if not is_issuer(issuer, server=one.server):
        return f"{one.name} ({one.id}): it calls itself {issuer}. If that is the server you mean, write it as `server`."
    origin = f"{page.scheme}://{page.netloc}"
    if origin not in one.origins:
        return f"{one.name} ({one.id}): people sign in there at another address. Add a line `page: {origin}`."
    return None


def _in_words(words: Iterable[str]) -> str:
    return ", ".join(words)


EXAMINATIONS: Final[dict[Examined, Callable[[ArenaFolder, ArenaFile], Found]]] = {
    Examined.SETTINGS: _settings,
    Examined.RIGHTS: _rights,
    Examined.SECRET: _secret,
    Examined.PLACE: _place,
    Examined.SANDBOX: _sandbox,
    Examined.ADDRESS: _address,
    Examined.PROXIES: _proxies,
    Examined.DATABASE: _database,
    Examined.DISK: _disk,
    Examined.CORES: _cores,
    Examined.MAIL: _mail,
    Examined.SIGN_IN: _sign_in,
}
