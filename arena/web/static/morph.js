// Changes a part of the page into a new version of it, node by node: what stays keeps its place, focus, scroll and
// transitions. Nodes are recognised by their ids, and otherwise by their kind and order.
"use strict";

const morph = (() => {
  const isSame = (old, fresh) => old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && (old.id || "") === (fresh.id || "");

  const matchAttributes = (old, fresh) => {
    for (const { name } of Array.from(old.attributes)) {
      if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    for (const { name, value } of Array.from(fresh.attributes)) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
  };

  const matchChildren = (old, fresh) => {
    const known = new Map();
    for (const child of old.children) if (child.id) known.set(child.id, child);
    let next = old.firstChild;
    for (const child of Array.from(fresh.childNodes)) {
      let found = child.id ? known.get(child.id) : null;
      if (found && !isSame(found, child)) found = null;
      if (!child.id) {
        // A node that has its own id waits for the new one of that id.
        found = next;
        while (found && !isSame(found, child)) found = found.nextSibling;
      }
      if (!found) {
        old.insertBefore(document.importNode(child, true), next);
        continue;
      }
      // What was passed over goes, unless it has an id and may be met later.
      while (next !== found && next && !child.id && !next.id) {
        const passed = next;
        next = next.nextSibling;
        passed.remove();
      }
      if (found === next) next = next.nextSibling;
      else old.insertBefore(found, next);
      if (child.id) known.delete(child.id);
      matchNode(found, child);
    }
    while (next) {
      const passed = next;
      next = next.nextSibling;
      passed.remove();
    }
    for (const child of known.values()) if (child.parentNode === old && !fresh.querySelector(`:scope > #${CSS.escape(child.id)}`)) child.remove();
  };

  const matchNode = (old, fresh) => {
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== fresh.data) old.data = fresh.data;
      return;
    }
    if (old.isEqualNode(fresh)) return;
    matchAttributes(old, fresh);
    matchChildren(old, fresh);
  };

  return matchNode;
})();
