"""In which zone a competition shows its times: in its own, on both sides of the change to summer time."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec
import pytest
from arena.made_site import client_of, make_site
from arena.making import RULES, make_competition
from django.conf import settings
from django.test.utils import override_settings

from tournament.arena.files import COMPETITION_FILE
from tournament.arena.models import Announcement, CompetitionRow
from tournament.arena.places import arena_folder, competition_folder

WINTER = datetime(2026, 3, 28, 23, 30, tzinfo=UTC)
SUMMER = datetime(2026, 3, 29, 22, 30, tzinfo=UTC)
"""Clocks in Warsaw are put forward at 01:00 UTC on 29 March."""

DATED = f"{RULES}time_zone: Europe/Warsaw\nopens: 2026-03-29 00:30\ncloses: 2026-03-30 00:30\n"
AFTER_MIDNIGHT = {"opens": ("2026-03-28T23:30:00Z", "2026-03-29 00:30 UTC+1")}
AFTER_MIDNIGHT |= {"closes": ("2026-03-29T22:30:00Z", "2026-03-30 00:30 UTC+2")}


@pytest.fixture
def site(arena, run):
    site = make_site(run, rules=DATED)
    CompetitionRow.objects.filter(name="cup").update(opens=WINTER, closes=SUMMER)
    for at in (WINTER, SUMMER):
        Announcement.objects.create(competition=site.competition, at=at, text="Welcome")
    return site


def page_of(path, account=None, language="en"):
    return client_of(account).get(path, headers={"accept-language": language}).content.decode()


def times_in(page):
    """Returns the moments of a page for programs, with what people read there."""
    return re.findall(r'<time datetime="([^"]*)">([^<]*)</time>', page)


@pytest.mark.parametrize("path", ["/", "/c/cup/"])
def test_the_dates_of_a_competition_are_shown_in_its_zone(site, path):
    """What programs read beside them stays in UTC."""
    shown = times_in(page_of(path))

    assert all(time in shown for time in AFTER_MIDNIGHT.values())
    assert all("UTC" in told for _, told in shown)


@pytest.mark.parametrize("path", ["/c/cup/news/", "/c/cup/control/"])
def test_what_happened_is_shown_in_the_zone_of_the_competition(site, path):
    times = [told for _, told in times_in(page_of(path, site.host))]

    assert times
    assert all(" UTC+" in told or told == "–" for told in times)


def test_a_time_in_another_language_has_the_same_zone(site):
    assert ("2026-03-29T22:30:00Z", "30.03.2026, 00:30 UTC+2") in times_in(page_of("/c/cup/", language="de"))


def test_a_projector_has_the_times_of_the_competition(site):
    page = page_of("/c/cup/projector/")

    assert "00:30 The host announces: Welcome" in page
    assert "22:30 The host announces" not in page


def test_a_report_of_a_round_has_the_times_of_the_competition(site, run):
    begun = datetime.fromisoformat(json.loads((run / "run.json").read_bytes())["started"])
    page = page_of("/c/cup/rounds/1/report/")

    assert f"begun {begun.astimezone(ZoneInfo('Europe/Warsaw')):%Y-%m-%d %H:%M} UTC+" in page


def test_two_competitions_on_one_page_have_a_zone_each(site):
    (competition_folder(CompetitionRow.objects.get(name="second")).path / COMPETITION_FILE).write_text(
        f"{RULES}time_zone: America/St_Johns\n"
    )
    CompetitionRow.objects.filter(name="second").update(closes=SUMMER)
    shown = times_in(page_of("/"))

    assert AFTER_MIDNIGHT["closes"] in shown
    assert ("2026-03-29T22:30:00Z", "2026-03-29 20:00 UTC−2:30") in shown


def test_damaged_rules_of_one_competition_do_not_take_the_page_of_all_away(site):
    third = make_competition(arena_folder(), "third", rules="title: [")
    CompetitionRow.objects.filter(pk=third.pk).update(closes=SUMMER)
    ours = msgspec.structs.replace(settings.ARENA, time_zone="Asia/Tokyo")
    with override_settings(ARENA=ours):
        shown = times_in(page_of("/"))

    assert ("2026-03-29T22:30:00Z", "2026-03-30 07:30 UTC+9") in shown
    assert AFTER_MIDNIGHT["closes"] in shown


def test_programs_and_feed_readers_are_told_in_utc(site):
    """A feed reader writes times as its own reader wants them."""
    for path in ("/api/competitions/cup", "/c/cup/feed.atom", "/c/cup/feed.json"):
        text = page_of(path)

        assert "2026-03-29T22:30:00Z" in text
        assert "UTC+" not in text
