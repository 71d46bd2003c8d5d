// The page: what keys and the mouse do, and everything that is set up once.

const BY_KEY = new Map(head.keys.flatMap((key) => key.keys.map((one) => [one, key.does])));
const SLIDER_KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"];

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (byId("help").open) {
    if (BY_KEY.get(event.key) === "help") toggleHelp();
    return;
  }
  const at = event.target;
  if (at === byId("go")) {
    if (event.key === "Enter") {
      goTo(Number(at.value));
      byId("menu").hidePopover();
    }
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
  const does = BY_KEY.get(event.key);
  if (does === undefined) return;
  event.preventDefault();
  DOES[does](event.key);
}

function listen() {
  document.addEventListener("keydown", onKey);
  for (const button of document.querySelectorAll("[data-does]")) {
    button.addEventListener("click", () => DOES[button.dataset.does]());
  }
  byId("slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
  byId("go").addEventListener("change", (event) => goTo(Number(event.target.value)));
  byId("events").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) goTo(Number(button.dataset.step));
  });
  byId("mark-list").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) goTo(Number(button.dataset.step));
  });
  byId("chart").addEventListener("click", (event) => goTo(stepInChart(byId("chart"), event, last)));
  for (const views of document.querySelectorAll(".views")) {
    views.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) see(button.dataset.view);
    });
  }
  byId("copy-link").addEventListener("click", (event) => copy(location.href.split("#")[0] + fragment(), event.target));
  byId("copy-seed").addEventListener("click", (event) => copy(header.seed, event.target));
  byId("theme").addEventListener("click", nextTheme);
  byId("help-close").addEventListener("click", toggleHelp);
  addEventListener("hashchange", readLink);
  addEventListener("pagehide", stop);
  const edges = new ResizeObserver(measureEdges);
  edges.observe(byId("top"));
  edges.observe(byId("bar"));
  new ResizeObserver(() => drawStep()).observe(byId("stage"));
}

// What is left of the window for the game, between the head of the page and the bar.
function measureEdges() {
  const style = document.documentElement.style;
  style.setProperty("--top", `${byId("top").offsetHeight}px`);
  style.setProperty("--bar", `${byId("bar").offsetHeight}px`);
}

// What stands on the line of steps, in the menu: each with its sign, what it is, and a way to it.
function listMarks(marks) {
  const lines = marks.map((mark) => {
    const sign = make("span", { class: `sign ${mark.kind}`, "aria-hidden": "true" }, mark.sign ?? (mark.kind === "fault" ? "●" : "|"));
    return make("li", {}, make("button", { type: "button", "data-step": mark.step }, sign, ` ${mark.words}`, make("small", {}, " ", gettext("step {step}", { step: mark.step }))));
  });
  byId("mark-list").append(...lines);
  byId("mark-section").hidden = byId("mark-list").children.length === 0;
}

// The page

function setUp() {
  const theme = keep("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
  byId("title").textContent = header.title;
  const facts = [header.subtitle, gettext("game {id}", { id: header.id }), header.tournament, header.options && gettext("options: {options}", { options: header.options })];
  byId("facts").textContent = facts.filter(Boolean).join(" · ");
  byId("trouble").hidden = head.trouble === null;
  byId("trouble").textContent = head.trouble ?? "";
  byId("slider").max = byId("go").max = last;
  byId("last").textContent = last;
  byId("copy-seed").hidden = header.seed === null;
  if (head.back !== null) {
    byId("back-link").hidden = false;
    byId("back-link").href = head.back;
    byId("back-link").textContent = head.back_to;
  }
  const record = byId("record-data").textContent;
  if (record) {
    const link = byId("download");
    link.hidden = false;
    link.download = `${header.id}.json`;
    link.href = URL.createObjectURL(new Blob([record, "\n"], { type: "application/json" }));
  }
  const labels = new Map(head.keys.map((key) => [key.does, key]));
  for (const button of document.querySelectorAll("[data-icon]")) button.append(icon(button.dataset.icon));
  for (const button of document.querySelectorAll("[data-does]")) {
    const key = labels.get(button.dataset.does);
    if (key === undefined) continue;
    button.title = `${key.words} (${key.shown})`;
    if (!button.textContent || button.textContent.length === 1) button.setAttribute("aria-label", key.words);
  }
  for (const element of document.querySelectorAll(".by-round")) element.hidden = head.rounds.length < 2;
  for (const element of document.querySelectorAll(".by-mark")) element.hidden = head.marks.length === 0;
  byId("mark-words").textContent = labels.get("next_mark").label;
  for (const views of document.querySelectorAll(".views")) {
    views.append(...head.audiences.map(({ id, name }) => make("button", { type: "button", "data-view": id, title: name }, make("span", {}, name))));
    views.classList.toggle("only", known.length === 1);
  }
  byId("marks").append(
    ...head.marks.map((mark) => {
      const tick = make("span", { class: `tick ${mark.kind}` });
      tick.style.setProperty("--at", last ? mark.step / last : 0);
      return tick;
    }),
  );
  listMarks(head.marks);
  byId("keys").append(
    ...head.keys.map((key) => make("tr", {}, make("th", { scope: "row" }, make("kbd", {}, key.shown)), make("td", {}, key.words))),
  );
  byId("legend").append(...head.legend.map((line) => make("p", {}, line)));
}

document.documentElement.classList.remove("without-script");
setUp();
measureEdges();
listen();
drawPlay();
listEvents();
readLink();
unpack().catch(() => {
  byId("trouble").hidden = false;
  byId("trouble").textContent = gettext(
    "Only the first step can be shown: the rest of this file is damaged, or the browser is too old to unpack it.",
  );
});
