"""The games as PettingZoo environments: `from tournament.adapters.pettingzoo import env`.

Every agent, `player_0` and so on, is a seat. An observation is a dictionary: `observation`, the
array of `observation.py`, and `action_mask`, 1 for each legal number of `tournament/numbering.py`;
all zeros for an agent that is not to move. Rewards come at the end of the game.

`reset(seed=7)` deals what block 0 of a tournament with the seed 7 is dealt; every `reset()` after it
deals the next block. `reset(options={"deal": deal})` plays a given deal.

The environment itself does what PettingZoo's wrappers do: it ends a game at an action that is not legal, and
refuses what is done out of order. So a step is one call, and not one for each wrapper.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from numbers import Real
from typing import Any

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
from tournament.adapters.observation import Rewards, parse_rewards, rewards_of
from tournament.errors import UsageError, install_advice
from tournament.games import load_game
from tournament.games.contract import State, options_from

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import turn_based_aec_to_parallel
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError as error:
    raise UsageError(f"PettingZoo is not installed ({error}). {install_advice('pettingzoo')}") from None


class Illegal(StrEnum):
    """What happens when an action is not legal."""

    TERMINATE = "terminate"
    """As usual in PettingZoo: the game ends, the agent gets the illegal reward, the others nothing."""

    REPLACE = "replace"
    """The first legal action takes its place and the game goes on."""

    RAISE = "raise"
    """An error."""


class TournamentEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game as an AEC environment."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo's own form)
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        *,
        players: int,
        options: Any = None,
        rewards: str = Rewards.SCORE,
        illegal: str = Illegal.TERMINATE,
        illegal_reward: float | None = None,
        max_cycles: int | None = None,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Takes what `env` takes. `max_steps` truncates a game after so many decisions of all agents together."""
        super().__init__()
        self._rewards = parse_rewards(rewards)
        self._illegal = _parse_illegal(illegal)
        self._illegal_reward = _parse_reward(illegal_reward, self._rewards)
        self._game = load_game(game)
        self._reader = reader = Decisions(game, players)
        self.metadata = {**type(self).metadata, "name": f"tournament_{game}_v{self._game.rules_version}"}
        self.render_mode = check_render_mode(render_mode)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._dealer = Dealer(self._game, players=players, options=options_from(self._game, options))
        for name, limit in (("max_cycles", max_cycles), ("max_steps", max_steps)):
            if limit is not None:
                check_whole(name, limit, least=1)
        self._max_cycles = max_cycles
        self._max_steps = max_steps
        self._is_limited = max_cycles is not None or max_steps is not None
        self._state: State | None = None
        self._event: Any = None
        self._seen: OpenDecision | None = None
        self._decisions: dict[str, int] = {}
        self._has_stepped = False
        low, high = reader.layout.bounds()
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.int16),
                    "action_mask": spaces.Box(0, 1, (reader.size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(reader.size) for agent in self.possible_agents}
        self.state_space = spaces.Box(*reader.state_bounds(players), dtype=np.int16)

    def __str__(self) -> str:
        """Returns the name of the environment, `tournament_NAME_v1` for version 1 of the rules."""
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of what an agent observes."""
        return self._observation_spaces[self._named(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's actions: their numbers."""
        return self._action_spaces[self._named(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals the game of a seed, or else the next one; the option `deal` gives a deal instead.

        Raises `UsageError` for a deal for another number of players.
        """
        self._state = self._dealer.start(seed, (options or {}).get("deal"))
        self._event = None
        self._seen = None
        self._has_stepped = True
        self._decisions = dict.fromkeys(self.possible_agents, 0)
        self._skip_agent_selection = None
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_move(self._state)

    def view(self, agent: str) -> Any:
        """Returns the view of an agent's seat, as bots are given it: for bots as opponents."""
        state, seat = self._playing, self._seat(agent)
        return self._decision.view if seat == state.to_move else state.view(seat)

    def _named(self, agent: str) -> str:
        if agent not in self._seats:
            raise UsageError(f"There is no agent {agent!r}: choose one of {', '.join(self.possible_agents)}.")
        return agent

    def _seat(self, agent: str) -> int:
        return self._seats[self._named(agent)]

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the observation of an agent, and the mask of its legal actions."""
        state, reader = self._playing, self._reader
        seat = self._seat(agent)
        if seat != state.to_move or agent != self.agent_selection:
            return {"observation": reader.observe(state.view(seat)), "action_mask": np.zeros(reader.size, np.int8)}
        decision = self._seen or self._decision
        return {"observation": reader.observe(decision.view), "action_mask": reader.mask(decision.numbers)}

    def state(self) -> NDArray[np.int16]:
        """Returns all that is true now, hands included: for critics that may see what no agent sees."""
        return self._reader.state(self._playing, len(self.possible_agents))

    def step(self, action: Any) -> None:
        """Carries out the action of the agent that is to move."""
        self._has_stepped = True
        state = self._playing
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        decision = self._seen or self._decision
        chosen = decision.action_of(action)
        if chosen is None:
            if not self._action_spaces[agent].contains(action) or self._illegal is Illegal.RAISE:
                raise decision.refusal(action, agent)
            if self._illegal is Illegal.TERMINATE:
                self._end_at_illegal(agent)
                return
            chosen = decision.first()
        self._event = state.apply(chosen)
        self._seen = None
        self._decisions[agent] += 1
        # All rewards are 0 until the game is over.
        if state.to_move is None:
            outcome = state.outcome()
            assert outcome is not None
            self.rewards = dict(zip(self.agents, rewards_of(outcome, self._rewards), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
            self._accumulate_rewards()
        else:
            self.agent_selection = self._agent_to_move(state)
            if self._is_limited and self._is_long_enough():
                self.truncations = dict.fromkeys(self.agents, True)
        if self.render_mode == "human":
            self.render()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Returns observation, reward, whether the game is over or truncated, and infos of the agent to move."""
        agent = self.agent_selection
        observation = self.observe(agent) if observe else None
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yields the agent to move until all agents are dismissed; call `step` once for each."""
        _ = self._playing
        while self.agents and max_iter > 0:
            if not self._has_stepped:
                raise UsageError("agent_iter gave an agent for which nothing was done: call step() once in each turn.")
            self._has_stepped = False
            max_iter -= 1
            yield self.agent_selection

    def render(self) -> str | None:
        """Returns the game with all hands as text; in the mode `human` prints it and returns None."""
        text = draw_state(self._game, self._playing, event=self._event)
        if self.render_mode != "human":
            return text
        print(text)  # noqa: T201 (that is what the mode `human` is for)
        return None

    def close(self) -> None:
        """Lets go of the game."""
        self._state = None

    @property
    def _playing(self) -> State:
        if self._state is None:
            raise UsageError("No game is being played: call reset() first.")
        return self._state

    @property
    def _decision(self) -> OpenDecision:
        """What the agent to move sees, and its legal actions by number."""
        seen = self._seen
        if seen is None:
            seen = self._seen = self._reader.read(self._playing)
        return seen

    def _agent_to_move(self, state: State) -> str:
        return self.possible_agents[state.to_move or 0]

    def _end_at_illegal(self, agent: str) -> None:
        EnvLogger.warn_on_illegal_move()
        self.rewards = {**dict.fromkeys(self.agents, 0.0), agent: self._illegal_reward}
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()

    def _is_long_enough(self) -> bool:
        if self._max_steps is not None and sum(self._decisions.values()) >= self._max_steps:
            return True
        return self._max_cycles is not None and self._decisions[self.agent_selection] >= self._max_cycles


def env(
    game: str,
    *,
    players: int,
    options: Any = None,
    rewards: str = "score",
    illegal: str = "terminate",
    illegal_reward: float | None = None,
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> TournamentEnv:
    """Returns a game for a number of players as an AEC environment.

    `options` are those of the game, as in a configuration. `rewards` at the end are the `score` or the `placement`
    points. An action that is not legal ends the game (`terminate`, for a reward of -1000, with placement -1, or
    `illegal_reward`), the first legal one takes its place (`replace`), or it is an error (`raise`). `max_cycles`
    is how many decisions an agent may have: before a further one the game is truncated. `render_mode`: `ansi` gives
    text, `human` prints it after every step. Raises `GameError` for a game, a number of players or an option that does
    not exist, `UsageError` for another word that is not known.
    """
    return TournamentEnv(
        game,
        players=players,
        options=options,
        rewards=rewards,
        illegal=illegal,
        illegal_reward=illegal_reward,
        max_cycles=max_cycles,
        render_mode=render_mode,
    )


aec_env = env
"""Another name of `env`."""


def raw_env(game: str, *, players: int, **given: Any) -> TournamentEnv:
    """Returns what `env` returns, except that an action that is not legal is an error."""
    return TournamentEnv(game, players=players, **{"illegal": Illegal.RAISE, **given})


def parallel_env(
    game: str,
    *,
    players: int,
    options: Any = None,
    rewards: str = "score",
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> ParallelEnv[str, Any, Any]:
    """Returns a game as a parallel environment, for learners that know no other.

    It is PettingZoo's own conversion for games of turns: in every step all agents give an action, and only that of the
    agent to move is used; `infos` say under `active_agent` who that is. `max_cycles` is the number of steps after which
    the game is truncated; illegal actions are replaced. The rest is as in `env`.
    """
    if max_cycles is not None:
        check_whole("max_cycles", max_cycles, least=1)
    return turn_based_aec_to_parallel(
        TournamentEnv(
            game,
            players=players,
            options=options,
            rewards=rewards,
            illegal=Illegal.REPLACE,
            max_steps=max_cycles,
            render_mode=render_mode,
        )
    )


def _parse_reward(given: Any, rewards: Rewards) -> float:
    """Returns the reward for an illegal action. Raises `UsageError` for what is no number."""
    if given is None:
        return ILLEGAL_REWARDS[rewards]
    if isinstance(given, bool) or not isinstance(given, Real):
        raise UsageError(f"illegal_reward={given!r} is no number: write one, such as illegal_reward=-1.")
    return float(given)


def _parse_illegal(text: str) -> Illegal:
    if text not in tuple(Illegal):
        raise UsageError(f'illegal="{text}" is not known: choose terminate, replace or raise.')
    return Illegal(text)
