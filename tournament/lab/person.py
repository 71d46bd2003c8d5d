"""A person at the table: what they are shown, what they may answer, and how they take a move back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from tournament.errors import IllegalAction, TournamentError, UsageError
from tournament.games.contract import Game, State
from tournament.games.parts import Pointed, Scene
from tournament.lab.addressing import ask_person, names_for, tell_person
from tournament.lab.guide import Guide
from tournament.lab.labels import TableChoice, choices_of, parse_choice, pointed_at
from tournament.lab.players import PersonPlayer
from tournament.lab.watching import shows_nothing_new
from tournament.languages import gettext, gettext_noop
from tournament.players.bot import Clock, GameStart
from tournament.viewer.actions import label
from tournament.viewer.frames import read_view, tell_step, title_of

NOTHING_TO_TAKE_BACK: Final = gettext_noop(
    "There is nothing to take back: the next player has moved since, and you have seen what came of it. "
    "After the game `tournament whatif` plays on from any move another way."
)
IS_FINAL: Final = gettext_noop("This cannot be taken back once it is played. Enter or y plays it, u takes it back.")

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


class Person(PersonPlayer):
    """A person as a player of the referee. It is given only legal actions of theirs, so a person has no faults."""

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
        self._happened: list[str] = [gettext("The cards are dealt.")]
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
        self._happened.append(self._tell(event))

    def _tell(self, event: Any) -> str:
        return tell_person(event, self._game, seat=self._seat, names=self._names)

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
                happened.append((self._tell(event),))
            elif not self._asks or self._is_sure(action, views, happened[-1]):
                return [*plan, action]

    def _can_go_on(self, action: Any, views: Sequence[Any], after: State) -> bool:
        """Returns whether an action can still be taken back: the seat goes on, and has seen nothing new by it."""
        if after.to_move != self._seat:
            return False
        seed = f"{self._seed}|take back|{self._steps}|{len(views)}"
        return shows_nothing_new(self._game, [*self._seen, *views], action, after.view(self._seat), seed=seed)

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
        question = ask_person(view, name=self._names[self._seat])
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
                    self._face.tell(gettext(NOTHING_TO_TAKE_BACK))
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
        question = gettext("At which place, {places}? u goes back.", places=choice.places)
        moment = self._moment(views, happened, question, options)
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
            Option(answer="y", text=gettext("play it: {action}", action=label(action, views[-1])), pointed=pointed),
            Option(answer="u", text=gettext("take it back"), pointed=pointed),
        )
        question = gettext(IS_FINAL)
        moment = self._moment(views, happened, question, options, default="y")
        while True:
            word = self._face.ask(moment).strip().casefold()
            if word in ("y", "yes", ""):
                return True
            if word in (*_TAKE_BACK, "n", "no"):
                return False
            refused = gettext('"{word}" is not an answer here.', word=word)
            self._face.tell(f"{refused} {question}")

    def _legal(self, action: Any, view: Any, state: State) -> Any:
        """Returns a legal action. Raises `IllegalAction` with the rule that another one breaks."""
        if action in view.legal_actions():
            return action
        state.check(action)
        raise IllegalAction("This is not allowed now.")

    def _hint(self, views: Sequence[Any]) -> str:
        if self._guide is None:
            return gettext("There is no example bot for this game, and so no hint.")
        advice = self._guide.advise([*self._seen, *views], seed=self._seed)
        return gettext("{bot} would: {action}", bot=self._guide.name, action=label(advice, views[-1]))

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
        step = self._steps + len(views) - 1
        scene = Scene(
            view=view,
            news=view.news,
            hands={self._seat: view},
            seat=self._seat,
            reading=read_view(view),
            names=names_for(self._seat, self._names),
            actor=self._actor if len(views) == 1 else self._seat,
            to_move=view.to_move,
            pointed=Pointed(),
        )
        return Moment(
            title=title_of(self._game, len(self._names)),
            step=step,
            where=tell_step(view, step),
            scene=scene,
            happened=happened,
            question=question,
            options=options,
            default=default,
        )
