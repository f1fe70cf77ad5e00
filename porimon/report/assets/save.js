// Files that a page makes by itself: tables as CSV, logs, pictures.
"use strict";

(function () {
  function cell(value) {
    if (value === null || value === undefined) return "";
    const text = String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  // Rows of raw values as CSV; what is unknown stays empty.
  Porimon.csv = function (keys, rows) {
    return [keys, ...rows].map((row) => row.map(cell).join(",") + "\n").join("");
  };

  // Hand a file to the reader.
  Porimon.save = function (name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = Porimon.element("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  };
})();
