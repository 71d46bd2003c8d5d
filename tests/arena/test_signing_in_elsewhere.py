"""People sign in by OpenID Connect where the host wants it; a server on loopback stands for that of a university."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from arena.openid_server import SECRET
from needs import missing

import tournament.arena
from tournament.arena.operating.addresses import check_settings
from tournament.arena.operating.settings_file import ArenaFile, SignIn
from tournament.errors import ConfigurationError

pytestmark = pytest.mark.long

TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Returns what `signing_in.py` found out; its Django has settings of its own."""
    done = subprocess.run(
        [sys.executable, TESTS / "arena" / "signing_in.py", tmp_path_factory.mktemp("signing-in") / "arena"],
        env=os.environ | {"PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert 0 == done.returncode, done.stderr
    return json.loads(done.stdout.splitlines()[-1]) | {"errors": done.stderr}


@pytest.fixture(scope="module")
def in_a_browser(found):
    """Returns what was seen in Chromium."""
    if found["browser"] is None:
        missing("chromium", "apt-get install chromium")
    return found["browser"]


def test_a_visitor_signs_in_elsewhere_by_one_button_on_a_phone(in_a_browser):
    assert ["bea", 1] == in_a_browser["seen"]


def test_every_page_about_it_is_laid_out_without_a_fault_and_axe_finds_nothing(in_a_browser):
    """At three sizes, light and dark, in two languages."""
    assert {} == in_a_browser["faults"]


def test_every_template_about_it_is_drawn_there(in_a_browser):
    """A page that is added without being measured fails here by the name of its template."""
    folder = Path(tournament.arena.__file__).parent / "web" / "templates" / "socialaccount"
    assert set() == {f"socialaccount/{path.name}" for path in folder.iterdir()} - {*in_a_browser["templates"]}


def test_who_comes_again_has_the_same_account(found):
    assert found["alone"]["same"]


def test_nothing_is_kept_of_a_person_but_what_tells_them_apart(found):
    kept = {"sub": "1", "preferred_username": "Åse Ødegård", "email": "ase@example.org"}
    assert {"userinfo": kept, "id_token": {"sub": "1"}} == found["alone"]["kept"]
    assert ["", ""] == found["alone"]["names"]


def test_an_account_from_elsewhere_has_no_password(found):
    assert found["alone"]["password"] is False


def test_the_data_to_take_away_say_where_one_signs_in(found):
    assert ["university", "1"] == found["alone"]["data"]


def test_every_account_gets_a_right_name_of_its_own_whatever_the_name_elsewhere(found):
    names = found["names"]
    assert ([True] * names["given"], names["given"] + 1) == (names["right"], names["different"])


def test_a_mail_address_gives_nobody_the_account_of_another(found):
    assert [None, "/accounts/3rdparty/signup/"] == found["mail"]["university"]


def test_a_server_that_is_trusted_gives_the_account_with_a_mail_address_that_it_vouches_for(found):
    assert (None, True) == (found["mail"]["club, not sure"], found["mail"]["club"])


def test_nobody_new_gets_in_where_hosts_enter_people(found):
    assert [None, 200] == found["refused"]["closed"]


def test_who_does_not_sign_in_elsewhere_is_told_that_nothing_changed(found):
    assert [None, "/accounts/3rdparty/login/cancelled/"] == found["refused"]["cancelled"]


def test_nobody_is_signed_in_by_an_address_that_was_made_for_another(found):
    assert [None, True] == found["refused"]["forged"]


def test_a_server_that_is_broken_is_told_in_a_sentence(found):
    assert [None, 502, True] == found["refused"]["broken"]


def test_a_server_that_is_not_set_is_not_there(found):
    assert 404 == found["refused"]["nowhere"]


def test_other_pages_cannot_begin_to_sign_anybody_in(found):
    assert 403 == found["refused"]["without token"]


def test_an_account_can_be_connected_to_one_elsewhere_and_parted_from_it(found):
    assert {"shown": True, "is": "frida", "left": 0, "is then": True} == found["connected"]


def test_an_account_without_a_password_is_deleted_once_its_name_was_given(found):
    assert [True, True, False, False] == found["deleted"]


def test_nobody_gets_in_of_whom_a_server_does_not_surely_tell_who_that_is(found):
    assert {way: [None, 401, True] for way in found["unsure"]} == found["unsure"]


def test_an_id_token_that_another_visitor_asked_for_signs_nobody_in(found):
    assert ["nora", None] == found["stolen"]


def test_a_server_signs_id_tokens_in_any_way_that_it_announces(found):
    assert "sigrid" == found["signed otherwise"]


def test_nobody_is_sent_to_a_server_that_says_it_is_another(found):
    """A stroke at the end makes no difference."""
    assert [[None, 502], ["isa", 200]] == found["another issuer"]


def test_who_made_an_account_with_the_address_of_another_is_shut_out_once_that_one_comes(found):
    assert {"vera": "prepared", "eve": None, "eve again": None} == found["prepared"]


def test_an_address_that_two_accounts_have_gives_neither(found):
    assert found["ambiguous"] is None


def test_an_address_gives_the_account_however_its_letters_are_written(found):
    assert "ida" == found["written otherwise"]


def test_odd_names_and_addresses_keep_nobody_out_and_reach_no_page_as_they_are(found):
    assert {"got in": True, "kept": [], "shown": [True, False]} == found["odd"]


def test_a_server_that_is_away_when_people_come_back_is_told_in_a_sentence(found):
    assert [None, 502, True] == found["away"]


def test_nobody_is_led_to_another_site(found):
    assert ["/", "/", "/", "/", "/account/"] == found["led"]


def test_an_address_to_come_back_serves_once_and_for_its_server(found):
    assert [302, 401, 401] == found["replayed"]


def test_no_answer_of_a_server_is_waited_for_long_fills_the_memory_or_leads_away(found):
    answers, followed = found["careless"]

    assert ({way: [None, True] for way in answers}, []) == (answers, followed)


def test_a_server_that_names_an_address_without_https_is_not_asked_there(found):
    assert [502] == found["unsafe"]


def test_who_signs_in_twice_at_the_same_moment_is_led_to_try_again(found):
    assert ["/accounts/login/", "tine"] == found["same moment"]


def test_an_account_that_is_switched_off_stays_so(found):
    assert [None, None] == found["disabled"]


def test_a_session_keeps_no_token_of_the_server(found):
    assert ["/accounts/3rdparty/signup/", False] == found["token kept"]


def test_the_last_way_in_stays_when_a_server_is_set_no_more(found):
    expected = {"shown": True, "way in is left": True, "data": 200, "at it": 404, "gone is left": False}
    assert expected == found["server gone"]


def test_secrets_of_servers_are_in_no_file_and_no_error(found):
    assert ([], False) == (found["secret in"], SECRET in found["errors"])


def test_the_check_of_a_machine_asks_the_servers(found):
    assert ["passed", "University & Co, Club can be used."] == found["fitness"]["answers"]
    assert "failed" == found["fitness"]["another issuer"][0]
    assert "calls itself https://another.example. If that is the server" in found["fitness"]["another issuer"][1]
    assert "failed" == found["fitness"]["broken"][0]
    assert "says nothing of OpenID Connect: HTTPError" in found["fitness"]["broken"][1]
    assert "note" == found["fitness"]["without"][0]
    assert "none is needed there: TOURNAMENT_SIGN_IN_UNIVERSITY" in found["fitness"]["without"][1]


def server(**changes) -> SignIn:
    return SignIn(
        **({"id": "university", "name": "University", "server": "https://a.example", "client": "x"} | changes)
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"server": "http://a.example"},
        {"server": "a.example"},
        {"server": "https://a.example; script-src *"},
        {"server": "https://a.example?x=1"},
        {"server": "https://user@a.example"},
        {"server": "https://[broken"},
        {"page": "http://a.example"},
    ],
)
def test_a_server_that_is_not_safe_is_refused(changes):
    with pytest.raises(ConfigurationError, match=r"sign_in: university: (server|page): expected a URL such as https"):
        check_settings(ArenaFile(sign_in=(server(**changes),)), where="arena.yaml")


@pytest.mark.parametrize(("changes", "same"), [({"client": "y"}, "id university"), ({"id": "other"}, "client x")])
def test_two_servers_that_cannot_be_told_apart_are_refused(changes, same):
    with pytest.raises(ConfigurationError, match=f"the {same} is there already"):
        check_settings(ArenaFile(sign_in=(server(), server(**changes))), where="arena.yaml")


def test_the_variable_with_a_secret_is_named_after_the_id():
    assert "TOURNAMENT_SIGN_IN_CLUB_HOUSE" == server(id="club-house").secret_variable
