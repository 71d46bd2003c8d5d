"""What learners need of a game: what the game offers, else something plain that suits any game."""

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
"""The bytes drawn for the seed of a deal when a game does not say how its cards are dealt."""

DECISIONS: Final = 20_000
"""The most decisions of a game that gives no limit itself: `check_game` refuses longer ones."""


@cache
def training_of(name: str, players: int) -> Training:
    """Returns what learners need of a game. Raises `GameError` for an unknown game or number of players."""
    game = load_game(name)
    if players not in game.players:
        raise wrong_players(game, players)
    parts = parts_of(game)
    return parts.training(players) if isinstance(parts, OffersTraining) else PlainTraining(game, players)


class PlainTraining:
    """What any game can give: who looks, who is next, and which actions are legal."""

    row_width: int = 0
    """No rows: information states are text only."""

    def __init__(self, game: Game, players: int) -> None:
        self._game, self._players = game, players
        self._numbering = numbering_of(game.name, players)
        self.pieces: Mapping[str, Piece] = {
            "seat": Piece((players,), 1),
            "to_move": Piece((players,), 1),
            "legal": Piece((self._numbering.size,), 1, private=True),
        }

    def write_pieces(self, view: Any, seat: int, into: Mapping[str, Numbers]) -> None:
        """Fills those of the pieces that `into` has."""
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
        """Returns bounds wide enough for any game that passes `check_game`."""
        return TrainingBounds(decisions=DECISIONS, rows=0, lowest=-MOST, highest=MOST)


class SeedDealing(Dealing):
    """Draws the bytes of a seed, with which the rules then deal: for games that offer no dealing of their own."""

    cards: tuple[str, ...] = tuple(f"{byte:02x}" for byte in range(256))
    length: int = SEED_BYTES

    def __init__(self, game: Game, players: int, options: Any) -> None:
        self._game, self._players, self._options = game, players, options

    def outcomes(self, dealt: Sequence[int]) -> list[tuple[int, float]]:
        """Returns all bytes, equally likely."""
        return [(byte, 1 / 256) for byte in range(256)]

    def deal_of(self, dealt: Sequence[int]) -> Any:
        """Returns the deal of the seed."""
        return make_deal(self._game, players=self._players, seed=bytes(dealt).hex(), options=self._options)

    def cards_of(self, deal: Any) -> list[str]:
        """Raises `GameError`: the seed of a deal cannot be found again."""
        raise GameError(f"{self._game.name} does not say how its cards are dealt one by one.")
