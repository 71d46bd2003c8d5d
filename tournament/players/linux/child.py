"""The process of one bot: requests and answers in lines, deadlines, limits, pauses, and its end.

Every wait has an absolute deadline, and watches the bot's stdout, its stderr and the process itself at the
same time; nothing here blocks. Between its requests the process is stopped.

Stopping and waking a process takes longer than quick bots think. So at a table where all players are
processes, one that has answered stays loose, that is, it runs on, until another has been waited for a
millisecond, one is started or ended, or the game ends. A process that is found to have used the processor
meanwhile is stopped right after each answer from then on.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from time import monotonic_ns
from typing import Final

from tournament.players.base import FaultReason, PlayerFault
from tournament.players.linux import trees
from tournament.players.linux.supervision import MS, RESTLESS_NS, Hold, Tree, is_real_time
from tournament.players.output import Stderr
from tournament.players.protocol import format_answer
from tournament.records.protocol import LINE_BYTES
from tournament.records.record import FaultKind
from tournament.records.settings import Limits
from tournament.workers import signal_name

LOOK_EVERY_MS: Final = 50
"""How often memory is checked while an answer is due; who wakes up this much later than asked is late."""

LOOSE_NS: Final = 1 * MS
"""How long a request may take before all others that are loose are stopped."""

DEATH_MS: Final = 200
"""How long a process that has closed its stdout may take to exit, so that its exit code can be named."""

READ_BYTES: Final = 65_536
BEGIN: Final = b"\n"
"""What a launcher reads before it executes the bot's program."""

CODE_OF_SIGNAL: Final = 128
"""A shell, and bubblewrap, exit with this plus the number of the signal that ended their child."""

TOO_LONG: Final = f"the answer is longer than {LINE_BYTES} bytes"
NOTHING_CAME: Final = "no answer in time, and no output at all: did the bot flush its output?"
NO_NEWLINE: Final = "no answer in time: output came, but no newline"
FLOOD: Final = "more output to stderr in one game than allowed"
MEMORY: Final = "more memory than allowed"
CLOSED: Final = "closed its stdout while an answer was due"


class LaunchError(Exception):
    """The program of a bot cannot be executed; the text says why."""


class Child:
    """A process that answers lines with lines. After a fault it can only be closed."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        status: tuple[int, int],
        arguments: int | None = None,
        first: bytes = b"",
        limits: Limits,
        uid: int | None,
        sandboxed: bool,
        tree: Tree,
        loose: set[Child] | None,
    ) -> None:
        """Starts the process. `status` are both ends of the pipe that its launcher writes to; they are closed here.

        `arguments` is a descriptor that the command reads, which is closed here, too. `first` is sent ahead of the
        first request. `tree` watches and stops the process with all it starts. `loose` is the set of processes that
        have answered and are not stopped yet, shared by all that play together; None stops this one after each answer.
        """
        reading, writing = status
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd="/",
                env=dict(environment),
                start_new_session=True,
                pass_fds=(writing,) if arguments is None else (writing, arguments),
            )
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
            if arguments is not None:
                os.close(arguments)
        self.pid = self._process.pid
        self._hold = Hold(self.pid, tree)
        trees.note_bot(self.pid)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        self._stderr = Stderr(self._process.stderr.fileno(), most_bytes=limits.stderr_bytes)
        for descriptor in (self._stdin, self._stdout, self._stderr.descriptor):
            os.set_blocking(descriptor, False)
        self._status = reading
        # Elsewhere than on Linux the end of a process shows at the next look instead of at once.
        self._pidfd = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else -1
        self._poll = select.poll()
        for descriptor in (self._stdout, self._stderr.descriptor, self._pidfd):
            if descriptor >= 0:
                self._poll.register(descriptor, select.POLLIN)
        self._look_at = 0
        self.uid = uid
        self._sandboxed = sandboxed
        self._buffer = bytearray()
        self._unsent = first
        self._stderr_open = True
        self._loose = set() if loose is None else loose
        self._may_be_loose = loose is not None
        self._answered_at = 0
        self._gives_way = is_real_time()
        self.taken_ns = 0
        """How long the last request took."""

        self.is_open = True

    def launched(self, deadline_ns: int) -> None:
        """Waits until the bot's own program runs.

        Raises `LaunchError` when it cannot be executed, `RuntimeError` when its launcher failed: our error.
        """
        said, poll = bytearray(), select.poll()
        poll.register(self._status, select.POLLIN)
        try:
            if not self._sandboxed:
                self._hold.begin(sandboxed=False)  # the kernel takes its time, and the launcher works meanwhile
            while True:
                remaining = deadline_ns - monotonic_ns()
                if remaining <= 0 or not poll.poll(remaining / MS):
                    raise RuntimeError("a bot's process was not ready to begin within start_ms")
                data = os.read(self._status, READ_BYTES)
                if not data:
                    break
                said += data
                if said == b"set\n":
                    if self._sandboxed:
                        self._hold.begin(sandboxed=True)
                    with contextlib.suppress(BrokenPipeError):  # it has ended, which shows next
                        os.write(self._stdin, BEGIN)
        finally:
            os.close(self._status)
            self._status = -1
        kept, found, problem = said.partition(b"set\n")
        if not found or kept:
            self._stderr.drain()
            why = (said or self._stderr.tail()).decode(errors="backslashreplace").strip()
            raise RuntimeError(f"the limits of a bot's process cannot be set: {why or 'it ended before'}")
        if problem:
            raise LaunchError(problem.decode(errors="backslashreplace"))

    def ask(self, line: bytes, *, time_ms: float) -> bytes:
        """Returns the line that comes back, without its newline. Raises `PlayerFault`."""
        begun = monotonic_ns()
        is_loose = self in self._loose
        since = self._answered_at
        if since and self._may_be_loose and (begun - since) * self._hold.cores > RESTLESS_NS:
            self._may_be_loose = not self._hold.was_restless(begun, answered_at=since)
        self._send(line)
        if not is_loose:
            self._hold.wake()  # once, and it finds the whole request
        try:
            answer = self._receive_at_once()
            if answer is None:
                answer = self._receive(begun, int(time_ms * MS))
        finally:
            now = self._answered_at = monotonic_ns()
            self.taken_ns = now - begun
            if now >= self._hold.see_at:
                self._hold.see(now)
            if self._may_be_loose:
                self._loose.add(self)
            else:
                self.stop()
        if now >= self._look_at:
            self._look(now)
        return answer

    def tell(self, line: bytes) -> None:
        """Sends a line that has no answer; the bot can read it when it runs again."""
        self.stop()
        self._send(line)

    def stop(self) -> None:
        """Stops the bot until it is asked again."""
        self._leave_loose()
        self._hold.stop()

    def _look(self, now: int) -> None:
        """Checks all processes of the bot. Raises `PlayerFault`. Cost: 10 to 200 microseconds, now and then."""
        self._look_at = now + LOOK_EVERY_MS * MS
        self.check_memory()
        self._hold.look()
        if self._may_be_loose and self._hold.has_several:
            self._may_be_loose = False
            self.stop()

    def begin_game(self) -> None:
        """Counts stderr from 0 again."""
        self._stderr.begin_game()

    def printed(self) -> str:
        """Returns what the bot wrote to stderr since the last call."""
        if self.is_open:
            self._stderr.drain()
        return self._stderr.printed()

    def tail(self) -> str:
        """Returns the end of what the bot wrote to stderr in this game."""
        if self.is_open:
            self._stderr.drain()
        return self._stderr.tail().decode(errors="backslashreplace")

    def has_ended(self) -> bool:
        """Returns whether the process is gone."""
        return self._process.poll() is not None

    def check_memory(self) -> None:
        """Raises `PlayerFault` when the bot holds more than it may."""
        if self._hold.tree.holds_too_much():
            raise PlayerFault(FaultKind.MEMORY, MEMORY)

    def request_quit(self, line: bytes) -> None:
        """Asks the bot to exit; `close` waits for that."""
        self._leave_loose()
        self._send(line)
        self._hold.wake()

    def close(self, *, wait_ms: int = 0) -> None:
        """Ends the process and all it started; it has `wait_ms` to exit by itself."""
        if not self.is_open:
            return
        self.is_open = False
        self._leave_loose()
        deadline = monotonic_ns() + wait_ms * MS
        while (remaining := deadline - monotonic_ns()) > 0 and not self.has_ended():
            events = self._poll.poll(min(remaining / MS, LOOK_EVERY_MS))
            for descriptor, _ in events:
                read = {self._stdout: self._read_stdout, self._stderr.descriptor: self._stderr.read}.get(descriptor)
                if read is not None and not read():
                    self._poll.unregister(descriptor)
        try:
            self._kill()
        finally:
            self._stderr.drain()
            for descriptor in (self._pidfd, self._status):
                if descriptor >= 0:
                    os.close(descriptor)
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()

    def _leave_loose(self) -> bool:
        """Takes the process out of the loose ones; returns whether it was loose, so that it is running."""
        if self not in self._loose:
            return False
        self._loose.remove(self)
        return True

    def _kill(self) -> None:
        stop_all(self._loose)  # to end a tree may take long
        trees.signal_group(self.pid, signal.SIGKILL)
        self._process.kill()
        try:
            self._hold.tree.end()
            self._process.wait()
            trees.end_tree(self.pid, uid=self.uid)
        finally:
            self._hold.tree.forget()

    def _receive_at_once(self) -> bytes | None:
        """Returns the answer of a bot that has given it already, as quick ones have; otherwise None.

        They share our core, and the request let them run. No timer is set for that, because to set and to remove one
        takes longer than they think.
        """
        if self._unsent or self._buffer:
            return None
        if self._gives_way:
            os.sched_yield()
        events = self._poll.poll(0)
        if len(events) != 1 or events[0][0] != self._stdout:
            return None
        data = self._read_stdout()
        if data and data.find(b"\n") == len(data) - 1 <= LINE_BYTES:
            return data[:-1]
        self._buffer += data
        return None

    def _receive(self, begun: int, time_ns: int) -> bytes:
        deadline = begun + time_ns
        late = False
        self._leave_loose()
        buffer, poll, loose = self._buffer, self._poll, self._loose
        now = begun
        while True:
            if buffer and (answer := self._line()) is not None:
                return answer
            if loose and now - begun >= LOOSE_NS:
                stop_all(loose)
            if now >= deadline:
                raise self._timeout(late=late and self._hold.used_ns() < time_ns)
            if self._unsent:
                poll.register(self._stdin, select.POLLOUT)
            wait_ms = min((deadline - now) / MS, LOOSE_NS / MS if loose else LOOK_EVERY_MS)
            events = poll.poll(wait_ms)
            if self._unsent:
                poll.unregister(self._stdin)
                self._send(b"")
            if events:
                self._take([descriptor for descriptor, _ in events])
            elif not loose:
                self.check_memory()
                if self._pidfd < 0 and self.has_ended():
                    raise self._ending()
            asleep_since, now = now, monotonic_ns()
            if now - asleep_since > (wait_ms + LOOK_EVERY_MS) * MS:
                late = True

    def _line(self) -> bytes | None:
        """Returns the first line of the buffer, None until it is complete. Raises `PlayerFault` when it is too long."""
        end = self._buffer.find(b"\n")
        if 0 <= end <= LINE_BYTES:
            answer = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            return answer
        if len(self._buffer) > LINE_BYTES:
            raise PlayerFault(FaultKind.MALFORMED, TOO_LONG, answer=format_answer(bytes(self._buffer[:READ_BYTES])))
        return None

    def _take(self, ready: list[int]) -> None:
        """Reads what is ready. Raises `PlayerFault` when the process or its stdout has ended without a line."""
        if self._stderr.descriptor in ready and self._stderr_open and not self._stderr.read():
            self._stderr_open = False
            self._poll.unregister(self._stderr.descriptor)
        if self._stderr.is_flooded:
            raise PlayerFault(FaultKind.FLOOD, FLOOD)
        if self._stdout in ready:
            data = self._read_stdout()
            self._buffer += data
            if not data:
                self._poll.unregister(self._stdout)
                raise self._ending()
        if self._pidfd in ready:
            while len(self._buffer) <= LINE_BYTES and (data := self._read_stdout()):
                self._buffer += data  # its last words may have come after stdout was read
            if b"\n" not in self._buffer and len(self._buffer) <= LINE_BYTES:
                raise self._ending()

    def _send(self, line: bytes) -> None:
        data = self._unsent + line if self._unsent else line
        try:
            sent = os.write(self._stdin, data) if data else 0
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:  # it is gone, which shows when its answer is due
            sent = len(data)
        self._unsent = data[sent:]

    def _read_stdout(self) -> bytes:
        """Returns what one read gives: nothing at the end, and when nothing is there."""
        try:
            return os.read(self._stdout, READ_BYTES)
        except BlockingIOError:
            return b""

    def _timeout(self, *, late: bool) -> PlayerFault:
        answer = format_answer(bytes(self._buffer)) or None
        detail, reason = NOTHING_CAME, FaultReason.NO_ANSWER
        if answer:
            detail, reason = NO_NEWLINE, FaultReason.NO_NEWLINE
        return PlayerFault(FaultKind.TIMEOUT, detail, answer=answer, late=late, reason=reason)

    def _ending(self) -> PlayerFault:
        """Returns the fault of a process that has ended, or closed its stdout, while an answer was due."""
        stop_all(self._loose)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(DEATH_MS / 1000)
        if self._hold.tree.ran_out_of_memory():
            return PlayerFault(FaultKind.MEMORY, MEMORY)
        code = self._process.poll()
        answer = format_answer(bytes(self._buffer)) or None
        if code is None:
            return PlayerFault(FaultKind.CRASH, CLOSED, answer=answer)
        if self._sandboxed and code > CODE_OF_SIGNAL:
            code = CODE_OF_SIGNAL - code
        how = f"exited with code {code}" if code >= 0 else f"was ended by {signal_name(-code)}"
        return PlayerFault(FaultKind.CRASH, f"{how} while an answer was due", answer=answer, reason=FaultReason.ENDED)


def stop_all(loose: set[Child]) -> None:
    """Stops all processes that are loose, and empties the set."""
    while loose:
        loose.pop().stop()
