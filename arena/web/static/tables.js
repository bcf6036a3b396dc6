// Sorts and filters a table on the spot when all of it is on the page. Without this script the links do the same.
"use strict";

function cellValue(row, index) {
  const cell = row.cells[index];
  const text = cell.dataset.value !== undefined ? cell.dataset.value : cell.textContent.trim();
  if (text === "" || text === "–") return null;
  const number = Number(text);
  return Number.isNaN(number) ? text.toLowerCase() : number;
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other));
}

function sortTable(table, heading) {
  const index = heading.cellIndex;
  const before = heading.getAttribute("aria-sort");
  const link = heading.querySelector(".sort");
  let order = link && link.dataset.first === "desc" ? "descending" : "ascending";
  if (before) order = before === "ascending" ? "descending" : "ascending";
  const body = table.tBodies[0];
  for (const divider of body.querySelectorAll("[data-divider]")) divider.remove();
  const rows = Array.from(body.rows);
  const sign = order === "ascending" ? 1 : -1;
  rows.sort((one, other) => {
    const a = cellValue(one, index);
    const b = cellValue(other, index);
    if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
    return sign * compare(a, b);
  });
  body.append(...rows);
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", order);
  return order;
}

for (const table of document.querySelectorAll("table[data-sortable]")) {
  for (const heading of table.tHead.rows[0].cells) {
    const link = heading.querySelector(".sort");
    if (!link) continue;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const order = sortTable(table, heading);
      if (link.href) {
        const address = new URL(window.location.href);
        address.searchParams.set("sort", heading.dataset.key);
        if (order === "descending") address.searchParams.set("order", "desc");
        else address.searchParams.delete("order");
        window.history.replaceState(null, "", address);
      }
    });
  }
  const form = document.querySelector("form.search");
  if (!form) continue;
  const input = form.querySelector("input[type=search]");
  const filter = () => {
    const wanted = input.value.toLowerCase();
    for (const row of table.tBodies[0].rows) {
      row.hidden = row.dataset.name !== undefined && !row.dataset.name.toLowerCase().includes(wanted);
    }
  };
  input.addEventListener("input", filter);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    filter();
  });
}
