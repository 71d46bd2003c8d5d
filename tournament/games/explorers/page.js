// De store oppdagere: stock and piles, and each seat with its hand and its expeditions.
const SUITS = {
  C: { name: "clubs", path: "M10 .8a4.3 4.3 0 0 1 3.5 6.8 4.3 4.3 0 1 1-2.5 7.5c.1 1.8.9 3.2 2.2 4.1H6.8c1.3-.9 2.1-2.3 2.2-4.1a4.3 4.3 0 1 1-2.5-7.5A4.3 4.3 0 0 1 10 .8z" },
  D: { name: "diamonds", path: "M10 .6Q13 6 17.6 10 13 14 10 19.4 7 14 2.4 10 7 6 10 .6z" },
  H: { name: "hearts", path: "M10 18.6C4 13.6 1 10 1 6.2 1 3.3 3.1 1.4 5.5 1.4c2 0 3.6 1.2 4.5 3 .9-1.8 2.5-3 4.5-3C16.900 1.4 19 3.3 19 6.200 19 10 16 13.6 10 18.600z" },
  S: { name: "spades", path: "M10 .8c4 5 8.500 7.300 8.500 11.200 0 2.700-2.100 4.300-4.200 4.300-1.500 0-2.700-.7-3.400-1.700.1 1.900.9 3.600 2.300 4.600H6.800c1.400-1 2.200-2.700 2.300-4.600-.7 1-1.900 1.700-3.400 1.700-2.100 0-4.200-1.600-4.200-4.300C1.500 8.100 6 5.800 10 .8z" },
};
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const LEFT = 34, MIDDLE = 50, RIGHT = 66;
// Where pips stand: columns and rows of each rank, as on any pack of cards.
const PIPS = {
  A: [[MIDDLE, 70]],
  2: [[MIDDLE, 36], [MIDDLE, 104]],
  3: [[MIDDLE, 36], [MIDDLE, 70], [MIDDLE, 104]],
  4: [[LEFT, 36], [RIGHT, 36], [LEFT, 104], [RIGHT, 104]],
  5: [[LEFT, 36], [RIGHT, 36], [MIDDLE, 70], [LEFT, 104], [RIGHT, 104]],
  6: [[LEFT, 36], [RIGHT, 36], [LEFT, 70], [RIGHT, 70], [LEFT, 104], [RIGHT, 104]],
  7: [[LEFT, 36], [RIGHT, 36], [MIDDLE, 53], [LEFT, 70], [RIGHT, 70], [LEFT, 104], [RIGHT, 104]],
  8: [[LEFT, 36], [RIGHT, 36], [MIDDLE, 53], [LEFT, 70], [RIGHT, 70], [MIDDLE, 87], [LEFT, 104], [RIGHT, 104]],
  9: [[LEFT, 34], [RIGHT, 34], [LEFT, 58], [RIGHT, 58], [MIDDLE, 70], [LEFT, 82], [RIGHT, 82], [LEFT, 106], [RIGHT, 106]],
  10: [[LEFT, 34], [RIGHT, 34], [MIDDLE, 46], [LEFT, 58], [RIGHT, 58], [LEFT, 82], [RIGHT, 82], [MIDDLE, 94], [LEFT, 106], [RIGHT, 106]],
};
const CROWNS = {
  J: "M36 50 q14 -16 28 0 l-3 9 h-22 z M58 40 q12 -8 8 8",
  Q: "M34 46 l8 8 8 -14 8 14 8 -8 -4 17 h-24 z",
  K: "M34 41 l9 9 7 -13 7 13 9 -9 -3 22 h-26 z M47 33 h6 M50 30 v7",
};

function suitName(suit) {
  return { C: gettext("clubs"), D: gettext("diamonds"), H: gettext("hearts"), S: gettext("spades") }[suit];
}

function suitSign(suit, x, y, size, turned = false) {
  const scale = size / 20;
  const turn = turned ? ` rotate(180 10 10)` : "";
  return draw("path", { d: SUITS[suit].path, transform: `translate(${x - size / 2} ${y - size / 2}) scale(${scale})${turn}` });
}

function corner(rank, suit) {
  return draw(
    "g",
    { class: "many" },
    text(rank, rank === "10" ? 17 : 15, 28, rank === "10" ? 25 : 29, "rank"),
    suitSign(suit, 15, 43, 19),
    text(suit, 15, 68, 15, "letter"),
  );
}

// What a small card has instead: rank, sign and letter, as large as can be.
function largeCorner(rank, suit) {
  return draw(
    "g",
    { class: "few" },
    text(rank, 4, 40, rank === "10" ? 38 : 46, "rank"),
    suitSign(suit, 24, 66, 36),
    text(suit, 8, 124, 38, "letter"),
  );
}

function playingCard(name) {
  return copyOf(`playing ${name}`, () => {
    const suit = name.slice(-1), rank = name.slice(0, -1);
    const middle = PIPS[rank]
      ? PIPS[rank].map(([x, y]) => suitSign(suit, x, y, rank === "A" ? 44 : 18, y > 70))
      : [
          draw("rect", { class: "portrait", x: 29, y: 20, width: 46, height: 100, rx: 5 }),
          draw("path", { class: "crown", d: CROWNS[rank], transform: "translate(2 2)" }),
          text(rank, 52, 97, 44, "court"),
          suitSign(suit, 52, 108, 13),
        ];
    const turned = text(rank, rank === "10" ? 17 : 15, 28, rank === "10" ? 25 : 29, "rank");
    return cardFrame(
      `playing-card suit-${suit}`,
      draw("rect", { class: "sheet", x: 1, y: 1, width: 98, height: 138, rx: 10 }),
      corner(rank, suit),
      draw("g", { class: "many", transform: "rotate(180 50 70)" }, turned),
      draw("g", { class: "many" }, ...middle),
      largeCorner(rank, suit),
      draw("rect", { class: "edge", x: 1, y: 1, width: 98, height: 138, rx: 10 }),
    );
  });
}

function drawExplorers(scene) {
  const { frame, seen } = scene;
  const { view } = seen;
  const last = seen.news.length ? seen.news[seen.news.length - 1] : {};

  const centre = make("section", { class: "centre piles", "aria-label": gettext("stock and piles") });
  const stock = view.stock ? backs(Math.min(3, view.stock), { label: ngettext("stock: {count} card", "stock: {count} cards", view.stock) }) : make("div", { class: "nothing" });
  centre.append(spot(pileBox(gettext("stock"), [String(view.stock)], stock), "stock"));
  for (const suit of Object.keys(SUITS)) {
    const pile = view.piles[suit];
    const shown = pile.slice(-4);
    const moved = last.do === "discard" && last.card.slice(-1) === suit;
    const cards = pile.length
      ? row(shown.map(playingCard), {
          label: gettext("pile of {suit}, top card last: {cards}", { suit: suitName(suit), cards: pile.join(" ") }),
          marked: moved ? [shown.length - 1] : [],
        })
      : make("div", { class: "nothing" });
    const words = view.closed === suit ? gettext("closed") : String(pile.length);
    centre.append(spot(pileBox(suitName(suit), [words], cards), `pile ${suit}`));
  }

  const seats = view.hand_sizes.map((size, seat) => {
    const score = frame.reading.scores ? [signed(frame.reading.scores[seat])] : null;
    const hand = handOf(scene, seat) ?? [];
    const order = hand.map((_, index) => index).sort((a, b) => place(hand[a]) - place(hand[b]) || a - b);
    const drew = last.do === "draw" && last.seat === seat ? [order.indexOf(hand.length - 1)] : [];
    const held = handRow(scene, seat, handOf(scene, seat) && order.map((index) => hand[index]), {
      size,
      drawing: playingCard,
      marked: drew,
      places: order.map((index) => hand.indexOf(hand[index])),
    });
    ownSpot(scene, seat, held, "hand");
    return seatPlace(scene, seat, seatHead(scene, seat, score, []), held, expeditions(scene, seat, last));
  });
  return [centre, seatsBox(scene, seats)];
}

function place(name) {
  return "CDHS".indexOf(name.slice(-1)) * RANKS.length + RANKS.indexOf(name.slice(0, -1));
}

function expeditionLabel(values, points) {
  if (points === null) return gettext("expedition {number} of {name}: {cards}", values);
  return ngettext(
    "expedition {number} of {name}: {cards}, {count} point",
    "expedition {number} of {name}: {cards}, {count} points",
    points,
    values,
  );
}

function expeditions(scene, seat, last) {
  const { frame, header, seen } = scene;
  const own = seen.view.expeditions[seat];
  const box = make("div", { class: "expeditions laid" });
  own.forEach((cards, index) => {
    const here =
      last.seat === seat &&
      ((last.do === "build" && last.expedition === index) || (last.do === "start" && index === own.length - 1));
    const points = frame.reading.expedition_points ? frame.reading.expedition_points[seat][index] : null;
    const worth = make("span", { class: `worth ${points < 0 ? "below" : ""}` }, points === null ? "" : signed(points));
    const laid = row(cards.map(playingCard), {
      label: expeditionLabel({ number: index, name: header.names[seat], cards: cards.join(" ") }, points),
      marked: here ? [cards.length - 1] : [],
    });
    box.append(ownSpot(scene, seat, make("div", { class: "expedition" }, laid, worth), `expedition ${index}`));
  });
  if (scene.playing && frame.to_move !== null && scene.audience === `seat${seat}`) {
    const isIdle = frame.to_move !== seat || seen.view.phase !== "lay"; // it keeps its place, where there is room
    const place = make("div", { class: isIdle ? "expedition empty-place idle" : "expedition empty-place" }, gettext("new expedition"));
    box.append(spot(place, "new expedition"));
  }
  return box;
}
