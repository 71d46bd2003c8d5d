"""`python -m tournament`: the same as the command `tournament`."""

from tournament.cli.main import run

run()
