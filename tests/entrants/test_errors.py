"""Every error of entrants: one sentence or two, what was expected, what was found, what to do."""

from __future__ import annotations

import pytest

from tournament.entrants.entries import entrants_from
from tournament.errors import BotError

BOT = "from tournament import Bot\nclass {0}(Bot):\n    def act(self, view): ...\n"


@pytest.fixture
def base(tmp_path):
    """A folder with good and bad bots."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "greedy.py").write_text(
        BOT.format("Greedy") + "class Helper: ...\nclass _Secret(Bot): act = 1\n"
    )
    (tmp_path / "bots" / "both.py").write_text(BOT.format("Left") + BOT.format("Right"))
    (tmp_path / "bots" / "scouty.py").write_text(BOT.format("Scouty") + "    games = ('scout',)\n")
    (tmp_path / "bots" / "broken.py").write_text("x = 1\nclass (:\n")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "plain.py").write_text("x = 1\n")
    (tmp_path / "tools" / "idle.py").write_text("from tournament import Bot\nclass Idle(Bot): ...\n")
    (tmp_path / "rusty").write_text("")
    return tmp_path


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A distribution on sys.path that offers two bots, one of them missing."""
    site = tmp_path / "site"
    (site / "pkg").mkdir(parents=True)
    (site / "pkg" / "__init__.py").write_text("")
    (site / "pkg" / "bot.py").write_text(BOT.format("Far"))
    info = site / "pkg-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pkg\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[tournament.bots]\nfaraway = pkg.bot:Far\ngone = pkg.gone:Far\n")
    monkeypatch.syspath_prepend(str(site))


def message(specs, base):
    """Returns the text of the error for specs, with the folder as BASE."""
    with pytest.raises(BotError) as caught:
        entrants_from(specs, base=base)
    return str(caught.value).replace(str(base), "BASE")


CASES = {
    "a missing file": (
        "bots/gredy.py",
        'There is no "bots/gredy.py": BASE/bots has no "gredy.py". Did you mean "greedy.py"?',
    ),
    "a missing folder": ("bot/greedy.py", 'There is no "bot/greedy.py": BASE has no "bot". Did you mean "bots"?'),
    "nothing like it": (
        "zzz/qqq.py",
        'There is no "zzz/qqq.py": BASE has no "zzz". Paths start at the file that names '
        "them, on the command line at the current folder.",
    ),
    "a home folder": (
        "~/greedy.py",
        'There is no "~/greedy.py": BASE has no "~". Paths start at the file that names '
        "them, on the command line at the current folder.",
    ),
    "a folder with what is nearly a bot": (
        "tools",
        '"Idle" in "tools/idle.py" has no act method. Write one, or name another class. The file has no bot.\n'
        'Or take what is broken out of the folder "tools".',
    ),
    "a folder without bots": (
        "pair/none",
        'The folder "pair/none" (BASE/pair/none) has no bot. A bot is a class that derives from tournament.Bot and has '
        "an act method, in a .py file that does not start with _.",
    ),
    "a broken file": (
        "bots/broken.py",
        '"bots/broken.py" cannot be read as Python: line 2: invalid syntax. Fix it: BASE/bots/broken.py',
    ),
    "a folder with a broken file": (
        "bots",
        '"bots/broken.py" cannot be read as Python: line 2: invalid syntax. Fix it: BASE/bots/broken.py\n'
        'Or take what is broken out of the folder "bots".',
    ),
    "a file without a bot": (
        "tools/plain.py",
        '"tools/plain.py" has no bot. A bot is a class that derives from tournament.Bot and has an act method, on the '
        "top level of its file.",
    ),
    "a class without act": (
        "tools/idle.py:Idle",
        '"Idle" in "tools/idle.py" has no act method. Write one, or name another class. The file has no bot.',
    ),
    "several bots": (
        "bots/both.py",
        '"bots/both.py" has several bots: Left, Right. Name one of them: bots/both.py:Left.',
    ),
    "a wrong class": (
        "bots/both.py:Leftt",
        '"bots/both.py" has no class "Leftt". Did you mean "Left"? It has: Left, Right.',
    ),
    "a class that is no bot": (
        "bots/greedy.py:Helper",
        '"Helper" in "bots/greedy.py" is no bot: it does not derive from tournament.Bot. Its bots: Greedy.',
    ),
    "a private class": (
        "bots/greedy.py:_Secret",
        '"_Secret" in "bots/greedy.py" is no bot: it is private: its name starts with _. Its bots: Greedy.',
    ),
    "a class of a folder": ("bots:Greedy", '"bots" is a folder. Name the file that has Greedy: bots/FILE.py:Greedy.'),
    "a file that is no Python": (
        "rusty",
        '"rusty" is no Python file. A program in another language is a command: ["./rusty"]; '
        'for one check: tournament bot check --command "./rusty".',
    ),
    "an unknown name": (
        "farawy",
        '"farawy" is not an installed bot, and BASE has no file or folder of that name. Did you mean "faraway"? '
        "Installed bots: faraway, gone.",
    ),
    "a helper of the examples, which is no bot": (
        "_scout_hand",
        '"_scout_hand" is not an installed bot, and BASE has no file or folder of that name. '
        "Installed bots: faraway, gone.",
    ),
    "a module without a class": (
        "pkg.bot",
        '"pkg.bot" is not an installed bot, and BASE has no file or folder of that name. '
        "Installed bots: faraway, gone. A class of a module is written pkg.bot:Class.",
    ),
    "a missing module": (
        "pkgg.bot:Far",
        'There is no module "pkgg", wanted for "pkgg.bot:Far". '
        "Install the package that has it into this Python, or write the path of the file.",
    ),
    "an installed name without its module": (
        "gone",
        'There is no module "pkg.gone", wanted for "gone". '
        "Install the package that has it into this Python, or write the path of the file.",
    ),
    "a module of a module": (
        "pkg.bot.deeper:Far",
        'There is no module "pkg.bot.deeper", wanted for "pkg.bot.deeper:Far". '
        "Install the package that has it into this Python, or write the path of the file.",
    ),
    "a module that is built in": (
        "sys:Far",
        '"sys" is not a module written in Python as a file, so its bots cannot be read. Name another.',
    ),
    "a wrong class of a module": ("pkg.bot:Fa", '"pkg.bot" has no class "Fa". Did you mean "Far"? It has: Far.'),
    "a missing executable": (
        ["./rustie"],
        'There is no "./rustie": BASE has no "rustie". Did you mean "rusty"?',
    ),
    "a file that is not executable": (["./rusty"], '"./rusty" is not executable. Make it so: chmod +x BASE/rusty'),
    "a program not on the search path": (
        ["no-such-program-anywhere"],
        'There is no program "no-such-program-anywhere" on the search path. Install it, or write its path.',
    ),
    "a program beside, not on the search path": (
        ["rusty"],
        'There is no program "rusty" on the search path. BASE has one: write ./rusty.',
    ),
    "a folder as executable": (["./bots"], '"./bots" is a folder, and a file is needed here. Name the file.'),
    "an empty command": ([], 'A command is a list of texts, such as ["./program", "--fast"], not [].'),
    "a number in a command": (
        ["./rusty", 1],
        'A command is a list of texts, such as ["./program", "--fast"], not [\'./rusty\', 1].',
    ),
    "a number as spec": (
        7,
        "A bot is written as a path, a module (pkg.mod:Class), an installed name or a command "
        '(["./program", "--flag"]), not as 7.',
    ),
    "a text as command": (
        {"command": "./rusty"},
        'A command is a list of texts: command: ["./program", "--fast"], not \'./rusty\'.',
    ),
    "an unknown key": (
        {"bot": "bots/greedy.py", "parms": {}},
        'An entry of bots has no key "parms". Did you mean "params"? '
        "It may have: name, bot, command, games, players, files, params, version, isolation, python, build, env, "
        "limits, clock, or a game: scout, explorers.",
    ),
    "an unknown game with one bot a game": (
        {"name": "x", "scoot": "bots/greedy.py"},
        'There is no game "scoot" to give a bot for. Did you mean "scout"? Known games: scout, explorers.',
    ),
    "an unknown game among games": (
        {"bot": "bots/greedy.py", "games": ["explorer"]},
        'games of bots/greedy.py: there is no game "explorer". Did you mean "explorers"? '
        "Known games: scout, explorers.",
    ),
    "a game the bot does not play": (
        {"name": "x", "explorers": "bots/scouty.py"},
        "Scouty in bots/scouty.py does not play explorers, only scout. "
        "Give another bot for explorers, or leave explorers out.",
    ),
    "games the bot does not play": (
        {"bot": "bots/scouty.py", "games": ["scout", "explorers"]},
        "Scouty in bots/scouty.py does not play explorers, only scout. "
        "Give another bot for explorers, or leave explorers out.",
    ),
    "games twice": (
        {"scout": "bots/scouty.py", "games": ["scout"]},
        "An entry with one bot a game (scout) plays these games: leave out games.",
    ),
    "neither bot nor command": (
        {"name": "x"},
        "An entry of bots has either bot, or command, or one bot for each game; x has none of them. "
        "For example: {name: keeper, bot: bots/scout_keeper.py}",
    ),
    "bot and command": (
        {"bot": "bots/greedy.py", "command": ["./rusty"]},
        "An entry of bots has either bot, or command, or one bot for each game; bots/greedy.py has bot and command. "
        "For example: {name: keeper, bot: bots/scout_keeper.py}",
    ),
    "no name for two bots": (
        {"scout": "bots/scouty.py", "explorers": "bots/greedy.py"},
        "An entrant with different bots for scout and explorers needs a name. Give it one: name: keeper.",
    ),
    "a folder in an entry": (
        {"bot": "pair"},
        '"pair" has 2 bots, and this entry stands for one entrant. '
        "Name one file here, or write the folder on a line of its own.",
    ),
    "a missing listed file": (
        {"bot": "bots/greedy.py", "files": ["rustx"]},
        'There is no "rustx": BASE has no "rustx". Did you mean "rusty"?',
    ),
    "files that are no list": (
        {"name": "x", "bot": "bots/greedy.py", "files": "rusty"},
        "files of x is a list of names, such as files: [rusty], not 'rusty'.",
    ),
    "parameters that are no mapping": (
        {"name": "x", "bot": "bots/greedy.py", "params": [1]},
        "params of x are names with values, such as params: {depth: 2}, not [1].",
    ),
    "a parameter that is no name": (
        {"name": "x", "bot": "bots/greedy.py", "params": {"a b": 1}},
        "params of x are names with values, such as params: {depth: 2}, not {'a b': 1}.",
    ),
    "a parameter that is no JSON": (
        {"name": "x", "bot": "bots/greedy.py", "params": {"a": {1}}},
        "params of x are JSON values (numbers, texts, lists, mappings): Object of type set is not JSON serializable.",
    ),
    "a version that is no text": (
        {"name": "x", "bot": "bots/greedy.py", "version": 2.1},
        'version of x is a text of at most 64 characters, such as "2", not 2.1.',
    ),
    "a name that is no text": (
        {"name": 7, "bot": "bots/greedy.py"},
        'The name of an entrant is a text, not 7. Write it in quotes: name: "7".',
    ),
    "a blank name": (
        {"name": "  ", "bot": "bots/greedy.py"},
        "The name '  ' cannot be an entrant's: it is empty; write at least one letter.",
    ),
    "a long name": (
        {"name": "x" * 65, "bot": "bots/greedy.py"},
        f"The name '{'x' * 65}' cannot be an entrant's: it has 65 characters; write at most 64.",
    ),
    "a slash in a name": (
        {"name": "a/b", "bot": "bots/greedy.py"},
        "The name 'a/b' cannot be an entrant's: it has a slash or a backslash; write it without.",
    ),
    "a control character in a name": (
        {"name": "a\x1b[31m", "bot": "bots/greedy.py"},
        r"The name 'a\x1b[31m' cannot be an entrant's: it has a character that cannot be printed; write it without.",
    ),
    "games worked out": (
        "calculated/games.py",
        "The games of A in calculated/games.py cannot be read. Write their names out: "
        'games = ("scout",). To play every game, leave it out.',
    ),
    "games as one text": (
        "calculated/text.py",
        "The games of A in calculated/text.py cannot be read. Write their names out: "
        'games = ("scout",). To play every game, leave it out.',
    ),
    "a game nobody knows in a class": (
        "calculated/unknown.py",
        'A in calculated/unknown.py: there is no game "scoutt". Did you mean "scout"? Known games: scout, explorers.',
    ),
    "a version worked out": (
        "calculated/version.py",
        'The version of A in calculated/version.py cannot be read. Write it out as a short text: version = "2".',
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_error_says_what_was_found_and_what_to_do(base, site, case):
    """One message a mistake."""
    (base / "pair" / "none").mkdir(parents=True)
    for name in ("one", "two"):
        (base / "pair" / f"{name}.py").write_text(BOT.format("A"))
    (base / "calculated").mkdir()
    for name, line in {
        "games": "games = tuple(x for x in y)",
        "text": "games = 'scout'",
        "unknown": "games = ('scoutt',)",
        "version": "version = VERSION",
    }.items():
        (base / "calculated" / f"{name}.py").write_text(BOT.format("A") + f"    {line}\n")
    spec, expected = CASES[case]

    assert message([spec], base) == expected


def test_two_entrants_of_one_given_name_are_an_error(base):
    """A given name is never changed, so it can be given only once."""
    entry = {"name": "x", "bot": "bots/greedy.py"}

    assert message([entry, entry], base) == 'Two entrants are named "x". Give one of them another name.'


def test_a_file_whose_own_name_is_no_name_for_an_entrant_needs_one(base):
    """Default names obey the same rules."""
    (base / f"{'x' * 65}.py").write_text(BOT.format("A"))

    assert message([f"{'x' * 65}.py"], base) == (
        f"{'x' * 65}.py needs a name, because its own cannot be an entrant's: "
        "it has 65 characters; write at most 64. Write name: keeper."
    )


@pytest.mark.parametrize("data", [b"x = '\xff'\n", b"\x00\n", b"(" * 5000, b"-" * 200_000 + b"1"])
def test_a_file_that_no_parser_reads_is_an_error_of_the_bot(base, data):
    """Wrong encoding, null bytes, endless nesting."""
    (base / "odd.py").write_bytes(data)

    assert message(["odd.py"], base).startswith('"odd.py" cannot be read as Python: ')


def test_a_name_too_long_for_the_file_system_is_not_there(base):
    """No traceback for any text."""
    long = "x" * 5000

    assert message([f"{long}.py"], base).startswith(f'There is no "{long}.py"')
    assert message([long], base).startswith(f'"{long}" is not an installed bot')
