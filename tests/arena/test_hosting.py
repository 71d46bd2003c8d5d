"""Hosting: competitions, their rules and states, versions and rounds, people, marks; every act is written down."""

from __future__ import annotations

import csv
import io

import pytest
from arena.making import NOON, RULES, make_account, make_bot, make_competition, make_participant, make_version
from django.conf import settings
from django.contrib.auth import get_user_model
from django.test.utils import override_settings
from msgspec.structs import replace

from tournament.arena.acts import read_acts
from tournament.arena.files import COMPETITION_FILE, ActKind
from tournament.arena.hosting import (
    abandon,
    add_host,
    announce,
    change_rules,
    check_again,
    create_competition,
    disqualify,
    end_code,
    enter_participants,
    give_link,
    make_code,
    marks_csv,
    reinstate,
    remove_host,
    steer,
)
from tournament.arena.hosting.marks import plain_cell
from tournament.arena.hosting.people import parse_people
from tournament.arena.ladder_file import LadderFile, LadderRow, write_ladder
from tournament.arena.models import CompetitionRow, Host, Participant, RoundRow, VersionRow
from tournament.arena.places import competition_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.rules import read_rules
from tournament.arena.taking_part import hand_in
from tournament.arena.transitions import COMPETITION_TRANSITIONS, CompetitionState
from tournament.errors import ConfigurationError
from tournament.records.figures import Figure


@pytest.fixture
def teacher(arena):
    return make_account("teacher")


@pytest.fixture
def cup(arena, teacher):
    return make_competition(arena, host=teacher)


def refused(call, *given, **named) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        call(*given, **named)
    assert str(caught.value).endswith(".")
    return caught.value


def kinds_of_acts(cup) -> list[ActKind]:
    return [act.kind for act in read_acts(competition_folder(cup))]


class TestCreating:
    def test_a_new_competition_is_a_draft_of_its_host(self, arena, teacher):
        teacher.is_staff = True
        cup = create_competition(teacher, "cup", RULES + "# a remark\n", now=NOON)
        act = read_acts(competition_folder(cup))[0]

        assert ("draft", "Winter Cup", [teacher]) == (cup.state, cup.title, [host.account for host in cup.hosts.all()])
        assert (arena.competition("cup").path / "competition.yaml").read_text() == RULES + "# a remark\n"
        assert (ActKind.CREATE, "teacher", "2026-12-01T12:00:00Z") == (act.kind, act.by, act.at)

    @pytest.mark.parametrize("name", ["Cup", "../cup", "c", "cup/2", "", "cup\n"])
    def test_a_wrong_name_leaves_nothing(self, arena, teacher, name):
        teacher.is_staff = True

        assert refused(create_competition, teacher, name, RULES, now=NOON).kind is RefusalKind.WRONG
        assert [] == list(arena.competitions.iterdir())

    def test_wrong_rules_leave_nothing_and_do_not_tell_where_files_lie(self, arena, teacher):
        teacher.is_staff = True
        with pytest.raises(ConfigurationError, match=r"^competition\.yaml, line 2: ") as caught:
            create_competition(teacher, "cup", "title: Cup\n  games: [\n", now=NOON)

        assert ([], 0) == (list(arena.competitions.iterdir()), CompetitionRow.objects.count())
        assert str(arena.path) not in str(caught.value)

    def test_a_name_is_taken_once(self, cup, teacher):
        assert refused(create_competition, teacher, "cup", RULES, now=NOON).kind is RefusalKind.TAKEN


class TestSteering:
    @pytest.mark.parametrize(
        ("before", "after"),
        [(before, after) for before in CompetitionState for after in CompetitionState],
        ids=lambda state: state.value,
    )
    def test_states_follow_each_other_as_the_table_says_and_each_is_an_act(self, arena, teacher, before, after):
        cup = make_competition(arena, state=before.value, host=teacher)
        may = after in COMPETITION_TRANSITIONS[before]
        if may:
            steer(teacher, cup, after, now=NOON)
        else:
            assert refused(steer, teacher, cup, after, now=NOON).kind is RefusalKind.STATE
        cup.refresh_from_db()

        assert ((after if may else before).value, int(may)) == (cup.state, len(kinds_of_acts(cup)))


@pytest.fixture
def in_warsaw(teacher):
    """The arena has a time zone of its own, and the teacher may create competitions."""
    teacher.is_staff = True
    with override_settings(ARENA=replace(settings.ARENA, time_zone="Europe/Warsaw")):
        yield


class TestTimeZones:
    def test_rules_that_name_no_zone_have_that_of_the_arena_and_say_so(self, teacher, in_warsaw):
        text = RULES + "opens: 2026-12-01\nabout: |\n  Hello."
        cup = create_competition(teacher, "cup", text, now=NOON)
        changed = change_rules(teacher, cup, RULES + "opens: 2026-12-01\n", now=NOON)
        rules = read_rules(competition_folder(cup))

        assert ("about",) == changed
        assert ("Europe/Warsaw", "2026-11-30T23:00:00Z") == (rules.time_zone, rules.opens)
        assert "time_zone: Europe/Warsaw\n" in (competition_folder(cup).path / COMPETITION_FILE).read_text()

    def test_rules_that_name_a_zone_keep_it(self, teacher, in_warsaw):
        cup = create_competition(teacher, "cup", RULES + "time_zone: UTC\n", now=NOON)

        assert "UTC" == read_rules(competition_folder(cup)).time_zone

    @pytest.mark.parametrize("text", ["{title: Cup, games: [{game: scout, players: 3}]}", f"---\n{RULES}...\n"])
    def test_rules_that_have_no_place_for_a_line_are_told_to_name_a_zone(self, teacher, in_warsaw, text):
        with pytest.raises(ConfigurationError, match="Write time_zone: Europe/Warsaw into them"):
            create_competition(teacher, "cup", text, now=NOON)


class TestRules:
    def test_what_is_not_fixed_changes_at_any_time(self, cup, teacher):
        assert ("deals_a_day", "about") == change_rules(
            teacher, cup, RULES + "deals_a_day: 50\nabout: Hello.\n", now=NOON
        )
        assert (50, 1) == (read_rules(competition_folder(cup)).deals_a_day, cup.season)
        assert [ActKind.CHANGE] == kinds_of_acts(cup)

    @pytest.mark.parametrize(
        "text",
        [
            RULES.replace("[3]", "[4]"),
            RULES + "clock: {move_ms: 100}\n",
            RULES + "limits: {memory_mb: 300}\n",
            RULES + "isolation: process\n",
            RULES + "weights: {scout: 2}\n",
            RULES + "packages: [numpy]\n",
        ],
        ids=["games", "clock", "limits", "isolation", "weights", "packages"],
    )
    def test_what_is_fixed_begins_a_new_season_when_the_host_wants_it(self, cup, teacher, text):
        version = make_version(make_bot(make_participant(cup, "ada"), "keeper"))
        assert refused(change_rules, teacher, cup, text, now=NOON).kind is RefusalKind.STATE
        assert ([], 1) == (kinds_of_acts(cup), cup.season)
        change_rules(teacher, cup, text, now=NOON, begins_season=True)
        version.refresh_from_db()

        assert (2, False, "active") == (cup.season, version.placed, version.state)
        assert [ActKind.SEASON, ActKind.CHANGE] == kinds_of_acts(cup)

    def test_in_a_draft_everything_changes(self, arena, teacher):
        cup = make_competition(arena, state="draft", host=teacher)
        change_rules(teacher, cup, RULES.replace("[3]", "[4]"), now=NOON)

        assert (1, [ActKind.CHANGE]) == (cup.season, kinds_of_acts(cup))

    def test_what_is_fixed_stays_when_all_is_over(self, arena, teacher):
        cup = make_competition(arena, state="closed", host=teacher)
        text = RULES.replace("[3]", "[4]")

        assert refused(change_rules, teacher, cup, text, now=NOON, begins_season=True).kind is RefusalKind.STATE

    def test_wrong_rules_leave_the_present_ones(self, cup, teacher):
        with pytest.raises(ConfigurationError):
            change_rules(teacher, cup, "title: 7\n", now=NOON)

        assert ("Winter Cup", []) == (read_rules(competition_folder(cup)).title, kinds_of_acts(cup))
        assert {"bots", "rounds", "competition.yaml"} == {path.name for path in competition_folder(cup).path.iterdir()}

    def test_the_same_rules_are_no_act(self, cup, teacher):
        assert ((), []) == (change_rules(teacher, cup, RULES, now=NOON), kinds_of_acts(cup))


class TestModerating:
    @pytest.fixture
    def keeper(self, cup):
        return make_bot(make_participant(cup, "ada"), "keeper")

    def test_a_refused_version_is_checked_again(self, cup, teacher, keeper):
        version = make_version(keeper, "refused")
        check_again(teacher, version, now=NOON)
        act = read_acts(competition_folder(cup))[0]

        assert ("received", ActKind.CHECK_AGAIN, "keeper", 1) == (version.state, act.kind, act.bot, act.number)

    def test_other_versions_are_not(self, cup, teacher, keeper):
        assert refused(check_again, teacher, make_version(keeper), now=NOON).kind is RefusalKind.STATE
        assert [] == kinds_of_acts(cup)

    def test_a_disqualified_version_is_out_and_its_owner_reads_why(self, cup, teacher, keeper):
        version = make_version(keeper)
        disqualify(teacher, keeper, 1, reason=" It asks the network. ", now=NOON)
        version.refresh_from_db()
        act = read_acts(competition_folder(cup))[0]

        assert ("disqualified", "It asks the network.") == (version.state, version.why)
        assert (ActKind.DISQUALIFY, "keeper", 1, "It asks the network.") == (act.kind, act.bot, act.number, act.text)

    def test_without_a_reason_nobody_is_out(self, cup, teacher, keeper):
        make_version(keeper)

        assert refused(disqualify, teacher, keeper, 1, reason=" ", now=NOON).kind is RefusalKind.WRONG
        assert [] == kinds_of_acts(cup)

    @pytest.mark.parametrize(
        ("before", "after"),
        [("active", "active"), ("retired", "retired"), ("parked", "retired"), ("received", "received")],
    )
    def test_a_reinstated_version_is_back_where_it_was(self, cup, teacher, keeper, before, after):
        version = make_version(keeper, before)
        disqualify(teacher, keeper, 1, reason="It may cheat.", now=NOON)
        reinstate(teacher, keeper, 1, reason="It does not.", now=NOON)
        version.refresh_from_db()

        assert after == version.state

    def test_a_reinstated_version_does_not_push_out_the_one_that_plays(self, cup, teacher, keeper):
        first = make_version(keeper, "active")
        disqualify(teacher, keeper, 1, reason="It may cheat.", now=NOON)
        second = make_version(keeper, "active", program=b"other")
        reinstate(teacher, keeper, 1, reason="It does not.", now=NOON)
        first.refresh_from_db()
        second.refresh_from_db()

        assert ("retired", "active") == (first.state, second.state)

    def test_a_disqualified_bot_hands_in_nothing_until_it_is_back(self, cup, teacher, keeper):
        ada = keeper.made_by.account
        versions = [make_version(keeper, "retired"), make_version(keeper, "active", program=b"b")]
        disqualify(teacher, keeper, None, reason="It may cheat.", now=NOON)
        assert {"disqualified"} == set(VersionRow.objects.values_list("state", flat=True))
        assert refused(hand_in, ada, keeper, file_name="a.py", chunks=[b"c"], now=NOON).kind is RefusalKind.STATE
        reinstate(teacher, keeper, None, reason="It does not.", now=NOON)
        for version in versions:
            version.refresh_from_db()

        assert ["retired", "active"] == [version.state for version in versions]
        assert hand_in(ada, keeper, file_name="a.py", chunks=[b"c"], now=NOON).is_new

    @pytest.mark.parametrize(("state", "may"), [("playing", True), ("planned", True), ("complete", False)])
    def test_a_round_that_has_not_ended_may_be_abandoned(self, cup, teacher, state, may):
        RoundRow.objects.create(
            competition=cup, number=7, season=1, kind="ladder", lane="long", state=state, planned=NOON
        )
        if not may:
            assert refused(abandon, teacher, cup, 7, reason="It hangs.", now=NOON).kind is RefusalKind.STATE
            return
        abandon(teacher, cup, 7, reason="It hangs.", now=NOON)
        act = read_acts(competition_folder(cup))[0]

        assert (ActKind.ABANDON, 7, "It hangs.") == (act.kind, act.round, act.text)

    def test_announcements_are_kept_as_they_are_written_without_controls(self, cup, teacher):
        row = announce(teacher, cup, "<b>Hello</b>\r\n=1+1\x1b[2J\u202e", now=NOON)

        assert row.text == "<b>Hello</b>\n=1+1\\x1b[2J\\u202e"
        assert [row.text] == [act.text for act in read_acts(competition_folder(cup))]


class TestPeople:
    def test_everybody_on_a_list_gets_an_account_and_a_link_once(self, cup, teacher):
        data = "username;public_name;email\nada;Countess;ada@example.org\neve;;\n".encode("utf-8-sig")
        entered = enter_participants(teacher, cup, data, now=NOON)

        assert [("ada", "Countess"), ("eve", "eve")] == [(one.username, one.public_name) for one in entered]
        assert all(one.link.startswith("http://127.0.0.1:8765/accounts/password/reset/key/") for one in entered)
        assert [None, None] == list(Participant.objects.values_list("consented", flat=True))
        assert [] == enter_participants(teacher, cup, data, now=NOON)
        assert [ActKind.ENTER] == kinds_of_acts(cup)

    def test_a_link_sets_a_password_once(self, arena, cup, teacher):
        from django.test import Client

        client = Client(headers={"host": "127.0.0.1"})
        link = enter_participants(teacher, cup, b"username\nada\n", now=NOON)[0].link
        path = link.removeprefix("http://127.0.0.1:8765")
        form = client.get(path, follow=True)
        new = {"password1": "likes-tea-with-7-lumps", "password2": "likes-tea-with-7-lumps"}
        client.post(form.redirect_chain[-1][0], new)

        assert get_user_model().objects.get(username="ada").check_password("likes-tea-with-7-lumps")
        assert not Client(headers={"host": "127.0.0.1"}).get(path, follow=True).redirect_chain

    def test_whoever_has_an_account_gets_no_link(self, cup, teacher):
        make_account("ada")

        assert [None] == [one.link for one in enter_participants(teacher, cup, b"username\nada\n", now=NOON)]

    @pytest.mark.parametrize(
        ("data", "told"),
        [
            (b"", "nothing is in it"),
            (b"\xff\xfe\x00", "^Nobody was entered: it is no text in UTF-8; a spreadsheet saves one as CSV UTF-8[.]"),
            ("username;public_name\nada;Zoé\n".encode("cp1252"), "a spreadsheet saves one as CSV UTF-8"),
            (b"username,public_name\n", "it has the names of its columns, and nobody below them"),
            (b"name\nada\n", "line 1: expected the columns username, public_name, email"),
            (b"username,username\nada,eve\n", "line 1"),
            (b"username,admin\nada,1\n", "line 1"),
            (b"username\n=cmd|'/C calc'!A0\n", "line 2: .* is no username"),
            (b"username\n@ada\n", "line 2"),
            (b"username\n-ada\n", "line 2"),
            (b"username\n<script>\n", "line 2"),
            (b"username\nad\x00a\n", "line 2"),
            (b"username\nad\xc2\xa0a\n", "line 2"),
            (b"username,public_name\nada,=HYPERLINK(1)\n", "line 2: A public name"),
            (b"username,public_name\nada,<b>Ada</b>\n", "line 2: A public name"),
            (b"username,email\nada,nowhere\n", "line 2: .* no address"),
            (b"username,email\nada,a@b.org%0aBcc:c@d.org\n", "line 2: .* no address"),
            (b"username,public_name\nada,Eve,3\n", "line 2: expected 2 cells, found 3"),
            (b"username,public_name\nada\n", "line 2: expected 2 cells, found 1"),
            (b"username\nada\nADA\n", "line 3: ADA stands twice"),
            (b"username,public_name\nada,Eve\nbob,eve\n", "line 3: eve stands twice"),
            (b'username\n"ada\n', "line"),
            (b"username\n" + b"".join(b"a%d\n" % number for number in range(2001)), "2001 people"),
            (b"username\n" + b"a" * 200_000 + b"\n", "field larger than field limit"),
        ],
    )
    def test_a_hostile_list_enters_nobody_and_says_where(self, cup, teacher, data, told):
        with pytest.raises(RefusedError, match=told):
            enter_participants(teacher, cup, data, now=NOON)

        assert (0, 1) == (Participant.objects.count(), get_user_model().objects.count())

    def test_a_list_that_is_too_long_is_not_read(self, cup, teacher):
        assert refused(enter_participants, teacher, cup, b"x" * 1_000_001, now=NOON).kind is RefusalKind.TOO_LARGE

    def test_at_most_ten_mistakes_are_told(self):
        told = str(refused(parse_people, b"username\n" + b"@\n" * 50))

        assert "; and 40 more. Mend the list, and send it again." in told

    def test_a_name_that_differs_from_an_account_in_case_is_told(self, cup, teacher):
        make_account("Ada")

        assert "there is an account Ada" in str(refused(enter_participants, teacher, cup, b"username\nada\n", now=NOON))

    def test_a_link_is_not_given_for_hosts_and_for_those_who_are_elsewhere(self, arena, cup, teacher):
        spring = make_competition(arena, "spring")
        here, elsewhere, host = (make_participant(cup, name) for name in ("ada", "bob", "eve"))
        make_participant(spring, "bob again", account=elsewhere.account)
        Host.objects.create(competition=spring, account=host.account)

        assert "/accounts/password/reset/key/" in give_link(teacher, cup, here, now=NOON)
        assert {RefusalKind.NOT_ALLOWED} == {
            refused(give_link, teacher, cup, one, now=NOON).kind for one in (elsewhere, host)
        }
        assert [ActKind.ENTER] == kinds_of_acts(cup)

    def test_a_code_is_told_by_nobody_else_and_ends_when_the_host_says(self, cup, teacher):
        code = make_code(teacher, cup, now=NOON, uses=30, days=7)
        end_code(teacher, cup, code.pk)

        assert (10, 0) == (len(code.code), cup.join_codes.count())
        assert refused(end_code, teacher, cup, code.pk).kind is RefusalKind.UNKNOWN

    def test_the_last_host_stays(self, cup, teacher):
        make_account("assistant")
        assert refused(remove_host, teacher, cup, "teacher", now=NOON).kind is RefusalKind.STATE
        add_host(teacher, cup, "assistant", now=NOON)
        remove_host(teacher, cup, "teacher", now=NOON)

        assert ["assistant"] == [host.account.username for host in cup.hosts.all()]


def ladder_of(*rows: LadderRow) -> LadderFile:
    return LadderFile(
        competition="cup",
        season=1,
        made="2026-12-01T12:00:00Z",
        rounds=1,
        last_round=1,
        games=10,
        anchor="greedy",
        groups=(),
        rows=rows,
        former=(),
        meetings=(),
        left_out=(),
    )


def ladder_row(name: str, **more) -> LadderRow:
    defaults = {"provisional": False, "strength_by_group": {}, "points_by_group": {}, "games": 10, "faults": {}}
    return LadderRow(name=name, **{**defaults, "deals": {"a": 30, "b": 31}, **more})


class TestMarks:
    def test_marks_say_ranges_strength_deals_faults_and_house_bots_beaten(self, cup, teacher):
        keeper = make_bot(make_participant(cup, "ada"), "keeper")
        make_bot(make_participant(cup, "eve"), "runner")
        make_version(keeper)
        strength = Figure(value=1612.34, error=10.0, low=1590.0, high=None, deals=61)
        keeper_row = ladder_row(
            "keeper.v1",
            bot="keeper",
            number=1,
            rank=1,
            best_rank=1,
            worst_rank=3,
            strength=strength,
            faults={"time": 2, "raised": 1},
            above=("greedy", "runner.v1"),
        )
        house = ladder_row("greedy", bot="greedy", house=True)
        write_ladder(competition_folder(cup), ladder_of(keeper_row, house))
        rows = list(csv.DictReader(io.StringIO(marks_csv(teacher, cup))))

        assert {
            "bot": "keeper",
            "owners": "Ada",
            "accounts": "ada",
            "version": "1",
            "best_rank": "1",
            "worst_rank": "3",
            "strength": "1612.3",
            "strength_low": "1590.0",
            "strength_high": "",
            "deals": "61",
            "faults": "3",
            "house_bots_beaten": "1",
        } == rows[0]
        assert ("runner", "") == (rows[1]["bot"], rows[1]["strength"])

    def test_who_has_no_bot_stands_last_and_house_bots_do_not_stand_there(self, cup, teacher):
        make_bot(make_participant(cup, "ada"), "greedy")
        make_participant(cup, "bob")
        own = ladder_row("greedy.v1", bot="greedy", number=1, rank=2)
        house = ladder_row("greedy", bot="greedy", house=True, rank=None)
        write_ladder(competition_folder(cup), ladder_of(house, own))
        rows = list(csv.DictReader(io.StringIO(marks_csv(teacher, cup))))

        assert [("greedy", "Ada", "1"), ("", "Bob", "")] == [
            (row["bot"], row["owners"], row["version"]) for row in rows
        ]

    def test_a_house_bot_has_no_marks_where_a_bot_of_its_name_does_not_play(self, cup, teacher):
        make_bot(make_participant(cup, "ada"), "greedy")
        house = ladder_row("greedy", bot="greedy", house=True)
        write_ladder(competition_folder(cup), ladder_of(house))

        assert ["greedy,Ada,ada,,,,,,,,,"] == marks_csv(teacher, cup).splitlines()[1:]

    def test_without_a_ladder_there_are_names_only(self, cup, teacher):
        make_bot(make_participant(cup, "ada"), "keeper")

        assert marks_csv(teacher, cup).splitlines()[1:] == ["keeper,Ada,ada,,,,,,,,,"]

    @pytest.mark.parametrize(
        ("text", "cell"),
        [("=1+1", "'=1+1"), ("@x", "'@x"), ("-1.5", "-1.5"), ("-x", "'-x"), ("+1+1", "'+1+1"), ("\t=1", "'\t=1")],
    )
    def test_no_cell_begins_a_formula(self, text, cell):
        assert cell == plain_cell(text)
