"""Seeds and the deals they give: the only place where seeded generators are made.

Every seed is made by hashing, and none is drawn from a shared stream. So no deal depends on what a bot draws, or on the
order in which games are played.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from tournament.errors import ConfigurationError
from tournament.games.contract import Game
from tournament.plain_yaml import read_plain_yaml

SAFE_BITS = 128
"""A master with fewer bits can be guessed from the first deals."""


def _hex(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def deal_seed(master: str, *, game: str, players: int, segment: int, block: int) -> str:
    """Returns the seed of a block's deal, 64 hex digits."""
    return _hex(f"{master}|deal|{game}|{players}|{segment}|{block}")


def schedule_seed(master: str, *, segment: int) -> str:
    """Returns the seed from which a schedule draws its sample, 64 hex digits; `master` may be the name of a suite."""
    return _hex(f"{master}|schedule|{segment}")


def bot_seed(seed: str, *, rotation: int, seat: int) -> str:
    """Returns the seed of the bot in a seat, 64 hex digits; `seed` is that of the deal."""
    return _hex(f"{seed}|bot|{rotation}|{seat}")


def bot_rng_text(seed: str, *, rotation: int, seat: int) -> str:
    """Returns the 32 hex digits of a bot's seed that reach the bot."""
    return bot_seed(seed, rotation=rotation, seat=seat)[:32]


def bot_rng(seed: str, *, rotation: int, seat: int) -> Random:
    """Returns the generator a bot is given."""
    return Random(int(bot_rng_text(seed, rotation=rotation, seat=seat), 16))


def stand_in_seed(seed: str, *, rotation: int, seat: int) -> str:
    """Returns the seed of the stand-in of a forfeited seat, 64 hex digits."""
    return _hex(f"{seed}|stand-in|{rotation}|{seat}")


def stand_in_rng(seed: str, *, rotation: int, seat: int) -> Random:
    """Returns the generator of the stand-in of a forfeited seat: one for each seat and game."""
    return Random(int(stand_in_seed(seed, rotation=rotation, seat=seat), 16))


def world_rng(text: str) -> Random:
    """Returns the generator of one redealt world; the same `text` gives the same world."""
    return Random(int(_hex(f"{text}|world"), 16))


def make_deal(game: Game, *, players: int, seed: str, options: Any = None) -> Any:
    """Returns the deal of a seed."""
    return game.deal(players, Random(int(seed, 16)), options)


def draw_master() -> str:
    """Returns a new master: 32 random bytes as hex."""
    return secrets.token_hex(32)


def draw_salt() -> str:
    """Returns a new salt: 32 random bytes as hex."""
    return secrets.token_hex(32)


def commitment_of(*, salt: str, master: str) -> str:
    """Returns what is published before the first game, so that the deals cannot be changed afterwards."""
    return _hex(salt + master)


def is_predictable(master: str) -> bool:
    """Returns whether a master has clearly fewer than 128 bits, judged by its length and characters."""
    bits_a_character = 4 if all(character in "0123456789abcdef" for character in master) else 6
    return len(master) * bits_a_character < SAFE_BITS


class Suite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A named, frozen list of deal seeds with a purpose, from `seeds/*.yaml`."""

    name: str
    purpose: str
    seeds: tuple[str | int, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of the seeds as a JSON list of texts, 64 hex digits: two suites with it give the same deals."""
        return sha256(msgspec.json.encode(list(map(str, self.seeds)))).hexdigest()

    def deal_seed(self, *, game: str, players: int, block: int) -> str:
        """Returns the seed of a block's deal. Raises `IndexError` beyond the suite."""
        return _hex(f"{self.seeds[block]}|{game}|{players}")


def load_suite(path: Path) -> Suite:
    """Returns a deal suite from its file. Raises `ConfigurationError` for a file that is none."""
    if not path.is_file() and path.exists():  # a run of somebody else may name a pipe, which keeps its reader waiting
        raise ConfigurationError(f"{path} is not a deal suite: it is no regular file. Give the file of one.")
    try:
        suite = msgspec.convert(read_plain_yaml(path).data, Suite)
    except FileNotFoundError:
        raise ConfigurationError(f"There is no deal suite {path}. `ls seeds` shows those that come along.") from None
    except (msgspec.ValidationError, OverflowError) as error:
        raise ConfigurationError(
            f"{path} is not a deal suite: {error}. It needs a name, a purpose and a list of seeds."
        ) from None
    if len(set(map(str, suite.seeds))) != len(suite.seeds):
        raise ConfigurationError(f"{path} has a seed twice: two blocks would be one deal. Take one out.")
    return suite
