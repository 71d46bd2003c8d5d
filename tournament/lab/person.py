"""A person at the table: what they are shown, what they may answer, and how they take a move back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from tournament.deals import world_rng
from tournament.errors import IllegalAction, TournamentError, UsageError
from tournament.games.contract import Game, State
from tournament.games.parts import Pointed, Scene
from tournament.lab.guide import Guide
from tournament.lab.labels import TableChoice, choices_of, label, parse_choice, pointed_at
from tournament.players.bot import Clock, GameEnd, GameStart
from tournament.text import printable
from tournament.viewer.frames import read_view

NOTHING_TO_TAKE_BACK: Final = (
    "There is nothing to take back: the next player has moved since, and you have seen what came of it. "
    "After the game `tournament whatif` plays on from any move another way."
)
IS_FINAL: Final = "This cannot be taken back once it is played. Enter or y plays it, u takes it back."

_WORLDS: Final = 2
"""In how many redealt worlds an action is tried, to see whether it shows anything that its seat could not know."""

_HINT: Final = ("?", "hint")
_TAKE_BACK: Final = ("u", "undo", "back")


class LeftTable(Exception):  # noqa: N818 (says what happened)
    """The person left the table: the game ends without a record."""


class Option(Struct, frozen=True, kw_only=True):
    """One answer that a person may give, as the list shows it."""

    answer: str
    """What they write to give it: a number, or the place."""

    text: str
    pointed: Pointed = Pointed()
    """The cards it moves."""


class Moment(Struct, frozen=True, kw_only=True):
    """What a person is shown on their turn: their view, and what they may answer."""

    title: str
    """The title of the game and the number of players."""

    step: int
    where: str
    """The step and the round, in words."""

    scene: Scene
    happened: tuple[str, ...]
    """Sentences on what happened since their last decision, as their seat may know it."""

    question: str
    options: tuple[Option, ...]
    default: str | None = None
    """The answer for which an empty one stands; None: an empty answer is none."""

    @property
    def view(self) -> Any:
        """The view of the person's seat."""
        return self.scene.view


class Face(Protocol):
    """What asks the person, and shows them replies."""

    def ask(self, moment: Moment) -> str:
        """Returns what the person writes. Raises `LeftTable`."""
        ...

    def tell(self, text: str) -> None:
        """Shows a reply to what they wrote: a hint, or why it is refused."""
        ...


class Person:
    """A person as a player of the referee, which gets only legal actions, so that there are no faults."""

    taken_ns = 0
    lists = False
    start_ms = 0.0

    def __init__(
        self, face: Face, game: Game, names: tuple[str, ...], guide: Guide | None, *, asks: bool = True
    ) -> None:
        """Takes what asks the person; `asks`: whether they confirm each move that cannot be taken back."""
        self._face = face
        self._game = game
        self._names = names
        self._guide = guide
        self._asks = asks
        self._seat = 0
        self._seed = ""
        self._seen: list[Any] = []
        self._happened: list[str] = ["The cards are dealt."]
        self._steps = 0
        self._actor: int | None = None
        self._state: State | None = None
        self._planned: list[Any] = []
        """Actions of the person that the referee has not asked for yet: it takes a turn one by one."""

    def watch(self, state: State, event: Any | None) -> None:
        """Notes the deal, and every event as the person's seat may know it."""
        self._state = state
        if event is None:
            return
        self._steps += 1
        self._actor = event.seat
        self._happened.append(printable(self._game.describe(event, self._seat)))

    def start(self, info: GameStart) -> None:
        """Takes the seat."""
        self._seat, self._seed = info.seat, info.seed

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        """Returns the legal action that the person chose. Raises `LeftTable` when they leave.

        A turn of several actions is first played on a copy, so that each but the last can be taken back.
        """
        if not self._planned:
            self._planned = self._play_turn()
            self._happened.clear()
        self._seen.append(view)
        return self._planned.pop(0)

    def _play_turn(self) -> list[Any]:
        """Returns the actions of the person, up to the first that cannot be taken back."""
        assert self._state is not None, "the deal has been watched"
        states = [self._state.copy()]
        plan: list[Any] = []
        happened = [tuple(self._happened)]
        while True:
            state = states[-1]
            views = [earlier.view(self._seat) for earlier in states]
            action = self._choose(views, happened[-1], state)
            if action is None:
                if plan:
                    plan.pop(), states.pop(), happened.pop()
                continue
            after = state.copy()
            event = after.apply(action)
            if self._can_go_on(action, views, after):
                plan.append(action)
                states.append(after)
                happened.append((printable(self._game.describe(event, self._seat)),))
            elif not self._asks or self._is_sure(action, views, happened[-1]):
                return [*plan, action]

    def _can_go_on(self, action: Any, views: Sequence[Any], after: State) -> bool:
        """Returns whether an action can still be taken back: the seat goes on, and has seen nothing new by it."""
        if after.to_move != self._seat:
            return False
        seen = after.view(self._seat)
        for number in range(_WORLDS):
            rng = world_rng(f"{self._seed}|take back|{self._steps}|{len(views)}|{number}")
            world = self._game.redeal([*self._seen, *views], rng)
            world.apply(action)
            if world.view(self._seat) != seen:
                return False
        return True

    # What the person is asked

    def _choose(self, views: Sequence[Any], happened: tuple[str, ...], state: State) -> Any | None:
        """Returns a legal action, or None to take back the one before; says so when there is none."""
        view = views[-1]
        choices = choices_of(view)
        options = tuple(
            Option(
                answer=str(number),
                text=choice.text,
                pointed=pointed_at(choice.actions[0], view, with_place=not choice.needs_place),
            )
            for number, choice in enumerate(choices, start=1)
        )
        question = f"Your turn: seat {self._seat} {read_view(view).due}."
        moment = self._moment(views, happened, question, options)
        while True:
            text = self._face.ask(moment)
            word = text.strip().casefold()
            try:
                if word in _HINT:
                    self._face.tell(self._hint(views))
                elif word in _TAKE_BACK:
                    if len(views) > 1:
                        return None
                    self._face.tell(NOTHING_TO_TAKE_BACK)
                else:
                    chosen = parse_choice(text, choices, view=view, action_type=self._game.Action)
                    if not isinstance(chosen, TableChoice):
                        return self._legal(chosen, view, state)
                    action = self._place(chosen, views, happened)
                    if action is not None:
                        return action
                    moment = msgspec.structs.replace(moment)  # shown anew
            except TournamentError as error:
                self._face.tell(str(error))

    def _place(self, choice: TableChoice, views: Sequence[Any], happened: tuple[str, ...]) -> Any | None:
        options = tuple(
            Option(answer=str(action.at), text=label(action, views[-1]), pointed=pointed_at(action, views[-1]))
            for action in choice.actions
        )
        moment = self._moment(views, happened, f"At which place, {choice.places}? u goes back.", options)
        while True:
            word = self._face.ask(moment).strip().casefold()
            if word in _TAKE_BACK:
                return None
            try:
                return choice.at(word)
            except UsageError as error:
                self._face.tell(str(error))

    def _is_sure(self, action: Any, views: Sequence[Any], happened: tuple[str, ...]) -> bool:
        pointed = pointed_at(action, views[-1])
        options = (
            Option(answer="y", text=f"play it: {label(action, views[-1])}", pointed=pointed),
            Option(answer="u", text="take it back", pointed=pointed),
        )
        moment = self._moment(views, happened, IS_FINAL, options, default="y")
        while True:
            word = self._face.ask(moment).strip().casefold()
            if word in ("y", "yes", ""):
                return True
            if word in (*_TAKE_BACK, "n", "no"):
                return False
            self._face.tell(f'"{word}" is not an answer here. {IS_FINAL}')

    def _legal(self, action: Any, view: Any, state: State) -> Any:
        """Returns a legal action. Raises `IllegalAction` with the rule that another one breaks."""
        if action in view.legal_actions():
            return action
        state.check(action)
        raise IllegalAction("This is not allowed now.")

    def _hint(self, views: Sequence[Any]) -> str:
        if self._guide is None:
            return "There is no example bot for this game, and so no hint."
        advice = self._guide.advise([*self._seen, *views], seed=self._seed)
        return f"{self._guide.name} would: {label(advice, views[-1])}"

    def _moment(
        self,
        views: Sequence[Any],
        happened: tuple[str, ...],
        question: str,
        options: tuple[Option, ...],
        *,
        default: str | None = None,
    ) -> Moment:
        view = views[-1]
        here = getattr(view, "round", None)
        step = self._steps + len(views) - 1
        scene = Scene(
            view=view,
            news=view.news,
            hands={self._seat: view},
            seat=self._seat,
            reading=read_view(view),
            names=self._names,
            actor=self._actor if len(views) == 1 else self._seat,
            to_move=view.to_move,
            pointed=Pointed(),
        )
        return Moment(
            title=f"{self._game.title}, {len(self._names)} players",
            step=step,
            where=f"step {step}" + ("" if here is None else f", round {here}"),
            scene=scene,
            happened=happened,
            question=question,
            options=options,
            default=default,
        )

    def end(self, result: GameEnd) -> None:
        """Does nothing: the face shows the record."""

    def dismiss(self) -> str | None:
        """Does nothing: a person has no process."""
        return None

    def request_quit(self) -> None:
        """Does nothing: a person has no process."""

    def close(self) -> None:
        """Does nothing: a person has no process."""
