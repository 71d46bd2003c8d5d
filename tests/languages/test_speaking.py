"""Texts, numbers and dates in the present language."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from threading import Thread
from zoneinfo import ZoneInfo

import pytest

from tournament.languages import (
    Language,
    format_clock,
    format_date,
    format_day,
    format_decimal,
    format_moment,
    format_number,
    format_time,
    gettext,
    gettext_noop,
    ngettext,
    npgettext,
    pgettext,
    present_language,
    present_zone,
    set_language,
    showing_times_in,
    speaking,
    with_percent_sign,
    with_unit,
)


@pytest.fixture(autouse=True)
def _in_english():
    yield
    set_language(Language.ENGLISH)


def test_a_text_stands_for_itself_in_english():
    assert "ann plays {2} {cards}" == gettext("{name} plays {what} {{cards}}", name="ann", what="{2}")
    assert "a {brace} stays" == gettext("a {brace} stays")
    assert "next" == pgettext("button", "next") == gettext_noop("next")


def test_a_number_chooses_the_form_of_a_text():
    forms = [ngettext("{count} game of {name}", "{count} games of {name}", n, name="ann") for n in (0, 1, 2, 1000)]

    assert ["0 games of ann", "1 game of ann", "2 games of ann", "1,000 games of ann"] == forms
    assert "1 seat" == npgettext("table", "{count} seat", "{count} seats", 1)


def test_a_block_has_a_language_of_its_own():
    set_language(Language.GERMAN)
    with speaking(Language.POLISH):
        within = present_language()

    assert (Language.POLISH, Language.GERMAN) == (within, present_language())


def test_another_thread_speaks_the_language_of_the_process():
    heard = []
    set_language(Language.SPANISH)
    with speaking(Language.POLISH):
        thread = Thread(target=lambda: heard.append(present_language()))
        thread.start()
        thread.join()

    assert [Language.SPANISH] == heard


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (Language.ENGLISH, ("12.5 %", "3 MB", "2026-12-02 13:05 UTC", "2026-12-02")),
        (Language.GERMAN, ("12.5\xa0%", "3\xa0MB", "02.12.2026, 13:05 UTC", "02.12.2026")),
        (Language.POLISH, ("12.5%", "3\xa0MB", "2 gru 2026, 13:05 UTC", "2 gru 2026")),
        (Language.SPANISH, ("12.5\xa0%", "3\xa0MB", "2 dic 2026, 13:05 UTC", "2 dic 2026")),
        (Language.NORWEGIAN, ("12.5\xa0%", "3\xa0MB", "2. des. 2026, 13:05 UTC", "2. des. 2026")),
    ],
)
def test_signs_units_and_moments_are_written_as_the_language_does(language, expected):
    at = datetime(2026, 12, 2, 14, 5, tzinfo=timezone(timedelta(hours=1)))
    with speaking(language):
        assert expected == (with_percent_sign("12.5"), with_unit("3", "MB"), format_moment(at), format_day(at))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        (Language.ENGLISH, ("12,345", "-1,234.50", "+0.25", "2 Dec 2026", "2 Dec 2026, 14:05")),
        (Language.GERMAN, ("12.345", "-1.234,50", "+0,25", "02.12.2026", "02.12.2026, 14:05")),
        (Language.POLISH, ("12\xa0345", "-1\xa0234,50", "+0,25", "2 gru 2026", "2 gru 2026, 14:05")),
        (Language.SPANISH, ("12.345", "-1.234,50", "+0,25", "2 dic 2026", "2 dic 2026, 14:05")),
        (Language.NORWEGIAN, ("12\xa0345", "-1\xa0234,50", "+0,25", "2. des. 2026", "2. des. 2026, 14:05")),
    ],
)
def test_numbers_and_dates_are_written_as_the_language_does(language, expected):
    with speaking(language):
        written = (
            format_number(12345),
            format_decimal(-1234.5, 2),
            format_decimal(0.25, 2, signed=True),
            format_date(date(2026, 12, 2)),
            format_time(datetime(2026, 12, 2, 14, 5)),
        )

    assert expected == written


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("UTC", ("2026-10-25 00:30 UTC", "2026-10-25 01:30 UTC")),
        ("Europe/Oslo", ("2026-10-25 02:30 UTC+2", "2026-10-25 02:30 UTC+1")),
        ("America/St_Johns", ("2026-10-24 22:00 UTC−2:30", "2026-10-24 23:00 UTC−2:30")),
        ("Asia/Kathmandu", ("2026-10-25 06:15 UTC+5:45", "2026-10-25 07:15 UTC+5:45")),
    ],
)
def test_a_moment_is_shown_in_the_present_zone_with_how_far_that_is_from_utc(zone, expected):
    """An hour that clocks show twice is told apart."""
    moments = [datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1)]
    with showing_times_in(ZoneInfo(zone)):
        written = tuple(map(format_moment, moments))

    assert expected == written
    assert UTC == present_zone()


def test_a_day_and_a_time_of_day_are_those_of_the_present_zone():
    at = datetime(2026, 12, 1, 23, 5, tzinfo=UTC)
    with showing_times_in(ZoneInfo("Europe/Madrid")):
        assert ("2026-12-02", "00:05 UTC+1") == (format_day(at), format_clock(at))
