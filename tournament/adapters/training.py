"""What learners need of a game, as the game offers it; else in a plain way that any game has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from tournament.deals import make_deal
from tournament.errors import GameError
from tournament.games import load_game, parts_of
from tournament.games.contract import Game, wrong_players
from tournament.games.parts import (
    MOST,
    Dealing,
    Numbers,
    OffersTraining,
    Piece,
    Row,
    Training,
    TrainingBounds,
    write_seats,
)
from tournament.numbering import numbering_of

SEED_BYTES: Final = 8
"""How many bytes chance draws for the seed of a deal, where a game does not say how its cards are dealt."""

DECISIONS: Final = 10_000
"""How many decisions a game has at most that does not say so itself: the longest that `check_game` lets pass."""


@cache
def training_of(name: str, players: int) -> Training:
    """Returns what learners need of a game. Raises `GameError` for a game or a number of players there is not."""
    game = load_game(name)
    if players not in game.players:
        raise wrong_players(game, players)
    parts = parts_of(game)
    return parts.training(players) if isinstance(parts, OffersTraining) else PlainTraining(game, players)


class PlainTraining:
    """A game about which only its rules are known: who looks, who is next, and what may be done."""

    row_width: int = 0
    """There are no rows: what a seat saw is text only."""

    def __init__(self, game: Game, players: int) -> None:
        self._game, self._players = game, players
        self._numbering = numbering_of(game.name, players)
        self.pieces: Mapping[str, Piece] = {
            "seat": Piece((players,), 1),
            "to_move": Piece((players,), 1),
            "legal": Piece((self._numbering.size,), 1, private=True),
        }

    def write_pieces(self, view: Any, seat: int, into: Mapping[str, Numbers]) -> None:
        """Fills the pieces that are there."""
        if "seat" in into:
            write_seats(view, seat, into)
        if "legal" in into and view.seat == view.to_move:
            into["legal"][list(self._numbering.choices(view))] = 1

    def hand_rows(self, view: Any) -> Iterable[Row]:
        """Returns none."""
        return ()

    def news_row(self, item: Any, seat: int) -> Row:
        """Returns an empty row."""
        return ()

    def dealing(self, options: Any) -> Dealing:
        """Returns how the seed of a deal is drawn."""
        return SeedDealing(self._game, self._players, options)

    def bounds(self, options: Any) -> TrainingBounds:
        """Returns bounds wide enough for any game that `check_game` lets pass."""
        return TrainingBounds(decisions=DECISIONS, rows=0, lowest=-MOST, highest=MOST)


class SeedDealing(Dealing):
    """Chance draws the bytes of a seed, and the rules deal with it: for games of which no more is known."""

    cards: tuple[str, ...] = tuple(f"{byte:02x}" for byte in range(256))
    length: int = SEED_BYTES

    def __init__(self, game: Game, players: int, options: Any) -> None:
        self._game, self._players, self._options = game, players, options

    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns every byte, all as likely."""
        return [(byte, 1 / 256) for byte in range(256)]

    def deal_of(self, dealt: Sequence[int]) -> Any:
        """Returns the deal of the seed."""
        return make_deal(self._game, players=self._players, seed=bytes(dealt).hex(), options=self._options)

    def cards_of(self, deal: Any) -> list[str]:
        """Raises `GameError`: a seed cannot be told from its deal."""
        raise GameError(f"{self._game.name} does not say how its cards are dealt one by one.")
