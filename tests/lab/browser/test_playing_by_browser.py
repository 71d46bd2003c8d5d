"""`tournament play --web` as a command: what it prints, how it ends, and what it refuses."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.games import load_game
from tournament.lab.browser.playing import open_table, seats_of_people
from tournament.lab.guide import entrants_for
from tournament.paths import data_folder
from tournament.store.layout import parse_reference
from tournament.store.reader import find_record

ROOT = Path(__file__).parents[3]
BOT = str(data_folder("bots") / "random_legal.py")


class Command:
    """`tournament play --web` in a process of its own, which gets Ctrl-C as from a terminal."""

    def __init__(self, folder, *words):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tournament", "play", *words, "--web", "--seed", "a"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.said = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def read_until(self, words):
        """Returns the lines up to one that has these words."""
        for line in self.process.stdout:
            self.said.append(line.rstrip())
            if words in line:
                return self.said
        raise AssertionError(self.process.stderr.read())

    def stop(self):
        """Presses Ctrl-C; returns the exit code and what was printed on stderr."""
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors

    def processes(self):
        """Returns the ids of the processes of its session that still run."""
        found = []
        for status in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = status.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == self.process.pid and fields[0] != "Z":
                found.append(int(status.parent.name))
        return found


def finish(link):
    """Plays a game to its end through the addresses of a seat, always with the last choice."""
    address = urlsplit(link)
    stream = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    stream.request("GET", address.path + "sheets")
    answer = stream.getresponse()
    for line in iter(answer.readline, b""):
        if not line.startswith(b"data: "):
            continue
        sheet = json.loads(line.removeprefix(b"data: "))
        if "number" not in sheet:
            continue  # it says who is at the table
        if sheet["over"]:
            break
        if sheet["choices"]:
            post = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
            body = json.dumps({"number": sheet["number"], "choice": len(sheet["choices"]) - 1})
            post.request("POST", address.path + "choose", body)
            assert 200 == post.getresponse().status
            post.close()
    answer.close()
    stream.close()


def test_a_game_is_played_recorded_and_ended_with_ctrl_c(tmp_path):
    with Command(tmp_path, "scout", "--against", BOT, "--out", "mine.json") as command:
        lines = command.read_until("Ctrl+C ends the table")
        (link,) = re.findall(r"seat 0: (http://\S+)", "\n".join(lines))
        finish(link)
        lines = command.read_until("The pages still show the game")
        record = find_record(parse_reference(str(tmp_path / "mine.json")))
        code, errors = command.stop()

        assert (0, "") == (code, errors)
        assert [] == command.processes()
        assert ("person", "random_legal") == tuple(seat.bot for seat in record.seats)
        assert any(line.startswith("Recorded: mine.json.") for line in lines)


def test_people_are_called_what_they_say_the_lowest_seat_first():
    """Whoever gives no name is a person; a bot keeps its own."""
    game = load_game("explorers")
    table = open_table(
        game,
        entrants_for("explorers", [BOT], players=4),
        people=(0, 1, 3),
        names=("ann", " bob "),
        master="a",
        guide=None,
        options=game.Options(),
    )

    assert ("ann", "bob", "random_legal", "person-3") == table.head(0).names


def test_a_game_that_is_not_over_is_ended_without_a_record_and_without_a_process(tmp_path):
    with Command(tmp_path, "explorers", "--against", BOT) as command:
        command.read_until("Ctrl+C ends the table")
        code, errors = command.stop()

        assert (130, "You ended the table before the game was over: nothing is recorded.\n") == (code, errors)
        assert [] == command.processes()
        assert [] == list(tmp_path.iterdir())


def test_the_commands_of_the_page_about_it_give_each_person_a_link():
    page = ROOT / "docs" / "how-to" / "play-in-the-browser.md"
    commands = re.findall(r"^tournament play (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    seats = []
    for words in commands:
        here = words.replace("192.168.1.20", "127.0.0.1").replace(" --web", "").split()
        with Command(ROOT, *here) as command:
            lines = command.read_until("Ctrl+C ends the table")
            seats.append(re.findall(r"seat (\d): http://127.0.0.1", "\n".join(lines)))
            command.stop()

    assert [["0"], ["0", "1"]] == seats


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--against", BOT, "--humans", "2"], "add --web"),
        (["--against", BOT, "--port", "8000"], "add --web"),
        (["--against", BOT, "--allow-host", "table.example.org"], "add --web"),
        (
            ["--web", "--against", BOT, "--allow-host", "https://table.example.org"],
            "--allow-host is the name of a host",
        ),
        (["--web"], "--against names no bot"),
        (["--web", "--humans", "6"], "is for 2 to 5"),
        (["--web", "--against", BOT, "--seat", "2"], "has the seats 0 to 1"),
        (["--web", "--against", BOT, "--host", "0.0.0.0"], "would listen everywhere"),
        (["--against", BOT, "--name", "ann", "--name", "bob"], "--name is given 2 times, and 1 play"),
        (["--web", "--against", BOT, "--name", " "], "it is empty; write at least one letter"),
        (["--against", BOT, "--name", "n" * 65], "it has 65 characters; write at most 64"),
        (["--against", BOT, "--name", "ann\x1b[2J"], "it has a character that cannot be printed; write it without"),
        (["--against", BOT, "--name", "ann/../bob"], "it has a slash or a backslash; write it without"),
        (["--against", BOT, "--name", "random_legal"], "is the name of another seat, too"),
        (["--web", "--humans", "2", "--name", "person-2"], "is the name of another seat, too"),
    ],
)
def test_what_does_not_go_together_is_refused_with_what_to_do(words, said):
    done = CliRunner().invoke(app, ["play", "scout", *words])

    assert said in str(done.exception)


def test_people_sit_side_by_side_from_a_seat_on():
    assert (0, 1) == seats_of_people(2, first=0, players=4)
    assert (0, 3) == seats_of_people(2, first=3, players=4)
