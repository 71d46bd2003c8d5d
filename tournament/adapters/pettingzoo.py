"""The games as PettingZoo environments: `from tournament.adapters.pettingzoo import aec_env`.

Every agent, `player_0` and so on, is a seat. An observation is a dictionary: `observation`, the
array of `observation.py`, and `action_mask`, 1 for each legal number of `tournament/numbering.py`;
all zeros for an agent that is not to move. Rewards come at the end of the game.

`reset(seed=7)` deals what block 0 of a tournament with the seed 7 is dealt; every `reset()` after it
deals the next block. `reset(options={"deal": deal})` plays a given deal.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import numpy as np

from tournament.adapters.course import draw_state
from tournament.adapters.observation import Rewards, layout_of, observe, parse_rewards, rewards_of
from tournament.deals import deal_seed, draw_master, make_deal
from tournament.errors import UsageError, install_advice
from tournament.games import load_game
from tournament.games.contract import State, options_from
from tournament.numbering import numbering_of

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import turn_based_aec_to_parallel, wrappers
except ImportError as error:
    raise UsageError(f"PettingZoo is not installed ({error}). {install_advice('pettingzoo')}") from None

ILLEGAL_REWARDS: Final = {Rewards.SCORE: -1000.0, Rewards.PLACEMENT: -1.0}
"""Lower than any reward of a game played to its end."""


class Illegal(StrEnum):
    """What happens when an action is not legal."""

    TERMINATE = "terminate"
    """As usual in PettingZoo: the game ends, the agent gets the illegal reward, the others nothing."""

    REPLACE = "replace"
    """The first legal action takes its place and the game goes on."""


class TournamentEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """A game as an AEC environment, without the wrappers that check how it is used."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo's own form)
        "render_modes": ["ansi", "human"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        *,
        players: int,
        options: Any = None,
        rewards: Rewards = Rewards.SCORE,
        illegal: Illegal = Illegal.TERMINATE,
        max_cycles: int | None = None,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Takes what `aec_env` takes. `max_steps` truncates a game after so many decisions of all agents together."""
        super().__init__()
        self.metadata = {**type(self).metadata, "name": f"tournament_{game}_v{load_game(game).rules_version}"}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._game = load_game(game)
        self._numbering = numbering_of(game, players)
        self._options = options_from(self._game, options)
        self._rewards = rewards
        self._illegal = illegal
        self._max_cycles = max_cycles
        self._max_steps = max_steps
        self._master: str | None = None
        self._block = 0
        self._state: State | None = None
        self._event: Any = None
        self._seen: tuple[Any, dict[int, Any]] | None = None
        layout = layout_of(game, players)
        size = layout.size
        low, high = np.zeros(size, np.int16), np.zeros(size, np.int16)
        for bounds, side in ((low, "low"), (high, "high")):
            for name, part in layout.pieces_in(bounds, tuple(layout.pieces)).items():
                part[...] = getattr(layout.pieces[name], side)
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, dtype=np.int16),
                    "action_mask": spaces.Box(0, 1, (self._numbering.size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._action_spaces = {agent: spaces.Discrete(self._numbering.size) for agent in self.possible_agents}

    def __str__(self) -> str:
        """Returns the name of the environment, `tournament_NAME_v1` for version 1 of the rules."""
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of what an agent observes."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Returns the space of an agent's actions: their numbers."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals the game of a seed, or else the next one; the option `deal` gives a deal instead.

        Raises `UsageError` for a deal for another number of players.
        """
        if seed is not None:
            self._master, self._block = str(seed), 0
        elif self._master is None:
            self._master = draw_master()
        else:
            self._block += 1
        players = len(self.possible_agents)
        deal = (options or {}).get("deal")
        if deal is None:
            dealt = deal_seed(self._master, game=self._game.name, players=players, segment=0, block=self._block)
            deal = make_deal(self._game, players=players, seed=dealt, options=self._options)
        state = self._game.start(deal, self._options)
        if state.view(None).players != players:
            raise UsageError(f"The deal is for {state.view(None).players} players, the environment for {players}.")
        self._state = state
        self._event = None
        self._seen = None
        self._decisions = dict.fromkeys(self.possible_agents, 0)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_move()

    def view(self, agent: str) -> Any:
        """Returns the view of an agent's seat, as bots are given it: for bots as opponents."""
        state, seat = self._playing, self.possible_agents.index(agent)
        return self._decision[0] if seat == state.to_move else state.view(seat)

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns the observation of an agent, and the mask of its legal actions."""
        mask = np.zeros(self._numbering.size, np.int8)
        if agent == self.agent_selection and self._playing.to_move is not None:
            mask[list(self._decision[1])] = 1
        return {"observation": observe(self.view(agent)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Carries out the action of the agent that is to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self._playing
        _, choices = self._decision
        chosen = choices.get(-1 if action is None else int(action))
        if chosen is None:
            if self._illegal is Illegal.TERMINATE:
                raise UsageError(
                    f"Action {action} of {agent} is not legal: choose a number whose action_mask is 1, {list(choices)}."
                )
            chosen = next(iter(choices.values()))
        self._cumulative_rewards[agent] = 0.0
        self._event = state.apply(chosen)
        self._seen = None
        self._decisions[agent] += 1
        self._clear_rewards()
        outcome = state.outcome()
        if outcome is not None:
            self.rewards = dict(zip(self.agents, rewards_of(outcome, self._rewards), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._agent_to_move()
            if self._is_long_enough():
                self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

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
    def _decision(self) -> tuple[Any, dict[int, Any]]:
        """What the agent to move sees, and its legal actions by number."""
        if self._seen is None:
            view = self._playing.view(self._playing.to_move)
            self._seen = view, self._numbering.choices(view)
        return self._seen

    def _agent_to_move(self) -> str:
        seat = self._playing.to_move
        return self.possible_agents[0 if seat is None else seat]

    def _is_long_enough(self) -> bool:
        if self._max_steps is not None and sum(self._decisions.values()) >= self._max_steps:
            return True
        return self._max_cycles is not None and self._decisions[self.agent_selection] >= self._max_cycles


def aec_env(
    game: str,
    *,
    players: int,
    options: Any = None,
    rewards: str = "score",
    illegal: str = "terminate",
    illegal_reward: float | None = None,
    max_cycles: int | None = None,
    render_mode: str | None = None,
) -> AECEnv[str, Any, Any]:
    """Returns a game for a number of players as an AEC environment.

    `options` are those of the game, as in a configuration. `rewards` at the end are the `score` or the `placement`
    points. An action that is not legal ends the game (`terminate`, for a reward of -1000, with placement -1, or
    `illegal_reward`), or the first legal one takes its place (`replace`). `max_cycles` truncates the game when an agent
    would have its next decision after so many. `render_mode`: `ansi` gives text, `human` prints it after every step.
    Raises `GameError` for a game, a number of players or an option that does not exist.
    """
    parsed = parse_rewards(rewards)
    env = TournamentEnv(
        game,
        players=players,
        options=options,
        rewards=parsed,
        illegal=_parse_illegal(illegal),
        max_cycles=max_cycles,
        render_mode=render_mode,
    )
    if env._illegal is Illegal.TERMINATE:
        lost = ILLEGAL_REWARDS[parsed] if illegal_reward is None else illegal_reward
        env = wrappers.TerminateIllegalWrapper(env, illegal_reward=lost)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


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

    In every step all agents give an action, and only that of the agent to move is used: `infos` say
    under `active_agent` who that is. `max_cycles` is the number of steps after which the game is
    truncated; illegal actions are replaced. The rest is as in `aec_env`.
    """
    env = TournamentEnv(
        game,
        players=players,
        options=options,
        rewards=parse_rewards(rewards),
        illegal=Illegal.REPLACE,
        max_steps=max_cycles,
        render_mode=render_mode,
    )
    return turn_based_aec_to_parallel(wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env)))


def _parse_illegal(text: str) -> Illegal:
    if text not in tuple(Illegal):
        raise UsageError(f'illegal="{text}" is not known: choose terminate or replace.')
    return Illegal(text)
