"""The check of a version in a process of the referee."""

from __future__ import annotations

import signal
from pathlib import Path
from types import FrameType

from tournament.arena.checks.checking import CheckResult, CheckTask, check_version
from tournament.arena.files import VERSION_FILE, VersionFile, read_json, version_name
from tournament.arena.folder import CompetitionFolder
from tournament.arena.rules import read_rules


def run_check(folder: Path, bot: str, number: int) -> CheckResult:
    """Returns how the check of a version of the competition in a folder ended; SIGTERM stops it.

    It is the work of a process of its own: what it takes can be sent to one. Raises `ConfigurationError`, `RunError`.
    """
    competition = CompetitionFolder(folder)
    version = competition.version(bot, number)
    file = read_json(version.path / VERSION_FILE, VersionFile)
    stopped: list[int] = []

    def stop(signal_number: int, frame: FrameType | None) -> None:
        stopped.append(signal_number)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    task = CheckTask(
        folder=str(version.path),
        name=version_name(bot, number),
        file_name=file.file_name,
        competition=read_rules(competition),
    )
    return check_version(task, is_stopping=lambda: bool(stopped))
