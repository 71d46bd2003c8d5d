"""Makes pages and copies of rounds, in a process of its own: a web process never imports what ranks and replays.

Everything is made from the public copy of a round, so that nothing else can get into a page: no traceback, no log, no
clock. Functions here are called in that process alone, by `makers`.
"""

from __future__ import annotations

import os
import re
import shutil
import zipfile
from datetime import UTC, tzinfo
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tournament.errors import TournamentError
from tournament.lab.repro import write_repro
from tournament.languages import Language, gettext, gettext_noop, showing_times_in, speaking
from tournament.records.results import RESULTS_FILE
from tournament.report.facts import RunFacts, read_facts
from tournament.report.live.featured import is_of_complete_block
from tournament.report.live.live_routes import watched_game
from tournament.report.server import page_of_game, page_of_run
from tournament.report.site import write_copy_so_far, write_public_copy
from tournament.store.files import stamp_of
from tournament.store.layout import RUN_FILE
from tournament.store.leftovers import place_beside
from tournament.store.results import read_results

MOST_COPIES: Final = 200
"""So many copies of rounds are kept; those that were not asked for longest are deleted, and made anew when asked."""

ROUNDS: Final = gettext_noop("Rounds")
"""What the site calls the page to which a report leads back."""

COPY_FOLDER: Final = "copy"
ZIP_FILE: Final = "round.zip"


def make_page(
    run: Path,
    cached: Path,
    name: str,
    *,
    complete: bool,
    language: Language = Language.ENGLISH,
    zone: tzinfo = UTC,
) -> tuple[bytes, str] | None:
    """Returns a page of a round in a language, with times in a zone, and its media type.

    None where the round has none of that name.

    `cached` is the folder of the cache for the round as it is now.
    """
    try:
        copy = _copy_of(run, cached, complete=complete)
        stamp = (stamp_of(copy / RUN_FILE), stamp_of(copy / RESULTS_FILE))
        game = _GAME.fullmatch(name)
        with speaking(language), showing_times_in(zone):
            if game is None:
                return page_of_run(_facts(copy, stamp), name, above=gettext(ROUNDS))
            # Among all results: a game may be asked for long after it was played.
            shown = complete or is_of_complete_block(copy, game["id"], among=read_results(copy))
            return page_of_game(copy, game["name"]) if shown else None
    except TournamentError:
        return None  # a game that is not in it, or a round without a game so far


_GAME: Final = re.compile(r"games/(?P<name>(?P<id>[^./]+\.\d+\.\d+\.\d+)[^/]*)")
"""A replay: while a round goes on, only of a game whose block has ended, as the results say."""


def make_watched_game(run: Path, cached: Path, game: str, *, complete: bool, language: Language) -> bytes | None:
    """Returns the replay of a game that plays by itself in a frame; None unless its block is whole and among the last.

    `cached` is the folder of the cache for the round as it is now.
    """
    try:
        copy = _copy_of(run, cached, complete=complete)
        with speaking(language):
            return watched_game(copy, game).encode() if is_of_complete_block(copy, game) else None
    except TournamentError:
        return None


def make_zip(run: Path, cached: Path, root: str) -> Path:
    """Returns the public copy of a complete round as a zip file, in which all lies below a folder `root`."""
    copy = _copy_of(run, cached, complete=True)
    path = cached / ZIP_FILE
    if not path.is_file():
        beside = place_beside(path)
        write_zip(copy, beside, root=root)
        beside.replace(path)
    return path


def make_repro(run: Path, game: str, seat: int, out: Path) -> Path:
    """Writes the folder that plays the first fault of a seat again, as a zip file. Raises what `write_repro` raises."""
    with TemporaryDirectory(dir=out.parent) as folder:
        made = write_repro(f"{run}#{game}", seat=seat, out=Path(folder) / "repro")
        write_zip(made, out, root=f"repro-{game}-seat{seat}")
    return out


def write_zip(folder: Path, out: Path, *, root: str) -> None:
    """Writes the files of a folder into a zip file, below `root`."""
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                packed.write(path, f"{root}/{path.relative_to(folder)}")


def _copy_of(run: Path, cached: Path, *, complete: bool) -> Path:
    copy = cached / COPY_FOLDER
    if not copy.is_dir():
        _make_room(cached)
        (write_public_copy if complete else write_copy_so_far)(run, copy)
    os.utime(cached)
    return copy


def _make_room(cached: Path) -> None:
    """Deletes the copies that were not asked for longest, and what an earlier stage of the same round left."""
    cached.parent.mkdir(parents=True, exist_ok=True)
    for other in cached.parent.iterdir():
        if other != cached:
            shutil.rmtree(other, ignore_errors=True)
    rounds = [path for path in cached.parent.parent.iterdir() if path != cached.parent]
    kept = sorted(rounds, key=lambda path: path.stat().st_mtime, reverse=True)
    for path in kept[MOST_COPIES:]:
        shutil.rmtree(path, ignore_errors=True)
    os.utime(cached.parent)


@lru_cache(maxsize=4)
def _facts(copy: Path, stamp: object) -> RunFacts:
    return read_facts(copy)
