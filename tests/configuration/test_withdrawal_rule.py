"""The rule by which bots that keep failing are withdrawn, as it is written in files and flags."""

from __future__ import annotations

import pytest

from tournament.configuration.file import default_source, read_configuration
from tournament.configuration.flags import parse_withdrawal, with_flags
from tournament.errors import ConfigurationError
from tournament.records.settings import NEVER, WithdrawalRule, rule_from_entry


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("{starts: 2, games: 3, share: 1 %}", WithdrawalRule()),
        ("{share: 2.5%}", WithdrawalRule(share=0.025)),
        ("{share: 0.05, starts: 4}", WithdrawalRule(share=0.05, starts=4)),
        ("{games: 0}", WithdrawalRule(games=0)),
        ("never", NEVER),
    ],
)
def test_a_configuration_says_when_a_bot_is_withdrawn(tmp_path, text, rule):
    """What is left out keeps its default."""
    path = tmp_path / "some.yaml"
    path.write_text(f"withdraw: {text}\n")

    assert rule == rule_from_entry(read_configuration(path).file.withdraw)


def test_without_a_word_the_default_rule_holds():
    """Two starts, three games, one per cent."""
    assert WithdrawalRule(starts=2, games=3, share=0.01) == rule_from_entry(default_source().file.withdraw)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("never", NEVER),
        ("starts=5", WithdrawalRule(starts=5)),
        ("starts=2, games=10, share=5%", WithdrawalRule(games=10, share=0.05)),
    ],
)
def test_a_flag_says_the_same(text, rule):
    """`--withdraw` beats the file."""
    source, _ = with_flags(default_source(), withdraw=text)

    assert rule == rule_from_entry(source.file.withdraw)


@pytest.mark.parametrize("text", ["", "always", "games", "games=x", "games=3,games=4", "starts=0", "share=200%", "a=1"])
def test_a_flag_that_cannot_be_read_is_refused_with_an_example(text):
    """What was expected, what was found."""
    with pytest.raises(ConfigurationError, match="expected never, or some of starts=2,games=3,share=1%"):
        parse_withdrawal(text)


@pytest.mark.parametrize("part", ["share=0.5", "share=101%", "starts=0", "games=many", "share="])
def test_a_rule_that_cannot_be_read_names_the_part_as_it_was_given(part):
    with pytest.raises(ConfigurationError) as caught:
        parse_withdrawal(f"starts=2,{part}" if "starts" not in part else part)

    assert str(caught.value).endswith(f"share=1%, each once; found {part}.")
