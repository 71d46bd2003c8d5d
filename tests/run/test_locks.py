"""One command at a time changes a run: what another has written meanwhile is never overwritten."""

from __future__ import annotations

import pytest
from small_runs import Configure
from test_resume import Stopper, stopped

from tournament import Run, run_tournament
from tournament.configuration.types import Budget
from tournament.errors import RunError
from tournament.records.run import RunState
from tournament.run import workers
from tournament.store.files import RunLock
from tournament.store.folder import read_run
from tournament.store.layout import index_path, parse_reference, records_path
from tournament.store.reader import find_record

PLAYS = {
    "run": lambda folder, configuration: run_tournament(configuration, out=folder),
    "resume": lambda folder, _: Run.open(folder).play(),
    "extend": lambda folder, _: Run.open(folder).extend(budget=Budget(deals=1)),
    "final": lambda folder, _: Run.open(folder).final(budget=Budget(deals=1)),
}
CHANGES = {
    "run": lambda folder, configuration: run_tournament(configuration, out=folder),
    "resume": lambda folder, _: Run.open(folder).play(),
    "extend": lambda folder, _: Run.open(folder).extend(budget=Budget(deals=1)),
    "disqualify": lambda folder, _: Run.open(folder).disqualify("ada", reason="on purpose"),
    "reinstate": lambda folder, _: Run.open(folder).reinstate("ada"),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("play", PLAYS)
def test_nothing_changes_a_run_while_another_command_loads_its_bots(
    configure: Configure, tmp_path, monkeypatch, play, change
):
    """Loading takes long: the lock is taken before `run.json` is read, not when the first game begins."""
    configuration, folder = configure(), tmp_path / "run"
    if play == "resume":
        stopped(configuration, folder, after=9)
    elif play != "run":
        run_tournament(configuration, out=folder)
    crew_of = workers.crew_of
    refused = []

    def slow(*arguments, **named):
        with pytest.raises(RunError) as caught:
            CHANGES[change](folder, configuration)
        refused.append(str(caught.value))
        return crew_of(*arguments, **named)

    monkeypatch.setattr("tournament.run.run.crew_of", slow)
    PLAYS[play](folder, configuration)

    assert 1 == len(refused)
    assert "is being played right now by another process" in refused[0] or "has a run already" in refused[0]
    assert (RunState.COMPLETE, ()) == (read_run(folder).state, read_run(folder).disqualified)


def test_a_lock_ends_with_an_error(configure, tmp_path):
    """Whoever was refused comes again."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    for _ in range(2):
        with pytest.raises(RunError, match="only a complete run can grow"):
            Run.open(folder).extend(budget=Budget(deals=1))
    Run.open(folder).play()

    assert RunState.COMPLETE is read_run(folder).state


def test_an_index_is_not_made_while_a_runner_appends_to_it(configure, tmp_path):
    """A reader makes a lost index anew, but never under the hands of a runner."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    index = index_path(records_path(folder))
    index.unlink()
    game = parse_reference(f"{folder}#explorers-2p.0.000003.1")
    with RunLock(folder):
        found = find_record(game)
        is_made_meanwhile = index.exists()

    assert not is_made_meanwhile
    assert found == find_record(game)
    assert index.exists()


@pytest.mark.parametrize("change", ["resume", "extend", "disqualify", "reinstate"])
@pytest.mark.parametrize("name", ["none", "file"])
def test_what_is_no_run_is_told(configure, tmp_path, name, change):
    """A clear sentence, no traceback."""
    (tmp_path / "file").write_text("mine")

    with pytest.raises(RunError, match="is not a run"):
        CHANGES[change](tmp_path / name, None)


def test_what_a_killed_writer_left_is_cleared(configure, tmp_path):
    """Files that were about to take another's place."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    left = ["run.json.new", "standings.json.new", "games.jsonl.4711.new"]
    for name in left:
        (folder / name).write_text("half")
    Run.open(folder, observer=Stopper()).play()

    assert [] == [name for name in left if (folder / name).exists()]
