// The points of all seats over the whole game: where it was won. A click goes to that step.
const CHART = { width: 640, height: 150, left: 46, right: 30, top: 12, bottom: 12 };
const LABEL_HEIGHT = 24; // of the largest type of the styles

function pointsIn(frame) {
  const { scores, round_points: round } = frame.reading;
  return scores ? scores.map((score, seat) => score + (round ? round[seat] : 0)) : null;
}

function chartX(step, last) {
  return CHART.left + ((CHART.width - CHART.left - CHART.right) * step) / Math.max(1, last);
}

// Labels at the ends of lines are moved apart where lines end close together.
function apart(places) {
  const order = places.map((_, index) => index).sort((a, b) => places[a] - places[b]);
  const moved = [...places];
  order.forEach((index, rank) => {
    if (rank > 0) moved[index] = Math.max(moved[index], moved[order[rank - 1]] + LABEL_HEIGHT);
  });
  const over = Math.max(0, moved[order.at(-1)] - (CHART.height - 6));
  return moved.map((place) => place - over);
}

function drawChart(figure, { points, marks, names }) {
  const last = points.length - 1;
  const all = points.flat();
  const low = Math.min(0, ...all), high = Math.max(1, ...all);
  const y = (value) => CHART.top + ((CHART.height - CHART.top - CHART.bottom) * (high - value)) / (high - low);
  const ends = apart(points[last].map(y));
  const seats = names.map((name, seat) => gettext("seat {seat}, {name}: {points}", { seat, name, points: signed(points[last][seat]) })).join("; ");
  const svg = draw("svg", { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": gettext("points at the end: {seats}", { seats }) });
  for (const mark of marks) {
    const x = chartX(mark.step, last);
    svg.append(draw("line", { class: `chart-mark ${mark.kind}`, x1: x, x2: x, y1: 4, y2: CHART.height - 4 }));
  }
  for (const value of new Set([low, 0, high])) {
    svg.append(draw("line", { class: value === 0 ? "chart-zero" : "chart-grid", x1: CHART.left, x2: CHART.width - CHART.right, y1: y(value), y2: y(value) }));
    svg.append(draw("text", { x: CHART.left - 8, y: y(value) + 5, "text-anchor": "end" }, signed(value)));
  }
  names.forEach((name, seat) => {
    const line = points.map((own, step) => `${chartX(step, last).toFixed(1)},${y(own[seat]).toFixed(1)}`).join(" ");
    svg.append(draw("polyline", { class: `chart-line seat-${seat}`, points: line }, draw("title", {}, gettext("seat {seat}, {name}", { seat, name }))));
    svg.append(draw("text", { class: `chart-end seat-${seat}`, x: CHART.width - CHART.right + 8, y: ends[seat] + 5 }, String(seat)));
  });
  svg.append(draw("line", { class: "chart-now", y1: 2, y2: CHART.height - 2 }));
  figure.prepend(svg);
  figure.hidden = false;
}

function moveChart(figure, step, last) {
  const now = figure.querySelector(".chart-now");
  if (!now) return;
  now.setAttribute("x1", chartX(step, last));
  now.setAttribute("x2", chartX(step, last));
}

function stepInChart(figure, event, last) {
  const box = figure.querySelector("svg").getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * CHART.width;
  return Math.round(((x - CHART.left) / (CHART.width - CHART.left - CHART.right)) * last);
}
