"""The commands that play, follow or change a run: `run`, `resume`, `extend`, `final`, `watch` and `disqualify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament import examples
from tournament.cli import options
from tournament.cli.output import say
from tournament.cli.report import report_after


def run_command(
    configuration: options.Configuration = None,
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="GAME:PLAYERS",
            help=f"A game and its numbers of players, such as {examples.SEVERAL_PLAYERS}; may be repeated.",
            autocompletion=options.complete_game_with_players,
        ),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bots",
            metavar="SPEC",
            help="A bot or a folder of bots, or several separated by commas; may be repeated.",
            autocompletion=options.complete_bot,
        ),
    ] = None,
    schedule: Annotated[
        str | None,
        typer.Option(
            "--schedule",
            metavar="round-robin|gauntlet|knockout",
            help="Who meets whom.",
            show_default="round-robin",
            autocompletion=options.one_of("round-robin", "gauntlet", "knockout"),
        ),
    ] = None,
    focus: Annotated[
        list[str] | None,
        typer.Option(
            "--focus",
            metavar="BOT",
            help="In a gauntlet, a bot that meets all others; may be repeated.",
            autocompletion=options.complete_entrant,
        ),
    ] = None,
    deals: options.Deals = None,
    games: options.Games = None,
    minutes: options.Minutes = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="GOAL",
            help="Stop as soon as this is certain: decided (who is first), all-pairs (the whole order), or sprt "
            "(which of two bots is better).",
            autocompletion=options.one_of("decided", "all-pairs", "sprt"),
        ),
    ] = None,
    seed: options.Seed = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The folder of the run.", show_default="records/NAME")
    ] = None,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    scheduler_file: options.SchedulerFile = None,
    withdraw: Annotated[
        str | None,
        typer.Option(
            "--withdraw",
            metavar="RULE",
            autocompletion=options.one_of("never", "starts=2,games=3,share=1%"),
            help="When a failing bot is withdrawn: never, or such as starts=2,games=3,share=1%.",
            show_default="starts=2,games=3,share=1%",
        ),
    ] = None,
    isolation: Annotated[
        str | None,
        typer.Option(
            "--isolation",
            metavar=options.LEVELS,
            help="How bots are kept apart.",
            show_default="process",
            autocompletion=options.complete_isolation,
        ),
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option(
            "--clock",
            metavar="MOVE+BANK",
            help="Milliseconds free for each move, and a bank for the game from which longer moves take.",
            show_default="1000+10000",
        ),
    ] = None,
    allow_mixed: Annotated[
        bool, typer.Option("--allow-mixed", help="Let bots that are not isolated play against isolated bots.")
    ] = False,
    trace: Annotated[
        list[str] | None,
        typer.Option(
            "--trace",
            metavar="BOT",
            help="Log every line sent to and received from a bot, in logs/; may be repeated.",
            autocompletion=options.complete_entrant,
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            "--keep",
            metavar="WHICH",
            help="Which records to keep: all, faults, sample:1% or none.",
            show_default="all",
            autocompletion=options.one_of("all", "faults", "sample:1%", "none"),
        ),
    ] = None,
    compress: Annotated[bool | None, typer.Option("--compress", help="Compress the records.")] = None,
    events: options.Events = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    language: options.InLanguage = None,
) -> None:
    """Play a tournament: each table plays its own deals, and each deal from every seat."""
    from tournament.configuration.bots import build
    from tournament.configuration.file import default_source, read_configuration
    from tournament.configuration.flags import with_flags
    from tournament.configuration.resolving import resolve
    from tournament.run.run import run_tournament

    source = default_source() if configuration is None else read_configuration(configuration)
    source, notes = with_flags(
        source,
        games=game or (),
        bots=bots or (),
        schedule=schedule,
        focus=focus or (),
        budget=options.budget_from(deals=deals, games=games, minutes=minutes),
        until=until,
        clock=clock,
        seed=seed,
        workers=workers,
        keep=keep,
        compress=compress,
        withdraw=withdraw,
        isolation=isolation,
        allow_mixed=allow_mixed,
        trace=trace or (),
    )
    build(source, say=options.say_build)
    resolved = resolve(source)
    for note in () if quiet else notes:
        say(note)
    cluster = options.cluster_from(cluster, scheduler_file)
    options.say_too_many(resolved.workers, cluster=cluster, quiet=quiet)
    if resolved.master_given:
        options.warn_of_short(resolved.master)
    follower = options.observers(events=events, quiet=quiet, verbose=verbose)
    folder = run_tournament(resolved, out=out, cluster=cluster, observer=follower)
    report_after(folder, quiet=quiet)
    if quiet:
        say(folder)


Run = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
AcceptChanges = Annotated[
    bool, typer.Option("--accept-changes", help="Let a bot whose code changed continue as a new entrant.")
]


def resume_command(
    run: Run,
    accept_changes: AcceptChanges = False,
    play_again: Annotated[
        bool,
        typer.Option(
            "--play-again", help="Play games again whose records are lost or damaged, and all games after them."
        ),
    ] = False,
    build: options.Build = False,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    scheduler_file: options.SchedulerFile = None,
    events: options.Events = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    language: options.InLanguage = None,
) -> None:
    """Continue a run that was stopped. Its records become the same as without the stop."""
    opened = options.open_run(
        run,
        build=build,
        workers=workers,
        cluster=options.cluster_from(cluster, scheduler_file),
        events=events,
        quiet=quiet,
        verbose=verbose,
    )
    opened.play(accept_changes=accept_changes, play_again=play_again)
    report_after(run, quiet=quiet)
    if quiet:
        say(run)


def extend_command(
    run: Run,
    deals: options.MoreDeals = None,
    games: options.Games = None,
    minutes: options.Minutes = None,
    add: Annotated[
        list[str] | None,
        typer.Option(
            "--add",
            metavar="SPEC",
            help="A new bot, which meets all others; may be repeated.",
            autocompletion=options.complete_bot,
        ),
    ] = None,
    seed: options.Seed = None,
    accept_changes: AcceptChanges = False,
    build: options.Build = False,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    scheduler_file: options.SchedulerFile = None,
    events: options.Events = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    language: options.InLanguage = None,
) -> None:
    """Add deals or bots to a complete run."""
    options.warn_of_short(seed)
    opened = options.open_run(
        run,
        build=build,
        workers=workers,
        cluster=options.cluster_from(cluster, scheduler_file),
        events=events,
        quiet=quiet,
        verbose=verbose,
    )
    opened.extend(
        budget=options.budget_from(deals=deals, games=games, minutes=minutes),
        add=add or (),
        seed=seed,
        accept_changes=accept_changes,
    )
    report_after(run, quiet=quiet)
    if quiet:
        say(run)


def final_command(
    run: Run,
    deals: options.Deals = None,
    games: options.Games = None,
    minutes: options.Minutes = None,
    seed: options.Seed = None,
    again: Annotated[bool, typer.Option("--again", help="Play another final although there was one.")] = False,
    build: options.Build = False,
    workers: options.Workers = None,
    cluster: options.Cluster = None,
    scheduler_file: options.SchedulerFile = None,
    events: options.Events = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    language: options.InLanguage = None,
) -> None:
    """Play fresh deals among the bots that may be first, and rank them by these deals alone."""
    options.warn_of_short(seed)
    opened = options.open_run(
        run,
        build=build,
        workers=workers,
        cluster=options.cluster_from(cluster, scheduler_file),
        events=events,
        quiet=quiet,
        verbose=verbose,
    )
    opened.final(budget=options.budget_from(deals=deals, games=games, minutes=minutes), seed=seed, again=again)
    report_after(run, quiet=quiet)
    if quiet:
        say(run)


def watch_command(
    run: Run,
    every: Annotated[float, typer.Option("--every", min=0.1, help="Seconds between two lines.")] = 2.0,
    once: Annotated[bool, typer.Option("--once", help="Print the present state once, and end.")] = False,
    language: options.InLanguage = None,
) -> None:
    """Follow a run that another process is playing."""
    from tournament.run.following import watch

    for line in watch(run, every=every, once=once):
        say(line)


def disqualify_command(
    run: Run,
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="The name of the entrant, as in the standings.",
            autocompletion=options.complete_entrant,
            callback=options.composed_names,
        ),
    ],
    reason: Annotated[
        str | None,
        typer.Option("--reason", help="The reason, which is shown with the standings. Required, except with --undo."),
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take it back in.")] = False,
) -> None:
    """Take a bot out of a run: no block in which it played counts any more. Its records stay."""
    from tournament.errors import UsageError
    from tournament.run.run import Run

    if undo and reason is not None:
        raise UsageError("--undo takes no --reason. Leave it out.")
    if undo:
        Run.open(run).reinstate(bot)
        say(f"{bot} takes part in {run} again.")
    else:
        Run.open(run).disqualify(bot, reason=reason or "")
        say(f"{bot} is disqualified in {run}. Take it back in with --undo.")
    if (run / "report").is_dir():
        report_after(run, quiet=True)
