"""The files of an arena have schemas: those that it writes fit them, and they help a host to write rules."""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from arena.made_site import client_of, made_ladder, make_site
from arena.making import NOON, RULES
from described import fields_without_description
from jsonschema import Draft202012Validator

from tournament import validate
from tournament.arena import hosting
from tournament.arena.files import CompetitionFile, FinalRules, Joining, format_moment
from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.founding import format_arena
from tournament.arena.operating.settings_file import ArenaFile, MailSettings, SignIn, read_arena
from tournament.arena.places import competition_folder
from tournament.arena.scheduling.paces import PacesFile, SlowVersion, tell_paces
from tournament.arena.season.leads import note_lead
from tournament.arena.transitions import CompetitionState
from tournament.configuration.validation import Problem
from tournament.errors import ConfigurationError
from tournament.records.schema import load_schema

RULES_SCHEMA = load_schema("competition.v1")


def slow_paces():
    slow = SlowVersion(name="keeper.v1", deals_today=20, game_ms=812.5)
    return PacesFile(competition="cup", made=format_moment(NOON), deals_a_day=100, slow=(slow,))


def test_what_the_arena_writes_fits_its_schemas(arena, run):
    site = make_site(run)
    folder = competition_folder(site.competition)
    hosting.announce(site.host, site.competition, "Tea at five.", now=NOON)
    hosting.steer(site.host, site.competition, CompetitionState.PAUSED, now=NOON)
    note_lead(folder, made_ladder())
    tell_paces(folder, slow_paces())
    versions = sorted(folder.bots.glob("*/*/version.json"))
    files = [
        folder.path / "competition.yaml",
        folder.path / "acts.jsonl",
        folder.ladder,
        folder.path / "leads.jsonl",
        folder.path / "paces.json",
        folder.round(1) / "round.json",
    ]

    assert len(versions) > 1
    assert () == validate(*files, *versions)


@pytest.mark.parametrize(
    ("file", "change", "told"),
    [
        ("version.json", {"size_bytes": -1}, "$.size_bytes: expected at least 0, found -1."),
        ("acts.jsonl", {"kind": "dance"}, "$.kind: expected one of abandon, announce"),
        ("round.json", {"lane": "fast"}, '$.lane: expected one of long, quick, found "fast".'),
        ("ladder.json", {"games": "many"}, "$.games: expected a value of type integer"),
        ("leads.jsonl", {"bots": "keeper"}, "$.bots: expected a value of type array"),
        ("leads.jsonl", {"at": "at noon"}, "$.at: expected"),
        ("paces.json", {"made": None}, "$.made: expected a value of type string"),
    ],
)
def test_what_does_not_fit_is_found(arena, run, tmp_path, file, change, told):
    site = make_site(run)
    folder = competition_folder(site.competition)
    hosting.announce(site.host, site.competition, "Tea at five.", now=NOON)
    note_lead(folder, made_ladder())
    tell_paces(folder, slow_paces())
    written = next(folder.path.rglob(file))
    (tmp_path / file).write_text(json.dumps(json.loads(written.read_bytes()) | change))

    [problem] = validate(tmp_path / file)

    assert problem.text.startswith(told)


@pytest.mark.parametrize(
    "line",
    [
        "opens: 2026-12-01",
        "opens: 2026-12-01 08:00",
        "opens: 2026-12-01T08:00:00+01:00",
        'opens: "2026-12-01T08:00:00Z"',
        "joining: code",
        "final: {deals: 20}",
    ],
)
def test_rules_that_an_arena_takes_fit_their_schema_before_they_are_sent(tmp_path, line):
    path = tmp_path / "cup.yaml"
    path.write_text(RULES + line + "\n")

    assert () == validate(path)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("opens: tomorrow", "$.opens: expected a date such as 2026-12-01, or with a time: 2026-12-01 08:00"),
        ("joining: all", '$.joining: expected one of code, everybody, invited, found "all".'),
        ("gams: []", '"gams" is not known here. Did you mean "games"?'),
    ],
)
def test_a_mistake_in_rules_is_told_with_its_line(tmp_path, line, told):
    path = tmp_path / "cup.yaml"
    path.write_text(RULES + line + "\n")

    [problem] = validate(path)

    assert problem.text.startswith(told)
    assert 5 == problem.line


def test_rules_for_a_game_that_there_is_not_are_no_valid_rules(tmp_path):
    path = tmp_path / "cup.yaml"
    path.write_text("title: Cup\ngames: [{game: chess, players: 2}]\n")

    [problem] = validate(path)

    assert 'There is no game "chess"' in problem.text


@pytest.mark.parametrize(
    ("dates", "line", "told"),
    [
        ("opens: 2026-12-02\ncloses: 2026-12-02", 4, "closes has to be later than opens. Change one of both."),
        ("closes: 2026-12-02\nfreezes: 2026-12-03", 3, "closes has to be later than freezes. Change one of both."),
        ("opens: 2026-12-01T23:30Z\nfreezes: 2026-12-02", 4, "freezes has to be later than opens. Change one of both."),
    ],
)
def test_dates_of_a_competition_in_the_wrong_order_are_found_with_their_line(tmp_path, dates, line, told):
    path = tmp_path / "competition.yaml"
    path.write_text(f"title: Cup\ngames: [{{game: scout, players: 3}}]\n{dates}\ntime_zone: Europe/Warsaw\n")

    assert [Problem(path, line, told)] == list(validate(path))


def test_dates_of_a_competition_in_their_order_are_valid(tmp_path):
    path = tmp_path / "competition.yaml"
    path.write_text("title: Cup\ngames: [{game: scout, players: 3}]\nopens: 2026-12-01\ncloses: 2026-12-02 08:00\n")

    assert [] == list(validate(path))


def test_every_field_of_the_rules_is_described():
    assert [] == fields_without_description(RULES_SCHEMA)


def test_the_schema_of_rules_has_every_field_and_word_of_its_types():
    assert {field.encode_name for field in msgspec.structs.fields(CompetitionFile)} == set(RULES_SCHEMA["properties"])
    assert set(FinalRules.__struct_fields__) == set(RULES_SCHEMA["$defs"]["FinalRules"]["properties"])
    assert {word.value for word in Joining} == set(RULES_SCHEMA["$defs"]["Joining"]["enum"])


def test_rules_that_the_site_begins_name_a_schema_that_the_site_has(arena, run):
    site = make_site(run)
    page = client_of(site.host).get("/create/").content.decode()
    path = re.search(r"# yaml-language-server: \$schema=http://127.0.0.1:8765(\S+)\n", page)[1]
    schema = json.loads(client_of().get(path).content)

    assert RULES_SCHEMA == schema
    assert Draft202012Validator(schema).is_valid({"title": "Cup", "games": [{"game": "scout", "players": 3}]})


def test_what_the_host_of_an_arena_set_fits_its_schema(arena):
    whole = ArenaFile(
        title="Cup of bots",
        mail=MailSettings(host="mail.example.org", sender="arena@example.org"),
        sign_in=(SignIn(id="club-house", name="Club", server="https://login.example.org", client="arena"),),
    )
    written = arena.settings.with_name("mine.yaml")
    written.write_text(format_arena(msgspec.structs.replace(whole, address="https://arena.example.org")))

    assert () == validate(arena.settings, written)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("adress: https://a.example", '"adress" is not known here. Did you mean "address"?'),
        ("proxies: 9", "$.proxies: expected at most 5, found 9."),
        ("sign_in: [{id: Club, name: Club, server: a, client: b}]", "$.sign_in[0].id: expected"),
        ("proxies: 0_1", "YAML reads 0_1 as 1."),
    ],
)
def test_a_mistake_in_what_the_host_of_an_arena_set_is_told_with_its_line(tmp_path, line, told):
    path = tmp_path / "arena.yaml"
    path.write_text(f"title: Cup\n{line}\n")

    [problem] = validate(path)

    assert (2, told) == (problem.line, problem.text[: len(told)])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("proxies: 0_1", "line 2: YAML reads 0_1 as 1."),
        ("proxies: 01", "line 2: YAML reads 01 as 1."),
        ("title: 2026-12-24", "line 2: expected a text"),
        ("address: [x]\naddress: [y]", 'line 3: "address" stands here a second time'),
        (f"mail: {'[' * 10_000}", "line 2: parts lie more than 50 deep"),
        ("title: !!python/name:os.system x", "line 2: !!python/name:os.system is a tag"),
        ("title: a\0b", "line 2: the character \\x00 is none that YAML takes"),
        (f"proxies: {10**400}", "Expected `int`"),
        (f"proxies: {'9' * 10_000}", "it is not YAML: Exceeds the limit"),
        ("- 1", "line 2: this is not YAML"),
    ],
)
def test_settings_that_nobody_writes_on_purpose_are_refused_where_they_are_read(tmp_path, line, told):
    """By the processes of an arena, and by `validate` with the same words where the file is no YAML."""
    folder = ArenaFolder(tmp_path)
    folder.settings.write_text(f"listen: 127.0.0.1:80\n{line}\n")

    with pytest.raises(ConfigurationError, match=re.escape(told)):
        read_arena(folder)
    assert 1 == len(validate(folder.settings))


def test_settings_that_are_a_folder_or_no_utf8_are_refused(tmp_path):
    folder = ArenaFolder(tmp_path)
    folder.settings.mkdir()
    with pytest.raises(ConfigurationError, match="is a folder"):
        read_arena(folder)
    folder.settings.rmdir()
    folder.settings.write_text("title: Cup\n", encoding="utf-16")
    with pytest.raises(ConfigurationError, match="Give a text file in UTF-8"):
        read_arena(folder)


def test_editors_are_told_what_every_line_of_the_settings_means():
    assert [] == fields_without_description(load_schema("arena.v1"))
