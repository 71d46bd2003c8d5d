"""`validate` refuses what `run` refuses, and nothing else."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tournament.configuration.bots import build
from tournament.configuration.checking import check_suite
from tournament.configuration.file import read_configuration
from tournament.configuration.resolving import resolve
from tournament.configuration.validation import validate_with_bots
from tournament.errors import BotError, ConfigurationError, GameError
from tournament.run.budgets import fields_of

GOOD = {
    "name": "open",
    "seed": "x",
    "games": [{"game": "scout", "players": [2, 3]}, {"game": "explorers", "players": 2}],
    "bots": [
        "random_legal",
        {"name": "keeper", "scout": "scout_keeper", "explorers": "bots/explorers_planner.py"},
        {"name": "made", "bot": "random_legal", "build": ["true"], "clock": {"move_ms": 5}},
        {"name": "program", "command": ["true"], "build": ["true"], "files": [], "limits": {"memory_mb": 64}},
        {"name": "deep", "bot": "random_legal", "isolation": "process", "env": {"A": "b"}},
    ],
    "schedule": "round-robin",
    "budget": {"deals": 2},
    "isolation": "process",
    "weights": {"scout": 1, "explorers": 2},
    "trace": ["keeper"],
    "withdraw": {"starts": 2},
    "clock": {"move_ms": 100},
    "keep": "all",
}

VALUES = st.sampled_from(
    [
        None,
        True,
        0,
        1,
        3,
        -1,
        2.5,
        10**12,
        "",
        "x",
        "none",
        "gauntlet",
        "knockout",
        "decided",
        "sprt",
        "process",
        "keeper",
    ]
    + ["scout", "touch x", "random_legal", "scout_greedy", "seeds/smoke.yaml", "bots/none.py", "sample:1%", "never"]
    + [
        [],
        {},
        ["keeper"],
        ["made"],
        ["touch", "x"],
        ["true"],
        {"games": 4},
        {"games": 40},
        {"deals": 1000},
        {"x": 1},
        [2, 2],
    ]
)
NAMES = st.sampled_from(
    ["clok", "clock", "build", "bot", "command", "scout", "games", "players", "focus", "until", "deals_from", "params"]
    + ["isolation", "python", "env", "limits", "version", "files", "options", "workers", "allow_mixed", "compress"]
)


MADE = ((), ("bot",), ("command",), ("files",))


def places(value, place=()):
    """Yields where the parts of a document stand."""
    yield place
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*place, key))


@st.composite
def mutations(draw):
    """Draws a configuration that differs in one or two places from a good one."""
    data = copy.deepcopy(GOOD)
    for _ in range(draw(st.integers(1, 2))):
        place = draw(st.sampled_from([place for place in places(data) if place]))
        holder = data
        for part in place[:-1]:
            holder = holder[part]
        change = draw(st.sampled_from(["set", "drop", "add", "twice"]))
        # What a build makes is not known before: its `true` makes nothing, and the bots of these entries are there.
        is_built = place[:2] in (("bots", 2), ("bots", 3))
        assume(not is_built or (change == "set" and place[2:3] not in MADE))
        if change == "set":
            holder[place[-1]] = draw(VALUES)
            # Nor is whether the `true` of one entry makes the program with which the next is built.
            assume(not is_built or place[2:] != ("build", 0) or "/" not in str(holder[place[-1]]))
        elif change == "drop":
            del holder[place[-1]]
        elif change == "twice" and isinstance(holder, list):
            holder.append(holder[place[-1]])
        elif isinstance(holder, dict):
            holder[draw(NAMES)] = draw(VALUES)
    return data


def refused_by_run(path):
    """Returns why `run` refuses a file before it plays, or None."""
    try:
        source = read_configuration(path)
        build(source, say=lambda text: None)
        resolved = resolve(source)
        if resolved.budget.minutes is None:
            check_suite(resolved, fields_of(resolved))
    except (ConfigurationError, BotError, GameError) as error:
        return str(error)
    return None


@settings(max_examples=40, deadline=None)
@given(mutations())
def test_run_and_validate_refuse_the_same_configurations(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("alike") / "open.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    by_run, problems = refused_by_run(path), [str(problem) for problem in validate_with_bots([path])]

    assert (by_run is None) == (problems == []), (by_run, problems)


def test_the_configuration_that_is_changed_is_good(tmp_path):
    path = tmp_path / "open.yaml"
    path.write_text(yaml.safe_dump(GOOD, sort_keys=False))

    assert ([], None) == (validate_with_bots([path]), refused_by_run(path))


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ("{name: a, bot: random_legal, build: touch x}", "build of a is a list of texts"),
        ("{name: a, bot: made_later.py, build: [make], clok: 5}", 'has no key "clok". Did you mean "clock"?'),
        ("{name: a, command: [./made], build: [make], clock: {move: 5}}", '"move" is not known here'),
        ("{name: a, command: [./made], build: [make], isolation: none}", "is a command, and isolation none"),
        ("{name: a, bot: made_later.py, build: [make], params: [5]}", "params of a are names with values"),
        ("{name: a, bot: made_later.py, build: [make], players: 7}", "no game of this bot is played with so many"),
        ("{name: a, bot: random_legal, params: {depth: 2}}", 'has no parameter "depth". RandomLegal takes none'),
        ("{name: scout_greedy, bot: made_later.py, build: [make]}", 'Two entrants are named "scout_greedy"'),
    ],
)
def test_an_entry_that_is_still_to_be_built_is_checked(tmp_path, entry, sentence):
    path = tmp_path / "open.yaml"
    path.write_text(
        f"bots:\n  - {{name: scout_greedy, bot: scout_greedy}}\n  - {entry}\ngames: [{{game: scout, players: 2}}]\n"
    )
    [problem] = validate_with_bots([path])

    assert sentence in problem.text


@pytest.mark.parametrize("program", ["nosuch", "./nosuch", "./plain", "./"])
def test_a_program_that_cannot_build_is_refused_by_both(tmp_path, program):
    path = tmp_path / "open.yaml"
    (tmp_path / "plain").write_text("no program")
    path.write_text(
        f"bots:\n  - random_legal\n  - {{name: a, bot: random_legal, build: [{program}]}}\n"
        "games: [{game: scout, players: 2}]\n"
    )
    [problem] = validate_with_bots([path])

    assert problem.text == refused_by_run(path)
    assert f"build of a ({program}) cannot be run: " in problem.text


def test_what_builds_a_bot_that_does_not_play_is_not_looked_for(tmp_path):
    path = tmp_path / "open.yaml"
    path.write_text(
        "bots: [random_legal, scout_greedy, {name: a, explorers: random_legal, build: [nosuch]}]\n"
        "games: [{game: scout, players: 2}]\n"
    )

    assert ([], None) == (validate_with_bots([path]), refused_by_run(path))


def test_an_earlier_build_may_make_the_program_of_a_later_one(tmp_path):
    path = tmp_path / "open.yaml"
    path.write_text(
        "bots:\n  - {name: tool, bot: random_legal, build: [ln, -sf, /bin/true, made]}\n"
        "  - {name: a, bot: random_legal, build: [./made]}\n"
        "games: [{game: scout, players: 2}]\n"
    )

    assert ([], None) == (validate_with_bots([path]), refused_by_run(path))


def test_a_parameter_that_a_bot_needs_is_wanted_by_both(tmp_path):
    path = tmp_path / "open.yaml"
    (tmp_path / "deep.py").write_text(
        "from tournament import Bot\nclass Deep(Bot):\n"
        "    def __init__(self, depth): ...\n    def act(self, view): ...\n"
    )
    path.write_text("bots: [random_legal, deep.py]\ngames: [{game: scout, players: 2}]\n")
    [problem] = validate_with_bots([path])

    assert "`__init__` of Deep in deep.py needs depth." in problem.text
    assert problem.text == refused_by_run(path)


def test_what_a_build_makes_is_not_missing(tmp_path):
    path = tmp_path / "open.yaml"
    path.write_text(
        "bots: [random_legal, {name: a, bot: made_later.py, build: [make], params: {depth: 2}}, "
        "{command: [./made], files: [made], build: [make]}]\n"
    )

    assert [] == validate_with_bots([path])


def test_a_field_that_does_not_suit_the_bots_is_told_with_its_line(tmp_path):
    path = tmp_path / "open.yaml"
    path.write_text("bots: [random_legal, scout_greedy]\ngames: [{game: scout, players: 2}]\ntrace: [keeper]\n")
    [problem] = validate_with_bots([Path(path)])

    assert (3, True) == (problem.line, problem.text.startswith('trace: "keeper" takes no part here.'))
