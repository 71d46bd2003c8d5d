// Elements, cards and hands: what the drawings of all games are made of. Text goes in as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";

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

// A number with the sign that is meant: a minus, not a hyphen.
function signed(number, plus = "") {
  return number < 0 ? `−${-number}` : `${plus}${number}`;
}

// How wide the place of one seat is: two places side by side where many sit at a wide table.
function seatColumns(players, width, many) {
  return players >= many && width >= 760 ? 2 : 1;
}

function seatsBox(seats, columns) {
  return make("div", { class: columns === 2 ? "seats two" : "seats" }, ...seats);
}

function seatSpace(width, columns) {
  return (columns === 2 ? (width - 10) / 2 : width) - 28;
}

// How wide a card in a hand is: as large as many of them stay in sight.
function handCard(width, columns) {
  if (width <= 560) return 44;
  return width > 1100 && columns === 1 ? 60 : 52;
}

function count(number, word) {
  return `${number} ${number === 1 ? word : word + "s"}`;
}

// A card is drawn once and copied from then on.
const drawn = new Map();

function copyOf(key, drawing) {
  if (!drawn.has(key)) drawn.set(key, drawing());
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

// Cards side by side, closer together when there are many, and in rows when they could no longer be read.
// `step` is the least part of a card, of its width, that has to stay in sight.
function row(cards, { label, width, card, step = 0.42, marked = [], gap = 5 }) {
  const element = make("div", { class: "row", role: "img", "aria-label": label });
  const least = Math.round(card * step);
  const perLine = Math.max(1, Math.floor((width - card) / least) + 1);
  const lines = Math.max(1, Math.ceil(cards.length / perLine));
  const each = Math.ceil(cards.length / lines);
  for (let begin = 0; begin < cards.length; begin += each) {
    const line = cards.slice(begin, begin + each);
    const room = line.length > 1 ? (width - card) / (line.length - 1) : card;
    const distance = Math.min(card + gap, room);
    const box = make("div", { class: "line" });
    line.forEach((one, index) => {
      if (index > 0) one.style.marginLeft = `${(distance - card).toFixed(1)}px`;
      one.style.width = `${card}px`;
      if (marked.includes(begin + index)) one.classList.add("moved");
      box.append(one);
    });
    element.append(box);
  }
  return element;
}

function backs(number, { label, width, card }) {
  const box = make("div", { class: "row", role: "img", "aria-label": label });
  const line = make("div", { class: "line" });
  const distance = Math.min(card * 0.4, number > 1 ? (width - card) / (number - 1) : card);
  for (let index = 0; index < number; index += 1) {
    const one = back();
    one.style.width = `${card}px`;
    if (index > 0) one.style.marginLeft = `${(distance - card).toFixed(1)}px`;
    line.append(one);
  }
  box.append(line);
  return box;
}

function chip(words, kind = "", title = null) {
  return make("span", { class: `chip ${kind}`, title }, words);
}

// The head of a seat's place at the table: who it is, what it is doing, and its points.
function seatHead(scene, seat, score, chips) {
  const { frame, header } = scene;
  const head = make("div", { class: "seat-head" }, make("span", { class: "seat-number" }, String(seat)));
  const version = header.versions[seat];
  head.append(make("h3", { title: version ? `version ${version}` : null }, header.names[seat] ?? `seat ${seat}`));
  if (frame.to_move === seat) head.append(chip("▶ next", "chip-next"));
  if (frame.actor === seat) head.append(chip(frame.stand_in ? "stand-in acted" : "acted", "chip-acted"));
  if (frame.forfeits.includes(seat)) head.append(chip("forfeited", "chip-fault"));
  if (chips.length) head.append(make("span", { class: "chips" }, ...chips));
  if (score !== null) head.append(make("span", { class: "score", title: "points" }, ...score));
  return head;
}

function seatPlace(scene, seat, ...children) {
  const { frame } = scene;
  const classes = ["seat"];
  if (frame.to_move === seat) classes.push("is-next");
  if (frame.actor === seat) classes.push("is-actor");
  return make("section", { class: classes.join(" "), "aria-label": `seat ${seat}`, "data-seat": seat }, ...children);
}

// The hand of a seat as the audience on show may know it; null where it may not.
function handOf(scene, seat) {
  const own = `seat${seat}`;
  if (scene.audience !== "all" && scene.audience !== own) return null;
  const seen = scene.seenBy(own);
  return seen && seen.view.hand ? seen.view.hand : null;
}
