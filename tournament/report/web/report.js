// Tables sort by any column, links open the section they lead into, and a page that renews itself stays as it was left.
const PARTS = NUMBERS.formatToParts(-1234567.8);
const GROUPS = new RegExp(`(?<=\\d)[${PARTS.find((part) => part.type === "group").value}](?=\\d{3})`, "g");
const DECIMAL = PARTS.find((part) => part.type === "decimal").value;

function key(cell) {
  const text = cell?.textContent.trim() ?? "";
  const number = Number.parseFloat(text.replace("−", "-").replaceAll(GROUPS, "").replace(DECIMAL, "."));
  return /^[−+-]?[\d]/.test(text) && !Number.isNaN(number) ? number : text.toLowerCase();
}

function compare(first, second) {
  if (typeof first === "number" && typeof second === "number") return first - second;
  return compareNames(String(first), String(second));
}

function sortBy(table, column, header) {
  const rising = header.getAttribute("aria-sort") !== "ascending";
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", rising ? "ascending" : "descending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => compare(key(a.cells[column]), key(b.cells[column])) * (rising ? 1 : -1));
  table.tBodies[0].append(...rows);
}

// What a reader did to the page: which sections are open, how tables are sorted, how far boxes are scrolled.
function folds() {
  return document.querySelectorAll("details[id]");
}

function boxes() {
  return [...document.querySelectorAll(".table-box, .bracket")];
}

function remember() {
  const sorted = new Map();
  for (const table of document.querySelectorAll("table.sortable")) {
    const header = table.querySelector("th[aria-sort]");
    if (header) sorted.set(placeOf(table), [header.cellIndex, header.getAttribute("aria-sort")]);
  }
  return {
    open: new Map([...folds()].map((fold) => [fold.id, fold.open])),
    sorted,
    scrolled: new Map(boxes().map((box) => [box.getAttribute("aria-label"), [box.scrollLeft, box.scrollTop]])),
  };
}

// Titles of tables count games, so a table is known by its section and its place in it.
function placeOf(table) {
  const section = table.closest("section[id], details[id]");
  return `${section?.id} ${[...(section?.querySelectorAll("table.sortable") ?? [])].indexOf(table)}`;
}

function restore(before) {
  for (const fold of folds()) fold.open = before.open.get(fold.id) ?? fold.open;
  for (const table of document.querySelectorAll("table.sortable")) {
    const [column, order] = before.sorted.get(placeOf(table)) ?? [];
    if (column === undefined) continue;
    const header = table.tHead.rows[0].cells[column];
    if (!header) continue;
    if (order === "descending") header.setAttribute("aria-sort", "ascending");
    sortBy(table, column, header);
  }
  for (const box of boxes()) {
    const [left, top] = before.scrolled.get(box.getAttribute("aria-label")) ?? [0, 0];
    box.scrollTo(left, top);
  }
}

// A link into a section opens it.
function reveal() {
  const target = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  target?.scrollIntoView();
}

function prepare() {
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((header, column) => {
      if (!header.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.title = gettext("sort by this column");
      button.append(...header.childNodes);
      button.addEventListener("click", () => sortBy(table, column, header));
      header.append(button);
    });
  }
  document.getElementById("pause")?.addEventListener("click", pause);
}

// A served page of a run that goes on asks for itself anew, and stays where it is scrolled to.
let paused = false;

function pause(event) {
  paused = !paused;
  event.target.setAttribute("aria-pressed", String(paused));
}

async function refresh() {
  const seconds = Number(document.body.dataset.refresh);
  if (!seconds) return;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  if (!paused && !document.hidden) {
    try {
      const answer = await fetch(location.href);
      const text = await answer.text();
      const before = remember();
      const focused = document.activeElement?.id;
      const fresh = new DOMParser().parseFromString(text, "text/html");
      for (const part of ["header.top", "main"]) document.querySelector(part).replaceWith(fresh.querySelector(part));
      document.body.dataset.refresh = fresh.body.dataset.refresh ?? "";
      prepare();
      watchSizes();
      restore(before);
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    } catch {
      // The server is gone for now: what is shown stays.
    }
  }
  refresh();
}

// Says above a box that it scrolls, while some of it is out of sight.
const sizes = new ResizeObserver((entries) => {
  for (const entry of entries) hint(entry.target.closest(".table-box, .bracket"));
});

function hint(box) {
  const right = box.scrollWidth > box.clientWidth + 1;
  const down = box.scrollHeight > box.clientHeight + 1;
  let note = box.previousElementSibling;
  if (!note?.classList.contains("scrolls")) {
    if (!right && !down) return;
    note = document.createElement("p");
    box.before(note);
  }
  note.className = `note scrolls${right ? " right" : ""}${down ? " down" : ""}`;
  note.hidden = !right && !down;
  if (right && down) note.textContent = gettext("Scroll to see all columns and rows.");
  else note.textContent = right ? gettext("Scroll to see all columns.") : gettext("Scroll to see all rows.");
}

function watchSizes() {
  sizes.disconnect();
  for (const box of boxes()) {
    sizes.observe(box);
    if (box.firstElementChild) sizes.observe(box.firstElementChild);
  }
}

prepare();
watchSizes();
refresh();
reveal();
addEventListener("hashchange", reveal);
