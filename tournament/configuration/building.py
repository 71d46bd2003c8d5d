"""Building bots: what the entries of a configuration say under `build`, run when it is asked for and never else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from tournament.configuration.reading import ConfigurationSource
from tournament.entrants.entries import default_name
from tournament.games import game_names
from tournament.players.preparing import build_bots


def build(source: ConfigurationSource, *, say: Callable[[str], object], name: str | None = None) -> None:
    """Builds the bots of a configuration that play, or only the one of a name; `say` is given each command first.

    Raises `BotError` when a build fails.
    """
    games = None if source.file.games is None else {entry.game for entry in source.file.games}
    entries = [
        entry
        for entry in source.file.bots or ()
        if isinstance(entry, Mapping)
        and (games is None or _plays(entry, games))
        and (name is None or _may_be(entry, name, base=source.base))
    ]
    build_bots(entries, base=source.base, say=say)


def has_builds(source: ConfigurationSource) -> bool:
    """Returns whether an entry of a configuration is built."""
    return any(isinstance(entry, Mapping) and entry.get("build") is not None for entry in source.file.bots or ())


def _plays(entry: Mapping[str, Any], games: Iterable[str]) -> bool:
    """Returns whether an entry may play one of some games; which of them a bot plays itself is not known yet."""
    named = entry.get("games") or [key for key in entry if key in game_names()]
    return not isinstance(named, list | tuple) or not named or any(game in games for game in named)


def _may_be(entry: Mapping[str, Any], name: str, *, base: Path) -> bool:
    """Returns whether an entry may get a name; one that has none of its own is numbered where names meet."""
    if "name" in entry:
        return bool(entry["name"] == name)
    default = default_name(entry, base=base)
    return default is None or name == default or name.startswith(f"{default}_")
