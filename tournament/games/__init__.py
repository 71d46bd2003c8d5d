"""The games: a name gives the rules.

Built-ins, and whatever is installed in the entry-point group `tournament.games`.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from tournament.errors import GameError, did_you_mean
from tournament.games.contract import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tournament.games"

BUILT_IN = {
    "scout": ("tournament.games.scout.rules", "ScoutGame"),
    "explorers": ("tournament.games.explorers.rules", "ExplorersGame"),
}
"""Where the rules of the games of this package are: module and class."""


def _installed() -> dict[str, EntryPoint]:
    return _installed_on(tuple(sys.path))


@cache
def _installed_on(path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Returns the installed games, for which every package is looked at. `path` is `sys.path`."""
    from importlib import metadata  # slow to import, and every process of a bot imports this file

    del path
    return {point.name: point for point in metadata.entry_points(group=GROUP)}


def game_names() -> tuple[str, ...]:
    """Returns the names of all games, built-ins first, without importing any."""
    return (*BUILT_IN, *sorted(set(_installed()) - set(BUILT_IN)))


@cache
def load_game(name: str) -> Game:
    """Returns the rules of a game by its name, such as `scout`; the same object every time.

    Raises `GameError` when there is no game of that name, or what is installed under it is no game.
    """
    if not isinstance(name, str):  # from Python anything may come
        raise GameError(f"{name!r} is no name of a game: write one as a text. Known games: {', '.join(game_names())}.")
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name]
        game = getattr(import_module(module), attribute)()
    else:
        point = _installed().get(name)
        if point is None:
            known = game_names()
            raise GameError(f'There is no game "{name}".{did_you_mean(name, known)} Known games: {", ".join(known)}.')
        try:
            found = point.load()
            game = found() if isinstance(found, type) else found
        except Exception as error:
            raise GameError(
                f'The game "{name}" ({point.value}) cannot be loaded: {error!r}. '
                f"Fix or uninstall the package {point.dist.name if point.dist else 'that brings it'}."
            ) from error
    if not isinstance(game, Game) or game.name != name:
        raise GameError(
            f'What is installed as the game "{name}" is no game of that name: it must offer all of '
            "`tournament.games.contract.Game`. Fix or uninstall the package that brings it."
        )
    return game


def parts_of(game: Game | str) -> object:
    """Returns what a game, or the game of a name, offers beyond its rules: see `tournament.games.parts`.

    An object without any part for a game that offers none, or is not installed.
    """
    if isinstance(game, str):
        try:
            game = load_game(game)
        except GameError:
            return object()
    offered: object = getattr(game, "parts", object)()
    return offered


def subtitle_of(game: Game | str) -> str:
    """Returns what the title of a game means, in the present language, where it is shown large; often nothing."""
    from tournament.games.parts import OffersSubtitle

    parts = parts_of(game)
    return parts.subtitle if isinstance(parts, OffersSubtitle) else ""
