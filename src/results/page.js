"use strict";
// Tables are sorted by a click on the head of a column: numbers by value, the rest as words, and
// what is not known last.
const number = (text) => parseFloat(text.replaceAll(",", "").replace("−", "-"));
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement;
    const body = head.closest("table").tBodies[0];
    const text = (row) => row.cells[head.cellIndex].textContent;
    const turn = head.ariaSort === "ascending" ? -1 : 1;
    const values = head.classList.contains("num");
    const compare = (one, other) => {
      const [a, b] = [text(one), text(other)];
      if (a === "" || b === "") return (a === "") - (b === "");
      return turn * (values ? number(a) - number(b) : a.localeCompare(b, "en", { numeric: true }));
    };
    const rows = [...body.rows].sort(compare);
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.ariaSort = turn === 1 ? "ascending" : "descending";
    body.append(...rows);
  });
}
