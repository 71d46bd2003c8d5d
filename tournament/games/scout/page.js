// SCOUT: the set on the table, and each seat with its hand in order.
function scoutCard(name) {
  return copyOf(`scout ${name}`, () => {
    const [up, down] = name.split("/");
    return cardFrame(
      "scout-card",
      draw("rect", { class: `sheet tint v${up}`, x: 1, y: 1, width: 98, height: 138, rx: 10 }),
      draw("path", { class: `tint v${down}`, d: "M99 34 L1 106 L1 129 Q1 139 11 139 L89 139 Q99 139 99 129 Z" }),
      draw("path", { class: "seam", d: "M99 34 L1 106" }),
      draw("path", { class: "star", d: "M50 54 L54.2 64.4 L65.2 65.1 L56.7 72.2 L59.4 82.9 L50 77 L40.6 82.9 L43.3 72.2 L34.8 65.1 L45.8 64.4 Z" }),
      text(up, up === "10" ? 25 : 19, up === "10" ? 40 : 43, up === "10" ? 36 : 46, `ink value v${up}`),
      text(down, down === "10" ? 18 : 15, 131, 23, `ink other v${down}`),
      text(down, down === "10" ? 75 : 80, down === "10" ? 101 : 97, down === "10" ? 36 : 46, `ink value v${down}`, true),
      draw("rect", { class: "edge", x: 1, y: 1, width: 98, height: 138, rx: 10 }),
    );
  });
}

function drawScout(scene) {
  const { frame, seen, width } = scene;
  const { view } = seen;
  const wide = width > 560;
  const news = seen.news;
  const played = news.find((item) => item.do === "play");
  const scouted = news.find((item) => item.do === "scout");
  const over = news.some((item) => item.do === "round");

  const set = make("section", { class: "centre", "aria-label": "the set on the table" });
  const caption = make("div", { class: "caption" });
  set.append(caption);
  if (view.table.length) {
    caption.append(make("h3", {}, frame.reading.set_name ?? "set"));
    if (view.owner !== null) caption.append(chip(`of seat ${view.owner}`));
    if (view.scouts) caption.append(chip(`${count(view.scouts, "scout")} since`));
    set.append(
      row(view.table.map(scoutCard), {
        label: `on the table: ${view.table.join(" ")}`,
        width: width - 28,
        card: wide ? 74 : 56,
        marked: played ? view.table.map((_, index) => index) : [],
      }),
    );
  } else {
    caption.append(make("h3", {}, "the table is empty"));
    set.append(make("div", { class: "nothing" }));
  }

  const columns = seatColumns(view.players, width, 4);
  const space = seatSpace(width, columns);
  const seats = view.hand_sizes.map((size, seat) => {
    const points = frame.reading.scores ? [signed(frame.reading.scores[seat])] : [];
    if (frame.reading.round_points) {
      points.push(make("small", { title: "this round so far" }, signed(frame.reading.round_points[seat], "+")));
    }
    const chips = [chip(`${view.captured[seat]} captured`), chip(count(view.tokens[seat], "token"))];
    if (view.may_scout_and_play[seat]) chips.push(chip("S+P", "chip-may", "may still scout and play"));
    const hand = handOf(scene, seat);
    const card = handCard(width, columns);
    const cards = hand
      ? row(hand.map(scoutCard), {
          label: `hand of seat ${seat}: ${hand.join(" ") || "no cards"}`,
          width: space,
          card,
          marked: scouted && scouted.seat === seat && !over && scouted.at !== undefined ? [scouted.at] : [],
        })
      : backs(size, { label: `seat ${seat} has ${count(size, "card")} face down`, width: space - 70, card: card * 0.7 });
    if (!hand) cards.append(make("span", { class: "tally" }, count(size, "card")));
    return seatPlace(scene, seat, seatHead(scene, seat, points, chips), cards);
  });
  return [set, seatsBox(seats, columns)];
}
