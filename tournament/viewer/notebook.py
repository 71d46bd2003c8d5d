"""A replay that a notebook shows as the page of the game, to step through in the cell."""

from __future__ import annotations

import html
from typing import Final

from tournament.records.codec import AnyRecord
from tournament.replaying.positions import Replay
from tournament.viewer.page import format_html

HEIGHT: Final = "42rem"


class ShownReplay(Replay):
    """The positions of a record, and a place among them; a notebook shows its page, as `tournament replay --html`."""

    def _repr_html_(self) -> str:
        """Returns the page of the game in a frame of its own, which can load nothing and reach nothing around it."""
        page = html.escape(format_html(self.record), quote=True)
        title = html.escape(f"Replay of {self.record.id}", quote=True)
        return (
            f'<iframe title="{title}" sandbox="allow-scripts" srcdoc="{page}" '
            f'style="width: 100%; height: {HEIGHT}; border: 0"></iframe>'
        )


def replay(record: AnyRecord, *, to_the_break: bool = False) -> ShownReplay:
    """Returns the positions of a record, standing at the deal, to step through or to show in a notebook.

    Raises `RecordError` for a record of an unknown game, with a deal that is none, or whose moves do not follow the
    rules to the result it states. With `to_the_break` the last of these is shown as far as it goes, and `trouble` says
    what is wrong. Cost: one playing of the game.
    """
    return ShownReplay.from_record(record, to_the_break=to_the_break)
