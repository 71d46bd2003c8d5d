// The table is laid out to the window: how many places of seats stand beside each other, and the largest cards with
// which everything is in sight. A table that does not fit with the smallest cards makes the page longer.

const LARGEST_CARD = 112; // pixels
const SMALLEST_OTHER = 14; // pixels
const PLAIN_CARD = 53; // pixels: smaller cards have larger digits and nothing else
// Sizes of cards, the smallest first: at the tight ones all that a seat has stands in one line if it did nothing, at the
// tightest its name, too, and no backs; at the small ones only the cards of such seats shrink further.
const TIGHTEST_LEVELS = 4;
const TIGHT_LEVELS = TIGHTEST_LEVELS + 6;
const SMALL_LEVELS = TIGHT_LEVELS + 14;
const LEVELS = SMALL_LEVELS + 30;

let level = LEVELS; // where the last search ended: the next one begins there

function between(low, high, part) {
  return low + (high - low) * part;
}

function sizesAt(number, least) {
  if (number < TIGHTEST_LEVELS) {
    return { hand: least, other: SMALLEST_OTHER, laid: SMALLEST_OTHER, middle: between(16, 24, number / TIGHTEST_LEVELS) };
  }
  if (number < TIGHT_LEVELS) {
    const part = (number - TIGHTEST_LEVELS) / (TIGHT_LEVELS - TIGHTEST_LEVELS);
    const other = between(SMALLEST_OTHER, SMALLEST_OTHER + 5, part);
    return { hand: least, other, laid: other, middle: between(24, LEAST_CARD, part) };
  }
  if (number < SMALL_LEVELS) {
    const part = (number - TIGHT_LEVELS) / (SMALL_LEVELS - TIGHT_LEVELS);
    return { hand: least, other: between(SMALLEST_OTHER, LEAST_CARD, part), laid: between(SMALLEST_OTHER, 24, part), middle: LEAST_CARD };
  }
  const hand = between(least, LARGEST_CARD, (number - SMALL_LEVELS) / (LEVELS - SMALL_LEVELS));
  return { hand, other: hand, laid: hand * 0.71, middle: hand * 1.1 };
}

// How many places of seats stand side by side: as many as make the cards largest, taking ten cards for a hand.
function columnsFor(players, width, height) {
  let best = 1, largest = 0;
  for (let columns = 1; columns <= Math.min(2, players); columns += 1) {
    if (columns > 1 && width / columns < 340) break;
    const high = ((height * 0.78) / Math.ceil(players / columns) - 40) / 1.4;
    const card = Math.min(high, width / columns / 5.5);
    if (card > largest * 1.08) {
      best = columns;
      largest = card;
    }
  }
  return best;
}

function roomOf(table) {
  const style = getComputedStyle(table);
  return {
    width: table.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
    height: table.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
  };
}

function kindOf(row) {
  if (row.closest(".laid")) return "laid";
  if (row.closest(".is-near")) return "hand";
  return row.closest(".seat") ? "other" : "middle";
}

// Sizes in the styles, and which rows have cards so small that their drawing leaves out what could not be seen.
function setLevel(board, rows, number, least) {
  level = number;
  const sizes = sizesAt(number, least);
  for (const [kind, size] of Object.entries(sizes)) board.style.setProperty(`--${kind}`, size.toFixed(1));
  board.classList.toggle("tightest", number < TIGHTEST_LEVELS);
  board.classList.toggle("tight", number < TIGHT_LEVELS);
  board.classList.toggle("small", number < SMALL_LEVELS);
  for (const row of rows) row.classList.toggle("plain", sizes[kindOf(row)] < PLAIN_CARD);
}

// Puts a board on the table as large as it fits. Sizes are tried out with empty slots, whose size the styles say: drawings
// would be styled anew with every try, which takes most of the time.
function fitTable(table, board, least) {
  const page = document.documentElement;
  const rows = [...board.querySelectorAll(".row")];
  const lines = [...board.querySelectorAll(".line, .centre")];
  const slots = [...board.querySelectorAll(".slot")];
  const cards = slots.map((slot) => slot.firstElementChild);
  for (const card of cards) card.remove();
  page.classList.remove("is-long");
  board.classList.remove("crowded");
  table.replaceChildren(board);
  const { height } = roomOf(table);
  const fits = () => board.offsetHeight <= height + 0.5 && lines.every((line) => line.scrollWidth <= line.clientWidth + 1);
  const fitsAt = (number) => {
    setLevel(board, rows, number, least);
    return fits();
  };
  const grow = () => {
    while (level < LEVELS && fitsAt(level + 1));
    if (!fits()) setLevel(board, rows, level - 1, least);
  };
  if (fitsAt(level)) {
    grow();
  } else {
    while (level > 0 && !fitsAt(level - 1));
    if (!fits()) {
      board.classList.add("crowded"); // drawings leave out what their labels and other places tell
      if (fits()) grow();
      else page.classList.add("is-long");
    }
  }
  slots.forEach((slot, index) => slot.append(cards[index]));
}
