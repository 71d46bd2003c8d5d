"""Every bot is started once before the first game, and who cannot start is said."""

from __future__ import annotations

import json
import sys

import pytest
from forked_commands import run_command

from tournament import run_tournament
from tournament.configuration.file import read_configuration
from tournament.configuration.resolving import resolve
from tournament.paths import data_folder
from tournament.players.process import ProcessPlayer
from tournament.run import planning
from tournament.run.listeners import Observers
from tournament.run.planning import format_cannot_start, who_cannot_start

RANDOM = str(data_folder("bots") / "random_legal.py")
REFUSES = "from tournament import Bot\nclass Refuses(Bot):\n    def start(self, info):\n        1 / 0\n    act = len\n"


@pytest.fixture
def configured(tmp_path):
    """Returns a function that writes a small configuration with a good bot and some others."""

    def write(*entries, isolation="process"):
        path = tmp_path / "event.yaml"
        bots = json.dumps([{"name": "good", "bot": RANDOM}, *entries])
        path.write_text(
            f"games: [{{game: explorers, players: 2}}]\nbots: {bots}\n"
            f"isolation: {isolation}\nbudget: {{deals: 1}}\nseed: 1\n"
            "clock: {start_ms: 20000, newgame_ms: 20000}\n"
        )
        return path

    return write


def tournament(folder, *words):
    code, out, err = run_command(*words, folder=folder)
    return code, out + err


@pytest.fixture
def refuses(tmp_path):
    (tmp_path / "refuses.py").write_text(REFUSES)
    return {"name": "refuses", "bot": "refuses.py"}


def test_a_script_that_is_not_there_is_told_by_its_name_and_where_it_was_looked_for(configured, tmp_path):
    """Its program is, and says much else."""
    path = configured({"name": "wrong", "command": [sys.executable, "nodie.py"], "games": ["explorers"]})
    problems = who_cannot_start(resolve(read_configuration(path)))

    assert ["wrong"] == list(problems)
    assert problems["wrong"].startswith(f'There is no "nodie.py" in {tmp_path}, where the paths of ')


def test_a_bot_that_raises_in_start_is_told_with_what_it_said(configured, refuses):
    """Whoever can start is not named."""
    problems = who_cannot_start(resolve(read_configuration(configured(refuses))))

    assert {"refuses": "start raised ZeroDivisionError. It said: ZeroDivisionError: division by zero"} == problems


def test_few_processes_live_at_the_same_time(configured, monkeypatch):
    """A field of hundreds would fill the memory."""
    alive, most = set(), []
    spawn, let_go = ProcessPlayer._spawn, ProcessPlayer._let_go

    def noted_spawn(self):
        spawn(self)
        alive.add(self)
        most.append(len(alive))

    def noted_end(self, **named):
        alive.discard(self)
        let_go(self, **named)

    monkeypatch.setattr(planning, "KEPT_PROCESSES", 2)
    monkeypatch.setattr(ProcessPlayer, "_spawn", noted_spawn)
    monkeypatch.setattr(ProcessPlayer, "_let_go", noted_end)
    path = configured(*({"name": f"bot {number}", "bot": RANDOM} for number in range(6)))

    assert ({}, 3) == (who_cannot_start(resolve(read_configuration(path))), max(most))


def test_bots_of_the_tournaments_own_process_are_not_started(configured, refuses):
    """They are loaded where they play."""
    assert {} == who_cannot_start(resolve(read_configuration(configured(refuses, isolation="none"))))


def test_a_run_says_who_cannot_start_before_its_first_game(configured, refuses, tmp_path):
    """And goes on: whoever is there can stop it."""
    heard = []

    class Hears:
        def note(self, text):
            heard.append(text)

        def __getattr__(self, name):
            return lambda *values, **named: heard.append(name)

    run_tournament(configured(refuses), out=tmp_path / "run", observer=Observers(Hears()))
    told = next(number for number, text in enumerate(heard) if text.startswith("refuses cannot start: start raised"))

    assert [] == [text for text in heard[:told] if "block" in text]
    assert heard[told + 1].startswith("It forfeits its games. To fix it first, stop here with Ctrl-C")


def test_a_plan_says_who_cannot_start(configured, refuses, tmp_path):
    """Before anything is played."""
    configured(refuses)
    code, said = tournament(tmp_path, "plan", "event.yaml")

    assert (0, True) == (code, "refuses cannot start: start raised ZeroDivisionError." in said)


def test_nothing_is_said_when_all_can_start():
    """No news is good news."""
    assert [] == format_cannot_start({})


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"name": "a", "command": ["no-such-program", "bot.js"]}, 'line 2: There is no program "no-such-program"'),
        ({"name": "a", "command": ["sh", "nodie.js"]}, 'line 2: There is no "nodie.js" in '),
        ({"name": "a", "command": ["./rusty"]}, 'line 2: There is no "./rusty"'),
        ({"name": "a", "bot": "gone.py"}, 'line 2: There is no "gone.py"'),
        ({"name": "a", "bot": RANDOM, "files": ["weights.json"]}, 'line 2: There is no "weights.json"'),
        ({"name": "good", "bot": RANDOM}, 'Two entrants are named "good"'),
    ],
)
def test_validate_names_programs_and_files_that_are_not_there(entry, said, configured, tmp_path):
    """With the line of their entry."""
    configured(entry)
    code, printed = tournament(tmp_path, "validate", "event.yaml")

    assert (1, True) == (code, said in printed)


def test_validate_does_not_miss_what_is_built(configured, tmp_path):
    """It is not there yet, and nothing is built to find out."""
    built = [sys.executable, "-c", "open('built', 'w')"]
    configured({"name": "a", "command": ["./rusty"], "games": ["explorers"], "build": built})
    code, _ = tournament(tmp_path, "validate", "event.yaml")

    assert (0, False) == (code, (tmp_path / "built").exists())


def test_all_that_is_missing_is_named(configured, tmp_path):
    """Not one after the other."""
    configured({"name": "a", "bot": "gone.py"}, {"name": "b", "command": ["sh", "nodie.js"]})
    _, printed = tournament(tmp_path, "validate", "event.yaml")

    assert ["gone.py", "nodie.js"] == [name for name in ("gone.py", "nodie.js") if name in printed]
