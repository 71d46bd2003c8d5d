"""A whole arena: started, handed in to, backed up while it plays, and restored elsewhere, where it goes on."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from arena.commands import PROGRAM, arena_command, free_port

from tournament import audit
from tournament.arena.files import ROUND_FILE, VERSION_FILE, RoundFile, RoundKind, VersionFile, read_json
from tournament.arena.folder import LADDER_FILE, ArenaFolder
from tournament.arena.ladder_file import LadderFile
from tournament.arena.operating.settings_file import read_arena
from tournament.arena.transitions import RoundState, VersionState
from tournament.store.results import read_results

RULES = """
title: Cup
games: [{game: scout, players: 3}]
isolation: none
clock: {move_ms: 2000}
round_seconds: 1
deals_a_day: 100000
"""
BOT = """
from tournament import Bot


class Chooses(Bot):
    def act(self, view):
        actions = view.legal_actions()
        return actions[{index} % len(actions)]
"""
COUNTED = (RoundKind.PLACEMENT, RoundKind.LADDER)
PATIENCE_SECONDS = 240

pytestmark = pytest.mark.long


def until(question: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Waits until something is so; fails when the process ends before."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not question():
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.2)


@contextmanager
def started(folder: ArenaFolder) -> Iterator[subprocess.Popen[str]]:
    """Runs an arena, and stops it as Ctrl-C does: it has to end well."""
    words = [*PROGRAM, "start", folder.path]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
            process.send_signal(signal.SIGINT)
            printed, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (0, "Stopped.") == (process.returncode, printed.splitlines()[-1])


def rounds_of(folder: ArenaFolder, state: RoundState) -> dict[int, Path]:
    """Returns the rounds in a state by their numbers."""
    places = folder.competition("cup").rounds.glob(f"[0-9]*/{ROUND_FILE}")
    files = {place.parent: read_json(place, RoundFile) for place in sorted(places)}
    return {file.number: place for place, file in files.items() if file.state is state}


def games_of(place: Path) -> int:
    return sum(1 for _ in read_results(place))


def state_of(folder: ArenaFolder, bot: str, number: int) -> VersionState:
    return read_json(folder.competition("cup").version(bot, number).path / VERSION_FILE, VersionFile).state


def hand_in(folder: ArenaFolder, place: Path, **indices: int) -> None:
    """Hands in a bot for each name, which takes the legal action of that index, counted round."""
    place.mkdir(exist_ok=True)
    for name, index in indices.items():
        (place / f"{name}.py").write_text(BOT.format(index=index))
    done = arena_command("import", folder.path, "cup", place)
    assert (0, "") == (done.returncode, done.stderr)


def set_address(folder: ArenaFolder) -> None:
    """Gives an arena a port of its own, as a host does on another machine."""
    listen = f"127.0.0.1:{free_port()}"
    database = read_arena(folder).database
    lines = [f"listen: {listen}", f"address: http://{listen}", *([f"database: {database}"] if database else [])]
    folder.settings.write_text("\n".join(lines) + "\n")


@pytest.fixture(params=["sqlite", "postgres"])
def playing(request, founded, tmp_path):
    """Returns an arena with an open competition, and the options with which a backup of it is restored."""
    options: tuple[str, ...] = ()
    folder = ArenaFolder(tmp_path / "arena")
    if request.param == "sqlite":
        shutil.copytree(founded.path, folder.path)
    else:
        server = request.getfixturevalue("postgres")
        done = arena_command("init", folder.path, "--database", server.new_database())
        assert (0, "") == (done.returncode, done.stderr)
        options = ("--database", server.new_database())
    set_address(folder)
    (tmp_path / "cup.yaml").write_text(RULES)
    done = arena_command("competition", folder.path, "cup", "--from", tmp_path / "cup.yaml", "--state", "open")
    assert (0, "") == (done.returncode, done.stderr)
    return folder, options


def test_a_backup_that_is_taken_while_it_plays_goes_on_elsewhere(playing, tmp_path):
    folder, options = playing
    hand_in(folder, tmp_path / "first", ann=0, ben=-1)
    with started(folder) as process:
        until(lambda: len(rounds_of(folder, RoundState.COMPLETE)) >= 2, process)
        hand_in(folder, tmp_path / "later", cleo=1)
        before = rounds_of(folder, RoundState.COMPLETE)
        done = arena_command("backup", folder.path, tmp_path / "backup.tar")
        assert (0, "") == (done.returncode, done.stderr)
    restored = ArenaFolder(tmp_path / "restored")
    done = arena_command("restore", tmp_path / "backup.tar", restored.path, *options)
    assert (0, "") == (done.returncode, done.stderr)
    kept = rounds_of(restored, RoundState.COMPLETE)
    assert before.keys() <= kept.keys()
    contents = {file: file.read_bytes() for place in kept.values() for file in place.rglob("*") if file.is_file()}

    set_address(restored)
    with started(restored) as process:
        until(lambda: state_of(restored, "cleo", 1) is VersionState.ACTIVE, process)
        until(lambda: len(rounds_of(restored, RoundState.COMPLETE)) > len(kept), process)
    after = rounds_of(restored, RoundState.COMPLETE)

    assert contents == {file: file.read_bytes() for file in contents}
    assert {} == rounds_of(restored, RoundState.ABANDONED)
    assert {} == {number: found for number, place in after.items() if (found := audit(place).findings)}
    assert 0 == arena_command("rebuild", restored.path).returncode
    made_anew = read_json(restored.competition("cup").path / LADDER_FILE, LadderFile)
    counted = [place for place in after.values() if read_json(place / ROUND_FILE, RoundFile).kind in COUNTED]
    assert (len(counted), sum(map(games_of, counted))) == (made_anew.rounds, made_anew.games)
