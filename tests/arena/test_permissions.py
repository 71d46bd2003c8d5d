"""Who may ask for what: every call with every role is one test, done for real and refused for real."""

from __future__ import annotations

import io
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from arena.making import NOON, RULES, make_account, make_bot, make_competition, make_participant, make_version

from tournament.arena.acts import read_acts
from tournament.arena.hosting import (
    abandon,
    add_host,
    announce,
    change_rules,
    check_again,
    codes_of,
    create_competition,
    disqualify,
    end_code,
    enter_participants,
    give_link,
    make_code,
    marks_csv,
    read_check_logs,
    read_trail,
    reinstate,
    remove_host,
    steer,
)
from tournament.arena.models import Host, JoinCode, RoundRow
from tournament.arena.places import competition_folder
from tournament.arena.refusals import RefusalKind, RefusedError
from tournament.arena.taking_part import ArenaRole as Role
from tournament.arena.taking_part import (
    Call,
    CheckFile,
    activate_version,
    add_owner,
    challenge,
    delete_account,
    end_token,
    find_competition,
    hand_in,
    join,
    make_token,
    may,
    read_check_file,
    read_program,
    read_round_faults,
    read_round_log,
    remove_owner,
    rename,
    tokens_of,
    write_data,
)
from tournament.arena.taking_part import make_bot as ask_for_bot
from tournament.arena.taking_part.permissions import MAY, require
from tournament.arena.transitions import CompetitionState

EVERYBODY = frozenset(Role)
ACCOUNTS = EVERYBODY - {Role.NOBODY}
NEW = frozenset({Role.STRANGER, Role.HOST, Role.OTHER_HOST})
"""Whoever has an account and does not take part yet."""

TAKING_PART = frozenset({Role.PARTICIPANT, Role.OWNER, Role.CO_OWNER})
OWNERS = frozenset({Role.OWNER, Role.CO_OWNER})
HOSTS = frozenset({Role.HOST})


@pytest.fixture
def world(arena):
    """Returns a competition in which everybody is something, and what calls are about."""
    teacher, other = make_account("teacher"), make_account("other")
    cup = make_competition(arena, rules=RULES + "bots_a_participant: 2\n", host=teacher)
    spring = make_competition(arena, "spring", host=other)
    ada, eve, bob = (make_participant(cup, name) for name in ("ada", "eve", "bob"))
    keeper, runner = make_bot(ada, "keeper"), make_bot(make_participant(cup, "max"), "runner")
    keeper.owners.add(eve)
    versions = [make_version(keeper, state, program=state.encode()) for state in ("active", "retired", "refused")]
    rows = [
        RoundRow.objects.create(
            competition=cup, number=number, season=1, kind="ladder", lane="long", state=state, planned=NOON
        )
        for number, state in ((1, "complete"), (2, "playing"))
    ]
    rows[0].versions.set(versions[:1])
    return SimpleNamespace(
        arena=arena,
        cup=cup,
        spring=spring,
        keeper=keeper,
        active=versions[0],
        retired=versions[1],
        refused=versions[2],
        rival=make_version(runner),
        complete=rows[0],
        code=JoinCode.objects.create(competition=cup, code="WINTER", created=NOON),
        max=runner.made_by,
        account={
            Role.NOBODY: None,
            Role.STRANGER: make_account("stranger"),
            Role.PARTICIPANT: bob.account,
            Role.OWNER: ada.account,
            Role.CO_OWNER: eve.account,
            Role.HOST: teacher,
            Role.OTHER_HOST: other,
        },
        name={Role.OWNER: "Ada", Role.CO_OWNER: "Eve"},
    )


def end_own_token(world, account, role) -> None:
    """Whoever may not have a token tries the one of the owner."""
    owner = account if role in OWNERS else world.account[Role.OWNER]
    token = make_token(owner, world.keeper, label="laptop", now=NOON)
    end_token(account, world.keeper, token.row.pk)


def add_and_remove_host(world, account, role) -> None:
    add_host(account, world.cup, "stranger", now=NOON)
    remove_host(account, world.cup, "stranger", now=NOON)


def delete(world, account, role) -> None:
    for row in Host.objects.filter(account=account):  # the only host stays
        Host.objects.create(competition=row.competition, account=make_account(f"second {row.pk}"))
    delete_account(account, now=NOON)


ACTS: dict[str, tuple[frozenset[Role], Callable]] = {
    "look": (EVERYBODY, lambda w, a, r: find_competition("cup", a)),
    "join": (NEW, lambda w, a, r: join(a, w.cup, now=NOON)),
    "rename": (TAKING_PART, lambda w, a, r: rename(a, w.cup, "Another Name")),
    "make a bot": (TAKING_PART, lambda w, a, r: ask_for_bot(a, w.cup, "walker", now=NOON)),
    "hand in": (OWNERS, lambda w, a, r: hand_in(a, w.keeper, file_name="a.py", chunks=[b"new"], now=NOON)),
    "read a check": (OWNERS, lambda w, a, r: read_check_file(a, w.active, CheckFile.LOG)),
    "read a program": (OWNERS, lambda w, a, r: read_program(a, w.active)),
    "read a log of a round": (OWNERS, lambda w, a, r: read_round_log(a, w.active, w.complete)),
    "read faults of a round": (OWNERS, lambda w, a, r: read_round_faults(a, w.active, w.complete)),
    "choose a version": (OWNERS, lambda w, a, r: activate_version(a, w.retired, now=NOON)),
    "challenge": (OWNERS, lambda w, a, r: challenge(a, w.active, [w.rival], now=NOON)),
    "make a token": (OWNERS, lambda w, a, r: make_token(a, w.keeper, label="laptop", now=NOON)),
    "list tokens": (OWNERS, lambda w, a, r: tokens_of(a, w.keeper)),
    "end a token": (OWNERS, end_own_token),
    "name a co-owner": (frozenset({Role.OWNER}), lambda w, a, r: add_owner(a, w.keeper, "Bob")),
    "remove a co-owner": (OWNERS, lambda w, a, r: remove_owner(a, w.keeper, "Eve")),
    "remove the owner": (frozenset({Role.OWNER}), lambda w, a, r: remove_owner(a, w.keeper, "Ada")),
    "take data": (ACCOUNTS, lambda w, a, r: write_data(a, io.BytesIO())),
    "delete an account": (ACCOUNTS, delete),
    "create": (
        frozenset({Role.HOST, Role.OTHER_HOST}),
        lambda w, a, r: create_competition(a, "autumn", RULES, now=NOON),
    ),
    "change the rules": (HOSTS, lambda w, a, r: change_rules(a, w.cup, RULES, now=NOON)),
    "pause": (HOSTS, lambda w, a, r: steer(a, w.cup, CompetitionState.PAUSED, now=NOON)),
    "freeze": (HOSTS, lambda w, a, r: steer(a, w.cup, CompetitionState.FROZEN, now=NOON)),
    "close": (HOSTS, lambda w, a, r: steer(a, w.cup, CompetitionState.CLOSED, now=NOON)),
    "check again": (HOSTS, lambda w, a, r: check_again(a, w.refused, now=NOON)),
    "read the logs of a check": (HOSTS, lambda w, a, r: read_check_logs(a, w.keeper, 1, now=NOON)),
    "disqualify": (HOSTS, lambda w, a, r: disqualify(a, w.keeper, 1, reason="It cheats.", now=NOON)),
    "reinstate": (HOSTS, lambda w, a, r: reinstate(a, w.keeper, 1, reason="It does not.", now=NOON)),
    "announce": (HOSTS, lambda w, a, r: announce(a, w.cup, "Hello.", now=NOON)),
    "abandon a round": (HOSTS, lambda w, a, r: abandon(a, w.cup, 2, reason="It hangs.", now=NOON)),
    "enter participants": (HOSTS, lambda w, a, r: enter_participants(a, w.cup, b"username\nzoe\n", now=NOON)),
    "make a code": (HOSTS, lambda w, a, r: make_code(a, w.cup, now=NOON)),
    "list codes": (HOSTS, lambda w, a, r: codes_of(a, w.cup)),
    "end a code": (HOSTS, lambda w, a, r: end_code(a, w.cup, w.code.pk)),
    "give a link": (HOSTS, lambda w, a, r: give_link(a, w.cup, w.max, now=NOON)),
    "read marks": (HOSTS, lambda w, a, r: marks_csv(a, w.cup)),
    "read the trail": (HOSTS, lambda w, a, r: read_trail(a, w.cup)),
    "name hosts": (HOSTS, add_and_remove_host),
}
"""By what is asked for: who may, and how it is asked."""


@pytest.mark.parametrize("role", Role, ids=lambda role: role.value)
@pytest.mark.parametrize("act", ACTS)
def test_whoever_may_does_and_whoever_may_not_is_refused(world, act, role):
    who, ask = ACTS[act]
    if role in who:
        ask(world, world.account[role], role)
        return
    acts = len(read_acts(competition_folder(world.cup)))
    with pytest.raises(RefusedError) as caught:
        ask(world, world.account[role], role)
    # taking part already is no lack of rights
    lacking = RefusalKind.STATE if act == "join" and role in TAKING_PART else RefusalKind.NOT_ALLOWED

    assert (RefusalKind.NOT_LOGGED_IN if role is Role.NOBODY else lacking) == caught.value.kind
    assert acts == len(read_acts(competition_folder(world.cup)))


@pytest.mark.parametrize("act", sorted(set(ACTS) - {"look", "create", "take data", "delete an account"}))
def test_a_draft_exists_for_its_hosts_only(world, act):
    world.cup.state = "draft"
    world.cup.save()
    # versions know their competition by an object of their own
    for version in (world.active, world.retired, world.refused):
        version.bot.competition.state = "draft"
    kinds = []
    for role in (Role.NOBODY, Role.STRANGER, Role.PARTICIPANT, Role.OTHER_HOST):
        with pytest.raises(RefusedError) as caught:
            ACTS[act][1](world, world.account[role], role)
        kinds.append(caught.value.kind)

    assert [RefusalKind.UNKNOWN] * 4 == kinds


@pytest.mark.parametrize("role", Role, ids=lambda role: role.value)
def test_pages_show_what_a_call_would_do(world, role):
    """`may` and `require` never differ, and both go by the table."""
    account = world.account[role]
    done = set()
    for call in Call:
        try:
            require(call, account, world.cup, world.keeper)
        except RefusedError:
            continue
        done.add(call)

    assert done == {call for call in Call if may(call, account, world.cup, world.keeper)}
    assert {call for call in Call if role in MAY[call]} <= done


def test_a_shut_account_is_nobody(world):
    account = world.account[Role.OWNER]
    account.is_active = False

    assert not may(Call.HAND_IN, account, world.cup, world.keeper)
