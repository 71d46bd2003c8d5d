"""The wheel: what a user installs has bots, schemas and suites in it, and plays from an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tournament.languages import Language, gettext, speaking
from tournament.paths import data_folder

ROOT = data_folder("schemas").parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Builds the wheel with the tools that are installed, without looking anything up."""
    if not (ROOT / "pyproject.toml").is_file():
        pytest.skip("the tests run from an installed package: there is nothing to build")
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
    )
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A fresh environment with the wheel in it; what it depends on is seen from this one, nothing is downloaded."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    packages = next(folder.glob("lib/python*/site-packages"))
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(packages)]
        + ["--disable-pip-version-check", str(wheel)],
        check=True,
    )
    # Not a site folder of the new environment: its .pth files, the editable install among them, are not followed.
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return python


def run(python: Path, folder: Path, *words: str) -> str:
    return subprocess.run(
        [str(python), "-m", "tournament", *words],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
    ).stdout


def test_the_wheel_has_schemas_bots_and_suites(wheel):
    """They ship inside the wheel."""
    names = set(zipfile.ZipFile(wheel).namelist())

    for kind in ("schemas", "bots", "seeds"):
        shipped = {
            f"tournament/data/{kind}/{path.relative_to(ROOT / kind)}"
            for path in (ROOT / kind).rglob("*")
            if path.suffix in {".json", ".yaml", ".py"}
        }
        assert shipped
        assert set() == shipped - names


def test_an_installed_wheel_plays_from_an_empty_folder(installed, tmp_path):
    """Install it in a fresh environment, run a tournament from an empty folder."""
    run(installed, tmp_path, "run", "--quiet", "--deals", "1", "--seed", "wheel")
    audited = run(installed, tmp_path, "audit", "records/tournament")

    assert "nothing wrong" in audited
    assert (tmp_path / "records" / "tournament" / "standings.json").is_file()


def test_an_installed_wheel_speaks_every_language_without_compiling_anything(installed, tmp_path):
    """Whoever installed it may not write there, and base has no Babel."""
    code = """
import sys
sys.modules["babel"] = None
from tournament.languages.catalogues import read_catalogue as read, source_of
from tournament.languages.compiling import is_compiled_from
for language in ("de", "pl", "es", "nb"):
    source = source_of(language)
    is_fresh = is_compiled_from(source.read_bytes(), source.with_suffix(".mo").read_bytes())
    print(is_fresh, read(language).gettext("players"))
"""
    printed = subprocess.run(
        [str(installed), "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.splitlines()

    assert [f"True {_players(language)}" for language in Language if language is not Language.ENGLISH] == printed


def _players(language):
    with speaking(language):
        return gettext("players")


def test_an_installed_wheel_finds_its_own_files(installed, tmp_path):
    """Found both from a checkout and from an installed wheel."""
    where = "import tournament.paths as p; print(p.data_folder('bots'), p.data_folder('schemas'))"
    printed = subprocess.run(
        [str(installed), "-c", where], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout

    assert str(installed.parent.parent) in printed
    assert str(ROOT) not in printed.replace(str(installed.parent.parent), "")
    assert "explorers_planner" in run(installed, tmp_path, "bot", "list")
