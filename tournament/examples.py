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

DEMONSTRATION: Final = """\
title: A competition to look at
games: [{game: scout, players: 3}]
isolation: ISOLATION
clock: {move_ms: 1000, bank_ms: 5000}
round_seconds: 10
deals_a_day: 4000
versions_a_day: 50
bots_a_participant: 3
about: |
  The example bots take part, each for somebody. Sign up, and hand in a bot of your own.
"""
"""The rules of the competition that `tournament arena demo` shows."""

DEMONSTRATION_BOTS: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("ann", "greta", ("scout_greedy.py", "_scout_hand.py")),
    ("ben", "carl", ("scout_cautious.py", "_scout_hand.py")),
    ("cleo", "polly", ("scout_planner.py", "_scout_hand.py")),
    ("dan", "rando", ("random_legal.py",)),
)
"""Who takes part in it: the account, the name of the bot, and its files, the first of which is the bot itself."""

COMMANDS: Final[dict[str, tuple[str, ...]]] = {
    "run": (
        "tournament run --deals 5",
        "tournament run --game scout:2 --bots scout_greedy,scout_cautious --deals 20 --out duel",
        "tournament run tournament.yaml --workers auto --isolation sandbox",
    ),
    "plan": ("tournament plan --deals 100",),
    "resume": ("tournament resume records/tournament",),
    "extend": ("tournament extend duel --deals 5", "tournament extend duel --add random_legal"),
    "final": ("tournament final records/tournament --deals 5",),
    "watch": ("tournament watch records/tournament", "tournament watch records/tournament --once"),
    "play": ("tournament play scout --against scout_greedy,scout_cautious",),
    "standings": ("tournament standings duel", "tournament standings records/tournament --show ratings --format csv"),
    "compare": ("tournament compare duel --bots scout_greedy scout_cautious",),
    "replay": (
        "tournament replay 'duel#scout-2p.0.000000.0'",
        "tournament replay 'duel#scout-2p.0.000000.0' --html game.html",
    ),
    "report": ("tournament report duel",),
    "serve": ("tournament serve records",),
    "export": ("tournament export duel --rows moves --format csv --out moves.csv",),
    "publish": ("tournament publish duel --out duel-public",),
    "analyse": ("tournament analyse 'duel#scout-2p.0.000000.0' --seat 0 --worlds 20",),
    "whatif": ("tournament whatif 'duel#scout-2p.0.000000.0' --move 3 --bot random_legal",),
    "audit": ("tournament audit duel",),
    "validate": ("tournament validate duel tournament.yaml",),
    "gate": ("tournament gate duel --new scout_greedy --old random_legal",),
    "schema": (
        "tournament schema",
        "tournament schema record-scout.v1",
        "tournament schema configuration --modeline",
    ),
    "disqualify": (
        "tournament disqualify duel random_legal --reason 'a copy of another bot'",
        "tournament disqualify duel random_legal --undo",
    ),
    "selftest": ("tournament selftest",),
    "repro": ("tournament repro 'duel#scout-2p.0.000000.0' --move 3",),
    "bot list": ("tournament bot list", "tournament bot list mybot"),
    "bot check": ("tournament bot check scout_greedy --games 10", "tournament bot check mybot/tournament.yaml#mybot"),
    "bot new": ("tournament bot new mybot --game scout",),
    "game list": ("tournament game list",),
    "game show": ("tournament game show explorers",),
    "language list": ("tournament language list",),
    "language glossary": ("tournament language glossary de",),
    "language write": ("tournament language write de --term round --out languages",),
    "arena demo": ("tournament arena demo", "tournament arena demo --port 8080 --keep demo"),
    "submit": (
        "tournament submit mybot.py --bot mybot --to https://arena.example.org",
        "tournament submit mybot/ --bot mybot --to https://arena.example.org --check-only",
    ),
    "arena init": (
        "tournament arena init arena",
        "tournament arena init bots-2026 --title 'Bots of 2026' --address https://bots.example.org --proxies 1",
    ),
    "arena start": ("tournament arena start arena",),
    "arena web": ("tournament arena web arena",),
    "arena referee": ("tournament arena referee arena",),
    "arena check": ("tournament arena check arena",),
    "arena backup": ("tournament arena backup arena arena-backup.tar.gz",),
    "arena restore": ("tournament arena restore arena-backup.tar.gz arena-restored",),
    "arena upgrade": ("tournament arena upgrade arena",),
    "arena competition": (
        "tournament arena competition arena cup --from cup.yaml --state open",
        "tournament arena competition arena cup",
    ),
    "arena host": (
        "tournament arena host arena ann",
        "tournament arena host arena ben --of cup",
        "tournament arena host arena ben --link",
    ),
    "arena import": ("tournament arena import arena cup submissions",),
    "arena export": ("tournament arena export arena cup --out cup-public",),
    "arena rebuild": ("tournament arena rebuild arena",),
    "arena systemd": ("tournament arena systemd arena --user arena",),
}
"""Examples of every command, shown at the end of its help."""

KINDS_OF_ACTIONS: Final = "keep, turn, play, scout; start, build, discard, draw"
