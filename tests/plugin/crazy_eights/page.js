// Crazy Eights: pile and stock, and each seat with its hand. Cards, rows and seats are those of the page.
function drawCrazyEights(scene) {
  const { frame, seen } = scene;
  const { view } = seen;
  const last = seen.news.length ? seen.news[0] : {};
  const top = view.pile[view.pile.length - 1];
  const named = view.suit === top.slice(-1) ? [] : [make("span", { class: "named-suit" }, ` ${SUITS[view.suit].name}`)];
  const shown = view.pile.slice(-3);
  const centre = make(
    "section",
    { class: "centre piles", "aria-label": "stock and pile" },
    pileBox("stock", [String(view.stock)], backs(Math.min(3, view.stock), { label: `stock: ${count(view.stock, "card")}` })),
    pileBox(
      "pile",
      [String(view.pile.length), ...named],
      row(shown.map(playingCard), { label: `pile, top card last: ${view.pile.join(" ")}`, marked: last.do === "play" ? [shown.length - 1] : [] }),
    ),
  );
  const seats = view.hand_sizes.map((size, seat) => {
    const marked = last.do === "draw" && last.seat === seat ? [size - 1] : [];
    const hand = handRow(scene, seat, handOf(scene, seat), { size, drawing: playingCard, marked });
    return seatPlace(scene, seat, seatHead(scene, seat, [count(size, "card")], []), hand);
  });
  return [centre, seatsBox(scene, seats)];
}
