"""Logs: each bot has its own file, and every line begins with its game."""

from __future__ import annotations

import os

import pytest

from tournament.players.cast import CUT, TRACED_BYTES, Cast
from tournament.records.settings import Hosting
from tournament.store import logs
from tournament.store.logs import BotLogs, Printed
from tournament.store.names import file_name

NAMES = ["a b", ".ab", "..", "\U00020000" * 64, "größe"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_gives_a_file_that_can_be_made(name, tmp_path):
    """Whatever a bot is called."""
    BotLogs(tmp_path).append((Printed(name, "hello\n", "scout-2p.0.000000.0"),))

    assert [f"{file_name(name)}.txt"] == os.listdir(tmp_path / "logs")


def test_the_game_stands_before_each_line_that_was_printed_in_it(tmp_path):
    """A bot that prints the id of another game is seen to do so; pieces of a line are put together."""
    first, second = "scout-2p.0.000000.0", "scout-2p.0.000000.1"
    printed = (
        Printed("a", "one\n", first),
        Printed("a", f"{second} | for", first),
        Printed("a", "ged", first),
        Printed("a", "two\n\nthree\n", second),
        Printed("a", "late"),
    )
    BotLogs(tmp_path).append(printed)

    assert (tmp_path / "logs" / "a.txt").read_text() == (
        f"{first} | one\n{first} | {second} | forged\n{second} | two\n{second} | \n{second} | three\n- | late\n"
    )


def test_bots_whose_names_differ_only_by_case_have_files_that_differ_by_more(tmp_path):
    """Also when the run goes on with somebody new: nobody's file changes its name."""
    for entrants in (["Ann", "bo"], ["Ann", "bo", "ann"]):
        writer = BotLogs(tmp_path, entrants=entrants)
        for entrant in entrants:
            writer.append((Printed(entrant, f"{entrant}\n", "g"),))
            writer.append_traces(((entrant, {"line": entrant}),))
    written = {path.name: path.read_text() for path in (tmp_path / "logs").glob("*.txt")}

    assert {"Ann.txt": "g | Ann\n" * 2, "bo.txt": "g | bo\n" * 2, "ann%-2.txt": "g | ann\n"} == written
    assert '{"line":"ann"}\n' == (tmp_path / "logs" / "ann%-2.trace.jsonl").read_text()


def test_logs_and_traces_are_capped_also_over_several_runners(tmp_path, monkeypatch):
    """A trace ends with its last whole line."""
    monkeypatch.setattr(logs, "LOG_BYTES", 100)
    monkeypatch.setattr(logs, "TRACE_BYTES", 100)
    for _ in range(3):
        writer = BotLogs(tmp_path)
        writer.append((Printed("a", "x" * 60, "g"),))
        writer.append_traces((("a", {"line": "x" * 30}), ("a", {"line": "y" * 30})))

    assert 100 == (tmp_path / "logs" / "a.txt").stat().st_size
    assert ['{"line":"' + "x" * 30 + '"}', '{"line":"' + "y" * 30 + '"}'] == (
        tmp_path / "logs" / "a.trace.jsonl"
    ).read_text().splitlines()


def test_what_is_traced_of_a_game_is_capped_and_says_so():
    """A bot that answers with 64 kB a move does not fill the memory of its worker."""
    cast = Cast([], Hosting())
    cast.begin_game("scout-2p.0.000000.0")
    for _ in range(300):
        cast._note_line("a", "<-", b"x" * 65_000, 0)
    cast.begin_game("scout-2p.0.000000.1")
    cast._note_line("a", "<-", b"x", 0)
    traces = [values for _, values in cast.end_block().traces]

    assert TRACED_BYTES // 65_000 + 2 == len(traces)
    assert [CUT, "<-"] == [values["direction"] for values in traces[-2:]]
