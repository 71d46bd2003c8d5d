"""Games that go another way: ordinary records that name their parent."""

from __future__ import annotations

import re

import pytest
from made_records import random_record
from typer.testing import CliRunner

from tournament.auditing import audit
from tournament.cli.app import app
from tournament.errors import UsageError
from tournament.lab.whatif import WhatIf
from tournament.paths import data_folder
from tournament.records.codec import codec_for, format_record, parse_record
from tournament.records.record import Parent
from tournament.records.settings import Hosting, Isolation
from tournament.replaying.positions import Replay
from tournament.store.reader import read_records

INLINE = Hosting(isolation=Isolation.NONE)
GOLDEN = data_folder("schemas").parent / "records" / "golden"


def golden(name):
    return parse_record((GOLDEN / f"{name}.json").read_bytes())


def bot(name):
    return str(data_folder("bots") / f"{name}.py")


def findings(records, path):
    path.write_bytes(b"".join(format_record(record) + b"\n" for record in records))
    return tuple(audit(path).findings)


@pytest.mark.parametrize("move", [0, 1, 7, -1])
@pytest.mark.parametrize(
    "name",
    ["scout-2p-emptied", "scout-3p-emptied", "scout-5p-emptied", "explorers-2p-complete", "explorers-4p-complete"],
)
def test_the_game_is_the_parents_up_to_the_move_and_has_no_finding(name, move, tmp_path):
    """Ordinary records that name their parent."""
    parent = golden(name)
    move = move % len(parent.moves)
    (record,) = WhatIf(parent, move=move, bot=bot("random_legal"), hosting=INLINE).play(1)

    assert parent.moves[:move] == record.moves[:move]
    assert Parent(digest=parent.digest, move=move) == record.parent
    assert parent.deal == record.deal
    assert () == findings([record], tmp_path / "games.jsonl")


def test_the_action_asked_for_is_made():
    parent = random_record("explorers", 2, seed=4)
    legal = Replay.from_record(parent).state_at(10).legal_actions()
    made = [next(WhatIf(parent, move=10, action=action, hosting=INLINE).play(1)).moves[10] for action in legal]

    assert list(legal) == [codec_for("explorers").to_action(move) for move in made]


@pytest.mark.parametrize(
    "name", ["explorers-3p-two-faults", "scout-3p-two-faults", "scout-5p-fault-crash", "scout-2p-fault-start"]
)
def test_stand_ins_of_the_parent_play_on(name, tmp_path):
    """A seat that had forfeited stays so; its stand-in goes on with the same chance."""
    parent = golden(name)
    last = max(fault.at for fault in parent.faults)
    playing = [step for step, move in enumerate(parent.moves) if step > last and move.by is None]
    (record,) = WhatIf(parent, move=playing[0], bot=bot("random_legal"), hosting=INLINE).play(1)

    assert parent.faults == record.faults
    assert parent.moves[: playing[0]] == record.moves[: playing[0]]
    assert () == findings([record], tmp_path / "games.jsonl")


def test_a_move_at_which_a_bot_failed_can_be_made_by_another():
    """The fault at the move itself belongs to the way not taken."""
    parent = golden("scout-4p-fault-illegal")
    (fault,) = parent.faults
    (record,) = WhatIf(parent, move=fault.at, bot=bot("random_legal"), hosting=INLINE).play(1)

    assert () == record.faults


def test_games_differ_by_the_chance_of_their_bots(tmp_path):
    parent = golden("scout-3p-emptied")
    records = list(WhatIf(parent, move=5, bot=bot("random_legal"), hosting=INLINE).play(4))

    assert 4 == len({record.moves for record in records}) == len({record.id for record in records})
    assert () == findings(records, tmp_path / "games.jsonl")


def test_a_what_if_of_a_what_if_names_the_game_it_comes_from():
    """A chain of parents can be followed back."""
    (first,) = WhatIf(golden("scout-3p-emptied"), move=5, bot=bot("random_legal"), hosting=INLINE).play(1)
    (second,) = WhatIf(first, move=8, bot=bot("scout_greedy"), hosting=INLINE).play(1)

    assert first.digest == second.parent.digest


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"move": 10_000}, "has the moves 0 to"),
        ({"move": -1}, "has the moves 0 to"),
    ],
)
def test_a_move_that_is_not_there_is_refused(given, said):
    """Errors for users."""
    with pytest.raises(UsageError, match=said):
        WhatIf(golden("scout-3p-emptied"), bot=bot("scout_greedy"), **given)


def test_an_action_that_there_is_not_is_refused_with_those_that_there_are():
    """By number, as `--action` takes them; of many the first."""
    words = ["whatif", str(GOLDEN / "scout-5p-emptied.json"), "--action", "rubbish"]
    few, many = (str(CliRunner().invoke(app, [*words, "--move", move]).exception).splitlines() for move in "56")

    assert (
        '--action "rubbish" is none of the actions. Write a number, or words as in the list. Allowed there:' == few[0]
    )
    assert [f"{number} " for number in range(1, 11)] == [re.match(r"\d+ ", line)[0] for line in few[1:]]
    assert "20  " == many[20][:4]
    assert ["and 62 more, up to number 82"] == many[21:]


def test_the_command_prints_both_ways_and_writes_an_auditable_record(tmp_path, monkeypatch):
    """`tournament whatif`."""
    monkeypatch.chdir(tmp_path)
    source = str(GOLDEN / "explorers-2p-complete.json")
    words = ["whatif", source, "--move", "1", "--action", '{"do":"draw","from":"stock"}', "--out", "other.jsonl"]
    done = CliRunner().invoke(app, words)
    (record,) = read_records("other.jsonl")

    assert 0 == done.exit_code
    assert "recorded, by" in done.stdout
    assert "from move 1 on, by" in done.stdout
    assert "scores of game 0" in done.stdout
    assert 1 == record.parent.move
    assert () == tuple(audit("other.jsonl").findings)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--move", "1"], "Nothing is replaced"),
        (["--move", "1", "--action", '{"do":"jump"}'], "is no action of this game"),
        (["--move", "1", "--action", '{"do":"discard","card":"2C"}'], "--action at move 1"),
        (["--move", "1", "--bot", bot("scout_greedy")], "does not play explorers"),
        (["--move", "1", "--bot", bot("random_legal"), "--out", "."], "exists already"),
    ],
)
def test_what_cannot_be_played_on_is_refused(words, said):
    """`tournament whatif`: errors for users."""
    done = CliRunner().invoke(app, ["whatif", str(GOLDEN / "explorers-2p-complete.json"), *words])

    assert done.exception is not None
    assert said in str(done.exception)
