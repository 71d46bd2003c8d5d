"""What `test_signing_in_elsewhere.py` runs in a process of its own: an arena whose people sign in elsewhere, too.

`python signing_in.py FOLDER` prints a line of JSON: what came of each way to sign in.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import time
import zipfile
from contextlib import suppress
from pathlib import Path
from unittest import mock
from urllib.parse import urlencode, urlsplit

import httpx
from arena.openid_server import SECRET, OpenIdServer
from arena.pages_of_site import PAGES_OF_SIGNING_IN
from arena.serving_here import served, served_arena

SETTINGS = """\
address: http://127.0.0.1:8765
sign_in:
  - {{id: university, name: University & Co, server: '{server}', client: arena}}
  - {{id: club-house, name: Club, server: '{server}', client: arena-of-the-club, new_accounts: false, trust_mail: true}}
"""

ASE = {
    "sub": "1",
    "preferred_username": "Åse Ødegård",
    "email": "ase@example.org",
    "email_verified": True,
    "name": "Åse Ødegård",
    "picture": "https://example.org/ase.png",
    "groups": ["students"],
}


class Visits:
    """Visitors of the arena, who sign in elsewhere."""

    def __init__(self, server):
        self.server = server

    def visit(self, person, *, by="university", client=None, process="login"):
        """Returns a visitor who has signed in as `person`, and the last answer."""
        from django.test import Client

        client = client or Client(headers={"host": "127.0.0.1"}, raise_request_exception=False)
        self.server.person = person
        answer = client.post(f"/accounts/oidc/{by}/login/?process={process}")
        if answer.status_code != 302:
            return client, answer
        came_back = urlsplit(httpx.get(answer["location"]).headers["location"])
        return client, client.get(f"{came_back.path}?{came_back.query}", follow=True)


def who(client):
    """Returns the name of the account that a visitor has; None for a stranger."""
    from django.contrib.auth import get_user

    user = get_user(client)
    return user.get_username() or None


def work(folder):
    from tournament.arena.operating.founding import write_folder
    from tournament.arena.operating.settings_file import ArenaFile
    from tournament.arena.settings import set_up

    server = OpenIdServer()
    with served(server):
        folder.mkdir()
        write_folder(_folder(folder), ArenaFile())
        _folder(folder).settings.write_text(SETTINGS.format(server=server.issuer))
        os.environ["TOURNAMENT_SIGN_IN_UNIVERSITY"] = os.environ["TOURNAMENT_SIGN_IN_CLUB_HOUSE"] = SECRET
        set_up(folder)
        return worked(_folder(folder), server)


def _folder(path):
    from tournament.arena.folder import ArenaFolder

    return ArenaFolder(path)


def worked(folder, server):
    from django.core.management import call_command

    from tournament.arena.operating.fitness import examine

    call_command("migrate", verbosity=0)
    visits = Visits(server)
    found = {
        "browser": in_a_browser(visits),
        "alone": alone(visits),
        "names": names(visits),
        "mail": by_mail(visits),
        "refused": refused(visits),
        "connected": connected(visits),
        "deleted": deleted(visits),
        "unsure": unsure(visits),
        "stolen": stolen(visits),
        "signed otherwise": signed_otherwise(visits),
        "another issuer": another_issuer(visits),
        "prepared": prepared(visits),
        "ambiguous": ambiguous(visits),
        "written otherwise": written_otherwise(visits),
        "odd": odd(visits),
        "away": away(visits),
        "led": led(visits),
        "replayed": replayed(visits),
        "disabled": disabled(visits),
        "token kept": token_kept(visits),
        "careless": careless(visits),
        "unsafe": unsafe(visits),
        "same moment": at_the_same_moment(visits),
        "server gone": server_gone(visits),
        "secret in": [
            path.name for path in folder.path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()
        ],
        "fitness": {"answers": told_of(examine(folder))},
    }
    server.told_of_itself = {"issuer": "https://another.example"}
    found["fitness"]["another issuer"] = told_of(examine(folder))
    server.told_of_itself = {}
    server.is_broken = True
    found["fitness"]["broken"] = told_of(examine(folder))
    del os.environ["TOURNAMENT_SIGN_IN_UNIVERSITY"]
    server.is_broken = False
    found["fitness"]["without"] = told_of(examine(folder))
    return found


def told_of(fitness):
    [step] = [step for step in fitness.steps if step.about == "sign-in"]
    return [step.verdict, step.text]


def in_a_browser(visits):
    """Returns what somebody sees who signs in on a phone, and what is wrong with pages; None without a browser."""
    import shutil

    program = shutil.which("chromium")
    if program is None:
        return None
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with served_arena() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        visits.server.person = {"sub": "0", "preferred_username": "bea", "email": "bea@example.org"}
        page = browser.new_page(viewport={"width": 360, "height": 640})
        page.goto(f"{address}/accounts/login/?next=/account/")
        page.get_by_role("button", name="University & Co").click()
        page.wait_for_url(f"{address}/account/")
        seen = [page.get_by_role("heading", level=1).inner_text(), page.get_by_text("Choose a password").count()]
        found = {"seen": seen, **layout_of_pages_of(visits, browser, page, address)}
        browser.close()
    return found


def layout_of_pages_of(visits, browser, page, address):
    """Returns what is wrong with each page about signing in elsewhere, in two languages, and which templates it has.

    `page` is one of somebody who has signed in.
    """
    from django.contrib.auth import get_user_model
    from django.template import Template
    from django.test.signals import template_rendered
    from django.test.utils import instrumented_test_render
    from layout_of_pages import faults_at

    found, drawn = {}, set()
    note = lambda template, **_: drawn.add(template.name)  # noqa: E731 (what is connected has to be kept)
    Template._render, draw = instrumented_test_render, Template._render
    template_rendered.connect(note)
    cookies = page.context.cookies()
    get_user_model().objects.create_user("cyd", email="cyd@example.org")
    visits.server.person = {"sub": "cyd there", "preferred_username": "cyd", "email": "cyd@example.org"}
    for language in ("en", "de"):
        stranger = browser.new_page(locale=language)
        stranger.goto(f"{address}/accounts/login/")
        stranger.get_by_role("button", name="University & Co").click()
        stranger.wait_for_url(f"{address}/accounts/3rdparty/signup/")
        member = browser.new_page(locale=language)
        member.context.add_cookies(cookies)
        for path in PAGES_OF_SIGNING_IN:
            shown = member if path == "/accounts/3rdparty/" else stranger
            name = f"arena-{'-'.join(path.split('/')[2:-1])}"
            if faults := faults_at(shown, address + path, name, axe=language == "en"):
                found[f"{path} in {language}"] = faults
            if shown.url != address + path:
                found[f"{path} in {language}"] = [f"led to {shown.url}"]
    template_rendered.disconnect(note)
    Template._render = draw
    return {"faults": found, "templates": sorted(name for name in drawn if name and name.startswith("socialaccount/"))}


def alone(visits):
    """Returns who somebody is who comes twice, what is kept of them, and whether they have a password."""
    from allauth.socialaccount.models import SocialAccount
    from django.contrib.auth import get_user_model

    first, _ = visits.visit(ASE)
    again, _ = visits.visit(ASE)
    [one] = SocialAccount.objects.filter(uid="1")
    account = get_user_model().objects.get(pk=one.user_id)
    data = again.post("/account/data/")
    facts = json.loads(zipfile.ZipFile(io.BytesIO(data.content)).read("account.json"))
    [elsewhere] = facts["signs_in_elsewhere"]
    return {
        "same": who(first) == who(again) == account.username,
        "kept": one.extra_data,
        "names": [account.first_name, account.last_name],
        "password": account.has_usable_password(),
        "data": [elsewhere["server"], elsewhere["as"]],
    }


def names(visits):
    """Returns the names of accounts of people whose names elsewhere are odd, or taken here."""
    from django.contrib.auth import get_user_model

    from tournament.arena.web.accounts import _USERNAME

    get_user_model().objects.create_user("carl")
    given = ["Åse Ødegård", "carl", "-", "x" * 200, "<b>", "", "кирил", None]
    found = [
        who(visits.visit({"sub": f"named {number}", "preferred_username": name})[0])
        for number, name in enumerate(given)
    ]
    return {
        "right": [_USERNAME.fullmatch(name or "") is not None for name in found],
        "different": len({*found, "carl"}),
        "given": len(given),
    }


def by_mail(visits):
    """Returns whose accounts people get who have the mail addresses of others."""
    from django.contrib.auth import get_user_model

    dora = get_user_model().objects.create_user("dora", email="dora@example.org", password="of dora herself")
    person = {"sub": "mail", "preferred_username": "other", "email": "dora@example.org"}
    sure = person | {"email_verified": True}
    by_university, answer = visits.visit(sure)
    asked = answer.request["PATH_INFO"]
    not_sure, _ = visits.visit(person, by="club-house")
    by_club, _ = visits.visit(sure, by="club-house")
    return {
        "university": [who(by_university), asked],
        "club, not sure": who(not_sure),
        "club": who(by_club) == dora.username,
    }


def refused(visits):
    """Returns the statuses and texts of those who do not get in."""
    from django.test import Client

    unknown = {"sub": "unknown", "preferred_username": "eve", "email": "eve@example.org", "email_verified": True}
    closed, closed_answer = visits.visit(unknown, by="club-house")
    cancelled, cancelled_answer = visits.visit(None)
    client = Client(headers={"host": "127.0.0.1"}, raise_request_exception=False)
    visits.server.person = unknown
    other = client.post("/accounts/oidc/university/login/")
    came_back = urlsplit(httpx.get(other["location"]).headers["location"])
    victim = Client(headers={"host": "127.0.0.1"}, raise_request_exception=False)
    forged = victim.get(f"{came_back.path}?{came_back.query}", follow=True)
    visits.server.is_broken = True
    broken, broken_answer = visits.visit(unknown)
    visits.server.is_broken = False
    nowhere = client.post("/accounts/oidc/nowhere/login/")
    without_token = Client(headers={"host": "127.0.0.1"}, enforce_csrf_checks=True)
    return {
        "closed": [who(closed), closed_answer.status_code],
        "cancelled": [who(cancelled), cancelled_answer.request["PATH_INFO"]],
        "forged": [who(victim), "did not say who you are" in forged.text],
        "broken": [who(broken), broken_answer.status_code, "did not say who you are" in broken_answer.text],
        "nowhere": nowhere.status_code,
        "without token": without_token.post("/accounts/oidc/university/login/").status_code,
    }


def connected(visits):
    """Returns what somebody with an account here sees who connects one elsewhere to it, and removes that again."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    person = {"sub": "frida there", "preferred_username": "frida.elsewhere"}
    account = get_user_model().objects.create_user("frida", password="of frida herself")
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    _, answer = visits.visit(person, client=client, process="connect")
    by_server, _ = visits.visit(person)
    [one] = account.socialaccount_set.all()
    client.post("/accounts/3rdparty/", {"account": one.pk})
    return {
        "shown": "frida.elsewhere" in answer.text and "University &amp; Co" in answer.text,
        "is": who(by_server),
        "left": account.socialaccount_set.count(),
        "is then": who(visits.visit(person)[0]) != "frida",
    }


def deleted(visits):
    """Returns whether an account without a password is there after its name was given wrong, and then right."""
    from allauth.socialaccount.models import SocialAccount
    from django.contrib.auth import get_user_model

    client, _ = visits.visit({"sub": "gone", "preferred_username": "gustav"})
    found = []
    for name in ("", "other", "gustav"):
        client.post("/account/delete/", {"name": name, "password": ""})
        found.append(get_user_model().objects.filter(username="gustav").exists())
    return [*found, SocialAccount.objects.filter(uid="gone").exists()]


def stranger():
    """Returns a visitor of whom nothing is known."""
    from django.test import Client

    return Client(headers={"host": "127.0.0.1"}, raise_request_exception=False)


def has_come(visits, person, **options):
    client, answer = visits.visit(person, **options)
    return [who(client), answer.status_code, "did not say who you are" in answer.text]


def unsure(visits):
    """Returns who somebody is, and the answer, where a server does not tell who that is, in each way."""
    person = {"sub": "unsure", "preferred_username": "ursula"}
    without = {"preferred_username": "ursula"}
    found = {
        str(sub)[:9]: has_come(visits, without | {"sub": sub}) for sub in (None, "", 7, ["x"], "x" * 10_000, "a\0b")
    }
    found["no sub"] = has_come(visits, without)
    for claims in (
        {"sub": "another"},
        {"aud": "another"},
        {"iss": "https://another.example"},
        {"exp": 1},
        {"exp": None},
        {"aud": ["arena", "another"], "azp": "another"},
        {"aud": ["arena", "another"]},
        {"aud": None},
        {"iss": None},
        {"iat": None},
        {"nonce": None},
        {"nonce": "another"},
        {"nonce": ["another"]},
    ):
        visits.server.claims = claims
        found[str(claims)] = has_come(visits, person)
    visits.server.claims = {}
    for algorithm in ("none", "HS256", "RS512"):
        visits.server.algorithm = algorithm
        found[f"signed with {algorithm}"] = has_come(visits, person)
    visits.server.algorithm = "none"
    visits.server.told_of_itself = {"id_token_signing_alg_values_supported": ["RS256", "none"]}
    found["not signed, as announced"] = has_come(visits, person)
    visits.server.algorithm, visits.server.told_of_itself = "RS256", {}
    for name, told in {
        "a list": lambda tokens: ["access_token"],
        "a text": lambda tokens: "access_token",
        "no id_token": lambda tokens: {key: tokens[key] for key in tokens if key != "id_token"},
        "a list of people": lambda tokens: visits.server.people.update({tokens["access_token"]: [1]}) or tokens,
    }.items():
        visits.server.told_besides = told
        found[name] = has_come(visits, person)
    visits.server.told_besides = None
    return found


def stolen(visits):
    """Returns who somebody is to whose session an id_token came that another one asked for."""
    tokens = []
    visits.server.told_besides = lambda told: tokens.append(told["id_token"]) or told
    first, _ = visits.visit({"sub": "nonce of one", "preferred_username": "nora"})
    visits.server.told_besides = lambda told: told | {"id_token": tokens[0]}
    second, _ = visits.visit({"sub": "nonce of one", "preferred_username": "nora"})
    visits.server.told_besides = None
    return [who(first), who(second)]


def signed_otherwise(visits):
    """Returns who somebody is whose server signs as it announces."""
    visits.server.algorithm = "RS512"
    visits.server.told_of_itself = {"id_token_signing_alg_values_supported": ["RS256", "RS512"]}
    client, _ = visits.visit({"sub": "signed otherwise", "preferred_username": "sigrid"})
    visits.server.algorithm, visits.server.told_of_itself = "RS256", {}
    return who(client)


def another_issuer(visits):
    """Returns the answer where a server says that it is another one, and where it ends its name with a stroke."""
    found = []
    for issuer in ("https://another.example", visits.server.issuer + "/"):
        visits.server.told_of_itself = {"issuer": issuer}
        visits.server.claims = {"iss": issuer}
        client, answer = visits.visit({"sub": "of another issuer", "preferred_username": "isa"})
        found.append([who(client), answer.status_code])
    visits.server.told_of_itself = visits.server.claims = {}
    return found


def prepared(visits):
    """Returns what is left to somebody whose account has the address of another, once that one has come."""
    eve = {"sub": "eve there", "preferred_username": "prepared", "email": "vera@example.org", "email_verified": True}
    by_university, _ = visits.visit(eve)
    vera = {"sub": "vera", "preferred_username": "vera", "email": "Vera@Example.org", "email_verified": True}
    by_club, _ = visits.visit(vera, by="club-house")
    again, _ = visits.visit(eve)
    return {"vera": who(by_club), "eve": who(by_university), "eve again": who(again)}


def ambiguous(visits):
    """Returns who somebody is whose address two accounts have."""
    from django.contrib.auth import get_user_model

    for name in ("hans", "hanna"):
        get_user_model().objects.create_user(name, email="h@example.org")
    person = {"sub": "h", "preferred_username": "h", "email": "h@example.org", "email_verified": True}
    return who(visits.visit(person, by="club-house")[0])


def written_otherwise(visits):
    """Returns who somebody is whose address a host wrote with capitals."""
    from django.contrib.auth import get_user_model

    get_user_model().objects.create_user("ida", email="Ida.Lie@example.org")
    person = {"sub": "ida", "email": "ida.lie@example.org", "email_verified": True}
    return who(visits.visit(person, by="club-house")[0])


def odd(visits):
    """Returns the longest text that is kept of odd people, and whether their names reach a page as they are."""
    from allauth.socialaccount.models import SocialAccount

    values = [{"a": 1}, 5, ["a@example.org"], "n" * 10_000, "a\0b", "\u202e<b>x", f"{'n' * 10_000}@example.org"]
    got_in = True
    for number, value in enumerate(values):
        client, answer = visits.visit({"sub": f"odd {number}", "preferred_username": value, "email": value})
        got_in = got_in and who(client) is not None and answer.status_code == 200
    client, _ = visits.visit({"sub": "odd markup", "preferred_username": "<b>bold"})
    page = client.get("/accounts/3rdparty/").text
    kept = [
        text
        for one in SocialAccount.objects.filter(uid__startswith="odd ")
        for text in one.extra_data["userinfo"].values()
    ]
    return {
        "got in": got_in,
        "kept": [text for text in kept if not isinstance(text, str) or len(text) > 254 or not text.isprintable()],
        "shown": ["&lt;b&gt;bold" in page, "<b>bold" in page],
    }


def begun(visits, client, *, ends_at=""):
    """Returns the address to which a visitor would come back."""
    visits.server.person = {"sub": "begun", "preferred_username": "begun"}
    answer = client.post(f"/accounts/oidc/university/login/?{urlencode({'next': ends_at} if ends_at else {})}")
    address = urlsplit(httpx.get(answer["location"]).headers["location"])
    return f"{address.path}?{address.query}"


def away(visits):
    """Returns the answer to somebody who comes back when the server is away."""
    client = stranger()
    address = begun(visits, client)
    visits.server.is_broken = True
    answer = client.get(address)
    visits.server.is_broken = False
    return [who(client), answer.status_code, "did not say who you are" in answer.text]


def led(visits):
    """Returns where people are led who were to be led elsewhere."""
    places = ("https://other.example/", "//other.example/", "/\\other.example", "javascript:alert(1)", "/account/")
    found = []
    for place in places:
        client = stranger()
        found.append(client.get(begun(visits, client, ends_at=place))["location"])
    return found


def replayed(visits):
    """Returns the statuses of an address that is used twice, and of one that was made for another server."""
    client = stranger()
    address = begun(visits, client)
    statuses = [client.get(address).status_code, client.get(address).status_code]
    another = stranger()
    elsewhere = begun(visits, another).replace("/university/", "/club-house/")
    return [*statuses, another.get(elsewhere).status_code]


def disabled(visits):
    """Returns who somebody is whose account was switched off."""
    from django.contrib.auth import get_user_model

    person = {"sub": "off", "preferred_username": "ole"}
    client, _ = visits.visit(person)
    get_user_model().objects.filter(username="ole").update(is_active=False)
    return [who(client), who(visits.visit(person)[0])]


def token_kept(visits):
    """Returns whether the session of somebody who still has to choose a name has a token of the server."""
    client, answer = visits.visit({"sub": "late", "email": "dora@example.org"})
    pending = client.session["socialaccount_sociallogin"]
    return [answer.request["PATH_INFO"], "token" in pending]


def careless(visits):
    """Returns who gets in by answers that are endless, long, packed, or lead away, and which other paths were asked."""
    from tournament.arena.web.pages.careful_asking import MOST_ANSWER_BYTES

    followed = []

    def send(handler, body, **headers):
        handler.send_response(302 if "Location" in headers else 200)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        with suppress(OSError):  # nobody reads on
            for piece in body:
                handler.wfile.write(piece)
                handler.wfile.flush()

    def trickle():
        while True:
            time.sleep(0.01)
            yield b" "

    answers = {
        "endless": lambda handler: send(handler, trickle()),
        "long": lambda handler: send(handler, [b" " * MOST_ANSWER_BYTES, b" {}"]),
        "packed": lambda handler: send(handler, [gzip.compress(b"{}")], Content_Encoding="gzip"),
        "leading away": lambda handler: send(handler, [], Location="/moved", Content_Length="0"),
    }
    visits.server.odd_answers["/moved"] = lambda handler: followed.append(handler.path)
    found = {}
    with mock.patch("tournament.arena.web.pages.careful_asking.SIGN_IN_SECONDS", 0.5):
        for path in ("/.well-known/openid-configuration", "/userinfo"):
            for name, answer in answers.items():
                visits.server.odd_answers[path] = answer
                client, told = visits.visit({"sub": "careless", "preferred_username": "careless"})
                found[f"{name} {path}"] = [who(client), "did not say who you are" in told.text]
            del visits.server.odd_answers[path]
    return [found, followed]


def unsafe(visits):
    """Returns the answers where a server names an address to which a secret would go unprotected, or which is none."""
    found = []
    for address in ("http://login.example.org/token", "javascript:alert(1)", "//other.example"):
        for name in ("authorization_endpoint", "token_endpoint", "userinfo_endpoint"):
            visits.server.told_of_itself = {name: address}
            found.append(visits.visit({"sub": "unsafe"})[1].status_code)
    visits.server.told_of_itself = {}
    return sorted(set(found))


def at_the_same_moment(visits):
    """Returns where somebody is led whose account came into being in another window meanwhile, and who gets in then."""
    from allauth.socialaccount.models import SocialAccount
    from django.db import IntegrityError

    person = {"sub": "twice", "preferred_username": "tine"}
    client = stranger()
    with mock.patch.object(SocialAccount, "save", side_effect=IntegrityError):
        _, answer = visits.visit(person, client=client)
    return [answer.request["PATH_INFO"], who(visits.visit(person, client=client)[0])]


def server_gone(visits):
    """Returns what becomes of an account that also signs in by a server that the settings have no more."""
    from allauth.socialaccount.models import SocialAccount

    client, _ = visits.visit({"sub": "stays", "preferred_username": "gerd"})
    [usable] = SocialAccount.objects.filter(uid="stays")
    gone = SocialAccount.objects.create(user=usable.user, provider="gone-server", uid="gerd there")
    found = {"shown": "gone-server: gerd there" in client.get("/accounts/3rdparty/").text}
    client.post("/accounts/3rdparty/", {"account": usable.pk})
    found["way in is left"] = SocialAccount.objects.filter(pk=usable.pk).exists()
    found["data"] = client.post("/account/data/").status_code
    found["at it"] = client.get("/accounts/oidc/gone-server/login/callback/").status_code
    client.post("/accounts/3rdparty/", {"account": gone.pk})
    found["gone is left"] = SocialAccount.objects.filter(pk=gone.pk).exists()
    return found


if __name__ == "__main__":
    print(json.dumps(work(Path(sys.argv[1]))))
