"""Taking part: joining, bots, owners, handing in, quotas, challenges, tokens, leaving."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from arena.making import NOON, RULES, make_account, make_bot, make_competition, make_participant, make_version

from tournament.arena.acts import append_act
from tournament.arena.files import (
    MOST_UPLOAD_BYTES,
    VERSION_FILE,
    ActKind,
    HostAct,
    VersionFile,
    format_moment,
    read_json,
)
from tournament.arena.models import BotRow, JoinCode, Participant, RoundRow, Token, VersionRow
from tournament.arena.places import competition_folder, version_folder
from tournament.arena.play.house import house_names
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.rules import read_rules
from tournament.arena.states import move_version
from tournament.arena.taking_part import (
    CheckFile,
    activate_version,
    add_owner,
    challenge,
    consent,
    delete_account,
    end_token,
    hand_in,
    join,
    make_token,
    quotas_of,
    read_check_file,
    read_round_log,
    remove_left_files,
    remove_owner,
    rename,
    tokens_of,
    use_token,
    write_data,
)
from tournament.arena.taking_part import make_bot as ask_for_bot
from tournament.arena.taking_part.handing_in import clean_file_name
from tournament.arena.transitions import VersionState

PROGRAM = b"from tournament import Bot\n"


@pytest.fixture
def ada(cup):
    return make_participant(cup, "ada")


@pytest.fixture
def keeper(ada):
    return make_bot(ada, "keeper")


def refused(call, *given, **named) -> RefusedError:
    """Returns the refusal that a call raises; its sentences end in what to do."""
    with pytest.raises(RefusedError) as caught:
        call(*given, **named)
    assert str(caught.value).endswith(".")
    return caught.value


def hand(bot, program: bytes = PROGRAM, *, now=NOON, check_only=False, name="keeper.py"):
    return hand_in(bot.made_by.account, bot, file_name=name, chunks=[program], now=now, check_only=check_only)


def with_rules(cup, more: str) -> None:
    (competition_folder(cup).path / "competition.yaml").write_text(RULES + more, encoding="utf-8")


def finished_round(cup, *versions, state="complete", number=1):
    row = RoundRow.objects.create(
        competition=cup, number=number, season=1, kind="ladder", lane="long", state=state, planned=NOON
    )
    row.versions.set(versions)
    logs = competition_folder(cup).round(number) / "logs"
    logs.mkdir(parents=True)
    for version in versions:
        (logs / f"{version.bot.name}.v{version.number}.txt").write_text("what it printed\n")
    return row


class TestJoining:
    def test_whoever_has_an_account_takes_part_under_its_name(self, cup):
        participant = join(make_account("bob"), cup, now=NOON)

        assert ("bob", NOON) == (participant.public_name, participant.consented)

    def test_nobody_joins_twice(self, cup, ada):
        assert refused(join, ada.account, cup, now=NOON).kind is RefusalKind.STATE

    @pytest.mark.parametrize("state", ["frozen", "closed"])
    def test_nobody_joins_when_it_is_too_late(self, arena, state):
        cup = make_competition(arena, state=state)

        assert refused(join, make_account("bob"), cup, now=NOON).kind is RefusalKind.STATE

    def test_a_draft_does_not_exist_for_others(self, arena):
        cup = make_competition(arena, state="draft")

        assert refused(join, make_account("bob"), cup, now=NOON).kind is RefusalKind.UNKNOWN

    @pytest.mark.parametrize("name", ["ADA", "Ada", "Ａda", "  Ada ", "Аdа", "ΑDA"])
    def test_a_name_that_looks_like_another_is_taken(self, cup, ada, name):
        assert refused(join, make_account("bob"), cup, now=NOON, public_name=name).kind is RefusalKind.TAKEN

    @pytest.mark.parametrize(
        "name",
        [
            "<b>Bob</b>",
            "=1+2",
            "@sum",
            "+49",
            "-1",
            "Bob\u202eeve",
            "Bob\x00",
            "Bo\u200bb",
            "",
            "B",
            "B" * 41,
            "a&amp;",
        ],
    )
    def test_markup_formulas_and_hidden_signs_are_no_public_names(self, cup, name):
        assert refused(join, make_account("bobby"), cup, now=NOON, public_name=name or " ").kind is RefusalKind.WRONG

    @pytest.mark.parametrize("name", ["Łukasz Żak", "O'Brien", "李小龙", "Ana-María", "Dr. No 7", "नमस्ते"])
    def test_names_of_people_are_public_names(self, cup, name):
        assert name == join(make_account("bob"), cup, now=NOON, public_name=name).public_name

    def test_who_does_not_agree_does_not_take_part(self, cup):
        with_rules(cup, "consent: My bots stay in the records.\n")

        assert refused(join, make_account("bob"), cup, now=NOON).kind is RefusalKind.WRONG
        assert NOON == join(make_account("eve"), cup, now=NOON, consents=True).consented

    def test_only_hosts_enter_people_where_the_rules_say_so(self, cup):
        with_rules(cup, "joining: invited\n")

        assert refused(join, make_account("bob"), cup, now=NOON).kind is RefusalKind.NOT_ALLOWED

    def test_a_code_holds_as_often_and_as_long_as_it_says(self, cup):
        with_rules(cup, "joining: code\n")
        JoinCode.objects.create(
            competition=cup, code="WINTER", created=NOON, uses_left=1, expires=NOON + timedelta(days=1)
        )
        bob, eve = make_account("bob"), make_account("eve")

        assert refused(join, bob, cup, now=NOON + timedelta(days=1), code="winter").kind is RefusalKind.WRONG
        join(bob, cup, now=NOON, code=" winter ")
        assert refused(join, eve, cup, now=NOON, code="winter").kind is RefusalKind.WRONG

    def test_a_taken_name_uses_up_no_code(self, cup, ada):
        with_rules(cup, "joining: code\n")
        code = JoinCode.objects.create(competition=cup, code="WINTER", created=NOON, uses_left=1)
        refused(join, make_account("bob"), cup, now=NOON, code="WINTER", public_name="Ada")
        code.refresh_from_db()

        assert code.uses_left == 1

    def test_whoever_guesses_codes_waits(self, cup):
        with_rules(cup, "joining: code\n")
        JoinCode.objects.create(competition=cup, code="WINTER", created=NOON)
        bob = make_account("bob")
        kinds = [refused(join, bob, cup, now=NOON, code=f"guess {number}").kind for number in range(21)]

        assert [RefusalKind.WRONG] * 20 + [RefusalKind.QUOTA] == kinds
        assert refused(join, bob, cup, now=NOON, code="WINTER").kind is RefusalKind.QUOTA

    def test_a_name_can_be_changed_to_a_free_one(self, cup, ada):
        make_participant(cup, "eve")

        assert refused(rename, ada.account, cup, "EVE").kind is RefusalKind.TAKEN
        assert rename(ada.account, cup, "Countess").public_name == "Countess"


class TestBots:
    @pytest.mark.parametrize("name", ["Keeper", "k", "9lives", "a b", "k" * 33, "keeper\n", "kéeper", "../up", ""])
    def test_a_wrong_name_is_told(self, cup, ada, name):
        assert refused(ask_for_bot, ada.account, cup, name, now=NOON).kind is RefusalKind.WRONG

    def test_the_names_of_house_bots_are_taken(self, cup, ada):
        assert refused(ask_for_bot, ada.account, cup, "random_legal", now=NOON).kind is RefusalKind.TAKEN

    def test_a_name_is_taken_once_in_a_competition(self, arena, cup, keeper):
        eve = make_participant(cup, "eve")
        other = make_participant(make_competition(arena, "spring"), "bob")

        assert refused(ask_for_bot, eve.account, cup, "keeper", now=NOON).kind is RefusalKind.TAKEN
        assert ask_for_bot(other.account, other.competition, "keeper", now=NOON).name == "keeper"

    def test_a_participant_has_no_more_bots_than_the_rules_say(self, cup, ada, keeper):
        assert refused(ask_for_bot, ada.account, cup, "second", now=NOON).kind is RefusalKind.QUOTA
        with_rules(cup, "bots_a_participant: 2\n")
        assert ask_for_bot(ada.account, cup, "second", now=NOON).name == "second"

    def test_a_co_owner_may_hand_in_but_names_nobody(self, cup, ada, keeper):
        eve, bob = make_participant(cup, "eve"), make_participant(cup, "bob")
        add_owner(ada.account, keeper, "Eve")

        assert hand_in(eve.account, keeper, file_name="a.py", chunks=[PROGRAM], now=NOON).is_new
        assert refused(add_owner, eve.account, keeper, "Bob").kind is RefusalKind.NOT_ALLOWED
        assert refused(remove_owner, eve.account, keeper, "Ada").kind is RefusalKind.NOT_ALLOWED
        assert not bob.bots.exists()

    def test_a_bot_of_others_counts_among_ones_own(self, cup, ada, keeper):
        eve = make_participant(cup, "eve")
        make_bot(eve, "runner")

        assert refused(add_owner, ada.account, keeper, "Eve").kind is RefusalKind.QUOTA

    def test_the_owner_who_leaves_a_bot_leaves_it_to_the_co_owner(self, cup, ada, keeper):
        eve = make_participant(cup, "eve")
        assert refused(remove_owner, ada.account, keeper, "Ada").kind is RefusalKind.STATE
        add_owner(ada.account, keeper, "Eve")
        token = make_token(ada.account, keeper, label="laptop", now=NOON)
        remove_owner(ada.account, keeper, "Ada")
        keeper.refresh_from_db()

        assert (eve, [eve]) == (keeper.made_by, list(keeper.owners.all()))
        assert use_token(token.text, now=NOON) is None


class TestHandingIn:
    def test_an_upload_is_a_version_on_the_disk_and_in_the_database(self, arena, keeper):
        version = hand(keeper).version
        folder = version_folder(version)
        file = read_json(folder.path / VERSION_FILE, VersionFile)

        assert PROGRAM == folder.upload.read_bytes()
        assert ("keeper", 1, "received", "keeper.py", len(PROGRAM)) == (
            file.bot,
            file.number,
            file.state,
            file.file_name,
            file.size_bytes,
        )
        assert ("received", NOON, keeper.made_by) == (version.state, version.received, version.handed_in_by)
        assert [] == list(arena.incoming.iterdir())

    def test_versions_are_counted(self, keeper):
        assert [1, 2] == [hand(keeper, program).version.number for program in (b"a", b"b")]

    def test_a_folder_without_a_row_keeps_its_number(self, keeper):
        """A killed process left it: the referee will find its row."""
        folder = version_folder(hand(keeper).version).path
        VersionRow.objects.all().delete()
        BotRow.objects.update(versions_made=0)

        assert hand(keeper, b"other").version.number == 2
        assert folder.is_dir()

    def test_a_file_that_is_too_large_leaves_nothing(self, arena, keeper):
        chunks = iter([b"x" * 1_000_000] * 1000)
        kind = refused(hand_in, keeper.made_by.account, keeper, file_name="big", chunks=chunks, now=NOON).kind

        assert kind is RefusalKind.TOO_LARGE
        assert 1000 - MOST_UPLOAD_BYTES // 1_000_000 - 1 == len(list(chunks))  # and the rest is not read
        assert ([], 0) == (list(arena.incoming.iterdir()), VersionRow.objects.count())

    def test_an_empty_file_is_refused(self, keeper):
        assert refused(hand, keeper, b"").kind is RefusalKind.WRONG

    def test_a_sender_that_goes_away_leaves_nothing(self, arena, keeper):
        def chunks():
            yield b"half"
            raise ConnectionError

        with pytest.raises(ConnectionError):
            hand_in(keeper.made_by.account, keeper, file_name="a.py", chunks=chunks(), now=NOON)

        assert ([], 0) == (list(arena.incoming.iterdir()), VersionRow.objects.count())

    @pytest.mark.parametrize("state", ["draft", "frozen", "closed"])
    def test_versions_are_not_taken_before_opening_and_from_the_freeze_on(self, arena, state):
        owner = make_participant(make_competition(arena, state=state), "ada")

        assert refused(hand, make_bot(owner, "keeper")).kind in (RefusalKind.STATE, RefusalKind.UNKNOWN)

    def test_versions_are_taken_while_nothing_is_played(self, arena):
        owner = make_participant(make_competition(arena, state="paused"), "ada")

        assert hand(make_bot(owner, "keeper")).is_new

    def test_the_freeze_holds_at_its_time_though_the_referee_is_away(self, cup, keeper):
        with_rules(cup, f'freezes: "{format_moment(NOON)}"\n')

        assert refused(hand, keeper).kind is RefusalKind.STATE
        assert hand(keeper, now=NOON - timedelta(seconds=1)).is_new

    def test_the_same_file_twice_is_one_version(self, keeper):
        first, second = hand(keeper), hand(keeper)

        assert (first.version, False) == (second.version, second.is_new)

    @pytest.mark.parametrize("state", ["retired", "parked"])
    def test_an_earlier_program_is_active_again(self, keeper, state):
        earlier = make_version(keeper, state, program=PROGRAM)
        later = make_version(keeper, "active", program=b"later")
        again = hand(keeper)
        later.refresh_from_db()

        assert (earlier, False, "active", "retired") == (
            again.version,
            again.is_new,
            again.version.state,
            later.state,
        )

    def test_an_earlier_program_is_active_again_though_the_quota_is_used(self, cup, keeper):
        with_rules(cup, "versions_a_day: 2\n")
        make_version(keeper, "retired", program=PROGRAM)
        make_version(keeper, "active", program=b"later")

        assert hand(keeper).version.state == "active"
        assert refused(hand, keeper, b"third").kind is RefusalKind.QUOTA

    def test_a_program_that_was_refused_is_checked_anew(self, keeper):
        make_version(keeper, "refused", program=PROGRAM)

        assert hand(keeper).is_new

    def test_a_disqualified_program_does_not_come_back(self, keeper):
        make_version(keeper, "disqualified", program=PROGRAM)

        assert refused(hand, keeper).kind is RefusalKind.STATE

    def test_a_disqualified_bot_takes_no_versions_and_says_why(self, cup, keeper):
        act = HostAct(at="2026-12-01T12:00:00Z", by="t", kind=ActKind.DISQUALIFY, bot="keeper", text="It reads cards.")
        append_act(competition_folder(cup), act)

        assert "It reads cards." in str(refused(hand, keeper))

    def test_what_is_only_to_be_checked_says_so_and_is_not_chosen(self, keeper):
        version = hand(keeper, check_only=True).version
        assert read_json(version_folder(version).path / VERSION_FILE, VersionFile).check_only
        VersionRow.objects.update(state="retired")
        version.refresh_from_db()

        assert refused(activate_version, version.handed_in_by.account, version, now=NOON).kind is RefusalKind.STATE
        assert hand(keeper).is_new  # now it is to take part

    @pytest.mark.parametrize(
        ("given", "kept"),
        [("../../etc/passwd", "passwd"), ("C:\\bots\\a.py", "a.py"), ("a\x1b[2J.py", "a[2J.py"), ("", "upload")],
    )
    def test_the_name_of_a_file_is_kept_without_folders_and_controls(self, given, kept):
        assert kept == clean_file_name(given)

    def test_handed_in_at_once_versions_have_numbers_of_their_own(self, keeper):
        from django.db import connection

        numbers = []

        def one(program: bytes) -> None:
            try:
                numbers.append(hand(BotRow.objects.get(pk=keeper.pk), program).version.number)
            finally:
                connection.close()

        threads = [threading.Thread(target=one, args=(bytes([65 + index]),)) for index in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert [1, 2, 3, 4, 5, 6] == sorted(numbers)


class TestChoosing:
    @pytest.mark.parametrize("state", ["retired", "parked"])
    def test_a_version_that_was_accepted_may_play_again(self, ada, keeper, state):
        version = make_version(keeper, state)
        activate_version(ada.account, version, now=NOON)

        assert version.state == "active"

    @pytest.mark.parametrize("state", ["received", "checking", "refused", "disqualified"])
    def test_other_versions_may_not(self, ada, keeper, state):
        assert refused(activate_version, ada.account, make_version(keeper, state), now=NOON).kind is RefusalKind.STATE


class TestQuotas:
    def test_what_was_refused_counts_in_no_day(self, cup, ada, keeper):
        with_rules(cup, "versions_a_day: 1\n")
        for number in range(3):
            version = hand(keeper, bytes([number])).version
            for state in (VersionState.CHECKING, VersionState.REFUSED):
                move_version(version, state, folder=competition_folder(cup), at=NOON)

        assert hand(keeper).is_new

    def test_what_the_machine_failed_at_is_not_counted_twice(self, cup, ada, keeper):
        version = hand(keeper).version
        for state in (VersionState.CHECKING, VersionState.RECEIVED, VersionState.CHECKING, VersionState.RECEIVED):
            move_version(version, state, folder=competition_folder(cup), at=NOON)

        assert 1 == quotas_of(ada, read_rules(competition_folder(cup)), now=NOON).versions.used

    def test_what_the_machine_keeps_failing_at_counts_in_no_day_until_it_is_checked(self, cup, ada, keeper):
        with_rules(cup, "versions_a_day: 1\n")
        folder = competition_folder(cup)
        version = hand(keeper).version
        move_version(version, VersionState.CHECKING, folder=folder, at=NOON)
        move_version(version, VersionState.RECEIVED, folder=folder, at=NOON, machine_failed=True)
        again = hand(keeper, b"second")
        move_version(version, VersionState.CHECKING, folder=folder, at=NOON)
        move_version(version, VersionState.ACCEPTED, folder=folder, at=NOON)

        assert (True, 2) == (again.is_new, quotas_of(ada, read_rules(folder), now=NOON).versions.used)

    def test_a_used_quota_says_when_the_next_is_free(self, cup, keeper):
        with_rules(cup, "versions_a_day: 1\ntime_zone: Europe/Warsaw\n")
        hand(keeper)
        refusal = refused(hand, keeper, b"second")

        assert datetime(2026, 12, 1, 23, tzinfo=UTC) == refusal.free_at
        assert "2026-12-02 00:00 UTC+1" in str(refusal)

    def test_a_day_begins_anew_at_midnight_of_the_competition(self, cup, keeper):
        with_rules(cup, "versions_a_day: 1\ntime_zone: Pacific/Auckland\n")
        hand(keeper, now=datetime(2026, 12, 1, 10, 59, tzinfo=UTC))

        assert refused(hand, keeper, b"b", now=datetime(2026, 12, 1, 10, 59, 59, tzinfo=UTC)).kind is RefusalKind.QUOTA
        assert hand(keeper, b"b", now=datetime(2026, 12, 1, 11, tzinfo=UTC)).is_new

    def test_a_day_of_25_hours_is_one_day(self, cup, keeper):
        with_rules(cup, "versions_a_day: 1\ntime_zone: Europe/Warsaw\n")
        hand(keeper, now=datetime(2026, 10, 24, 22, 0, tzinfo=UTC))
        refusal = refused(hand, keeper, b"b", now=datetime(2026, 10, 25, 22, 30, tzinfo=UTC))

        assert datetime(2026, 10, 25, 23, tzinfo=UTC) == refusal.free_at

    def test_twenty_programs_are_checked_an_hour(self, cup, keeper):
        with_rules(cup, "versions_a_day: 100\n")
        for minute in range(20):
            hand(keeper, bytes([minute]), now=NOON + timedelta(minutes=minute), check_only=minute % 2 == 0)
        refusal = refused(hand, keeper, now=NOON + timedelta(minutes=30))

        assert NOON + timedelta(hours=1) == refusal.free_at
        assert hand(keeper, now=NOON + timedelta(hours=1)).is_new

    def test_what_is_only_checked_counts_in_no_day(self, cup, keeper):
        with_rules(cup, "versions_a_day: 1\n")
        hand(keeper, b"a", check_only=True)

        assert hand(keeper, b"b").is_new

    def test_quotas_are_of_a_participant_and_not_of_a_bot(self, cup, ada, keeper):
        with_rules(cup, "versions_a_day: 1\nbots_a_participant: 2\n")
        second = make_bot(ada, "second")
        hand(keeper)

        assert refused(hand, second, b"b").kind is RefusalKind.QUOTA


class TestChallenges:
    @pytest.fixture
    def versions(self, cup, keeper):
        return make_version(keeper), make_version(make_bot(make_participant(cup, "eve"), "runner"))

    def test_a_challenge_waits_for_its_round(self, ada, versions):
        own, other = versions
        row = challenge(ada.account, own, [other], now=NOON)

        assert (ada, own, [other], None) == (row.asked_by, row.version, list(row.opponents.all()), row.round)

    def test_after_the_end_one_may_go_on(self, cup, ada, versions):
        cup.state = "closed"
        cup.save()

        assert challenge(ada.account, versions[0], [versions[1]], now=NOON).pk

    def test_only_active_versions_of_others_are_challenged(self, ada, versions):
        own, other = versions
        VersionRow.objects.filter(pk=other.pk).update(state="retired")
        other.refresh_from_db()

        assert refused(challenge, ada.account, own, [other], now=NOON).kind is RefusalKind.STATE

    def test_ones_own_former_version_may_be_challenged(self, ada, keeper, versions):
        former = make_version(keeper, "retired")

        assert challenge(ada.account, versions[0], [former], now=NOON).pk

    def test_nobody_challenges_themselves_or_nobody(self, ada, versions):
        own, other = versions
        kinds = [
            refused(challenge, ada.account, own, given, now=NOON).kind
            for given in ([], [own], [other, other], [other] * 8)
        ]

        assert [RefusalKind.WRONG] * 4 == kinds

    def test_versions_of_other_competitions_are_not_challenged(self, arena, ada, versions):
        elsewhere = make_version(make_bot(make_participant(make_competition(arena, "spring"), "bob"), "far"))

        assert refused(challenge, ada.account, versions[0], [elsewhere], now=NOON).kind is RefusalKind.STATE

    def test_abandoned_challenges_count_in_no_day(self, cup, ada, versions):
        with_rules(cup, "challenges_a_day: 1\n")
        own, other = versions
        row = challenge(ada.account, own, [other], now=NOON)
        assert refused(challenge, ada.account, own, [other], now=NOON).kind is RefusalKind.QUOTA
        row.round = finished_round(cup, own, other, state="abandoned")
        row.save()

        assert challenge(ada.account, own, [other], now=NOON).pk

    def test_house_bots_are_challenged_by_their_names(self, cup, ada, versions):
        names = house_names(read_rules(competition_folder(cup)), competition_folder(cup))
        row = challenge(ada.account, versions[0], [versions[1]], house=names[:1], now=NOON)

        assert [names[0]] == row.house
        assert RefusalKind.UNKNOWN is refused(challenge, ada.account, versions[0], [], house=["nobody"], now=NOON).kind
        assert RefusalKind.WRONG is refused(challenge, ada.account, versions[0], [], house=names[:1] * 2, now=NOON).kind

    def test_a_competition_may_have_none(self, cup, ada, versions):
        with_rules(cup, "challenges_a_day: 0\n")

        assert refused(challenge, ada.account, versions[0], [versions[1]], now=NOON).kind is RefusalKind.STATE


class TestTokens:
    def test_a_token_is_kept_as_a_digest_only(self, arena, ada, keeper):
        token = make_token(ada.account, keeper, label="laptop", now=NOON)

        assert token.text not in repr(list(Token.objects.values()))
        assert token.text.encode() not in arena.database.read_bytes()

    def test_a_token_holds_until_it_expires_or_is_ended(self, ada, keeper):
        first = make_token(ada.account, keeper, label="laptop", now=NOON, days=1)
        second = make_token(ada.account, keeper, label="server", now=NOON)
        before, after = NOON + timedelta(hours=23), NOON + timedelta(hours=24)

        assert first.row == use_token(first.text, now=before)
        assert use_token(first.text, now=after) is None
        end_token(ada.account, keeper, second.row.pk)
        assert use_token(second.text, now=NOON) is None

    @pytest.mark.parametrize("text", ["", "arena-", "arena-" + "A" * 43, "\x00", "é"])
    def test_what_nobody_was_given_holds_for_nothing(self, ada, keeper, text):
        make_token(ada.account, keeper, label="laptop", now=NOON)

        assert use_token(text, now=NOON) is None

    def test_nobody_lists_or_ends_the_tokens_of_others(self, cup, ada, keeper):
        eve = make_participant(cup, "eve")
        add_owner(ada.account, keeper, "Eve")
        token = make_token(ada.account, keeper, label="laptop", now=NOON)

        assert [] == tokens_of(eve.account, keeper)
        assert refused(end_token, eve.account, keeper, token.row.pk).kind is RefusalKind.UNKNOWN
        assert use_token(token.text, now=NOON)

    def test_the_token_of_a_shut_account_holds_no_more(self, ada, keeper):
        token = make_token(ada.account, keeper, label="laptop", now=NOON)
        ada.account.is_active = False
        ada.account.save()

        assert use_token(token.text, now=NOON) is None

    def test_a_participant_has_at_most_ten_that_hold(self, ada, keeper):
        for number in range(10):
            make_token(ada.account, keeper, label=f"{number}", now=NOON, days=1)

        assert refused(make_token, ada.account, keeper, label="more", now=NOON).kind is RefusalKind.QUOTA
        assert make_token(ada.account, keeper, label="more", now=NOON + timedelta(days=1)).text


class TestOwnFiles:
    def test_nobody_else_reads_the_log_of_a_check(self, cup, ada, keeper):
        version = make_version(keeper)
        others = [None, make_account("bob"), make_participant(cup, "eve").account]
        kinds = [refused(read_check_file, other, version, CheckFile.LOG).kind for other in others]

        assert [RefusalKind.NOT_LOGGED_IN, RefusalKind.NOT_ALLOWED, RefusalKind.NOT_ALLOWED] == kinds
        assert b"secret of the owner\n" == read_check_file(ada.account, version, CheckFile.LOG)

    @pytest.mark.parametrize("state", ["planned", "playing", "interrupted"])
    def test_what_a_bot_printed_is_not_read_while_its_round_goes_on(self, cup, ada, keeper, state):
        version = make_version(keeper)
        row = finished_round(cup, version, state=state)

        assert refused(read_round_log, ada.account, version, row).kind is RefusalKind.STATE

    def test_an_owner_reads_what_the_bot_printed_in_rounds_of_its_own(self, cup, ada, keeper):
        version = make_version(keeper)
        other = make_version(make_bot(make_participant(cup, "eve"), "runner"))
        own_round, foreign = finished_round(cup, version, other), finished_round(cup, other, number=2)

        assert b"what it printed\n" == read_round_log(ada.account, version, own_round)
        assert refused(read_round_log, ada.account, version, foreign).kind is RefusalKind.UNKNOWN
        assert refused(read_round_log, ada.account, other, own_round).kind is RefusalKind.NOT_ALLOWED


class TestLeaving:
    def test_ones_data_are_whole_and_hold_no_secret_and_nothing_of_others(self, cup, ada, keeper):
        version = make_version(keeper)
        other = make_version(make_bot(make_participant(cup, "eve"), "runner"))
        token = make_token(ada.account, keeper, label="laptop", now=NOON)
        finished_round(cup, version, other)
        out = io.BytesIO()
        write_data(ada.account, out)
        with zipfile.ZipFile(out) as archive:
            names, facts = archive.namelist(), archive.read("account.json").decode()

        assert {
            "account.json",
            "cup/keeper/1/version.json",
            "cup/keeper/1/upload",
            "cup/keeper/1/log.txt",
            "cup/keeper/1/rounds/000001/keeper.v1.txt",
        } == set(names)
        assert ("ada", ["keeper"]) == (json.loads(facts)["username"], json.loads(facts)["takes_part"][0]["bots"])
        assert token.row.digest not in facts
        assert "pbkdf2" not in facts

    def test_after_leaving_owner_programs_and_logs_are_gone_and_names_and_records_stay(self, cup, ada, keeper):
        version = make_version(keeper)
        row = finished_round(cup, version)
        delete_account(ada.account, now=NOON)
        ada.refresh_from_db()
        version.refresh_from_db()
        folder = version_folder(version)

        assert (None, "Ada", "retired") == (ada.account, ada.public_name, version.state)
        assert ["version.json"] == [path.name for path in folder.path.iterdir()]
        assert [] == list((competition_folder(cup).round(row.number) / "logs").iterdir())

    def test_a_round_that_goes_on_keeps_its_programs_until_it_ends(self, cup, ada, keeper):
        version = make_version(keeper)
        row = finished_round(cup, version, state="playing")
        delete_account(ada.account, now=NOON)
        assert version_folder(version).program.is_dir()
        RoundRow.objects.filter(pk=row.pk).update(state="complete")

        assert remove_left_files() == 1
        assert not version_folder(version).program.exists()

    def test_programs_of_a_bot_whose_owners_were_only_forgotten_stay(self, cup, ada, keeper):
        """As after `rebuild` from the folders alone, or for bots that were imported."""
        version = make_version(keeper, "retired")
        keeper.owners.clear()
        delete_account(make_account("bob"), now=NOON)

        assert (0, True) == (remove_left_files(), version_folder(version).upload.exists())

    def test_a_bot_with_another_owner_plays_on(self, cup, ada, keeper):
        eve = make_participant(cup, "eve")
        add_owner(ada.account, keeper, "Eve")
        version = make_version(keeper)
        delete_account(ada.account, now=NOON)
        keeper.refresh_from_db()
        version.refresh_from_db()

        assert (eve, "active", True) == (keeper.made_by, version.state, version_folder(version).upload.exists())

    def test_the_only_host_of_a_competition_stays(self, arena):
        teacher = make_account("teacher")
        make_competition(arena, host=teacher)

        assert refused(delete_account, teacher, now=NOON).kind is RefusalKind.STATE

    def test_whom_a_host_entered_agrees_before_handing_in(self, cup, ada, keeper):
        with_rules(cup, "consent: My bots stay in the records.\n")
        Participant.objects.update(consented=None)
        ada.refresh_from_db()
        assert refused(hand, keeper).kind is RefusalKind.STATE
        consent(ada.account, cup, now=NOON)

        assert hand(keeper).is_new
