"""`tournament game`: the games that are installed, and their options."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from tournament import examples
from tournament.cli.options import complete_game
from tournament.cli.output import Json, print_json, print_table, say
from tournament.errors import GameError


def list_command(json: Json = False) -> None:
    """List the games that are installed."""
    from tournament.games import game_names

    values = []
    for name in game_names():
        try:
            values.append(_facts(name))
        except GameError as error:  # a broken package must not hide the others
            say(f"Left out: {error}", err=True)
    if json:
        print_json(values)
    else:
        print_table(
            [(value["name"], value["title"], _span(value["players"]), value["rules_version"]) for value in values],
            ("name", "title", "players", "rules version"),
        )


def show_command(
    name: Annotated[
        str, typer.Argument(metavar="GAME", help=f"A game, such as {examples.GAME}.", autocompletion=complete_game)
    ],
    json: Json = False,
) -> None:
    """Show the numbers of players and the options of a game."""
    from tournament.configuration.describing import docstrings_of
    from tournament.games import load_game

    value = _facts(name)
    if json:
        print_json(value)
        return
    say(f"{value['title']} ({name}): {_span(value['players'])} players")
    meanings = docstrings_of(load_game(name).Options)
    defaults = {option: "null" if default is None else str(default) for option, default in value["options"].items()}
    rows = [
        (option, shown, inspect.cleandoc(meanings.get(option, "")).replace("None", "null").replace("\n", " "))
        for option, shown in defaults.items()
    ]
    print_table(rows, ("option", "default", "means (in brackets: the rule)"))
    if defaults:
        some = next(iter(defaults.items()))
        players = value["players"][0]
        say(f"In a configuration: games: [{{game: {name}, players: {players}, options: {{{some[0]}: {some[1]}}}}}]")


def _span(players: list[int]) -> str:
    return str(players[0]) if len(players) == 1 else f"{players[0]} to {players[-1]}"


def _facts(name: str) -> dict[str, Any]:
    import msgspec

    from tournament.games import load_game

    game = load_game(name)
    return {
        "name": game.name,
        "title": game.title,
        "players": list(game.players),
        "rules_version": game.rules_version,
        "options": msgspec.to_builtins(game.Options()),
    }
