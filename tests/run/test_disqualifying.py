"""Taking a bot out afterwards, and back in."""

from __future__ import annotations

import json

import pytest
from small_runs import FAST, configuration_file

from tournament import Run, run_tournament
from tournament.auditing import audit
from tournament.cli.app import app
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget, GameEntry
from tournament.errors import BotError, RunError, UsageError
from tournament.ranking.sources import read_sources
from tournament.records.run import RunState
from tournament.report.standings import format_standings
from tournament.store.files import RunLock
from tournament.store.folder import read_run

REASON = "two bots of one author"


@pytest.fixture
def run(tmp_path):
    """A complete run of three bots over both games."""
    return played(tmp_path, 3)


def played(tmp_path, count, *, third_seat=False):
    bots = tmp_path / "bots"
    bots.mkdir()
    for number, name in enumerate(["ann", "ben", "cas"][:count]):
        (bots / f"{name}.py").write_text(FAST.format(index=-1 if number else 0))
    games = (
        GameEntry(game="scout", players=2),
        GameEntry(game="explorers", players=2 + third_seat, options={"move_limit": 40}),
    )
    file = configuration_file(games=games, budget=Budget(deals=2))
    return run_tournament(resolve(ConfigurationSource(file, tmp_path, None, {})), out=tmp_path / "run")


def entrants_in(values):
    return {row["entrant"] for group in values["groups"] for row in group["rows"]}


def standings_of(run):
    return json.loads((run / "standings.json").read_bytes())


def test_no_block_with_a_disqualified_bot_counts_and_the_reason_is_shown(run):
    """Kept in run.json, standings on whole blocks, shown with the reason."""
    before = standings_of(run)
    Run.open(run).disqualify("ben", reason=REASON)
    after = standings_of(run)
    sources = read_sources([run])
    shown = format_standings(sources.standings(), notes=sources.notes)

    assert {"ann", "ben", "cas"} == entrants_in(before)
    assert {"ann", "cas"} == entrants_in(after)
    assert [{"entrant": "ben", "reason": REASON}] == after["disqualified"]
    assert [("ben", REASON)] == [(one.entrant, one.reason) for one in read_run(run).disqualified]
    assert f"ben is disqualified, and none of its tables counts: {REASON}" in shown
    assert [4, 4] == [group["games"] for group in after["groups"]]
    assert () == tuple(after["left_out"])


def test_the_audit_of_a_run_with_a_disqualified_bot_is_clean_and_sees_through_a_wrong_one(run):
    """The audit works out the same standings."""
    Run.open(run).disqualify("ben", reason=REASON)
    clean = audit(str(run)).findings
    text = (run / "run.json").read_text()
    (run / "run.json").write_text(text.replace('"entrant": "ben"', '"entrant": "cas"'))
    wrong = audit(str(run)).findings
    (run / "run.json").write_text(text.replace('"entrant": "ben"', '"entrant": "nobody"'))
    unknown = audit(str(run)).findings

    assert () == tuple(clean)
    assert ["standings"] == [str(finding.code) for finding in wrong]
    assert "Somebody is disqualified who takes no part." in [finding.message for finding in unknown]


def test_taking_it_back_in_gives_the_same_bytes_as_before(run):
    files = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    Run.open(run).disqualify("ben", reason=REASON)
    changed = {path.name for path, data in files.items() if path.read_bytes() != data}
    Run.open(run).reinstate("ben")

    assert {"run.json", "standings.json"} == changed
    assert files == {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}


def test_two_can_be_out_in_turn_and_the_rest_is_ranked(tmp_path):
    """When nobody would be left that is refused."""
    run = played(tmp_path, 3)
    Run.open(run).disqualify("ben", reason=REASON)
    before = standings_of(run)

    with pytest.raises(RunError, match="no game left"):
        Run.open(run).disqualify("ann", reason=REASON)
    assert before == standings_of(run)


def test_a_run_that_grows_keeps_who_is_out(run):
    """Also after `extend`."""
    Run.open(run).disqualify("ben", reason=REASON)
    Run.open(run).extend(budget=Budget(deals=1))

    assert {"ann", "cas"} == entrants_in(standings_of(run))
    assert [{"entrant": "ben", "reason": REASON}] == standings_of(run)["disqualified"]
    assert () == tuple(audit(str(run)).findings)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda run: Run.open(run).disqualify("bne", reason=REASON), BotError, 'Did you mean "ben"'),
        (lambda run: Run.open(run).disqualify("ben", reason=" "), UsageError, "Say why"),
        (lambda run: Run.open(run).disqualify("ben", reason="\udcfc"), UsageError, "a character that is not in UTF-8"),
        (lambda run: Run.open(run).reinstate("ben"), RunError, "is not disqualified"),
        (
            lambda run: [Run.open(run).disqualify("ben", reason=REASON) for _ in "12"],
            RunError,
            "is disqualified already",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_what_to_do(call, error, sentence, run):
    """Errors say what to do."""
    with pytest.raises(error, match=sentence):
        call(run)


def test_a_run_that_is_being_played_is_left_alone(run):
    """One writer at a time."""
    lock = RunLock(run)
    try:
        with pytest.raises(RunError, match="is being played right now"):
            Run.open(run).disqualify("ben", reason=REASON)
    finally:
        lock.release()


def test_the_command_disqualifies_and_undoes(run):
    """`tournament disqualify RUN BOT --reason ...`, and --undo."""
    from typer.testing import CliRunner

    done = CliRunner().invoke(app, ["disqualify", str(run), "ben", "--reason", REASON])
    undone = CliRunner().invoke(app, ["disqualify", str(run), "ben", "--undo"])

    assert (0, 0) == (done.exit_code, undone.exit_code)
    assert "ben is disqualified" in done.stdout
    assert "ben takes part" in undone.stdout
    assert RunState.COMPLETE is read_run(run).state


def test_a_group_without_a_table_left_is_said_not_to_be_ranked(tmp_path):
    """Groups must not vanish without a word."""
    folder = played(tmp_path, 3, third_seat=True)
    Run.open(folder).disqualify("ann", reason=REASON)

    assert "explorers-3p is not ranked: none of its games counts." in read_sources([folder]).notes
