// A game that is watched in a frame of another page: it plays by itself, and tells that page when it is over and which
// keys were pressed on it. `projected=1` in the address shows it without controls, large enough for a hall.

const AFTER_THE_END_MS = 6000;
const projected = new URLSearchParams(location.search).has("projected");

let leaving = null;

function tellAround(what) {
  if (parent !== window) parent.postMessage(what, location.origin);
}

// As each step is drawn. Whoever goes to the end or back from it by hand is not taken away from there.
function leaveAtTheEnd() {
  clearTimeout(leaving);
  if (timer !== null && step === last) leaving = setTimeout(() => tellAround({ over: header.id }), AFTER_THE_END_MS);
}

function watch() {
  const kept = Number(keep("watching-speed"));
  if (!projected && head.speeds.includes(kept)) speed = kept;
  document.documentElement.classList.add("watched");
  document.documentElement.classList.toggle("projected", projected);
  if (projected) obey();
  else addEventListener("pagehide", () => keep("watching-speed", String(speed)));
  const pace = byId("speed").parentElement; // stays in sight
  pace.closest("section").hidden = true;
  byId("menu-button").before(pace);
  saying.push(leaveAtTheEnd);
  measureEdges();
  if (!projected) play();
  tellAround({ ready: header.id });
}

// A projector shows it for a while, stops it, and goes on later; keys are the projector's.
function obey() {
  marking.push(() => document.querySelectorAll(".row").forEach((row) => row.classList.add("plain"))); // the largest digits
  document.addEventListener(
    "keydown",
    (event) => {
      event.stopImmediatePropagation();
      if (event.key === " ") event.preventDefault();
      tellAround({ key: event.key });
    },
    true,
  );
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== parent || origin !== location.origin) return;
    if (data?.play === true && timer === null && step < last) play();
    if (data?.play === false) stop();
  });
}

watch();
