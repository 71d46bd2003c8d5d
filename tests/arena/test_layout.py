"""Every page of the site at three sizes, light and dark, in two languages: nothing overflows, overlaps or is small."""

from __future__ import annotations

from pathlib import Path

import pytest
from arena.making import NOON
from arena.pages_of_site import EVERYBODY, EXPIRED, HOST, OWNER, PROJECTOR, WITH_REPLAYS, WITHOUT_PASSWORD
from arena.shown_site import PATIENCE_MS, address, beside_a_loop, log_in  # noqa: F401 (fixtures)
from browser.pages import wait_for_replay
from browser.turning import faults_of_slides
from chromium import browser, open_page  # noqa: F401 (fixtures)
from django.template import Template
from django.test.signals import template_rendered
from django.test.utils import instrumented_test_render
from django.urls import resolve
from layout_of_pages import SIZES, faults_at

from tournament.arena.hosting import give_link
from tournament.arena.web import urls
from tournament.arena.web.makers import BusyError

# Django leaves a file of its own to the garbage collector
pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")]

SEND = """([ending, values]) => {
    const form = [...document.forms].find((one) => one.action.endsWith(ending));
    for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
    form.submit();
}"""


def called(path: str) -> str:
    """Returns what the picture of a page is called."""
    return "-".join(("arena", *path.removeprefix("/c/cup/").removesuffix(".html").strip("/").split("/"))).rstrip("-")


def sends(ending, **values):
    """Returns what fills in a form, sends it, and waits for the page that answers."""

    def send(page) -> None:
        with page.expect_navigation():
            page.evaluate(SEND, [ending, values])

    return send


class Measuring:
    """Goes through the site, and keeps the faults of its pages."""

    def __init__(self, page, site: str, *, language: str) -> None:
        self.page = page
        self.site = site
        self.language = language
        self.found: dict[str, list[str]] = {}

    def go(self, path: str, name: str | None = None, *, ready=lambda page: None, axe: bool = True, **rules) -> None:
        name = name or called(path)
        axe = axe and self.language == "en"
        if faults := faults_at(self.page, self.site + path, name, ready=ready, axe=axe, **rules):
            self.found[name] = faults
        assert self.language == self.page.get_attribute("html", "lang")

    def is_at(self, path: str) -> bool:
        """Returns whether nobody was sent elsewhere."""
        return resolve(path).route == resolve(self.page.url.removeprefix(self.site).partition("#")[0]).route


@pytest.fixture
def drawn(monkeypatch):
    """Returns the names of the templates that are drawn."""
    names = set()

    def note(template, **_) -> None:
        names.add(template.name)

    monkeypatch.setattr(Template, "_render", instrumented_test_render)
    template_rendered.connect(note)
    yield names
    template_rendered.disconnect(note)


def templates_of_site() -> set[str]:
    """Returns the names of the templates of the site, but for those of messages and of signing in elsewhere."""
    folder = Path(urls.__file__).parent / "templates"
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}
    return {name for name in names - {"arena/message.html"} if not name.startswith("socialaccount/")}


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_page_is_laid_out_without_a_fault_and_axe_finds_nothing(site, address, open_page, language, drawn):  # noqa: F811
    page = open_page(address, locale=language)
    page.set_default_timeout(PATIENCE_MS)
    measuring = Measuring(page, address, language=language)
    link = give_link(site.host, site.competition, site.competition.participants.get(public_name="Ada"), now=NOON)
    choosing = "/" + link.partition("//")[2].partition("/")[2]
    measuring.go(choosing, "arena-password-by-link")
    assert measuring.is_at(choosing)
    site.stranger.set_unusable_password()
    site.stranger.save()
    for account, paths in (
        (None, EVERYBODY),
        (site.stranger, WITHOUT_PASSWORD),
        (site.breaker_owner, OWNER),
        (site.host, HOST),
    ):
        if account is not None:
            log_in(page, address, account)
        for path in paths:
            measuring.go(path, ready=wait_for_replay if path in WITH_REPLAYS else lambda page: None)
            assert measuring.is_at(path)

    control = "/c/cup/control/"
    measuring.go(control, "arena-check-logs", ready=sends("/control/logs/", bot="breaker", version="1"))
    measuring.go(control, "arena-links", ready=sends("/control/links/"))
    log_in(page, address, site.breaker_owner)
    measuring.go("/c/cup/mine/", "arena-token", ready=sends("/breaker/tokens/", label="laptop"))
    for path in EXPIRED:
        measuring.go(path, f"{called(path)}-expired")

    assert {} == measuring.found
    assert set() == templates_of_site() - drawn


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_slide_of_the_projector_can_be_read_in_the_last_row(site, address, open_page, language):  # noqa: F811
    page = open_page(address + PROJECTOR, locale=language)
    page.set_default_timeout(PATIENCE_MS)

    assert {} == faults_of_slides(page, "arena-projector", axe=language == "en")


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_message_is_laid_out_without_a_fault(site, address, open_page, language, monkeypatch):  # noqa: F811
    page = open_page(address, may_fail=True, locale=language)
    measuring = Measuring(page, address, language=language)
    said = set()
    on_a_phone = {"axe": False, "sizes": SIZES[:1]}  # where the same page has another sentence

    def look(path, name, **options) -> None:
        measuring.go(path, f"arena-message-{name}", **options)
        said.add(page.inner_text("main"))

    def forget_token(page) -> None:
        page.eval_on_selector_all("[name=csrfmiddlewaretoken]", "all => all.forEach((one) => one.remove())")
        sends("/accounts/login/", login="host", password="host")(page)

    look("/c/cup/bots/nobody/", "not-there")
    look("/accounts/login/", "no-token", ready=forget_token, **on_a_phone)
    log_in(page, address, site.stranger)
    look("/c/cup/mine/", "not-for-strangers", **on_a_phone)
    monkeypatch.setattr("tournament.arena.web.pages.round_pages.MAKER.make", fail(BusyError("Too much is being made.")))
    look("/c/cup/rounds/1/report/", "busy", **on_a_phone)
    monkeypatch.setattr("tournament.arena.web.pages.watching_pages.happenings_of", fail(ValueError("a mistake")))
    look("/c/cup/news/", "broken", **on_a_phone)

    assert {} == measuring.found
    assert 5 == len(said)


def fail(error):
    """Returns a function that raises an error, whatever it is asked."""

    def raise_it(*_, **__):
        raise error

    return raise_it
