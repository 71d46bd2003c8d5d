"""Playing a bot inside this process (`isolation: none`): fast, and without any protection from it."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple, get_args

import msgspec

from tournament.entrants.model import BotSource
from tournament.games import load_game
from tournament.players.base import FaultReason, Interrupts, PlayerFault, is_users
from tournament.players.bot import Bot, Clock, GameEnd, GameStart
from tournament.players.loader import bot_folder, load_bot_class, readable
from tournament.players.output import Output, Write
from tournament.records.record import ANSWER_CHARACTERS, FaultKind

__all__ = ["InlinePlayer", "load_bot_class"]

TRACEBACK_CHARACTERS: Final = 4000
TYPE_NAME_CHARACTERS: Final = 60

_encode = msgspec.json.Encoder().encode
_name_of = type.__dict__["__name__"].__get__  # the real name, even when a metaclass says otherwise


class _Actions(NamedTuple):
    """How actions of one game are recognised, and copied."""

    game: str
    ids: frozenset[int]
    """The ids of the action types; a set of the types would call `__eq__` of a bot's metaclass."""

    decode: Callable[[bytes], Any]

    ready: tuple[Any, ...]
    """The actions that the rules hand out, kept so that no other object can get one of their ids."""

    ready_ids: frozenset[int]


@cache
def _actions_of(game: str) -> _Actions:
    rules = load_game(game)
    types = get_args(rules.Action) or (rules.Action,)
    ready = tuple(action for players in rules.players for action in rules.actions(players))
    return _Actions(
        game, frozenset(map(id, types)), msgspec.json.Decoder(rules.Action).decode, ready, frozenset(map(id, ready))
    )


class InlinePlayer:
    """A bot as an object in this process, where nothing but the form of its answers can be enforced."""

    def __init__(
        self,
        bot_class: type[Bot],
        source: BotSource,
        *,
        interrupts: Interrupts | None = None,
        output: Output | None = None,
        write: Write | None = None,
        on_end_error: Callable[[str], object] | None = None,
    ) -> None:
        """Makes a new `bot_class` for each game, with the parameters of `source`.

        With `interrupts`, a `KeyboardInterrupt` counts as the user's only when the user asked to stop; without, always.
        What the bot prints goes to `write` while `output` is installed. `on_end_error` takes the
        traceback when the bot's `end` raises, which is no fault.
        """
        self._bot_class = bot_class
        self._source = source
        self._interrupts = interrupts
        self._output = output or Output()
        self._write = write
        self._on_end_error = on_end_error
        self._bot: Bot | None = None
        self._actions = _Actions("", frozenset(), msgspec.json.decode, (), frozenset())
        self.taken_ns = 0
        self.lists = False
        self.start_ms = 0.0

    def start(self, info: GameStart) -> None:
        """Makes the bot and tells it what game begins. Raises `PlayerFault`: start or crash."""
        self._bot = None
        self._actions = _actions_of(info.game)
        kind, step = FaultKind.START, "__init__"
        self._output.write = self._write
        try:
            with bot_folder(self._source.folder):
                bot = self._bot_class(**msgspec.to_builtins(self._source.params))  # its own, to change as it likes
                kind, step = FaultKind.CRASH, "start"
                bot.clock = info.clock
                bot.start(info)
        except BaseException as error:
            fault = self._fault(kind, step, error)
        else:
            self._bot = bot
            return
        finally:
            self._output.write = None
        raise fault

    def act(self, view: Any, clock: Clock | None = None) -> Any:
        """Returns a clean copy of the action the bot chose. Raises `PlayerFault`: crash or malformed."""
        bot = self._bot
        if bot is None:
            raise RuntimeError("act is asked of a bot that has not started this game, or has left it")
        self._output.write = self._write
        try:
            if clock is not None:
                bot.clock = clock
            action = bot.act(view)
        except BaseException as error:
            fault = self._fault(FaultKind.CRASH, "act", error)
        else:
            if self._interrupts is not None and self._interrupts.asked:  # the user asked, and the bot swallowed it
                raise KeyboardInterrupt
            # An action that the rules handed out is frozen and well formed; anything else is checked.
            return action if id(action) in self._actions.ready_ids else self._checked(action)
        finally:
            self._output.write = None
        raise fault

    def end(self, result: GameEnd) -> None:
        """Tells the bot how the game ended, and discards it; the traceback of what it raises goes to `on_end_error`."""
        bot, self._bot = self._bot, None
        if bot is None:
            return
        problem = None
        self._output.write = self._write
        try:
            bot.end(result)
        except BaseException as error:
            self._raise_if_users(error)
            problem = _traceback(error)
        finally:
            self._output.write = None
        if problem is not None and self._on_end_error is not None:
            self._on_end_error(problem)

    def dismiss(self) -> str | None:
        """Discards the bot; its module stays loaded."""
        self._bot = None
        return None

    def request_quit(self) -> None:
        """Does nothing: there is no process to exit."""

    def close(self) -> None:
        """Discards the bot."""
        self._bot = None

    def _checked(self, action: Any) -> Any:
        """Returns a new action equal to one that is well formed. Raises `PlayerFault` for any other object."""
        if id(type(action)) in self._actions.ids:
            try:
                return self._actions.decode(_encode(action))
            except BaseException as error:
                self._raise_if_users(error)
                detail, problem = "act returned an action with a field of a wrong type", _traceback(error)
        else:
            detail, problem = f"act returned {_described(action)}, no action of {self._actions.game}", None
        self._bot = None
        raise PlayerFault(FaultKind.MALFORMED, detail, answer=self._answer(action), traceback=problem)

    def _answer(self, value: Any) -> str:
        """Returns what a bot returned as canonical JSON, or else the name of its type.

        It does not depend on the hash seed: of an object without an order, such as a set, only the type is named.
        """
        try:
            text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, default=self._fields)
        except BaseException as error:
            self._raise_if_users(error)
            text = _described(value)
        return text[:ANSWER_CHARACTERS]

    def _fields(self, value: Any) -> dict[str, Any]:
        """Returns an action of the game for `json`; its fields may have values of any type."""
        if id(type(value)) not in self._actions.ids:
            raise TypeError("neither JSON nor an action")
        config = value.__struct_config__
        fields = msgspec.structs.fields(value)
        given = {
            one.encode_name: getattr(value, one.name) for one in fields if getattr(value, one.name) is not one.default
        }
        return {config.tag_field: config.tag, **given}

    def _fault(self, kind: FaultKind, step: str, error: BaseException) -> PlayerFault:
        """Returns the fault for an exception, and discards the bot."""
        self._raise_if_users(error)
        self._bot = None
        reason = FaultReason.RAISED_IN_START if step == "start" else FaultReason.RAISED
        return PlayerFault(kind, f"{step} raised {_type_name(error)}", traceback=_traceback(error), reason=reason)

    def _raise_if_users(self, error: BaseException) -> None:
        if is_users(error, self._interrupts):
            raise KeyboardInterrupt from None


def _type_name(value: object) -> str:
    name = str(_name_of(type(value)))
    return name if name.isidentifier() and len(name) <= TYPE_NAME_CHARACTERS else "unnamed"


def _described(value: object) -> str:
    return f"an object of type {_type_name(value)}"


def _traceback(error: BaseException) -> str:
    """Returns the end of a traceback, without our own frames."""
    own = error.__traceback__.tb_next if error.__traceback__ is not None else None
    try:
        lines = traceback.format_exception(type(error), error, own)
    except BaseException:  # an exception of a bot may run any code when it is turned into text
        return "The traceback cannot be written: the exception itself raises when it is asked for its text.\n"
    return readable("".join(lines))[-TRACEBACK_CHARACTERS:]
