"""Which games have a page that replays them, and why the others have none."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec

from tournament.languages import gettext, with_percent_sign
from tournament.records.figures import format_short
from tournament.records.settings import KEEP_ALL, KEEP_NONE, is_kept, sampled_percent


class GameLink(NamedTuple):
    """Where a game is replayed; without an address, why it is not."""

    address: str | None
    why: str = ""
    """In a few words; empty where there is an address."""


class Replays(msgspec.Struct, frozen=True, kw_only=True):
    """Where the games of a run are replayed."""

    keep: str
    """Which records the run keeps."""

    available: Collection[str] | None
    """The ids of the games with a page; None: a server makes a page of any game that was kept."""

    chosen: Collection[str] = ()
    """The ids of the games that ought to have a page."""

    is_whole: bool = False
    """Whether every game that was kept has a page."""

    hidden: bool = False
    """Whether cards are hidden, because the run is not complete."""

    def link(self, record_id: str, *, has_faults: bool) -> GameLink:
        """Returns where a game is replayed, seen from the folder of the first page."""
        if self.hidden:
            return GameLink(None, gettext("hidden for now"))
        if not is_kept(self.keep, record_id=record_id, has_faults=has_faults):
            return GameLink(None, gettext("not kept"))
        if self.available is None or record_id in self.available:
            return GameLink(f"games/{record_id}.html")
        return GameLink(None, gettext("cannot be read here") if record_id in self.chosen else gettext("no page here"))

    def sentences(self) -> list[str]:
        """Returns why games cannot be replayed, as sentences; none where every game was kept."""
        if self.hidden:
            return [
                gettext("No game is shown before the run is complete: whoever serves it hides the cards until then.")
            ]
        found = []
        if self.keep == KEEP_NONE:
            found.append(gettext("No game can be replayed, because the run keeps no records (keep: none)."))
        elif self.keep == "faults":
            found.append(gettext("The run keeps only games with faults (keep: faults); the others cannot be replayed."))
        elif self.keep != KEEP_ALL:
            share = with_percent_sign(format_short(sampled_percent(self.keep) or 0.0, most_digits=4))
            found.append(
                gettext(
                    "The run keeps {share} of its games ({keep}), chosen by chance; the rest is not kept.",
                    share=share,
                    keep=self.keep,
                )
            )
        return found

    @property
    def pages(self) -> int | None:
        """How many games have a page, where some that were kept have none; None elsewhere."""
        is_partial = self.available is not None and self.keep != KEEP_NONE and not self.is_whole
        return len(self.available) if is_partial and self.available is not None else None
