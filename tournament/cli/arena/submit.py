"""`tournament submit`: hands a bot in, from a terminal or from CI."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.output import say

if TYPE_CHECKING:
    from tournament.arena.api.submitting import CheckedStep, FollowedVersion


def submit_command(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A .py, a .zip, a .tar.gz, or a folder with bot.py.")],
    bot: Annotated[str, typer.Option("--bot", metavar="NAME", help="The name of the bot in the competition.")],
    to: Annotated[str, typer.Option("--to", metavar="ADDRESS", help="The arena, such as https://arena.example.org.")],
    check_only: Annotated[
        bool, typer.Option("--check-only", help="Only have it checked: this version does not play.")
    ] = False,
    wait: Annotated[
        int, typer.Option("--wait", min=1, max=1440, help="Follow the check for so many minutes at most.")
    ] = 30,
) -> None:
    """Hand in a version of a bot at an arena, and follow its check.

    The token of the bot is read from TOURNAMENT_TOKEN. The exit code is 0 only when the version is accepted.
    """
    from tournament.arena.api.submitting import ArenaClient, pack_bot, token_from_environment

    client = ArenaClient(to, token_from_environment())
    submission = client.hand_in(bot, pack_bot(path), check_only=check_only)
    if submission.is_new:
        say(f"Version {submission.number} of {bot} was received.")
    else:
        say(f"{bot} has this program already: it is version {submission.number}.")
    shown: tuple[CheckedStep, ...] = ()
    state = ""
    for known in client.follow(bot, submission, wait_seconds=60.0 * wait):
        if known.state != state and known.state == "received" and submission.is_new:
            say("It waits for its check.")
        if known.steps[: len(shown)] != shown:  # the machine failed, and its check began anew
            say("Its check begins anew: the machine failed, not the bot.")
            shown = ()
        for step in known.steps[len(shown) :]:
            _say_step(step)
        shown, state = known.steps, known.state
        if known.is_checked:
            _say_end(known, bot, check_only=check_only)


def _say_step(step: CheckedStep) -> None:
    say(f"  {step.verdict:7} {step.name}{f': {step.found}' if step.found else ''}")
    for line in (step.advice, step.log):
        if line:
            say("\n".join(f"          {part}" for part in line.splitlines()))


def _say_end(known: FollowedVersion, bot: str, *, check_only: bool) -> None:
    if known.is_accepted:
        told = (
            "It does not play." if check_only else "It plays." if known.state == "active" else f"It is {known.state}."
        )
        say(f"Version {known.number} of {bot} is accepted. {told}")
        return
    say(f"Version {known.number} of {bot} is {known.state}. {known.why or ''}")
    raise typer.Exit(1)
