// The player: where it stands, whose view it shows, and everything that moves it.
const byId = (id) => document.getElementById(id);
const head = JSON.parse(byId("head-data").textContent);
const { header, last } = head;
const frames = [head.first];
const markSteps = head.marks.map((mark) => mark.step);
const known = head.audiences.map((audience) => audience.id);

let step = 0;
let wanted = 0; // where to go as soon as it is unpacked
let audience = known[0];
let speed = head.usual_speed;
let timer = null;
let written = "";

// Frames

async function unpack() {
  const packed = Uint8Array.from(atob(byId("frames-data").textContent), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")).pipeThrough(new TextDecoderStream());
  const reader = stream.getReader();
  let rest = "";
  let index = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      frames[index] = index === 0 ? head.first : line;
      index += 1;
    }
    listEvents();
    if (wanted !== step && wanted < frames.length) show(wanted);
  }
  listEvents();
  chartPoints();
  document.documentElement.dataset.unpacked = String(frames.length);
}

function chartPoints() {
  const points = frames.map((_, number) => pointsIn(frameAt(number)));
  if (points.includes(null) || last === 0) return;
  drawChart(byId("chart"), { points, marks: head.marks, names: header.names });
  const rounds = head.first.reading.round_points !== undefined;
  byId("chart-words").textContent = rounds ? gettext("Points of each seat, if the round ended at that step.") : gettext("Points of each seat.");
  moveChart(byId("chart"), step, last);
}

function frameAt(number) {
  if (typeof frames[number] === "string") frames[number] = JSON.parse(frames[number]);
  return frames[number];
}

function seenIn(frame, whose) {
  const own = frame.seen[whose];
  if (own === undefined) return null;
  const common = frame.seen[head.base];
  return { ...common, ...own, view: { ...common.view, ...own.view } };
}

// Drawing

function show(number, { quiet = false } = {}) {
  wanted = Math.min(Math.max(number, 0), last);
  if (wanted >= frames.length) return;
  step = wanted;
  drawStep();
  if (!quiet) writeLink();
}

// What else is said and shown of a step: before the table is laid out, and on its cards.
const saying = [];
const marking = [];

let drawnStep = null; // what stands on the table: the step and the view
let drawnAudience = null;

function drawStep() {
  const frame = frameAt(step);
  const travels = !calm.matches && drawnAudience === audience && Math.abs(step - drawnStep) === 1;
  const seen = seenIn(frame, audience);
  writeWords(frame, seen);
  for (const say of saying) say();
  const table = byId("table");
  const { width } = roomOf(table);
  const columns = columnsFor(header.names.length, width, byId("stage").clientHeight);
  const scene = { frame, header, seen, audience, width, columns, least: LEAST_CARD, seenBy: (whose) => seenIn(frame, whose) };
  const board = make("div", { class: "board" }, ...drawTable(scene));
  const before = travels ? cardsLying(table) : null;
  fitTable(table, board, LEAST_CARD);
  for (const mark of marking) mark();
  if (travels) {
    const { actor } = step > drawnStep ? frame : frameAt(drawnStep);
    travel(before, board, actor, timer === null ? TRAVEL_MS : Math.min(TRAVEL_MS, 600 / speed));
  }
  [drawnStep, drawnAudience] = [step, audience];
  markEvent();
}

function writeWords(frame, seen) {
  byId("where").textContent = frame.where;
  tellWhole(byId("short"), seen.short);
  byId("words").textContent = seen.words;
  tellWhole(byId("next"), frame.ending.length ? "" : frame.next);
  fillList("faults", seen.faults);
  fillList("ending", frame.ending);
  byId("live").textContent = [`${frame.where}:`, seen.words, ...seen.faults, ...(frame.ending.length ? frame.ending : [frame.next])].join(" ");
  const slider = byId("slider");
  slider.value = step;
  slider.setAttribute("aria-valuetext", `${frame.where}: ${seen.words}`);
  slider.style.setProperty("--done", `${last ? (100 * step) / last : 0}%`);
  if (document.activeElement !== byId("go")) byId("go").value = step;
  for (const button of document.querySelectorAll(".views button")) {
    button.setAttribute("aria-pressed", String(button.dataset.view === audience));
  }
  moveChart(byId("chart"), step, last);
}

function fillList(id, lines) {
  byId(id).hidden = lines.length === 0;
  byId(id).replaceChildren(...lines.map((line) => make("li", {}, line)));
}

function listEvents() {
  const list = byId("events");
  for (let number = list.children.length; number < frames.length; number += 1) {
    const { words, short } = toldAt(number);
    const button = make("button", { type: "button", tabindex: -1, "data-step": number, title: short ? words : null }, short || words);
    const kinds = head.marks.filter((mark) => mark.step === number).map((mark) => mark.kind);
    list.append(make("li", { value: number, class: kinds.join(" ") }, button));
  }
  markEvent();
}

function toldAt(number) {
  const frame = frameAt(number);
  return { ...frame.seen[head.base], ...frame.seen[audience] };
}

function relistEvents() {
  byId("events").replaceChildren();
  listEvents();
}

function markEvent() {
  const list = byId("events");
  const before = list.querySelector("[aria-current]");
  const now = list.children[step]?.firstElementChild;
  if (before && before !== now) {
    before.removeAttribute("aria-current");
    before.tabIndex = -1;
  }
  if (!now) return;
  now.setAttribute("aria-current", "step");
  now.tabIndex = 0;
  const top = now.offsetTop; // from the top of the list, which is positioned
  if (top < list.scrollTop || top + now.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

// Going

function after(steps, otherwise) {
  return steps.find((one) => one > step) ?? otherwise;
}

function before(steps, otherwise) {
  return steps.filter((one) => one < step).pop() ?? otherwise;
}

function goTo(number) {
  stop();
  show(number);
}

const DOES = {
  next: () => goTo(step + 1),
  back: () => goTo(step - 1),
  next_turn: () => goTo(after(head.turns, last)),
  previous_turn: () => goTo(before(head.turns, 0)),
  next_round: () => goTo(after(head.rounds, last)),
  previous_round: () => goTo(before(head.rounds, 0)),
  first: () => goTo(0),
  last: () => goTo(last),
  next_mark: () => goTo(after(markSteps, step)),
  previous_mark: () => goTo(before(markSteps, step)),
  go: () => {
    byId("menu").showPopover();
    byId("go").select();
  },
  play: () => (timer === null ? play() : stop()),
  faster: () => changeSpeed(1),
  slower: () => changeSpeed(-1),
  view: () => see(known[(known.indexOf(audience) + 1) % known.length]),
  all: () => see("all"),
  public: () => see("public"),
  seat: (key) => see(`seat${key}`),
  help: () => toggleHelp(),
};

function see(whose) {
  if (!known.includes(whose) || whose === audience) return;
  audience = whose;
  relistEvents();
  drawStep();
  writeLink();
}

// Playing on its own: the wait is asked for anew at every step, so that a new speed holds at once.

function play() {
  if (step === last) show(0);
  timer = setTimeout(playOn, wait());
  drawPlay();
}

function playOn() {
  show(step + 1, { quiet: true });
  if (step >= last) stop();
  else timer = setTimeout(playOn, wait());
}

function wait() {
  return ((markSteps.includes(step) ? 2 : 1) * 1000) / speed;
}

function stop() {
  if (timer === null) return;
  clearTimeout(timer);
  timer = null;
  drawPlay();
  writeLink();
}

function changeSpeed(change) {
  const place = head.speeds.indexOf(speed) + change;
  speed = head.speeds[Math.min(Math.max(place, 0), head.speeds.length - 1)];
  if (timer !== null) {
    clearTimeout(timer);
    timer = setTimeout(playOn, wait());
  }
  drawPlay();
}

function drawPlay() {
  const button = byId("play");
  button.replaceChildren(icon(timer === null ? "play" : "pause"));
  button.setAttribute("aria-label", timer === null ? gettext("play") : gettext("stop"));
  byId("speed").textContent = gettext("{speed}/s", { speed: formatNumber(speed) });
}

// The link to a step and a view

function fragment() {
  return `#step=${step}&view=${audience}`;
}

function writeLink() {
  if (timer !== null || fragment() === written) return;
  written = fragment();
  try {
    history.replaceState(null, "", written);
  } catch {
    // A browser that is asked too often refuses: the link is only a little behind.
  }
}

function readLink() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const view = asked.get("view");
  if (view !== null && known.includes(view) && view !== audience) {
    audience = view;
    relistEvents();
  }
  const number = Number.parseInt(asked.get("step") ?? "", 10);
  show(Number.isNaN(number) ? step : number);
  if (wanted === step) drawStep();
}

async function copy(words, button) {
  const usual = button.textContent;
  try {
    await navigator.clipboard.writeText(words);
    button.textContent = gettext("Copied");
  } catch {
    window.prompt(gettext("Copy this:"), words);
  }
  setTimeout(() => (button.textContent = usual), 1200);
}

// Help and theme

function toggleHelp() {
  const help = byId("help");
  byId("menu").hidePopover();
  if (help.open) help.close();
  else {
    stop();
    help.showModal();
  }
}

function nextTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep("theme", root.dataset.theme);
}

function keep(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`tournament-${name}`);
    localStorage.setItem(`tournament-${name}`, value);
  } catch {
    // No storage for files: the choice holds for this page.
  }
  return null;
}
