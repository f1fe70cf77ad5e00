// Tables: sorted by a click on a heading (or Enter), saved as CSV with all digits.
"use strict";

(function () {
  const { element } = Porimon;

  function value(row, column) {
    const raw = row.children[column].dataset.raw;
    if (raw === undefined || raw === "") return null;
    const number = Number(raw);
    return Number.isNaN(number) ? raw : number;
  }

  // Unknown values come last, whatever the direction.
  function compare(one, other, direction) {
    if (one === null || other === null) return (one === null) - (other === null);
    if (typeof one === "number" && typeof other === "number") return direction * (one - other);
    return direction * String(one).localeCompare(String(other), "en", { numeric: true });
  }

  function sort(table, heading, column) {
    const falling = heading.getAttribute("aria-sort") === "descending";
    const direction = falling ? 1 : -1;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", falling ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows];
    rows.sort((one, other) => compare(value(one, column), value(other, column), direction));
    table.tBodies[0].append(...rows);
  }

  Porimon.sortable = function (table) {
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const text = heading.textContent;
      heading.replaceChildren(
        element("button", { type: "button", onclick: () => sort(table, heading, column) }, text),
      );
    });
  };

  // A button that saves the raw figures of a table of the report.
  Porimon.csvButton = function (name) {
    const save = () => {
      const { keys, rows } = Porimon.store.overview.tables[name];
      Porimon.save(`${name}.csv`, "text/csv", Porimon.csv(keys, rows));
    };
    return element("button", { type: "button", onclick: save, "data-save": "csv" }, "CSV");
  };
})();
