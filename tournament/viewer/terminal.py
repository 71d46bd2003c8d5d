"""The terminal viewer: walks through the frames of one game with keys or the mouse."""

from __future__ import annotations

from itertools import chain
from typing import Any, ClassVar, Final

from msgspec import structs
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static

from tournament.languages import format_decimal, gettext, gettext_noop
from tournament.replaying.positions import step_after, step_before
from tournament.viewer.footer import SpokenFooter
from tournament.viewer.frames import ALL, PUBLIC, Audience, Frame, Frames
from tournament.viewer.judgement import PERHAPS, SURE, Judgement, sign_of
from tournament.viewer.keys import COSTLY_KEYS, KEYS, SPEEDS, USUAL_SPEED, Key, keys_for, spoken_key
from tournament.viewer.text import draw_decision, draw_scene, draw_scores, draw_words, legend, scene_of
from tournament.viewer.timeline import LABEL_COLUMNS, SIGNS, Graph, Timeline

WIDE: Final = 120
"""From this many columns on the events stand beside the table instead of below it."""

TABLE_COLUMNS: Final = 82
"""How wide the table is then; the events have the rest."""

ROOMY_ROWS: Final = 32
"""With fewer rows the table is drawn without empty lines."""

GRAPH_ROWS: Final = 4
ROOMY_GRAPH_ROWS: Final = 8

_TERMINAL_NAMES: Final = {"ArrowRight": "right", "ArrowLeft": "left", " ": "space", "+": "plus"}
_IN_FOOTER: Final = frozenset(
    {"next", "back", "next_turn", "play", "view", "go", "next_mark", "next_costly", "help", "quit"}
)

_DISPLAYED: Final = {"ArrowRight": "→", "ArrowLeft": "←", " ": gettext_noop("Space")}
"""Keys that the footer shows by another name than their own."""


def terminal_key(key: str) -> str:
    """Returns the name that Textual has for a key of the key table."""
    return _TERMINAL_NAMES.get(key, key if len(key) == 1 else key.lower())


def _bindings(key: Key) -> list[BindingType]:
    if key.does in ("all", "public", "seat"):
        whose = {one: one if key.does == "seat" else key.does for one in key.keys}
        return [Binding(one, f"see('{who}')", key.words, show=False) for one, who in whose.items()]
    first, *others = map(terminal_key, key.keys)
    call, displayed = f"do('{key.does}')", _DISPLAYED.get(key.keys[0], key.keys[0])
    shown = Binding(first, call, key.label, show=key.does in _IN_FOOTER, key_display=displayed)
    return [shown, *(Binding(other, call, key.label, show=False) for other in others)]


class EventList(OptionList, can_focus=False):
    """The events, a line a step. Keys belong to the viewer as a whole: the list is for reading and for the mouse."""

    def on_resize(self, message: events.Resize) -> None:
        """Keeps the current event in sight."""
        self.call_after_refresh(self.scroll_to_highlight)


class GoTo(ModalScreen[int | None]):
    """Asks for the number of a step."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "close")]

    def __init__(self, last: int) -> None:
        super().__init__()
        self._last = last

    def compose(self) -> ComposeResult:
        """Yields the field."""
        field = Input(type="integer", placeholder=gettext("0 to {last}", last=self._last))
        field.border_title = gettext("Go to step")
        yield field

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Gives back the number; None for an empty field or a sign alone."""
        number = message.value.strip()
        self.dismiss(int(number) if number.lstrip("+-").isdigit() else None)


class Help(ModalScreen[None]):
    """Shows the key table."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter,space", "dismiss(None)", "close")]

    def __init__(self, game: str, *, judged: bool) -> None:
        super().__init__()
        self._game = game
        self._judged = judged

    def compose(self) -> ComposeResult:
        """Yields the table."""
        keys = [spoken_key(key) for key in keys_for(judged=self._judged)]
        rows = [(key.shown, key.words) for key in keys]
        rows.append((gettext("PgUp PgDn"), gettext("scroll a table that is higher than its place")))
        width = max(10, *(len(shown) for shown, _ in rows))
        lines = [f"{shown:>{width}}  {words}" for shown, words in rows]
        signs = [*legend(self._game), gettext("On the line of steps: ! fault, | end of a round.")]
        if self._judged:
            told = {"costly": SURE, "perhaps": PERHAPS}
            signs.append(gettext("{costly} costly move, {perhaps} one whose cost may be chance.", **told))
        lines += [f"  {line}" for line in signs]
        with VerticalScroll():
            yield Static(Text("\n".join(lines)))


class ReplayApp(App[None]):
    """The viewer of one game. `step` and `audience` say what is on the screen."""

    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012  (Textual declares it so)
    VERTICAL_BREAKPOINTS = [(0, "-low"), (ROOMY_ROWS, "-roomy")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        *chain.from_iterable(_bindings(key) for key in KEYS),
        Binding("down", "do('next')", "next", show=False),
        Binding("up", "do('back')", "back", show=False),
        Binding("pagedown", "scroll_table(1)", "scroll", show=False),
        Binding("pageup", "scroll_table(-1)", "scroll", show=False),
    ]
    CSS = f"""
    #title {{ height: 1; text-style: bold; padding: 0 1; background: $primary; color: $text;
              text-wrap: nowrap; text-overflow: ellipsis; }}
    #scores, Timeline {{ height: 1; padding: 0 1; }}
    Graph {{ height: {GRAPH_ROWS}; padding: 0 1; }}
    .-roomy Graph {{ height: {ROOMY_GRAPH_ROWS}; }}
    .under-graph {{ margin-left: {LABEL_COLUMNS}; }}
    Timeline {{ color: $accent; }}
    #trouble {{ height: auto; max-height: 3; padding: 0 1; color: $error; text-style: bold; }}
    #words {{ height: auto; max-height: 7; padding: 0 1; border-top: solid $panel; }}
    #body {{ height: 1fr; layout: vertical; }}
    #table {{ height: auto; max-height: 80%; padding: 0 1; }}
    #events {{ height: 1fr; min-height: 2; border: none; border-top: solid $panel; padding: 0 1;
               text-wrap: nowrap; text-overflow: ellipsis; }}
    #events > .option-list--option-highlighted {{ background: $foreground; color: $background; text-style: bold; }}
    .-wide #body {{ layout: horizontal; }}
    .-wide #table {{ width: {TABLE_COLUMNS}; height: 100%; max-height: 100%; }}
    .-wide #events {{ width: 1fr; height: 100%; border: none; border-left: solid $panel; text-wrap: wrap; }}
    GoTo, Help {{ align: center middle; }}
    GoTo Input {{ width: 30; }}
    Help VerticalScroll {{ width: 76; height: auto; max-height: 100%; background: $surface; padding: 0 1; }}
    """

    def __init__(self, frames: Frames, judgement: Judgement | None = None) -> None:
        super().__init__()
        self.step = 0
        self.audience = frames.audiences[0]
        self.speed = USUAL_SPEED
        self._frames = frames
        self._judgement = judgement
        self._costly_steps: list[int] = []
        self._frame: Frame = frames[0]
        self._timer: Timer | None = None
        self._last = len(frames) - 1
        self._mark_steps = [mark.step for mark in frames.marks]

    @property
    def playing(self) -> bool:
        """Whether the game plays on its own."""
        return self._timer is not None

    def compose(self) -> ComposeResult:
        """Yields the parts of the screen, from top to bottom."""
        yield Static(id="title")
        yield Static(id="scores")
        if self._judgement is not None:
            yield Graph(self._judgement, self._frames)
        yield Timeline(self._frames, classes="" if self._judgement is None else "under-graph")
        if self._frames.trouble is not None:
            yield Static(Text(self._frames.trouble), id="trouble")
        with Container(id="body"):
            with VerticalScroll(id="table", can_focus=False):
                yield Static(id="cards")
            yield EventList(id="events", markup=False)
        yield Static(id="words")
        yield SpokenFooter(compact=self._judgement is not None)  # one key more has to fit

    def on_mount(self) -> None:
        """Shows the deal."""
        self.title = self._frames.header.id
        self._change_audience(self.audience)
        self._draw()

    def on_resize(self, message: events.Resize) -> None:
        """Draws for the new size, once the screen has taken it."""
        self.call_after_refresh(self._draw)

    # What keys and the mouse do

    def action_do(self, name: str) -> None:
        """Does what a key of the key table does."""
        step, frames, last = self.step, self._frames, self._last
        if name == "play":
            self._start_or_stop()
        elif name in ("faster", "slower"):
            self._change_speed(1 if name == "faster" else -1)
        elif name == "view":
            known = frames.audiences
            self.see(known[(known.index(self.audience) + 1) % len(known)])
        elif name == "go":
            self._stop()
            self.push_screen(GoTo(last), self._go_asked)
        elif name == "help":
            self._stop()
            self.push_screen(Help(frames.header.game, judged=self._judgement is not None))
        elif name == "quit":
            self.exit()
        else:
            self.go_to(
                {
                    "next": step + 1,
                    "back": step - 1,
                    "next_turn": step_after(frames.turns, step, last=last),
                    "previous_turn": step_before(frames.turns, step),
                    "next_round": step_after(frames.rounds, step, last=last),
                    "previous_round": step_before(frames.rounds, step),
                    "first": 0,
                    "last": last,
                    "next_mark": step_after(self._mark_steps, step, last=step),
                    "previous_mark": step_before(self._mark_steps, step, first=step),
                    "next_costly": step_after(self._costly_steps, step, last=step),
                    "previous_costly": step_before(self._costly_steps, step, first=step),
                }[name]
            )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Returns whether a key does anything: those for costly moves only with an analysis."""
        return self._judgement is not None or action != "do" or parameters[0] not in COSTLY_KEYS

    def action_see(self, who: str) -> None:
        """Shows what an audience sees: `all`, `public`, or a seat by its number."""
        self.see({"all": ALL, "public": PUBLIC}[who] if not who.isdecimal() else Audience(seat=int(who)))

    def see(self, audience: Audience) -> None:
        """Shows what another audience sees; says so when it may not, or is not there."""
        if audience not in self._frames.audiences:
            only = self._frames.audiences
            title = self._frames.header.title
            if len(only) == 1:
                self.notify(gettext("{title}: shown is only {view}.", title=title, view=only[0].name))
            else:
                self.notify(gettext("{title}: there is no {view}.", title=title, view=audience.name))
        elif audience != self.audience:
            self._change_audience(audience)
            self._draw()

    def action_scroll_table(self, pages: int) -> None:
        """Scrolls the table, where it is higher than its place."""
        table = self.query_one("#table")
        table.scroll_relative(y=pages * table.size.height, animate=False)

    def on_option_list_option_selected(self, message: EventList.OptionSelected) -> None:
        """Goes to the step of a clicked event."""
        self.go_to(message.option_index)

    def on_click(self, message: events.Click) -> None:
        """Goes to the step of a clicked place on the line of steps, or on the graph."""
        if isinstance(message.widget, Timeline | Graph):
            self.go_to(message.widget.step_at(message.get_content_offset(message.widget).x))  # type: ignore[union-attr]

    def go_to(self, step: int) -> None:
        """Shows a step, or the nearest there is, and stops playing."""
        self._stop()
        self._show(step)

    def _go_asked(self, step: int | None) -> None:
        if step is not None:
            self.go_to(step)

    # Playing on its own

    def _start_or_stop(self) -> None:
        if self.playing:
            self._stop()
        else:
            if self.step == self._last:
                self._show(0)
            self._wait()
        self._draw_title()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _wait(self) -> None:
        # What one should not miss stays twice as long.
        weight = 2 if self.step in self._mark_steps else 1
        self._timer = self.set_timer(weight / self.speed, self._play_on)

    def _play_on(self) -> None:
        self._show(self.step + 1)
        if self.step < self._last:
            self._wait()
        else:
            self._stop()
        self._draw_title()

    def _change_speed(self, change: int) -> None:
        index = SPEEDS.index(self.speed) + change
        self.speed = SPEEDS[min(max(index, 0), len(SPEEDS) - 1)]
        if self.playing:
            self._stop()
            self._wait()
        self._draw_title()

    # Drawing

    def _show(self, step: int) -> None:
        self.step = min(max(step, 0), self._last)
        self._draw()

    def _change_audience(self, audience: Audience) -> None:
        self.audience = audience
        self._list_events()
        if self._judgement is not None:
            costly = {one.step: sign_of(one) for one in self._judgement.costly(audience)}
            self._costly_steps = list(costly)
            self.query_one(Timeline).mark_costly(costly)

    def _list_events(self) -> None:
        signs = {mark.step: SIGNS[mark.kind] for mark in reversed(self._frames.marks)}
        width = len(str(self._last))
        event_list = self.query_one(EventList)
        event_list.clear_options()
        event_list.add_options(
            f"{step:>{width}} {signs.get(step, ' ')} {words}"
            for step, words in enumerate(self._frames.words(self.audience))
        )

    def _draw(self) -> None:
        frame = self._frame if self._frame.step == self.step else self._frames[self.step]
        self._frame = frame
        header = self._frames.header
        columns = TABLE_COLUMNS if self.size.width >= WIDE else self.size.width
        scene = scene_of(frame, header, self.audience, width=columns - 2)
        lines = draw_scene(scene)
        if self.size.height < ROOMY_ROWS:
            lines = [line for line in lines if line.plain.strip()]
        self._put("#cards", lines)
        self._put("#scores", [draw_scores(structs.replace(scene, width=self.size.width - 2))])
        told = draw_words(frame, self.audience)
        judged = draw_decision(self._judgement, frame, self.audience)
        self._put("#words", [*told, Text(" ".join(frame.ending) or frame.next), *judged])
        self._draw_title()
        self.query_one(Timeline).stand_at(self.step)
        if self._judgement is not None:
            self.query_one(Graph).stand_at(self.step, self.audience)
        self.query_one(EventList).highlighted = self.step

    def _draw_title(self) -> None:
        decimals = len(f"{self.speed % 1:g}") - 2 if self.speed % 1 else 0
        speed = gettext("{speed} a second", speed=format_decimal(self.speed, decimals))
        parts: list[Any] = [
            self._frames.header.title,
            self._frame.where,
            self.audience.name,
            *([f"▶ {speed}"] if self.playing else [speed] if self.speed != USUAL_SPEED else []),
            self._frames.header.id,
        ]
        self._put("#title", [Text(" · ".join(parts))])

    def _put(self, selector: str, lines: list[Text]) -> None:
        self.query_one(selector, Static).update(Text("\n").join(lines))


def view_in_terminal(frames: Frames, judgement: Judgement | None = None) -> None:
    """Opens the viewer and returns when it is left."""
    ReplayApp(frames, judgement).run()
