"""A person at the table on a screen of the terminal, drawn as the viewer draws.

The referee plays in a thread of its own and waits there for answers; the screen asks and shows.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread
from typing import Any, ClassVar

from msgspec import structs
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, OptionList, Static

from tournament.games.parts import Pointed
from tournament.lab.person import LeftTable, Moment
from tournament.languages import gettext, gettext_noop
from tournament.records.codec import AnyRecord
from tournament.viewer.footer import SpokenFooter
from tournament.viewer.frames import summarise
from tournament.viewer.text import draw_scene, draw_scores

PlayGame = Callable[["TableApp"], AnyRecord]
"""Plays the game with the app as the person's face; returns the record."""


class ChoiceList(OptionList, can_focus=False):
    """The list of answers. What is typed goes to the box; arrows and mouse move through the list."""


class TableApp(App[None]):
    """The table as one seat sees it, what happened, and the legal actions, to be chosen or typed.

    In the end `record` is the finished game, or `failure` is what stopped it.
    """

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "write('?')", gettext_noop("hint"), key_display="?", priority=True),
        Binding("ctrl+z", "write('u')", gettext_noop("take back"), key_display="u", priority=True),
        Binding("up", "move(-1)", gettext_noop("choose"), key_display="↑ ↓", priority=True),
        Binding("down", "move(1)", gettext_noop("choose"), show=False, priority=True),
        Binding("escape", "leave", gettext_noop("leave"), key_display=gettext_noop("Esc"), priority=True),
        Binding("ctrl+q", "leave", gettext_noop("leave"), show=False, priority=True),
        Binding("q", "leave", gettext_noop("leave"), show=False),
    ]
    CSS = """
    #title { height: 1; text-style: bold; padding: 0 1; background: $primary; color: $text;
             text-wrap: nowrap; text-overflow: ellipsis; }
    #scores { height: 1; padding: 0 1; }
    #happened { height: auto; max-height: 5; padding: 0 1; border-bottom: solid $panel; }
    #table { height: 1fr; min-height: 6; padding: 0 1; }
    #said { height: auto; max-height: 4; padding: 0 1; text-style: bold; }
    #answers { height: 8; border-top: solid $panel; }
    #question { height: 1; padding: 0 1; text-style: bold; }
    #choices { width: 1fr; height: 100%; border: none; }
    Input { width: 38; }
    """

    def __init__(self, play: PlayGame) -> None:
        super().__init__()
        self.record: AnyRecord | None = None
        self.failure: BaseException | None = None
        self._play = play
        self._answers: SimpleQueue[str | None] = SimpleQueue()
        self._moment: Moment | None = None
        self._waiting = False
        self._leaving = False
        """Whether the person has asked once to leave."""

    def compose(self) -> ComposeResult:
        """Yields the parts of the screen, from top to bottom."""
        yield Static(gettext("The bots are starting."), id="title")
        yield Static(id="scores")
        with VerticalScroll(id="happened", can_focus=False):
            yield Static(id="events")
        with VerticalScroll(id="table", can_focus=False):
            yield Static(id="cards")
        yield Static(id="said")
        yield Static(id="question")
        with Horizontal(id="answers"):
            yield ChoiceList(id="choices", markup=False)
            yield Input(placeholder=gettext("number, words or JSON; ? hint"), id="typed")
        yield SpokenFooter()

    def on_mount(self) -> None:
        """Begins the game."""
        self._game = Thread(target=copy_context().run, args=(self._run_game,), name="game", daemon=True)
        self._game.start()

    # The face, called in the thread of the game

    def ask(self, moment: Moment) -> str:
        """Returns what the person writes. Raises `LeftTable`."""
        self.call_from_thread(self._show, moment)
        text = self._answers.get()
        if text is None:
            raise LeftTable
        return text

    def tell(self, text: str) -> None:
        """Shows a reply to what the person wrote."""
        self.call_from_thread(self._put, "#said", text)

    def _run_game(self) -> None:
        try:
            self.record = self._play(self)
        except BaseException as error:
            self.failure = error
            self.call_from_thread(self.exit)
        else:
            self.call_from_thread(self._show_end, self.record)

    # The screen

    def _show(self, moment: Moment) -> None:
        self._waiting = True
        if moment is self._moment:
            return
        self._moment = moment
        self._put("#title", f"{moment.title} · {moment.where} · {moment.question}")
        self._put("#scores", draw_scores(structs.replace(moment.scene, width=self.size.width - 2)))
        self._put("#events", "\n".join(moment.happened))
        self._put("#said", "")
        self._draw_table()
        self._put("#question", moment.question)
        choices = self.query_one("#choices", ChoiceList)
        choices.clear_options()
        choices.add_options(f"{option.answer:>2}  {option.text}" for option in moment.options)
        choices.highlighted = 0
        typed = self.query_one("#typed", Input)
        typed.value = ""
        typed.focus()

    def _draw_table(self) -> None:
        moment = self._moment
        if moment is None:
            return
        here = self.query_one("#choices", ChoiceList).highlighted
        pointed = moment.options[here].pointed if here is not None and here < len(moment.options) else Pointed()
        width = max(40, self.size.width - 4)
        lines = draw_scene(structs.replace(moment.scene, width=width, pointed=pointed))
        self._put("#cards", Text("\n").join(line for line in lines if line.plain.strip()))

    def _show_end(self, record: AnyRecord) -> None:
        self._put("#title", gettext("The game is over. Press q to leave; it is recorded."))
        you = None if self._moment is None else self._moment.scene.seat
        self._put("#events", "\n".join(summarise(record, you=you)))
        self._put("#said", "")
        self._put("#question", "")
        self.query_one("#choices", ChoiceList).clear_options()
        self.query_one("#typed", Input).disabled = True

    def _put(self, selector: str, content: Any) -> None:
        self.query_one(selector, Static).update(content if isinstance(content, Text) else Text(content))

    # What keys and the mouse do

    def on_resize(self) -> None:
        """Draws the table for the new size."""
        self.call_after_refresh(self._draw_table)

    def on_option_list_option_highlighted(self) -> None:
        """Marks the cards that the choice would move."""
        self._draw_table()

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Answers with the choice that was clicked."""
        if self._moment is not None:
            self.action_write(self._moment.options[message.option_index].answer)

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Answers with what was typed, or with the choice under the bar when nothing was.

        What was typed stays in the box until it is accepted, so that it can be corrected.
        """
        text = message.value.strip()
        here = self.query_one("#choices", ChoiceList).highlighted
        if text.casefold() in ("q", "quit"):
            message.input.value = ""
            self.action_leave()
        elif text == "?":
            message.input.value = ""
            self.action_write(text)
        elif text:
            self.action_write(text)
        elif here is not None and self._moment is not None:
            self.action_write(self._moment.options[here].answer)

    def action_move(self, by: int) -> None:
        """Moves through the choices; the box keeps what was typed."""
        choices = self.query_one("#choices", ChoiceList)
        if choices.option_count:
            choices.highlighted = ((choices.highlighted or 0) + by) % choices.option_count

    def action_write(self, text: str) -> None:
        """Gives an answer to the game, if it waits for one."""
        if self._waiting:
            self._waiting = False
            self._leaving = False
            self._answers.put(text)

    def action_leave(self) -> None:
        """Leaves once the game is over; before, only when asked twice, because the game is then not recorded."""
        if self.record is not None:
            self.exit()
        elif self._leaving:
            self.failure = LeftTable()
            self._answers.put(None)
            self.exit()
        else:
            self._leaving = True
            said = gettext(
                "Leave the table? The game will not be recorded. The same key again leaves; any choice plays on."
            )
            self._put("#said", said)


def play_on_screen(play: PlayGame) -> AnyRecord:
    """Returns the record of a game played on the screen. Raises `LeftTable`, or whatever stopped the game."""
    app = TableApp(play)
    app.run()
    if app.failure is not None:
        raise app.failure
    if app.record is None:
        raise LeftTable
    return app.record
