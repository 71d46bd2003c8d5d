"""Fixed positions that a bot is asked in: the same for every bot, always."""

from __future__ import annotations

from typing import Any, Final

from tournament.deals import bot_rng, bot_rng_text, deal_seed, make_deal, stand_in_rng
from tournament.errors import IllegalAction
from tournament.games.base import Game, State
from tournament.players.base import Player, PlayerFault
from tournament.players.bot import Clock, GameStart
from tournament.records.codec import canonical_bytes
from tournament.records.hosting import TimeControl
from tournament.records.model import ANSWER_CHARACTERS, FaultKind

MASTER: Final = "fixed positions of tournament bot check"
MOST_MOVES: Final = 300
POSITIONS: Final = 6
"""Of each game and number of players, spread over one game played at random."""


def fixed_positions(game: Game, players: int) -> list[State]:
    """Returns positions at which a turn begins, the first of the game among them."""
    seed = _seed(game, players)
    state = game.start(make_deal(game, players=players, seed=seed))
    chance = stand_in_rng(seed, rotation=0, seat=0)
    turns: list[State] = []
    mover = None
    for _ in range(MOST_MOVES):
        if state.to_move is None:
            break
        if state.to_move != mover:
            turns.append(state.copy())
        mover = state.to_move
        legal = state.legal_actions()
        state.apply(legal[int(chance.random() * len(legal))])
    step = max(1, len(turns) // POSITIONS)
    return turns[::step][:POSITIONS]


def ask_positions(player: Player, game: Game, *, players: int, clock: TimeControl) -> tuple[PlayerFault | None, int]:
    """Returns the first fault, None when there is none, and in how many positions the bot was asked."""
    positions = fixed_positions(game, players)
    for count, state in enumerate(positions, start=1):
        seat = state.to_move
        assert seat is not None, "a turn begins"
        try:
            start_bot(player, game, clock=clock, players=players, seat=seat)
            action = player.act(state.view(seat), Clock(move_ms=clock.move_ms, bank_ms=clock.bank_ms))
        except PlayerFault as fault:
            return fault, count
        problem = _problem(state, action)
        if problem is not None:
            problem.stderr = player.dismiss()
            return problem, count
    return None, len(positions)


def start_bot(player: Player, game: Game, *, clock: TimeControl, players: int | None = None, seat: int = 0) -> None:
    """Begins a fixed game with the bot in a seat. Raises `PlayerFault`."""
    players = game.players[0] if players is None else players
    seed = _seed(game, players)
    info = GameStart(
        game=game.name,
        players=players,
        seat=seat,
        options=game.Options(),
        rng=bot_rng(seed, rotation=0, seat=seat),
        clock=Clock(move_ms=clock.move_ms, bank_ms=clock.bank_ms),
        seed=bot_rng_text(seed, rotation=0, seat=seat),
    )
    player.start(info)


def _problem(state: State, action: Any) -> PlayerFault | None:
    try:
        state.check(action)
    except IllegalAction as error:
        answer = canonical_bytes(action).decode()[:ANSWER_CHARACTERS]
        return PlayerFault(FaultKind.ILLEGAL, str(error), answer=answer)
    return None


def _seed(game: Game, players: int) -> str:
    return deal_seed(MASTER, game=game.name, players=players, segment=0, block=0)
