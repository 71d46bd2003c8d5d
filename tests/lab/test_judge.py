"""Analysis: obvious positions, planted blunders, and what was deal and what play."""

from __future__ import annotations

import json
from statistics import fmean, stdev

import pytest
from guided_records import Once, guided_record, random_hands
from languages.pseudo import pseudo_language
from msgspec import structs
from typer.testing import CliRunner

from tournament.cli.app import app
from tournament.errors import BotError, UsageError
from tournament.games import load_game
from tournament.games.cards import PACK
from tournament.games.explorers.types import Discard, ExplorersDeal
from tournament.games.scout.types import PACK as SCOUT_PACK
from tournament.games.scout.types import TURNED, Play, Scout, ScoutDeal, ScoutRound
from tournament.lab.guide import Guide, Rollouts, Seating, figure_of, margins_of
from tournament.lab.judge import Question, analyse, judge, judge_effect, questions_of
from tournament.paths import data_folder
from tournament.records.analysis import MeanPoints
from tournament.records.codec import format_record
from tournament.store.analyses import read_analysis_of

WORLDS = 8


def judged(game_name, deal, actions, *, players):
    """Returns the decision after some actions in a hand-made deal, the first legal action played."""
    game = load_game(game_name)
    guide = Guide(Seating(game=game_name, players=players, options=game.Options()))
    state = game.start(deal)
    seen = {seat: [] for seat in range(players)}
    for action in [*actions, None]:
        seat = state.to_move
        seen[seat].append(state.view(seat))
        if action is not None:
            state.check(action)
            state.apply(action)
    legal = state.legal_actions()
    question = Question(
        name="hand-made", step=len(actions), seat=seat, seen=seen[seat], played=legal[0], guide=legal[0]
    )
    return judge(question, Rollouts(game, guide, players=players), worlds=WORLDS)


def test_a_run_that_nobody_can_beat_is_laid():
    """An obvious best action: of a run of nine in nine cards SCOUT's best is eight, then the ninth."""
    run = tuple(f"{number}/{number + 1}" for number in range(1, 10))
    rest = [card for card in SCOUT_PACK if card not in run and TURNED[card] not in run]
    keep = load_game("scout").actions(5)[0]
    decision = judged("scout", ScoutDeal((ScoutRound((run, *random_hands(rest, 9, 1))),)), [keep] * 5, players=5)

    assert Play(0, 8) == decision.best.action
    assert decision.swing.points > decision.swing.half_width


def test_the_card_that_doubles_nothing_but_pays_most_is_built_in_the_last_turn():
    """Obvious best action in explorers: the last turn, and a ten that fits."""
    hand = ("9H", "10H", "2C", "2D", "2S", "AC", "AD", "AS", "3C", "3D")
    rest = [card for card in PACK if card not in hand]
    (other, *stock) = random_hands(rest, 10, 3)
    deal = ExplorersDeal((hand, other), tuple(card for cards in stock for card in cards))
    game = load_game("explorers")
    state, actions = game.start(deal), []
    while state.view(None).stock > 2 or state.to_move != 0 or state.view(None).phase != "lay":
        legal = state.legal_actions()
        if state.view(None).phase == "draw":
            action = legal[0]
        elif not actions:
            action = next(one for one in legal if one.do == "start" and one.card == "9H")
        else:
            action = next(one for one in legal if one.do == "discard" and one.card != "10H")
        actions.append(action)
        state.apply(action)
    decision = judged("explorers", deal, actions, players=2)

    assert ("build", "10H") == (decision.best.action.do, decision.best.action.card)


def last_builds(state, wanted, legal):
    """A number worth at least eight is thrown away instead of built."""
    if wanted.do != "build" or (wanted.card[0] not in "89" and not wanted.card.startswith("10")):
        return None
    return Discard(wanted.card)


def scouts_instead_of_winning(state, wanted, legal):
    """A last set is not laid."""
    if not isinstance(wanted, Play) or wanted.count != len(state.view(state.to_move).hand):
        return None
    return next((action for action in legal if isinstance(action, Scout)), None)


@pytest.mark.parametrize(
    ("game", "players", "seed", "find", "skip", "worlds"),
    [
        ("explorers", 2, 3, last_builds, 44, 4),
        ("scout", 2, 5, scouts_instead_of_winning, 0, WORLDS),
        pytest.param("scout", 3, 4, scouts_instead_of_winning, 0, WORLDS, marks=pytest.mark.long),
    ],
)
def test_a_planted_blunder_is_named_first(game, players, seed, find, skip, worlds):
    """On a record with a planted blunder it names that move first."""
    plant = Once(find, skip=skip)
    record = guided_record(game, players, seed, plant=plant)
    seat = record.moves[plant.step].seat
    analysis = analyse(record, seats=[seat], worlds=worlds)

    assert plant.step == analysis.costliest[0]


@pytest.mark.parametrize(("game", "players"), [("scout", 2), ("scout", 3), ("explorers", 2)])
def test_of_a_game_between_guides_all_is_deal(game, players):
    """The estimator: play is measured against the guide, so the guide's own is zero."""
    record = guided_record(game, players, 5)
    guide = Guide(Seating(game=game, players=players, options=record.game.options))
    rollouts = Rollouts(load_game(game), guide, players=players)
    effects = [judge_effect(question, rollouts, worlds=4).effect for question in questions_of(record, guide)]

    assert {(MeanPoints(0.0, 0.0),) * players} == set(effects)


def test_deal_and_play_add_up_to_the_margin():
    """The estimator: nothing is left over, and what one seat gains the others lose."""
    record = guided_record("scout", 2, 7, spec=str(data_folder("bots") / "scout_greedy.py"))
    analysis = analyse(record, worlds=4)

    for split in analysis.splits:
        parts = split.deal.points + split.own_play.points + split.others_play.points
        assert split.margin == pytest.approx(parts)
    assert margins_of(record.result.scores) == tuple(split.margin for split in analysis.splits)
    for decision in analysis.decisions:
        assert sum(figure.points for figure in decision.effect) == pytest.approx(0)


def test_the_play_of_equal_bots_is_zero_on_average():
    """200 games, and how wide the interval is."""
    greedy = str(data_folder("bots") / "scout_greedy.py")
    guide = Guide(Seating(game="scout", players=2, options=load_game("scout").Options()))
    rollouts = Rollouts(load_game("scout"), guide, players=2)
    play = []
    for seed in range(10):
        record = guided_record("scout", 2, seed, spec=greedy)
        effects = [judge_effect(question, rollouts, worlds=6).effect for question in questions_of(record, guide)]
        play.append(sum(effect[seed % 2].points for effect in effects))

    assert abs(fmean(play)) <= 2.26 * stdev(play) / len(play) ** 0.5
    assert stdev(play) > 0


def test_the_same_record_is_judged_the_same_again():
    """Worlds come from the digest of the record."""
    record = guided_record("scout", 2, 2, spec=str(data_folder("bots") / "scout_greedy.py"))

    assert analyse(record, seats=[1], worlds=2) == analyse(record, seats=[1], worlds=2)


def test_what_is_judged_does_not_hang_on_what_the_seat_could_not_know():
    """Redealt worlds: another order of the stock and of the other hand gives the same expectation."""
    record = guided_record("explorers", 2, 6)
    stock = record.deal.stock
    other = structs.replace(record.deal, stock=(*stock[:20], *stock[:19:-1]))
    game = load_game("explorers")
    guide = Guide(Seating(game="explorers", players=2, options=record.game.options))
    rollouts = Rollouts(game, guide, players=2)
    views = [game.start(deal).view(0) for deal in (record.deal, other)]
    legal = views[0].legal_actions()
    first, second = (rollouts.try_actions([view], legal[:3], "a world") for view in views)

    assert first == second


def test_what_is_kept_of_an_analysis_is_english():
    record = guided_record("scout", 2, 2, spec=str(data_folder("bots") / "scout_greedy.py"))
    english = analyse(record, seats=[1], worlds=2)
    with pseudo_language():
        assert english == analyse(record, seats=[1], worlds=2)


def test_an_interval_is_that_of_the_mean_of_its_worlds():
    """`Figure`: 1.96 standard errors to either side."""
    figure = figure_of([1.0, 2.0, 3.0, 4.0])

    assert (2.5, pytest.approx(1.96 * (5 / 3) ** 0.5 / 2)) == (figure.points, figure.half_width)
    assert figure.is_clear
    assert "+2.5 ± 1.3" == str(figure)


def test_the_command_prints_words_graphs_and_json(tmp_path):
    """`tournament analyse`."""
    record = guided_record("scout", 2, 4, spec=str(data_folder("bots") / "random_legal.py"))
    path = tmp_path / "game.json"
    path.write_bytes(format_record(record))
    words = ["analyse", str(path), "--seat", "0", "--worlds", "4"]
    text = CliRunner().invoke(app, [*words, "--moves"]).stdout
    values = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)

    assert f"Seat 0 (alpha): margin {values['splits'][0]['margin']:+.1f}" in text
    assert "The costliest moves\nStep " in text
    assert f"Step {values['costliest'][0]}" in text.partition("The costliest moves\n")[2].splitlines()[0]
    assert {0} == {decision["seat"] for decision in values["decisions"]}
    assert "given away     " in text


def test_the_command_writes_what_viewers_and_reports_show(tmp_path):
    """`tournament analyse --out`: the same as --json, for this record, and no record is written over."""
    record = guided_record("scout", 2, 4, spec=str(data_folder("bots") / "random_legal.py"))
    path, out = tmp_path / "game.json", tmp_path / "judged.json"
    path.write_bytes(format_record(record))
    words = ["analyse", str(path), "--seat", "0", "--worlds", "2", "--json", "--out"]
    printed = CliRunner().invoke(app, [*words, str(out)]).stdout
    refused = CliRunner().invoke(app, [*words, str(path), "--force"])
    analysis = read_analysis_of(record, out)

    assert json.loads(out.read_bytes()) == json.loads(printed)
    assert (record.digest, 2, "scout_swift") == (analysis.digest, analysis.worlds, analysis.guide.bot)
    assert "exists already and is not an analysis" in str(refused.exception)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"seats": [2]}, UsageError, "has the seats 0 to 1"),
        ({"worlds": 1}, UsageError, "2 worlds or more"),
        ({"with_spec": str(data_folder("bots") / "explorers_cautious.py")}, BotError, "does not play scout"),
    ],
)
def test_what_cannot_be_judged_is_refused(given, error, said):
    """`tournament analyse`: errors for users."""
    with pytest.raises(error, match=said):
        analyse(guided_record("scout", 2, 4), **given)


def test_a_bot_that_fails_when_it_plays_on_is_named(tmp_path):
    """`tournament analyse --with`: errors for users."""
    path = tmp_path / "broken.py"
    path.write_text(
        "from tournament import Bot\n\nclass Broken(Bot):\n    def act(self, view):\n        raise ValueError('no')\n"
    )
    guide = Guide(Seating(game="scout", players=2, options=load_game("scout").Options()), str(path))
    record = guided_record("scout", 2, 1)
    state = load_game("scout").start(record.deal)
    view = state.view(0)

    with pytest.raises(BotError, match="broken failed when it played on: ValueError: no"):
        Rollouts(load_game("scout"), guide, players=2).try_actions([view], view.legal_actions(), "a world")

    with pytest.raises(BotError, match="broken failed: ValueError: no"):
        analyse(record, with_spec=str(path))
