"""What bots may import: what the host names and what that needs, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import tournament
from tournament.arena.checks.environment import BotPackage, environment_with, python_for
from tournament.errors import ConfigurationError
from tournament.games import game_names, load_game


def names(environment):
    return [package.name for package in environment.packages]


def test_packages_are_listed_with_their_versions():
    environment = environment_with(["PyYAML"])

    assert (BotPackage(name="pyyaml", version=sys.modules["yaml"].__version__, is_named=True),) == environment.packages
    assert "CPython " in environment.python


def test_what_a_package_needs_is_listed_too():
    environment = environment_with(["jsonschema"])

    assert {"jsonschema", "attrs", "referencing"} <= set(names(environment))
    assert ["jsonschema"] == [package.name for package in environment.packages if package.is_named]


def test_what_only_an_extra_needs_is_not_listed():
    assert "webcolors" not in names(environment_with(["jsonschema"]))


def test_a_package_that_is_not_installed_is_told_with_what_to_do():
    with pytest.raises(ConfigurationError, match=r"no-such-package is not installed .* -m pip install no-such"):
        environment_with(["no-such-package"])


def test_the_digest_goes_by_packages_and_versions_and_not_by_how_they_are_written():
    one = environment_with(["PyYAML", "numpy"])
    other = msgspec.structs.replace(one, packages=(msgspec.structs.replace(one.packages[0], version="0"),))

    assert one.digest == environment_with(["numpy", "pyyaml"]).digest
    assert 3 == len({one.digest, other.digest, environment_with(["numpy"]).digest})


def imported(python, name):
    """Returns how an import ends in the Python of bots, which finds all that we have installed."""
    ours = [str(Path(msgspec.__file__).parents[1]), str(Path(tournament.__file__).parents[1])]
    program = (
        f"import sys; sys.path += {ours!r}\ntry: import {name}; print('imported')\nexcept ImportError as e: print(e)"
    )
    done = subprocess.run([python, "-P", "-s", "-B", "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    return python_for(environment_with(["PyYAML"]), tmp_path_factory.mktemp("cup") / "environment")


@pytest.mark.parametrize("name", ["yaml", "tournament", "msgspec", "json"])
def test_what_is_named_can_be_imported(python, name):
    assert "imported" == imported(python, name)


def test_every_game_can_be_played_without_any_package(tmp_path):
    """The process of a bot needs nothing of ours that it may not import."""
    python = python_for(environment_with([]), tmp_path / "environment")
    for game in game_names():
        assert "imported" == imported(python, type(load_game(game)).__module__)
    assert "imported" == imported(python, "tournament.players.host")


@pytest.mark.parametrize("name", ["numpy", "django", "jsonschema", "pip"])
def test_what_is_not_named_cannot(python, name):
    assert f"No module named '{name}'" == imported(python, name)


def test_it_is_made_once_and_anew_when_the_packages_change(tmp_path):
    place = tmp_path / "environment"
    python = python_for(environment_with([]), place)
    first = place.stat().st_ino
    python_for(environment_with([]), place)

    assert first == place.stat().st_ino
    assert "No module named 'yaml'" == imported(python, "yaml")
    assert "imported" == imported(python_for(environment_with(["pyyaml"]), place), "yaml")
    assert ["environment"] == [path.name for path in tmp_path.iterdir()]
