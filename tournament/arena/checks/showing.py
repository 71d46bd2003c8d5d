"""Whether bots in a sandbox see anything of an arena beside their own program."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from tournament.arena.folder import ArenaFolder
from tournament.players.linux.sandbox import is_below
from tournament.players.programs import shown_places


def shown_problems(folder: ArenaFolder, *, private: Sequence[Path] = ()) -> tuple[str, ...]:
    """Returns a sentence for each private place that lies below what every bot in a sandbox sees; none is well.

    Private are the arena's folder, and further ones, such as a folder of backups or of the database's socket.
    """
    return tuple(_problems((folder.path, *private)))


def _problems(private: Sequence[Path]) -> Iterator[str]:
    shown = {place: os.path.realpath(place) for place in shown_places()}
    for path in private:
        above = next((place for place, real in shown.items() if is_below(os.path.realpath(path), [real])), None)
        if above is not None:
            yield (
                f"{path} lies below {above}, which every bot in a sandbox sees. Move it to another place, such as "
                "/srv/arena."
            )
