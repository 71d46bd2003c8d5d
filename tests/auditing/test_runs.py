"""The audit of a run: what its files say about each other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from make_invalid import resealed
from mutations import Mutator
from run_files import BOTS, Values, claim

from tournament import audit, run_tournament
from tournament.auditing import RUN_CODES, AuditReport, FindingCode, format_findings
from tournament.deals import commitment_of

CONFIGURATION = f"""
name: tiny
seed: 7
games:
  - {{game: scout, players: 3}}
  - {{game: explorers, players: 2, options: {{stall_limit: 5}}}}
bots:
  - {{name: one, bot: {BOTS / "random_legal.py"}}}
  - {{name: two, bot: {BOTS / "random_legal.py"}}}
  - {{name: late, bot: faulty.py}}
budget: {{deals: 2}}
isolation: none
workers: 1
"""
FAULTY = """
from tournament import Bot


class Faulty(Bot):
    decisions = 0

    def act(self, view):
        self.decisions += 1
        if self.decisions > 3 and view.seat == 0 and view.game == "scout":
            raise ValueError("tired")
        return view.legal_actions()[0]
"""


def play(folder: Path, configuration: str, bot: str) -> Path:
    """Returns the folder of a run."""
    (folder / "faulty.py").write_text(bot)
    (folder / "tiny.yaml").write_text(configuration)
    return run_tournament(folder / "tiny.yaml", out=folder / "run")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run of two groups, with faults."""
    return play(tmp_path_factory.mktemp("tiny"), CONFIGURATION, FAULTY)


def test_a_run_is_right_however_the_letters_of_a_name_were_written(tmp_path: Path) -> None:
    """Two ways to write one letter are one name, and the configuration in the folder is as it was given."""
    folder = play(tmp_path, CONFIGURATION.replace("name: late", "name: la\u030ate"), FAULTY)

    assert "la\u030ate" in (tmp_path / "tiny.yaml").read_text()
    assert () == audit(folder).findings


def _codes(report: AuditReport) -> set[FindingCode]:
    return {finding.code for finding in report.findings}


def _lines(run: Path, name: str = "games.jsonl") -> list[bytes]:
    return (run / name).read_bytes().splitlines(keepends=True)


def _write(run: Path, lines: list[bytes], name: str = "games.jsonl") -> None:
    (run / name).write_bytes(b"".join(lines))


def _change(run: Path, number: int, change: Callable[[Values], None]) -> None:
    """Changes a record and makes its digest right; the result beside it stays as it was."""
    lines = _lines(run)
    values = json.loads(lines[number])
    change(values)
    lines[number] = resealed(values) + b"\n"
    _write(run, lines)


def _under_way(run: Path) -> None:
    """Makes a run one that was stopped."""

    def stop(values: Values) -> None:
        values["state"] = "interrupted"
        del values["segments"][0]["master"], values["segments"][0]["salt"], values["finished"]

    claim(run, stop)
    (run / "master.secret").write_text("{}")
    (run / "standings.json").unlink()


def test_nothing_is_wrong_with_a_run_as_it_was_played(played: Path) -> None:
    report = audit(played)

    assert report.clean, format_findings(report)
    assert report.games == {"scout-3p": 6, "explorers-2p": 12}
    assert report.notes == ()
    assert any(json.loads(line)["faults"] for line in _lines(played))


def test_one_game_of_a_run_is_audited_by_its_name(played: Path) -> None:
    """Every command that takes records takes RUN#ID."""
    report = audit(f"{played}#explorers-2p.0.000003.1")

    assert report.clean
    assert report.games == {"explorers-2p": 1}


def test_a_broken_game_can_be_named_too(run: Path) -> None:
    """Otherwise the audit could not say what is wrong with it."""
    lines = _lines(run)
    record_id = json.loads(lines[4])["id"]
    lines[4] = lines[4].replace(b'"moves":[', b'"moves":[7,')
    _write(run, lines)

    report = audit(f"{run}#{record_id}")

    assert [finding.code for finding in report.findings] == [FindingCode.SCHEMA]
    assert report.findings[0].line == 5
    assert report.findings[0].record == record_id


@pytest.mark.parametrize(
    ("line", "instead", "records"),
    [
        ("budget", "budget: {deals: 2}\nkeep: faults", 2),
        ("budget", "budget: {deals: 2}\nkeep: none", 0),
        ("budget", "budget: {deals: 2}\ncompress: true", 18),
        ("budget", "budget: {games: 13}", 13),
        ("seed", "deals_from: seeds/smoke.yaml", 18),
    ],
)
def test_nothing_is_wrong_with_runs_of_other_kinds(tmp_path: Path, line: str, instead: str, records: int) -> None:
    """Kept records, compressed records, part of a pass, a deal suite."""
    lines = [instead if one.startswith(f"{line}:") else one for one in CONFIGURATION.splitlines()]

    report = audit(play(tmp_path, "\n".join(lines), FAULTY))

    assert report.clean, format_findings(report)
    assert report.records == records
    assert [note.split(": ")[1] for note in report.notes] == (
        [f"{18 - records} results have no record"] if "keep" in instead else []
    )


def test_blocks_of_a_withdrawn_entrant_are_not_missing(tmp_path: Path) -> None:
    """Protocol, Faults: a bot that fails too often is withdrawn; later blocks with it are replaced by others."""
    run = play(
        tmp_path, CONFIGURATION, FAULTY.replace("self.decisions > 3", "True").replace(' and view.game == "scout"', "")
    )

    report = audit(run)

    assert report.clean, format_findings(report)
    assert 18 == report.records
    assert json.loads((run / "run.json").read_bytes())["withdrawn"]


# Records that do not belong


def test_a_record_of_another_tournament_is_found(run: Path) -> None:
    """Every record names its tournament."""
    _change(run, 3, lambda values: values.update(tournament="other"))

    assert FindingCode.TOURNAMENT in _codes(audit(run))


def test_a_record_of_a_group_the_run_has_not_is_found(run: Path) -> None:
    """The id begins with the group."""
    _change(run, 0, lambda values: values.update(id=values["id"].replace("scout-3p", "scout-3p-2")))

    assert _codes(audit(run)) == {FindingCode.GROUP, FindingCode.SCHEDULE}


def test_a_record_with_other_options_than_its_group_is_found(run: Path) -> None:
    """Options belong to the group."""
    _change(run, 0, lambda values: values["game"]["options"].update(move_limit=999))

    assert _codes(audit(run)) == {FindingCode.GROUP, FindingCode.RESULTS}


def test_a_record_with_another_fingerprint_than_run_json_is_found(run: Path) -> None:
    """Names, versions and fingerprints are those of run.json."""
    _change(run, 5, lambda values: values["seats"][1].update(fingerprint="0" * 64))

    assert _codes(audit(run)) == {FindingCode.SEATS, FindingCode.RESULTS}


def test_seats_that_are_not_rotated_as_the_schedule_says_are_found(run: Path) -> None:
    """Rotation r, seat s holds order[(s + r) mod k]."""
    _change(run, 5, lambda values: values["seats"].reverse())

    assert FindingCode.SEATS in _codes(audit(run))


def test_a_record_without_a_seed_does_not_belong_into_a_run(run: Path) -> None:
    """Hand-made deals are for records outside runs."""
    _change(run, 0, lambda values: values.pop("seed"))

    assert FindingCode.MASTER in _codes(audit(run))


def test_a_deal_of_another_block_is_found(run: Path) -> None:
    """Every seed follows from the master, and the rotations of a block have one deal."""
    first, fourth = (json.loads(_lines(run)[number]) for number in (0, 6))
    assert first["game"]["name"] == fourth["game"]["name"]

    _change(run, 1, lambda values: values.update(seed=fourth["seed"], deal=fourth["deal"]))

    assert _codes(audit(run)) >= {FindingCode.MASTER, FindingCode.BLOCK_DEAL}


def test_a_record_that_differs_from_its_result_is_found(run: Path) -> None:
    """Every line of results.jsonl is what its record says."""
    lines = _lines(run, "results.jsonl")
    values = json.loads(lines[2])
    values["scores"][0] += 1
    lines[2] = json.dumps(values, separators=(",", ":")).encode() + b"\n"
    _write(run, lines, "results.jsonl")

    assert FindingCode.RESULTS in _codes(audit(run))


# What is missing or too much


@pytest.mark.parametrize("number", [0, 7, -1])
def test_a_missing_record_is_found(run: Path, number: int) -> None:
    """All of the schedule is present."""
    lines = _lines(run)
    record_id = json.loads(lines.pop(number))["id"]
    _write(run, lines)

    findings = audit(run).findings

    assert [(finding.code, finding.expected) for finding in findings] == [(FindingCode.SCHEDULE, record_id)]


def test_a_game_that_is_missing_from_records_and_results_is_found(run: Path) -> None:
    """The schedule is worked out again from run.json."""
    record_id = json.loads(_lines(run)[4])["id"]
    for name in ("games.jsonl", "results.jsonl"):
        _write(run, [line for line in _lines(run, name) if json.loads(line)["id"] != record_id], name)

    report = audit(run)

    assert FindingCode.SCHEDULE in _codes(report)
    assert record_id in {finding.expected for finding in report.findings}


def test_records_out_of_order_are_found(run: Path) -> None:
    """Records stand in schedule order."""
    lines = _lines(run)
    lines[3], lines[4] = lines[4], lines[3]
    _write(run, lines)

    assert _codes(audit(run)) == {FindingCode.SCHEDULE}


def test_a_record_that_stands_there_twice_is_found(run: Path) -> None:
    """Ids are unique."""
    lines = _lines(run)
    _write(run, [*lines[:3], lines[2], *lines[3:]])

    assert _codes(audit(run)) == {FindingCode.DUPLICATE_ID}


def test_a_record_that_is_not_in_the_schedule_is_found(run: Path) -> None:
    """Nothing else is in a run."""
    lines = _lines(run)
    values = json.loads(lines[-1])
    values["id"] = "explorers-2p.0.000099.0"
    _write(run, [*lines, resealed(values) + b"\n"])

    assert {FindingCode.RESULTS, FindingCode.MASTER} == _codes(audit(run))


def test_a_broken_line_does_not_hide_the_others(run: Path) -> None:
    """All findings of all records."""
    lines = _lines(run)
    _change(run, 8, lambda values: values["result"]["scores"].reverse())
    lines = _lines(run)
    lines[2] = b"{}\n"
    _write(run, lines)

    report = audit(run)

    assert report.records == 18
    assert _codes(report) >= {FindingCode.SCHEMA, FindingCode.SCHEDULE, FindingCode.SCORES}


# run.json, master, standings


def test_a_run_json_that_is_none_is_found_and_the_records_are_audited(run: Path) -> None:
    """A run whose run.json is damaged still has its records."""
    (run / "run.json").write_bytes(b'{"format":"tournament-run"')

    report = audit(run)

    assert _codes(report) == {FindingCode.RUN_FILE}
    assert report.records == 18


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values.update(state="done"),
        lambda values: values["segments"][0].update(games=19),
        lambda values: values["segments"][0].update(number=1),
        lambda values: values["segments"][0]["fields"][0].update(players=4),
        lambda values: values["groups"].append(values["groups"][0]),
        lambda values: values["groups"][0]["options"].update(move_limit=0),
        lambda values: values["groups"][0].update(game="skat"),
        lambda values: values["groups"][0].update(players=9),
        lambda values: values["entrants"].pop(),
    ],
)
def test_a_run_json_that_contradicts_itself_is_found(run: Path, change: Callable[[Values], None]) -> None:
    """`run.json` is valid and of one piece."""
    claim(run, change)

    assert FindingCode.RUN_FILE in _codes(audit(run))


@pytest.mark.parametrize("name", ["run.json", "standings.json", "results.jsonl"])
def test_files_of_a_run_changed_at_random_never_end_in_a_traceback(run: Path, name: str) -> None:
    """Never a traceback."""
    rng = Random(name)
    data = (run / name).read_bytes()
    begin, _, rest = data.rpartition(b"\n{")
    mutator = Mutator(data if name.endswith(".json") else b"{" + rest, rng)
    dirty = 0
    for _ in range(60):
        changed = json.dumps(mutator.mutate().value).encode()
        (run / name).write_bytes(changed if name.endswith(".json") else begin + b"\n" + changed + b"\n")
        dirty += not audit(run).clean

    assert dirty > 20


def test_a_master_that_was_not_committed_to_is_found(run: Path) -> None:
    """Nobody changed a deal after the start."""
    claim(run, lambda values: values["segments"][0].update(master="8"))

    assert _codes(audit(run)) == {FindingCode.COMMITMENT, FindingCode.MASTER}


def test_a_commitment_made_to_fit_another_master_does_not_fit_the_deals(run: Path) -> None:
    """Every seed follows from the master."""

    def change(values: Values) -> None:
        segment = values["segments"][0]
        segment.update(master="8", commitment=commitment_of(salt=segment["salt"], master="8"))

    claim(run, change)

    assert _codes(audit(run)) == {FindingCode.MASTER}


def test_a_complete_run_without_its_salt_is_found(run: Path) -> None:
    """Salt and master are published on completion."""
    claim(run, lambda values: values["segments"][0].pop("salt"))

    assert FindingCode.COMMITMENT in _codes(audit(run))


def test_a_secret_left_behind_is_found(run: Path) -> None:
    """`master.secret` is gone when the run is complete."""
    (run / "master.secret").write_text("{}")

    assert _codes(audit(run)) == {FindingCode.COMMITMENT}


def test_standings_that_are_not_those_of_the_results_are_found(run: Path) -> None:
    """Standings are worked out again."""
    claim(run, lambda values: values["groups"][0]["rows"].reverse(), name="standings.json")

    findings = audit(run).findings

    assert [finding.code for finding in findings] == [FindingCode.STANDINGS]
    assert "$.groups[0].rows[0]" in findings[0].message


@pytest.mark.parametrize("data", [None, b"", b"[" * 100_000, b"NaN"])
def test_standings_that_cannot_be_read_are_found(run: Path, data: bytes | None) -> None:
    """A complete run has standings."""
    if data is None:
        (run / "standings.json").unlink()
    else:
        (run / "standings.json").write_bytes(data)

    assert _codes(audit(run)) == {FindingCode.STANDINGS}


# Runs that are not complete


def test_a_run_under_way_is_interim_and_no_finding(run: Path) -> None:
    """Blocks that are still to come are not missing."""
    _under_way(run)
    for name in ("games.jsonl", "results.jsonl"):
        _write(run, _lines(run, name)[:5], name)

    report = audit(run)

    assert report.clean, format_findings(report)
    assert "interim: 5 games" in format_findings(report)


def test_half_a_block_at_the_end_is_found(run: Path) -> None:
    """Blocks are written whole."""
    _under_way(run)
    for name in ("games.jsonl", "results.jsonl"):
        _write(run, _lines(run, name)[:4], name)

    assert _codes(audit(run)) == {FindingCode.SCHEDULE}


def test_a_master_published_too_early_is_found(run: Path) -> None:
    """Until completion nobody may know the deals."""
    claim(run, lambda values: values.update(state="running"))

    assert FindingCode.COMMITMENT in _codes(audit(run))


def test_every_code_of_a_run_is_shown_here() -> None:
    """Each finding code has its test."""
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))

    assert [code for code in RUN_CODES if f"FindingCode.{code.name}" not in text] == []
