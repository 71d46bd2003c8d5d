"""The API: what everybody reads, what a token lets its owner do, and what each error says."""

from __future__ import annotations

import json
import shutil
import zipfile
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from arena.making import RULES, make_account, make_bot, make_competition, make_participant, make_version
from django.conf import settings
from django.db import OperationalError
from django.test import Client, override_settings
from django.utils.timezone import now as present

from tournament import audit
from tournament.arena.api import access
from tournament.arena.api.application import LOG
from tournament.arena.files import MOST_UPLOAD_BYTES, format_moment
from tournament.arena.models import CompetitionRow, RoundRow, Token, VersionRow
from tournament.arena.places import competition_folder, version_folder
from tournament.arena.taking_part import make_token
from tournament.arena.throttling import Throttle
from tournament.arena.web.makers import MAKER
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.run.run import Run

CUP = "/api/competitions/cup"
KEEPER = f"{CUP}/bots/keeper"


@pytest.fixture
def token(keeper) -> str:
    return make_token(keeper.made_by.account, keeper, label="laptop", now=present()).text


def ask(path: str, *, token: str | None = None, address: str = "127.0.0.1", **more):
    """Returns the answer to a call; with `data` it is a POST."""
    client = Client(headers={"host": "127.0.0.1"}, REMOTE_ADDR=address)
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    if "data" in more:
        more.setdefault("content_type", "application/octet-stream")
        return client.post(path, headers=headers, **more)
    return client.get(path, headers=headers, **more)


def upload(token, data: bytes = b"class Bot: ...\n", *, query: str = "file_name=keeper.py", **more):
    return ask(f"{KEEPER}/versions?{query}", token=token, data=data, **more)


def error_of(answer) -> tuple[int, str]:
    """Returns the status and the kind of an error; its sentence ends as one does."""
    values = answer.json()
    assert values["error"].endswith(".")
    return answer.status_code, values["kind"]


def make_round(cup, *versions, state="complete", number=1):
    row = RoundRow.objects.create(
        competition=cup, number=number, season=1, kind="ladder", lane="long", state=state, planned=present()
    )
    row.versions.set(versions)
    return row


class TestReading:
    def test_competitions_are_listed_without_drafts(self, arena, cup):
        make_competition(arena, "secret", state="draft")

        assert ["cup"] == [one["name"] for one in ask("/api/competitions").json()]
        assert error_of(ask("/api/competitions/secret")) == (404, "unknown")

    def test_a_competition_says_its_rules(self, cup):
        answer = ask(CUP).json()

        assert ("Winter Cup", "open", 100) == (answer["title"], answer["state"], answer["rules"]["deals_a_day"])

    def test_bots_and_their_versions_are_listed_without_what_was_refused(self, keeper):
        make_version(keeper, "refused")
        make_version(keeper, "active")

        assert [{"name": "keeper", "owners": ["Ada"], "active_version": 2}] == ask(f"{CUP}/bots").json()
        assert [2] == [one["number"] for one in ask(f"{KEEPER}/versions").json()]

    def test_an_owner_sees_all_versions_of_the_bot(self, keeper, token):
        make_version(keeper, "refused")

        assert [1] == [one["number"] for one in ask(f"{KEEPER}/versions", token=token).json()]

    def test_before_the_first_round_there_is_no_ladder(self, cup):
        assert error_of(ask(f"{CUP}/ladder")) == (409, "state")

    def test_hidden_standings_and_games_are_hidden(self, cup, keeper):
        until = format_moment(present() + timedelta(days=1))
        (competition_folder(cup).path / "competition.yaml").write_text(f'{RULES}standings_from: "{until}"\n')
        make_round(cup)

        assert error_of(ask(f"{CUP}/ladder")) == (409, "state")
        assert ask(f"{CUP}/rounds/1/download").json()["free_at"] == until

    def test_rounds_are_listed_from_the_newest_in_parts(self, cup, keeper):
        version = make_version(keeper)
        for number in range(1, 6):
            make_round(cup, version, number=number)
        first = ask(f"{CUP}/rounds?most=2").json()
        second = ask(f"{CUP}/rounds?most=2&before=4").json()

        assert ([5, 4], [3, 2]) == ([one["number"] for one in first], [one["number"] for one in second])
        assert ["keeper.v1"] == first[0]["entrants"]

    @pytest.mark.parametrize(
        "path",
        [
            "/api/competitions/none",
            f"{CUP}/bots/none",
            f"{CUP}/rounds/9",
            f"{CUP}/rounds/99999999999999999999",
            f"{CUP}/rounds/-1",
            "/api/nothing",
        ],
    )
    def test_what_is_not_there_is_told_in_a_sentence(self, cup, path):
        assert error_of(ask(path)) == (404, "unknown")

    @pytest.mark.parametrize("query", ["most=0", "most=x", "before=99999999999", "kind=nothing"])
    def test_words_that_a_call_does_not_take_are_told(self, cup, query):
        assert error_of(ask(f"{CUP}/rounds?{query}")) == (422, "wrong")

    def test_its_page_needs_nothing_from_elsewhere(self, arena):
        page = ask("/api/docs").content.decode()

        assert "swagger" in page
        assert "https://" not in page.replace("https://django-ninja", "")
        assert "//cdn" not in page


class TestUploading:
    def test_an_upload_is_a_version(self, keeper, token):
        answer = upload(token)

        assert (201, True, 1, "received") == (
            answer.status_code,
            answer.json()["is_new"],
            answer.json()["version"]["number"],
            answer.json()["version"]["state"],
        )
        assert version_folder(VersionRow.objects.get()).upload.read_bytes() == b"class Bot: ...\n"

    def test_the_same_file_again_is_the_same_version(self, token):
        upload(token)
        again = upload(token)

        assert (200, False, 1) == (again.status_code, again.json()["is_new"], again.json()["version"]["number"])

    def test_a_large_upload_is_taken_and_a_larger_one_is_not(self, token):
        assert upload(token, b"x" * MOST_UPLOAD_BYTES).status_code == 201
        assert error_of(upload(token, b"y" * (MOST_UPLOAD_BYTES + 1))) == (413, "too large")

    def test_without_a_name_it_is_not_taken(self, token):
        assert error_of(upload(token, query="")) == (422, "wrong")

    def test_a_used_quota_says_when_the_next_is_free(self, cup, token):
        (competition_folder(cup).path / "competition.yaml").write_text(RULES + "versions_a_day: 1\n")
        upload(token)
        answer = upload(token, b"other")
        free_at = datetime.fromisoformat(answer.json()["free_at"])

        assert error_of(answer) == (429, "quota")
        assert (0, 0) == (free_at.astimezone(UTC).hour, free_at.astimezone(UTC).minute)

    def test_it_takes_no_part_when_it_is_only_to_be_checked(self, token):
        assert upload(token, query="file_name=a.py&check_only=true").json()["version"]["check_only"]

    def test_a_frozen_competition_takes_none(self, cup, token):
        CompetitionRow.objects.update(state="frozen")

        assert error_of(upload(token)) == (409, "state")


class TestTokens:
    @pytest.fixture
    def three_tries(self, monkeypatch) -> None:
        monkeypatch.setattr(access, "WRONG_TOKENS", Throttle("token", limit=3, seconds=60))

    def test_a_token_says_what_it_is_for_and_what_is_left(self, token):
        answer = ask("/api/token", token=token).json()

        assert ("cup", "keeper", "Ada", 10, 20) == (
            answer["competition"],
            answer["bot"],
            answer["owner"],
            answer["versions"]["left"],
            answer["checks"]["left"],
        )

    @pytest.mark.parametrize(
        "path", ["/api/token", f"{KEEPER}/versions/1", f"{KEEPER}/versions/1/log", f"{KEEPER}/challenges"]
    )
    def test_without_a_token_that_holds_nobody_is_let_in(self, keeper, token, path):
        make_version(keeper)
        answers = [ask(path), ask(path, token="arena-guess"), ask(path, token="")]

        assert [(401, "not logged in")] * 3 == [error_of(answer) for answer in answers]
        assert {"Bearer"} == {answer["WWW-Authenticate"] for answer in answers}

    def test_a_wrong_token_is_told_also_where_none_is_needed(self, cup):
        assert error_of(ask(CUP, token="arena-guess")) == (401, "not logged in")

    def test_being_logged_in_at_the_site_is_no_token(self, keeper):
        client = Client(headers={"host": "127.0.0.1"})
        client.force_login(keeper.made_by.account, backend="django.contrib.auth.backends.ModelBackend")

        assert client.get("/api/token").status_code == 401

    def test_an_expired_token_holds_no_more(self, token):
        Token.objects.update(expires=present())

        assert ask("/api/token", token=token).status_code == 401

    @pytest.mark.parametrize(
        "call",
        [
            lambda token, bot: ask(f"{CUP}/bots/{bot}/versions/1", token=token),
            lambda token, bot: ask(f"{CUP}/bots/{bot}/versions/1/log", token=token),
            lambda token, bot: ask(f"{CUP}/bots/{bot}/versions/1/build", token=token),
            lambda token, bot: ask(f"{CUP}/bots/{bot}/challenges", token=token),
            lambda token, bot: ask(f"{CUP}/bots/{bot}/versions?file_name=a.py", token=token, data=b"x"),
            lambda token, bot: ask(f"{CUP}/bots/{bot}/versions/1/activate", token=token, data=b""),
            lambda token, bot: ask(
                f"{CUP}/bots/{bot}/challenges",
                token=token,
                data=b'{"opponents": [{"bot": "keeper"}]}',
                content_type="application/json",
            ),
        ],
    )
    def test_a_token_is_for_its_bot_only(self, cup, keeper, token, call):
        """Also for another bot of the same owner: whoever finds the token has one bot in hand."""
        make_version(keeper)
        runner = make_bot(keeper.made_by, "runner")
        make_version(runner, "retired")
        foreign = make_bot(make_participant(cup, "eve"), "walker")
        make_version(foreign, "retired")

        assert error_of(call(token, "runner")) == (403, "not allowed")
        assert error_of(call(token, "walker")) == (403, "not allowed")
        assert b"secret of the owner" not in call(token, "walker").content

    def test_whoever_guesses_tokens_waits_and_a_token_that_holds_does_not(self, token, three_tries):
        statuses = [ask("/api/token", token=f"arena-{number}").status_code for number in range(5)]

        assert [401] * 3 + [429] * 2 == statuses
        assert ask("/api/token", token=token).status_code == 200
        assert ask("/api/token", token="arena-guess", address="192.0.2.7").status_code == 401

    @pytest.mark.parametrize(
        ("proxies", "forwarded", "same"),
        [
            (0, "192.0.2.{}", True),  # made up: no proxy is declared
            (1, "192.0.2.{}, 198.51.100.1", True),  # what stands before the proxy's own is made up
            (1, "198.51.100.1, 192.0.2.{}", False),
            (2, "192.0.2.{}, 198.51.100.1", False),
        ],
    )
    def test_addresses_are_those_that_the_declared_proxies_say(self, token, three_tries, proxies, forwarded, same):
        with override_settings(ARENA=msgspec.structs.replace(settings.ARENA, proxies=proxies)):
            last = [
                ask("/api/token", token="guess", HTTP_X_FORWARDED_FOR=forwarded.format(number)).status_code
                for number in range(4)
            ][-1]

        assert (429 if same else 401) == last


class TestChecks:
    def test_an_owner_follows_the_steps_of_a_check(self, keeper, token):
        version = make_version(keeper, "checking")
        (version_folder(version).check / "steps.json").write_text('{"names":["unpack","play"],"steps":[]}')
        answer = ask(f"{KEEPER}/versions/1", token=token).json()

        assert ("checking", ["unpack", "play"]) == (answer["state"], answer["check"]["names"])

    def test_logs_are_plain_text_whatever_a_bot_wrote(self, keeper, token):
        version = make_version(keeper)
        (version_folder(version).check / "log.txt").write_text("<script>alert(1)</script>")
        answer = ask(f"{KEEPER}/versions/1/log", token=token)

        assert ("text/plain; charset=utf-8", "nosniff", b"<script>alert(1)</script>") == (
            answer["Content-Type"],
            answer["X-Content-Type-Options"],
            answer.content,
        )

    def test_an_earlier_version_is_chosen(self, keeper, token):
        make_version(keeper, "retired")

        answer = ask(f"{KEEPER}/versions/1/activate", token=token, data=b"")
        assert (200, "active") == (answer.status_code, answer.json()["state"])


class TestChallenges:
    def asked(self, token, body: object):
        return ask(f"{KEEPER}/challenges", token=token, data=json.dumps(body), content_type="application/json")

    def test_a_challenge_is_asked_for_and_listed(self, cup, keeper, token):
        make_version(keeper)
        make_version(make_bot(make_participant(cup, "eve"), "runner"))
        answer = self.asked(token, {"opponents": [{"bot": "runner"}]})

        assert (201, ["runner.v1"], None) == (answer.status_code, answer.json()["opponents"], answer.json()["round"])
        assert [answer.json()] == ask(f"{KEEPER}/challenges", token=token).json()

    def test_house_bots_are_challenged_by_name_beside_bots(self, cup, keeper, token):
        make_version(keeper)
        make_version(make_bot(make_participant(cup, "eve"), "runner"))
        answer = self.asked(token, {"opponents": [{"bot": "runner"}, {"bot": "cautious"}]})

        assert (201, ["cautious", "runner.v1"]) == (answer.status_code, answer.json()["opponents"])

    @pytest.mark.parametrize(
        ("body", "expected"),
        [
            ({}, (422, "wrong")),
            ([], (422, "wrong")),
            ({"opponents": []}, (422, "wrong")),
            ({"opponents": [{"bot": "none"}]}, (404, "unknown")),
            ({"opponents": [{"bot": "keeper"}]}, (422, "wrong")),
            ({"version": 7, "opponents": [{"bot": "keeper"}]}, (404, "unknown")),
            ({"opponents": "x" * 1000}, (422, "wrong")),
        ],
    )
    def test_a_challenge_that_cannot_be_is_told(self, keeper, token, body, expected):
        make_version(keeper)

        assert expected == error_of(self.asked(token, body))

    @pytest.mark.parametrize("number", [0, -1, 1 << 31, 1 << 63, 10**30])
    def test_a_number_that_no_version_or_round_has_is_told_as_it_was_given(self, keeper, token, number):
        make_version(keeper)
        answers = [
            self.asked(token, {"version": number, "opponents": [{"bot": "keeper"}]}),
            ask(f"{KEEPER}/versions/{number}", token=token),
            ask(f"{CUP}/rounds/{number}"),
        ]

        assert [(404, "unknown")] * 3 == [error_of(answer) for answer in answers]
        assert [] == [answer.json() for answer in answers if str(number) not in answer.content.decode()]

    @pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000], ids=["open", "no text", "deep"])
    def test_a_body_that_is_no_json_is_told_as_other_errors_are(self, token, body):
        answer = ask(f"{KEEPER}/challenges", token=token, data=body, content_type="application/json")

        assert (400, "wrong") == error_of(answer)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Returns the folder of a complete run of quick bots."""
    source, _ = with_flags(default_source(), seed="api", budget=Budget(deals=1), isolation="none")
    run = Run.begin(resolve(source), tmp_path_factory.mktemp("played") / "run")
    run.play()
    yield run.folder
    MAKER.close()


class TestDownloads:
    def test_a_downloaded_round_is_whole_and_clean(self, cup, keeper, played, tmp_path):
        make_round(cup, make_version(keeper))
        shutil.copytree(played, competition_folder(cup).round(1))
        answer = ask(f"{CUP}/rounds/1/download")
        path = tmp_path / "round.zip"
        path.write_bytes(b"".join(answer.streaming_content))
        with zipfile.ZipFile(path) as archive:
            archive.extractall(tmp_path)
        names = {name.name for name in (tmp_path / "cup-round-000001").iterdir()}

        assert not names & {"logs", "faults.jsonl", "clocks.jsonl", "master.secret"}
        assert audit(tmp_path / "cup-round-000001").findings == ()

    @pytest.mark.parametrize("state", ["planned", "playing", "interrupted", "abandoned"])
    def test_nothing_of_a_round_that_is_not_complete_is_told_by_any_call(self, cup, keeper, token, played, state):
        version = make_version(keeper)
        make_round(cup, version, state=state)
        run = competition_folder(cup).round(1)
        shutil.copytree(played, run)
        records = (run / "games.jsonl").read_text().splitlines()
        deals = [json.dumps(json.loads(line)["deal"], separators=(",", ":")) for line in records]
        paths = [
            CUP,
            f"{CUP}/rounds",
            f"{CUP}/rounds/1",
            f"{CUP}/rounds/1/download",
            f"{CUP}/ladder",
            f"{CUP}/bots",
            f"{KEEPER}/versions",
            f"{KEEPER}/versions/1",
            f"{KEEPER}/challenges",
            "/metrics",
        ]
        answers = [ask(path, token=token) for path in paths]
        told = "".join(answer.content.decode() for answer in answers if not answer.streaming)

        assert not any(answer.streaming for answer in answers)
        assert deals
        assert not [deal for deal in deals if deal in told]
        assert error_of(ask(f"{CUP}/rounds/1/download")) == (409, "state")

    def test_a_round_whose_folder_is_damaged_tells_no_path(self, cup):
        make_round(cup)
        answer = ask(f"{CUP}/rounds/1/download")

        assert error_of(answer) == (500, "failed")
        assert str(settings.ARENA_FOLDER.path) not in answer.content.decode()


def test_while_the_database_is_away_programs_are_told_to_ask_again_and_the_log_has_a_line(arena, monkeypatch, caplog):
    """Found by killing: the log got a traceback of a hundred lines for each request."""

    def away(*_, **__):
        raise OperationalError("the server closed the connection\n\tThis probably means that it ended.")

    monkeypatch.setattr(access, "use_token", away)
    answer = ask("/api/token", token="arena-any")

    assert error_of(answer) == (503, "away")
    logged = [record for record in caplog.records if record.name == LOG.name]
    assert [("GET /api/token failed: the database does not answer: the server closed the connection", None)] == [
        (record.getMessage(), record.exc_info) for record in logged
    ]


class TestMonitoring:
    def test_a_healthy_arena_says_so(self, arena):
        assert {"ok": True, "problems": []} == ask("/healthz").json()

    def test_an_arena_without_its_folder_says_so(self, arena):
        arena.competitions.rmdir()

        assert (503, ["folder"]) == (ask("/healthz").status_code, ask("/healthz").json()["problems"])

    @pytest.mark.parametrize("path", ["/healthz", "/metrics"])
    @pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765", "bots.example.org"])
    def test_a_site_with_a_public_name_is_watched_on_loopback(self, arena, path, host):
        with override_settings(ALLOWED_HOSTS=["bots.example.org"]):
            assert 200 == Client(headers={"host": host}).get(path).status_code

    @pytest.mark.parametrize(
        ("path", "host"), [("/", "127.0.0.1"), ("/api/competitions", "127.0.0.1"), ("/healthz", "other.example.org")]
    )
    def test_whatever_else_is_asked_for_needs_the_public_name(self, arena, path, host):
        with override_settings(ALLOWED_HOSTS=["bots.example.org"]):
            assert 400 == Client(headers={"host": host}).get(path).status_code

    def test_figures_are_told_to_this_machine(self, cup, keeper):
        make_version(keeper, "received")
        text = ask("/metrics").content.decode()

        assert 'arena_versions{competition="cup",state="received"} 1.0' in text
        assert "arena_disk_free_bytes" in text

    @pytest.mark.parametrize(
        "more",
        [
            {"address": "192.0.2.7"},
            {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
            {"HTTP_FORWARDED": "for=127.0.0.1"},
            {"address": "not an address"},
            {"address": "192.0.2.7", "token": "guess"},
            {"address": "192.0.2.7", "token": ""},
        ],
    )
    def test_others_are_told_none(self, arena, more):
        assert ask("/metrics", **more).status_code == 403

    def test_whoever_has_the_token_is_told_from_anywhere(self, arena, monkeypatch):
        monkeypatch.setenv("TOURNAMENT_METRICS_TOKEN", "a long secret")

        assert ask("/metrics", address="192.0.2.7", token="a long secret").status_code == 200
        assert ask("/metrics", address="192.0.2.7", token="a long").status_code == 403


def test_hosts_that_are_not_ours_are_refused(arena):
    assert Client().get("/api/competitions", headers={"host": "evil.example"}).status_code == 400


def test_names_with_markup_come_as_json_and_never_as_a_page(arena, cup):
    make_account("x")
    CompetitionRow.objects.update(title="<script>alert(1)</script>")
    answer = ask(CUP)

    assert answer["Content-Type"].startswith("application/json")
