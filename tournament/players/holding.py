"""Whether a bot may do anything: stopping and waking its process with all it has started, and what they used."""

from __future__ import annotations

from itertools import islice
from signal import SIGCONT, SIGSTOP
from typing import Final

from tournament.players import trees
from tournament.players.confining import Tree

MS: Final = 1_000_000
RESTLESS_NS: Final = MS // 2
"""Who has used the processor longer than this after an answer is stopped right after each from then on."""


class Hold:
    """The hold on a bot: a signal to its group while it is alone, a freezer or signals to each when it has others."""

    def __init__(self, pid: int, tree: Tree) -> None:
        """Takes the process that was started, and what finds, counts and stops all of them."""
        self.tree = tree
        self.clock = trees.cpu_clock(pid)
        """The CPU clock of the bot's process."""

        self.has_several = False
        """Whether more than one process was ever seen."""

        self._pid = self._program = pid
        self._is_tree_stopped = False
        self._others_ns = 0

    def begin(self, *, sandboxed: bool) -> None:
        """Puts the process where it is counted with all it will start; nothing of the bot runs yet."""
        if sandboxed:  # bubblewrap, its own first process, and then the bot, which leads a group
            self._program = [self._pid, *islice(trees.descendants(self._pid), 2)][-1]
            self.clock = trees.cpu_clock(self._program)
        try:
            self.tree.begin(self._pid, self._program)
        except OSError:  # it may not be moved there
            self.tree = self.tree.without_group()
            self.tree.begin(self._pid, self._program)
        self._others_ns = self.tree.cpu_ns() - trees.cpu_ns(self.clock)

    def stop(self) -> None:
        """Lets the bot do nothing until `wake`. Cost: a signal, and a microsecond or a look at its children."""
        trees.signal_group(self._program, SIGSTOP)
        if self.has_several or self.tree.has_several() or trees.has_left_its_group(self._program):
            self.tree.stop()
            self._is_tree_stopped = True

    def wake(self) -> None:
        """Undoes `stop`."""
        if self._is_tree_stopped:
            self._is_tree_stopped = False
            self.tree.wake()
        trees.signal_group(self._program, SIGCONT)

    def look(self) -> None:
        """Notices whether the bot has several processes, or had, by the time that they used."""
        others_ns = self.tree.cpu_ns() - trees.cpu_ns(self.clock)
        if not self.has_several and (self.tree.has_several() or others_ns - self._others_ns > RESTLESS_NS):
            self.has_several = True
            self.tree.has_become_several()
        self._others_ns = others_ns

    def used_ns(self, cpu_before: int) -> int:
        """Returns the time that the bot has had since its clock showed this, and all others since the last look."""
        cpu = trees.cpu_ns(self.clock)
        return cpu - cpu_before + max(0, self.tree.cpu_ns() - cpu - self._others_ns)
