"""Misbehaving bots: how an attack is written down, tried against an honest bot, and judged."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from tournament import examples
from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup
from tournament.deals import deal_seed
from tournament.entrants.entries import entrants_from
from tournament.paths import data_folder
from tournament.players.linux.files import remove_tree
from tournament.players.linux.group_places import Role, does
from tournament.players.linux.launcher import LANDLOCK_RENAMES, SHARED_PLACES, landlock_version
from tournament.players.linux.trees import descendants
from tournament.players.preparation import check_linux
from tournament.records.settings import Hosting, Isolation, Limits, TimeControl
from tournament.schedule.formats import Block

OK: Final = "ok"
"""No fault."""

NAME: Final = "hostile"
OTHER: Final = "other"
GAME: Final = examples.GAME
LEFT: Final = "tournament-left-"
"""How names of what bots try to leave behind begin; the number of the process that plays them follows."""

PATIENT: Final = TimeControl(move_ms=10_000, bank_ms=0, start_ms=30_000, newgame_ms=10_000)
LIMITS: Final = Limits(memory_mb=64, processes=24)

PROGRAM: Final = """\
import ctypes, errno, json, mmap, os, resource, signal, socket, subprocess, sys, threading, time

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def answer(**values):
    say(json.dumps({"id": id, **values}) + "\\n")

def log(text):
    sys.stderr.write(str(text) + "\\n")
    sys.stderr.flush()

def attempt(what, *words):
    try:
        return what(*words)
    except BaseException as error:
        return type(error).__name__

moves = games = 0
for line in sys.stdin:
    request = json.loads(line)
    kind, id = request["type"], request.get("id")
    moves += kind == "act"
    games += kind == "start"
@TROUBLE@
    if kind == "hello":
        answer(type="ready")
    elif kind == "start":
        answer(type="ok")
    elif kind == "act":
        answer(type="action", action=request["legal"][0])
    elif kind == "quit":
        sys.exit(0)
"""


class Expectation(Struct, frozen=True, kw_only=True):
    """How an attack should end at one level; a field that is None is not checked."""

    kind: str = OK
    """The kind of the bot's fault in each game, or `ok`."""

    at: int | None = None
    """How many moves the first game has before the fault."""

    detail: str | None = None
    answer: str | None = None
    """How the answer in the record begins."""

    log: str | None = None
    """A part of what the bot writes to stderr."""


class Attack(Struct, frozen=True, kw_only=True):
    """A bot that speaks the protocol, with one trouble in its loop."""

    name: str
    trouble: str
    """Statements that `PROGRAM` executes before it answers a request."""

    expected: Expectation
    in_sandbox: Expectation | None = None
    """What differs in a sandbox."""

    unconfined: Expectation | None = None
    """What differs at level process where the kernel cannot separate programs of one user (Landlock)."""

    confined_from: int = LANDLOCK_RENAMES
    """The version of Landlock from which the kernel can."""

    in_groups: Expectation | None = None
    """What differs outside of sandboxes where the kernel counts the memory of all processes together."""

    clock: TimeControl = PATIENT
    limits: Limits = LIMITS
    blocks: int = 1
    with_twin: bool = False
    """Whether it plays against a second copy of itself, and not against an honest bot."""

    def is_unconfined(self, level: Isolation) -> bool:
        """Returns whether this machine lacks what stops the attack at a level."""
        return level is Isolation.PROCESS and self.unconfined is not None and landlock_version() < self.confined_from

    def at_level(self, level: Isolation) -> Expectation:
        """Returns how the attack should end at a level on this machine."""
        if self.unconfined is not None and self.is_unconfined(level):
            return self.unconfined
        if level is Isolation.SANDBOX:
            return self.in_sandbox or self.expected
        return self.in_groups if self.in_groups is not None and does(Role.MEMORY) else self.expected


def tries(name: str, what: str, outcome: str, *, in_sandbox: str | None = None, **settings: Any) -> Attack:
    """Returns a bot that tries something when a game begins, writes how that went to its log, and plays on."""
    return Attack(
        name=name,
        trouble=f"if kind == 'start': log({what})",
        expected=Expectation(log=outcome),
        in_sandbox=None if in_sandbox is None else Expectation(log=in_sandbox),
        **settings,
    )


class AttackOutcome(Struct, frozen=True, kw_only=True):
    """How an attack ended."""

    kinds: tuple[str, ...]
    """The kind of its fault, or `ok`, in each game of the last block."""

    at: int | None
    detail: str | None
    answer: str | None
    log: str
    endings: tuple[str, ...]
    left: tuple[str, ...]
    """Processes, descriptors and files that exist afterwards and did not before."""


def try_attack(attack: Attack, level: Isolation, *, place: Path | None = None) -> AttackOutcome:
    """Plays an attack in blocks of two games, against an honest bot or a copy of itself; returns how it ended.

    `place` is a folder in which nothing may be left; no process and no descriptor may be left either. Raises
    `ConfigurationError` on other systems than Linux.
    """
    check_linux("A bot that misbehaves on purpose")
    before = _everything(place)
    # A server on the loopback interface, for bots that try the network.
    with _folder() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        played = list(_play(attack, level, folder, server.getsockname()[1]))
        marker = str(folder)
    after = _everything(place)
    running = {f"process with {marker}" for _ in _running(marker)}
    last = played[-1]
    own = [[fault for fault in record.faults if record.seats[fault.seat].bot == NAME] for record in last.records]
    first = next(chain(*own), None)
    return AttackOutcome(
        kinds=tuple(str(faults[0].kind) if faults else OK for faults in own),
        at=None if first is None else first.at,
        detail=None if first is None else first.detail,
        answer=None if first is None else first.answer,
        log="".join(text for block in played for name, text, _ in block.logs if name == NAME),
        endings=tuple(str(record.result.ending) for record in last.records),
        left=tuple(sorted((after - before) | running)),
    )


def problems(outcome: AttackOutcome, expected: Expectation) -> Iterator[str]:
    """Yields a sentence for each way in which an attack ended otherwise than expected."""
    if set(outcome.kinds) != {expected.kind}:
        ending = outcome.log[-200:].strip()
        yield (
            f"expected {expected.kind}, found {', '.join(outcome.kinds)} ({outcome.detail})"
            + (f"; its log ends: {ending}" if ending else "")
        )
    for name in ("at", "detail"):
        wanted, found = getattr(expected, name), getattr(outcome, name)
        if wanted is not None and wanted != found:
            yield f"{name}: expected {wanted}, found {found}"
    if expected.answer is not None and not (outcome.answer or "").startswith(expected.answer):
        yield f"answer: expected {expected.answer}, found {outcome.answer}"
    if expected.log is not None and expected.log not in outcome.log:
        yield f"log: expected {expected.log}, found {outcome.log[-200:]}"
    if set(outcome.endings) != {"complete"}:
        yield f"expected complete games, found {', '.join(outcome.endings)}"
    for one in outcome.left:
        yield f"left behind: {one}"


def write_program(attack: Attack, folder: Path) -> list[str]:
    """Writes the bot of an attack and returns its command."""
    path = folder / f"{attack.name.replace(' ', '_')}.py"
    path.write_text(PROGRAM.replace("@TROUBLE@", textwrap.indent(textwrap.dedent(attack.trouble), "    ")))
    path.chmod(0o644)
    return [sys.executable, "-I", "-S", str(path)]


def _play(attack: Attack, level: Isolation, folder: Path, port: int) -> Iterator[PlayedBlock]:
    secret = folder / "secret.txt"
    secret.write_text("the cards of the others")
    secret.chmod(0o644)
    env = {"PORT": str(port), "SECRET": str(secret), "RUNNER": str(os.getpid())}
    entry = {"name": NAME, "command": write_program(attack, folder), "env": env}
    honest = {"name": OTHER, "bot": str(data_folder("bots") / "random_legal.py"), "isolation": "none"}
    entries = [entry, {**entry, "name": OTHER} if attack.with_twin else honest]
    entrants = entrants_from(entries, base=folder)
    hosting = Hosting(isolation=level, clock=attack.clock, limits=attack.limits)
    player = BlockPlayer(Setup(tournament="selftest", entrants=entrants, hosting=hosting))
    try:
        for number in range(attack.blocks):
            block = Block(group=f"{GAME}-2p", segment=0, number=number, order=(NAME, OTHER))
            seed = deal_seed(NAME, game=GAME, players=2, segment=0, block=number)
            yield player.play(Job(block=block, game=GAME, players=2, options={}, seed=seed))
    finally:
        player.close()


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """Gives a new folder that every user may enter, until the block ends."""
    folder = tempfile.mkdtemp(prefix="tournament-selftest-")
    os.chmod(folder, 0o755)
    try:
        yield Path(folder)
    finally:
        remove_tree(folder)


def _everything(place: Path | None) -> set[str]:
    """Returns what could be left behind: our processes and descriptors, and files in shared folders and in `place`."""
    found = {f"process {pid}" for pid in descendants(os.getpid())}
    if os.path.isdir("/proc/self/fd"):
        found |= {f"descriptor {number}" for number in os.listdir("/proc/self/fd")}
    found |= {
        f"file {path}" for place in (*SHARED_PLACES, "/dev/shm") for path in glob(f"{place}/{LEFT}{os.getpid()}*")
    }
    return found | ({f"file {name}" for name in os.listdir(place)} if place is not None else set())


def _running(marker: str) -> Iterator[int]:
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdecimal() and marker.encode() in Path(f"/proc/{name}/cmdline").read_bytes():
                yield int(name)
