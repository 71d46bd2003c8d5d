"""What the viewers show is marked for translation: with a language in brackets nothing stands outside them."""

from __future__ import annotations

import asyncio
import re

import pytest
from languages.pseudo import pseudo_language, unmarked_in_page, unmarked_in_text
from made_analyses import made_analysis
from made_records import illegal_fault, short_record
from textual.widgets import Input, OptionList, Static
from textual.widgets._footer import FooterKey

from tournament.languages import Language, speaking
from tournament.replaying.positions import Replay
from tournament.viewer.frames import ALL, frames_of, summarise
from tournament.viewer.judgement import Judgement
from tournament.viewer.page import format_html
from tournament.viewer.terminal import ReplayApp
from tournament.viewer.text import draw_frame, draw_header

CARDS = re.compile(r"(10|[2-9JQKA])[CDHS]\b")
RECORDS = {
    "scout": short_record("scout", 3, seed=1, faults=[illegal_fault(7, 1)]),
    "explorers": short_record("explorers", 2, seed=1),
}
MADE = re.compile(r"play \d+|better than \d+|\b(keep|turn)\b")
"""Words of an analysis that was made for tests, with actions that are none, and words by which actions are typed."""


def allowed_in(record):
    """Returns what no language translates: names, ids, titles, cards, and what a bot said."""
    said = [text for fault in record.faults for text in (fault.detail, fault.answer or "")]
    return [
        *(seat.bot for seat in record.seats),
        record.id,
        record.tournament,
        "SCOUT",
        "De store oppdagere",
        CARDS,
        *said,
    ]


@pytest.mark.parametrize("game", RECORDS)
def test_a_replay_as_text_is_marked(game):
    record = RECORDS[game]
    with pseudo_language():
        frames = frames_of(Replay.from_record(record))
        drawn = [draw_header(frames.header, audience) for audience in frames.audiences]
        drawn += [draw_frame(one, frames.header, audience) for one in frames for audience in frames.audiences]
        lines = [*summarise(record)[1:], *map(frames.explain_mark, frames.marks), *(text.plain for text in drawn)]

    assert [] == unmarked_in_text("\n".join(lines), allowed=allowed_in(record))


def test_an_analysis_is_marked():
    record = RECORDS["scout"]
    with pseudo_language():
        frames = frames_of(Replay.from_record(record))
        judgement = Judgement(made_analysis(record, costs={4: (3.0, 1.0), 5: (2.0, 2.5)}), frames)
        words = [judgement.words(step, ALL) or "" for step in range(len(frames))]
        lines = [judgement.about, judgement.list_costly(ALL), *words]

    assert [] == unmarked_in_text("\n".join(lines), allowed=[*allowed_in(record), judgement_bot(record), MADE])


def judgement_bot(record):
    """Returns the name of the bot that played on."""
    return made_analysis(record, costs={}).guide.bot


def test_a_page_without_scripts_is_marked_and_says_its_language():
    record = RECORDS["scout"]
    with pseudo_language() as language:
        page = format_html(record)

    assert [] == unmarked_in_page(page, allowed=allowed_in(record))
    assert f'<html lang="{language}" class="without-script">' in page


def test_an_english_page_carries_no_texts_and_a_german_one_says_its_language():
    with speaking(Language.GERMAN):
        german = format_html(RECORDS["scout"])
    english = format_html(RECORDS["scout"])

    assert '<html lang="de" class="without-script">' in german
    assert '<html lang="en" class="without-script">' in english
    assert 'id="texts-data"' not in english


@pytest.mark.parametrize("keys", [[], ["end"], ["question_mark"], ["g"], ["9"]])
def test_the_terminal_viewer_is_marked(keys):
    """Its title, table, events, words and keys; its help, and the question for a step."""
    record = RECORDS["scout"]
    shown = []

    async def look():
        frames = frames_of(Replay.from_record(record))
        app = ReplayApp(frames, Judgement(made_analysis(record, costs={4: (3.0, 1.0)}), frames))
        async with app.run_test(size=(200, 60)) as pilot:
            await pilot.press(*keys)
            await pilot.pause()
            for screen in app.screen_stack:
                shown.extend(texts_of(screen))

    with pseudo_language():
        asyncio.run(look())

    assert [] == unmarked_in_text("\n".join(shown), allowed=[*allowed_in(record), judgement_bot(record), MADE])


def texts_of(screen):
    """Yields what stands on a screen, by widget, before it is cut and wrapped."""
    yield from (str(widget.render()) for widget in screen.query(Static))
    yield from (f"{key.key_display} {key.description}" for key in screen.query(FooterKey) if len(key.key_display) > 1)
    yield from (key.description for key in screen.query(FooterKey))
    for field in screen.query(Input):
        yield f"{field.placeholder} {field.border_title or ''}"
    for options in screen.query(OptionList):
        yield from (str(options.get_option_at_index(index).prompt) for index in range(options.option_count))
