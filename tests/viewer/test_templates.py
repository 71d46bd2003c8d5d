"""Templates of pages: compiled once, as modules are, and compiled anew where that cannot be kept or has changed."""

from __future__ import annotations

import sys
from errno import ENOSPC
from pathlib import Path

import pytest
from jinja2 import Environment

from tournament.viewer.templates import template_environment


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package `shown` with one template; Python keeps what it compiles for this package."""
    web = tmp_path / "shown" / "web"
    web.mkdir(parents=True)
    (web.parent / "__init__.py").write_text("")
    (web / "page.html.j2").write_text("<p>{{ name }}</p>")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.delitem(sys.modules, "shown", raising=False)
    return web


def render(**values: str) -> str:
    """Returns the page as a new process makes it."""
    return template_environment("shown").get_template("page.html.j2").render(**values)


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("a template was compiled again")


def test_a_template_is_compiled_once_for_all_processes(package, monkeypatch):
    assert "<p>A &amp; B</p>" == render(name="A & B")
    monkeypatch.setattr(Environment, "compile", refuse)

    assert "<p>C</p>" == render(name="C")


def test_a_template_that_has_changed_is_compiled_anew(package):
    render(name="A")
    (package / "page.html.j2").write_text("<b>{{ name }}</b>")

    assert "<b>A</b>" == render(name="A")


@pytest.mark.parametrize("length", [0, 4, 20, 60, 100])
def test_a_file_that_is_no_whole_compiled_template_is_replaced(package, monkeypatch, length):
    render(name="A")
    (kept,) = (package / "__pycache__").iterdir()
    kept.write_bytes(kept.read_bytes()[:length])
    assert "<p>A</p>" == render(name="A")
    monkeypatch.setattr(Environment, "compile", refuse)

    assert "<p>B</p>" == render(name="B")


def test_where_nothing_can_be_written_pages_are_made_all_the_same(package):
    (package / "__pycache__").write_text("a file where the folder should be")

    assert "<p>A</p>" == render(name="A")


def test_a_full_disk_leaves_nothing_half_written(package, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)

    assert "<p>A</p>" == render(name="A")
    assert [] == list((package / "__pycache__").iterdir())


def test_nothing_is_written_where_python_keeps_nothing(package, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    assert "<p>A</p>" == render(name="A")
    assert ["page.html.j2"] == [path.name for path in package.iterdir()]
