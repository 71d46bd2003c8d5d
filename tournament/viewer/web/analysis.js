// What an analysis says: the margin that could be expected, the costliest moves, and words on the decision that is due.
// It follows the player and is not known to it: a page without an analysis has nothing of this.

let decisions = [];
let margins = {};
let audienceDrawn = null;

const decisionWords = make("p", { id: "decision", class: "decision", role: "status", "aria-live": "polite" });
const expectedFigure = make("figure", { id: "expected", class: "chart" });
const costlyRows = make("tbody");
const costlyTable = make(
  "div",
  { class: "costly-box", tabindex: 0, role: "region", "aria-labelledby": "costly-title" },
  make(
    "table",
    { class: "costly" },
    make("caption", { id: "costly-title" }, gettext("The costliest moves of each seat, the surest first")),
    make("thead", {}, make("tr", {}, ...columnNames().map((name) => make("th", { scope: "col" }, name)))),
    costlyRows,
  ),
);
const notShown = make("p", { class: "note", hidden: true }, gettext("What moves were worth tells of hands: choose a seat, or all cards."));
const expectedWords = make("figcaption");

function columnNames() {
  return [gettext("step"), gettext("seat"), gettext("chose"), gettext("cost"), gettext("better was")];
}

function isShown(decision) {
  return audience === "all" || audience === `seat${decision.seat}`;
}

function costlyShown() {
  return decisions.filter((one) => one.costly && isShown(one));
}

// The graph

function drawExpected() {
  const shown = decisions.filter(isShown);
  const seats = [...new Set(shown.map((one) => one.seat))].sort((a, b) => a - b);
  expectedFigure.querySelector("svg")?.remove();
  if (seats.length === 0) return;
  const lines = seats.map((seat) => shown.filter((one) => one.seat === seat));
  const reach = (one) => (seats.length === 1 ? one.half_width : 0);
  const values = [0, ...seats.map((seat) => margins[seat])];
  for (const one of shown) values.push(one.expected - reach(one), one.expected + reach(one), one.costly?.best ?? 0);
  const low = Math.min(...values), high = Math.max(...values, low + 1);
  const x = (at) => chartX(at, last).toFixed(1);
  const y = (value) => CHART.top + ((CHART.height - CHART.top - CHART.bottom) * (high - value)) / (high - low);
  const svg = draw("svg", { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": summary(seats, lines) });
  for (const mark of head.marks) svg.append(upright(`chart-mark ${mark.kind}`, x(mark.step)));
  for (const value of new Set([low, 0, high])) {
    const near = value !== 0 && Math.abs(y(value) - y(0)) < 14;
    svg.append(draw("line", { class: value === 0 ? "chart-zero" : "chart-grid", x1: CHART.left, x2: CHART.width - CHART.right, y1: y(value), y2: y(value) }));
    if (!near) svg.append(draw("text", { x: CHART.left - 8, y: y(value) + 5, "text-anchor": "end" }, signed(Math.round(value) || 0)));
  }
  const ends = apart(seats.map((seat) => y(margins[seat])));
  lines.forEach((line, index) => {
    const seat = `seat-${seats[index]}`;
    const at = (one, more = 0) => `${x(one.step)},${y(one.expected + more).toFixed(1)}`;
    if (seats.length === 1) {
      const edge = [...line.map((one) => at(one, one.half_width)), ...[...line].reverse().map((one) => at(one, -one.half_width))];
      svg.append(draw("polygon", { class: `band ${seat}`, points: edge.join(" ") }));
    }
    const end = `${x(last)},${y(margins[seats[index]]).toFixed(1)}`;
    svg.append(draw("polyline", { class: `chart-line ${seat}`, points: [...line.map((one) => at(one)), end].join(" ") }));
    svg.append(draw("text", { class: `chart-end ${seat}`, x: CHART.width - CHART.right + 8, y: ends[index] + 5 }, String(seats[index])));
  });
  for (const one of shown) if (one.costly) svg.append(costlyMark(one, Number(x(one.step)), y));
  svg.append(upright("chart-now", x(step)));
  const signs = gettext("▼ a costly move, ▽ one whose cost may be chance; arrows begin where the better move would have led.");
  const band = gettext("The band is the 95 % interval.");
  expectedWords.textContent = [head.analysis.about, ...(seats.length === 1 ? [band] : []), signs].join(" ");
  expectedFigure.prepend(svg);
}

function rounded(value) {
  const whole = Math.round(value);
  return whole === 0 ? "0" : signed(whole, "+");
}

function upright(kind, x) {
  return draw("line", { class: kind, x1: x, x2: x, y1: 3, y2: CHART.height - 3 });
}

// An arrow from what the better move could be expected to bring down to what was played.
function costlyMark(one, x, y) {
  const from = y(one.expected);
  return draw(
    "g",
    { class: `costly-mark seat-${one.seat} ${one.costly.sure ? "sure" : "perhaps"}` },
    draw("title", {}, one.words),
    draw("line", { x1: x, x2: x, y1: from, y2: y(one.costly.best) }),
    draw("path", { d: `M${x - 7} ${from - 13}h14l-7 12z` }),
  );
}

function summary(seats, lines) {
  const told = seats.map((seat, index) => {
    const first = lines[index][0].expected;
    const [from, to] = [rounded(first), rounded(margins[seat])];
    return gettext("seat {seat}, {name}: from {from} to {to}", { seat, name: header.names[seat], from, to });
  }).join("; ");
  const steps = costlyShown().map((one) => one.step).join(", ");
  if (!steps) return gettext("margin that could be expected, {seats}. The costliest moves: none", { seats: told });
  return gettext("margin that could be expected, {seats}. The costliest moves: steps {steps}", { seats: told, steps });
}

// The table of costly moves, and their marks on the line of steps

function listCostly() {
  const rows = costlyShown().sort((a, b) => b.costly.least - a.costly.least);
  costlyRows.replaceChildren(
    ...rows.map(({ step: at, seat, costly }) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, make("button", { type: "button", "data-step": at, "aria-label": gettext("go to step {step}", { step: at }) }, String(at))),
        make("td", { title: `${seat} ${header.names[seat]}` }, String(seat), make("span", { class: "who" }, ` ${header.names[seat]}`)),
        make("td", {}, costly.chose),
        make("td", { class: "cost" }, `${costly.sure ? "▼" : "▽"} ${costly.cost}`),
        make("td", {}, costly.better),
      ),
    ),
  );
  const ticks = rows.map(({ step: at, costly }) => {
    const tick = make("span", { class: `tick costly-tick ${costly.sure ? "sure" : "perhaps"}` }, costly.sure ? "▼" : "▽");
    tick.style.setProperty("--at", at / last);
    return tick;
  });
  for (const tick of byId("marks").querySelectorAll(".costly-tick")) tick.remove();
  byId("marks").append(...ticks);
  costlyTable.hidden = rows.length === 0;
}

// The cards of the decision that is due: what was chosen, and what would have been better

function markCards(decision) {
  const table = byId("table");
  for (const kind of ["chosen", "better"]) {
    const pointed = decision?.cards?.[kind];
    if (!pointed) continue;
    const seat = table.querySelector(`[data-seat="${decision.seat}"]`);
    const found = [
      ...pointed.hand.map((place) => seat.querySelector(`[data-hand="${place}"]`)),
      ...pointed.table.map((place) => table.querySelector(`[data-table="${place}"]`)),
      ...[...pointed.spots, pointed.to].map((name) => table.querySelector(`.centre [data-spot="${name}"]`)),
    ];
    for (const element of found.filter(Boolean)) element.classList.add(`judged-${kind}`);
    if (pointed.gap !== null) markGap(seat, pointed.gap, kind);
  }
}

function markGap(seat, gap, kind) {
  const after = seat.querySelector(`[data-hand="${gap}"]`);
  const mark = make("span", { class: `judged-gap gap-${kind}${after ? "" : " at-end"}`, "aria-hidden": "true" });
  (after ?? seat.querySelector(`[data-hand="${gap - 1}"]`))?.append(mark);
}

// Following the player

function dueDecision() {
  return decisions.find((one) => one.step === step && isShown(one));
}

function drawDecision() {
  const due = dueDecision();
  decisionWords.textContent = due ? due.words : "";
  decisionWords.classList.toggle("is-costly", Boolean(due?.costly));
  if (audienceDrawn !== audience && decisions.length > 0) {
    audienceDrawn = audience;
    drawExpected();
    listCostly();
    notShown.hidden = decisions.some(isShown);
    expectedFigure.hidden = !notShown.hidden;
  }
  moveChart(expectedFigure, step, last);
}

async function unpackAnalysis() {
  const packed = Uint8Array.from(atob(head.analysis.packed), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  ({ decisions, margins } = await new Response(stream).json());
  drawStep();
  document.documentElement.dataset.judged = String(decisions.length);
}

DOES.next_costly = () => goTo(after(costlyShown().map((one) => one.step), step));
DOES.previous_costly = () => goTo(before(costlyShown().map((one) => one.step), step));
document.querySelector(".by-mark").after(
  make(
    "div",
    { class: "pair" },
    make("button", { type: "button", "data-does": "previous_costly" }, "‹"),
    make("span", {}, gettext("▼ costly move")),
    make("button", { type: "button", "data-does": "next_costly" }, "›"),
  ),
);
expectedFigure.append(expectedWords);
byId("legend").append(make("p", {}, gettext("On the cards of a costly move: ▼ what was chosen, ▲ what would have been better; a bar is the place for a card.")));
document.querySelector(".say").after(decisionWords);
document.querySelector(".layout").append(
  make("section", { class: "judged", "aria-label": gettext("What the moves were worth") }, make("h2", {}, gettext("What the moves were worth")), notShown, expectedFigure, costlyTable),
);
expectedFigure.addEventListener("click", (event) => goTo(stepInChart(expectedFigure, event, last)));
costlyRows.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) goTo(Number(button.dataset.step));
});
saying.push(drawDecision);
marking.push(() => markCards(dueDecision()));
unpackAnalysis().catch(() => {
  byId("trouble").hidden = false;
  byId("trouble").textContent = gettext("The analysis in this file is damaged, or the browser is too old to unpack it.");
});
