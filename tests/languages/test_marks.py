"""Marks in the code are such that the texts are found, and translated when they are shown."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "tournament"
MARKS = {"gettext", "ngettext", "pgettext", "npgettext", "gettext_noop", "gettext_lazy"}
MARKS |= {"kept_gettext", "kept_ngettext"}
OWN = PACKAGE / "languages"


@pytest.fixture(scope="module")
def trees():
    """The syntax of each module by its path."""
    paths = [path for path in PACKAGE.rglob("*.py") if OWN not in path.parents]
    assert len(paths) > 100
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def marks_in(tree):
    """Returns the calls that mark a text."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS
    ]


def place(path, node):
    return f"{path.relative_to(PACKAGE.parent)}:{node.lineno}"


def test_no_text_is_marked_within_an_f_string(trees):
    """There it is not found on every version of Python."""
    found = [
        place(path, mark)
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for mark in marks_in(node)
    ]

    assert [] == found


def test_no_marked_text_is_an_f_string_or_glued(trees):
    """Its values would be part of it, and no catalogue would know it."""
    found = [
        place(path, mark)
        for path, tree in trees.items()
        for mark in marks_in(tree)
        for argument in mark.args
        if isinstance(argument, ast.JoinedStr | ast.BinOp)
        and not (isinstance(argument, ast.BinOp) and mark.func.id.endswith("ngettext"))
    ]

    assert [] == found


def test_no_text_is_translated_when_its_module_is_imported(trees):
    """It would stay in the language of that moment."""
    found = []
    for path, tree in trees.items():
        inside = {
            id(mark)
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for mark in marks_in(node)
        }
        found += [
            place(path, mark)
            for mark in marks_in(tree)
            if id(mark) not in inside and mark.func.id not in ("gettext_noop", "gettext_lazy")
        ]

    assert [] == [one for one in found if "arena/" not in one]  # there Django's lazy texts have the usual names


TAKE_VALUES = MARKS | {"_", "refuse", "Defect"}
"""What takes the values of a sentence: a defect has a sentence of its own, whose `{found}` it is given."""

WRITTEN = {"command", "entry", "line", "setting"}
"""Values that a reader types, or has in a file."""

GIVES_ENGLISH = {"did_you_mean", "format_count", "no_such_word"}
PROSE = re.compile(r"(^| )[a-z]{2,}( |$)")


def english_in(node: ast.expr | None) -> Iterator[str]:
    """Yields what a value says in English, whoever reads it."""
    match node:
        case ast.Constant(value=str(text)):
            yield from [text] if " " in text and PROSE.search(text) else []
        case ast.JoinedStr():
            said = "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield from english_in(ast.Constant(said))
            for part in node.values:
                yield from english_in(part.value) if isinstance(part, ast.FormattedValue) else ()
        case ast.IfExp():
            yield from (*english_in(node.body), *english_in(node.orelse))
        case ast.BinOp():
            yield from (*english_in(node.left), *english_in(node.right))
        case ast.BoolOp():
            for part in node.values:
                yield from english_in(part)
        case ast.Call(func=ast.Name(id=name)) if name in GIVES_ENGLISH:
            yield f"{name}()"
        case ast.Call(func=ast.Attribute(value=inner, attr="format")):
            yield from english_in(inner)


def values_in(function: ast.AST) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yields what is given to sentences in a function, also by a name that it has there."""
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).append(node.value)
    for node in ast.walk(function):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TAKE_VALUES):
            continue
        for keyword in node.keywords:
            if keyword.arg not in WRITTEN:
                found = named.get(keyword.value.id, []) if isinstance(keyword.value, ast.Name) else [keyword.value]
                yield from ((node, value) for value in found)


def test_no_value_of_a_sentence_is_english_of_ours(trees):
    """It would stand in the middle of a sentence in another language."""
    found = {
        f"{place(path, call)}: {said}"
        for path, tree in trees.items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for call, value in values_in(function)
        for said in english_in(value)
    }

    assert set() == found


@pytest.mark.parametrize(
    "code",
    [
        "refuse(kind, found=f'it ended with {code}')",
        "gettext('{a}', a='it ended' if code else '')",
        "gettext('{a}', a=format_count(2, 'second'))",
        "how = f'{name}: it ended'; refuse(kind, found=how)",
        "kept_gettext('{a}', a='it took {}'.format(code))",
    ],
)
def test_english_in_a_value_is_found(code):
    [(_, value)] = values_in(ast.parse(code))

    assert list(english_in(value))
