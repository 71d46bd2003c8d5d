// The page of a person at the table: draws the sheets that come, and posts what the person chooses.
const byId = (id) => document.getElementById(id);
const head = JSON.parse(byId("head-data").textContent);
const mine = `seat${head.seat}`;
const header = {
  game: head.game,
  names: head.names.map((name, seat) => (seat === head.seat ? gettext("you") : name)),
  versions: head.versions,
};
const MOST_OFFERED = 6;
const STEP_MS = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 600; // how long a step of others is shown
const DRAG_PIXELS = 8; // how far a finger moves before it drags

let sheet = null; // the one that is shown
let choosing = new Choosing([]);
let busy = false; // something is posted, and its answer is not here yet
let listed = false; // all choices are listed
let people = {}; // by seat of a person: whether somebody is there
let saidOfPeople = "";
let drag = null;
let dragged = false; // the click that ends a drag is no tap

// Sheets: several that come at once are shown one after the other.

const waiting = [];
let shownAt = 0;
let timer = null;

function receive(event) {
  waiting.push(JSON.parse(event.data));
  if (timer === null) showSoon();
}

function receivePeople(event) {
  const before = people;
  people = JSON.parse(event.data);
  const changed = Object.keys(people).find((seat) => seat in before && before[seat] !== people[seat] && Number(seat) !== head.seat);
  if (changed !== undefined && ["", saidOfPeople].includes(byId("said").textContent)) {
    const name = head.names[changed];
    saidOfPeople = people[changed] === "here" ? gettext("{name} is here.", { name }) : gettext("{name} is away.", { name });
    say(saidOfPeople);
  }
  drawSheet();
}

// Beside the name of every other person: whether somebody has opened the link of their seat.
function markPeople(board) {
  for (const [seat, presence] of Object.entries(people)) {
    if (Number(seat) === head.seat) continue;
    const [word, title] = wordsOf(presence);
    const mark = chip(word, "chip-person", title);
    board.querySelector(`[data-seat="${seat}"] h3`)?.after(mark);
  }
}

function wordsOf(presence) {
  if (presence === "here") return [gettext("here"), gettext("Somebody has this seat's link open.")];
  if (presence === "away") return [gettext("away"), gettext("Nobody has this seat's link open now.")];
  return [gettext("not here yet"), gettext("Nobody has opened this seat's link yet.")];
}

function showSoon() {
  const wait = document.hidden ? 0 : Math.max(0, shownAt + STEP_MS - performance.now());
  timer = setTimeout(showNext, wait);
}

function showNext() {
  timer = null;
  const next = waiting.shift();
  const said = next.notice ?? (sheet?.notice ? "" : null);
  sheet = next;
  shownAt = performance.now();
  choosing = new Choosing(sheet.choices);
  busy = false;
  drag = null;
  say(said ?? "");
  drawSheet();
  document.documentElement.dataset.number = sheet.number;
  if (waiting.length) showSoon();
}

let stream = null;
let lost = false; // the table does not answer

function connect() {
  stream = new EventSource("sheets");
  stream.onmessage = receive;
  stream.addEventListener("people", receivePeople);
  stream.onopen = () => setLost(false);
  stream.onerror = () => {
    setLost(true);
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  };
}

function setLost(now) {
  lost = now;
  byId("prompt").classList.toggle("lost", lost);
  drawPrompt();
}

// Drawing

function drawSheet() {
  if (sheet === null) return;
  const { frame } = sheet;
  const table = byId("table");
  const least = LEAST_TOUCHED_CARD;
  const seen = frame.seen[mine];
  const scene = {
    frame,
    header,
    seen,
    audience: mine,
    width: roomOf(table).width,
    columns: columnsFor(header.names.length, roomOf(table).width, table.clientHeight),
    least,
    playing: true,
    seenBy: (whose) => (whose === mine ? seen : null),
  };
  const board = make("div", { class: "board" }, ...drawTable(scene));
  markPeople(board);
  fitTable(table, board, least);
  table.querySelector(`[data-seat="${head.seat}"]`)?.classList.add("mine");
  byId("where").textContent = frame.where;
  drawTold();
  byId("replay").hidden = byId("record").hidden = !sheet.over;
  byId("hint").hidden = byId("back").hidden = byId("list").hidden = sheet.over;
  drawChoices();
}

function drawTold() {
  const list = byId("told");
  list.replaceChildren(...sheet.told.map((line) => make("li", {}, line)));
  list.parentElement.scrollTop = list.parentElement.scrollHeight;
}

const isMyTurn = () => sheet !== null && sheet.choices.length > 0;

// Whether what may be done can be touched in the drawing; a game may have no places in its own.
function isTouchable() {
  const spots = new Set([...byId("table").querySelectorAll("[data-spot]")].map((one) => one.dataset.spot));
  return sheet.choices.every((choice) => choice.takes.every((spot) => spots.has(spot)));
}

function drawChoices() {
  drawSpots();
  const offered = choosing.offered(MOST_OFFERED);
  byId("offered").replaceChildren(...offered.map((index, place) => choiceButton(index, place === 0 && !choosing.isEmpty)));
  const all = isMyTurn() && (listed || !isTouchable());
  drawList(all);
  byId("list").setAttribute("aria-expanded", String(all));
  byId("list").textContent = isMyTurn()
    ? ngettext("Only {count} choice", "All {count} choices", sheet.choices.length)
    : gettext("All choices");
  byId("list").disabled = !isMyTurn();
  byId("hint").disabled = !isMyTurn() || head.hints === null;
  byId("back").disabled = sheet.take_back === null;
  drawPrompt();
  document.body.classList.toggle("my-turn", isMyTurn());
  document.body.classList.toggle("is-over", sheet.over);
}

// The list stays as it is while one touches cards: what is unfolded, and where one is in it.
function drawList(shown) {
  const list = byId("all");
  list.hidden = !shown;
  if (!shown) {
    list.replaceChildren();
  } else if (list.childElementCount === 0 || list.dataset.number !== String(sheet.number)) {
    list.replaceChildren(...listedChoices(groupedChoices(sheet.choices), listButton));
    list.dataset.number = sheet.number;
  }
  for (const button of list.querySelectorAll("button")) button.disabled = busy;
}

// The first line of the ending says how the game ended: the prompt tells it, unless it is about the connection.
function drawPrompt() {
  byId("prompt").textContent = prompt();
  const ending = sheet?.frame.ending.slice(lost ? 0 : 1) ?? [];
  byId("ending").hidden = ending.length === 0;
  byId("ending").replaceChildren(...ending.map((line) => make("li", {}, line)));
}

function prompt() {
  if (lost) return gettext("The table does not answer. Trying again.");
  if (sheet === null) return "";
  if (sheet.over) return sheet.frame.ending[0];
  if (!isMyTurn()) return sheet.frame.next;
  if (!isTouchable()) return gettext("Your turn. Choose below.");
  if (choosing.named !== null || choosing.goal !== null) return gettext("Your turn. Choose below.");
  const goals = new Set(choosing.exact().map((index) => goalOf(sheet.choices[index])));
  if (choosing.isEmpty) return gettext("Your turn. Touch something bright.");
  return goals.size > 1 ? ngettext("Touch its place.", "Touch one of {count} places for it.", goals.size) : gettext("Touch its place, or choose below.");
}

// Where a card is put in the hand, or, where several choices say the same, which cards of the hand are meant.
function whereOf(index) {
  const choice = sheet.choices[index];
  const hand = sheet.frame.seen[mine].view.hand ?? [];
  if (choice.gap !== null && hand.length) {
    const [before, after] = [hand[choice.gap - 1], hand[choice.gap]];
    if (before === undefined) return gettext("before {card}", { card: after });
    if (after === undefined) return gettext("behind {card}", { card: before });
    return gettext("between {before} and {after}", { before, after });
  }
  const isAlone = sheet.choices.filter(({ meaning }) => meaning === choice.meaning).length === 1;
  const places = [...hand.keys()].filter((place) => choice.takes.includes(`hand ${place}`));
  if (isAlone || places.length === 0) return "";
  const [first, last] = [places[0] + 1, places.at(-1) + 1];
  return first === last ? gettext("card {place} of your hand", { place: first }) : gettext("cards {first} to {last} of your hand", { first, last });
}

function choiceButton(index, first) {
  const { words, meaning } = sheet.choices[index];
  const button = make(
    "button",
    { type: "button", class: first ? "choice first" : "choice", "data-choice": index, "data-words": words, disabled: busy },
    make("span", {}, meaning || words),
    meaning && whereOf(index) ? make("small", {}, whereOf(index)) : null,
  );
  button.addEventListener("click", () => choose(index));
  return button;
}

// A button in the list of all choices. Below a heading it says what the heading does not; its name is whole all the same.
function listButton(index, isBelow) {
  const { words, meaning, listed } = sheet.choices[index];
  const shown = listed.words || whereOf(index);
  const button = choiceButton(index, false);
  if (!isBelow || !shown) return button;
  button.replaceChildren(make("span", {}, shown));
  if (listed.words && whereOf(index)) button.append(make("small", {}, whereOf(index)));
  button.setAttribute("aria-label", [meaning || words, whereOf(index)].join(" ").trim());
  return button;
}

// What may be touched stays bright; what is touched is lifted; where it may go is framed.
function drawSpots() {
  const table = byId("table");
  for (const marker of table.querySelectorAll(".gap")) marker.remove();
  if (!isMyTurn()) return;
  // While a card is put between those of the hand, all of them are to be read.
  const placing = !choosing.isEmpty && choosing.fitting(choosing.taken, null).some((index) => sheet.choices[index].gap !== null);
  for (const element of table.querySelectorAll("[data-spot]")) {
    const { spot } = element.dataset;
    const taken = choosing.taken.has(spot);
    element.classList.toggle("taken", taken);
    element.classList.toggle("bright", taken || choosing.goesWith(spot));
    element.classList.toggle("goal", !choosing.isEmpty && choosing.mayGoTo(spot));
    element.classList.toggle("chosen-goal", choosing.goal === spot);
    element.classList.toggle("dim", element.matches(".card") && !taken && !placing && !choosing.goesWith(spot));
  }
  if (!choosing.isEmpty) drawGaps();
}

// Marks between the cards of the hand, where a card may be put. They are no higher than the cards: above them stands the
// name of the seat, or another line of the hand.
function drawGaps() {
  const table = byId("table");
  const box = table.getBoundingClientRect();
  const left = choosing.fitting(choosing.taken, null);
  const gaps = [...new Set(left.map((index) => sheet.choices[index].gap).filter((gap) => gap !== null))];
  const edges = new Map();
  for (const gap of gaps) {
    const after = table.querySelector(`[data-spot="hand ${gap}"]`);
    const before = table.querySelector(`[data-spot="hand ${gap - 1}"]`);
    const rect = (after ?? before)?.getBoundingClientRect();
    if (rect) edges.set(gap, { x: after ? rect.left : rect.right, rect });
  }
  for (const [gap, { x, rect }] of edges) {
    const near = [...edges.values()].filter((other) => other.rect.top === rect.top && other.x !== x).map((other) => Math.abs(other.x - x));
    const wide = Math.min(rect.width, ...near);
    const marker = spot(make("div", { class: choosing.goal === `gap ${gap}` ? "gap chosen-goal" : "gap" }), `gap ${gap}`);
    Object.assign(marker.style, {
      left: `${x - wide / 2 - box.left + table.scrollLeft}px`,
      top: `${rect.top - box.top + table.scrollTop}px`,
      width: `${wide}px`,
      height: `${rect.height}px`,
    });
    table.append(marker);
  }
}

function say(words) {
  byId("said").textContent = words;
}

// Taps

// The places that a touch lies in, innermost first.
function spotsAt(element) {
  const spots = [];
  for (let one = element?.closest("[data-spot]"); one; one = one.parentElement?.closest("[data-spot]")) spots.push(one.dataset.spot);
  return spots;
}

function onTap(event) {
  if (dragged || !isMyTurn() || busy) {
    dragged = false;
    return;
  }
  const spots = spotsAt(event.target);
  if (spots.length === 0) choosing.clear();
  const made = spots.length ? choosing.touch(spots) : null;
  if (made !== null) choose(made);
  else drawChoices();
}

// Dragging: cards follow the pointer, and are let go over the place where they go.

function onDown(event) {
  dragged = false;
  if (!isMyTurn() || busy || !event.isPrimary || event.button !== 0) return;
  const element = event.target.closest?.("[data-spot]");
  if (!element || !choosing.mayTake(element.dataset.spot)) return;
  drag = { spot: element.dataset.spot, x: event.clientX, y: event.clientY, ghost: null, pointer: event.pointerId };
}

function onMove(event) {
  if (drag === null || event.pointerId !== drag.pointer) return;
  if (drag.ghost === null) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PIXELS) return;
    beginDrag();
  }
  drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
  const goal = goalUnder(event);
  for (const one of byId("table").querySelectorAll(".under")) one.classList.remove("under");
  if (goal !== null) byId("table").querySelector(`[data-spot="${goal}"]`)?.classList.add("under");
}

function beginDrag() {
  if (choosing.named !== null || choosing.goal !== null || !choosing.goesWith(drag.spot)) choosing.clear();
  choosing.taken.add(drag.spot);
  drawChoices();
  const cards = [...byId("table").querySelectorAll("[data-spot].taken")];
  drag.ghost = make("div", { class: "ghost", "aria-hidden": "true" }, ...cards.map(ghostOf));
  document.body.append(drag.ghost);
}

function ghostOf(element) {
  const card = (element.matches(".card") ? element : element.querySelector(".card") ?? element).cloneNode(true);
  delete card.dataset.spot;
  card.classList.remove("taken", "moved");
  card.style.marginLeft = "";
  return card;
}

function goalUnder(event) {
  for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
    const goal = spotsAt(element).find((spot) => !choosing.taken.has(spot) && choosing.mayGoTo(spot));
    if (goal !== undefined) return goal;
  }
  return null;
}

function onUp(event) {
  if (drag === null || event.pointerId !== drag.pointer) return;
  const { ghost } = drag;
  drag = null;
  if (ghost === null) return;
  ghost.remove();
  dragged = true;
  setTimeout(() => (dragged = false));
  const goal = event.type === "pointerup" ? goalUnder(event) : null;
  if (goal === null) choosing.clear();
  const made = goal === null ? null : choosing.goTo(goal);
  if (made !== null) choose(made);
  else drawChoices();
}

// Posts

async function post(name, values) {
  try {
    const answer = await fetch(name, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) });
    const said = answer.headers.get("Content-Type") === "application/json" ? await answer.json() : {};
    if (answer.ok) return said;
    say(said.said ?? gettext("The table did not take this. Load the page again."));
  } catch {
    say(gettext("The table does not answer. Try again."));
  }
  return null;
}

async function choose(index) {
  if (busy || !isMyTurn()) return;
  busy = true;
  choosing.name(index);
  drawChoices();
  if ((await post("choose", { number: sheet.number, choice: index })) !== null) return;
  busy = false;
  drawChoices();
}

async function hint() {
  if (busy || !isMyTurn() || head.hints === null) return;
  say(gettext("{bot}, which is not at this table, thinks.", { bot: head.hints }));
  const { number } = sheet;
  const given = await post("hint", { number });
  if (given === null || sheet.number !== number) return;
  choosing.name(given.choice);
  drawChoices();
  const { meaning } = sheet.choices[given.choice];
  const does = meaning ? [meaning, whereOf(given.choice)].join(" ").trim() : given.words;
  say(gettext("{bot}, which is not at this table, would choose: {words}", { bot: head.hints, words: does }));
}

async function takeBack() {
  if (busy || sheet === null || sheet.take_back === null) return;
  busy = true;
  say(gettext("The game is played again up to your move."));
  if ((await post("take-back", { step: sheet.take_back })) === null) busy = false;
}

// Keys

function step(by) {
  if (!isMyTurn()) return;
  const { length } = sheet.choices;
  const from = choosing.named ?? (by > 0 ? -1 : 0);
  choosing.name((from + by + length) % length);
  drawChoices();
  const { words, meaning } = sheet.choices[choosing.named];
  say(meaning ? [meaning, whereOf(choosing.named)].join(" ").trim() : words);
}

function enter() {
  const [first] = choosing.isEmpty ? [] : choosing.offered(MOST_OFFERED);
  if (first !== undefined) choose(first);
}

function toggleList() {
  listed = !listed;
  drawChoices();
  if (listed) byId("all").querySelector("button, summary")?.focus();
}

const KEYS = {
  ArrowRight: () => step(1),
  ArrowDown: () => step(1),
  ArrowLeft: () => step(-1),
  ArrowUp: () => step(-1),
  Enter: enter,
  Escape: () => {
    choosing.clear();
    say("");
    drawChoices();
  },
  h: hint,
  u: takeBack,
  l: toggleList,
  "?": () => byId("about").showModal(),
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("about").open || sheet === null) return;
  if (event.key === "Enter" && event.target.closest?.("button, a, summary")) return;
  if (event.target === byId("happened") && event.key.startsWith("Arrow")) return; // it is scrolled
  const action = KEYS[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

tellWhole(byId("title"), gettext("{title}, seat {seat}", { title: head.title, seat: head.seat }));
byId("legend").append(...head.legend.map((line) => make("p", {}, line)));
byId("table").addEventListener("click", onTap);
byId("table").addEventListener("pointerdown", onDown);
document.addEventListener("pointermove", onMove);
document.addEventListener("pointerup", onUp);
document.addEventListener("pointercancel", onUp);
document.addEventListener("dragstart", (event) => event.preventDefault());
document.addEventListener("keydown", onKey);
byId("hint").addEventListener("click", hint);
byId("back").addEventListener("click", takeBack);
byId("list").addEventListener("click", toggleList);
byId("help").addEventListener("click", () => byId("about").showModal());
byId("about-close").addEventListener("click", () => byId("about").close());
let size = "";
new ResizeObserver(([entry]) => {
  const now = `${Math.round(entry.contentRect.width)} ${Math.round(entry.contentRect.height)}`;
  if (now !== size) drawSheet();
  size = now;
}).observe(byId("table"));
connect();
