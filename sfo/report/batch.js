
"use strict";
// Sorts the table by the column whose head is pressed; pressed again, the other way round.
(() => {
  const table = document.getElementById("programs");
  if (!table) return;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    const rows = [...table.tBodies[0].rows].map((row, place) => [row.cells[column].textContent.trim(), place, row]);
    const order = new Intl.Collator("en", { numeric: true });
    rows.sort((a, b) => (down ? -1 : 1) * order.compare(a[0], b[0]) || a[1] - b[1]);
    table.tBodies[0].append(...rows.map((row) => row[2]));
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
  }));
})();
