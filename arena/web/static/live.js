// Keeps the page of a running tournament fresh: a stream says that something changed, the changed part is fetched.
"use strict";

const live = document.getElementById("live");

if (live && live.dataset.events && window.EventSource) {
  let head = live.dataset.head;
  let isBusy = false;
  let isStale = false;

  const refresh = async () => {
    if (isBusy) {
      isStale = true;
      return;
    }
    isBusy = true;
    try {
      const answer = await fetch(live.dataset.live);
      if (answer.ok) {
        const opened = live.querySelector("details")?.open;
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        live.replaceChildren(...fresh.body.childNodes);
        const details = live.querySelector("details");
        if (details && opened) details.open = true;
      }
    } finally {
      isBusy = false;
      if (isStale) {
        isStale = false;
        refresh();
      }
    }
  };

  const source = new EventSource(live.dataset.events);
  source.addEventListener("changed", (event) => {
    const next = JSON.parse(event.data).head;
    if (next === head) return;
    head = next;
    refresh();
    if (!next.startsWith("running")) source.close();
  });
}
