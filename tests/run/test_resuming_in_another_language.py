"""Whoever goes on with a run may speak another language than whoever began it."""

from __future__ import annotations

import pytest
from needs import need_module
from test_resume import data, stopped

from tournament import Run, audit
from tournament.configuration.types import Budget
from tournament.languages import Language, speaking
from tournament.report.site import write_report
from tournament.store.layout import STANDINGS_FILE

need_module("babel", extra="languages")


@pytest.fixture
def grown(configure, tmp_path):
    """Returns what makes a run that is stopped, resumed and extended, each in a language."""

    def make(name: str, *languages: Language):
        began, resumed, extended = languages
        with speaking(began):
            folder = stopped(configure(), tmp_path / name, after=2)
        with speaking(resumed):
            Run.open(folder).play()
        with speaking(extended):
            Run.open(folder).extend(budget=Budget(deals=1), seed="mine")
        return folder

    return make


def test_a_run_that_goes_on_in_other_languages_writes_what_it_writes_in_english(grown):
    english = grown("english", *[Language.ENGLISH] * 3)
    others = grown("others", Language.GERMAN, Language.POLISH, Language.SPANISH)

    assert data(english) == data(others)
    assert (english / STANDINGS_FILE).read_bytes() == (others / STANDINGS_FILE).read_bytes()
    assert () == tuple(audit(others).findings)


def test_its_report_is_in_the_language_in_which_it_is_written(grown):
    folder = grown("run", Language.GERMAN, Language.POLISH, Language.SPANISH)
    write_report(folder, language="nb")
    report = audit(folder)

    assert ((), ()) == (tuple(report.findings), tuple(report.unchecked))
