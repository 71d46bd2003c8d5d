// Finds what is too wide, cut off, written over other text, too small, or hard to touch in a page or a frame as it is drawn.
async ({ leastText, leastTarget, width, fits }) => {
  const faults = [];
  const squeezed = (text) => text.trim().replace(/\s+/g, " ");
  const fault = (what, text) => faults.push(`${what}: ${squeezed(text).slice(0, 50)}`);
  const style = (element) => getComputedStyle(element);
  const box = (element) => element.getBoundingClientRect();
  const seen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const above = (element) => {
    const found = [];
    for (let one = element; one && one !== document.body; one = one.parentElement) found.push(one);
    return found;
  };
  const isForEars = (element) => {
    if (style(element).position !== "absolute") return false;
    const { width, height, right, bottom } = box(element);
    return width <= 1 || height <= 1 || right <= 0 || bottom <= 0 || style(element).clipPath === "inset(50%)";
  };
  const scrolls = (element) => ["auto", "scroll"].includes(style(element).overflowX);
  const hides = (element) => ["hidden", "clip"].includes(style(element).overflowX);
  const floats = (element) => ["fixed", "sticky"].includes(style(element).position);
  const common = (one, other) => {
    const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)];
    const [right, bottom] = [Math.min(one.right, other.right), Math.min(one.bottom, other.bottom)];
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  };
  const isInside = (one, other, slack) =>
    one.left >= other.left - 1 && one.right <= other.right + 1 && one.top >= other.top - slack && one.bottom <= other.bottom + slack;

  // A page that lays itself out to its window does so in the frame after the window has changed.
  await document.fonts.ready;
  const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let tries = 0; tries < 100 && width && innerWidth !== width; tries += 1) await drawn();
  if (width && innerWidth !== width) fault(`the window is not ${width} wide but ${innerWidth}`, document.title);
  await drawn();
  await drawn();

  if (document.documentElement.scrollWidth > innerWidth) fault("wider than the window", document.title);
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || !seen(parent) || parent.closest("script, style, noscript, option, textarea")) continue;
    const chain = above(parent);
    if (chain.some(isForEars)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const drawing = parent.closest("svg");
    if (drawing && !box(parent).width) continue; // in a part that is not shown
    const places = [...range.getClientRects()].filter((one) => one.width && one.height);
    const card = parent.closest("svg.card");
    const isRead = !card || (/\d/.test(node.data) && card.matches(".is-near > .row .card"));
    const matrix = drawing ? parent.getScreenCTM() : null;
    const pixels = parseFloat(style(parent).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    const least = card ? Math.min(leastText, 12) : leastText;
    if (isRead && pixels < least - 0.05) fault(`${pixels.toFixed(1)} pixels`, node.data);
    const isScrolled = chain.some(scrolls);
    const cutting = chain.find((one) => hides(one) || scrolls(one));
    const edges = !drawing && cutting && hides(cutting) ? box(cutting) : null;
    for (const whole of places) {
      const place = edges ? common(whole, edges) : whole; // what is drawn of it
      if (!isScrolled && (place.right > innerWidth + 1 || place.left < -1)) fault("leaves the window", node.data);
      if (!isScrolled && fits && (place.bottom > innerHeight + 1 || place.top < -1)) fault("leaves the window", node.data);
      if (edges && !isInside(whole, edges, whole.height / 3)) {
        const isShortened = style(cutting).textOverflow === "ellipsis";
        const isToldWhole = chain.some((one) => squeezed(one.title ?? "").includes(squeezed(node.data)));
        if (!isShortened) fault("cut off", node.data);
        else if (!isToldWhole) fault("shortened, and the whole is in no title", node.data);
      }
      if (!drawing && !isScrolled && !chain.some(floats)) lines.push({ box: place, node });
    }
  }
  lines.sort((one, other) => one.box.top - other.box.top);
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      if (other.box.top >= one.box.bottom) break;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
      const least = Math.min(one.box.height, other.box.height);
      if (one.node === other.node || across <= 2 || down <= least / 3) continue;
      fault("lies on other text", `${one.node.data.trim()} / ${other.node.data.trim()}`);
    }
  }
  for (const target of document.querySelectorAll("button, input, select, textarea, summary, a[href]")) {
    if (!seen(target) || target.type === "hidden" || above(target).some(isForEars)) continue;
    if (style(target).display === "inline") continue; // in a sentence
    const label = ["checkbox", "radio"].includes(target.type) ? target.closest("label") : null;
    const { width, height } = box(label ?? target);
    if (height < leastTarget - 0.5 || width < leastTarget - 0.5) {
      fault(`to touch, ${width.toFixed(0)} x ${height.toFixed(0)}`, target.textContent || target.name || "");
    }
  }
  return [...new Set(faults)];
}
