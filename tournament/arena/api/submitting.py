"""The client of the API behind `tournament submit`: packs a bot, hands it in, and follows its check.

It needs no Django and no arena, only an address and a token.
"""

from __future__ import annotations

import http.client
import io
import os
import stat
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

import msgspec
from msgspec import Struct

from tournament.arena.checks.defects import MOST_FILES
from tournament.arena.files import MOST_UPLOAD_BYTES
from tournament.errors import BotError, RunError, TournamentError, UsageError
from tournament.paths import real_path
from tournament.text import format_count

TOKEN_VARIABLE: Final = "TOURNAMENT_TOKEN"
MOST_ANSWER_BYTES: Final = 8_000_000
ANSWER_SECONDS: Final = 60
POLL_SECONDS: Final = 1.0
AWAY_SECONDS: Final = 120.0
"""How long a server may be away while its check is followed."""

_ARCHIVES: Final = (".zip", ".tar.gz", ".tgz")
_MAINS: Final = ("bot.yaml", "bot.py")
_LEFT_OUT: Final = frozenset({"__pycache__", "node_modules"})
_ERRORS: Final[Mapping[str, type[TournamentError]]] = {
    "too large": BotError,
    "quota": RunError,
    "state": RunError,
    "taken": RunError,
    "failed": RunError,
}
"""By the kind of an error; the others are mistakes in what the user gave."""


class PackedBot(NamedTuple):
    """What is handed in."""

    file_name: str
    data: bytes


class CheckedStep(Struct, frozen=True, kw_only=True):
    """A step of a check that has ended, as the arena tells it."""

    name: str
    verdict: str
    found: str = ""
    advice: str | None = None
    log: str | None = None


class FollowedVersion(NamedTuple):
    """What is known of a version by now."""

    number: int
    state: str
    why: str | None
    steps: tuple[CheckedStep, ...]

    @property
    def is_checked(self) -> bool:
        """Whether its check has ended."""
        return self.state not in ("received", "checking", "accepted")

    @property
    def is_accepted(self) -> bool:
        """Whether it passed."""
        return self.state in ("active", "retired", "parked")


class Submission(NamedTuple):
    """What the arena made of what was handed in."""

    competition: str
    number: int
    is_new: bool


def pack_bot(path: Path) -> PackedBot:
    """Returns a file as it is, or a folder as a zip that is the same for the same files.

    Names that begin with a dot and caches are left out. Raises `BotError` for what the arena would not take.
    """
    if path.is_dir():
        packed = PackedBot(f"{real_path(path).name or 'bot'}.zip", _zip_of(path))
    else:
        if path.suffix != ".py" and not path.name.endswith(_ARCHIVES):
            raise BotError(f"{path}: expected a .py, a .zip, a .tar.gz or a folder. Give one of these.")
        try:
            packed = PackedBot(path.name, path.read_bytes())
        except OSError as error:
            raise BotError(f"{path} cannot be read: {error.strerror}. Check the path.") from None
    if len(packed.data) > MOST_UPLOAD_BYTES:
        raise BotError(
            f"{path}: packed it has {len(packed.data):,} bytes, and at most {MOST_UPLOAD_BYTES:,} are taken. "
            "Leave out what the bot does not need."
        )
    return packed


def _zip_of(folder: Path) -> bytes:
    if not any((folder / name).is_file() for name in _MAINS):
        raise BotError(
            f"{folder} has neither a bot.py nor a bot.yaml. A bot of one Python file: hand in that file alone, or call "
            "it bot.py. A program in another language: write a bot.yaml with the command that starts it, such as "
            "command: [./bot], and with build: [make] if it has to be built."
        )
    files = sorted(_files_in(folder))
    if len(files) > MOST_FILES:
        raise BotError(f"{folder} has {len(files)} files, and at most {MOST_FILES} are taken. Leave some out.")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())  # in 1980: when it was packed is no difference
            is_program = bool(path.stat().st_mode & stat.S_IXUSR)
            entry.external_attr = (stat.S_IFREG | (0o755 if is_program else 0o644)) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return out.getvalue()


def _files_in(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name[0] == "." or path.name in _LEFT_OUT:
            continue
        if path.is_symlink():
            raise BotError(f"{path} is a link, and links are not taken. Put the file itself there.")
        if path.is_dir():
            yield from _files_in(path)
        elif path.is_file():
            yield path


def token_from_environment() -> str:
    """Returns the token that the environment has. Raises `UsageError` where there is none."""
    token = os.environ.get(TOKEN_VARIABLE, "").strip()
    if not token or not token.isascii() or not token.isprintable():
        found = "is not set" if not token else "has letters that no token has"
        raise UsageError(
            f"{TOKEN_VARIABLE} {found}. Make a token under My bots on the site, and set it: "
            f"export {TOKEN_VARIABLE}=arena-..."
        )
    return token


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token would be sent to wherever it leads."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class ArenaClient:
    """Asks the API of one arena with one token."""

    def __init__(self, address: str, token: str) -> None:
        """Raises `UsageError` for an address that is none."""
        parts = urlsplit(address if "://" in address else f"https://{address}")
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise UsageError(f"{address} is no address of an arena. Give one such as https://arena.example.org.")
        self._root = f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}/api"
        self._token = token
        self._opener = urllib.request.build_opener(_NoRedirects)

    def hand_in(self, bot: str, packed: PackedBot, *, check_only: bool) -> Submission:
        """Hands a bot in. Raises `UsageError`, `BotError` and `RunError` as the arena says why not."""
        token = self._ask("/token")
        if token.get("bot") != bot:
            raise UsageError(f"This token is for {token.get('bot')}, and not for {bot}. Use one of {bot}.")
        words = urlencode({"file_name": packed.file_name, "check_only": "true" if check_only else "false"})
        place = f"/competitions/{quote(str(token['competition']))}/bots/{quote(bot)}/versions"
        answer = self._ask(f"{place}?{words}", packed.data)
        number = int(answer["version"]["number"])
        return Submission(str(token["competition"]), number, bool(answer["is_new"]))

    def version(self, bot: str, submission: Submission) -> FollowedVersion:
        """Returns what is known of a version now."""
        place = f"/competitions/{quote(submission.competition)}/bots/{quote(bot)}/versions/{submission.number}"
        answer = self._ask(place)
        steps = (answer.get("check") or {}).get("steps") or []
        return FollowedVersion(
            number=submission.number,
            state=str(answer["state"]),
            why=answer.get("why"),
            steps=msgspec.convert(steps, tuple[CheckedStep, ...]),
        )

    def follow(
        self, bot: str, submission: Submission, *, wait_seconds: float, pause: Callable[[float], None] = time.sleep
    ) -> Iterator[FollowedVersion]:
        """Yields what is known of a version whenever more is known, until its check has ended.

        A server that is away is asked again for two minutes. Raises `RunError` when it stays away, and when the check
        has not ended after `wait_seconds`.
        """
        last: FollowedVersion | None = None
        waited = away = 0.0
        while last is None or not last.is_checked:
            try:
                now = self.version(bot, submission)
            except AwayError:
                away += POLL_SECONDS
                if away > AWAY_SECONDS:
                    raise
            else:
                away = 0.0
                if now != last:
                    yield now
                last = now
                if now.is_checked:
                    return
            if waited >= wait_seconds:
                minutes = format_count(max(1, round(wait_seconds / 60)), "minute")
                raise RunError(
                    f"The check of version {submission.number} has not ended after {minutes}; it goes on without you. "
                    "Look at the page of your bot."
                )
            pause(POLL_SECONDS)
            waited += POLL_SECONDS

    def _ask(self, place: str, data: bytes | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        if data is not None:
            headers["Content-Type"] = "application/octet-stream"
        request = urllib.request.Request(f"{self._root}{place}", data, headers)
        try:
            with self._opener.open(request, timeout=ANSWER_SECONDS) as answer:
                return self._read(answer)
        except urllib.error.HTTPError as error:
            with error:
                raise self._error(error) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise AwayError(
                f"{self._root} cannot be reached: {reason}. Check the address and the network, then try again."
            ) from None

    def _read(self, answer: Any) -> dict[str, Any]:
        data = answer.read(MOST_ANSWER_BYTES)
        try:
            return msgspec.json.decode(data, type=dict[str, Any])
        except msgspec.DecodeError:
            raise UsageError(f"{self._root} does not answer as an arena does. Check the address.") from None

    def _error(self, error: urllib.error.HTTPError) -> TournamentError:
        if 300 <= error.code < 400:
            return UsageError(f"{self._root} leads to {error.headers.get('Location')}. Give that address.")
        if error.code in (502, 503, 504):
            return AwayError(f"{self._root} is away just now (status {error.code}). Try again in a while.")
        try:
            values = msgspec.json.decode(error.read(MOST_ANSWER_BYTES), type=dict[str, Any])
            return _ERRORS.get(str(values["kind"]), UsageError)(str(values["error"]))
        except (msgspec.DecodeError, KeyError, OSError):
            return UsageError(
                f"{self._root} answers with status {error.code}, and not as an arena does. Check the address."
            )


class AwayError(RunError):
    """A server that cannot be reached just now."""
