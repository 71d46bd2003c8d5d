// SCOUT: the set on the table, and each seat with its hand in order.
function scoutCard(name) {
  const [up, down] = name.split("/");
  const drawing = () =>
    cardFrame(
      "scout-card",
      draw("rect", { class: `sheet tint v${up}`, x: 1, y: 1, width: 98, height: 138, rx: 10 }),
      draw("path", { class: `tint v${down}`, d: "M99 34 L1 106 L1 129 Q1 139 11 139 L89 139 Q99 139 99 129 Z" }),
      draw("path", { class: "seam", d: "M99 34 L1 106" }),
      draw("path", { class: "star", d: "M50 54 L54.2 64.4 L65.2 65.1 L56.7 72.2 L59.4 82.9 L50 77 L40.6 82.9 L43.3 72.2 L34.8 65.1 L45.8 64.4 Z" }),
      text(up, 5, up === "10" ? 40 : 43, up === "10" ? 38 : 46, `ink value left v${up}`),
      text(down, 5, 132, 24, `ink value left other v${down}`),
      text(down, down === "10" ? 75 : 80, down === "10" ? 101 : 97, down === "10" ? 36 : 46, `ink value turned v${down}`, true),
      draw("rect", { class: "edge", x: 1, y: 1, width: 98, height: 138, rx: 10 }),
    );
  return copyOf(`scout ${name}`, drawing, `scout ${[up, down].sort().join("/")}`);
}

function drawScout(scene) {
  const { frame, header, seen } = scene;
  const { view } = seen;
  const played = seen.news.find((item) => item.do === "play");
  const scouted = seen.news.find((item) => item.do === "scout");
  const over = seen.news.some((item) => item.do === "round");

  const set = spot(make("section", { class: "centre", "aria-label": gettext("the set on the table") }), "table");
  const caption = make("div", { class: "caption" });
  set.append(caption);
  if (view.table.length) {
    caption.append(make("h3", {}, frame.reading.set_name ?? gettext("set")));
    if (view.owner !== null) caption.append(chip(gettext("of {name}", { name: header.names[view.owner] })));
    if (view.scouts) caption.append(chip(ngettext("{count} scout since", "{count} scouts since", view.scouts)));
    set.append(
      row(view.table.map((name, index) => spot(scoutCard(name), `table ${index}`)), {
        label: gettext("on the table: {cards}", { cards: view.table.join(" ") }),
        marked: played ? view.table.map((_, index) => index) : [],
        of: "table",
      }),
    );
  } else {
    caption.append(make("h3", {}, gettext("the table is empty")));
    set.append(make("div", { class: "nothing" }));
  }

  const seats = view.hand_sizes.map((size, seat) => {
    const points = frame.reading.scores ? [signed(frame.reading.scores[seat])] : [];
    if (frame.reading.round_points) {
      points.push(make("small", { title: gettext("this round so far") }, signed(frame.reading.round_points[seat], "+")));
    }
    const captured = chip(ngettext("{count} captured", "{count} captured", view.captured[seat]));
    captured.dataset.captured = view.captured[seat];
    const chips = [
      captured,
      chip(ngettext("{count} token", "{count} tokens", view.tokens[seat])),
    ];
    if (view.may_scout_and_play[seat]) chips.push(chip("S+P", "chip-may", gettext("may still scout and play")));
    const moved = scouted && scouted.seat === seat && !over && scouted.at !== undefined ? [scouted.at] : [];
    const hand = handRow(scene, seat, handOf(scene, seat), { size, drawing: scoutCard, marked: moved });
    return seatPlace(scene, seat, seatHead(scene, seat, points, chips), hand);
  });
  return [set, seatsBox(scene, seats)];
}
