// Searches the short lists of all games, which lie beside the page in files that are read one after the other.
const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const available = data.available === null ? null : new Set(data.available);
const analysed = new Set(data.analysed);
const STEP = 100;

const games = [];
let shown = STEP;
let loaded = 0;

globalThis.tournamentGames = (chunk) => {
  for (const line of chunk.games) {
    const [id, seats, scores, places, marks] = line.split(";");
    games.push({
      id: `${chunk.group}.${id}`,
      group: chunk.group,
      seats: seats.split(",").map((number) => chunk.entrants[number]),
      scores: scores.split(","),
      places: places.split(","),
      fault: marks.includes("F"),
      kept: !marks.includes("N"),
    });
  }
};

function load(list) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = list.file;
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => {
      byId("found").textContent = gettext("{file} could not be read: keep it beside this page.", { file: list.file });
      resolve();
    });
    document.head.append(script);
  });
}

function asked() {
  return {
    id: byId("id").value.trim(),
    group: byId("group").value,
    names: [byId("first").value, byId("second").value].filter(Boolean),
    faults: byId("faults").checked,
  };
}

function matches(game, wanted) {
  return (
    (!wanted.group || game.group === wanted.group) &&
    (!wanted.faults || game.fault) &&
    (!wanted.id || game.id.includes(wanted.id)) &&
    wanted.names.every((name) => game.seats.includes(name))
  );
}

// Why a game cannot be looked at; empty where it can.
function whyNot(game) {
  if (data.hidden) return gettext("hidden for now");
  if (!game.kept) return gettext("not kept");
  return available === null || available.has(game.id) ? "" : gettext("no page here");
}

function viewOf(game, view, text, label) {
  const link = document.createElement("a");
  link.href = `games/${game.id}.${view}.html`;
  link.textContent = text;
  link.setAttribute("aria-label", label);
  return link;
}

function rowOf(game) {
  const row = document.createElement("tr");
  const name = document.createElement("td");
  const why = whyNot(game);
  const has = !why;
  const label = document.createElement(has ? "a" : "code");
  if (has) label.href = `games/${game.id}.html`;
  label.textContent = game.id;
  name.append(label);
  if (why) {
    const reason = document.createElement("span");
    reason.className = "why";
    reason.textContent = why;
    name.append(" ", reason);
  }
  // A server also shows what one seat saw, and nothing else.
  if (has && available === null) {
    const views = document.createElement("span");
    views.className = "views";
    views.append(viewOf(game, "public", gettext("public"), gettext("{game} as public saw it", { game: game.id })));
    for (const seat of game.seats.keys()) {
      views.append(viewOf(game, `seat${seat}`, seat, gettext("{game} as seat {seat} saw it", { game: game.id, seat })));
    }
    name.append(views);
  }
  const who = document.createElement("td");
  who.className = "who";
  game.seats.forEach((entrant, seat) => {
    const part = document.createElement("span");
    const bot = document.createElement("a");
    bot.href = data.bots[entrant];
    bot.textContent = entrant;
    part.append(bot, ` ${game.scores[seat].replace("-", "−")}`);
    if (game.places[seat] === "1") part.className = "won";
    who.append(part);
  });
  if (game.fault) {
    const fault = document.createElement("span");
    fault.className = "kind";
    fault.textContent = gettext("fault");
    who.append(fault);
  }
  if (analysed.has(game.id)) {
    const note = document.createElement("span");
    note.className = "analysed";
    note.textContent = gettext("analysed");
    who.append(note);
  }
  row.append(name, who);
  return row;
}

function list() {
  const wanted = asked();
  const found = games.filter((game) => matches(game, wanted));
  byId("rows").replaceChildren(...found.slice(0, shown).map(rowOf));
  byId("more").hidden = found.length <= shown;
  const all = games.length;
  const values = { found: formatNumber(found.length) };
  byId("found").textContent =
    loaded < data.lists.length
      ? ngettext("{found} of {count} game, still reading", "{found} of {count} games, still reading", all, values)
      : ngettext("{found} of {count} game", "{found} of {count} games", all, values);
}

function choices(id, names) {
  const select = byId(id);
  const known = new Set([...select.options].map((option) => option.value));
  for (const name of names) {
    if (known.has(name)) continue;
    known.add(name);
    const option = document.createElement("option");
    option.value = option.textContent = name;
    select.append(option);
  }
}

function readLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  byId("id").value = link.get("id") ?? "";
  byId("group").value = link.get("group") ?? "";
  const names = link.getAll("with");
  byId("first").value = names[0] ?? "";
  byId("second").value = names[1] ?? "";
  byId("faults").checked = link.get("faults") === "1";
  shown = STEP;
  list();
}

function writeLink() {
  const wanted = asked();
  const link = new URLSearchParams();
  if (wanted.id) link.set("id", wanted.id);
  if (wanted.group) link.set("group", wanted.group);
  for (const name of wanted.names) link.append("with", name);
  if (wanted.faults) link.set("faults", "1");
  history.replaceState(null, "", `#${link}`);
  shown = STEP;
  list();
}

async function start() {
  choices("group", data.lists.map((one) => one.group));
  for (const one of data.lists) {
    await load(one);
    loaded += 1;
    const names = [...new Set(games.flatMap((game) => game.seats))].sort(compareNames);
    choices("first", names);
    choices("second", names);
    readLink();
  }
  list();
  document.documentElement.dataset.ready = "true";
}

for (const id of ["id", "group", "first", "second", "faults"]) byId(id).addEventListener("input", writeLink);
byId("more").addEventListener("click", () => {
  shown += STEP * 5;
  list();
});
addEventListener("hashchange", readLink);
start();
