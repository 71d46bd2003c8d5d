"""`tournament game`: the games that are installed, and their options."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tournament import examples
from tournament.cli.options import InLanguage, complete_game
from tournament.cli.output import Json, print_json, print_table, say
from tournament.errors import GameError
from tournament.languages import gettext


def list_command(json: Json = False, language: InLanguage = None) -> None:
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
            [(value["name"], _title(value), _span(value["players"]), value["rules_version"]) for value in values],
            (gettext("name"), gettext("title"), gettext("players"), gettext("rules version")),
        )


def show_command(
    name: Annotated[
        str, typer.Argument(metavar="GAME", help=f"A game, such as {examples.GAME}.", autocompletion=complete_game)
    ],
    json: Json = False,
    language: InLanguage = None,
) -> None:
    """Show the numbers of players and the options of a game."""
    from tournament.configuration.describing import option_meanings
    from tournament.games import load_game, subtitle_of

    value = _facts(name)
    if json:
        print_json(value)
        return
    say(
        gettext("{title} ({name}): {players} players", title=value["title"], name=name, players=_span(value["players"]))
    )
    if subtitle := subtitle_of(name):
        say(subtitle)
    meanings = option_meanings(load_game(name).Options)
    defaults = {option: "null" if default is None else str(default) for option, default in value["options"].items()}
    rows = [(option, shown, gettext(meanings.get(option, ""))) for option, shown in defaults.items()]
    print_table(rows, (gettext("option"), gettext("default"), gettext("means (in brackets: the rule)")))
    if defaults:
        some = next(iter(defaults.items()))
        players = value["players"][0]
        entry = f"games: [{{game: {name}, players: {players}, options: {{{some[0]}: {some[1]}}}}}]"
        say(gettext("In a configuration: {entry}", entry=entry))


def _span(players: list[int]) -> str:
    if len(players) == 1:
        return str(players[0])
    return gettext("{least} to {most}", least=players[0], most=players[-1])


def _title(value: dict[str, Any]) -> str:
    """Returns the title of a game, and in brackets what it means, where a reader needs that."""
    from tournament.games import subtitle_of

    title, subtitle = str(value["title"]), subtitle_of(str(value["name"]))
    return f"{title} ({subtitle})" if subtitle else title


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
