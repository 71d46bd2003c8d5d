"""The plan of the house, executed: which room may import which, and what each room may do."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
import yaml

import tournament
from tournament.games import BUILT_IN

ROOT = Path(tournament.__file__).parent

# From the top: a room imports only from rows below its own, or from itself.
ROWS = (
    ("__main__",),
    ("cli",),
    ("arena",),
    ("auditing",),
    ("lab", "adapters", "report"),
    ("viewer", "run"),
    ("blocks", "testing"),
    ("referee", "replaying", "ranking"),
    ("configuration",),
    ("schedule", "players"),
    ("entrants",),
    ("store",),
    ("records", "deals"),
    ("hosts", "numbering", "plain_yaml", "workers"),
    ("games",),
    ("errors", "examples", "ids", "paths", "pure", "text", "version"),
    ("languages",),
)
ROW = {room: number for number, row in enumerate(ROWS) for room in row}

FILES = sorted(path for path in ROOT.rglob("*.py") if "data" not in path.relative_to(ROOT).parts)


def room_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "tournament"


def module_of(path: Path) -> str:
    parts = ("tournament", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports_of(path: Path) -> frozenset[str]:
    """Returns the modules a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                inside = (ROOT.parent / node.module.replace(".", "/") / f"{alias.name}.py").is_file()
                package = (ROOT.parent / node.module.replace(".", "/") / alias.name).is_dir()
                found.add(f"{node.module}.{alias.name}" if inside or package else node.module)
    return frozenset(found)


def own_imports_of(path: Path) -> set[str]:
    return {name for name in imports_of(path) if name.split(".")[0] == "tournament"}


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_a_room_imports_only_from_rows_below_its_own(path):
    room = room_of(module_of(path))
    if room == "tournament":
        pytest.skip("the public names are imported lazily, from every room")
    wrong = sorted(
        name
        for name in own_imports_of(path)
        if room_of(name) not in (room, "tournament") and ROW[room_of(name)] <= ROW[room]
    )

    assert [] == wrong


def test_every_room_has_its_line_in_contributing():
    """In the order of the rows, each with its number: the command has 1."""
    lines = (ROOT.parent / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    told = [
        (room, int(line.split("|")[2]))
        for line in lines
        if re.match(r"\| `.*\| \d+ \|", line)
        for room in re.findall(r"(\w+)(?:\.py|/)`", line.split("|")[1])
        if room != "linux"
    ]

    assert sorted(told, key=lambda one: one[1]) == told
    assert {room: number for room, number in ROW.items() if room != "__main__"} == dict(told)


def graph_of_imports() -> dict[str, set[str]]:
    """Returns by module which others of ours it imports: lazily too, for types, and by a name in a text."""
    modules = {module_of(path) for path in FILES}
    graph = {}
    for path in FILES:
        texts = {
            node.value.partition(":")[0]
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        graph[module_of(path)] = (own_imports_of(path) | texts - {"tournament"}) & modules - {module_of(path)}
    return graph


def test_no_modules_import_each_other_in_a_circle():
    """A module is understood with those it imports, and without those that import it."""
    left = graph_of_imports()
    while free := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in free}
    importing = {
        module: sorted(imported & left.keys())
        for module, imported in left.items()
        if any(module in others for others in left.values())
    }

    assert {} == importing


def test_paths_are_resolved_by_one_function_which_takes_links_that_lead_in_a_circle():
    """`Path.resolve` raises a `RuntimeError` there. Where the package lies there are none."""
    found = {
        f"{module_of(path)}: {ast.unparse(node)}"
        for path in FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr == "resolve"
    }

    assert set() == {place for place in found if "__file__" not in place}


CUTS = {"startswith", "endswith", "split", "rsplit", "partition", "rpartition", "removeprefix", "removesuffix"}


def cuts_in(node: ast.AST, place: str) -> set[tuple[str, str]]:
    """Returns where a text is taken apart (a function, a class, or the module for its own lines), and by what."""
    found = set()
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        found |= cuts_in(child, f"{place}.{child.name}" if named else place)
    if isinstance(node, ast.Attribute) and node.attr in CUTS:
        found.add((place, node.attr))
    elif isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == "re":
        found.add((place, f"re.{node.attr}"))
    return found


def test_texts_are_taken_apart_only_where_that_is_listed_with_its_reason():
    """No sentence of ours is read back: what it says is a value, and the sentence is made of it at the edge."""
    listed = yaml.safe_load(Path(__file__).with_name("texts_taken_apart.yaml").read_text(encoding="utf-8"))
    known = {place: cuts.split() for places in listed["places"].values() for place, cuts in places.items()}
    found: dict[str, list[str]] = {}
    reading = set()
    for path in FILES:
        for place, cut in sorted(cuts_in(tree_of(path), module_of(path))):
            inside = place.removeprefix("tournament.")
            reader = next((name for name in listed["readers"] if f"{inside}.".startswith(f"{name}.")), None)
            if reader is None:
                found.setdefault(inside, []).append(cut)
            reading.add(reader)

    assert known == found
    assert set(listed["readers"]) == reading - {None}


def test_no_two_public_classes_have_one_name():
    """But of migrations: Django finds each by the name of its class."""
    homes: dict[str, list[str]] = {}
    for path in (path for path in FILES if path.parent.name != "migrations"):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module_of(path))

    assert {} == {name: modules for name, modules in homes.items() if len(modules) > 1}


def test_no_folder_has_more_than_fifteen_modules():
    folders = Counter(module_of(path).rpartition(".")[0] for path in FILES if path.name != "__init__.py")

    assert {} == {folder: count for folder, count in folders.items() if count > 15}


def test_no_two_modules_of_one_row_have_one_name():
    """The folders of the games have the same parts, called the same."""
    homes: dict[tuple[int, str], list[str]] = {}
    for path in FILES:
        parts = module_of(path).split(".")
        if len(parts) > 2 and not (parts[1] == "games" and len(parts) == 4) and path.name != "__init__.py":
            homes.setdefault((ROW[parts[1]], parts[-1]), []).append(module_of(path))

    assert [] == [modules for modules in homes.values() if len(modules) > 1]


def test_every_room_has_its_row():
    rooms = {room_of(module_of(path)) for path in FILES} - {"tournament"}

    assert set() == rooms - set(ROW)


@pytest.mark.parametrize("path", [path for path in FILES if room_of(module_of(path)) == "games"], ids=module_of)
def test_rules_know_no_clock_file_process_or_log(path):
    """Games imports none of random, time, os, json, logging, subprocess."""
    forbidden = {"random", "time", "os", "json", "logging", "subprocess"}

    assert set() == {name.split(".")[0] for name in imports_of(path)} & forbidden


@pytest.mark.parametrize("room", ["replaying", "auditing", "viewer", "report"])
def test_showing_a_game_never_runs_a_bot(room):
    """Replay, audit, viewer, report never import players, referee or run, even by way of others."""
    seen: set[str] = set()
    waiting = [path for path in FILES if room_of(module_of(path)) == room]
    by_module = {module_of(path): path for path in FILES}
    while waiting:
        for name in own_imports_of(waiting.pop()):
            if name in by_module and name not in seen and name != "tournament":
                seen.add(name)
                waiting.append(by_module[name])

    assert set() == {room_of(name) for name in seen} & {"players", "referee", "run", "blocks"}


def test_subprocesses_are_started_only_by_players():
    """Subprocess only in players."""
    users = {room_of(module_of(path)) for path in FILES if "subprocess" in imports_of(path)}

    assert users <= {"players"}


def test_worker_pools_are_made_only_in_workers():
    """The run knows its futures, too, and the arena the processes that play its rounds and check its versions."""
    pools = {"concurrent", "multiprocessing"}
    users = {room_of(module_of(path)) for path in FILES if {name.split(".")[0] for name in imports_of(path)} & pools}

    assert users <= {"arena", "run", "workers"}


def test_seeded_generators_are_made_only_in_deals():
    """Seeded generators only in deals; testing is for authors, and seeds what it plays."""
    makers = set()
    for path in FILES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name == "Random":
                    makers.add(room_of(module_of(path)))

    assert makers <= {"deals", "testing", "players"}


@pytest.mark.parametrize(
    "path", [path for path in FILES if room_of(module_of(path)) not in ("games", "examples")], ids=module_of
)
def test_no_game_is_named_outside_its_folder(path):
    """A game from elsewhere gets everything ours have: no room knows a game by its name."""
    found = [
        f"{number}: {line.strip()}"
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if any(name in line.casefold() for name in BUILT_IN)
    ]

    assert [] == found


def test_no_script_or_template_names_a_game():
    """What a page draws of a game comes from the game."""
    rooms = [path for path in ROOT.rglob("*") if path.suffix in (".js", ".css", ".html", ".md", ".toml", ".txt")]
    outside = [path for path in rooms if path.relative_to(ROOT).parts[0] not in ("games", "data")]
    found = [path.name for path in outside if any(name in path.read_text().casefold() for name in BUILT_IN)]

    assert [] == found


def test_the_public_names_are_those_that_are_listed():
    """Public names, for notebooks too."""
    assert [
        "Analysis",
        "AuditReport",
        "Block",
        "Bot",
        "BotError",
        "Budget",
        "CheckReport",
        "Clock",
        "Comparison",
        "Configuration",
        "ConfigurationError",
        "Game",
        "GameEnd",
        "GameError",
        "GameStart",
        "Gate",
        "IllegalAction",
        "Interrupted",
        "NotComparableError",
        "Observer",
        "PassedOver",
        "Plan",
        "Problem",
        "Record",
        "RecordError",
        "Replay",
        "ResultLine",
        "Run",
        "RunComparison",
        "RunError",
        "RunInfo",
        "Standings",
        "TournamentError",
        "UsageError",
        "WorkerError",
        "analyse",
        "audit",
        "check_bot",
        "compare",
        "compare_runs",
        "gate",
        "load_game",
        "load_schema",
        "plan",
        "read_records",
        "replay",
        "run_tournament",
        "schema_names",
        "standings",
        "validate",
        "what_if",
        "write_analysis",
        "write_export",
        "write_public_copy",
        "write_replay",
        "write_report",
        "write_repro",
    ] == tournament.__all__
    assert all(callable(getattr(tournament, name)) for name in tournament.__all__)


def test_no_public_name_is_also_a_room():
    """`tournament.replay` is a function, whoever imports what."""
    rooms = {room_of(module_of(path)) for path in FILES}

    assert set() == rooms & set(tournament.__all__)


def test_the_public_places_beside_the_names_are_those_that_are_listed():
    """For authors of games, and for those who train bots; and what a distribution registers under."""
    from tournament import adapters, games, testing
    from tournament.adapters import gymnasium, observation, openspiel, pettingzoo
    from tournament.entrants import finder
    from tournament.games import cards, contract, drawing, explorers, parts, scout

    trained = (adapters, gymnasium, observation, openspiel, pettingzoo)
    assert all(map(inspect.ismodule, (*trained, cards, contract, drawing, parts)))
    assert {"ScoutAction", "ScoutView"} <= set(scout.__all__)
    assert {"ExplorersAction", "ExplorersView"} <= set(explorers.__all__)
    assert callable(testing.check_game)
    assert ("tournament.games", "tournament.bots") == (games.GROUP, finder.GROUP)


def test_types_are_shipped():
    """PEP 561: without this file a type checker takes nothing from an installed package."""
    assert (ROOT / "py.typed").is_file()


def test_no_file_of_the_package_is_over_four_hundred_lines():
    """CONTRIBUTING: files under about 400 lines."""
    long = {module_of(path): lines for path in FILES if (lines := len(path.read_text().splitlines())) > 420}

    assert {} == long


CITED = re.compile(r"(?<!docs/)\b(architecture|house|arena|statistics|protocol|isolation)\.md|\b[Ii]ssue #?\d")
REPOSITORY = ROOT.parent


@pytest.mark.parametrize("folder", ["tournament", "tests", "benchmarks", "bots"])
def test_nothing_cites_a_page_or_a_number_that_is_not_in_the_repository(folder):
    """A reader has what is here, and nothing else."""
    own = Path(__file__)
    found = [
        f"{path.relative_to(REPOSITORY)}:{number}: {line.strip()}"
        for path in sorted((REPOSITORY / folder).rglob("*.py"))
        if path != own
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if CITED.search(line) and '"docs"' not in line
    ]

    assert [] == found


def test_contributing_names_files_that_there_are():
    """Whoever follows it finds each file and folder where it says."""
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`([\w./-]+/[\w./-]*)`", text) if name == name.lower()}
    homes = (ROOT, REPOSITORY)

    assert set() == {name for name in named if not any((home / name).exists() for home in homes)}


def test_contributing_says_of_names_where_they_are_defined():
    """Whoever opens the file finds the enum, table or class there, and no import of it."""
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    placed = [
        (name, path)
        for names, path in re.findall(r"((?:`\w+`(?:, | and )?)+) in `([\w/]+\.py)`", text)
        for name in re.findall(r"\w+", names.replace(" and ", " "))
    ]
    defined = {path: next(home / path for home in (ROOT, REPOSITORY) if (home / path).exists()) for _, path in placed}

    assert placed
    assert [] == [
        (name, path)
        for name, path in placed
        if not re.search(rf"^(?:(?:class|def) )?{name}\b", defined[path].read_text(encoding="utf-8"), re.MULTILINE)
    ]
