// At news the list is read anew, and only the list.
async function readAnew() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const list = document.getElementById("news");
    if (!list.contains(document.activeElement)) list.replaceWith(fresh.getElementById("news"));
  } catch {
    // The server is away for now: what is shown stays, and the browser opens the stream again.
  }
}

new EventSource(document.body.dataset.events).addEventListener("news", readAnew);
