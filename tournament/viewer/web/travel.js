// Cards travel from a hand to the table and back, so that the eye sees what was done: only from a step to the one beside
// it, in one view, and not where motion is not wanted.

const TRAVEL_MS = 380;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

function placeOf(card) {
  const seat = card.closest("[data-seat]");
  return seat === null ? "centre" : `${seat.dataset.seat}${card.closest(".laid") ? " laid" : ""}`;
}

// Where each card lies, by card; where hidden ones lie, by place; and where each seat keeps those that it has captured.
function cardsLying(board) {
  const cards = new Map();
  const hidden = new Map();
  const captured = new Map();
  for (const pile of board.querySelectorAll("[data-captured]")) {
    captured.set(placeOf(pile), { box: pile.getBoundingClientRect(), count: Number(pile.dataset.captured) });
  }
  for (const card of board.querySelectorAll(".card")) {
    const lies = { card, place: placeOf(card), box: card.getBoundingClientRect(), used: false };
    if (card.classList.contains("card-back")) hidden.set(lies.place, { box: lies.box, count: (hidden.get(lies.place)?.count ?? 0) + 1 });
    else cards.set(card.dataset.card, [...(cards.get(card.dataset.card) ?? []), lies]);
  }
  return { cards, hidden, captured };
}

// Of equal cards, one that lay in the same place, else one that has no other place now.
function cameFrom(lies, before, now) {
  const same = (one, other) => !one.used && one.place === other.place;
  const found =
    before.find((one) => same(one, lies)) ?? before.find((one) => !one.used && !now.some((other) => other.place === one.place));
  if (found) found.used = true;
  return found?.box;
}

// Moves the cards of a new board from where they lay. One that was hidden comes from the backs: what is in a hand now
// from those of the table, all else from those of the seat that acted.
function travel(before, board, actor, ms) {
  const now = cardsLying(board);
  const appeared = []; // on the table, and nobody saw from where
  for (const [name, all] of now.cards) {
    for (const lies of all) {
      const hiddenIn = lies.place === String(actor) ? "centre" : String(actor);
      const moved = lies.card.classList.contains("moved");
      const from = cameFrom(lies, before.cards.get(name) ?? [], all) ?? (moved ? before.hidden.get(hiddenIn)?.box : undefined);
      if (from) moveFrom(lies, from, ms);
      else if (lies.place === "centre") appeared.push(lies);
    }
  }
  const vanished = [...before.cards.values()].flat().filter(({ place, used }) => place === "centre" && !used);
  for (const pile of ["captured", "hidden"]) {
    const [was, is] = [before[pile].get(String(actor)), now[pile].get(String(actor))];
    const more = (is?.count ?? 0) - (was?.count ?? 0);
    if (more > 0 && more === vanished.length) for (const lies of vanished) flyTo(lies, is.box, board, ms);
    if (more < 0 && -more === appeared.length) for (const lies of appeared) moveFrom(lies, smallIn(was.box, lies.box), ms);
  }
}

// A card as it is while it lies in a pile that is drawn as a few words.
function smallIn(pile, card) {
  const width = Math.min(card.width * 0.3, pile.width);
  return { left: pile.left + (pile.width - width) / 2, top: pile.top, width };
}

// Shows a card that is no longer on the table on its way to a pile.
function flyTo({ card, box }, pile, board, ms) {
  const [origin, goal] = [board.getBoundingClientRect(), smallIn(pile, box)];
  const slot = make("span", { class: "slot flies", "aria-hidden": "true" }, card);
  card.classList.remove("moved");
  Object.assign(slot.style, {
    left: `${box.left - origin.left}px`,
    top: `${box.top - origin.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  });
  board.append(slot);
  const end = `translate(${goal.left - box.left}px, ${goal.top - box.top}px) scale(${goal.width / box.width})`;
  const moving = slot.animate([{ transform: "none" }, { transform: end }], { duration: ms, easing: "cubic-bezier(.5, 0, .6, 1)" });
  moving.onfinish = moving.oncancel = () => slot.remove();
}

function moveFrom({ card, box }, from, ms) {
  const [x, y] = [from.left - box.left, from.top - box.top];
  if (Math.hypot(x, y) < 2) return;
  const slot = card.parentElement;
  const raised = [slot, slot.closest(".seat")].filter(Boolean);
  for (const element of raised) element.classList.add("travels");
  const start = `translate(${x}px, ${y}px) scale(${from.width / box.width})`;
  const moving = slot.animate([{ transform: start }, { transform: "none" }], { duration: ms, easing: "cubic-bezier(.25, .8, .35, 1)" });
  moving.onfinish = moving.oncancel = () => {
    for (const element of raised) element.classList.remove("travels");
  };
}
