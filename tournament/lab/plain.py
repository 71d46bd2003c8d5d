"""A person at the table with plain lines of text: for screen readers and pipes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tournament.errors import Interrupted
from tournament.games import parts_of
from tournament.games.parts import OffersLabels
from tournament.lab.person import LeftTable, Moment
from tournament.viewer.text import draw_scene

HELP = (
    "Answer with a number, or in words as in the list, or in JSON. ? gives a hint, u takes back, l lists the choices "
    "again, q leaves."
)


class PlainFace:
    """Asks line by line. Everything is said in words, and nothing by colour or position alone."""

    def __init__(self, read: Callable[[str], str], write: Callable[[str], Any]) -> None:
        """Takes a function that prompts for a line, empty at the end of the input, and one that prints a line."""
        self._read = read
        self._write = write
        self._shown: Moment | None = None
        self._write(HELP)

    def ask(self, moment: Moment) -> str:
        """Returns what the person writes; first shows the moment if it is a new one. Raises `LeftTable`."""
        if moment is not self._shown:
            self._show(moment)
            self._shown = moment
        while True:
            text = self._line("> ")
            word = text.strip().casefold()
            if word in ("l", "list", "h", "help"):
                self._write(HELP)
                self._list(moment)
            elif word in ("q", "quit"):
                if self._line("Leave the table? The game will not be recorded. y or n: ").strip().casefold() in (
                    "y",
                    "yes",
                ):
                    raise LeftTable
            elif word:
                return text
            elif moment.default is not None:
                return moment.default

    def tell(self, text: str) -> None:
        """Prints a line."""
        self._write(text)

    def _show(self, moment: Moment) -> None:
        shown = self._shown
        if shown is None or shown.view != moment.view:
            self._write(f"\n--- {moment.where}")
            for sentence in moment.happened:
                self._write(sentence)
            self._write("\n".join(["", *(line.plain.rstrip() for line in draw_scene(moment.scene)), ""]))
            parts = parts_of(moment.view.game)
            if isinstance(parts, OffersLabels):
                self._write(parts.typing_hint)
        self._write(moment.question)
        self._list(moment)

    def _list(self, moment: Moment) -> None:
        for option in moment.options:
            self._write(f"{option.answer}  {option.text}")

    def _line(self, prompt: str) -> str:
        text = self._read(prompt)
        if not text:
            raise Interrupted("The input ended before the game did: nothing is recorded.")
        return text
