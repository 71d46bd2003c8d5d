"""People who hand in over HTTP, by the form of the site or by the API, whatever becomes of the site meanwhile."""

from __future__ import annotations

import re
import threading
from random import Random

import httpx
from arena.killed_arena import NAMES, password_of

PROGRAM = """\
from tournament import Bot


class Handed(Bot):
    def act(self, view):
        legal = view.legal_actions()
        return legal[{number} % len(legal)]
"""

BY_FORM = frozenset(NAMES[::2])
"""The others use the API."""

PAUSE_SECONDS = 2.0
SOON_SECONDS = 0.3
"""After which whoever had no answer tries again, and whoever waits for a check asks again."""

ANSWER_SECONDS = 60

REFUSED = 0
"""In place of the number of a version: the quota is used up."""


def program(number):
    return PROGRAM.format(number=number).encode()


class People:
    """Hand in one program after another; who gets no answer, or one of an error, tries the same program again."""

    def __init__(self, address, tokens):
        self.answered = []
        """Bot, number of the version and number of the program, for each answer of success."""

        self.unanswered = 0
        """How many uploads were answered with an error, or not at all."""

        self.refused = 0

        self._address = address
        self._asking = {name: self._client_of(token) for name, token in tokens.items()}
        self._clients = {}
        self._begun = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._go_on)
        self._error = None

    def start(self):
        self._thread.start()

    def end(self):
        """Ends once the present upload was answered; raises what went wrong in the meantime."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._error is not None:
            raise self._error

    def close(self):
        """Ends, and lets go of the site."""
        try:
            self.end()
        finally:
            for client in (*self._clients.values(), *self._asking.values()):
                client.close()

    def wait_for_upload(self, seconds):
        """Waits until one of them, whom the site has just answered, begins to hand in."""
        self._begun.clear()
        assert self._begun.wait(seconds), "nobody could hand in"

    def can_see(self, bot, number):
        """Returns whether the owner of a version is shown it."""
        name = bot.removesuffix("-bot")
        place = f"/c/cup/bots/{bot}/versions/{number}/"
        if name not in BY_FORM:
            place = f"/api/competitions/cup/bots/{bot}/versions/{number}"
        return httpx.codes.OK == self._client(name).get(place).status_code

    def _go_on(self):
        number = 0
        try:
            while not self._ending.is_set():
                name = NAMES[number % len(NAMES)]
                if not self._is_checked(name):
                    self._ending.wait(SOON_SECONDS)
                elif self._has_answer(name, number):
                    self._ending.wait(PAUSE_SECONDS * Random(number).random())
                    number += 1
                else:
                    self.unanswered += 1
                    self._ending.wait(SOON_SECONDS)
        except Exception as error:
            self._error = error

    def _is_checked(self, name):
        """Returns whether the check of the last version of somebody has ended, who hands in no other before."""
        last = max((number for bot, number, _ in self.answered if bot == f"{name}-bot"), default=None)
        if last is None:
            return True
        try:
            answer = self._asking[name].get(f"/api/competitions/cup/bots/{name}-bot/versions/{last}")
        except httpx.TransportError:
            return False
        return answer.is_success and answer.json()["state"] not in ("received", "checking", "accepted")

    def _has_answer(self, name, number):
        try:
            client = self._client(name)
            version = (self._by_form if name in BY_FORM else self._by_api)(client, name, number)
        except httpx.TransportError:
            return False
        if version == REFUSED:
            self.refused += 1
        elif version is not None:
            self.answered.append((f"{name}-bot", version, number))
        return version is not None

    def _client(self, name):
        """Returns how somebody hands in: with a token, or logged in by the form."""
        if name in self._clients:
            return self._clients[name]
        if name not in BY_FORM:
            return self._asking[name]
        client = httpx.Client(base_url=self._address, timeout=ANSWER_SECONDS, headers={"Origin": self._address})
        try:
            _log_in(client, name)
        except BaseException:
            client.close()
            raise
        self._clients[name] = client
        return client

    def _client_of(self, token):
        headers = {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self._address, timeout=ANSWER_SECONDS, headers=headers)

    def _by_form(self, client, name, number):
        token = _form_token(client.get("/c/cup/mine/"))
        self._begun.set()
        answer = client.post(
            f"/c/cup/bots/{name}-bot/versions/",
            data={"csrfmiddlewaretoken": token},
            files={"file": ("bot.py", program(number))},
        )
        if httpx.codes.FOUND != answer.status_code:
            return None
        if answer.headers["Location"] == "/c/cup/mine/":
            return REFUSED
        return int(re.fullmatch(rf"/c/cup/bots/{name}-bot/versions/(\d+)/", answer.headers["Location"])[1])

    def _by_api(self, client, name, number):
        if not client.get("/api/token").is_success:
            return None
        self._begun.set()
        place = f"/api/competitions/cup/bots/{name}-bot/versions?file_name=bot.py"
        answer = client.post(place, content=program(number))
        if httpx.codes.TOO_MANY_REQUESTS == answer.status_code:
            return REFUSED
        return answer.json()["version"]["number"] if answer.is_success else None


def _log_in(client, name):
    token = _form_token(client.get("/accounts/login/"))
    words = {"csrfmiddlewaretoken": token, "login": name, "password": password_of(name)}
    if httpx.codes.FOUND != client.post("/accounts/login/", data=words).status_code:
        raise httpx.TransportError("nobody is logged in")


def _form_token(page):
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    if found is None:  # a page of an error
        raise httpx.TransportError("the page has no form")
    return found[1]
