"""What is installed without extras: imports are declared, and the base alone plays, ranks, reports and checks."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

DISTRIBUTIONS = {
    "yaml": "pyyaml",
    "jsonschema_rs": "jsonschema-rs",
    "pyspiel": "open_spiel",
    "dask": "distributed",
    "allauth": "django-allauth",
    "jwt": "pyjwt",
    "markdown_it": "markdown-it-py",
    "ninja": "django-ninja",
    "prometheus_client": "prometheus-client",
}
"""Where a module is not called like what brings it; dask: distributed is made for one version of it."""

BROUGHT = {"typing_extensions"}
"""Modules that only type checkers import, which have them."""

HIDDEN = """
import sys

for name in {hidden}:
    sys.modules[name] = None  # as if it were not there
from tournament.cli.app import app
for words in {commands}:
    try:
        app(words, prog_name="tournament")
    except SystemExit as end:
        assert not end.code, words
    except Exception as error:
        print(f"{{words[0]}}: {{error}}")
"""


def names(requirements):
    """Returns the names of distributions in requirements."""
    return {re.match(r"[\w.-]+", requirement)[0] for requirement in requirements}


BASE = names(PROJECT["dependencies"])
EXTRAS = names(one for extra in PROJECT["optional-dependencies"].values() for one in extra)


def imported():
    """Returns by module of another package where `tournament/` imports it."""
    found: dict[str, str] = {}
    for path in (ROOT / "tournament").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                found.setdefault(str(module).partition(".")[0], str(path.relative_to(ROOT)))
    return {name: place for name, place in found.items() if name not in (*sys.stdlib_module_names, "tournament")}


def test_every_import_is_declared():
    own = {"compression"}  # of Python 3.14
    undeclared = {
        name: place
        for name, place in imported().items()
        if name not in own | BROUGHT and DISTRIBUTIONS.get(name, name) not in BASE | EXTRAS
    }

    assert {} == undeclared


def test_the_base_alone_goes_through_the_tour(tmp_path):
    """In one process, in which every module of an extra is hidden."""
    modules = {name for name in imported().keys() - BROUGHT if DISTRIBUTIONS.get(name, name) not in BASE} | {
        "matplotlib",
        "zstandard",
    }
    game = "run#scout-2p.0.000000.0"
    duel = ["--game", "scout:2", "--bots", "scout_greedy,scout_cautious", "--deals", "1", "--isolation", "none"]
    commands = [
        ["run", *duel, "--out", "run", "--quiet"],
        ["standings", "run", "--all"],
        ["compare", "run", "--bots", "scout_greedy", "scout_cautious"],
        ["replay", game, "--plain"],
        ["replay", game, "--html", "game.html"],
        ["report", "run"],
        ["export", "run", "--rows", "moves", "--format", "csv", "--out", "moves.csv"],
        ["audit", "run"],
        ["validate", "run"],
        ["run", *duel, "--out", "small", "--compress"],
        ["standings", "run", "--plots", "plots"],
        ["serve", "run"],
        ["export", "run", "--rows", "moves", "--format", "parquet", "--out", "moves.parquet"],
        ["run", *duel, "--out", "far", "--cluster", "local"],
    ]
    script = HIDDEN.format(hidden=modules, commands=commands)
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    advice = [line for line in done.stdout.splitlines() if "Install it: " in line]

    assert "" == done.stderr
    assert [
        ("run", "[compress]"),
        ("standings", "[plots]"),
        ("serve", "[serve]"),
        ("export", "[parquet]"),
        ("run", "[cluster]"),
    ] == [(line.partition(":")[0], line[line.rindex("[") : line.rindex("]") + 1]) for line in advice]


@pytest.mark.parametrize("extra", ["plots", "compress", "serve", "parquet", "cluster", "pettingzoo", "openspiel"])
def test_all_has_every_extra_of_a_user(extra):
    [everything] = PROJECT["optional-dependencies"]["all"]

    assert extra in everything.partition("[")[2].rstrip("]").split(",")
