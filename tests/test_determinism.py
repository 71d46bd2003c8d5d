"""Equal seeds and deterministic bots, crashing ones too, give equal bytes, whatever the process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tournament.paths import data_folder

CRASHER = '''
from tournament import Bot


class Crasher(Bot):
    """Fails in one game of three, each time in another way."""

    def start(self, info):
        self.trouble = int(info.rng.random() * 6)
        self.left = int(info.rng.random() * 10)

    def act(self, view):
        self.left -= 1
        if self.left < 0 and self.trouble == 0:
            raise ValueError(f"at {id(self)}")
        if self.left < 0 and self.trouble == 1:
            return {"a set has no order": {"b", "c", "d"}, "x": object()}
        if self.left < 0 and self.trouble == 2:
            raise SystemExit
        return list({str(action): action for action in view.legal_actions()}.values())[0]
'''


@pytest.mark.parametrize("isolation", ["none"])
def test_two_fresh_processes_with_other_hash_seeds_write_the_same_bytes(tmp_path, isolation):
    """A test runs it twice in fresh processes with different `PYTHONHASHSEED`."""
    (tmp_path / "crasher.py").write_text(CRASHER)
    bots = data_folder("bots")
    written = []
    for hash_seed in ("1", "2"):
        out = tmp_path / f"run-{hash_seed}"
        subprocess.run(
            [sys.executable, "-m", "tournament", "run", "--quiet", "--isolation", isolation]
            + ["--game", "scout:3", "--game", "explorers:2", "--deals", "3", "--seed", "bytes"]
            + ["--bots", str(tmp_path / "crasher.py"), "--bots", str(bots / "random_legal.py")]
            + ["--bots", str(bots / "scout_cautious.py"), "--bots", str(bots / "explorers_cautious.py")]
            + ["--out", str(out)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            cwd=tmp_path,
        )
        written.append((out / "games.jsonl").read_bytes())

    assert written[0] == written[1]
    assert b'"kind":"crash"' in written[0]
    assert b'"kind":"malformed"' in written[0]
