"""What the page on programs shows is asked of a real server with curl, word by word."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from arena.made_site import make_site
from arena.serving_here import served_arena
from django.utils.timezone import now as present
from needs import need_programs
from shown import pattern_of, steps_of

from tournament.arena.models import BotRow
from tournament.arena.taking_part import make_token
from tournament.paths import data_folder

PAGE = data_folder("schemas").parent / "docs" / "arena" / "programs.md"
BLOCK = re.compile(r"^```shell-session\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def address(arena, run):
    """Where an arena with a ladder and a round is served."""
    make_site(run)
    with served_arena() as where:
        yield where


def test_every_call_shown_is_answered_as_shown(address, tmp_path):
    need_programs("curl")
    keeper = BotRow.objects.get(name="keeper")
    token = make_token(keeper.made_by.account, keeper, label="laptop", now=present()).text
    (tmp_path / "keeper.py").write_text("from tournament import Bot\n")
    programs = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "ARENA": address,
        "TOURNAMENT_TOKEN": token,
    }
    steps = [step for block in BLOCK.findall(PAGE.read_text(encoding="utf-8")) for step in steps_of(block)]
    wrong = []
    for command, expected in steps:
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        printed = f"{(done.stdout + done.stderr).strip()}\n" if done.stdout + done.stderr else ""
        if not pattern_of(expected).match(printed):
            wrong.append(f"$ {command}\n--- shown\n" + "\n".join(expected) + f"\n--- printed\n{printed}")

    assert len(steps) > 10
    assert [] == wrong, "\n\n".join(wrong)
