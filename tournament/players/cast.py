"""The players of one worker, arranged so that no process of a bot meets a deal twice.

A process that is kept could remember a deal, in a module global or in a file, and so know the other
hands when the deal is played again with the seats turned. So each bot has a process of its own for each
rotation of a block. Before a block is played again, all processes of its table are replaced.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tournament.entrants.model import BotSource, Entrant
from tournament.players.base import Interrupts, Player, clock_of
from tournament.players.bot import Clock
from tournament.players.inline import InlinePlayer, load_bot_class
from tournament.players.output import Output, Write
from tournament.players.preparation import has_sandbox, isolation_of
from tournament.records.results import TroubleKind, TroubleLine
from tournament.records.settings import Hosting, Isolation, with_entry
from tournament.store.logs import Printed

if TYPE_CHECKING:
    from tournament.players.linux.spawner import Spawner
    from tournament.players.process import Trace

KEPT_PROCESSES: Final = 48
"""How many processes one worker keeps; beyond that the least recently used one is ended."""

TRACED_BYTES: Final = 8_388_608
"""How much of what one entrant sends and receives in one game is kept in its trace."""

CUT: Final = "cut"
"""The direction of a trace line that stands for all further lines of the game, which are left out."""

Key = tuple[str, int, int]
"""An entrant, which of its bots, and the rotation; bots in this process have one for all rotations."""


class Happened(NamedTuple):
    """What happened in a block beside its games."""

    logs: tuple[Printed, ...]
    traces: tuple[tuple[str, dict[str, Any]], ...]
    after_end: tuple[TroubleLine, ...]


class Cast:
    """The players of one worker."""

    def __init__(
        self,
        entrants: Sequence[Entrant],
        hosting: Hosting,
        *,
        hidden: Sequence[str] = (),
        interrupts: Interrupts | None = None,
        kept: int = KEPT_PROCESSES,
        only_bots: bool = False,
    ) -> None:
        """Loads the bots that play in this process. Raises `BotError`.

        `only_bots` says that nobody else, such as a person, plays at the same tables.
        """
        self.output = Output()
        self._hosting = hosting
        self._hidden = hidden
        self._interrupts = interrupts
        self._kept = kept
        self._only_bots = only_bots
        self._entrants = {entrant.name: entrant for entrant in entrants}
        self._classes = {
            (entrant.name, number): load_bot_class(source)
            for entrant in entrants
            for number, source in enumerate(entrant.bots)
            if isolation_of(source, hosting) is Isolation.NONE
        }
        self._players: OrderedDict[Key, Player] = OrderedDict()
        self._spawner: Spawner | None = None
        self._record_id = ""
        self._logs: list[Printed] = []
        self._traces: list[tuple[str, dict[str, Any]]] = []
        self._traced: Counter[str] = Counter()
        self._after_end: list[TroubleLine] = []

    def player(self, name: str, game: str, rotation: int) -> Player:
        """Returns the player of an entrant in one rotation of a block; nobody meets themselves."""
        entrant = self._entrants[name]
        source = entrant.bot_for(game)
        number = entrant.bots.index(source)
        inline = (name, number) in self._classes
        key = (name, number, 0 if inline else rotation)
        player = self._players.get(key)
        if player is None:
            player = self._players[key] = self._inline(key, source) if inline else self._process(name, source)
        self._players.move_to_end(key)
        return player

    def clock(self, name: str, game: str) -> Clock:
        """Returns the time that an entrant has at the start of a game."""
        return clock_of(with_entry(self._hosting.clock, self._entrants[name].bot_for(game).clock))

    def begin_block(self) -> None:
        """Forgets what happened in earlier blocks, and ends the processes beyond the number that is kept."""
        for happened in (self._logs, self._traces, self._after_end):
            happened.clear()
        while len(self._players) > self._kept:
            self._players.popitem(last=False)[1].close()

    def begin_game(self, record_id: str) -> None:
        """Notes which game is being played."""
        self._record_id = record_id
        self._traced.clear()

    def end_block(self) -> Happened:
        """Returns what happened since the block began."""
        return Happened(tuple(self._logs), tuple(self._traces), tuple(self._after_end))

    def replace(self, names: Iterable[str], game: str) -> None:
        """Ends the processes of a table, so that none of them meets its deal again."""
        for name in names:
            number = self._entrants[name].bots.index(self._entrants[name].bot_for(game))
            for key, player in self._players.items():
                if key[:2] == (name, number):
                    player.dismiss()

    def close(self) -> None:
        """Closes all players. All are asked to quit first, so that slow ones exit at the same time."""
        players = list(self._players.values())
        self._players.clear()
        for player in players:
            player.request_quit()
        for player in players:
            player.close()
        if self._spawner is not None:
            self._spawner.close()
            self._spawner = None

    def _inline(self, key: Key, source: BotSource) -> Player:
        return InlinePlayer(
            self._classes[key[:2]],
            source,
            interrupts=self._interrupts,
            output=self.output,
            write=partial(self._note_print, key[0]),
            on_end_error=partial(self._note_after_end, key[0]),
        )

    def _process(self, name: str, source: BotSource) -> Player:
        from tournament.players.linux.spawner import Spawner  # what they import does not exist on Windows
        from tournament.players.process import ProcessPlayer

        if self._spawner is None:
            only_processes = self._only_bots and not self._classes
            self._spawner = Spawner(
                hidden=self._hidden,
                stop_at_once=not only_processes,
                same_addresses=not has_sandbox(self._entrants.values(), self._hosting),
            )
        write: Write = partial(self._note_print, name)
        trace: Trace | None = partial(self._note_line, name) if name in self._hosting.trace else None
        return ProcessPlayer(
            source,
            self._spawner,
            isolation=isolation_of(source, self._hosting),
            clock=with_entry(self._hosting.clock, source.clock),
            limits=with_entry(self._hosting.limits, source.limits),
            write=write,
            trace=trace,
        )

    def _note_print(self, name: str, text: str) -> None:
        self._logs.append(Printed(name, text, self._record_id))

    def _note_line(self, name: str, direction: str, line: bytes, at_ns: int) -> None:
        before = self._traced[name]
        self._traced[name] += len(line)
        if before > TRACED_BYTES:
            return
        if self._traced[name] > TRACED_BYTES:
            direction, line = CUT, b""
        text = line.decode("utf-8", "backslashreplace")
        values = {"id": self._record_id, "at_ms": round(at_ns / 1e6, 3), "direction": direction, "line": text}
        self._traces.append((name, values))

    def _note_after_end(self, name: str, traceback: str) -> None:
        self._after_end.append(
            TroubleLine(id=self._record_id, bot=name, kind=TroubleKind.AFTER_END, traceback=traceback)
        )
