"""`tournament arena check`: what is wrong with a machine is said, and keeps strangers out where it matters."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from arena.commands import arena_command

from tournament.arena.files import write_json
from tournament.arena.folder import ArenaFolder
from tournament.arena.operating import fitness
from tournament.arena.operating.addresses import check_settings
from tournament.arena.operating.fitness import examine
from tournament.arena.operating.fitness_file import (
    FITNESS_FILE,
    FOR_STRANGERS,
    Examined,
    FitnessFile,
    FitnessStep,
    FitnessVerdict,
    read_fitness,
    registration_problem,
)
from tournament.arena.operating.settings_file import ArenaFile, read_arena
from tournament.errors import ConfigurationError
from tournament.paths import data_folder

OPEN = ArenaFile(address="https://arena.example.org", proxies=1)


@pytest.fixture
def sandboxed(monkeypatch):
    """Has the sandbox work, whatever this machine is."""
    monkeypatch.setattr("tournament.players.linux.sandbox.check_sandbox", lambda: None)
    monkeypatch.setattr("tournament.players.linux.users.sandbox_user_problem", lambda: None)


def verdict_on(about: Examined, folder: ArenaFolder) -> tuple[FitnessVerdict, str]:
    [step] = [step for step in examine(folder).steps if step.about is about]
    return step.verdict, step.text


@pytest.fixture
def fit(arena, sandboxed):
    """Returns an arena in which nothing is wrong."""
    arena.path.chmod(0o700)
    arena.settings.write_text("address: https://arena.example.org\nproxies: 1\n")
    return arena


def test_nothing_fails_of_an_arena_that_is_as_it_should_be(fit):
    assert {step.about: step.text for step in examine(fit).steps if step.verdict is FitnessVerdict.FAILED} == {}


def test_everything_that_can_be_examined_is(fit):
    assert tuple(Examined) == tuple(step.about for step in examine(fit).steps)


def test_a_folder_into_which_others_can_look_fails(fit):
    fit.path.chmod(0o755)
    verdict, text = verdict_on(Examined.RIGHTS, fit)

    assert FitnessVerdict.FAILED is verdict
    assert f"Close it: chmod 700 {fit.path}" in text


def test_a_secret_that_others_can_read_fails(fit):
    fit.secret.chmod(0o644)

    assert FitnessVerdict.FAILED is verdict_on(Examined.SECRET, fit)[0]


def test_a_secret_that_can_be_guessed_fails(fit):
    fit.secret.write_text("secret")
    verdict, text = verdict_on(Examined.SECRET, fit)

    assert FitnessVerdict.FAILED is verdict
    assert "is shorter than 50 characters" in text


def test_an_address_in_the_clear_fails(fit):
    fit.settings.write_text("address: http://arena.example.org\nproxies: 1\n")
    verdict, text = verdict_on(Examined.ADDRESS, fit)

    assert FitnessVerdict.FAILED is verdict
    assert "passwords would travel in the clear" in text


def test_an_address_of_this_machine_alone_is_noted(fit):
    fit.settings.write_text("")

    assert FitnessVerdict.NOTE is verdict_on(Examined.ADDRESS, fit)[0]


def test_a_folder_that_the_sandbox_shows_fails(fit, monkeypatch):
    monkeypatch.setattr("tournament.arena.checks.showing.shown_places", lambda: (str(fit.path.parent),))
    verdict, text = verdict_on(Examined.PLACE, fit)

    assert FitnessVerdict.FAILED is verdict
    assert f"{fit.path} lies below {fit.path.parent}, which every bot in a sandbox sees." in text


def test_a_socket_of_the_database_that_the_sandbox_shows_fails(fit):
    fit.settings.write_text("database: postgres://arena@/arena?host=/usr/run\n")
    text = fitness._place(fit, read_arena(fit))[1]

    assert "/usr/run lies below /usr, which every bot in a sandbox sees." in text


def test_a_machine_without_a_sandbox_fails(fit, monkeypatch):
    def refuse():
        raise ConfigurationError("isolation: sandbox needs bubblewrap.")

    monkeypatch.setattr("tournament.players.linux.sandbox.check_sandbox", refuse)

    assert (FitnessVerdict.FAILED, "isolation: sandbox needs bubblewrap.") == verdict_on(Examined.SANDBOX, fit)


def test_a_full_disk_fails(fit, monkeypatch):
    usage = shutil._ntuple_diskusage(total=100_000_000_000, used=95_000_000_000, free=5_000_000_000)
    monkeypatch.setattr(fitness.shutil, "disk_usage", lambda path: usage)

    assert (
        FitnessVerdict.FAILED,
        "5.0 GB of 100.0 GB are free (5%). Under 10% nothing is played: make room.",
    ) == verdict_on(Examined.DISK, fit)


def test_settings_that_cannot_be_fail(fit):
    fit.settings.write_text("time_zone: Mars/Base\n")
    verdict, text = verdict_on(Examined.SETTINGS, fit)

    assert FitnessVerdict.FAILED is verdict
    assert "expected a time zone such as Europe/Warsaw, found Mars/Base" in text


def test_a_proxy_that_is_not_declared_is_noted(fit):
    fit.settings.write_text("address: https://arena.example.org\n")

    assert FitnessVerdict.NOTE is verdict_on(Examined.PROXIES, fit)[0]


def test_what_was_found_can_be_read_again(fit):
    found = examine(fit)

    assert found == read_fitness(fit)


def found_with(*wrong: Examined, address: str = OPEN.address) -> FitnessFile:
    steps = tuple(
        FitnessStep(
            about=about,
            verdict=FitnessVerdict.FAILED if about in wrong else FitnessVerdict.PASSED,
            text=f"{about.value} is wrong.",
        )
        for about in Examined
    )
    return FitnessFile(at="2026-12-01T12:00:00Z", address=address, steps=steps)


def write_found(path: Path, found: FitnessFile) -> ArenaFolder:
    write_json(path / FITNESS_FILE, found)
    return ArenaFolder(path)


def test_strangers_may_sign_up_once_all_has_passed(tmp_path):
    assert None is registration_problem(write_found(tmp_path, found_with()), OPEN)


@pytest.mark.parametrize("about", sorted(FOR_STRANGERS))
def test_strangers_may_not_sign_up_while_what_protects_from_them_is_wrong(tmp_path, about):
    assert f"Nobody may sign up while something is wrong: {about.value} is wrong." == registration_problem(
        write_found(tmp_path, found_with(about)), OPEN
    )


@pytest.mark.parametrize("about", sorted(set(Examined) - FOR_STRANGERS))
def test_strangers_may_sign_up_in_spite_of_what_is_only_the_hosts_matter(tmp_path, about):
    assert None is registration_problem(write_found(tmp_path, found_with(about)), OPEN)


@pytest.mark.parametrize("address", [None, "https://elsewhere.example.org"])
def test_strangers_may_not_sign_up_before_this_address_was_checked(tmp_path, address):
    folder = ArenaFolder(tmp_path) if address is None else write_found(tmp_path, found_with(address=address))
    problem = registration_problem(folder, OPEN)

    assert f"Run it: tournament arena check {tmp_path}" in problem


def test_where_nobody_but_this_machine_comes_nothing_has_to_be_checked(tmp_path):
    assert None is registration_problem(ArenaFolder(tmp_path), ArenaFile())


@pytest.mark.parametrize(
    "arena", [ArenaFile(listen="0.0.0.0:80"), ArenaFile(proxies=1), ArenaFile(address="http://me")]
)
def test_an_arena_that_others_reach_has_to_be_checked(tmp_path, arena):
    assert None is not registration_problem(ArenaFolder(tmp_path), arena)


def test_where_a_host_wants_no_strangers_there_are_none(tmp_path):
    assert "The settings say `accounts: false`: hosts enter people." == registration_problem(
        write_found(tmp_path, found_with()), ArenaFile(accounts=False)
    )


def test_the_command_says_all_of_it_and_whether_strangers_may_sign_up(founded, tmp_path):
    folder = shutil.copytree(founded.path, tmp_path / "arena")
    folder.chmod(0o755)
    done = arena_command("check", folder)

    assert 1 == done.returncode
    assert f"FAILED  rights: Other users of this machine can look into {folder}." in done.stdout
    assert "passed  secret: It is drawn, and readable for nobody else.\n" in done.stdout
    assert "Strangers cannot sign up. Nobody may sign up while something is wrong: " in done.stdout


def test_the_command_prints_json_for_programs(founded, tmp_path):
    folder = shutil.copytree(founded.path, tmp_path / "arena")
    folder.chmod(0o755)
    done = arena_command("check", folder, "--json")
    told = json.loads(done.stdout)

    assert (1, False, False) == (done.returncode, told["passed"], told["strangers"])
    assert [about.value for about in Examined] == [step["about"] for step in told["steps"]]


def test_the_words_with_which_the_page_tries_a_backup_are_settings_of_one_machine_alone(tmp_path):
    page = (data_folder("schemas").parent / "docs" / "arena" / "operate.md").read_text(encoding="utf-8")
    words = re.findall(r"`(address|listen): (\S+)`", page.partition("Try your backups")[2])
    arena = ArenaFile(**dict(words))
    check_settings(arena, where=tmp_path / "arena.yaml")

    assert ["address", "listen"] == [name for name, _ in words]
    assert f"http://{arena.listen}" == arena.address
