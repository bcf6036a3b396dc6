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
  const beneath = byId("beneath");
  const more = byId("more");
  const moves = byId("moves");
  const moveList = byId("move-list");
  let last = Number(controls.dataset.steps);
  const kept = new Map();
  let step = Number(number.value);
  let wanted = step;
  let timer = null;
  let addressTimer = null;
  let isFetching = false;

  const address = (at) => `${controls.dataset.source}?step=${at}&seat=${encodeURIComponent(byId("seat").value)}`;

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

  // What changes with the step outside the parts that the server draws.
  const field = slider.parentElement;
  const lines = Array.from(field.querySelectorAll("polyline[data-seat]"), (each) => ({
    seat: each.dataset.seat,
    points: Array.from(each.points, (point) => [point.x, point.y]),
    steps: (each.dataset.steps || "").split(" ").map(Number),
    texts: (each.dataset.texts || "").split("|"),
  }));
  const isJudged = field.dataset.kind === "judged";

  // The judge's points between two steps of the curve: it is 100 units high.
  const pointsAt = (points, at) => {
    const after = points.findIndex((point) => point[0] >= at);
    if (after <= 0) return 100 - points.at(after)[1];
    const [[x, y], [nextX, nextY]] = [points[after - 1], points[after]];
    return 100 - y - (nextY - y) * (at - x) / (nextX - x || 1);
  };

  // Say the values of the curve at a step.
  const read = (at) => {
    byId("readout").dataset.step = at;
    for (const { seat, points, steps, texts } of lines) {
      const place = byId("readout").querySelector(`[data-seat="${seat}"] .reading`);
      const text = isJudged ? Math.round(pointsAt(points, at)) : texts[steps.findLastIndex((step) => step <= at)];
      place.textContent = ` ${text}`;
    }
  };

  const markMove = () => {
    if (!moveList) return;
    for (const link of moveList.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
    const links = moveList.querySelectorAll(`a[data-step="${step}"]`);
    for (const link of links) link.setAttribute("aria-current", "step");
    const room = moveList.getBoundingClientRect();
    if (!links.length || !room.height) return;
    const place = links[0].getBoundingClientRect();
    if (place.top < room.top || place.bottom > room.bottom) moveList.scrollTop += place.top - room.top - room.height / 2;
  };

  const update = () => {
    slider.value = step;
    number.value = step;
    slider.setAttribute("aria-valuetext", `step ${step} of ${last}`);
    read(step);
    markMove();
    for (const [id, target] of Object.entries(jumps)) {
      if (byId(id)) byId(id).setAttribute("aria-disabled", String(target() === step));
    }
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
        morph(stage.firstElementChild, fresh.querySelector(".moment"));
        morph(beneath.firstElementChild, fresh.querySelector(".beneath"));
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
    play.textContent = "►";
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
    play.textContent = "❚❚";
    play.setAttribute("aria-pressed", "true");
    timer = window.setTimeout(tick, 0);
    if (step >= last) show(0);
  };

  const go = (at) => {
    stop();
    setFollowing(at >= last);
    show(at);
  };

  // The next of some steps in a direction; the step shown if there is none.
  const nearest = (steps, direction) => {
    const found = steps.filter((at) => (direction > 0 ? at > wanted : at < wanted));
    if (!found.length) return wanted;
    return direction > 0 ? Math.min(...found) : Math.max(...found);
  };
  const deciders = Array.from(controls.dataset.deciders, (digit) => parseInt(digit, 32));
  // The seat whose eyes are used, or the chosen one, or else the one that decided in this step.
  let tracked = null;
  const chosenSeat = () => {
    const who = byId("who");
    if (who && who.value !== "") return Number(who.value);
    if (/^\d+$/.test(byId("seat").value)) return Number(byId("seat").value);
    const asked = deciders[Math.max(wanted, 1) - 1] || 1;
    if (tracked === null || tracked.step !== wanted) tracked = { step: wanted, seat: 31 - Math.clz32(asked & -asked) };
    return tracked.seat;
  };
  const decision = (direction) => {
    const seat = chosenSeat();
    const at = nearest(deciders.flatMap((asked, index) => (asked >> seat & 1 ? [index + 1] : [])), direction);
    tracked = { step: at, seat };
    return at;
  };
  const peek = (direction) => {
    const kept = tracked;
    const at = decision(direction);
    tracked = kept;
    return at;
  };
  const blunders = Array.from(new Set(Array.from(document.querySelectorAll("a.blunder-link, #curve a[data-step]"), (link) => Number(link.dataset.step))));
  const jumps = {
    "decision-before": () => peek(-1),
    "decision-after": () => peek(1),
    "blunder-before": () => nearest(blunders, -1),
    "blunder-after": () => nearest(blunders, 1),
  };
  const jump = {
    "decision-before": () => decision(-1),
    "decision-after": () => decision(1),
    "blunder-before": jumps["blunder-before"],
    "blunder-after": jumps["blunder-after"],
  };

  const actions = { first: () => 0, previous: () => wanted - 1, next: () => wanted + 1, last: () => last };
  for (const [id, target] of Object.entries({ ...actions, ...jump })) {
    if (byId(id)) byId(id).addEventListener("click", (event) => {
      event.preventDefault();
      go(target());
    });
  }
  slider.disabled = false;
  if (play) {
    play.hidden = false;
    byId("speed-label").hidden = false;
    play.addEventListener("click", toggle);
  }
  slider.addEventListener("input", () => go(Number(slider.value)));
  const stepUnder = (event) => {
    const { left, width } = slider.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.round((event.clientX - left) / width * last)));
  };
  field.addEventListener("pointermove", (event) => {
    const at = stepUnder(event);
    field.title = `Step ${at}`;
    read(at);
  });
  field.addEventListener("pointerleave", () => read(step));

  const share = byId("share");
  if (share && navigator.clipboard) {
    share.hidden = false;
    share.addEventListener("click", async () => {
      const address = pageAddress(step, byId("seat").value).href;
      try {
        await navigator.clipboard.writeText(address);
        byId("shared").textContent = "The address of this step is copied.";
      } catch {
        byId("shared").textContent = address;
      }
    });
  }

  // The list of moves is fetched when it is first shown.
  if (moves) {
    const fill = async () => {
      if (!moves.open || moves.dataset.isFilled) return;
      moves.dataset.isFilled = "yes";
      if (unpacked) {
        moveList.innerHTML = (await unpacked).at(-1);
      } else {
        const answer = await fetch(`${moveList.dataset.moves}&part=1`);
        if (!answer.ok) return;
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        moveList.replaceChildren(...fresh.body.childNodes);
      }
      markMove();
    };
    moves.addEventListener("toggle", fill);
    if (window.matchMedia("(min-width: 60rem)").matches) moves.open = true;
  }
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
    if (tag === "SELECT" || tag === "TEXTAREA" || (tag === "INPUT" && event.target !== slider)) return;
    const letters = { n: "decision-after", p: "decision-before", b: "blunder-after", B: "blunder-before" };
    if (event.key in letters && byId(letters[event.key])) {
      go(jump[letters[event.key]]());
      return;
    }
    if (event.key === "m" && moves) moves.open = !moves.open;
    if (event.key === "s" && share && !share.hidden) share.click();
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

  // A link to a step of this match shows it on the spot.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-step]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(Number(link.dataset.step));
    const screen = stage.closest(".screen").getBoundingClientRect();
    if (screen.bottom < 200) stage.closest(".screen").scrollIntoView();
  });

  // A word points at its place on the board while it is hovered or focused.
  const pointAt = (spot) => {
    for (const place of document.querySelectorAll("[data-spotted]")) place.removeAttribute("data-spotted");
    if (!spot) return;
    for (const place of document.querySelectorAll("[data-place]")) {
      if (place.dataset.place.split("|").includes(spot.dataset.spot)) place.setAttribute("data-spotted", "");
    }
  };
  for (const kind of ["pointerover", "focusin"]) {
    stage.addEventListener(kind, (event) => pointAt(event.target.closest("[data-spot]")));
  }
  for (const kind of ["pointerleave", "focusout"]) stage.firstElementChild.addEventListener(kind, () => pointAt(null));

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
  // What is open over the board closes by a click beside it and by Escape.
  const isOver = (part) => part && window.getComputedStyle(part.lastElementChild).position === "absolute";
  const closeBeside = (target) => {
    for (const part of [more, moves]) if (part && part.open && isOver(part) && !part.contains(target)) part.open = false;
  };
  document.addEventListener("click", (event) => closeBeside(event.target));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeBeside(null);
  });
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
      update();
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
