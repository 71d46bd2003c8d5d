"""Whether the machine was quiet while something was measured: what others used of its cores, and what was stolen."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path
from typing import Final

import msgspec

LOOK_SECONDS: Final = 1.0
"""How long is looked before and after."""

QUIET_CORES: Final = 0.1
"""A machine is quiet while others use less than so much of one core, and less of it is stolen."""

BUSY_CORES: Final = 0.05
"""A process is named that uses at least so much of one core."""


class Noise(msgspec.Struct, frozen=True, kw_only=True):
    """What was going on beside the measurement."""

    when: str
    seconds: float
    load_average: float
    """Over the last minute, the measurement itself included."""

    others_cores: float
    """Cores that other processes used on average."""

    stolen_cores: float
    """Cores that the host of a virtual machine gave to others on average."""

    busy: tuple[str, ...] = ()
    """The processes that used most, where they were looked for."""

    @property
    def is_quiet(self) -> bool:
        """Whether what was measured meanwhile can be trusted."""
        return self.others_cores < QUIET_CORES and self.stolen_cores < QUIET_CORES

    def text(self) -> str:
        """Returns a line that tells it."""
        state = "quiet" if self.is_quiet else "NOT QUIET"
        busy = f": {', '.join(self.busy)}" if self.busy else ""
        return (
            f"{self.when}: {state}, load average {self.load_average:.2f}, others used {self.others_cores:.2f} cores"
            f"{busy}, {self.stolen_cores:.2f} cores stolen"
        )


class Ear:
    """Listens from its making on. It cannot tell anything where there is no /proc."""

    def __init__(self) -> None:
        """Begins to listen."""
        self._begun = time.perf_counter()
        self._ticks = _ticks()
        self._own = _own_seconds()
        self._processes = _seconds_by_process()

    def noise(self, when: str, *, name_busy: bool = False) -> Noise | None:
        """Returns what was going on since it began; None where that cannot be told."""
        ticks = _ticks()
        if self._ticks is None or ticks is None:
            return None
        seconds = time.perf_counter() - self._begun
        busy, stolen = ((now - then) / os.sysconf("SC_CLK_TCK") for now, then in zip(ticks, self._ticks, strict=True))
        return Noise(
            when=when,
            seconds=seconds,
            load_average=os.getloadavg()[0],
            others_cores=max(busy - (_own_seconds() - self._own), 0.0) / seconds,
            stolen_cores=stolen / seconds,
            busy=self._busy(seconds) if name_busy else (),
        )

    def _busy(self, seconds: float) -> tuple[str, ...]:
        used = {
            process: (now - self._processes.get(process, now)) / seconds
            for process, now in _seconds_by_process().items()
            if process[0] != os.getpid()
        }
        most = sorted(used.items(), key=lambda one: -one[1])[:3]
        return tuple(f"{name} ({pid}) {cores:.2f}" for (pid, name), cores in most if cores >= BUSY_CORES)


def look(when: str) -> Noise | None:
    """Returns what goes on while this process only waits."""
    ear = Ear()
    time.sleep(LOOK_SECONDS)
    return ear.noise(when, name_busy=True)


def _ticks() -> tuple[int, int] | None:
    """Returns the ticks that all cores worked, and those that were stolen."""
    try:
        words = Path("/proc/stat").read_text().splitlines()[0].split()
    except OSError:
        return None
    user, nice, system, _, _, interrupts, soft, stolen = map(int, words[1:9])
    return user + nice + system + interrupts + soft, stolen


def _own_seconds() -> float:
    """Returns the processor time of this process and of those that it has ended."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


def _seconds_by_process() -> dict[tuple[int, str], float]:
    """Returns the processor time of every process that can be seen."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            before, _, after = (folder / "stat").read_text(errors="replace").rpartition(")")
        except OSError:
            continue  # it has ended
        fields = after.split()
        found[int(folder.name), before.partition("(")[2]] = sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    return found
