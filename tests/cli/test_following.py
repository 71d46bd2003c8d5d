"""What a run says of itself at its start and its end agrees with what was played."""

from __future__ import annotations

import json

import pytest
from forked_commands import run_command

FAILING = """from tournament import Bot


class Failing(Bot):
    def act(self, view):
        raise ValueError(view.seat)
"""


def printed(folder, *words):
    """Runs the command in a folder; returns what it printed, on stdout and on stderr."""
    done = run_command(*words, folder=folder, together=True)
    assert 0 == done.code
    return done.out


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What an extension and then a final print of a run of three bots on one deal, one of which failed."""
    folder = tmp_path_factory.mktemp("following")
    (folder / "failing.py").write_text(FAILING)
    bots = ("--bots", "bots/random_legal.py", "--bots", "bots/scout_cautious.py", "--bots", "failing.py")
    table = ("--game", "scout:2", "--deals", "1", "--isolation", "none")  # bots in processes would only take longer
    printed(folder, "run", *bots, *table, "--seed", "x", "--out", "run", "--quiet")
    return {
        "extension": printed(folder, "extend", "run", "--add", "bots/scout_greedy.py"),
        "final": printed(folder, "final", "run", "--deals", "1", "--seed", "mine"),
        "quiet final": printed(folder, "final", "run", "--deals", "1", "--again", "--quiet"),
        "run file": (folder / "run" / "run.json").read_text(),
        "report": (folder / "run" / "report" / "games.html").read_text(),
    }


def test_an_extension_tells_its_games_from_the_earlier_ones(said):
    """The faults of the first segment stand in the standings; the last line is of the games played now."""
    text = said["extension"]

    assert "tournament, segment 1: 3 entrants, scout-2p, 4 games into run, beside 6 games of earlier segments\n" in text
    assert "scout-2p: 10 games on 5 deals, 4 faults\n" in text
    assert "10 of 10 planned games; in the 4 played now no faults.\n" in text


def test_a_final_tells_its_own_entrants_and_games(said):
    """Its header is of the final, not of the run."""
    text = said["final"]

    assert "tournament, final: 3 entrants, scout-2p, 6 games into run, beside 10 games of earlier segments\n" in text
    assert "16 of 16 planned games; in the 6 played now no faults.\n" in text


def test_a_final_prints_its_own_standings_alone(said):
    """Those of the run stay as they were; the command printed shows the same again."""
    text = said["final"]

    assert 1 == text.count("place ")
    assert "The final alone:\n\nscout-2p: 6 games on 3 deals" in text
    assert "Standings again:  tournament standings run --segment 2\n" in text


def test_a_final_has_the_master_that_is_given_as_seed(said):
    """--seed: the master of its segment, as that of a run; short, it is said to be predictable."""
    segments = json.loads(said["run file"])["segments"]

    assert "mine" == segments[2]["master"]
    assert "The seed is short: others can guess it and predict the deals." in said["final"]


def test_a_quiet_final_prints_the_folder_alone(said):
    """--quiet: print nothing but the folder of the run."""
    assert "run\n" == said["quiet final"]


def test_the_report_is_written_anew_after_a_final(said):
    """As after a run and an extension: it has the games of the last final."""
    assert "scout-2p.3.000000" in said["report"]
