"""Everything in a run folder that its records and results can contradict: one change each, and what is said of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from needs import need_module
from run_files import BOTS, Values, claim, found_in

from tournament import audit, run_tournament
from tournament.auditing import FindingCode, format_findings, runs
from tournament.auditing.run_file import run_fingerprint
from tournament.configuration.validation import validate_files
from tournament.languages import OWN_FOLDER, Language, speaking
from tournament.languages.catalogues import source_of
from tournament.languages.speaking import catalogue_of
from tournament.records.codec import canonical_bytes
from tournament.report.site import write_public_copy, write_report

CONFIGURATION = f"""
name: tiny
seed: 7
games:
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
    def act(self, view):
        if view.seat == 0:
            raise ValueError("tired")
        return view.legal_actions()[0]

    def end(self, result):
        raise RuntimeError("late")
"""
OWN_SUITE = "name: mine\npurpose: a test\nseeds: [a, b, c]\n"

Change = Callable[[Values], Any]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run with faults, failures after the end, and its report."""
    folder = tmp_path_factory.mktemp("folder")
    (folder / "faulty.py").write_text(FAULTY)
    (folder / "tiny.yaml").write_text(CONFIGURATION)
    run = run_tournament(folder / "tiny.yaml", out=folder / "run")
    write_report(run)
    return run


def _lines(run: Path, name: str) -> list[bytes]:
    return (run / name).read_bytes().splitlines(keepends=True)


def _change_line(run: Path, name: str, change: Change, *, number: int = 0) -> None:
    lines = _lines(run, name)
    values = json.loads(lines[number])
    change(values)
    lines[number] = json.dumps(values, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    (run / name).write_bytes(b"".join(lines))


def test_nothing_is_wrong_with_the_folder_as_it_was_played(played: Path) -> None:
    assert found_in(played) == []
    assert audit(played).unchecked == ()


def test_every_file_of_the_folder_fits_its_schema(played: Path) -> None:
    assert validate_files([played]) == []


def test_a_clock_that_does_not_fit_is_told_with_its_line(played: Path, run: Path) -> None:
    """`validate` takes any file of a run."""
    _change_line(run, "clocks.jsonl", lambda values: values["seats"][1].update(moves="many"), number=2)

    assert [(problem.path.name, problem.line) for problem in validate_files([run])] == [("clocks.jsonl", 3)]


# run.json


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda values: values["entrants"].append(values["entrants"][0]), "An entrant stands twice."),
        (
            lambda values: values["entrants"][0]["bots"].append(values["entrants"][0]["bots"][0]),
            "one has two bots for explorers.",
        ),
        (
            lambda values: values["groups"].append(values["groups"][0] | {"name": "explorers-2p-2"}),
            "No segment plays the group explorers-2p-2.",
        ),
        (
            lambda values: values["segments"].append(
                values["segments"][0] | {"number": 1, "fields": [], "blocks": 0, "games": 0}
            ),
            "Segment 1 is empty.",
        ),
        (
            lambda values: values["segments"][0].update(deals=2),
            "Deals of a round are what a knockout has, and segment 0 is a round-robin.",
        ),
        (
            lambda values: values.update(bounds={"low": 0.0, "high": 0.1}),
            "Bounds are what `until: sprt` tells apart.",
        ),
        (lambda values: values.update(until="sprt"), "`until: sprt` tells two entrants apart."),
        (
            lambda values: values.update(replaced={"one": "two"}),
            "An entrant is replaced, and yet no segment begins with the new one.",
        ),
        (lambda values: values.pop("balance"), "A complete run says how even its blocks are."),
        (
            lambda values: values.update(compress=True),
            "The records are compressed, so they lie in games.jsonl.zst alone.",
        ),
    ],
    ids=[
        *("entrant twice", "two bots", "group unplayed", "empty segment", "deals in a round robin"),
        *("bounds", "sprt of three", "replaced in one segment", "no balance", "compressed"),
    ],
)
def test_a_contradiction_in_run_json_is_found(run: Path, change: Change, message: str) -> None:
    claim(run, change)

    assert (FindingCode.RUN_FILE, message) in found_in(run)


def test_a_second_file_of_records_is_found(run: Path) -> None:
    """Of two the first would be read, whatever the other says."""
    (run / "games.jsonl.zst").write_bytes(b"")

    assert (
        FindingCode.RUN_FILE,
        "The records are not compressed, so they lie in games.jsonl alone.",
    ) in found_in(run)


@pytest.mark.parametrize(
    ("name", "code"), [("run.json", FindingCode.RUN_FILE), ("standings.json", FindingCode.STANDINGS)]
)
def test_a_name_that_stands_twice_is_found(run: Path, name: str, code: FindingCode) -> None:
    """Whoever reads the first of the two reads something else than whoever reads the last."""
    path = run / name
    path.write_bytes(path.read_bytes().replace(b'{\n  "format"', b'{\n  "version": 9,\n  "format"', 1))

    assert (code, "A name stands twice: readers disagree on which counts.") in found_in(run)


def test_a_name_that_stands_twice_in_a_result_is_found(run: Path) -> None:
    lines = _lines(run, "results.jsonl")
    lines[0] = lines[0].replace(b'{"id"', b'{"ending":"aborted","id"', 1)
    (run / "results.jsonl").write_bytes(b"".join(lines))

    assert found_in(run)[0] == (FindingCode.RESULTS, "The line is not written as results are.")


# Suites


def _on_suite(folder: Path, suite: str, *, name: str = "mine") -> Path:
    folder.mkdir()
    (folder / f"{name}.yaml").write_text(suite)
    text = CONFIGURATION.replace("seed: 7", f"deals_from: {name}.yaml").replace(
        "  - {name: late, bot: faulty.py}\n", ""
    )
    (folder / "tiny.yaml").write_text(text)
    return run_tournament(folder / "tiny.yaml", out=folder / "run")


def test_a_suite_that_is_not_at_hand_is_not_checked(tmp_path: Path) -> None:
    run = _on_suite(tmp_path / "own", OWN_SUITE)

    report = audit(run)

    assert report.findings == ()
    assert "It does not come along: give its file with --suite." in report.unchecked[0]
    assert format_findings(report).endswith("not all of it checked; nothing wrong in the rest.")


def test_a_suite_that_is_given_is_checked(tmp_path: Path) -> None:
    run = _on_suite(tmp_path / "own", OWN_SUITE)

    report = audit(run, suites=[tmp_path / "own" / "mine.yaml"])

    assert (report.findings, report.unchecked) == ((), ())


def test_an_own_suite_with_the_name_of_one_that_comes_along_has_no_false_findings(tmp_path: Path) -> None:
    """Suites are known by their digest."""
    run = _on_suite(tmp_path / "own", OWN_SUITE.replace("mine", "smoke"), name="smoke")

    assert found_in(run) == []
    assert audit(run, suites=[tmp_path / "own" / "smoke.yaml"]).unchecked == ()


def test_another_suite_than_the_one_that_was_played_is_found(tmp_path: Path) -> None:
    run = _on_suite(tmp_path / "own", OWN_SUITE)
    other = tmp_path / "mine.yaml"
    other.write_text(OWN_SUITE.replace("a, b", "b, a"))

    findings = audit(run, suites=[other]).findings

    assert [(finding.code, finding.message) for finding in findings] == [
        (FindingCode.SUITE, "Segment 0: The suite mine that was given is another one.")
    ]


def test_a_forged_digest_of_a_suite_that_comes_along_is_found(tmp_path: Path) -> None:
    shipped = (Path(__file__).parents[2] / "seeds" / "smoke.yaml").read_text()
    run = _on_suite(tmp_path / "own", shipped, name="smoke")
    assert found_in(run) == []
    claim(run, lambda values: values["segments"][0].update(suite_digest="0" * 64))

    assert found_in(run) == [
        (
            FindingCode.SUITE,
            "Segment 0: All deals are those of the suite smoke that comes along, and the digest is not.",
        )
    ]


def test_a_suite_beside_a_commitment_is_found(run: Path) -> None:
    """With a suite that nobody has, no seed would be checked: so a run with a master cannot name one."""
    claim(run, lambda values: values["segments"][0].update(suite="mine", master="x", commitment="0" * 64))

    assert (
        FindingCode.COMMITMENT,
        "Segment 0: its deals come from a suite, so there is no master to commit to.",
    ) in found_in(run)


# What is about the machine


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda values: values.update(kind="crash", seat=1), "The fault is not the next one of the results."),
        (lambda values: values.update(kind="timeout"), "The fault is not the next one of the results."),
        (lambda values: values.update(bot="one"), "Another bot sat there."),
        (lambda values: values.update(at=1), "The record tells the fault another way."),
        (lambda values: values.update(detail="it slept"), "The record tells the fault another way."),
        (lambda values: values.update(mood="bad"), "This line is not what stands there."),
    ],
    ids=["seat", "kind", "bot", "step", "detail", "unknown name"],
)
def test_a_changed_fault_is_found(run: Path, change: Change, message: str) -> None:
    number = next(number for number, line in enumerate(_lines(run, "faults.jsonl")) if b'"detail"' in line)
    _change_line(run, "faults.jsonl", change, number=number)

    assert found_in(run)[0] == (FindingCode.TROUBLE, message)


def test_a_failure_after_the_end_of_a_game_of_others_is_found(run: Path) -> None:
    number = next(number for number, line in enumerate(_lines(run, "faults.jsonl")) if b"after-end" in line)
    game = next(json.loads(line) for line in _lines(run, "results.jsonl") if b"late" not in line)["id"]
    _change_line(run, "faults.jsonl", lambda values: values.update(id=game), number=number)

    assert found_in(run) == [(FindingCode.TROUBLE, "Somebody failed after the end of a game it did not play.")]


@pytest.mark.parametrize("name", ["faults.jsonl", "clocks.jsonl"])
def test_a_file_about_the_machine_that_is_gone_is_found(run: Path, name: str) -> None:
    (run / name).unlink()

    assert next(message for _, message in found_in(run)) == "The file cannot be read."


def test_a_line_that_is_gone_from_the_faults_is_found(run: Path) -> None:
    lines = _lines(run, "faults.jsonl")
    last = max(number for number, line in enumerate(lines) if b'"detail"' in line)
    (run / "faults.jsonl").write_bytes(b"".join(lines[:last] + lines[last + 1 :]))

    assert found_in(run) == [(FindingCode.TROUBLE, "A fault of the results is missing.")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda values: values["seats"][0].update(moves=999), "Seat 0 was not asked so often."),
        (lambda values: values["seats"].pop(), "Not every seat has its time."),
        (lambda values: values["seats"][0]["spread"].append(1), "Its moves are not as many as the times of them."),
        (lambda values: values["seats"][0].update(longest_ms=1e6), "A move took longer than all moves."),
        (lambda values: values.update(id="explorers-2p.0.000009.0"), "The times are not those of the next game."),
    ],
    ids=["moves", "seats", "spread", "longest", "game"],
)
def test_a_changed_clock_is_found(run: Path, change: Change, message: str) -> None:
    _change_line(run, "clocks.jsonl", change)

    assert found_in(run) == [(FindingCode.CLOCKS, message)]


def test_what_is_wrong_with_standings_is_told_before_what_is_wrong_with_times(run: Path) -> None:
    claim(run, lambda values: values["groups"][0].update(games=99), name="standings.json")
    _change_line(run, "clocks.jsonl", lambda values: values["seats"][0].update(moves=999))

    assert [FindingCode.STANDINGS, FindingCode.CLOCKS] == [code for code, _ in found_in(run)]


def test_torn_clocks_are_found(run: Path) -> None:
    data = (run / "clocks.jsonl").read_bytes()
    (run / "clocks.jsonl").write_bytes(data[:-20])

    assert (FindingCode.CLOCKS, "The last line is torn.") in found_in(run)


@pytest.mark.parametrize("name", ["faults.jsonl", "clocks.jsonl"])
def test_a_name_that_stands_twice_in_a_line_is_found(run: Path, name: str) -> None:
    path = run / name
    path.write_bytes(path.read_bytes().replace(b"{", b'{"id":"explorers-2p.0.000009.0",', 1))

    assert "A name stands twice: readers disagree on which counts." in {message for _, message in found_in(run)}


def test_a_record_with_a_seat_less_than_its_result_becomes_findings(run: Path) -> None:
    """Times are told of every seat, and one of the seats is gone from the record."""
    records = _lines(run, "games.jsonl")
    values = json.loads(records[0])
    digest = values.pop("digest")
    values["seats"] = values["seats"][:1]
    changed = sha256(canonical_bytes(values)).hexdigest()
    records[0] = canonical_bytes(values | {"digest": changed}) + b"\n"
    (run / "games.jsonl").write_bytes(b"".join(records))
    results = (run / "results.jsonl").read_text()
    (run / "results.jsonl").write_text(results.replace(digest, changed))

    assert FindingCode.PLAYERS in {code for code, _ in found_in(run)}


def test_no_more_is_left_of_a_bank_than_was_in_it(run: Path) -> None:
    _change_line(run, "clocks.jsonl", lambda values: values["seats"][0].update(bank_ms=10_001))

    assert [(FindingCode.CLOCKS, "More is left of a bank than was in it.")] == found_in(run)


# The configuration


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("deals: 2", "deals: 20", "It has another budget."),
        ("name: tiny", "name: other", "It is of another tournament."),
        ("seed: withheld", "seed: 8", "It tells a seed that is not the published master."),
        ("stall_limit: 5", "stall_limit: 6", "It has other games."),
        ("isolation: none", "isolation: sandbox", "It has another isolation."),
        ("isolation: none", "isolation: none\nkeep: none", "It keeps other records."),
        ("isolation: none", "isolation: none\nschedule: gauntlet\nfocus: [one]", "It has another schedule."),
        ("isolation: none", "isolation: none\nclock: {move_ms: 1}", "It has another clock."),
        ("isolation: none", "isolation: none\nwithdraw: never", "It withdraws bots by another rule."),
        ("budget:\n  deals: 2\n", "", "It has another budget."),
        ("name: late", "name: early", "It has an entrant that takes no part."),
        ("bot: faulty.py", "bot: better.py", "It does not ask for the bot that late plays explorers with."),
    ],
)
def test_a_changed_configuration_is_found(run: Path, old: str, new: str, message: str) -> None:
    path = run / "tournament.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))

    assert (FindingCode.CONFIGURATION, message) in found_in(run)


@pytest.mark.parametrize("key", ["games", "bots", "budget"])
def test_what_a_configuration_leaves_out_had_its_default(run: Path, key: str) -> None:
    path = run / "tournament.yaml"
    values = yaml.safe_load(path.read_text())
    del values[key]
    path.write_text(yaml.safe_dump(values))

    assert {FindingCode.CONFIGURATION} == {code for code, _ in found_in(run)}


@pytest.mark.parametrize(
    ("bots", "message"),
    [
        (["{path}", "{path}", "{path}"], "It asks for more of a bot than take part."),
        (["{path}", ""], "It asks for a bot that nobody plays with."),
    ],
)
def test_every_entry_for_a_bot_has_an_entrant_of_its_own(tmp_path: Path, bots: list[str], message: str) -> None:
    path = str(BOTS / "random_legal.py")
    game = {"game": "explorers", "players": 2, "options": {"stall_limit": 5}}
    values = {"games": [game], "bots": [path, path], "budget": {"deals": 1}, "isolation": "none"}
    (tmp_path / "two.yaml").write_text(yaml.safe_dump(values))
    run = run_tournament(tmp_path / "two.yaml", out=tmp_path / "run")
    assert [] == found_in(run)
    values["bots"] = [bot.format(path=path) for bot in bots]
    (run / "tournament.yaml").write_text(yaml.safe_dump(values | {"name": "two"}))

    assert (FindingCode.CONFIGURATION, message) in found_in(run)


def test_parameters_that_no_entry_gives_are_found(tmp_path: Path) -> None:
    """A path alone asks for a bot as it is."""
    path = str(BOTS / "random_legal.py")
    game = {"game": "explorers", "players": 2, "options": {"stall_limit": 5}}
    values = {"games": [game], "bots": [path, path], "budget": {"deals": 1}, "isolation": "none"}
    (tmp_path / "two.yaml").write_text(yaml.safe_dump(values))
    run = run_tournament(tmp_path / "two.yaml", out=tmp_path / "run")
    claim(run, lambda values: values["entrants"][1]["bots"][0].update(params={"depth": 9}))

    assert FindingCode.CONFIGURATION in {code for code, _ in found_in(run)}


@pytest.mark.parametrize("data", [None, b"bots: [", b"\xff"])
def test_a_configuration_that_cannot_be_read_is_found(run: Path, data: bytes | None) -> None:
    (run / "tournament.yaml").unlink()
    if data is not None:
        (run / "tournament.yaml").write_bytes(data)

    assert {FindingCode.CONFIGURATION} == {code for code, _ in found_in(run)}


# Standings and report


def test_two_names_that_were_swapped_in_the_report_are_found(run: Path) -> None:
    page = run / "report" / "index.html"
    text = page.read_text(encoding="utf-8")
    swapped = text.replace(">one<", ">\0<").replace(">two<", ">one<").replace(">\0<", ">two<")
    assert swapped != text
    page.write_text(swapped, encoding="utf-8")

    [finding] = audit(run).findings

    assert (finding.code, Path(finding.file).name) == (FindingCode.REPORT, "index.html")
    assert finding.message.startswith("The page is not what the run gives, from byte ")


def test_a_page_too_many_and_one_too_few_are_found(run: Path) -> None:
    (run / "report" / "games.html").rename(run / "report" / "other.html")

    assert found_in(run) == [
        (FindingCode.REPORT, "A file of the report is missing."),
        (FindingCode.REPORT, "The report has no such file."),
    ]


def test_a_report_in_german_is_what_the_run_gives_and_one_that_claims_to_be_is_not(run: Path) -> None:
    need_module("babel", extra="languages")
    with speaking(Language.GERMAN):
        write_report(run)
    german = audit(run)
    write_report(run)
    claim(run, lambda values: values.update(language="de"), name="report/data/made-by.json")

    assert (german.findings, german.unchecked) == ((), ())
    assert {Path(finding.file).name for finding in audit(run).findings} >= {"index.html", "games.html"}


def test_a_report_whose_language_is_not_installed_is_not_checked(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_report(run, language="de")
    monkeypatch.setattr("tournament.auditing.files.knows_languages", lambda: False)

    report = audit(run)

    assert report.findings == ()
    assert "the report is in Deutsch. Install it: " in report.unchecked[0]


@pytest.fixture
def own_catalogue(tmp_path: Path) -> Iterator[Path]:
    """A host's folder with a German catalogue of one text, which nothing names so far."""
    need_module("babel", extra="languages")
    source = source_of(Language.GERMAN, tmp_path / "words")
    source.parent.mkdir(parents=True)
    head = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    source.write_text(f'{head}msgid "Faults"\nmsgstr "Pannen"\n', encoding="utf-8")
    yield tmp_path / "words"
    catalogue_of.cache_clear()


def test_a_report_with_texts_of_a_host_is_checked_where_these_are(
    run: Path, own_catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OWN_FOLDER, str(own_catalogue))
    catalogue_of.cache_clear()
    page = write_report(run, language="de").read_text(encoding="utf-8")
    report = audit(run)

    assert "Pannen" in page
    assert (report.findings, report.unchecked) == ((), ())


def test_a_report_with_texts_of_a_host_is_left_unchecked_where_these_are_not(
    run: Path, own_catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as there:
        there.setenv(OWN_FOLDER, str(own_catalogue))
        catalogue_of.cache_clear()
        write_report(run, language="de")
    catalogue_of.cache_clear()
    report = audit(run)

    assert report.findings == ()
    assert "the report was made with texts of a catalogue in Deutsch that is not here" in report.unchecked[0]


def test_a_report_in_our_own_texts_is_left_unchecked_where_a_host_has_others(
    run: Path, own_catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_report(run, language="de")
    monkeypatch.setenv(OWN_FOLDER, str(own_catalogue))
    catalogue_of.cache_clear()
    report = audit(run)

    assert report.findings == ()
    assert f"Audit it without {OWN_FOLDER}" in report.unchecked[0]


def test_a_report_of_another_version_is_not_checked(run: Path) -> None:
    claim(run, lambda values: values.update(tournament="0.1.9"), name="report/data/made-by.json")

    report = audit(run)

    assert report.findings == ()
    assert "the report was made by tournament 0.1.9" in report.unchecked[0]


def test_a_report_with_analyses_is_not_checked(run: Path) -> None:
    claim(run, lambda values: values.update(analyses=["explorers-2p.0.000000.0"]), name="report/data/made-by.json")

    report = audit(run)

    assert (report.findings, len(report.unchecked)) == ((), 1)


def test_standings_that_cannot_be_worked_out_again_are_a_finding(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They were passed over with a note."""

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no games")

    monkeypatch.setattr(runs, "standings_file", fail)

    assert (FindingCode.STANDINGS, "The standings cannot be worked out again.") in found_in(run)


# A public copy


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    """A copy for everybody."""
    write_public_copy(played, tmp_path / "public")
    return tmp_path / "public"


def test_a_public_copy_is_clean_although_files_are_left_out(copy: Path) -> None:
    assert found_in(copy) == []
    assert audit(copy).unchecked == ()
    assert sorted(path.name for path in copy.iterdir()) == [
        *("games.jsonl", "games.jsonl.index", "results.jsonl", "run.json", "standings.json", "tournament.yaml"),
    ]


def test_a_public_copy_names_no_path(copy: Path, played: Path) -> None:
    """Neither where bots lie nor where paths begin."""
    text = "".join((copy / name).read_text() for name in ("run.json", "tournament.yaml"))

    assert str(BOTS) not in text
    assert '"base"' not in text


def test_a_public_copy_that_has_times_is_found(copy: Path, played: Path) -> None:
    shutil.copy(played / "clocks.jsonl", copy)

    assert found_in(copy) == [(FindingCode.CLOCKS, "A public copy does not have this file.")]


def test_a_run_that_only_says_that_it_is_public_is_found(run: Path) -> None:
    """Its times are still there."""
    claim(run, lambda values: values.update(public=True))

    assert {FindingCode.CLOCKS, FindingCode.TROUBLE} == {code for code, _ in found_in(run)}


# What a host publishes


def test_a_fingerprint_has_commitment_and_results(played: Path) -> None:
    info = json.loads((played / "run.json").read_bytes())

    fingerprint = run_fingerprint(played)

    assert fingerprint.commitments == (info["segments"][0]["commitment"],)
    assert fingerprint.results == sha256((played / "results.jsonl").read_bytes()).hexdigest()


def test_dropped_last_blocks_change_the_fingerprint(run: Path) -> None:
    """The one thing that tells of them in a run that says it was interrupted."""
    before = run_fingerprint(run)
    (run / "results.jsonl").write_bytes(b"".join(_lines(run, "results.jsonl")[:-2]))

    assert run_fingerprint(run).results != before.results


def test_a_fingerprint_is_the_same_in_a_public_copy(played: Path, copy: Path) -> None:
    assert run_fingerprint(copy).results == run_fingerprint(played).results


# Runs that end when something is decided


UNTIL = f"""
name: tiny
seed: 7
games:
  - {{game: explorers, players: 2, options: {{stall_limit: 5}}}}
bots:
  - {{name: good, bot: {BOTS / "explorers_threshold.py"}}}
  - {{name: random, bot: {BOTS / "random_legal.py"}}}
budget: {{deals: 60}}
until: {{sprt: {{low: 0, high: 0.3}}}}
keep: none
isolation: none
workers: 1
"""


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run that was decided before its budget was spent."""
    folder = tmp_path_factory.mktemp("decided")
    (folder / "tiny.yaml").write_text(UNTIL)
    return run_tournament(folder / "tiny.yaml", out=folder / "run")


def test_a_decision_is_decided_again_and_needs_no_belief(decided: Path) -> None:
    report = audit(decided)

    assert json.loads((decided / "run.json").read_bytes())["decision"]["decided"]
    assert report.findings == ()
    assert not any("run.json alone says so" in note for note in report.notes)


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values["decision"].update(text="good is first at 95 % after 20 chunks."),
        lambda values: values["bounds"].update(high=0.4),
        lambda values: (values.pop("bounds"), values.update(until="decided")),
        lambda values: (values.pop("bounds"), values.update(until="all pairs")),
    ],
    ids=["text", "bounds", "decided", "all pairs"],
)
def test_a_decision_of_another_kind_is_found(decided: Path, tmp_path: Path, change: Change) -> None:
    run = Path(shutil.copytree(decided, tmp_path / "run"))
    claim(run, change)
    (run / "tournament.yaml").unlink()

    assert FindingCode.RUN_FILE in {code for code, _ in found_in(run)}
