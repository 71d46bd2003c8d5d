"""`tournament selftest`: which protections from bots work on this machine, tried with bots that misbehave."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from tournament.entrants.entries import entrants_from
from tournament.errors import ConfigurationError
from tournament.lab.hostile.crowds import CROWDS
from tournament.lab.hostile.kit import PATIENT, Attack, Expectation, problems, tries, try_attack
from tournament.lab.hostile.reaches import IN_MEMORY, REACHES
from tournament.paths import data_folder
from tournament.players.linux.child import FLOOD, MEMORY, NOTHING_CAME
from tournament.players.linux.group_places import describe_groups
from tournament.players.linux.launcher import LANDLOCK_SIGNALS
from tournament.players.preparation import check_linux, prepare_hosting
from tournament.records.settings import Hosting, Isolation
from tournament.text import format_command

HURRY: Final = replace(PATIENT, move_ms=200)
LEVELS: Final = (Isolation.PROCESS, Isolation.SANDBOX)

SAFE: Final = (
    Attack(name="plays honestly", trouble="", expected=Expectation()),
    Attack(
        name="never answers",
        trouble="if kind == 'act': time.sleep(600)",
        expected=Expectation(kind="timeout", at=0, detail=NOTHING_CAME),
        clock=HURRY,
    ),
    Attack(
        name="crashes the interpreter",
        trouble="if moves == 2: os.kill(os.getpid(), signal.SIGSEGV)",
        expected=Expectation(kind="crash", at=2, detail="was ended by SIGSEGV while an answer was due"),
    ),
    Attack(
        name="answers nonsense",
        trouble="if moves == 2: say('move 3\\n'); continue",
        expected=Expectation(kind="malformed", at=2, detail="the answer is not JSON", answer="move 3"),
    ),
    Attack(
        name="floods stderr",
        trouble="if moves == 2:\n    while True: sys.stderr.write('x' * 65536)",
        expected=Expectation(kind="flood", at=2, detail=FLOOD),
    ),
    Attack(
        name="fills its memory",
        trouble="if moves == 2: hog = bytearray(200 << 20)",
        expected=Expectation(kind="crash", at=2, detail="exited with code 1 while an answer was due"),
    ),
    Attack(
        name="fills shared memory",
        trouble="if moves == 2:\n    hog = mmap.mmap(-1, 120 << 20)\n"
        "    for _ in range(30 << 10): hog.write(b'x' * 4096)\n    time.sleep(600)",
        expected=Expectation(kind="memory", at=2, detail=MEMORY),
    ),
    tries("writes a huge file", "attempt(lambda: open('big', 'wb', 0).write(b'x' * (50 << 20)) >> 20)", "8\n"),
    Attack(
        name="leaves a daemon behind",
        trouble="if moves == 1 and kind == 'act' and os.fork() == 0:\n    os.setsid()\n"
        "    if os.fork() == 0: time.sleep(600)\n    os._exit(0)",
        expected=Expectation(),
    ),
    tries(
        "reads the memory of the tournament",
        "attempt(open, '/proc/' + os.environ['RUNNER'] + '/mem', 'rb')",
        "PermissionError",
        in_sandbox="FileNotFoundError",
    ),
    tries("reads other files", "os.path.exists(os.environ['SECRET'])", "True", in_sandbox="False"),
    Attack(
        name="takes a lock that other bots see",
        trouble="import fcntl\nif kind == 'start': log(attempt(fcntl.flock, open(sys.argv[0]), fcntl.LOCK_SH))",
        expected=Expectation(log="None"),
        in_sandbox=Expectation(log="PermissionError"),
    ),
    Attack(
        name="becomes root",
        trouble="if kind == 'start': log(attempt(os.setuid, 0)); log(0 in os.getresuid())",
        expected=Expectation(log="Error\nFalse\n"),
    ),
    tries("changes the settings of the kernel", "attempt(open, '/proc/sys/kernel/core_pattern', 'a')", "Error\n"),
    tries(
        "signals the tournament",
        "attempt(os.kill, int(os.environ['RUNNER']), 0)",
        "PermissionError",
        in_sandbox="ProcessLookupError",
        unconfined=Expectation(),
        confined_from=LANDLOCK_SIGNALS,
    ),
    Attack(
        name="leaves a file for others",
        trouble="path = '/tmp/tournament-left-' + os.environ['RUNNER']\n"
        "if kind == 'start': log(attempt(lambda: open(path, 'w').close()))\n"
        "if kind == 'quit': attempt(os.unlink, path)",
        expected=Expectation(log="PermissionError"),
        in_sandbox=Expectation(log="None"),
        unconfined=Expectation(),
    ),
    tries(
        "asks which part of a file is in memory",
        "attempt(os.preadv, os.open(sys.argv[0], 0), [bytearray(1)], 0, os.RWF_NOWAIT)",
        "1\n",
        in_sandbox="OSError\n",
    ),
    tries(
        "uses the network",
        "attempt(lambda: socket.create_connection(('127.0.0.1', int(os.environ['PORT'])), 5).getpeername()[0])",
        "127.0.0.1",
        in_sandbox="Error",
    ),
)
"""Attacks that do no harm if a protection fails: no fork bombs, no attacks on other processes."""

TRIED: Final = (*SAFE, *REACHES, *CROWDS)

NOT_STOPPED: Final = {
    Isolation.PROCESS: (
        "asks which part of a file is in memory",
        "reads other files",
        "takes a lock that other bots see",
        "uses the network",
        *(attack.name for attack in IN_MEMORY),
    )
}
"""Attacks that a level does not stop, by level: the report says so, and they are not tried."""


class Protection(Struct, frozen=True, kw_only=True):
    """One attack at one level, and whether it ended as it should."""

    attack: str
    stopped: bool
    """Whether the level stops the attack; one that it does not stop is documented, and not tried."""

    works: bool
    problems: tuple[str, ...] = ()


class LevelReport(Struct, frozen=True, kw_only=True):
    """Which protections work at one level of isolation."""

    isolation: Isolation
    missing: str | None
    """Why this machine lacks the level; then nothing was tried."""

    notices: tuple[str, ...] = ()
    protections: tuple[Protection, ...] = ()

    @property
    def works(self) -> bool:
        """Whether every attack that was tried ended as it should."""
        return all(one.works for one in self.protections)


def selftest() -> tuple[LevelReport, ...]:
    """Returns which protections work at each level. Cost: two to three minutes.

    Raises `ConfigurationError` on other systems than Linux.
    """
    check_linux(format_command("selftest"))
    return tuple(map(_try_level, LEVELS))


def _try_level(level: Isolation) -> LevelReport:
    try:
        honest = entrants_from([str(data_folder("bots") / "random_legal.py")], base=Path.cwd())
        notices = prepare_hosting(honest, Hosting(isolation=level), allow_mixed=False)
    except ConfigurationError as error:
        return LevelReport(isolation=level, missing=str(error))
    notices = (*notices, describe_groups())
    return LevelReport(isolation=level, missing=None, notices=notices, protections=tuple(_protections(level)))


def _protections(level: Isolation) -> Iterator[Protection]:
    for attack in TRIED:
        stopped = attack.name not in NOT_STOPPED.get(level, ()) and not attack.is_unconfined(level)
        found = tuple(problems(try_attack(attack, level), attack.at_level(level))) if stopped else ()
        yield Protection(attack=attack.name, stopped=stopped, works=not found, problems=found)


def format_selftest(reports: tuple[LevelReport, ...]) -> str:
    """Returns the reports as text for people."""
    lines = []
    for report in reports:
        lines.append(f"isolation {report.isolation}: {'missing' if report.missing else 'there'}")
        lines += [f"  {text}" for text in (report.missing, *report.notices) if text]
        for one in report.protections:
            word = "FAILED" if not one.works else "ok" if one.stopped else "not stopped here"
            lines.append(f"  a bot that {one.attack}: {word}")
            lines += [f"    {problem}" for problem in one.problems]
    return "\n".join(lines)
