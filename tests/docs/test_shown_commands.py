"""Everything shown in README and docs is run: blocks of kind `console` word by word, in a folder a file.

A line that begins with `$ ` is a command; what follows it is what it prints (stdout and stderr).
A line `...` stands for any number of lines, `...` inside a line for any text. A block of kind
`yaml`, `python`, `json` or `text` whose first line is a comment with a file name is written to
that file first (`# open.yaml`, `// bot.js`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from environments import PLUGIN, install_plugin
from needs import need_programs
from shown import pattern_of, steps_of

from tournament.paths import data_folder

ROOT = data_folder("schemas").parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "bots").glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^(?:#|//|/\*) ([\w./-]+\.(?:yaml|py|json|js|c|po|txt))(?: \*/)?\n")

NEEDS = {
    "docs/how-to/bot-in-c.md": ("cc",),
    "docs/how-to/bot-in-node.md": ("node",),
    "docs/how-to/watch-live.md": ("curl",),
}
"""By page: programs that what it shows is played with."""


def blocks_of(page: Path):
    return [(match[1], match[2]) for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]


@pytest.fixture
def folder(page):
    """A folder that everybody may read, as a home is: pytest's own are private, and root's bots would say so.

    For pages that go through an example it has a copy of it, which a reader has in the project's folder.
    """
    with tempfile.TemporaryDirectory(prefix="page-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        if page.name == "training.md":
            unwanted = shutil.ignore_patterns("__pycache__", "imitated.npy")
            shutil.copytree(ROOT / "docs" / "training", Path(name) / "docs" / "training", ignore=unwanted)
        if page.name == "add-a-game.md":
            unwanted = shutil.ignore_patterns("__pycache__")
            shutil.copytree(PLUGIN / "crazy_eights", Path(name) / "crazy_eights", ignore=unwanted)
        yield Path(name)


@pytest.fixture
def programs(page):
    """The folder of `tournament` and `python`: for the page that adds a game that of an environment which has it."""
    if page.name != "add-a-game.md":
        yield Path(sys.executable).parent
        return
    with tempfile.TemporaryDirectory(prefix="environment-") as name:
        Path(name).chmod(0o755)
        yield install_plugin(Path(name)).programs


def pages():
    """Whole tournaments are played on most pages: all but the README are left to `make test-long`."""
    for page in PAGES:
        name = str(page.relative_to(ROOT))
        yield pytest.param(page, id=name, marks=[] if name == "README.md" else pytest.mark.long)


@pytest.mark.parametrize("page", list(pages()))
def test_every_command_shown_prints_what_is_shown(page, folder, programs):
    """README: tested as written."""
    need_programs(*NEEDS.get(str(page.relative_to(ROOT)), ()))
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }
    wrong = []
    for kind, block in blocks_of(page):
        if file := FILE.match(block):
            path = folder / file[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block, encoding="utf-8")
        if kind != "console":
            continue
        for command, expected in steps_of(block):
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            printed = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
            if not pattern_of(expected).match(printed):
                wrong.append(f"$ {command}\n--- shown\n" + "\n".join(expected) + f"\n--- printed\n{printed}")

    assert [] == wrong, "\n\n".join(wrong)


def test_every_page_shows_something_that_is_run():
    """A page that shows no command explains; there may be such pages, but not the README."""
    assert any(kind == "console" for kind, _ in blocks_of(ROOT / "README.md"))


def test_the_code_of_the_game_that_the_page_adds_is_that_of_its_files():
    """A block that begins with `# from FILE` shows parts of a file of tests/plugin, with a line `...` between them."""
    page = ROOT / "docs" / "how-to" / "add-a-game.md"
    shown = re.findall(
        r"^```\w+\n(?:#|//|/\*) from (\S+)(?: \*/)?\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S
    )
    astray = [
        (file, part)
        for file, block in shown
        for part in re.split(r"^\.\.\.$", block, flags=re.MULTILINE)
        if part.strip("\n") not in (PLUGIN / file).read_text(encoding="utf-8")
    ]

    assert [] == astray
    assert {path.name for path in (PLUGIN / "crazy_eights").glob("[a-z]*.*")} <= {Path(file).name for file, _ in shown}
