// Turns from slide to slide, whatever happens: what cannot be read anew stays as it was, and a game that does not come is
// passed over. Arrows turn by hand, the space bar holds and goes on.

const byId = (id) => document.getElementById(id);
const LEAST_SECONDS = 5;
const MOST_SECONDS = 600;
const USUAL_SECONDS = 20;
const GAME_TURNS = 3; // a game is on show for so many times as long as the rest

const asked = Number(new URLSearchParams(location.search).get("seconds") || USUAL_SECONDS);
const seconds = Math.min(Math.max(Number.isFinite(asked) ? asked : USUAL_SECONDS, LEAST_SECONDS), MOST_SECONDS);
const watched = new Set();

let games = JSON.parse(byId("featured").textContent);
let game = null; // in the frame
let plays = false; // it has said that it is there
let place = null; // the name of the slide on show
let timer = null;
let held = false;
let reading = false;

// Slides

function slides() {
  return [...document.querySelectorAll(".slide:not([data-empty])")].filter((slide) => !("game" in slide.dataset) || plays);
}

function show(slide) {
  place = slide.dataset.slide;
  for (const other of document.querySelectorAll(".slide")) other.classList.toggle("on", other === slide);
  const list = slide.querySelector(".fit");
  if (list) fit(list);
  tellGame({ play: "game" in slide.dataset && !held });
  plan();
}

// Rows that do not fit are left out: nobody can scroll here. The columns of a bracket are shown from their end.
function fit(list) {
  for (const row of list.children) row.hidden = false;
  const rows = [...list.children];
  const across = list.classList.contains("columns");
  const outside = () => list.scrollHeight > list.clientHeight + 1;
  while (rows.length > 1 && outside()) (across ? rows.shift() : rows.pop()).hidden = true;
}

function turn(steps) {
  const all = slides();
  if (all.length === 0) return plan();
  const now = all.findIndex((slide) => slide.dataset.slide === place);
  const next = (now + steps + all.length) % all.length;
  if (next === 0) readAnew();
  return show(all[now < 0 ? 0 : next]);
}

function plan() {
  clearTimeout(timer);
  timer = null;
  byId("held").hidden = !held;
  if (!held) timer = setTimeout(() => turn(1), seconds * 1000 * (place === "game" ? GAME_TURNS : 1));
}

function hold() {
  held = !held;
  tellGame({ play: place === "game" && !held });
  plan();
}

// The game

function tellGame(what) {
  if (plays) byId("game").contentWindow.postMessage(what, location.origin);
}

function nextGame() {
  let next = games.find((one) => !watched.has(one.id));
  if (next === undefined) {
    watched.clear();
    next = games[0];
  }
  plays = false;
  game = next ?? null;
  if (game === null) return;
  watched.add(game.id);
  byId("who").textContent = game.who;
  byId("game").contentWindow.location.replace(new URL(`${game.frame}?projected=1#view=public`, location.href));
}

function hear(event) {
  if (event.origin !== location.origin || event.source !== byId("game").contentWindow) return;
  const { ready, over, key } = event.data ?? {};
  if (ready !== undefined && ready === game?.id) {
    plays = true;
    tellGame({ play: place === "game" && !held });
  }
  if (over !== undefined && over === game?.id) {
    turn(1);
    nextGame();
  }
  if (key !== undefined) press(key);
}

// News

async function readAnew() {
  if (reading) return;
  reading = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.ok) replace(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // The server is away for now: what is there is shown on.
  }
  reading = false;
}

function replace(fresh) {
  games = JSON.parse(fresh.getElementById("featured").textContent);
  const own = document.querySelector("[data-game]"); // stays: it plays
  own.toggleAttribute("data-empty", games.length === 0);
  for (const slide of document.querySelectorAll(".slide:not([data-game])")) slide.remove();
  const all = [...fresh.querySelectorAll(".slide")];
  const at = all.findIndex((slide) => "game" in slide.dataset);
  own.before(...all.slice(0, at));
  own.after(...all.slice(at + 1));
  if (!plays) nextGame();
  const now = slides();
  const slide = now.find((one) => one.dataset.slide === place) ?? now[0];
  if (slide === undefined) return;
  slide.classList.add("on");
  const list = slide.querySelector(".fit");
  if (list) fit(list);
  if (slide.dataset.slide !== place) show(slide);
}

function press(key) {
  if (key === "ArrowRight") turn(1);
  else if (key === "ArrowLeft") turn(-1);
  else if (key === " ") hold();
}

// Another language keeps what else the address asks for.
for (const link of document.querySelectorAll(".languages a[hreflang]")) {
  const address = new URL(location.href);
  address.searchParams.set("language", link.hreflang);
  link.href = address.search;
}
document.documentElement.classList.add("turns");
document.documentElement.dataset.seconds = seconds;
addEventListener("message", hear);
addEventListener("resize", () => document.querySelectorAll(".slide.on .fit").forEach(fit));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " ") event.preventDefault();
  press(event.key);
});
nextGame();
turn(0);
new EventSource(document.body.dataset.events).addEventListener("news", readAnew);
