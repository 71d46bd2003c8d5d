"""Sources that were made to keep whoever reads them busy: reading ends, and says what it found."""

from __future__ import annotations

import ast

import pytest

from tournament.entrants import module, reader
from tournament.entrants.entries import entrants_from
from tournament.errors import BotError

ACT = "    def act(self, view): ...\n"


def named(folder):
    return [entrant.bots[0].class_name for entrant in entrants_from([str(folder)], base=folder)]


def test_a_diamond_of_forty_rows_is_read_class_by_class(tmp_path):
    """Each class derives from both of the row above: there are 2^40 ways up."""
    text = "from tournament import Bot\nclass A0(Bot): ...\nclass B0(Bot): ...\n"
    for row in range(1, 40):
        text += f"class A{row}(A{row - 1}, B{row - 1}): ...\nclass B{row}(A{row - 1}, B{row - 1}): ...\n"
    (tmp_path / "a.py").write_text(f"{text}class Last(A39, B39):\n{ACT}")

    assert ["Last"] == named(tmp_path)


def test_files_that_import_everything_from_each_other_are_gone_through_once(tmp_path):
    """Twelve files with eleven stars each; the base stands in the last of them."""
    files = [f"_m{number}" for number in range(12)]
    for name in files:
        (tmp_path / f"{name}.py").write_text("".join(f"from {other} import *\n" for other in files if other != name))
    (tmp_path / "_m11.py").write_text("from _m0 import *\nfrom tournament import Bot\nclass Base(Bot): ...\n")
    (tmp_path / "a.py").write_text(f"from _m0 import *\nclass A(Base):\n{ACT}class B(Nowhere):\n{ACT}")

    assert ["A"] == named(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "if x == 0: ...\n" + "".join(f"elif x == {number}: ...\n" for number in range(900)),
        f"class Deep(Bot, x{'.y' * 2000}): ...\n",
        "".join(f"class C{number}({f'C{number - 1}' if number else 'Bot'}): ...\n" for number in range(3000)),
    ],
    ids=["elif", "dots", "chain"],
)
def test_what_is_deep_does_not_stop_reading(tmp_path, text):
    """A chain of `elif` is a tree as deep as it is long; so is a name with dots, and a class of a class of a class."""
    (tmp_path / "a.py").write_text(f"from tournament import Bot\nx = 1\n{text}class A(Bot):\n{ACT}")

    assert "A" in named(tmp_path)


def test_a_file_that_is_too_deep_for_python_is_named(tmp_path):
    """Python's own parser gives up: the file is told as one that cannot be read."""
    (tmp_path / "a.py").write_text(f"x = {'(' * 5000}{')' * 5000}\n")

    with pytest.raises(BotError, match=r'a\.py" cannot be read as Python: '):
        entrants_from([str(tmp_path)], base=tmp_path)


def test_a_file_that_is_too_long_is_not_parsed(tmp_path, monkeypatch):
    """The tree of a file takes hundreds of times its size."""
    monkeypatch.setattr(module, "SOURCE_BYTES", 100)
    (tmp_path / "a.py").write_text("#" * 101)

    with pytest.raises(BotError, match="it has 101 bytes, and at most 100 are read"):
        entrants_from([str(tmp_path)], base=tmp_path)


def test_looking_for_a_base_ends(tmp_path, monkeypatch):
    """Many classes, each with a base of its own that is nowhere, in files that import each other."""
    monkeypatch.setattr(reader, "MOST_STEPS", 200)
    classes = "".join(f"class C{number}(X{number}): ...\n" for number in range(100))
    (tmp_path / "b.py").write_text("from c import *\n")
    (tmp_path / "c.py").write_text("from b import *\n")
    (tmp_path / "a.py").write_text(f"from b import *\n{classes}")

    with pytest.raises(BotError, match=r"a\.py derives from too many classes in too many files"):
        entrants_from(["a.py"], base=tmp_path)


def test_a_file_is_parsed_again_when_another_thread_disturbed_that(monkeypatch):
    """Python 3.11 counts the depths of all threads that parse together, and takes their sum for an error of its own."""
    answers = iter([SystemError("AST constructor recursion depth mismatch"), ast.parse("a = 1")])

    def parse(data):
        answer = next(answers)
        if isinstance(answer, SystemError):
            raise answer
        return answer

    monkeypatch.setattr(module.ast, "parse", parse)

    assert "Assign" == type(module.parse(b"a = 1").body[0]).__name__


def test_a_file_that_is_disturbed_for_ever_is_an_error_and_no_endless_trying(monkeypatch):
    tried = []

    def parse(data):
        tried.append(data)
        raise SystemError("AST constructor recursion depth mismatch")

    monkeypatch.setattr(module.ast, "parse", parse)
    with pytest.raises(SystemError):
        module.parse(b"a = 1", tries=3)

    assert 5 == len(tried)
