"""Builds a program that was handed in: in a sandbox without a network, with limits, its output kept for its owner.

The build works on a copy inside the sandbox. What it made comes back as a tar, which is unpacked like an upload: from
here on nobody has to trust that it is one.
"""

from __future__ import annotations

import base64
import json
import shutil
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic_ns
from typing import Final

from tournament.arena.checks.defects import MOST_UNPACKED_BYTES, DefectKind, refuse, told_seconds
from tournament.arena.checks.submissions import HEADER_BYTES, unpack_tar
from tournament.entrants.model import BotKind, BotSource
from tournament.languages import KeptNumber, gettext_noop, kept_gettext, kept_ngettext
from tournament.players.base import PlayerFault
from tournament.players.linux.child import Child
from tournament.players.linux.files import remove_tree
from tournament.players.linux.spawner import Spawner
from tournament.records.record import FaultKind
from tournament.records.settings import Isolation, Limits
from tournament.text import printable_lines

BUILD_SECONDS: Final = 120
START_SECONDS: Final = 20
CHUNK_SECONDS: Final = 10
BUILD_LIMITS: Final = Limits(memory_mb=1024, stderr_bytes=1 << 20, open_files=256, file_mb=64, processes=64)
"""All files of a build together get four times `file_mb`."""

WROTE_OVER_ITS_END: Final = gettext_noop("it wrote to the file that its end is told by")
ENDED_WHAT_STARTED_IT: Final = gettext_noop("it ended the process that started it")

BUILDER: Final = """
import base64, json, os, shutil, subprocess, sys, tarfile
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
def answer(text):
    print(text, file=answers, flush=True)
asked = json.loads(sys.stdin.readline())
shutil.copytree(asked["folder"], "program")
try:
    code = subprocess.run(asked["command"], cwd="program", stdin=subprocess.DEVNULL).returncode
except OSError as error:
    code = error.strerror or str(error)
answer(json.dumps({"code": code}))
size = 0
with tarfile.open("program.tar", "w", format=tarfile.PAX_FORMAT, dereference=True) as tar:
    for place, folders, names in os.walk("program"):
        for path in [os.path.join(place, name) for name in (*folders, *names)]:
            if os.path.islink(path) and not os.path.isfile(path):
                tar.dereference = False
                tar.add(path, os.path.relpath(path, "program"), recursive=False)
                tar.dereference = True
                continue
            size += os.path.getsize(path)
            if size > asked["most"]:
                break
            tar.add(path, os.path.relpath(path, "program"), recursive=False)
with open("program.tar", "rb") as made:
    for _ in sys.stdin:
        answer("" if size > asked["most"] else base64.b64encode(made.read(48000)).decode())
"""
"""What runs in the sandbox. It answers with how the build ended, then with parts of a tar, an empty one at the end."""


def build_program(folder: Path, command: Sequence[str], *, target: Path, log: Path) -> None:
    """Runs the build of a program and writes all that is there afterwards to `target`, its output to the file `log`.

    Raises `SubmissionError` where the build fails; `RuntimeError`, `OSError` and `ConfigurationError` are the
    machine's.
    """
    source = BotSource(
        kind=BotKind.COMMAND,
        spec="build",
        path=sys.executable,
        folder=str(folder),
        command=(sys.executable, "-I", "-S", "-B", "-c", BUILDER),
        files=(str(folder),),
        fingerprint="0" * 64,
    )
    with closing(Spawner(same_addresses=False)) as spawner:
        child, place = spawner.start(source, isolation=Isolation.SANDBOX, limits=BUILD_LIMITS)
        try:
            child.launched(monotonic_ns() + START_SECONDS * 1_000_000_000)
            data = _built(child, folder, command)
        except PlayerFault as fault:
            raise _refused(fault) from None
        finally:
            child.close()
            log.write_text(printable_lines(child.printed()), encoding="utf-8", errors="backslashreplace")
            remove_tree(place)
    shutil.rmtree(target, ignore_errors=True)
    unpack_tar(data, target)


def _built(child: Child, folder: Path, command: Sequence[str]) -> bytes:
    """Returns what a build left, as a tar. Raises `SubmissionError`, and `PlayerFault` for limits."""
    asked = {"folder": str(folder), "command": list(command), "most": MOST_UNPACKED_BYTES}
    said = child.ask(json.dumps(asked).encode() + b"\n", time_ms=BUILD_SECONDS * 1000)
    try:
        code = json.loads(said)["code"]
    except (ValueError, LookupError, TypeError):
        raise refuse(DefectKind.BUILD_FAILED, found=WROTE_OVER_ITS_END) from None
    if code != 0:
        if isinstance(code, int):
            raise refuse(DefectKind.BUILD_FAILED, found=kept_gettext("it ended with exit code {code}", code=code))
        raise refuse(DefectKind.BUILD_FAILED, found=f"{command[0]}: {code}")
    data = bytearray()
    while part := child.ask(b"next\n", time_ms=CHUNK_SECONDS * 1000):
        data += base64.b64decode(part)
        if len(data) > MOST_UNPACKED_BYTES + HEADER_BYTES:
            raise refuse(DefectKind.TOO_LARGE_UNPACKED)
    if not data:
        raise refuse(DefectKind.TOO_LARGE_UNPACKED)
    return bytes(data)


def _refused(fault: PlayerFault) -> Exception:
    match fault.kind:
        case FaultKind.TIMEOUT:
            return refuse(DefectKind.BUILD_TOO_LONG, found=told_seconds(BUILD_SECONDS))
        case FaultKind.MEMORY:
            memory = KeptNumber(BUILD_LIMITS.memory_mb)
            told = kept_gettext("it used more than {memory} MiB of memory", memory=memory)
            return refuse(DefectKind.BUILD_TOO_MUCH, found=told)
        case FaultKind.FLOOD | FaultKind.MALFORMED:
            most = BUILD_LIMITS.stderr_bytes
            told = kept_ngettext(
                "it printed more than {bytes} bytes", "it printed more than {bytes} bytes", most, bytes=KeptNumber(most)
            )
            return refuse(DefectKind.BUILD_TOO_MUCH, found=told)
        case _:
            return refuse(DefectKind.BUILD_FAILED, found=ENDED_WHAT_STARTED_IT)
