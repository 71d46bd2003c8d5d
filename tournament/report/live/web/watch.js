// Shows the featured games one after the other. Each plays by itself in a frame and says when it is over; at news the list
// is read anew, and the game on show stays.

const byId = (id) => document.getElementById(id);
const MOST_WAITING_MS = 1500;

let games = JSON.parse(byId("featured").textContent);
let present = games[0] ?? null;
let asked = false;
const watched = new Set(present ? [present.id] : []);

function show(game) {
  present = game;
  watched.add(game.id);
  byId("who").textContent = game.who;
  byId("group").textContent = game.group;
  byId("merit").textContent = game.merit;
  byId("alone").href = game.address;
  byId("now").hidden = false;
  byId("nothing").hidden = true;
  byId("game").contentWindow.location.replace(new URL(game.frame, location.href));
}

// The first that was not on show; after all of them the first again.
function goOn() {
  let next = games.find((game) => !watched.has(game.id));
  if (next === undefined) {
    watched.clear();
    next = games.find((game) => game.id !== present?.id) ?? games[0];
  }
  if (next !== undefined) show(next);
}

async function readAnew() {
  if (asked) return;
  asked = true;
  // Not all readers ask in the same moment.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * MOST_WAITING_MS));
  asked = false;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    games = JSON.parse(fresh.getElementById("featured").textContent);
    const list = byId("more");
    const other = fresh.getElementById("more");
    if (!list.contains(document.activeElement) && !list.isEqualNode(other)) list.replaceWith(other);
    byId("age").replaceWith(fresh.getElementById("age"));
    if (present === null) goOn();
    byId("next").hidden = games.length < 2;
    tellAge();
  } catch {
    // The server is away for now: what is shown stays, and the browser opens the stream again.
  }
}

const UNITS = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];

function tellAge() {
  const age = byId("age");
  if (!age?.dataset.at) return;
  const seconds = Math.max(0, (Date.now() - Date.parse(age.dataset.at)) / 1000);
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? UNITS.at(-1);
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
  age.textContent = age.dataset.words.replace("{ago}", words.format(-Math.floor(seconds / size), unit));
}

addEventListener("message", (event) => {
  if (event.origin !== location.origin || event.source !== byId("game").contentWindow) return;
  if (event.data?.over === present?.id) goOn();
});
byId("next").hidden = games.length < 2;
byId("next").addEventListener("click", goOn);
setInterval(tellAge, 10_000);
tellAge();
new EventSource(document.body.dataset.events).addEventListener("news", readAnew);
