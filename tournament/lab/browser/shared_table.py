"""One game of people and bots: the referee plays it, and people act from other threads.

When somebody takes a move back, the game ends where it is and is played again from its start. Everybody answers as
before, up to the move that was taken back.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from threading import Condition, Lock
from typing import Any, Final, NamedTuple

from msgspec import structs

from tournament.errors import UsageError
from tournament.games.contract import State
from tournament.lab.browser.attendance import Attendance, Presence
from tournament.lab.browser.retold import Answered, RetoldPlayer
from tournament.lab.browser.sheets import Moving, SeatHead, TableMoment, Teller, Told, action_at, pack_sheet
from tournament.lab.guide import Guide
from tournament.lab.person import LeftTable
from tournament.lab.players import PersonPlayer
from tournament.lab.table import sealed_record
from tournament.lab.watching import shows_nothing_new, watched
from tournament.languages import gettext
from tournament.players.base import Player
from tournament.players.bot import Clock, GameStart
from tournament.records.codec import AnyRecord
from tournament.records.record import SeatInfo
from tournament.referee import Sitting, play_game
from tournament.text import printable
from tournament.viewer.actions import label

KEPT_SHEETS: Final = 40
"""How many sheets a seat keeps for pages that lost their connection."""

OpenBots = Callable[[], AbstractContextManager[Mapping[int, Player]]]
"""Starts the bots of a table, by seat, and ends them."""


class Hint(NamedTuple):
    """What the guide would do."""

    choice: int
    words: str


class _TakenBack(Exception):  # noqa: N818 (says what happened)
    """Somebody took a move back: the game is played again up to it."""


class SharedTable:
    """A game with people at some seats, each of whom is shown sheets, and acts."""

    def __init__(self, sitting: Sitting, people: Sequence[int], open_bots: OpenBots, *, guide: Guide | None) -> None:
        """Takes what the game starts from, the seats of people, how the bots of the others are started, and a guide."""
        self._sitting = sitting
        self._open_bots = open_bots
        self._guide = guide
        self.people = tuple(people)
        """The seats of people."""

        self._teller = Teller(game=sitting.game, bots=tuple(printable(one.bot) for one in sitting.seats))
        self._changed = Condition()
        """Guards everything below, and tells of every change."""

        self.attendance = Attendance(people, self._changed)
        self._hints = Lock()
        self._answers: dict[int, list[Answered]] = {seat: [] for seat in range(len(sitting.seats))}
        self._again = 0
        """How many steps are played again before anything new happens."""

        self._back_to: int | None = None
        """The step to which somebody takes back; None while nobody does."""

        self._taken_back: Counter[int] = Counter()
        self._took_back: int | None = None
        """The seat whose move back the next sheets tell of."""

        self._posted: tuple[int, Any] | None = None
        self._closed = False
        self._number = 0
        self._settled = 0
        """The sheets up to this number take no choice any more: one was made, or a move was taken back."""

        self._sheets: dict[int, deque[TableMoment]] = {seat: deque(maxlen=KEPT_SHEETS) for seat in people}
        self._latest: dict[int, TableMoment] = {}
        self.record: AnyRecord | None = None
        """The game, once it is over."""

        self._clear()

    def _clear(self) -> None:
        self._actors: list[int] = []
        """Who acted at each step so far."""

        self._forfeits: set[int] = set()
        self._told = [Told(None)]
        self._views: dict[int, list[tuple[int, Any]]] = {seat: [] for seat in self.people}
        """By person, the views of their decisions with their steps."""

        self._view_now: dict[int, Any] = {}
        self._shown_new = False
        """Whether the last action showed its seat something that it did not know."""

    # In the thread of the game

    def play(self) -> AnyRecord:
        """Plays the game to its end and returns its sealed record. Raises `LeftTable` after `close`."""
        while True:
            try:
                with self._open_bots() as bots:
                    players = [self._player(seat, bots) for seat in range(len(self._sitting.seats))]
                    played = play_game(self._sitting_now(), players)
            except _TakenBack:
                self._go_back()
            else:
                record = sealed_record(played)
                self._end(record)
                return record

    def _player(self, seat: int, bots: Mapping[int, Player]) -> Player:
        if seat in self.people:
            return _PersonByBrowser(self, seat)
        return RetoldPlayer(bots[seat], self._answers[seat], step=self._step, failed=self._failing(seat))

    def _sitting_now(self) -> Sitting:
        sitting = self._sitting
        seats = tuple(self._seat_info(seat, info) for seat, info in enumerate(sitting.seats))
        return structs.replace(sitting, game=watched(sitting.game, self._watch), seats=seats)

    def _seat_info(self, seat: int, info: SeatInfo) -> SeatInfo:
        """Returns how the record names who sits there: of a person also how many moves they took back."""
        taken_back = self._taken_back[seat]
        return structs.replace(info, version=f"{info.version}, took back {taken_back}") if taken_back else info

    def _step(self) -> int:
        return len(self._actors)

    def _failing(self, seat: int) -> Callable[[], object]:
        return lambda: self._note_forfeit(seat)

    def _note_forfeit(self, seat: int) -> None:
        with self._changed:
            if seat not in self._forfeits:
                self._forfeits.add(seat)
                last = self._told[-1]
                self._told[-1] = last._replace(forfeits=(*last.forfeits, seat))

    def _watch(self, state: State, event: Any | None) -> None:
        """Notes an event, and shows it to every person as their seat may know it."""
        with self._changed:
            self._go_on()
            for seat in self.people:
                self._view_now[seat] = state.view(seat)
            if event is not None:
                self._told.append(Told(event, stand_in=event.seat in self._forfeits))
                self._actors.append(event.seat)
                self._shown_new = self._has_shown(event)
            if self._step() >= self._again:
                for seat in self.people:
                    self._show(seat, self._moment(seat, () if event is None else state.news(event, seat)))
                self._took_back = None

    def _go_on(self) -> None:
        if self._closed:
            raise LeftTable
        if self._back_to is not None:
            raise _TakenBack

    def _has_shown(self, event: Any) -> bool:
        """Returns whether an action showed its person something new; asked only where others play, too."""
        if len(self.people) == 1 or event.seat not in self.people or self._step() < self._again:
            return False
        seen = [view for _, view in self._views[event.seat]]
        after, seed = self._view_now[event.seat], f"{self._sitting.seed}|take back|{self._step()}"
        return not shows_nothing_new(self._sitting.game, seen, event.action, after, seed=seed)

    def _moving(self) -> Moving:
        actor = self._actors[-1] if self._actors else None
        return Moving(
            step=self._step(),
            actor=actor,
            stand_in=actor in self._forfeits,
            forfeits=tuple(sorted(self._forfeits)),
        )

    def _moment(self, seat: int, news: Sequence[Any]) -> TableMoment:
        """Returns what a seat is shown now, with the next number."""
        self._number += 1
        return TableMoment(
            number=self._number,
            view=self._view_now[seat],
            news=tuple(news),
            moving=self._moving(),
            told=tuple(self._told),
            take_back=self._step_before(seat),
            took_back=self._took_back,
        )

    def _show(self, seat: int, moment: TableMoment) -> None:
        self._latest[seat] = moment
        self._sheets[seat].append(moment)
        self._changed.notify_all()

    def choose(self, seat: int, view: Any) -> Any:
        """Waits for the action of a person and returns it; an action from before is returned at once."""
        with self._changed:
            answers, given = self._answers[seat], len(self._views[seat])
            self._views[seat].append((self._step(), view))
            if given < len(answers):
                return answers[given].answer
            while True:
                self._go_on()
                if self._posted is not None and self._posted[0] == seat:
                    action, self._posted = self._posted[1], None
                    self._settled = self._number
                    answers.append(Answered(self._step(), action))
                    return action
                self._changed.wait()

    def _go_back(self) -> None:
        """Forgets everything from the step on to which somebody takes back."""
        with self._changed:
            step, self._back_to, self._posted = self._back_to, None, None
            self._settled = self._number
            assert step is not None, "somebody took back"
            actor = self._actors[step]
            self._taken_back[actor] += 1
            self._took_back = actor
            for answers in self._answers.values():
                answers[:] = [one for one in answers if one.step < step]
            self._again = step
            self._clear()

    def _end(self, record: AnyRecord) -> None:
        with self._changed:
            self.record = record
            for seat, moment in self._latest.items():
                self._number += 1
                self._show(seat, structs.replace(moment, number=self._number, record=record))

    # From other threads

    def act(self, seat: int, *, number: int, choice: int) -> None:
        """Takes the choice of a person on a sheet. Raises `UsageError` when it is no longer theirs to choose there."""
        with self._changed:
            if not self._is_open(seat, number) or self._is_busy():
                raise UsageError(gettext("The table has moved on since: look at it again, then choose."))
            self._posted = seat, action_at(self._view_now[seat], choice)
            self._changed.notify_all()

    def take_back(self, seat: int, *, step: int) -> None:
        """Takes back the last move of a person, made at a step. Raises `UsageError` when it cannot be taken back."""
        with self._changed:
            if self._step_before(seat) != step or self._is_busy():
                raise UsageError(gettext("This move cannot be taken back any more."))
            self._back_to = step
            self._changed.notify_all()

    def _is_open(self, seat: int, number: int) -> bool:
        """Returns whether a person may still choose on a sheet."""
        latest = self._latest.get(seat)
        return latest is not None and latest.is_open and self._settled < number == latest.number

    def _is_busy(self) -> bool:
        return self._posted is not None or self._back_to is not None or self._closed or self.record is not None

    def _step_before(self, seat: int) -> int | None:
        """Returns the step at which the last move of a person was made; None when it cannot be taken back.

        Alone against bots one takes back whatever one likes. With others at the table only as long as nobody has
        acted since, and if the move showed its player nothing new.
        """
        own = [step for step, actor in enumerate(self._actors) if actor == seat]
        if not own or self.record is not None:
            return None
        if len(self.people) > 1 and (own[-1] != self._step() - 1 or self._shown_new):
            return None
        return own[-1]

    def hint(self, seat: int, *, number: int) -> Hint:
        """Returns what the guide would do in place of a person who is to move.

        Raises `UsageError` when they are not, or there is no guide, `BotError` when the guide fails. Cost: the guide
        decides anew at each of the person's decisions.
        """
        with self._changed:
            if not self._is_open(seat, number):
                raise UsageError(gettext("A hint is for your own move: wait until it is your turn."))
            view = self._view_now[seat]
            seen = [*(one for step, one in self._views[seat] if step < self._step()), view]
        if self._guide is None:
            raise UsageError(gettext("There is no example bot for this game, and so no hint."))
        with self._hints:
            advice = self._guide.advise(seen, seed=self._sitting.seed)
        return Hint(choice=list(view.legal_actions()).index(advice), words=label(advice, view))

    def wait_for_sheets(
        self, seat: int, *, after: int | None, seconds: float, people: Mapping[int, Presence] | None = None
    ) -> list[tuple[int, bytes]]:
        """Returns the packed sheets of a seat after the one with that number, oldest first, in the present language.

        `after` None: the latest alone. Waits until there is one, or returns nothing after that many seconds, when the
        table is closed, and when other people are there than `people`.
        """
        sheets = self._sheets[seat]

        def is_new() -> bool:
            if self._closed or (people is not None and people != self.attendance.now()):
                return True
            return bool(sheets) and (after is None or sheets[-1].number > after)

        with self._changed:
            self._changed.wait_for(is_new, timeout=seconds)
            found = list(sheets)[-1:] if after is None else [one for one in sheets if one.number > after]
        return [(one.number, pack_sheet(self._teller.sheet_of(one))) for one in found]

    def told(self, seat: int) -> tuple[str, ...]:
        """Returns the sentences that a person has been told, oldest first, and how the game ended."""
        with self._changed:
            latest = self._latest.get(seat)
        if latest is None:
            return ()
        sheet = self._teller.sheet_of(latest)
        return (*sheet.told, *sheet.frame["ending"])

    def head(self, seat: int) -> SeatHead:
        """Returns what holds for the seat of a person as long as the game lasts, in the present language."""
        infos = self._sitting.seats
        return self._teller.head_of(
            seat,
            versions=["" if place in self.people else printable(one.version) for place, one in enumerate(infos)],
            people=self.people,
            hints=None if self._guide is None else self._guide.name,
        )

    @property
    def is_closed(self) -> bool:
        """Whether the table is closed."""
        return self._closed

    def wait_until_closed(self) -> None:
        """Waits until another thread closes the table, or Ctrl-C comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed)

    def close(self) -> None:
        """Ends the game where it is."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class _PersonByBrowser(PersonPlayer):
    """A person as a player of the referee. It is given only legal actions of theirs."""

    def __init__(self, table: SharedTable, seat: int) -> None:
        self._table = table
        self._seat = seat

    def start(self, info: GameStart) -> None:
        pass

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        return self._table.choose(self._seat, view)
