// Tables sort by any column.
function key(cell) {
  const text = cell?.textContent.trim() ?? "";
  const number = Number.parseFloat(text.replace("−", "-").replaceAll(",", ""));
  return /^[−+-]?[\d]/.test(text) && !Number.isNaN(number) ? number : text.toLowerCase();
}

function compare(first, second) {
  if (typeof first === "number" && typeof second === "number") return first - second;
  return String(first).localeCompare(String(second), "en", { numeric: true });
}

function sortBy(table, column, header) {
  const rising = header.getAttribute("aria-sort") !== "ascending";
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", rising ? "ascending" : "descending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => compare(key(a.cells[column]), key(b.cells[column])) * (rising ? 1 : -1));
  table.tBodies[0].append(...rows);
}

function prepare() {
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((header, column) => {
      if (!header.textContent) return;
      const button = document.createElement("button");
      button.type = "button";
      button.title = "sort by this column";
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
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of ["header.top", "main"]) document.querySelector(part).replaceWith(fresh.querySelector(part));
      document.body.dataset.refresh = fresh.body.dataset.refresh ?? "";
      prepare();
    } catch {
      // The server is gone for now: what is shown stays.
    }
  }
  refresh();
}

prepare();
refresh();
