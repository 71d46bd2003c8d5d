// Pages say where news of them come from: body[data-events]. At news the parts marked data-live are fetched anew.
// Without scripts the same pages are read by loading them again.

const MOST_WAITING_MS = 1500;

let asked = false;

async function refresh() {
  if (asked) return;
  asked = true;
  // Not all readers ask in the same moment.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * MOST_WAITING_MS));
  asked = false;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    replaceParts(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // The server is away for now: what is shown stays, and the browser opens the stream again.
  }
}

function replaceParts(fresh) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    // What somebody is writing in, or has the focus on, stays.
    if (other === null || part.contains(document.activeElement) || part.isEqualNode(other)) continue;
    for (const details of part.querySelectorAll("details[open][id]")) {
      const same = other.querySelector(`#${CSS.escape(details.id)}`);
      if (same !== null) same.open = true;
    }
    part.replaceWith(other);
  }
}

function follow() {
  const address = document.body.dataset.events;
  if (!address) return;
  const events = new EventSource(address);
  events.addEventListener("news", refresh);
  events.addEventListener("over", () => {
    events.close();
    refresh();
  });
}

function offerCopies() {
  if (!navigator.clipboard) return;
  for (const text of document.querySelectorAll("pre.copy")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = document.body.dataset.copy;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text.textContent.trim());
      button.textContent = document.body.dataset.copied;
    });
    text.after(button);
  }
}

follow();
offerCopies();
