"use strict";
// A click on a column heading sorts a table: numbers by value, others as words, unknown values last.
const isKnown = (text) => text !== "" && text !== "–";
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
      if (!isKnown(a) || !isKnown(b)) return isKnown(b) - isKnown(a);
      return turn * (values ? number(a) - number(b) : a.localeCompare(b, "en", { numeric: true }));
    };
    const rows = [...body.rows].sort(compare);
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.ariaSort = turn === 1 ? "ascending" : "descending";
    body.append(...rows);
  });
}

// Shows the value under the pointer in a chart. Without scripts the browser shows the same text after a
// delay.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);
for (const title of document.querySelectorAll(".told title")) {
  title.parentElement.dataset.told = title.textContent;
  title.remove();
}
const point = (event) => {
  const told = event.target.dataset?.told;
  tip.hidden = !told;
  if (!told) return;
  tip.textContent = told;
  const { scrollX, scrollY } = window;
  const room = document.documentElement.clientWidth - tip.offsetWidth - 4;
  tip.style.left = `${scrollX + Math.max(4, Math.min(event.clientX + 12, room))}px`;
  const above = event.clientY - tip.offsetHeight - 12;
  tip.style.top = `${scrollY + (above > 0 ? above : event.clientY + 20)}px`;
};
for (const chart of document.querySelectorAll(".chart")) {
  chart.addEventListener("pointermove", point);
  chart.addEventListener("pointerdown", point);
  chart.addEventListener("pointerleave", () => { tip.hidden = true; });
}
