"""The terminal viewer, walked by Textual's own pilot."""

from __future__ import annotations

import pytest
from made_records import illegal_fault, random_record, sealed, short_record
from msgspec import structs
from textual.widgets import Input, OptionList, Static
from walking import screen_text, walk

from tournament.replaying.positions import Replay
from tournament.viewer import terminal
from tournament.viewer.frames import ALL, PUBLIC, Audience, frames_of
from tournament.viewer.keys import KEYS, SPEEDS, keys_for
from tournament.viewer.terminal import GoTo, Help, ReplayApp, Timeline, terminal_key

SCOUT = short_record("scout", 3, seed=1, faults=[illegal_fault(7, 1)])
EXPLORERS = short_record("explorers", 2, seed=5)
FIVE = random_record("scout", 5, seed=3, faults=[illegal_fault(20, 1)])


def viewer(record, audience=ALL):
    """Returns the viewer of a record, also of one that breaks off."""
    return ReplayApp(frames_of(Replay.from_record(record, to_the_break=True), audience))


def shown(app):
    """Returns what is drawn of a step, apart from how far lists are scrolled."""
    parts = [str(app.query_one(name, Static).render()) for name in ("#title", "#scores", "#cards", "#words")]
    return parts, app.query_one(Timeline).render().plain, app.query_one(OptionList).highlighted


@pytest.mark.parametrize(
    "record",
    [short_record("scout", 2, seed=6), short_record("explorers", 3, seed=5, stock=6)],
    ids=["scout", "explorers"],
)
def test_a_whole_game_is_walked_forward_and_back_to_the_start_exactly(record):
    """The pilot walks the terminal viewer."""

    async def script(pilot):
        app = pilot.app
        start = screen_text(app)
        forth = [shown(app)]
        for _ in record.moves:
            await pilot.press("right")
            forth.append(shown(app))
        await pilot.press("right")
        end = shown(app)
        back = [end]
        for _ in record.moves:
            await pilot.press("left")
            back.append(shown(app))
        await pilot.press("left")
        await pilot.pause()

        assert forth[-1] == end
        assert len(forth) == len({str(step) for step in forth})
        assert forth == back[::-1]
        assert start == screen_text(app)

    walk(viewer(record), script)


@pytest.mark.parametrize(
    ("record", "keys", "name"),
    [
        (SCOUT, ["right"] * 9, "scout-step-9"),
        (SCOUT, ["n"], "scout-fault"),
        (SCOUT, ["p", "]", "]", "]", "]", "]"], "scout-public"),
        (SCOUT, ["end"], "scout-end"),
        (FIVE, ["n"], "scout-five-players"),
        (EXPLORERS, ["end", "["], "explorers-late"),
        (EXPLORERS, ["1", "end"], "explorers-seat1-end"),
        (SCOUT, ["question_mark"], "help"),
        (SCOUT, ["g"], "go-to"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_screen_is_as_kept(record, keys, name, snapshot):
    """Snapshots at 80x24."""

    async def script(pilot):
        await pilot.press(*keys)
        await pilot.pause()
        text = screen_text(pilot.app)

        assert 24 == len(text.splitlines())
        snapshot(f"terminal-{name}.txt", text)

    walk(viewer(record), script)


@pytest.mark.parametrize(
    ("does", "start", "expected"),
    [
        ("next", 10, 11),
        ("back", 10, 9),
        ("next_turn", 8, 10),
        ("previous_turn", 10, 8),
        ("next_round", 3, Replay.from_record(SCOUT).rounds[1]),
        ("previous_round", Replay.from_record(SCOUT).rounds[1] + 2, Replay.from_record(SCOUT).rounds[1]),
        ("first", 20, 0),
        ("last", 20, len(SCOUT.moves)),
        ("next_mark", 0, 7),
        ("previous_mark", 9, 7),
    ],
)
def test_every_key_goes_where_the_table_says(does, start, expected):
    """Each key; steps 9 and 10 are a scout and its play."""
    keys = next(key.keys for key in KEYS if key.does == does)

    async def script(pilot):
        for key in keys:
            pilot.app.go_to(start)
            await pilot.press(terminal_key(key))

            assert (key, expected) == (key, pilot.app.step)

    assert SCOUT.moves[8].then_play
    walk(viewer(SCOUT), script)


def test_whatever_the_key_table_names_can_be_done():
    """One table for the terminal, its help and the HTML replay."""
    bound = {binding.key for binding in ReplayApp.BINDINGS}
    keys = [terminal_key(key) for one in KEYS for key in one.keys]

    assert len(keys) == len(set(keys))
    assert set(keys) <= bound


def test_views_are_switched_with_keys():
    """v, a, p and the seats; the view is always labelled."""

    async def script(pilot):
        app = pilot.app
        seen = []
        for key in ("v", "v", "v", "v", "v", "2", "p", "a"):
            await pilot.press(key)
            seen.append(app.audience)
            label = "all cards" if app.audience == ALL else app.audience.id.replace("seat", "seat ")

            assert f" · {label} · " in str(app.query_one("#title", Static).render())

        assert [
            PUBLIC,
            Audience(seat=0),
            Audience(seat=1),
            Audience(seat=2),
            ALL,
            Audience(seat=2),
            PUBLIC,
            ALL,
        ] == seen

    walk(viewer(SCOUT), script)


def test_events_are_told_as_the_view_knows_them():
    """A draw from the stock is named to nobody else."""

    async def script(pilot):
        told = {}
        for key in ("a", "p", "0", "1"):
            await pilot.press(key)
            told[key] = str(pilot.app.query_one(OptionList).get_option_at_index(2).prompt)

        assert "draws the " in told["a"]
        assert told["a"] == told["0"]
        assert "draws a card from the stock" in told["p"]
        assert told["p"] == told["1"]

    walk(viewer(EXPLORERS), script)


def test_a_seat_that_is_not_there_or_not_given_is_refused():
    """A viewer opened for one seat shows no other."""

    async def script(pilot):
        for key in ("0", "a", "p", "4", "v"):
            await pilot.press(key)

            assert Audience(seat=1) == pilot.app.audience

    walk(viewer(SCOUT, Audience(seat=1)), script)


def test_a_number_is_gone_to_and_clamped():
    """g, then the number of a step."""

    async def script(pilot):
        for typed, expected in (("12", 12), ("999", len(SCOUT.moves)), ("0", 0)):
            await pilot.press("g")

            assert isinstance(pilot.app.screen, GoTo)
            await pilot.press(*typed, "enter")
            assert (typed, expected) == (typed, pilot.app.step)
        await pilot.press("g", "5", "escape")
        assert 0 == pilot.app.step
        await pilot.press("g", "enter")
        assert not isinstance(pilot.app.screen, GoTo)
        assert 0 == pilot.app.step

    walk(viewer(SCOUT), script)


def test_digits_typed_into_the_field_switch_no_view():
    """Shortcuts rest while somebody types."""

    async def script(pilot):
        await pilot.press("g", "1", "2")

        assert ALL == pilot.app.audience
        assert "12" == pilot.app.screen.query_one(Input).value

    walk(viewer(SCOUT), script)


def test_a_click_on_an_event_goes_there():
    """With a mouse."""

    async def script(pilot):
        await pilot.click("#events", offset=(10, 4))
        await pilot.pause()

        # The first row is the border.
        assert 3 == pilot.app.step
        assert 3 == pilot.app.query_one(OptionList).highlighted
        await pilot.press("right")
        assert 4 == pilot.app.step

    walk(viewer(SCOUT), script)


def test_a_click_on_the_line_of_steps_goes_there():
    """Models 4b, 1: by slider."""

    async def script(pilot):
        line = pilot.app.query_one(Timeline)
        await pilot.click(Timeline, offset=(line.size.width, 0))
        assert len(SCOUT.moves) == pilot.app.step
        await pilot.click(Timeline, offset=(1, 0))
        assert 0 == pilot.app.step

    walk(viewer(SCOUT), script)


def test_the_viewer_follows_a_resize():
    """Works on 80x24; beside each other where there is room."""

    async def script(pilot):
        app = pilot.app

        async def settled():
            # A resize is drawn after the screen has taken it, and the list scrolls after that.
            for _ in range(4):
                await pilot.pause()
            return screen_text(app)

        await pilot.press("end")
        small = await settled()
        await pilot.resize_terminal(140, 40)
        wide = await settled()
        beside = app.query_one("#events").region.x >= app.query_one("#table").region.right
        await pilot.resize_terminal(80, 24)

        assert beside
        assert 40 == len(wide.splitlines())
        assert small == await settled()

    walk(viewer(EXPLORERS), script)


def test_a_game_plays_on_its_own_to_its_end_and_again_from_the_start():
    """Space; stops at the end, begins again from there; a step by hand stops it."""

    async def script(pilot):
        app = pilot.app
        app.go_to(len(EXPLORERS.moves) - 2)
        await pilot.press("plus", "plus", "plus", "plus", "space")

        assert app.playing
        assert "▶ 8 a second" in str(app.query_one("#title", Static).render())
        while app.playing:
            await pilot.pause(0.02)
        assert len(EXPLORERS.moves) == app.step
        await pilot.press("minus", "minus", "minus", "minus", "minus", "minus", "space")
        assert (True, 0) == (app.playing, app.step)
        await pilot.press("space")
        assert not app.playing
        await pilot.press("space", "right")
        assert (False, 1) == (app.playing, app.step)

    walk(viewer(EXPLORERS), script)


def test_speed_stays_between_its_ends():
    """+ and - within a quarter and eight steps a second, also while playing."""

    async def script(pilot):
        await pilot.press(*["minus"] * len(SPEEDS))
        assert SPEEDS[0] == pilot.app.speed
        await pilot.press("space", "plus")
        assert (True, SPEEDS[1]) == (pilot.app.playing, pilot.app.speed)
        await pilot.press("space", *["equals_sign"] * len(SPEEDS))
        assert SPEEDS[-1] == pilot.app.speed

    walk(viewer(SCOUT), script)


def test_help_is_the_key_table_and_closes_again():
    """Models 4b, 10: help from the same table."""

    async def script(pilot):
        await pilot.press("question_mark")
        text = screen_text(pilot.app)

        assert isinstance(pilot.app.screen, Help)
        assert all(key.words in text for key in keys_for(judged=False))
        await pilot.press("escape")
        assert not isinstance(pilot.app.screen, Help)

    walk(viewer(SCOUT), script)


def test_q_leaves():
    """Q."""

    async def script(pilot):
        await pilot.press("q")
        await pilot.pause()

        assert not pilot.app.is_running

    walk(viewer(SCOUT), script)


def test_the_current_event_stays_in_sight():
    """Models 4b, 5: the current line is scrolled into view, also when long sentences take room."""

    async def script(pilot):
        await pilot.press("n")
        await pilot.pause()
        rows = [line for line in screen_text(pilot.app).splitlines() if line.lstrip().startswith("20 ! ")]

        assert 1 == len(rows)

    walk(viewer(FIVE), script)


def test_a_high_table_is_scrolled_with_the_keyboard():
    """PageDown and PageUp, where expeditions need more rows than there are."""

    async def script(pilot):
        await pilot.press("end")
        await pilot.pause()
        table = pilot.app.query_one("#table")
        await pilot.press("pagedown")
        await pilot.pause()
        assert table.scroll_y > 0
        await pilot.press("pageup")
        await pilot.pause()
        assert 0 == table.scroll_y

    walk(viewer(random_record("explorers", 4, seed=2)), script)


def test_a_broken_record_opens_with_its_trouble():
    """Models 4b, 12."""
    moves = (*EXPLORERS.moves[:4], EXPLORERS.moves[0], *EXPLORERS.moves[5:])

    async def script(pilot):
        await pilot.press("end")
        await pilot.pause()

        assert 4 == pilot.app.step
        assert "step 5: expected a legal action of seat 0" in screen_text(pilot.app)

    walk(viewer(sealed(structs.replace(EXPLORERS, moves=moves))), script)


def test_square_brackets_in_a_name_are_text(monkeypatch):
    """A bot called `[bold red]` steers nothing."""
    record = random_record("explorers", 2, seed=1, names=("[bold red]x[/]", "[/nothing]"))

    async def script(pilot):
        text = screen_text(pilot.app)

        assert "[bold red]x[/]" in text
        assert "[/nothing]" in text

    walk(viewer(record), script)


@pytest.mark.parametrize("terminal_there", [True, False])
def test_the_viewer_opens_only_in_a_terminal(terminal_there, monkeypatch, tmp_path):
    """Without one, `tournament replay` prints, as with --plain."""
    from tournament.cli import replay as replaying
    from tournament.records.codec import format_record

    opened = []
    file = tmp_path / "game.json"
    file.write_bytes(format_record(EXPLORERS))
    monkeypatch.setattr(replaying, "in_a_terminal", lambda: terminal_there)
    monkeypatch.setattr(terminal, "view_in_terminal", lambda frames, judgement: opened.append(frames))
    replaying.replay_command(str(file), plain=False, from_=None, to=None, seat=None, public=False)

    assert [len(EXPLORERS.moves) + 1] * terminal_there == [len(frames) for frames in opened]
