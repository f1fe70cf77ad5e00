// A battle's packed parts, as the record stores them (`porimon/tournament/record/details.py`, which
// this file follows): Zstandard, then JSON with decisions field by field.
"use strict";

Porimon.unpack = (function () {
  function text(packed) {
    const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(fzstd.decompress(bytes));
  }

  // Columns to rows: [{seat, turn, …}, …]. Prompts' sections keep their places in `texts`.
  function details(packed) {
    const document = JSON.parse(text(packed));
    const columns = document.decisions;
    if (!Array.isArray(columns)) {
      const keys = Object.keys(columns);
      const count = keys.length ? columns[keys[0]].length : 0;
      document.decisions = Array.from({ length: count }, (_, row) =>
        Object.fromEntries(keys.map((key) => [key, columns[key][row]])),
      );
    }
    return document;
  }

  return { text, details };
})();
