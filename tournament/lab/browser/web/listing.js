// All choices in words: what one does first, with which card below it. Many are folded, the shortest group first.
const MOST_UNFOLDED = 8; // so few choices stand side by side, without headings

// A group has the places of its own choices, and the groups below it; `count` is the number of all in it.
function groupOf(heading) {
  return { heading, count: 0, places: [], groups: [] };
}

function groupedChoices(choices) {
  const whole = groupOf(null);
  choices.forEach(({ listed }, index) => {
    let group = whole;
    group.count += 1;
    for (const heading of listed.headings) {
      let inner = group.groups.find((one) => one.heading === heading);
      if (inner === undefined) group.groups.push((inner = groupOf(heading)));
      inner.count += 1;
      group = inner;
    }
    group.places.push(index);
  });
  return whole;
}

function allPlaces(group) {
  return [...group.places, ...group.groups.flatMap(allPlaces)];
}

// The elements of a group: buttons, then what is folded. `button(place, isBelow)` makes a button; one below a heading
// need not say again what the heading says.
function listedChoices(group, button) {
  if (group.heading === null && group.count <= MOST_UNFOLDED) {
    return allPlaces(group).sort((a, b) => a - b).map((place) => button(place, false));
  }
  const alone = group.groups.filter(({ count }) => count === 1).flatMap(allPlaces);
  const folded = group.groups.filter(({ count }) => count > 1).sort((a, b) => a.count - b.count);
  return [
    ...group.places.map((place) => button(place, group.heading !== null)),
    ...alone.map((place) => button(place, false)),
    ...folded.map((one) => foldedGroup(one, button, group.heading)),
  ];
}

// Of the groups below one heading one is open at a time, and what opens goes to the top: a phone shows where one is.
function foldedGroup(group, button, within) {
  const folded = make(
    "details",
    { class: "choice-group", name: `below ${within ?? "all"}` },
    make("summary", {}, group.heading, " ", make("small", {}, ngettext("{count} choice", "{count} choices", group.count))),
    make("div", { class: "listed" }, ...listedChoices(group, button)),
  );
  folded.addEventListener("toggle", () => {
    if (folded.open) folded.offsetParent.scrollTop = folded.offsetTop;
  });
  return folded;
}
