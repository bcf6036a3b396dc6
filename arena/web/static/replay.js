// Turns the pages of a match: buttons, a slider, the keyboard, playing by itself, and following one that is being
// played. The server draws every step.
"use strict";

const byId = (id) => document.getElementById(id);

const controls = document.getElementById("controls");

if (controls) {
  const stage = byId("step");
  const slider = byId("slider");
  const number = byId("step-number");
  const play = byId("play");
  const speed = byId("speed");
  const follow = byId("follow");
  let last = Number(controls.dataset.steps);
  const kept = new Map();
  let step = Number(number.value);
  let wanted = step;
  let timer = null;
  let addressTimer = null;
  let isFetching = false;

  const address = (at) => `${controls.dataset.part}?step=${at}&seat=${encodeURIComponent(byId("seat").value)}`;

  // A match in one file brings all its steps along, packed.
  const inside = byId("packed-steps");
  const unpacked = inside && (async () => {
    const bytes = Uint8Array.from(atob(inside.textContent.trim()), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  })();

  const load = async (at) => {
    if (unpacked) return (await unpacked)[at];
    if (!kept.has(at)) {
      const answer = await fetch(address(at));
      if (!answer.ok) throw new Error(`step ${at}: ${answer.status}`);
      kept.set(at, await answer.text());
      if (kept.size > 60) kept.delete(kept.keys().next().value);
    }
    return kept.get(at);
  };

  const pageAddress = (at, seat) => {
    const page = new URL(window.location.href);
    page.search = new URLSearchParams({ step: at, seat: seat }).toString();
    return page;
  };

  const update = () => {
    slider.value = step;
    number.value = step;
    // Browsers refuse an address that changes many times a second: it is written when the turning rests.
    window.clearTimeout(addressTimer);
    if (unpacked) return;
    addressTimer = window.setTimeout(() => window.history.replaceState(null, "", pageAddress(step, byId("seat").value)), 200);
    for (const link of document.querySelectorAll(".viewers a")) link.href = pageAddress(step, link.dataset.seat);
  };

  // Steps turned quickly are skipped if not shown yet: only the latest request counts.
  const show = async (at) => {
    wanted = Math.max(0, Math.min(last, at));
    if (isFetching) return;
    isFetching = true;
    try {
      while (wanted !== step) {
        const target = wanted;
        const text = await load(target);
        const fresh = new DOMParser().parseFromString(text, "text/html");
        stage.replaceChildren(...fresh.body.childNodes);
        step = target;
        update();
      }
      if (step < last) load(step + 1).catch(() => {});
    } catch (error) {
      stop();
      if (!unpacked) window.location.href = pageAddress(wanted, byId("seat").value);
    } finally {
      isFetching = false;
    }
  };

  const setFollowing = (isOn) => {
    if (follow) follow.setAttribute("aria-pressed", String(isOn));
  };
  const isFollowing = () => follow !== null && follow.getAttribute("aria-pressed") === "true";

  const stop = () => {
    if (timer !== null) window.clearTimeout(timer);
    timer = null;
    if (!play) return;
    play.textContent = "▶ Play";
    play.setAttribute("aria-pressed", "false");
  };

  const tick = async () => {
    await show(step + 1);
    if (timer === null) return;
    if (step >= last) stop();
    else timer = window.setTimeout(tick, Number(speed.value));
  };

  const toggle = () => {
    if (timer !== null) {
      stop();
      return;
    }
    play.textContent = "❚❚ Pause";
    play.setAttribute("aria-pressed", "true");
    timer = window.setTimeout(tick, 0);
    if (step >= last) show(0);
  };

  const go = (at) => {
    stop();
    setFollowing(at >= last);
    show(at);
  };

  const actions = { first: () => 0, previous: () => wanted - 1, next: () => wanted + 1, last: () => last };
  for (const [id, target] of Object.entries(actions)) {
    byId(id).addEventListener("click", (event) => {
      event.preventDefault();
      go(target());
    });
  }
  slider.closest("label").hidden = false;
  if (play) {
    play.hidden = false;
    byId("speed-label").hidden = false;
    play.addEventListener("click", toggle);
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  number.addEventListener("change", () => go(Number(number.value)));
  controls.addEventListener("submit", (event) => {
    if (event.submitter && event.submitter.name === "find") return;
    event.preventDefault();
    go(Number(number.value));
  });

  const keys = { ArrowRight: actions.next, ArrowLeft: actions.previous, Home: actions.first, End: actions.last };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const tag = event.target.tagName;
    if (tag === "SELECT" || tag === "TEXTAREA" || tag === "INPUT") return;
    if (event.key === "f" && follow) {
      follow.click();
    } else if (event.key === " " && play && tag !== "BUTTON" && tag !== "A" && tag !== "SUMMARY") {
      event.preventDefault();
      toggle();
    } else if (event.key in keys) {
      event.preventDefault();
      go(keys[event.key]());
    }
  });

  // A blunder shows its step on the spot.
  for (const link of document.querySelectorAll("a[data-step]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(Number(link.dataset.step));
      controls.scrollIntoView();
    });
  }

  // A finger that goes left asks for the next step, one that goes right for the one before.
  let finger = null;
  stage.addEventListener("touchstart", (event) => {
    finger = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  stage.addEventListener("touchend", (event) => {
    if (finger === null) return;
    const { clientX, clientY } = event.changedTouches[0];
    const [right, down] = [clientX - finger.clientX, clientY - finger.clientY];
    finger = null;
    if (Math.abs(right) > 50 && Math.abs(right) > 2 * Math.abs(down)) go(right < 0 ? actions.next() : actions.previous());
  }, { passive: true });
  if (window.matchMedia("(min-width: 40.01rem)").matches) byId("more").open = true;
  update();

  if (follow && window.EventSource) {
    follow.hidden = false;
    setFollowing(step >= last);
    follow.addEventListener("click", () => {
      if (isFollowing()) setFollowing(false);
      else go(last);
    });
    const source = new EventSource(controls.dataset.events);
    source.addEventListener("step", (event) => {
      const steps = JSON.parse(event.data).steps;
      // A match that had to be played again starts again.
      if (steps < last) kept.clear();
      last = steps;
      slider.max = last;
      number.max = last;
      byId("steps").textContent = last;
      if (isFollowing()) show(last);
    });
    source.addEventListener("ended", (event) => {
      source.close();
      // The match is stored: this address is its replay now.
      if (JSON.parse(event.data).stored) window.location.replace(pageAddress(isFollowing() ? "last" : step, byId("seat").value));
      else byId("live-note").textContent = "The match was interrupted. It will be replayed when the tournament resumes.";
    });
  }
}

const waiting = byId("waiting");

if (waiting && window.EventSource) {
  const source = new EventSource(waiting.dataset.events);
  const reload = () => {
    source.close();
    window.location.reload();
  };
  source.addEventListener("step", (event) => {
    if (JSON.parse(event.data).begun) reload();
  });
  source.addEventListener("ended", reload);
}
