"""One frame as text: for `--plain`, and for the terminal viewer, which draws the same.

What is returned is rich text, whose `plain` says everything: no line depends on colour.
"""

from __future__ import annotations

import json
from typing import Any, Final

from msgspec import Struct, to_builtins
from rich.text import Text

from tournament.games import parts_of
from tournament.games.drawing import FAINT, blank_line, seat_label, seat_line
from tournament.games.parts import OffersText, Scene
from tournament.languages import gettext
from tournament.text import printable
from tournament.viewer.frames import Audience, Frame, Header
from tournament.viewer.judgement import Judgement

WIDTH: Final = 80


def draw_header(header: Header, audience: Audience, judgement: Judgement | None = None) -> Text:
    """Returns what holds for all frames: the game, the record, who sits where, what is shown, how it is judged."""
    first = gettext(
        "{title}: game {id} of {tournament}", title=header.title, id=header.id, tournament=header.tournament
    )
    lines = [Text(first, style="bold")]
    if header.options:
        lines.append(Text(gettext("options: {options}", options=header.options)))
    if header.seed is not None:
        lines.append(Text(gettext("deal seed: {seed}", seed=header.seed)))
    lines += [
        Text(
            gettext("seat {seat}: {name}, version {version}", seat=seat, name=name, version=version)
            if version
            else gettext("seat {seat}: {name}", seat=seat, name=name)
        )
        for seat, (name, version) in enumerate(zip(header.names, header.versions, strict=True))
    ]
    lines += [
        Text(gettext("shown: {view}", view=audience.name)),
        *(Text(line, style=FAINT) for line in legend(header.game)),
    ]
    if judgement is not None:
        lines += [Text(judgement.about), Text(judgement.list_costly(audience))]
    return Text("\n").join(lines)


def legend(game: str) -> tuple[str, ...]:
    """Returns what the signs in a drawing mean, a sentence a line."""
    parts = parts_of(game)
    own_signs = parts.text_signs if isinstance(parts, OffersText) else ()
    return (gettext("▶ moves next; * marks who acted last and what was moved last."), *own_signs)


def draw_frame(frame: Frame, header: Header, audience: Audience, *, judgement: Judgement | None = None) -> Text:
    """Returns a whole step: where it is, what happened, the table, who is next or how the game ended.

    With an analysis also what is said of the decision that is due.
    """
    return Text("\n").join(
        [
            Text(f"--- {frame.where} ", style="bold") + Text("-" * max(0, WIDTH - len(frame.where) - 5), style=FAINT),
            *draw_words(frame, audience),
            blank_line(),
            *draw_scene(scene_of(frame, header, audience)),
            blank_line(),
            *([Text(line, style="bold") for line in frame.ending] or [Text(frame.next)]),
            *draw_decision(judgement, frame, audience),
        ]
    )


def draw_words(frame: Frame, audience: Audience) -> list[Text]:
    """Returns the last action and the faults of a step, a sentence a line; faults begin with `!`."""
    seen = frame.seen[audience]
    return [Text(printable(seen.words), style="bold"), *(Text(f"! {fault}", style="red") for fault in seen.faults)]


def draw_decision(judgement: Judgement | None, frame: Frame, audience: Audience) -> list[Text]:
    """Returns what an analysis says of the decision that is due; nothing where it says nothing to that audience."""
    words = None if judgement is None else judgement.words(frame.step, audience)
    return [] if words is None else [Text(words, style="italic")]


def scene_of(frame: Frame, header: Header, audience: Audience, *, width: int = WIDTH) -> Scene:
    """Returns what a drawing of a step is made from, as one audience may see it."""
    seen = frame.seen[audience]
    seats = range(len(header.names))
    return Scene(
        view=seen.view,
        news=seen.news,
        hands={seat: frame.seen[Audience(seat=seat)].view for seat in seats if audience.may_see(seat)},
        seat=audience.seat,
        reading=frame.reading,
        names=header.names,
        actor=frame.actor,
        to_move=frame.to_move,
        forfeits=frame.forfeits,
        width=width,
    )


def draw_scene(scene: Scene) -> list[Text]:
    """Returns the cards, the seats and their points, as the game draws them; else what the views say of themselves."""
    parts = parts_of(scene.view.game)
    return parts.draw_text(scene) if isinstance(parts, OffersText) else _draw_any(scene)


def draw_scores(scene: Scene) -> Text:
    """Returns one line with every name and its points; long names are cut so that all fit."""
    scores, seats = scene.reading.scores, range(len(scene.names))
    room = scene.width // len(seats) - 2
    return Text("  ").join(
        [seat_label(scene, seat, score="" if scores is None else str(scores[seat]), width=room) for seat in seats]
    )


def _draw_any(scene: Scene) -> list[Text]:
    scores = scene.reading.scores
    lines = [
        seat_line(scene, seat, score="" if scores is None else str(scores[seat]), width=scene.width // 2)
        for seat in range(len(scene.names))
    ]
    if scene.seat is not None or not scene.hands:
        return lines + _lines_of(scene.view)
    lines += [blank_line(), Text(gettext("as the public sees it"), style=FAINT), *_lines_of(scene.view)]
    for seat, view in scene.hands.items():
        lines += [blank_line(), Text(gettext("as seat {seat} sees it", seat=seat), style=FAINT), *_lines_of(view)]
    return lines


def _lines_of(view: Any) -> list[Text]:
    """Returns the text a view has of its own, else its values as JSON."""
    own_text: object = type(view).__str__
    has_none = own_text in (object.__str__, Struct.__str__)
    text = json.dumps(to_builtins(view), indent=2, ensure_ascii=False) if has_none else str(view)
    return [Text(printable(line)) for line in text.splitlines()]
