// Elements, cards and hands: what the drawings of all games are made of. Text goes in as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";

const LEAST_CARD = 34; // pixels: narrower, a card of the hand that acts could not be read
const LEAST_TOUCHED_CARD = 44; // pixels, where cards are touched
const SEAT_EDGES = 16; // pixels beside the cards in the place of a seat

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

// Writes a text that is shortened where there is no room for it: its title has the whole.
function tellWhole(element, words) {
  element.textContent = words;
  element.title = words;
}

// A number with the sign that is meant: a minus, not a hyphen.
function signed(number, plus = "") {
  return number < 0 ? `−${-number}` : `${plus}${number}`;
}

function count(number, word) {
  return `${number} ${number === 1 ? word : word + "s"}`;
}

// A card is drawn once and copied from then on. `identity` says which card it is where one can be held in two ways.
const drawn = new Map();

function copyOf(key, drawing, identity = key) {
  if (!drawn.has(key)) drawn.set(key, fill(drawing(), { "data-card": identity }, []));
  return drawn.get(key).cloneNode(true);
}

function cardFrame(kind, ...children) {
  return draw("svg", { class: `card ${kind}`, viewBox: "0 0 100 140", "aria-hidden": "true" }, ...children);
}

function back() {
  return copyOf("back", () =>
    cardFrame(
      "card-back",
      draw("rect", { class: "sheet", x: 1, y: 1, width: 98, height: 138, rx: 10 }),
      draw("rect", { class: "weave", x: 9, y: 9, width: 82, height: 122, rx: 5 }),
      draw("path", { class: "thread", d: "M9 40 L50 9 L91 40 M9 70 L50 39 L91 70 M9 100 L50 69 L91 100 M9 131 L50 99 L91 131" }),
      draw("circle", { class: "knot", cx: 50, cy: 70, r: 13 }),
    ),
  );
}

function text(value, x, y, size, className, turned = false) {
  const attributes = { x, y, "font-size": size, class: className };
  if (turned) attributes.transform = `rotate(180 ${x} ${y})`;
  return draw("text", attributes, value);
}

// Cards side by side. The page says how large they are; they move closer together until they fit, and the styles say how
// much of each has to stay in sight. More than `perLine` cards go into lines of equal length.
// `of` and `places` say which cards of a view these are, such as "hand" and their places in it.
function row(cards, { label, marked = [], perLine = Infinity, of = null, places = null }) {
  const element = make("div", { class: "row", role: "img", "aria-label": label });
  const lines = Math.max(1, Math.ceil(cards.length / perLine));
  const each = Math.ceil(cards.length / lines);
  for (let begin = 0; begin < cards.length; begin += each) {
    const line = make("div", { class: "line" });
    cards.slice(begin, begin + each).forEach((card, index) => {
      const at = begin + index;
      if (marked.includes(at)) card.classList.add("moved");
      line.append(make("span", { class: "slot", [`data-${of}`]: of ? (places ? places[at] : at) : null }, card));
    });
    element.append(line);
  }
  return element;
}

function backs(number, { label }) {
  const cards = Array.from({ length: number }, back);
  const element = row(cards, { label });
  element.classList.add("backs");
  return element;
}

// A pile or a stock: its name, a few words such as how many cards it has, and its cards, the top one last.
function pileBox(name, words, cards) {
  return make("div", { class: "pile" }, make("h3", {}, `${name} `, make("small", {}, ...words)), cards);
}

// Whether a step is about a seat: it acted, is next, or is one's own. Its cards stay large in a small window.
function isNear({ frame, audience, playing = false }, seat) {
  if (playing || audience === `seat${seat}`) return audience === `seat${seat}`;
  return frame.to_move === seat || (frame.actor === seat && frame.to_move !== null);
}

// The cards of a seat: its hand in order where the audience may know it, else their backs. The hand of a seat that acted
// or is next is folded into lines while its cards could not be read otherwise.
function handRow(scene, seat, cards, { size, drawing, marked = [], places = null }) {
  const name = scene.header.names[seat] ?? gettext("seat {seat}", { seat });
  if (cards === null) {
    const hidden = backs(size, { label: ngettext("{name} has {count} card face down", "{name} has {count} cards face down", size, { name }) });
    hidden.append(make("span", { class: "tally" }, ngettext("{count} card", "{count} cards", size)));
    return hidden;
  }
  const room = scene.width / scene.columns - SEAT_EDGES;
  const perLine = isNear(scene, seat) ? Math.max(2, Math.floor((room - scene.least) / (scene.least * 0.54)) + 1) : Infinity;
  const touched = cards.map((name, index) => ownSpot(scene, seat, drawing(name), `hand ${places ? places[index] : index}`));
  const label = cards.length ? gettext("hand of {name}: {cards}", { name, cards: cards.join(" ") }) : gettext("hand of {name}: no cards", { name });
  return row(touched, { label, marked, places, perLine, of: "hand" });
}

function chip(words, kind = "", title = null) {
  return make("span", { class: `chip ${kind}`, title }, words);
}

// A chip that keeps its sign where there is no room for its word.
function signChip(sign, word, kind) {
  return make("span", { class: `chip ${kind}`, title: word }, sign, make("span", { class: "word" }, ` ${word}`));
}

// The head of a seat's place at the table: who it is, what it is doing, and its points.
function seatHead(scene, seat, score, chips) {
  const { frame, header } = scene;
  const head = make("div", { class: "seat-head" }, make("span", { class: "seat-number", "aria-hidden": "true" }, String(seat)));
  const version = header.versions[seat];
  const called = header.names[seat] ?? gettext("seat {seat}", { seat });
  const title = [called, version && gettext("version {version}", { version })].filter(Boolean).join(" · ");
  const name = make("h3", { title }, called);
  head.append(name);
  if (frame.to_move === seat) head.append(signChip("▶", gettext("next"), "chip-next"));
  if (frame.actor === seat) head.append(signChip("✓", frame.stand_in ? gettext("stand-in acted") : gettext("acted"), "chip-acted"));
  if (frame.forfeits.includes(seat)) head.append(signChip("✕", gettext("forfeited"), "chip-fault"));
  if (chips.length) head.append(make("span", { class: "chips" }, ...chips));
  if (score !== null) head.append(make("span", { class: "score", title: gettext("points") }, ...score));
  return head;
}

function seatPlace(scene, seat, ...children) {
  const { frame, header } = scene;
  const classes = ["seat"];
  if (frame.to_move === seat) classes.push("is-next");
  if (isNear(scene, seat)) classes.push("is-near");
  return make("section", { class: classes.join(" "), "aria-label": header.names[seat] ?? gettext("seat {seat}", { seat }), "data-seat": seat }, ...children);
}

function seatsBox(scene, seats) {
  const box = make("div", { class: scene.columns > 1 ? "seats beside" : "seats" }, ...seats);
  box.style.setProperty("--columns", scene.columns);
  return box;
}

// The hand of a seat as the audience on show may know it; null where it may not.
function handOf(scene, seat) {
  const own = `seat${seat}`;
  if (scene.audience !== "all" && scene.audience !== own) return null;
  const seen = scene.seenBy(own);
  return seen && seen.view.hand ? seen.view.hand : null;
}

// Places that a person touches when they play in a page. Cards of the hand and of the table have the names `hand 0` and
// `table 0`, as `Pointed` numbers them; the other names are those that the game's `point_at` uses.
function spot(element, name) {
  element.dataset.spot = name;
  return element;
}

// The same for what belongs to a seat: one touches only one's own.
function ownSpot(scene, seat, element, name) {
  return scene.audience === `seat${seat}` ? spot(element, name) : element;
}
