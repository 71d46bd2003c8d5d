"""An arena to be looked at: on loopback, with the example bots as participants."""

from __future__ import annotations

import io
import socket
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tournament import examples
from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.founding import NewAccount, found_arena, make_account
from tournament.arena.operating.settings_file import ArenaFile
from tournament.paths import data_folder, real_path
from tournament.records.settings import Isolation

NAME: Final = "demo"
HOST: Final = "host"
TITLE: Final = "Arena to look at"


class Demonstration(NamedTuple):
    """An arena that is ready to be started."""

    folder: ArenaFolder
    address: str
    accounts: tuple[NewAccount, ...]
    """The host's, then those of participants, with their passwords."""

    isolation: Isolation
    """How bots are kept apart: in sandboxes where this machine has them."""


@contextmanager
def place_of(keep: Path | None) -> Iterator[Path]:
    """Gives the folder in which a demonstration is made: one that stays, or one that is removed afterwards."""
    if keep is not None:
        yield keep
        return
    with TemporaryDirectory(prefix="tournament-arena-", ignore_cleanup_errors=True) as name:
        yield Path(name) / "arena"


def make_demonstration(path: Path, *, port: int) -> Demonstration:
    """Makes an arena with an open competition, in which bots have been handed in and wait for their checks.

    Port 0 chooses a free one. Raises what `found_arena` does.
    """
    if port == 0:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = int(listener.getsockname()[1])
    listen = f"127.0.0.1:{port}"
    arena = ArenaFile(title=TITLE, address=f"http://{listen}", listen=listen)
    host = found_arena(path, arena, host=HOST)
    isolation = _isolation()
    return Demonstration(
        folder=ArenaFolder(real_path(path)),
        address=arena.address,
        accounts=(host, *_fill(isolation)),
        isolation=isolation,
    )


def _isolation() -> Isolation:
    from tournament.errors import ConfigurationError
    from tournament.players.linux.sandbox import check_sandbox
    from tournament.players.linux.users import sandbox_user_problem

    try:
        check_sandbox()
    except ConfigurationError:
        return Isolation.PROCESS
    return Isolation.SANDBOX if sandbox_user_problem() is None else Isolation.PROCESS


def _fill(isolation: Isolation) -> Iterator[NewAccount]:
    from django.contrib.auth import get_user_model

    from tournament.arena.hosting.competitions import change_state, create_competition
    from tournament.arena.taking_part.handing_in import hand_in
    from tournament.arena.taking_part.joining import join, make_bot
    from tournament.arena.transitions import CompetitionState

    accounts = get_user_model().objects
    now = datetime.now(UTC)
    host = accounts.get(username=HOST)
    row = create_competition(host, NAME, examples.DEMONSTRATION.replace("ISOLATION", isolation.value), now=now)
    change_state(row, CompetitionState.OPEN, account=host, now=now)
    for name, bot_name, files in examples.DEMONSTRATION_BOTS:
        yield make_account(name)
        account = accounts.get(username=name)
        join(account, row, now=now, public_name=name.capitalize(), consents=True)
        bot = make_bot(account, row, bot_name, now=now)
        hand_in(account, bot, file_name=f"{bot_name}.zip", chunks=[_packed(files)], now=now)


def _packed(files: Sequence[str]) -> bytes:
    """Returns the zip of a bot whose own file comes first."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, name in enumerate(files):
            archive.write(data_folder("bots") / name, "bot.py" if number == 0 else name)
    return data.getvalue()
