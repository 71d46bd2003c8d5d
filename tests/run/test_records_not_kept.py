"""Games that were played, but have no record: `--keep faults`, `--keep sample:1%`, `--keep none`."""

from __future__ import annotations

import pytest
from small_runs import CRASHER

from tournament import read_records, run_tournament
from tournament.cli.progress import Follower
from tournament.errors import RecordError
from tournament.store.layout import Reference
from tournament.store.reader import find_record
from tournament.store.results import read_results

AGAIN = "For the records of all games play the run again with --keep all; with the same --seed it has the same deals."


@pytest.fixture
def faults_kept(configure, bots, tmp_path):
    """A run of which the games with faults alone are kept; these are those of one bot."""
    (bots / "dora.py").write_text(CRASHER)
    return run_tournament(configure(keep="faults"), out=tmp_path / "run", observer=Follower())


def played_and_kept(folder):
    """Returns the results of a run that were not kept, and the ids of those that were."""
    kept = [record.id for record in read_records(folder)]
    return [result for result in read_results(folder) if result.id not in kept], kept


@pytest.mark.parametrize("name", ["id", "digest"])
def test_a_game_that_was_played_but_not_kept_is_no_mistyped_one(faults_kept, name):
    """Whoever names it is told why it is not there, and what to do."""
    others, kept = played_and_kept(faults_kept)
    wanted = {"id": others[0].id, "digest": others[0].digest[:10]}[name]
    with pytest.raises(RecordError) as caught:
        list(read_records(f"{faults_kept}#{wanted}"))

    assert (
        f'{faults_kept}/games.jsonl has no record "{wanted}": the game was played, but not kept (keep: faults). '
        f"Its result is in {faults_kept}/results.jsonl; the first game that was kept is {kept[0]}. {AGAIN}"
    ) == str(caught.value)


def test_a_game_that_was_never_played_is_told_as_a_mistyped_one(faults_kept):
    """A run that does not keep all records knows all its games."""
    with pytest.raises(RecordError, match=r'has no record "explorers-2p\.0\.999999\.0"\. Did you mean'):
        list(read_records(f"{faults_kept}#explorers-2p.0.999999.0"))


def test_a_record_that_was_kept_and_is_gone_is_told_so(configure, tmp_path):
    """The file was changed: nothing that was played makes it so."""
    folder = run_tournament(configure(), out=tmp_path / "run")
    _, *others = (folder / "games.jsonl").read_bytes().splitlines(keepends=True)
    wanted = next(read_records(folder)).id
    (folder / "games.jsonl").write_bytes(b"".join(others))
    with pytest.raises(RecordError, match=r"was played, and its record was kept, but is gone\. Take the file"):
        list(read_records(f"{folder}#{wanted}"))


def test_a_run_without_records_says_that_none_was_kept(configure, tmp_path):
    """Its file of records is empty."""
    folder = run_tournament(configure(keep="none"), out=tmp_path / "run")
    with pytest.raises(RecordError) as caught:
        find_record(Reference(folder, None))

    assert f"{folder}/games.jsonl has no record in it. No game was kept (keep: none). {AGAIN}" == str(caught.value)


def test_the_game_to_replay_at_the_end_of_a_run_is_one_that_was_kept(capsys, faults_kept):
    """The first of its schedule has no fault, and no record."""
    others, kept = played_and_kept(faults_kept)

    assert "explorers-2p.0.000000.0" in [result.id for result in others]
    assert f"Replay a game:    tournament replay '{faults_kept}#{kept[0]}'\n" in capsys.readouterr().out


def test_a_run_that_kept_no_game_names_none_to_replay(configure, tmp_path, capsys):
    """There is none."""
    run_tournament(configure(keep="none"), out=tmp_path / "run", observer=Follower())
    said = capsys.readouterr().out

    assert "Check everything: tournament audit" in said
    assert "Replay a game" not in said
