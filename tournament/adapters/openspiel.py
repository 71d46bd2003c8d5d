"""The games for OpenSpiel, and OpenSpiel's bots for our tournaments.

Importing this module registers every game, its name behind `tournament_`:
`pyspiel.load_game("tournament_NAME(players=4,rewards=placement)")`.

Chance deals first, card by card, then the seats decide; actions have the numbers of `tournament/numbering.py`.
Observations are what a seat may know now (`observation.py`), information states all that it saw
(`Memory`). `state.resample_from_infostate` is the rules' `redeal`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import prod
from typing import Any, Final, get_args, get_type_hints

import msgspec
import numpy as np

from tournament.adapters.course import Course, Setting, setting_of
from tournament.adapters.observation import Rewards, parse_rewards, rewards_of
from tournament.errors import GameError, UsageError, install_advice
from tournament.games import game_names, load_game, parts_of
from tournament.games.contract import Game, Rng, options_from
from tournament.games.parts import OffersTraining
from tournament.numbering import numbering_of
from tournament.players.bot import Bot, GameStart

try:
    import pyspiel
except ImportError as error:
    raise UsageError(f"OpenSpiel is not installed ({error}). {install_advice('openspiel')}") from None

NO_LIMIT: Final = -1
"""What OpenSpiel is given for an option that is None."""

_encode = msgspec.json.Encoder(order="deterministic").encode


class TournamentState(pyspiel.State):  # type: ignore[misc]
    """One of our games as a state of OpenSpiel."""

    def __init__(self, game: TournamentGame) -> None:
        super().__init__(game)
        self.course = Course(game.setting)

    def current_player(self) -> int:
        """Returns the seat to move, or OpenSpiel's number for chance or for the end."""
        state = self.course.state
        if state is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if state.to_move is None else state.to_move

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the next card's outcomes with their probabilities."""
        return self.course.setting.dealing.outcomes(self.course.dealt)

    def is_terminal(self) -> bool:
        """Returns whether the game is over."""
        state = self.course.state
        return state is not None and state.to_move is None

    def returns(self) -> list[float]:
        """Returns the reward of each seat: nothing before the end."""
        state = self.course.state
        outcome = None if state is None else state.outcome()
        setting = self.course.setting
        return [0.0] * setting.players if outcome is None else list(rewards_of(outcome, setting.rewards))

    def resample_from_infostate(self, player: int, sample: Callable[[], float]) -> TournamentState:
        """Returns a state, redealt with `sample`, that the seat to move cannot tell from this one.

        Raises `GameError` for another seat: `redeal` wants the views of a decision.
        """
        if player < 0 or player != self.current_player():
            raise GameError(f"Seat {player} is not to move: resample from the information state of the seat that is.")
        seen = (*self.course.memories[player].views, self.course.view)
        return state_from_views(self.get_game(), seen, _Sampler(sample))

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.course.choices)

    def _apply_action(self, action: int) -> None:
        if self.course.state is None:
            self.course.draw(action)
        else:
            self.course.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        setting = self.course.setting
        return setting.dealing.cards[action] if player < 0 else setting.numbering.names[action]

    def __str__(self) -> str:
        state, setting = self.course.state, self.course.setting
        if state is None:
            return f"dealt: {' '.join(setting.dealing.cards[number] for number in self.course.dealt)}"
        return "\n".join(str(state.view(seat)) for seat in range(setting.players))


class _Sampler:
    def __init__(self, sample: Callable[[], float]) -> None:
        self.random = sample


class TournamentGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games for a number of players."""

    def __init__(self, name: str, parameters: Mapping[str, Any]) -> None:
        given = dict(parameters)
        rules = load_game(name)
        players = given.get("players", _usual_players(name))
        options = {one.name: given[one.name] for one in msgspec.structs.fields(rules.Options) if one.name in given}
        unset = {option: None for option, value in options.items() if value == NO_LIMIT and _may_be_none(rules, option)}
        rewards = parse_rewards(given.get("rewards", Rewards.SCORE))
        self.setting = setting_of(name, players, options_from(rules, options | unset), rewards)
        by_score = rewards is Rewards.SCORE
        information = pyspiel.GameInfo(
            num_distinct_actions=self.setting.numbering.size,
            max_chance_outcomes=len(self.setting.dealing.cards),
            num_players=players,
            min_utility=float(self.setting.bounds.lowest) if by_score else 0.0,
            max_utility=float(self.setting.bounds.highest) if by_score else 1.0,
            max_game_length=self.setting.bounds.decisions,
        )
        super().__init__(GAME_TYPES[name], information, given)

    def new_initial_state(self) -> TournamentState:
        """Returns the state before the first card is dealt."""
        return TournamentState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Returns how many cards are dealt."""
        return self.setting.dealing.length

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> TournamentObserver:
        """Returns what turns states into tensors and strings."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return TournamentObserver(self.setting, kind, params)


class TournamentObserver:
    """What a player observes: public pieces, its own hand, and with perfect recall all that it saw."""

    def __init__(self, setting: Setting, kind: Any, params: Any) -> None:
        if params:
            raise GameError(f"Observers of {setting.name} take no parameters, not {params}.")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise GameError(f"Observers of {setting.name} show one player's hand or none, not all.")
        self._public = kind.public_info
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        if self._recalls and not (self._public and self._private):
            raise GameError(f"Observers of {setting.name} recall what a player saw: public and its own.")
        self._write = setting.layout.write
        pieces = setting.layout.pieces
        names = [name for name, piece in pieces.items() if (self._private if piece.private else self._public)]
        rows = (setting.bounds.rows, setting.training.row_width) if self._recalls else (0, 0)
        size = sum(prod(pieces[name].shape) for name in names)
        self.tensor = np.zeros(size + prod(rows), np.float32)
        self.dict = setting.layout.pieces_in(self.tensor, names)
        if self._recalls:
            self.dict["history"] = self.tensor[size:].reshape(rows)

    def set_from(self, state: TournamentState, player: int) -> None:
        """Fills the tensor with what a player knows in a state; zeros while cards are dealt."""
        self.tensor.fill(0)
        course = state.course
        if course.state is None:
            return
        self._write(course.view_of(player), player, self.dict)
        if self._recalls:
            # The others of a redealt state may be told more cards at once than anybody is dealt.
            rows = course.memory_of(player).rows[: len(self.dict["history"])]
            self.dict["history"][: len(rows)] = rows

    def string_from(self, state: TournamentState, player: int) -> str:
        """Returns what a player knows in a state as text."""
        course = state.course
        if course.state is None:
            return f"seat {player}: {len(course.dealt)} cards are dealt" if self._public else ""
        if self._recalls:
            return f"seat {player}\n{course.memory_of(player).text}"
        lines = [_encode(course.state.view(None)).decode()] if self._public else []
        if self._private:
            lines.append(f"seat {player}: {' '.join(map(str, getattr(course.view_of(player), 'hand', ())))}")
        return "\n".join(lines)


def state_from_views(game: TournamentGame, seen: Sequence[Any], rng: Rng) -> TournamentState:
    """Returns a state, redealt with `rng`, in which a seat has had these views and sees the last of them now.

    Raises `GameError` when the views are not those of one seat at every decision of one game.
    """
    state = game.new_initial_state()
    state.course = Course.from_views(game.setting, seen, rng)
    return state


def _game_type(name: str) -> Any:
    rules = load_game(name)
    parameters = {"players": _usual_players(name), "rewards": str(Rewards.SCORE)}
    parameters |= {
        field.name: NO_LIMIT if field.default is None else field.default
        for field in msgspec.structs.fields(rules.Options)
    }
    return pyspiel.GameType(
        short_name=f"tournament_{name}",
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.players.stop - 1,
        min_num_players=rules.players.start,
        provides_information_state_string=True,
        provides_information_state_tensor=isinstance(parts_of(name), OffersTraining),
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=parameters,
    )


def _usual_players(name: str) -> int:
    parts = parts_of(name)
    return parts.usual_players if isinstance(parts, OffersTraining) else load_game(name).players.start


def _may_be_none(rules: Game, option: str) -> bool:
    kinds = get_type_hints(rules.Options)[option]
    return type(None) in get_args(kinds)


GAME_TYPES: Final[dict[str, Any]] = {}
"""The registered games, by our names."""


def _register(name: str) -> None:
    GAME_TYPES[name] = _game_type(name)

    class Registered(TournamentGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(name, params or {})

    pyspiel.register_game(GAME_TYPES[name], Registered)


for _name in game_names():
    with suppress(GameError):  # a package that cannot be loaded keeps nobody from the other games
        _register(_name)


def load_openspiel_game(name: str, *, players: int, options: Any = None, rewards: str = "score") -> TournamentGame:
    """Returns a game of ours as a game of OpenSpiel.

    Raises `GameError` for a game, a number of players, an option or rewards that do not exist.
    """
    parse_rewards(rewards)
    numbering_of(name, players)
    given = msgspec.to_builtins(options_from(load_game(name), options))
    limits = {key: NO_LIMIT if value is None else value for key, value in given.items()}
    game: TournamentGame = pyspiel.load_game(f"tournament_{name}", {"players": players, "rewards": rewards, **limits})
    return game


class OpenSpielBot(Bot):
    """Enters a bot of OpenSpiel in our tournaments: write `make_bot`.

        class Searcher(OpenSpielBot, Bot):
            def make_bot(self, game, seat, seed):
                return ISMCTSBot(game, ...)

    At every decision the OpenSpiel bot is asked `step(state)` with a state redealt from all that the
    seat saw, so that even a bot that looks at everything learns nothing it may not know. It is not
    told of the others' actions one by one (`inform_action`).
    """

    rewards: str = "score"
    """What the game's returns are to be: `score` or `placement`."""

    @abstractmethod
    def make_bot(self, game: Any, seat: int, seed: int) -> Any:
        """Returns the OpenSpiel bot for one game; `seed` is its own chance, below 2 to the power of 31."""

    def start(self, info: GameStart) -> None:
        """Makes the game and the bot."""
        self._game = load_openspiel_game(info.game, players=info.players, options=info.options, rewards=self.rewards)
        self._numbering = numbering_of(info.game, info.players)
        self._rng = info.rng
        self._seen: list[Any] = []
        self._bot = self.make_bot(self._game, info.seat, int(self._rng.random() * 2**31))

    def act(self, view: Any) -> Any:
        """Returns the action whose number the OpenSpiel bot gives."""
        self._seen.append(view)
        state = state_from_views(self._game, self._seen, self._rng)
        return self._numbering.action_of(view, int(self._bot.step(state)))
