"""Bots in one process: each imports what lies beside it, and nobody else sees it."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import sys
import typing

import pytest
from msgspec.structs import replace

from tournament.entrants.entries import entrants_from
from tournament.errors import BotError
from tournament.players.bot import Bot
from tournament.players.inline import load_bot_class


@pytest.fixture
def traces(tmp_path):
    """The modules and the path that loading a bot must not change."""
    before = list(sys.path)
    yield
    files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}

    assert [
        name for name, file in files.items() if file.startswith(str(tmp_path)) and "tournament_bot_" not in name
    ] == []
    assert sys.path == before


BESIDE = """
import helpers
from helpers import place
import pack.inner as inner, pack.deep.leaf
from pack import inner as again
from . import helpers as relative
from .pack.inner import place as packed

class A(Bot):
    def act(self, view):
        import late, json.decoder
        from pack.deep import later
        import pack.deep.later as same
        assert again is inner and relative is helpers and same is later and pack.deep.leaf.helpers is helpers
        assert json.decoder.__name__ == "json.decoder"
        return [place, inner.place, packed, late.place, later.place, helpers.read()]
"""


@pytest.fixture
def two(bot_file, tmp_path):
    """Two bots in two folders, with modules of the same names beside them."""

    def make(text):
        found = []
        for folder in ("one", "two"):
            found.append(bot_file(text, folder=folder))
            (tmp_path / folder / "pack" / "deep").mkdir(parents=True)
            for name in ("helpers", "late", "pack/inner", "pack/__init__", "pack/deep/later"):
                (tmp_path / folder / f"{name}.py").write_text(
                    f"place = '{folder} {name}'\ndef read():\n    import late\n    return late.place\n"
                )
            (tmp_path / folder / "pack" / "deep" / "leaf.py").write_text("import helpers\nfrom ..inner import place\n")
        return found

    return make


@pytest.mark.usefixtures("traces")
def test_two_bots_each_get_their_own_modules_also_later_and_in_packages(two):
    """Modules beside a bot do not leak to other bots."""
    bots = [load_bot_class(source)() for source in two(BESIDE)]
    answers = [bot.act(None) for bot in (*bots, bots[0])]

    assert answers == [
        [f"{folder} {name}" for name in ("helpers", "pack/inner", "pack/inner", "late", "pack/deep/later", "late")]
        for folder in ("one", "two", "one")
    ]


@pytest.mark.usefixtures("traces")
def test_one_file_loaded_twice_shares_nothing(bot_file):
    """Two entrants of one bot cannot talk through its globals."""
    source = bot_file("class A(Bot):\n    seen = []\n    act = len\n")
    first, second = load_bot_class(source), load_bot_class(source)

    assert first is not second
    assert first.seen is not second.seen
    assert issubclass(first, Bot)


@pytest.mark.usefixtures("traces")
def test_the_standard_library_comes_before_what_lies_beside(bot_file, tmp_path):
    """In a folder of several bots one may be named as one of its modules."""
    text = "import random, statistics\nclass A(Bot):\n    which = random.__file__\n    act = len\n"
    source = bot_file(text, folder="one")
    (tmp_path / "one" / "random.py").write_text("x = 1\n")
    loaded = load_bot_class(source)
    import random

    assert random.__file__ == loaded.which
    assert sys.modules["statistics"].random is random


@pytest.mark.usefixtures("traces")
def test_a_module_beside_can_still_be_asked_for_by_a_relative_import(bot_file, tmp_path):
    """Then it can mean nothing else."""
    source = bot_file("from . import random\nclass A(Bot):\n    which = random.__file__\n    act = len\n", folder="one")
    (tmp_path / "one" / "random.py").write_text("x = 1\n")

    assert str(tmp_path / "one" / "random.py") == load_bot_class(source).which


@pytest.mark.usefixtures("traces")
def test_a_bot_of_a_run_of_0_1_0_imports_as_it_did(bot_file, tmp_path):
    """There what lay beside hid the standard library for that bot, and only for it."""
    text = "import random, statistics\nclass A(Bot):\n    which = random.__file__\n    act = len\n"
    mine, theirs = bot_file(text, folder="one"), bot_file(text, folder="two")
    (tmp_path / "one" / "random.py").write_text("x = 1\n")
    loaded = load_bot_class(replace(mine, hides_library=True))
    other = load_bot_class(replace(theirs, hides_library=True))
    import random

    assert str(tmp_path / "one" / "random.py") == loaded.which
    assert random.__file__ == other.which


@pytest.mark.usefixtures("traces")
def test_a_folder_beside_without_python_files_hides_nothing(bot_file, tmp_path):
    """A folder that is no package comes last, as for a script."""
    source = bot_file(
        "import json, records.book\nclass A(Bot):\n    found = [json.dumps(1), records.book.x]\n    act = len\n"
    )
    (tmp_path / "bots" / "json").mkdir()
    (tmp_path / "bots" / "records").mkdir()
    (tmp_path / "bots" / "records" / "book.py").write_text("x = 2\n")

    assert load_bot_class(source).found == ["1", 2]


@pytest.mark.usefixtures("traces")
def test_built_in_modules_and_the_harness_are_never_beside(bot_file, tmp_path):
    """A bot next to a checkout of the harness still derives from its Bot."""
    source = bot_file("import sys\nclass A(Bot):\n    modules = sys.modules\n    act = len\n")
    (tmp_path / "bots" / "sys.py").write_text("")
    (tmp_path / "bots" / "tournament").mkdir()
    (tmp_path / "bots" / "tournament" / "__init__.py").write_text("Bot = object\n")

    assert load_bot_class(source).modules is sys.modules


@pytest.mark.usefixtures("traces")
def test_classes_of_a_bot_behave_like_any_other(bot_file, tmp_path):
    """dataclasses, pickle, type hints, enums; nothing runs as a script."""
    source = bot_file(
        """
        from __future__ import annotations
        import enum
        from dataclasses import dataclass, field
        from typing import NamedTuple
        from helpers import Shape

        @dataclass(order=True)
        class Plan(Shape):
            depth: int = 1
            next: Plan | None = None
            cards: list[str] = field(default_factory=list)

        class Pair(NamedTuple):
            plan: Plan
            mood: Mood

        class Mood(enum.Enum):
            CALM = 1

        class A(Bot):
            Plan, Pair, Mood = Plan, Pair, Mood
            act = len

        if __name__ == "__main__":
            raise SystemExit
        """.replace("from tournament import Bot", "")
    )
    path = tmp_path / "bots" / "a.py"
    text = path.read_text().replace("from __future__ import annotations\n", "")
    path.write_text("from __future__ import annotations\n" + text)
    (tmp_path / "bots" / "helpers.py").write_text(
        "from dataclasses import dataclass\n@dataclass\nclass Shape:\n    width: int = 3\n"
    )
    bot = load_bot_class(source)
    pair = bot.Pair(bot.Plan(depth=2, next=bot.Plan()), bot.Mood.CALM)

    assert pickle.loads(pickle.dumps(pair)) == pair
    assert copy.deepcopy(pair) == pair
    assert dataclasses.asdict(pair.plan)["next"]["width"] == 3
    assert typing.get_type_hints(bot.Plan)["next"] == bot.Plan | None
    assert typing.get_type_hints(bot.Pair)["mood"] is bot.Mood


@pytest.mark.usefixtures("traces")
def test_a_bot_may_import_the_file_it_is_in_and_other_bots(bot_file, tmp_path):
    """A circle of imports ends at the bot's own module."""
    source = bot_file("import other\nclass A(Bot):\n    act = len\n    def twin(self): return other.a.A\n")
    (tmp_path / "bots" / "other.py").write_text("import a\n")
    bot = load_bot_class(source)

    assert bot().twin() is bot


@pytest.mark.usefixtures("traces")
def test_loading_leaves_no_bytecode_and_reads_what_is_there_now(bot_file, tmp_path, monkeypatch):
    """A module changed within one second is not taken from a cache."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    source = bot_file("from helpers import x\nclass A(Bot):\n    value = x\n    act = len\n")
    values = []
    for x in (1, 2):
        (tmp_path / "bots" / "helpers.py").write_text(f"x = {x}\n")
        values.append(load_bot_class(source).value)

    assert values == [1, 2]
    assert not (tmp_path / "bots" / "__pycache__").exists()


@pytest.mark.usefixtures("traces")
def test_a_name_that_is_no_identifier_can_be_the_name_of_a_bot(bot_file):
    """Files are found by path."""
    source = bot_file("class A(Bot):\n    act = len\n", name="my-bot 2.1.py")

    assert load_bot_class(source).__name__ == "A"


@pytest.mark.usefixtures("traces")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1 / 0\n", "ZeroDivisionError: division by zero (a.py, line 2)"),
        ("import nowhere\n", "ModuleNotFoundError: No module named 'nowhere' (a.py, line 2)"),
        ("import helpers\n", "ValueError: helpless (helpers.py, line 1)"),
        ("import pack.missing\n", "ModuleNotFoundError: No module named 'pack.missing' (a.py, line 2)"),
        ("raise SystemExit(3)\n", "SystemExit: 3 (a.py, line 2)"),
        ("from .. import above\n", "ImportError: attempted relative import beyond top-level package (a.py, line 2)"),
        ("return\n", "SyntaxError: 'return' outside function"),
    ],
)
def test_a_bot_that_cannot_be_imported_is_named_with_its_last_line(bot_file, tmp_path, text, problem):
    """An import error is the bot's own; half-loaded modules are forgotten."""
    source = bot_file(text + "class A(Bot):\n    act = len\n")
    (tmp_path / "bots" / "helpers.py").write_text("raise ValueError('helpless')\n")
    (tmp_path / "bots" / "pack").mkdir()
    (tmp_path / "bots" / "pack" / "__init__.py").write_text("")
    before = set(sys.modules)
    with pytest.raises(BotError) as caught:
        load_bot_class(source)

    assert str(caught.value) == f"bots/a.py cannot be imported: {problem}. Fix the bot."
    assert {name for name in set(sys.modules) - before if "." in name} == set()


@pytest.mark.usefixtures("traces")
def test_a_class_that_turns_out_to_be_no_bot_is_an_error(bot_file):
    """Reading cannot know everything."""
    source = bot_file("Bot = object if Bot else Bot\nclass A(Bot):\n    def act(self, view): ...\n")

    with pytest.raises(
        BotError, match=r"^A in bots/a\.py is not a class that derives from tournament\.Bot\. Fix the bot\.$"
    ):
        load_bot_class(source)


def test_an_installed_module_is_imported_under_its_own_name(tmp_path, monkeypatch):
    """Spec form: module."""
    (tmp_path / "installed_bot.py").write_text("from tournament import Bot\nclass A(Bot):\n    act = len\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "installed_bot", raising=False)
    (entrant,) = entrants_from(["installed_bot:A"], base=tmp_path / "bots")
    bot = load_bot_class(entrant.bots[0])
    monkeypatch.delitem(sys.modules, "installed_bot")

    assert bot.__module__ == "installed_bot"
