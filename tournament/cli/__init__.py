"""The command line: typer commands, grouped; no logic."""
