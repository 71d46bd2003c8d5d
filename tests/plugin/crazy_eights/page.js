// Crazy Eights: pile and stock, and each seat with its hand. Cards, rows and seats are those of the page.
function drawCrazyEights(scene) {
  const { frame, seen, width } = scene;
  const { view } = seen;
  const card = width > 560 ? 58 : 46;
  const last = seen.news.length ? seen.news[0] : {};
  const top = view.pile[view.pile.length - 1];
  const named = view.suit === top.slice(-1) ? [] : [make("span", { class: "named-suit" }, ` ${SUITS[view.suit].name}`)];
  const shown = view.pile.slice(-3);
  const centre = make(
    "section",
    { class: "centre piles", "aria-label": "stock and pile" },
    make(
      "div",
      { class: "pile" },
      make("h3", {}, "stock"),
      backs(Math.min(3, view.stock), { label: `stock: ${count(view.stock, "card")}`, width: card * 1.2, card }),
      make("span", { class: "tally" }, count(view.stock, "card")),
    ),
    make(
      "div",
      { class: "pile" },
      make("h3", {}, "pile"),
      row(shown.map(playingCard), { label: `pile, top card last: ${view.pile.join(" ")}`, width: card * 1.6, card, step: 0.1, marked: last.do === "play" ? [shown.length - 1] : [] }),
      make("span", { class: "tally" }, count(view.pile.length, "card"), ...named),
    ),
  );
  const columns = seatColumns(view.players, width, 3);
  const small = handCard(width, columns);
  const seats = view.hand_sizes.map((size, seat) => {
    const hand = handOf(scene, seat);
    const moved = hand && last.do === "draw" && last.seat === seat ? [size - 1] : [];
    const held = hand
      ? row(hand.map(playingCard), { label: `hand of seat ${seat}: ${hand.join(" ") || "no cards"}`, width: seatSpace(width, columns), card: small, step: 0.4, marked: moved })
      : backs(size, { label: `seat ${seat} has ${count(size, "card")} face down`, width: seatSpace(width, columns), card: small * 0.7 });
    return seatPlace(scene, seat, seatHead(scene, seat, [count(size, "card")], []), held);
  });
  return [centre, seatsBox(seats, columns)];
}
