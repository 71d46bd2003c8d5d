"""The commands that check: `audit`, `validate`, `schema` and `selftest`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament import examples
from tournament.cli.options import Readers, complete_game_of_run, complete_schema, readers
from tournament.cli.output import Json, print_json, say

Sources = Annotated[
    list[str],
    typer.Argument(metavar="RUN|FILE...", help="Runs, .jsonl, .json, or RUN#ID.", autocompletion=complete_game_of_run),
]


def audit_command(
    sources: Sources,
    suite: Annotated[
        list[Path] | None,
        typer.Option(
            "--suite", metavar="FILE", help="A deal suite of your own that a run was played on; may be repeated."
        ),
    ] = None,
    fingerprint: Annotated[
        bool,
        typer.Option(
            "--fingerprint", help="Also print digests; once a host has published them, nobody can change the run."
        ),
    ] = False,
    workers: Readers = "auto",
    json: Json = False,
) -> None:
    """Check that records are right, by replaying them; exit code 1 if something is wrong."""
    import msgspec

    from tournament.auditing import audit, format_findings
    from tournament.auditing.run_file import format_fingerprint, run_fingerprint

    report = audit(*sources, suites=suite or (), workers=readers(workers))
    fingerprints = [run_fingerprint(Path(source)) for source in sources] if fingerprint else []
    if json:
        more = {"fingerprints": msgspec.to_builtins(fingerprints)} if fingerprint else {}
        print_json(msgspec.to_builtins(report) | more)
    else:
        say("\n".join([*map(format_fingerprint, fingerprints), format_findings(report)]))
    if report.findings:
        raise typer.Exit(1)


def validate_command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Runs, records, configurations, or any file of a run or an arena."),
    ],
    json: Json = False,
) -> None:
    """Check files against their JSON Schemas, and that the bots of configurations exist; exit code 1 if not."""
    from tournament.configuration.validation import validate_with_bots

    problems = validate_with_bots(files)
    if json:
        print_json([problem._asdict() | {"path": str(problem.path)} for problem in problems])
    else:
        for problem in problems:
            say(str(problem))
        if not problems:
            say("Everything fits its schema.")
    if problems:
        raise typer.Exit(1)


def schema_command(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help=f"A schema, such as {examples.RECORD_SCHEMA}.",
            show_default="list",
            autocompletion=complete_schema,
        ),
    ] = None,
    modeline: Annotated[
        bool,
        typer.Option("--modeline", help="Print the line for the top of a YAML file by which editors find the schema."),
    ] = False,
    json: Json = False,
) -> None:
    """Print a JSON Schema, or without a name the names of all."""
    from tournament.errors import UsageError
    from tournament.records.schema import full_name, load_schema, make_schema, modeline_of, schema_names

    if modeline and name is None:
        raise UsageError("--modeline is for one schema. Name it: tournament schema configuration --modeline")
    if name is not None:
        known = full_name(name)
        if modeline:
            say(modeline_of(known))
        else:
            names_games = known in (full_name("configuration"), full_name("competition"), full_name("bot"))
            print_json(make_schema(known) if names_games else load_schema(known))
    elif json:
        print_json(list(schema_names()))
    else:
        say("\n".join(schema_names()))


def selftest_command(json: Json = False) -> None:
    """Run misbehaving bots to test which protections work on this machine, on Linux; exit code 1 if one fails."""
    from tournament.lab.hostile import selftest

    reports = selftest.selftest()
    if json:
        print_json(reports)
    else:
        say(selftest.format_selftest(reports))
    if not all(report.works for report in reports):
        raise typer.Exit(1)
