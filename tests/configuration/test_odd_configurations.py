"""Configurations that nobody writes by accident: each is refused in one sentence, before play."""

from __future__ import annotations

from pathlib import Path

import pytest

from tournament import plain_yaml, run_tournament
from tournament.configuration.file import ConfigurationSource, default_source, read_configuration
from tournament.configuration.flags import parse_workers, with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget, ConfigurationFile
from tournament.errors import ConfigurationError
from tournament.run.budgets import fields_of
from tournament.store.folder import free_folder

LAUGHS = "".join(
    f"  - &{name} [{', '.join([last] * 9)}]\n"
    for last, name in zip(["ha", *(f"*{one}" for one in "abcdefgh")], "abcdefghi", strict=True)
)


def written(tmp_path, text):
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: x\nweights: {scout: .inf}", "line 2: expected a finite number, found inf"),
        ("weights: {scout: .nan}", "line 1: expected a finite number, found nan"),
        ("budget: {minutes: .inf}", "expected a finite number, found inf"),
        ("budget: {minutes: .nan}", "expected a finite number, found nan"),
        ("budget: {deals: 1.0}", "line 1: budget, deals: expected a whole number from 1, found 1.0"),
        ("until: {sprt: {low: 2}}", "line 1: until, sprt, low: expected a number from -1 to 1, found 2"),
        ("until: {sprt: {hig: 1}}", 'Did you mean "high"?'),
        ('seed: "\\uD800"', "half a surrogate pair"),
        ('bots: [{command: [python3, "a\\0b"]}]', "found 'a\\x00b', which has the character NUL. Write it without."),
        ('bots: [{bot: x.py, build: ["a\\0b"]}]', "the character NUL"),
        ('bots: [{bot: x.py, params: {"a\\0b": 1}}]', "the character NUL"),
        ("games: 2020-01-01", "Write a text in quotes"),
        ("2020-01-01: x", "expected a text as a name, found 2020-01-01"),
        ("weights: &w {a: *w}", "an alias is part of itself"),
        ("name: &a [*a]", "an alias is part of itself"),
        (f"name: x\nbots:\n{LAUGHS}", "has more than 100000 parts"),
        (f"workers: {'9' * 5000}", "is not YAML"),
        ("name: !!python/object:os.system x", "line 1: !!python/object:os.system is a tag"),
        ("name: !!binary aGk=", "line 1: !!binary is a tag"),
        ("bots: [x.py, {bot: y.py, params: !mine {z: 1}}]", "line 1: !mine is a tag"),
        (f"name: {'[' * 5000}{']' * 5000}", "more than 50 deep"),
    ],
)
def test_what_is_no_configuration_is_told_in_a_sentence(tmp_path, text, words):
    """Never a traceback for a user's mistake."""
    with pytest.raises(ConfigurationError) as told:
        read_configuration(written(tmp_path, text))

    assert words in str(told.value)
    assert "\n" not in str(told.value)


def test_a_document_is_read_no_further_than_it_may_be_long(tmp_path, monkeypatch):
    """It is not in memory as a whole before its parts are counted."""
    monkeypatch.setattr(plain_yaml, "MOST_PARTS", 10)
    monkeypatch.setattr(plain_yaml, "MOST_BYTES", 100)

    with pytest.raises(ConfigurationError, match="line 1: with its aliases written out the document has more than"):
        read_configuration(written(tmp_path, f"bots: [{'a, ' * 21}}}"))  # what is behind is never looked at
    with pytest.raises(ConfigurationError, match=r"it has more than 100 bytes\. Make it shorter\."):
        read_configuration(written(tmp_path, f"name: {'a' * 100}"))
    with pytest.raises(ConfigurationError, match=r"it has more than 100 bytes\. Make it shorter\."):
        read_configuration(Path("/dev/zero"))


def test_an_alias_is_read(tmp_path):
    """YAML: a part written once may stand twice."""
    found = read_configuration(written(tmp_path, "bots: [&r random_legal.py, *r]"))

    assert ("random_legal.py", "random_legal.py") == found.file.bots


@pytest.mark.parametrize("name", ["a/b", "a\\b", ".", "..", " ", "a\nb", "a\x1b[2J", "\ud800"])
def test_a_name_that_is_no_folder_is_refused(name):
    """A tournament is named as an entrant is: its folder has its name."""
    source = default_source()

    with pytest.raises(ConfigurationError, match="cannot name a tournament"):
        resolve(source._replace(file=ConfigurationFile(name=name)))


def test_the_name_of_a_file_is_checked_as_well(tmp_path):
    """The name is by default that of the file."""
    path = tmp_path / f"{'x' * 65}.yaml"
    path.write_text("compress: true")

    with pytest.raises(ConfigurationError, match="it has 65 characters"):
        resolve(read_configuration(path))


def test_a_folder_has_the_name_of_its_tournament(tmp_path, monkeypatch):
    """Records/NAME, then NAME-2."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records" / "open").mkdir(parents=True)

    assert "records/open-2" == str(free_folder("open"))


@pytest.mark.parametrize(
    "budget",
    [
        Budget(deals=99999999999999999999999999),
        Budget(games=10**26),
        Budget(minutes=float("inf")),
        Budget(minutes=float("nan")),
    ],
)
@pytest.mark.parametrize("schedule", ["round-robin", "knockout"])
def test_more_than_can_be_played_is_refused_before_anything_is_written(tmp_path, budget, schedule):
    """The audit works out at most 5,000,000 blocks."""
    source, _ = with_flags(default_source(), budget=budget, schedule=schedule)

    with pytest.raises(ConfigurationError, match="budget: "):
        run_tournament(resolve(source), out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_weights_with_no_sum_are_refused():
    """Shares are of a finite whole."""
    file = ConfigurationFile(weights={"scout": 1e308, "explorers": 1e308})

    with pytest.raises(ConfigurationError, match="finite sum"):
        resolve(ConfigurationSource(file, default_source().base, None, {}))


def test_a_seed_that_is_no_text_is_refused():
    """What a shell passes on of bytes that are no UTF-8."""
    source, _ = with_flags(default_source(), seed="\udcff")

    with pytest.raises(ConfigurationError, match="seed: "):
        resolve(source)


def test_the_most_that_is_played_is_allowed():
    """The audit works out 5,000,000 blocks."""
    source, _ = with_flags(default_source(), games=["scout:4"], budget=Budget(games=20_000_000))

    assert 5_000_000 == fields_of(resolve(source))[0].blocks


def test_more_workers_than_a_machine_has_room_for_are_refused():
    """A thousand processes are more than any machine here starts."""
    file = ConfigurationFile(workers=1_001)

    with pytest.raises(ConfigurationError, match="at most 1000 play at once"):
        resolve(ConfigurationSource(file, default_source().base, None, {}))
    for text in ("1001", "9" * 5000, "0"):
        with pytest.raises(ConfigurationError, match="from 1 to 1000"):
            parse_workers(text)
