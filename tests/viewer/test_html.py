"""The one-file replay as bytes: what it holds, and what it must not hold."""

from __future__ import annotations

import re
import zlib
from base64 import b64decode
from html.parser import HTMLParser
from statistics import median

import msgspec
import pytest
from made_analyses import made_analysis
from made_records import PAIRS, illegal_fault, random_record, sealed
from msgspec import structs

from tournament.errors import UsageError
from tournament.games import load_game
from tournament.records.codec import codec_for
from tournament.replaying.positions import Replay
from tournament.viewer.frames import ALL, PUBLIC, Audience, frames_of
from tournament.viewer.page import base_audience, format_html, pack_frames, write_html


def everything_in(page: str) -> str:
    """Returns the page and, behind it, what is packed in it: every byte that a reader can get at."""
    packed = re.findall(r'id="frames-data">([^<]*)<|"packed":"([^"]*)"', page)
    return page + "".join(zlib.decompress(b64decode("".join(one))).decode() for one in packed)


def with_deal(record, deal):
    """Returns the record of the same moves on another deal."""
    codec = codec_for(record.game.name)
    state = load_game(record.game.name).start(deal, record.game.options)
    for move in record.moves:
        action = codec.to_action(move)
        state.check(action)
        state.apply(action)
    outcome = state.outcome()
    assert outcome.scores == record.result.scores
    return sealed(structs.replace(record, deal=deal, result=structs.replace(record.result, detail=outcome.detail)))


def swapped(hands, first, second):
    """Returns hands in which two cards have changed places."""
    other = {first: second, second: first}
    return tuple(tuple(other.get(card, card) for card in hand) for hand in hands)


def hidden_twin():
    """Returns two records that differ only in cards which seats 0 and 2 of explorers held all the game."""
    for seed in range(50):
        record = random_record("explorers", 3, seed, stock=20)
        kept = [set(hand) & set(record.deal.hands[seat]) for seat, hand in enumerate(record.result.detail.hands)]
        laid = {getattr(move, "card", None) for move in record.moves}
        kept = [sorted(card for card in hand if card not in laid and _once(record, card)) for hand in kept]
        if kept[0] and kept[2]:
            hands = swapped(record.deal.hands, kept[0][0], kept[2][0])
            return record, with_deal(record, structs.replace(record.deal, hands=hands)), kept[0][0]
    raise AssertionError("no game left two cards unseen")


def _once(record, card):
    return [*record.deal.stock, *(one for hand in record.deal.hands for one in hand)].count(card) == 1


class Elements(HTMLParser):
    """Collects what elements a page has, and what they point at."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.links = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("src", "href") and value]


@pytest.mark.parametrize(("game", "players"), PAIRS)
def test_a_page_carries_every_frame_with_all_that_each_audience_sees(game, players):
    """Packing writes what audiences share once, and loses nothing but the news in views."""
    frames = frames_of(Replay.from_record(random_record(game, players, 11)))
    base = base_audience(frames)
    unpacked = []
    for line in pack_frames(frames)[0]:
        frame = msgspec.json.decode(line)
        common = frame["seen"][base.id]
        for audience, own in frame["seen"].items():
            frame["seen"][audience] = common | own | {"view": common["view"] | own.get("view", {})}
        unpacked.append(frame)
    expected = []
    for frame in frames:
        plain = msgspec.to_builtins(structs.replace(frame, seen={}))
        plain["seen"] = {audience.id: msgspec.to_builtins(seen) for audience, seen in frame.seen.items()}
        for seen in plain["seen"].values():
            seen["view"].pop("news")
        expected.append(msgspec.json.decode(msgspec.json.encode(plain)))

    assert expected == unpacked


def test_a_page_for_a_seat_is_the_same_whatever_that_seat_cannot_know():
    """Other hands change and no byte of the page does; the page with all cards changes."""
    record, twin, _ = hidden_twin()

    assert format_html(record, audience=Audience(seat=1)) == format_html(twin, audience=Audience(seat=1))
    assert format_html(record, audience=PUBLIC) == format_html(twin, audience=PUBLIC)
    assert format_html(record, audience=Audience(seat=0)) != format_html(twin, audience=Audience(seat=0))
    assert format_html(record) != format_html(twin)


def test_a_page_for_a_seat_has_no_card_that_others_kept_hidden():
    """Looked for in every byte, the frames unpacked."""
    record, _, card = hidden_twin()

    assert f'"{card}"' not in everything_in(format_html(record, audience=Audience(seat=1)))
    assert f'"{card}"' in everything_in(format_html(record, audience=Audience(seat=0)))


def test_a_page_for_a_seat_has_neither_seed_nor_record_nor_the_story_of_others_faults():
    """No deal, no seed, no answers of others."""
    record = random_record(
        "scout", 3, 3, faults=(illegal_fault(9, 2, detail="told only to seat 2", answer="an answer of seat 2"),)
    )
    record = sealed(structs.replace(record, seed="ab" * 32))
    secrets = ("ab" * 32, "told only to seat 2", "an answer of seat 2", record.digest)
    found = {
        audience: [secret for secret in secrets if secret in everything_in(format_html(record, audience=audience))]
        for audience in (Audience(seat=1), PUBLIC, Audience(seat=2), ALL)
    }

    assert {Audience(seat=1): [], PUBLIC: [], Audience(seat=2): list(secrets[1:3]), ALL: list(secrets)} == found


def test_names_end_no_element_and_open_none():
    """Whatever bots are called, the page has its own four scripts and no picture."""
    name = "</script><img src=x onerror=alert(1)><!--"
    page = format_html(random_record("scout", 3, 3, names=(name, "]]>", "{{script}}")))
    usual = format_html(random_record("scout", 3, 3))

    assert Elements(usual).tags == Elements(page).tags
    assert 4 == Elements(page).tags.count("script")


def test_a_page_points_nowhere_and_lets_nothing_in():
    """No network, a strict policy, no place where markup is made of text."""
    page = format_html(random_record("scout", 3, 3))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]

    assert [] == Elements(page).links
    assert "default-src 'none'; script-src 'sha256-" in policy
    assert "unsafe" not in policy
    assert [] == re.findall(
        r"innerHTML|insertAdjacentHTML|document\.write|\beval\(|https?://(?!www\.w3\.org/2000/svg)", page
    )


def test_the_same_record_gives_the_same_page():
    """Same run, same bytes."""
    assert format_html(random_record("explorers", 2, 4)) == format_html(random_record("explorers", 2, 4))


def test_a_page_of_a_long_game_stays_small():
    """The median file of random 5-player SCOUT games is under 400 kB."""
    sizes = [len(format_html(random_record("scout", 5, seed)).encode()) for seed in range(5)]

    assert median(sizes) < 400_000


def test_a_broken_record_is_shown_as_far_as_it_goes():
    """models.md 4b, 12: a clear message, and as much as can be shown."""
    record = random_record("scout", 3, 3)
    broken = structs.replace(record, moves=record.moves[:20])
    page = format_html(broken)

    assert "expected a move of seat" in page
    assert 21 == len(zlib.decompress(b64decode(re.search(r'id="frames-data">([^<]*)<', page)[1])).splitlines())


def test_a_seat_that_is_not_there_and_a_folder_that_is_not_there_are_told(tmp_path):
    """House style: expected, found, what to do."""
    record = random_record("scout", 3, 3)

    with pytest.raises(UsageError, match="no seat 7"):
        write_html(record, tmp_path / "game.html", audience=Audience(seat=7))
    with pytest.raises(UsageError, match="cannot be written"):
        write_html(record, tmp_path / "none" / "game.html")


def test_without_an_analysis_a_page_has_nothing_of_one():
    """No script, style or key that only an analysis needs: such pages do not grow."""
    record = random_record("scout", 3, 3)
    without, with_one = format_html(record), format_html(record, analysis=made_analysis(record, costs={5: (3.0, 1.0)}))

    assert [] == [word for word in ("costly", "unpackAnalysis", '"analysis"') if word in without]
    assert [] == [word for word in ("costly", "unpackAnalysis", '"analysis"') if word not in with_one]


def test_a_page_for_one_seat_has_the_analysis_of_its_own_decisions_only():
    """Nothing that seat could not know, neither words nor what its margin came from."""
    record = random_record("explorers", 3, 2)
    analysis = made_analysis(record, costs={}, words="step {step} of a hand")
    page = everything_in(format_html(record, audience=Audience(seat=1), analysis=analysis))
    told = {int(step) for step in re.findall(r"step (\d+) of a hand", page)}

    assert {step for step, move in enumerate(record.moves) if move.seat == 1} == told
    assert [] == [secret for secret in (record.digest, "others_play") if secret in page]


def test_a_page_without_hands_has_no_analysis():
    """The public, and a seat that was not judged: what moves were worth tells of hands."""
    record = random_record("explorers", 3, 2)

    for audience, seats in ((PUBLIC, None), (Audience(seat=1), [0])):
        with pytest.raises(UsageError, match="The analysis has nothing for"):
            format_html(record, audience=audience, analysis=made_analysis(record, costs={}, seats=seats))
