"""Commands that start soon: typer loads a library of validators even for options that were left out."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from tournament.cli.output import hush_stdout
from tournament.cli.stopping import stopped
from tournament.cli.streams import PatientStream


class LightCommand(TyperCommand):
    """Takes texts as they are, and leaves to typer only what is given and is something else."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments."""
        _lighten(self, ctx)
        return super().parse_args(ctx, args)


class LightGroup(TyperGroup):
    """The same of a group, which has options of its own."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments before the name of a command."""
        _lighten(self, ctx)
        with until_enough():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Carries out a command, for as long as somebody reads what it prints. Raises `Interrupted` on Ctrl-C."""
        try:
            with until_enough():
                return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:  # typer would end without a word
            raise stopped(interrupt) from None


@contextmanager
def until_enough() -> Iterator[None]:
    """Ends with 0 when whoever reads the output stops; typer would end with 1, which is what a check that failed is."""
    try:
        yield
    except BrokenPipeError:
        if isinstance(sys.stdout, PatientStream):
            raise  # it was not the output that broke
        hush_stdout()
        raise typer.Exit(0) from None


def _lighten(command: TyperCommand | TyperGroup, context: Any) -> None:
    types = {} if command.callback is None else get_type_hints(inspect.unwrap(command.callback))
    for parameter in command.get_params(context):  # with --help
        is_text = types.get(parameter.name or "") is str
        process = partial(_process, parameter, parameter.process_value, is_text=is_text)
        parameter.process_value = process  # type: ignore[method-assign]


def _process(parameter: Any, process: Callable[[Any, Any], Any], context: Any, value: Any, *, is_text: bool) -> Any:
    is_single = parameter.nargs == 1 and not parameter.multiple
    is_left_out = value is None and not parameter.required
    if not is_single or not (is_left_out or (is_text and isinstance(value, str))):
        return process(context, value)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)
