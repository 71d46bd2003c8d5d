"""`check_game` on every game there is, and on one from elsewhere that is found by its entry point."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import third_party
from planted_games import cards_of_highest
from scout_positions import lower_first
from third_party import Highest
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.games import game_names, load_game
from tournament.games.contract import GameError
from tournament.games.explorers.rules import ExplorersGame
from tournament.games.explorers.state import ExplorersState
from tournament.games.scout.rules import ScoutGame
from tournament.games.scout.state import ScoutState
from tournament.testing import check_game


def cards_of_scout(state: ScoutState) -> list[str]:
    """Returns every card of a round; with two players of the rounds behind and before it, too."""
    lying = [*state._hands, *state._captured, state._table]
    if state._players == 2:
        lying += [hand for round_ in state._later for hand in round_.hands]
    if state._players == 2 and state._round == 1:
        first = state._finished[0]
        lying += [*first.hands, *first.captured, first.table]
    return lower_first(card for cards in lying for card in cards)


def cards_of_explorers(state: ExplorersState) -> Iterator[str]:
    """Returns every card of a game of explorers."""
    laid = [cards for seat in state._seats for cards in (seat.cards, *seat.expeditions)]
    return itertools.chain(state._stock[state._drawn :], *state._piles, *laid)


@pytest.mark.parametrize(
    ("name", "cards_of"), [("scout", cards_of_scout), ("explorers", cards_of_explorers)], ids=["scout", "explorers"]
)
@pytest.mark.parametrize("games", [3, pytest.param(20, marks=pytest.mark.long)])
def test_our_games_keep_the_contract(name, cards_of, games):
    """The conformance suite on both games, for every number of players."""
    check_game(load_game(name), games=games, cards_of=cards_of)


def test_a_third_party_game_keeps_the_contract():
    """The conformance suite on a game that knows nothing but the contract, with its defaults."""
    check_game(Highest())
    check_game(Highest(), games=5, seed=1000, cards_of=cards_of_highest)


def test_the_cards_of_both_games_are_counted_once_a_pack():
    """`cards_of` of these tests."""
    for game, cards_of in ((ScoutGame(), cards_of_scout), (ExplorersGame(), cards_of_explorers)):
        for players in game.players:
            cards = Counter(cards_of(game.start(game.deal(players, random.Random(1)))))

            assert set(cards.values()) == ({2} if (game.name, players > 2) == ("explorers", True) else {1})


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Returns a function that installs entry points of the group `tournament.games`."""

    def install(**points: str) -> None:
        folder = tmp_path / "highest_game-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: highest-game\nVersion: 1.0\n")
        lines = [f"{name} = {value}\n" for name, value in points.items()]
        (folder / "entry_points.txt").write_text("".join(["[tournament.games]\n", *lines]))
        monkeypatch.syspath_prepend(str(tmp_path))

    load_game.cache_clear()
    yield install
    load_game.cache_clear()


def test_an_installed_game_is_found_by_its_name(installed):
    """Nothing else needs changing."""
    installed(highest="third_party:Highest")
    game = load_game("highest")

    assert game_names() == ("scout", "explorers", "highest")
    assert (type(game), game.title) == (third_party.Highest, "Highest")
    assert load_game("highest") is game
    check_game(game, games=1)


def test_a_package_whose_game_cannot_be_loaded_hides_no_other(installed):
    """One stale plugin, and the list of games was empty."""
    installed(highest="third_party:Highest", stale="no_such_module:Game")
    done = CliRunner().invoke(app, ["game", "list"])

    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()[2:5]] == ["scout", "explorers", "highest"]
    assert 'Left out: The game "stale" (no_such_module:Game) cannot be loaded' in done.stderr


@pytest.mark.parametrize(("wrong", "meant"), [("higest", "highest"), ("scot", "scout"), ("explorer", "explorers")])
def test_a_wrong_name_is_answered_with_the_nearest_one(installed, wrong, meant):
    """Errors for users: did you mean."""
    installed(highest="third_party:Highest")

    with pytest.raises(GameError, match=f'no game "{wrong}". Did you mean "{meant}"\\? Known games: scout, explorers'):
        load_game(wrong)


def test_a_name_near_to_none_is_answered_with_all_names():
    """Errors for users."""
    with pytest.raises(GameError, match=r'^There is no game "whist"\. Known games: scout, explorers'):
        load_game("whist")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("third_party:PACK", "is no game of that name"),
        ("third_party:HighestDeal", r"cannot be loaded: TypeError.*highest-game"),
        ("third_party:Lowest", r"cannot be loaded: AttributeError.*highest-game"),
        ("no_such_module:Highest", r"cannot be loaded: ModuleNotFoundError.*highest-game"),
        ("tournament.games.scout.rules:ScoutGame", "is no game of that name"),
    ],
)
def test_an_entry_point_that_gives_no_such_game_is_named(installed, value, message):
    """Errors for users: what to mend or uninstall."""
    installed(highest=value)

    with pytest.raises(GameError, match=message):
        load_game("highest")
