// Walks a replay from step to step inside its page, and returns what is out of sight, and digits that cannot be read.
([from, every, leastDigit]) => {
  const faults = [];
  const slider = document.getElementById("slider");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const box = (element) => element.getBoundingClientRect();
  const inside = (one, other, by = 1) =>
    one.left >= other.left - by && one.right <= other.right + by && one.top >= other.top - by && one.bottom <= other.bottom + by;
  const apart = (one, other, by = 1) =>
    one.right <= other.left + by || other.right <= one.left + by || one.bottom <= other.top + by || other.bottom <= one.top + by;
  const seen = (element) => element.checkVisibility() && box(element).width > 1;
  const scale = (text) => (text.ownerSVGElement ? box(text.ownerSVGElement).width / 100 : 1);
  const pixels = (text) => parseFloat(getComputedStyle(text).fontSize) * scale(text);
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (let step = from; step <= Number(slider.max); step += every) {
    slider.value = step;
    slider.dispatchEvent(new Event("input"));
    const fault = (what) => faults.push(`step ${step}: ${what}`);
    if (document.documentElement.scrollWidth > innerWidth) fault("has to be scrolled sideways");
    const places = all("#top, .said, .centre, .seat, #bar");
    const name = (place) => place.id || place.getAttribute("aria-label") || place.className;
    for (const [index, place] of places.entries()) {
      if (!inside(box(place), screen)) fault(`${name(place)} is not in the window`);
      for (const other of places.slice(index + 1)) {
        if (!apart(box(place), box(other))) fault(`${name(place)} and ${name(other)} lie on each other`);
      }
    }
    for (const place of all(".seat, .centre")) {
      for (const part of all(".card, h3, .chip, .score, .worth", place).filter(seen)) {
        if (!inside(box(part), box(place), 2)) fault(`${part.className.baseVal ?? part.className} leaves ${name(place)}`);
      }
    }
    for (const head of all(".seat-head")) {
      if (head.scrollWidth > head.clientWidth + 1) fault(`the head of ${head.textContent} is too long`);
    }
    for (const slot of all(".seat.is-near > .row .slot")) {
      const texts = all("text", slot).filter(seen);
      for (const text of texts.filter((one) => /\d/.test(one.textContent))) {
        if (pixels(text) < leastDigit) fault(`${text.textContent} of a hand has ${pixels(text)} pixels`);
      }
      const next = slot.nextElementSibling;
      if (texts.length && next && box(texts[0]).right > box(next.firstElementChild).left + 2) {
        fault(`${texts[0].textContent} of a hand is covered`);
      }
    }
  }
  return [...new Set(faults)].slice(0, 20);
}
