"""The compiled wheel: what it holds, how one chooses, and that it plays what pure Python plays, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from pathlib import Path

import pytest
from needs import need_module, need_programs

from tournament import pure, read_records
from tournament.entrants.model import BotKind, BotSource
from tournament.paths import data_folder
from tournament.players.linux.spawner import environment_of

ROOT = data_folder("schemas").parent

RULES = ("games", "records", "replaying", "auditing", "adapters/test_numbering.py", "test_referee.py", "test_deals.py")
"""The tests of what is compiled, and of what stands on it."""

RUN_TESTS = """
import sys, pytest
from tournament.pure import is_compiled
assert is_compiled(), "the tests would run on pure Python"
sys.exit(pytest.main([*sys.argv[1:], "-q", "-m", "not alone", "-p", "no:cacheprovider"]))
"""

RANDOM_GAMES = """
from hashlib import sha256
from benchmarks.random_games import GROUPS, random_lines
from tournament.pure import is_compiled
print(is_compiled())
for name, players in GROUPS:
    lines = random_lines(name, players, games=10_000 // len(GROUPS) + 1, master="compiled")
    digest = sha256()
    for line in lines:
        digest.update(line)
    print(name, players, digest.hexdigest())
"""

BOT = '''"""Forfeits, and the fault says which rules it has."""

from tournament import Bot
from tournament.pure import is_compiled


class Compiled(Exception): ...


class Pure(Exception): ...


class Teller(Bot):
    """Never acts."""

    def act(self, view):
        raise Compiled if is_compiled() else Pure
'''


def source_of(folder: Path) -> BotSource:
    return BotSource(kind=BotKind.COMMAND, spec="true", path="/bin/true", folder=str(folder), fingerprint="0" * 64)


def test_pure_python_chosen_reaches_the_environment_of_a_bot(tmp_path, monkeypatch):
    monkeypatch.setenv(pure.VARIABLE, "1")

    assert environment_of(source_of(tmp_path), scratch="/scratch")[pure.VARIABLE] == "1"


@pytest.mark.parametrize("value", ["", "0"])
def test_a_bot_is_told_nothing_where_pure_python_is_not_chosen(tmp_path, monkeypatch, value):
    monkeypatch.setenv(pure.VARIABLE, value)

    assert pure.VARIABLE not in environment_of(source_of(tmp_path), scratch="/scratch")


class Installed:
    """An environment with the compiled wheel; what it depends on is seen from this one, nothing is downloaded.

    Others may enter its folder, as the users that bots have where root runs them.
    """

    def __init__(self, wheel: Path, folder: Path) -> None:
        folder.chmod(0o755)
        environment = folder / "environment"
        venv.create(environment, with_pip=False)
        self.wheel = wheel
        self.folder = folder
        self.python = environment / "bin" / "python"
        packages = next(environment.glob("lib/python*/site-packages"))
        with zipfile.ZipFile(wheel) as opened:
            opened.extractall(packages)
        # Seen after the wheel: the benchmarks in the checkout, never its package.
        (packages / "dependencies.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n{ROOT}\n")

    def run(self, *words: str, folder: Path, **variables: str) -> str:
        done = subprocess.run(
            [str(self.python), "-P", *words],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), **variables},
        )
        assert 0 == done.returncode, done.stdout + done.stderr
        return done.stdout


def compiled_wheel(out: Path) -> Path:
    """Returns the wheel that `TOURNAMENT_WHEEL` names, which `.ci/run` has just made, or one that it compiles.

    With the tools that are installed, without looking anything up.
    """
    if made := os.environ.get("TOURNAMENT_WHEEL"):
        return Path(made)
    need_programs("cc")
    need_module("mypyc", extra="wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
        env={**os.environ, "TOURNAMENT_COMPILE": "1"},
    )
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    if not (ROOT / "pyproject.toml").is_file():
        pytest.skip("the tests run from an installed package: there is nothing to build")
    wheel = compiled_wheel(tmp_path_factory.mktemp("compiled"))
    with tempfile.TemporaryDirectory() as folder:
        yield Installed(wheel, Path(folder))


@pytest.mark.long
def test_every_compiled_module_has_its_python_file_beside_it(installed):
    """So one can choose, and another version of Python has something to run."""
    names = set(zipfile.ZipFile(installed.wheel).namelist())
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    compiled = {name for name in names if name.endswith(".so")} - {f"tournament/compiled__mypyc{suffix}"}

    assert compiled
    assert set() == {name.removesuffix(suffix) + ".py" for name in compiled} - names


@pytest.mark.long
@pytest.mark.parametrize(("chosen", "kind"), [("0", "compiled"), ("1", "pure Python")])
def test_an_environment_variable_chooses_which_code_runs(installed, tmp_path, chosen, kind):
    printed = installed.run("-m", "tournament", "--version", folder=tmp_path, TOURNAMENT_PURE=chosen)

    assert f"tournament 0.2.0 ({kind})\n" == printed


@pytest.mark.long
@pytest.mark.parametrize(("chosen", "raised"), [("0", "Compiled"), ("1", "Pure")])
def test_the_choice_holds_in_the_processes_of_bots(installed, chosen, raised):
    folder = installed.folder / raised
    folder.mkdir()
    (folder / "teller.py").write_text(BOT)
    words = ["--isolation", "process", "--workers", "2", "--game", "scout:3", "--deals", "1", "--out", "run"]
    examples = (str(data_folder("bots") / f"{name}.py") for name in ("scout_greedy", "scout_keeper"))
    bots = ["--bots", ",".join(("teller.py", *examples))]
    installed.run("-m", "tournament", "run", "--quiet", *words, *bots, folder=folder, TOURNAMENT_PURE=chosen)
    faults = {fault.detail for record in read_records(folder / "run") for fault in record.faults}

    assert {f"act raised {raised}"} == faults


@pytest.mark.long
def test_the_tests_of_the_rules_pass_on_compiled_rules(installed):
    tests = [str(ROOT / "tests" / name) for name in RULES]
    printed = installed.run("-c", RUN_TESTS, *tests, folder=ROOT)

    assert " passed" in printed


@pytest.mark.long
def test_ten_thousand_random_games_have_the_same_bytes_compiled_and_pure(installed, tmp_path):
    compiled, pure_python = (
        installed.run("-c", RANDOM_GAMES, folder=tmp_path, TOURNAMENT_PURE=chosen).splitlines() for chosen in "01"
    )

    assert ("True", "False") == (compiled[0], pure_python[0])
    assert pure_python[1:] == compiled[1:]
