"""`tournament game`: what can be played."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tournament.cli.output import Json, print_json, print_table, say
from tournament.errors import GameError

app = typer.Typer(no_args_is_help=True, help="Games: list them, show their options.")


@app.command("list")
def list_command(json: Json = False) -> None:
    """List the games that are installed."""
    from tournament.games import game_names

    values = []
    for name in game_names():
        try:
            values.append(_facts(name))
        except GameError as error:  # one broken package is no reason to hide the others
            say(f"Left out: {error}", err=True)
    if json:
        print_json(values)
    else:
        print_table(
            [
                (
                    value["name"],
                    value["title"],
                    _span(value["players"]),
                    value["rules_version"],
                )
                for value in values
            ],
            ("name", "title", "players", "rules version"),
        )


@app.command("show")
def show_command(name: Annotated[str, typer.Argument(help="A game, such as scout.")], json: Json = False) -> None:
    """Show a game: players and options with their defaults."""
    from tournament.cli.docstrings import docstrings_of
    from tournament.games import load_game

    value = _facts(name)
    if json:
        print_json(value)
        return
    say(f"{value['title']} ({name}): {_span(value['players'])} players")
    meanings = docstrings_of(load_game(name).Options)
    defaults = {option: "null" if default is None else str(default) for option, default in value["options"].items()}
    rows = [(option, shown, meanings.get(option, "").replace("None", "null")) for option, shown in defaults.items()]
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
