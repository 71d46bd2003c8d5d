"""Names of our games and bots: what is played by default, and examples in helps, messages and descriptions.

The only place outside `games/` that names a game. It imports nothing: the help of the command shows it.
"""

from __future__ import annotations

from typing import Final

GAME: Final = "scout"
GAMES: Final = ("scout", "explorers")
GROUP: Final = "scout-3p"
PLAYERS: Final = "scout:3"
SEVERAL_PLAYERS: Final = "scout:3,4"
RECORD_SCHEMA: Final = "record-scout.v1"
BOT: Final = "{name: keeper, bot: bots/scout_keeper.py}"

CONFIGURATION: Final[dict[str, str]] = {
    "games": "games: [{game: scout, players: [3, 4]}]",
    "games.options": "games: [{game: explorers, players: 2, options: {stall_limit: 12}}]",
    "bots": f"bots: [bots/random_legal.py, {BOT}]",
    "weights": "weights: {scout: 2, explorers: 1}",
}
"""A line of right YAML for every field of a configuration in which a game is named."""

DEFAULT_GAMES: Final = (("scout", 3), ("explorers", 2))
"""What is played where nobody says so: games with their numbers of players."""

DEFAULT_BOTS: Final[tuple[dict[str, str], ...]] = (
    {"name": "random", "bot": "random_legal.py"},
    {"name": "cautious", "scout": "scout_cautious.py", "explorers": "explorers_cautious.py"},
    {"name": "steady", "scout": "scout_planner.py", "explorers": "explorers_threshold.py"},
    {"name": "strong", "scout": "scout_keeper.py", "explorers": "explorers_planner.py"},
)
"""Who plays where nobody says so: files of the example bots."""

KINDS_OF_ACTIONS: Final = "keep, turn, play, scout; start, build, discard, draw"
