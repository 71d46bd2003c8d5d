"""The page of a person at the table, as one HTML document: it draws sheets and knows no rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from tournament.lab.browser.sheets import SeatHead
from tournament.languages import gettext
from tournament.records.codec import canonical_bytes
from tournament.viewer.documents import format_document, inert, items, render
from tournament.viewer.page import drawing_script, page_style

_PACKAGE: Final = "tournament.lab.browser"


def format_seat_page(head: SeatHead, *, told: Sequence[str]) -> str:
    """Returns the page of a seat; without its script it shows the sentences in `told`."""
    return format_document(
        _PACKAGE,
        "seat.html.j2",
        title=gettext("{title}: seat {seat}", title=head.title, seat=head.seat),
        script="\n".join([drawing_script(head.game), *map(_read, ("choosing.js", "listing.js", "seat.js"))]),
        style=page_style(head.game) + _read("seat.css"),
        markup={"head": inert(canonical_bytes(head).decode()), "told": items(told)},
        connects=True,
    )


def format_message_page(title: str, text: str) -> str:
    """Returns a page with a title and a sentence."""
    return render(_PACKAGE, "message.html.j2", title=title, text=text)


@cache
def _read(name: str) -> str:
    return (files(_PACKAGE) / "web" / name).read_text(encoding="utf-8")
