"""Draws the pictures of the rules and of a block into `docs/drawings/`, as SVG.

    python docs/make_drawings.py

A test fails while they are behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

FOLDER = Path(__file__).parent / "drawings"

INK, PALE, MARK, PAPER = "#1d2733", "#66727f", "#b4410e", "#ffffff"
SUITS = {"C": ("♣", "#17603a"), "D": ("♦", "#a04a00"), "H": ("♥", "#b3202c"), "S": ("♠", "#1d2733")}
FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


class Drawing:
    """An SVG that grows: shapes are added where they lie, in pixels from the upper left corner."""

    def __init__(self, width: int, height: int, title: str) -> None:
        """`title` says in words what is to be seen."""
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="{FONT}">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        ]

    def text(self, x: float, y: float, words: str, *, size: int = 14, colour: str = INK, middle: bool = False) -> None:
        """Writes a line with its base at y."""
        anchor = ' text-anchor="middle"' if middle else ""
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}"{anchor}>{escape(words)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, *, line: str = INK, fill: str = PAPER) -> None:
        """Draws a rounded box."""
        thick = 3 if line == MARK else 1.2
        self._parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="6" fill="{fill}" stroke="{line}" '
            f'stroke-width="{thick}"/>'
        )

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """Draws a straight arrow."""
        across, down = to_x - x, to_y - y
        length = (across**2 + down**2) ** 0.5
        u, v = across / length * 8, down / length * 8
        self._parts.append(
            f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}M{to_x - u - v / 2:.1f} {to_y - v + u / 2:.1f}L{to_x:g} {to_y:g}'
            f'L{to_x - u + v / 2:.1f} {to_y - v - u / 2:.1f}" fill="none" stroke="{MARK}" stroke-width="2"/>'
        )

    def scout_card(self, x: float, y: float, card: str, *, marked: bool = False) -> None:
        """Draws a card of SCOUT, 44 x 62: the value in play large, the other half small and upside down."""
        value, other = card.split("/")
        self.box(x, y, 44, 62, line=MARK if marked else INK)
        self.text(x + 22, y + 30, value, size=24, middle=True)
        self._parts.append(
            f'<text x="{-x - 22:g}" y="{-y - 42:g}" font-size="13" fill="{PALE}" text-anchor="middle" '
            f'transform="rotate(180)">{other}</text>'
        )

    def scout_cards(self, x: float, y: float, cards: Sequence[str], *, marked: Sequence[int] = ()) -> None:
        """Draws cards of SCOUT in a row."""
        for place, card in enumerate(cards):
            self.scout_card(x + 50 * place, y, card, marked=place in marked)

    def playing_card(self, x: float, y: float, card: str) -> None:
        """Draws a playing card, 44 x 62."""
        sign, colour = SUITS[card[-1]]
        self.box(x, y, 44, 62)
        self.text(x + 22, y + 28, card[:-1], size=20, colour=colour, middle=True)
        self.text(x + 22, y + 52, sign, size=20, colour=colour, middle=True)

    def finished(self) -> str:
        """Returns the SVG."""
        return "\n".join([*self._parts, "</svg>"]) + "\n"


def draw_sets() -> str:
    """Returns what is a set in SCOUT, in the order of strength."""
    drawing = Drawing(
        640, 326, "Sets of SCOUT from weak to strong: a single 9, the run 3 4, the match 2 2, the run 6 5 4"
    )
    rows = (
        (["9/1"], "a single card"),
        (["3/8", "4/6"], "a run of two beats any single card: more cards"),
        (["2/5", "2/9"], "a match of two beats any run of two: equal cards"),
        (["6/2", "5/1", "4/9"], "a run of three, here downwards, beats all of these"),
    )
    for number, (cards, words) in enumerate(rows):
        y = 14 + 78 * number
        drawing.scout_cards(16, y, cards)
        drawing.text(190, y + 36, words)
    return drawing.finished()


def draw_play() -> str:
    """Returns a play: neighbours in the hand that beat the table, and what is captured."""
    drawing = Drawing(640, 240, "A hand of seven cards; its middle three, 4 5 6, beat the set 8 8 on the table")
    drawing.text(16, 48, "On the table")
    drawing.scout_cards(150, 14, ["8/3", "8/1"])
    drawing.text(270, 48, "two cards: captured by whoever beats them", colour=PALE)
    drawing.text(16, 192, "A hand")
    drawing.scout_cards(150, 158, ["2/9", "7/1", "4/3", "5/8", "6/9", "1/5", "9/4"], marked=(2, 3, 4))
    drawing.arrow(322, 152, 240, 84)
    drawing.text(340, 130, "three neighbours, a run: it is stronger", colour=MARK)
    return drawing.finished()


def draw_scout() -> str:
    """Returns a scout: an end of the set goes anywhere into the hand, either way up."""
    drawing = Drawing(
        640, 250, "The left card of the set 3 4 5 is taken, turned over, and put between two cards of the hand"
    )
    drawing.text(16, 48, "On the table")
    drawing.scout_cards(150, 14, ["3/7", "4/6", "5/1"], marked=(0,))
    drawing.text(320, 36, "only an end may be taken: 3 or 5", colour=PALE)
    drawing.text(320, 58, "its owner gets a token", colour=PALE)
    drawing.text(16, 202, "The hand after it")
    drawing.scout_cards(150, 168, ["7/2", "7/3", "9/1", "2/8"], marked=(1,))
    drawing.arrow(172, 82, 222, 162)
    drawing.text(240, 130, "turned over it is a 7: a match with its neighbour", colour=MARK)
    return drawing.finished()


def draw_expeditions() -> str:
    """Returns the worked example of the rule page, with the points of each expedition."""
    title = "Four expeditions and their points: 12, minus 16, 18 and minus 4"
    drawing = Drawing(700, 330, title)
    rows = (
        ("3H 6H 6H 7H 10H", "32 - 20 = 12"),
        ("AH AH 2H", "4 - 20 = -16"),
        ("JC KC AC 7C 9C 9C", "(26 - 20) x 3 = 18: two pictures"),
        ("QD 2D 2D 3D 3D 8D", "(18 - 20) x 2 = -4: one picture"),
    )
    for number, (cards, words) in enumerate(rows):
        y = 14 + 78 * number
        for place, card in enumerate(cards.split()):
            drawing.playing_card(16 + 50 * place, y, card)
        drawing.text(340, y + 36, words.replace("-", "−").replace("x", "×"))
    return drawing.finished()


def draw_turn() -> str:
    """Returns a turn of De store oppdagere: lay, then draw."""
    drawing = Drawing(
        700, 250, "A turn: a card is laid, on an expedition or a pile; then one is drawn, from the stock or a pile"
    )
    drawing.text(16, 30, "First: lay one card", colour=MARK)
    drawing.playing_card(16, 60, "7H")
    for y, words in (
        (74, "start: a new expedition"),
        (110, "build: same suit, equal or higher"),
        (146, "discard: its pile"),
    ):
        drawing.arrow(70, 92, 110, y)
        drawing.text(118, y + 5, words)
    drawing.text(390, 30, "Then: draw one card", colour=MARK)
    drawing.box(390, 60, 44, 62, fill="#dbe4ee")
    drawing.text(446, 95, "the stock, unseen")
    for place, card in enumerate(("5C", "QD", "7H")):
        drawing.playing_card(390 + 52 * place, 144, card)
    drawing.box(494, 144, 44, 62, line=MARK, fill="none")
    drawing.text(556, 170, "or the top of a pile,")
    drawing.text(556, 190, "but not the card", colour=MARK)
    drawing.text(556, 208, "just discarded", colour=MARK)
    return drawing.finished()


def draw_block() -> str:
    """Returns a block: one deal, three games, everybody in every seat."""
    drawing = Drawing(640, 270, "One deal is played three times; the bots A, B and C move on by one seat each time")
    for seat in range(3):
        drawing.text(190 + 160 * seat, 30, f"seat {seat}, hand {seat + 1}", middle=True, colour=PALE)
    for rotation, order in enumerate(("ABC", "BCA", "CAB")):
        y = 46 + 74 * rotation
        drawing.text(16, y + 34, f"rotation {rotation}")
        for seat, bot in enumerate(order):
            drawing.box(125 + 160 * seat, y, 130, 54, line=MARK if bot == "A" else INK)
            drawing.text(190 + 160 * seat, y + 36, bot, size=24, middle=True)
    return drawing.finished()


DRAWINGS: dict[str, Callable[[], str]] = {
    "scout-sets.svg": draw_sets,
    "scout-play.svg": draw_play,
    "scout-scout.svg": draw_scout,
    "explorers-turn.svg": draw_turn,
    "explorers-points.svg": draw_expeditions,
    "block.svg": draw_block,
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, draw in DRAWINGS.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
