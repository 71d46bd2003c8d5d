"""`tournament submit` against a real server: what is packed, what is printed, and with which code it ends."""

from __future__ import annotations

import functools
import io
import json
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from arena.making import NOON, RULES, make_version
from arena.serving_here import served, served_arena
from django.db import connection
from django.utils.timezone import now as present
from typer.testing import CliRunner

from tournament.arena.api import submitting
from tournament.arena.api.submitting import ArenaClient, FollowedVersion, Submission, pack_bot
from tournament.arena.models import CompetitionRow, Token, VersionRow
from tournament.arena.places import competition_folder, version_folder
from tournament.arena.states import activate, move_version
from tournament.arena.taking_part import make_token
from tournament.arena.transitions import VersionState
from tournament.cli.app import app
from tournament.errors import BotError, RunError, TournamentError, UsageError


@pytest.fixture
def address(keeper):
    with served_arena() as where:
        yield where


@pytest.fixture
def token(keeper, monkeypatch) -> str:
    text = make_token(keeper.made_by.account, keeper, label="laptop", now=present()).text
    monkeypatch.setenv("TOURNAMENT_TOKEN", text)
    return text


@pytest.fixture
def program(tmp_path) -> Path:
    path = tmp_path / "keeper.py"
    path.write_text("from tournament import Bot\n")
    return path


STEPS = [
    {"number": 1, "name": "unpack", "verdict": "passed", "found": "1 file"},
    {"number": 2, "name": "play", "verdict": "failed", "found": "raised \x1b[2J", "advice": "Mend it.", "log": "a\nb"},
]


def check_step_by_step(monkeypatch, *states: str) -> None:
    """Lets a check go on whenever a client waits: a step more each time, then its end."""
    left = list(states)
    steps: list[dict] = []

    def pause(_: float) -> None:
        version = VersionRow.objects.select_related("bot__competition").get()
        folder = competition_folder(version.bot.competition)
        if len(steps) < len(STEPS):
            steps.append(STEPS[len(steps)])
            check = version_folder(version).check
            check.mkdir(exist_ok=True)
            (check / "steps.json").write_text(json.dumps({"names": ["unpack", "play"], "steps": steps}))
        elif left[:1] == ["active"]:
            activate(version, folder=folder, at=NOON)
        else:
            move_version(version, VersionState(left.pop(0)), folder=folder, at=NOON, why="Its first move raised.")
        connection.close()

    follow = functools.partialmethod(ArenaClient.follow, pause=pause)
    monkeypatch.setattr(ArenaClient, "follow", follow)


def submit(*words):
    return CliRunner().invoke(app, ["submit", *map(str, words)])


def failure(*words) -> TournamentError:
    """Returns the error with which a command ends; the entry point prints it, and exits with its code."""
    error = submit(*words).exception
    assert isinstance(error, TournamentError)
    assert str(error).endswith((".", "-..."))
    return error


class TestTheCommand:
    def test_an_accepted_version_is_told_step_by_step_and_ends_with_zero(self, monkeypatch, address, token, program):
        check_step_by_step(monkeypatch, "checking", "accepted", "active")
        done = submit(program, "--bot", "keeper", "--to", address)

        assert (0, None) == (done.exit_code, done.exception)
        assert [
            "Version 1 of keeper was received.",
            "It waits for its check.",
            "  passed  unpack: 1 file",
            "  failed  play: raised \\x1b[2J",
            "          Mend it.",
            "          a",
            "          b",
            "Version 1 of keeper is accepted. It plays.",
        ] == done.output.splitlines()

    def test_a_refused_version_ends_with_one_and_says_why(self, monkeypatch, address, token, program):
        check_step_by_step(monkeypatch, "checking", "refused")
        done = submit(program, "--bot", "keeper", "--to", address)

        assert 1 == done.exit_code
        assert "Version 1 of keeper is refused. Its first move raised." == done.output.splitlines()[-1]

    def test_what_is_only_checked_takes_no_part(self, monkeypatch, address, token, program):
        check_step_by_step(monkeypatch, "checking", "accepted", "retired")
        done = submit(program, "--bot", "keeper", "--to", address, "--check-only")

        assert 0 == done.exit_code
        assert "Version 1 of keeper is accepted. It does not play." == done.output.splitlines()[-1]
        assert VersionRow.objects.get().check_only

    def test_the_same_program_again_is_told(self, address, token, keeper, program):
        make_version(keeper, "active", program=program.read_bytes())
        done = submit(program, "--bot", "keeper", "--to", address)

        assert 0 == done.exit_code
        assert "keeper has this program already: it is version 1." == done.output.splitlines()[0]


class TestMistakes:
    def test_without_a_token_nothing_is_sent(self, monkeypatch, program):
        monkeypatch.delenv("TOURNAMENT_TOKEN", raising=False)

        assert failure(program, "--bot", "keeper", "--to", "http://127.0.0.1:1").exit_code == 2

    def test_a_wrong_token_ends_with_two(self, monkeypatch, address, program):
        monkeypatch.setenv("TOURNAMENT_TOKEN", "arena-guess")
        error = failure(program, "--bot", "keeper", "--to", address)

        assert (2, True) == (error.exit_code, "This token is not valid" in str(error))

    def test_an_expired_token_ends_with_two(self, address, token, program):
        Token.objects.update(expires=NOON.replace(year=2020))

        assert failure(program, "--bot", "keeper", "--to", address).exit_code == 2

    def test_the_token_of_another_bot_ends_with_two(self, address, token, program):
        error = failure(program, "--bot", "runner", "--to", address)

        assert (2, True) == (error.exit_code, "This token is for keeper, and not for runner." in str(error))

    def test_a_used_quota_ends_with_seven_and_says_when_the_next_is_free(self, cup, keeper, address, token, program):
        (competition_folder(cup).path / "competition.yaml").write_text(RULES + "versions_a_day: 1\n")
        make_version(keeper, at=present())
        error = failure(program, "--bot", "keeper", "--to", address)

        assert (7, True) == (error.exit_code, "The next is free at" in str(error))

    def test_a_frozen_competition_ends_with_seven(self, address, token, program):
        CompetitionRow.objects.update(state="frozen")

        assert failure(program, "--bot", "keeper", "--to", address).exit_code == 7

    def test_a_server_that_is_away_ends_with_seven(self, token, program):
        server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
        port = server.server_port
        server.server_close()
        error = failure(program, "--bot", "keeper", "--to", f"http://127.0.0.1:{port}")

        assert (7, True) == (error.exit_code, "cannot be reached" in str(error))

    @pytest.mark.parametrize("to", ["ftp://arena", "https://", "https://a?b=c", ""])
    def test_what_is_no_address_ends_with_two(self, token, program, to):
        assert failure(program, "--bot", "keeper", "--to", to).exit_code == 2

    @pytest.mark.parametrize(
        ("status", "headers", "body", "code", "told"),
        [
            (301, {"Location": "https://evil.example/"}, b"", 2, "leads to https://evil.example/"),
            (200, {}, b"<html>", 2, "does not answer as an arena does"),
            (404, {}, b"<html>", 2, "answers with status 404"),
            (503, {}, b"<html>", 7, "is away just now"),
            (500, {}, b'{"error": "Something is wrong.", "kind": "failed"}', 7, "Something is wrong."),
        ],
    )
    def test_a_server_that_is_no_arena_is_told(self, token, program, status, headers, body, code, told):
        seen = []

        class Other(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                seen.append(self.path)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_) -> None:
                pass

        with served(HTTPServer(("127.0.0.1", 0), Other)) as address:
            error = failure(program, "--bot", "keeper", "--to", address)

        assert (code, True, ["/api/token"]) == (error.exit_code, told in str(error), seen)


class TestFollowing:
    def followed(self, answers, **more) -> list[str]:
        class Told(ArenaClient):
            def version(self, bot, submission):
                answer = next(answers)
                if answer is None:
                    raise submitting.AwayError("It is away. Try again.")
                return FollowedVersion(1, answer, None, ())

        client = Told("http://127.0.0.1:1", "token")
        seen = client.follow("keeper", Submission("cup", 1, True), pause=lambda _: None, **more)
        return [known.state for known in seen]

    def test_a_server_that_comes_back_is_followed_on(self):
        answers = iter(["received", *[None] * 100, "checking", *[None] * 100, "active"])

        assert ["received", "checking", "active"] == self.followed(answers, wait_seconds=600)

    def test_a_server_that_stays_away_ends_it(self):
        with pytest.raises(RunError, match="away"):
            self.followed(iter(["received", *[None] * 1000]), wait_seconds=6000)

    def test_a_check_that_does_not_end_is_left_to_itself(self):
        with pytest.raises(RunError, match="has not ended after 2 minutes"):
            self.followed(iter(["received"] * 1000), wait_seconds=120)

    def test_a_check_that_the_machine_failed_at_goes_on(self):
        answers = iter(["received", "checking", "received", "checking", "refused"])

        assert ["received", "checking", "received", "checking", "refused"] == self.followed(answers, wait_seconds=60)


class TestPacking:
    def test_a_folder_is_the_same_zip_for_the_same_files(self, tmp_path):
        first, second = tmp_path / "first" / "mybot", tmp_path / "second" / "mybot"
        for folder, names in ((first, ("bot.py", "b.txt", "a.txt")), (second, ("a.txt", "bot.py", "b.txt"))):
            folder.mkdir(parents=True)
            for name in names:
                (folder / name).write_text(name)
            (folder / ".git").mkdir()
            (folder / ".git" / "config").write_text(str(folder))
            (folder / "__pycache__").mkdir()
            (folder / "__pycache__" / "bot.pyc").write_text(str(folder))
        packed = pack_bot(first)
        with zipfile.ZipFile(io.BytesIO(packed.data)) as archive:
            names = archive.namelist()

        assert packed == pack_bot(second)
        assert ("mybot.zip", ["a.txt", "b.txt", "bot.py"]) == (packed.file_name, names)

    def test_a_folder_without_either_is_told_what_makes_it_a_bot_in_any_language(self, tmp_path):
        (tmp_path / "mybot.c").write_text("int main(void) { return 0; }")
        with pytest.raises(BotError) as caught:
            pack_bot(tmp_path)

        assert (
            f"{tmp_path} has neither a bot.py nor a bot.yaml. A bot of one Python file: hand in that file alone, or "
            "call it bot.py. A program in another language: write a bot.yaml with the command that starts it, such as "
            "command: [./bot], and with build: [make] if it has to be built."
        ) == str(caught.value)

    def test_a_program_may_be_run_once_it_is_unpacked(self, tmp_path):
        (tmp_path / "bot.yaml").write_text("command: [./run]\n")
        (tmp_path / "run").write_text("#!/bin/sh\n")
        (tmp_path / "run").chmod(0o755)
        with zipfile.ZipFile(io.BytesIO(pack_bot(tmp_path).data)) as archive:
            modes = [entry.external_attr >> 16 & 0o777 for entry in archive.infolist()]

        assert [0o644, 0o755] == modes

    def test_a_file_is_sent_as_it_is(self, program):
        assert ("keeper.py", program.read_bytes()) == pack_bot(program)

    def test_what_the_arena_would_not_take_is_told_before(self, tmp_path):
        (tmp_path / "bot.txt").write_text("")
        (tmp_path / "empty").mkdir()
        (tmp_path / "linked").mkdir()
        (tmp_path / "linked" / "bot.py").symlink_to("/etc/passwd")
        (tmp_path / "large.zip").write_bytes(b"x" * 10_000_001)
        wrong = ["bot.txt", "none.py", "empty", "linked", "large.zip"]
        errors = []
        for name in wrong:
            with pytest.raises(BotError) as caught:
                pack_bot(tmp_path / name)
            errors.append(str(caught.value))

        assert [True] * 5 == [
            error.endswith(".") and str(tmp_path / name) in error for name, error in zip(wrong, errors, strict=True)
        ]


def test_the_token_is_never_printed(monkeypatch, address, token, program):
    check_step_by_step(monkeypatch, "checking", "refused")
    with pytest.raises(UsageError) as caught:
        ArenaClient(address, f"{token}x").hand_in("keeper", pack_bot(program), check_only=False)

    assert token not in submit(program, "--bot", "keeper", "--to", address).output
    assert token not in str(caught.value)
