// Which drawing a game has; a game without one is shown by what its views say of themselves.
const DRAWINGS = { {{functions}} };

function drawAny(scene) {
  const { frame, header, seen } = scene;
  const seats = header.names.map((_, seat) => {
    const score = frame.reading.scores ? [signed(frame.reading.scores[seat])] : null;
    const own = scene.audience === "all" ? scene.seenBy(`seat${seat}`) : null;
    const view = own ? make("pre", {}, JSON.stringify(own.view, null, 2)) : null;
    return seatPlace(scene, seat, seatHead(scene, seat, score, []), view);
  });
  const centre = make("section", { class: "centre", "aria-label": gettext("the view") }, make("pre", {}, JSON.stringify(seen.view, null, 2)));
  return [centre, seatsBox(scene, seats)];
}

function drawTable(scene) {
  const drawing = DRAWINGS[scene.header.game] ?? drawAny;
  return drawing(scene);
}

const ICONS = {
  first: "M5 4v16M19 4 8 12l11 8z",
  back: "M15 4l-9 8 9 8",
  play: "M7 4l12 8-12 8z",
  pause: "M7 4h4v16H7zM14 4h4v16h-4z",
  next: "M9 4l9 8-9 8",
  last: "M19 4v16M5 4l11 8-11 8z",
  menu: "M4 6h16M4 12h16M4 18h16",
};

function icon(name) {
  return draw("svg", { class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: ICONS[name] }));
}
