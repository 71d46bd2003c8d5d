// The page: what keys and the mouse do, and everything that is set up once.

const BY_KEY = new Map(head.keys.flatMap((key) => key.keys.map((one) => [one, key.action])));
const SLIDER_KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (byId("help").open) {
    if (BY_KEY.get(event.key) === "help") toggleHelp();
    return;
  }
  const at = event.target;
  if (at === byId("go")) {
    if (event.key === "Enter") goTo(Number(at.value));
    if (event.key === "Enter" || event.key === "Escape") at.blur();
    return;
  }
  if (at === byId("slider") && SLIDER_KEYS.includes(event.key)) return;
  // What belongs to a button or a link under the finger stays with it.
  if (at.closest?.("button, a") && (event.key === "Enter" || event.key === " ")) return;
  if (at.closest?.("#events") && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    goTo(step + (event.key === "ArrowDown" ? 1 : -1));
    byId("events").children[step]?.firstElementChild.focus();
    return;
  }
  const action = BY_KEY.get(event.key);
  if (action === undefined) return;
  event.preventDefault();
  ACTIONS[action](event.key);
}

function listen() {
  document.addEventListener("keydown", onKey);
  for (const button of document.querySelectorAll("[data-action]")) {
    button.addEventListener("click", () => ACTIONS[button.dataset.action]());
  }
  byId("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
  byId("go").addEventListener("change", (event) => goTo(Number(event.target.value)));
  byId("events").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) goTo(Number(button.dataset.step));
  });
  byId("chart").addEventListener("click", (event) => goTo(stepInChart(byId("chart"), event, last)));
  byId("views").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) see(button.dataset.view);
  });
  byId("copy-link").addEventListener("click", (event) => copy(location.href.split("#")[0] + fragment(), event.target));
  byId("copy-seed").addEventListener("click", (event) => copy(header.seed, event.target));
  byId("theme").addEventListener("click", nextTheme);
  byId("help-close").addEventListener("click", toggleHelp);
  addEventListener("hashchange", readLink);
  addEventListener("pagehide", stop);
  new ResizeObserver(() => drawStep()).observe(byId("table"));
}

// The page

function setUp() {
  const theme = keep("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  byId("title").textContent = header.title;
  const facts = [`game ${header.id}`, header.tournament, header.options && `options: ${header.options}`];
  byId("facts").textContent = facts.filter(Boolean).join(" · ");
  byId("trouble").hidden = head.trouble === null;
  byId("trouble").textContent = head.trouble ?? "";
  byId("slider").max = byId("go").max = last;
  byId("last").textContent = last;
  byId("copy-seed").hidden = header.seed === null;
  if (head.back !== null) {
    byId("back-link").hidden = false;
    byId("back-link").href = head.back;
  }
  const record = byId("record-data").textContent;
  if (record) {
    const link = byId("download");
    link.hidden = false;
    link.download = `${header.id}.json`;
    link.href = URL.createObjectURL(new Blob([record, "\n"], { type: "application/json" }));
  }
  const labels = new Map(head.keys.map((key) => [key.action, key]));
  for (const button of document.querySelectorAll("[data-action]")) {
    const key = labels.get(button.dataset.action);
    const { icon: sign, action } = button.dataset;
    if (sign && action === "next") button.append(icon(sign));
    else if (sign) button.prepend(icon(sign));
    else if (!button.textContent) button.textContent = key.label[0].toUpperCase() + key.label.slice(1);
    button.title = `${key.words} (${key.shown})`;
    button.setAttribute("aria-label", key.words);
  }
  for (const button of document.querySelectorAll(".by-round")) button.hidden = head.rounds.length < 2;
  for (const button of document.querySelectorAll(".by-mark")) button.hidden = head.marks.length === 0;
  byId("views").append(
    ...head.audiences.map(({ id, name }) => {
      const seat = id.startsWith("seat") ? header.names[Number(id.slice(4))] : null;
      const button = make("button", { type: "button", "data-view": id }, name);
      if (seat) button.append(make("span", { class: "who" }, ` ${seat}`));
      return button;
    }),
  );
  if (known.length === 1) byId("views").classList.add("only");
  byId("marks").append(
    ...head.marks.map((mark) => {
      const tick = make("span", { class: `tick ${mark.kind}` });
      tick.style.setProperty("--at", last ? mark.step / last : 0);
      return tick;
    }),
  );
  byId("keys").append(
    ...head.keys.map((key) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, key.shown)), make("td", {}, key.words))),
  );
  byId("legend").append(...head.legend.map((line) => make("p", {}, line)));
}

setUp();
listen();
drawPlay();
listEvents();
readLink();
unpack().catch(() => {
  byId("trouble").hidden = false;
  byId("trouble").textContent = "Only the first step can be shown: the rest of this file is damaged, or the browser is too old to unpack it.";
});
