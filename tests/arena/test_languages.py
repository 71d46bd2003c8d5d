"""In which language a reader finds the site, and how it is chosen."""

from __future__ import annotations

import re

import pytest
from arena.made_site import client_of, make_site
from django.contrib.auth import get_user_model
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.utils import override_settings
from languages.pseudo import pseudo_language, unmarked_in_page

from tournament.arena.acts import read_acts
from tournament.arena.models import RoundRow
from tournament.arena.places import competition_folder
from tournament.languages import Language, gettext, present_language

NEXT = "/c/cup/rounds/?page=2"


def language_of(answer) -> str:
    """Returns the language in which a page says that it is."""
    return re.search('<html lang="(.*?)">', answer.content.decode())[1]


@pytest.mark.parametrize("language", Language)
def test_a_page_is_in_the_language_that_the_browser_asks_for(site, language):
    answer = client_of().get("/", headers={"accept-language": f"{language},en;q=0.5"})

    assert (language, language) == (language_of(answer), answer["Content-Language"])
    assert {"Accept-Language", "Cookie"} <= {one.strip() for one in answer["Vary"].split(",")}


def test_a_language_that_is_chosen_goes_before_that_of_the_browser(site):
    client = client_of()

    answer = client.post("/language/chosen/", {"language": "pl", "next": NEXT})

    assert (302, NEXT) == (answer.status_code, answer["Location"])
    assert "pl" == language_of(client.get("/", headers={"accept-language": "de"}))


def test_the_language_is_kept_for_a_year_and_no_script_reads_it(site):
    client = client_of()

    client.post("/language/chosen/", {"language": "pl"})

    kept = client.cookies["django_language"]
    assert (31_536_000, True, "Lax") == (kept["max-age"], kept["httponly"], kept["samesite"])


def test_a_language_that_there_is_not_changes_nothing(site):
    client = client_of()

    client.post("/language/chosen/", {"language": "xx"})

    assert "de" == language_of(client.get("/", headers={"accept-language": "de"}))


def test_nobody_chooses_for_others_from_another_site(site):
    assert 403 == client_of(enforce_csrf_checks=True).post("/language/chosen/", {"language": "pl"}).status_code


def test_every_page_leads_to_the_choice_and_the_choice_leads_back(site):
    page = client_of().get("/c/cup/rounds/?page=2").content.decode()
    link = re.search('href="(/language/[^"]*)"', page)[1]

    choice = client_of().get(link).content.decode()

    assert f'name="next" value="{NEXT}"' in choice
    assert [*Language] == re.findall('name="language" value="(..)"', choice)


@pytest.mark.parametrize("place", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_the_choice_leads_to_no_other_site(site, place):
    choice = client_of().get("/language/", {"next": place}).content.decode()

    assert 'name="next" value="/"' in choice
    assert "elsewhere" not in choice
    assert "alert(1)" not in choice


def test_the_rules_say_which_games_there_are_not_those_that_were_played(site):
    """Most languages have a word for each."""
    words = {"en": "Games", "de": "Spiele", "pl": "Gry", "es": "Juegos", "nb": "Spill"}

    found = []
    for language in words:
        page = client_of().get("/c/cup/", headers={"accept-language": language}).content.decode()
        found.append(re.search(r"<dt>([^<]*)</dt><dd>SCOUT", page)[1])

    assert [*words.values()] == found


@pytest.mark.parametrize(("language", "formal"), [("es", "Su contraseña"), ("de", "Ihr")])
def test_pages_of_accounts_address_their_reader_as_all_others_do(site, language, formal):
    page = client_of().get("/accounts/signup/", headers={"accept-language": language}).content.decode()

    assert formal not in page
    assert {"es": "Tu contraseña", "de": "Dein Passwort"}[language] in page


@pytest.mark.parametrize("path", ["/c/cup/rounds/", "/c/cup/rounds/1/", "/c/cup/news/"])
@pytest.mark.parametrize(("language", "expected"), [("en", "12,345"), ("es", "12.345"), ("nb", "12\xa0345")])
def test_large_numbers_of_games_are_written_as_the_language_does(site, path, language, expected):
    RoundRow.objects.update(games=12_345)

    assert expected in client_of().get(path, headers={"accept-language": language}).content.decode()


def test_mail_for_a_new_password_is_in_the_language_of_who_asked_for_it(site):
    get_user_model().objects.filter(username="ada").update(email="ada@example.org")
    with (
        override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"),
        pseudo_language() as language,
    ):
        client_of().post(
            "/accounts/password/reset/", {"email": "ada@example.org"}, headers={"accept-language": language}
        )

    (sent,) = mail.outbox
    assert "⟦" in sent.subject
    assert "⟦" in sent.body


@pytest.mark.parametrize("path", ["/api/competitions", "/healthz"])
def test_what_programs_read_is_in_no_language_of_the_browser(site, path):
    answers = [client_of().get(path, headers={"accept-language": one}) for one in ("en", "de")]

    assert answers[0].content == answers[1].content
    assert {None} == {answer.headers.get("Content-Language") for answer in answers}


def test_our_own_texts_are_in_the_language_of_the_page_and_of_nobody_else_after_it(site, monkeypatch):
    from tournament.arena.web.pages import competition_pages

    spoken = []
    monkeypatch.setattr(
        competition_pages, "may", lambda *_: spoken.append((present_language(), gettext("no text of ours")))
    )

    client_of().get("/", headers={"accept-language": "nb"})

    assert ([(Language.NORWEGIAN, "no text of ours")], Language.ENGLISH) == (spoken, present_language())


def test_the_report_of_a_round_is_in_the_language_of_its_reader(site, monkeypatch):
    from tournament.arena.web import rendering
    from tournament.arena.web.makers import Maker

    def make(self, work, *arguments, **named):  # in this process, where the language in brackets is spoken
        return getattr(rendering, work)(*arguments, **named)

    monkeypatch.setattr(Maker, "make", make)
    path = f"/c/cup/rounds/{site.round.number}/report/"
    with pseudo_language() as language:
        pages = [
            client_of().get(path, headers={"accept-language": one}).content.decode()
            for one in (language, "en", language)
        ]

    assert [1, 0, 1] == [page.count("⟦Rounds⟧") for page in pages]


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/c/cup/mine/bots/", {"name": "Wrong Name"}),
        ("/c/cup/mine/name/", {"public_name": "<b>"}),
        ("/c/cup/bots/keeper/challenges/", {}),
        ("/c/cup/bots/keeper/challenges/", {"house": "nobody"}),
        ("/c/cup/bots/keeper/owners/", {"public_name": "nobody"}),
        ("/c/cup/bots/keeper/owners/remove/", {"public_name": "Ada"}),
        ("/c/cup/bots/keeper/tokens/", {"label": ""}),
        ("/c/cup/bots/keeper/versions/", {}),
        ("/c/cup/bots/keeper/versions/1/activate/", {}),
        ("/c/cup/bots/keeper/versions/9/activate/", {}),
        ("/c/cup/bots/breaker/versions/1/activate/", {}),
        ("/c/cup/control/state/", {"state": "frozen"}),
        ("/account/delete/", {"password": "wrong"}),
    ],
)
def test_how_it_went_is_told_in_the_language_of_the_reader(site, path, form):
    with pseudo_language() as language:
        answer = client_of(site.keeper_owner).post(path, form, follow=True, headers={"accept-language": language})
    page = answer.content.decode()
    told = re.findall('<p class="(?:told|text)[^>]*>(.*?)</p>', page)

    assert [] == unmarked_in_page(told[0], allowed=["keeper", "breaker", "nobody", "Ada"])


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/c/cup/control/state/", {"state": "draft"}),
        ("/c/cup/control/state/", {"state": "nonsense"}),
        ("/c/cup/control/announcements/", {"text": ""}),
        ("/c/cup/control/versions/", {"version": "1", "what": "check again"}),
        ("/c/cup/control/versions/", {"version": "1", "what": "disqualify", "reason": ""}),
        ("/c/cup/control/rounds/1/abandon/", {"reason": "Why not."}),
        ("/c/cup/control/rounds/9/abandon/", {"reason": "Why not."}),
        ("/c/cup/control/participants/", {}),
        ("/c/cup/control/hosts/", {"username": "nobody"}),
        ("/c/cup/control/hosts/remove/", {"username": "host"}),
        ("/c/cup/control/codes/", {"uses": "0"}),
        ("/c/cup/control/codes/9/end/", {}),
        ("/c/cup/control/logs/", {"bot": "nobody", "version": "1"}),
    ],
)
def test_a_host_is_told_in_the_own_language_how_it_went(site, path, form):
    with pseudo_language() as language:
        answer = client_of(site.host).post(path, form, follow=True, headers={"accept-language": language})
    told = re.findall('<p class="(?:told|text)[^>]*>(.*?)</p>', answer.content.decode())

    assert [] == unmarked_in_page(told[0], allowed=["keeper", "nobody", "Winter Cup"])


def test_a_list_in_which_something_is_wrong_is_refused_in_the_language_of_the_host(site):
    people = SimpleUploadedFile("people.csv", b"username,email\n-x,\nada2,nomail\nbob2\nnew,\nnew,\n")

    with pseudo_language() as language:
        answer = client_of(site.host).post(
            "/c/cup/control/participants/", {"file": people}, follow=True, headers={"accept-language": language}
        )

    told = re.findall('<p class="told[^>]*>(.*?)</p>', answer.content.decode())[0]
    assert [] == unmarked_in_page(told, allowed=["ada", "nomail", "new"])
    assert [2, 3, 4, 6] == [int(line) for line in re.findall(r"⟦line⟧ (\d+)", told)]


def test_what_is_kept_is_english_whoever_did_it_in_which_language(site):
    with pseudo_language() as language:
        client = client_of(site.host)
        client.post("/c/cup/control/codes/", {}, headers={"accept-language": language})
        client.post("/c/cup/control/hosts/", {"username": "stranger"}, headers={"accept-language": language})

    acts = read_acts(competition_folder(site.competition))
    assert ["a join code", "stranger as a host"] == [act.text for act in acts]


def test_the_page_of_a_competition_says_what_the_title_of_its_game_means(arena, run):
    make_site(run, rules="title: Cup\ngames: [{game: explorers, players: 2}]\n")

    assert "De store oppdagere <small>The Great Explorers</small>" in client_of().get("/c/cup/").content.decode()
