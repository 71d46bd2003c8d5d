"""One seat of a game as a Gymnasium environment: `from tournament.adapters.gymnasium import seat_env`.

The learner plays one seat, and bots in this process play the others. An observation is the array of `observation.py`;
`action_masks()` says which numbers are legal, as MaskablePPO asks for it, and so does `info["action_mask"]`. The only
reward comes at the end of the game, and the learner always gets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tournament.adapters.course import draw_state
from tournament.adapters.dealer import Dealer
from tournament.adapters.decision import (
    ILLEGAL_REWARDS,
    RENDER_MODES,
    Decisions,
    OpenDecision,
    check_render_mode,
    check_whole,
)
from tournament.adapters.observation import Numbers, Rewards, parse_rewards, rewards_of
from tournament.adapters.opponents import BotClass, Opponent, Opponents
from tournament.errors import UsageError, install_advice
from tournament.games import load_game
from tournament.games.contract import Game, State, options_from

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise UsageError(f"Gymnasium is not installed ({error}). {install_advice('gymnasium')}") from None


ENV_ID: Final = "tournament/Seat-v0"
"""For `gymnasium.make("tournament/Seat-v0", game=..., players=...)`."""


class SeatEnv(gymnasium.Env[Numbers, np.int64]):
    """A game in which the learner plays one seat: what `seat_env` returns."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 (Gymnasium's form)

    def __init__(
        self,
        game: str,
        *,
        players: int = 2,
        seat: int | None = 0,
        opponents: Sequence[str | Path | BotClass] = (),
        options: Any = None,
        rewards: str = Rewards.PLACEMENT,
        suite: str | Path | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Takes what `seat_env` takes."""
        self.spec = deepcopy(gymnasium.spec(ENV_ID))
        self.spec.kwargs = {
            "game": game,
            "players": players,
            "seat": seat,
            "opponents": opponents,
            "options": options,
            "rewards": rewards,
            "suite": suite,
            "render_mode": render_mode,
        }
        self.render_mode = check_render_mode(render_mode)
        self._rules: Game = load_game(game)
        self._reader = Decisions(game, players)
        if seat is not None:
            check_whole("seat", seat)
        if seat is not None and not 0 <= seat < players:
            raise UsageError(f"There is no seat {seat} with {players} players: choose 0 to {players - 1}, or None.")
        self._players, self._given_seat = players, seat
        self._rewards = parse_rewards(rewards)
        self._options = options_from(self._rules, options)
        self._dealer = Dealer(self._rules, players=players, options=self._options, suite=suite)
        self._opponents = Opponents(opponents, game=game, players=players, options=self._options)
        low, high = self._reader.layout.bounds()
        self.observation_space = spaces.Box(low, high, dtype=np.int16)
        self.action_space = spaces.Discrete(self._reader.size)
        self.seat = seat or 0
        """The learner's seat in this game."""

        self._state: State | None = None
        self._event: Any = None
        self._seated: dict[int, Opponent] = {}
        self._decision: OpenDecision | None = None
        """What the learner decides now; None when the game is over."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Returns the first observation of a new game: the first of a seed, else the one after the last.

        The option `deal` gives a deal. Opponents get new chance in each game, the same whenever a seed is the same.
        """
        super().reset(seed=seed)
        self._state = state = self._dealer.start(seed, (options or {}).get("deal"))
        if self._given_seat is None:
            self.seat = int(self._dealer.seed[-8:], 16) % self._players
        self._event = None
        self._seated = self._opponents.sit_down(self.seat, seed=self._dealer.seed)
        return self._go_on(state), self._info()

    def step(self, action: np.int64 | int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Returns what the learner sees at its next decision, once it and the others have acted.

        An action that is not legal ends the game with a reward of -1, or of -1000 with `rewards="score"`.
        """
        state, decision = self._playing, self._decision
        if decision is None:
            raise UsageError("The game is over: call reset() for the next.")
        chosen = decision.action_of(action)
        if chosen is None:
            self._decision = None
            observation = self._reader.observe(decision.view)
            return observation, ILLEGAL_REWARDS[self._rewards], True, False, {**self._info(), "illegal": True}
        self._event = state.apply(chosen)
        observation = self._go_on(state)
        reward = 0.0
        outcome = state.outcome()
        if outcome is not None:
            reward = rewards_of(outcome, self._rewards)[self.seat]
            for seat, opponent in self._seated.items():
                opponent.end(outcome, state.view(seat))
        if self.render_mode == "human":
            self.render()
        return observation, reward, outcome is not None, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which actions are legal now, by their numbers; none once the game is over."""
        return self._mask().view(np.bool_)

    @property
    def view(self) -> Any:
        """What the learner's seat sees now, as a bot is given it."""
        return self._playing.view(self.seat) if self._decision is None else self._decision.view

    def state(self) -> Numbers:
        """Returns all that is true now, hands included, for critics: see `tournament.adapters.pettingzoo`."""
        return self._reader.state(self._playing, self._players)

    def render(self) -> Any:
        """Returns the game with all hands as text; in the mode `human` prints it and returns None."""
        text = draw_state(self._rules, self._playing, event=self._event)
        if self.render_mode != "human":
            return text
        print(text)  # noqa: T201 (that is what the mode `human` is for)
        return None

    def close(self) -> None:
        """Lets go of the game and of the bots in it."""
        self._state = self._decision = None
        self._seated = {}

    @property
    def _playing(self) -> State:
        if self._state is None:
            raise UsageError("No game is being played: call reset() first.")
        return self._state

    def _go_on(self, state: State) -> Numbers:
        """Lets the others act until the learner is to move or the game is over; returns what the learner sees then."""
        while state.to_move is not None and state.to_move != self.seat:
            action = self._seated[state.to_move].act(state)
            self._event = state.apply(action)
        if state.to_move is None:
            self._decision = None
            return self._reader.observe(state.view(self.seat))
        self._decision = self._reader.read(state)
        return self._reader.observe(self._decision.view)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask(), "seat": self.seat}

    def _mask(self) -> NDArray[np.int8]:
        return self._reader.mask([] if self._decision is None else self._decision.numbers)


def seat_env(
    game: str,
    *,
    players: int = 2,
    seat: int | None = 0,
    opponents: Sequence[str | Path | BotClass] = (),
    options: Any = None,
    rewards: str = "placement",
    suite: str | Path | None = None,
    render_mode: str | None = None,
) -> SeatEnv:
    """Returns a game as a Gymnasium environment of one seat.

    `seat` is the learner's; None draws one for each game. `opponents` are the bots of the other seats, in the order of
    the seats after the learner's: specs as for `--bots` of the command, or classes that derive from `Bot`. One stands
    for all seats; left out, they play legal actions at random. They play in this process, without clocks. `options` are
    those of the game. The reward at the end is the `placement`, 0 for the last place to 1 for the first, or the
    `score`. `suite` is a file of deal seeds to play again and again; left out, every seed has deals without end.
    Raises `GameError` for a game, a number of players or an option that does not exist, `BotError` for a bot that
    cannot play, `UsageError` for another value that is not known.
    """
    return SeatEnv(
        game,
        players=players,
        seat=seat,
        opponents=opponents,
        options=options,
        rewards=rewards,
        suite=suite,
        render_mode=render_mode,
    )


gymnasium.register(id=ENV_ID, entry_point="tournament.adapters.gymnasium:SeatEnv")
