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
        const opened = new Set(Array.from(live.querySelectorAll("details[open] > summary"), (each) => each.textContent));
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        live.replaceChildren(...fresh.body.childNodes);
        for (const summary of live.querySelectorAll("details > summary")) {
          summary.parentElement.open = opened.has(summary.textContent);
        }
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
