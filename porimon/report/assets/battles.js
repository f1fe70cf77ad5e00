// The list of battles: chosen by players and stage in the address, loaded one matchup at a time.
"use strict";

(function () {
  const { element, store, write } = Porimon;
  const fields = ["one", "other", "stage", "only"];
  const input = Object.fromEntries(fields.map((name) => [name, document.getElementById(name)]));
  const status = document.getElementById("status");
  const list = document.getElementById("list");
  const MOST_OPEN = 4; // matchups whose battles are shown at once without being asked for

  const KEEPS = {
    "": () => true,
    fallbacks: (row) => total(row.fallbacks) > 0,
    refused: (row) => total(row.refused) > 0,
    irregular: (row) => row.end !== "normal",
  };

  function total(bySeat) {
    return Object.values(bySeat || {}).reduce((sum, count) => sum + count, 0);
  }

  function fill() {
    const names = new Set();
    const stages = new Set();
    for (const matchup of store.matchups) {
      stages.add(matchup.stage);
      Object.values(matchup.players).forEach((name) => names.add(name));
    }
    const options = (values) => [...values].map((value) => element("option", { value }, value));
    const sorted = [...names].sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
    input.one.append(...options(sorted));
    input.other.append(...options(sorted));
    input.stage.append(...options(stages));
  }

  function chosen() {
    const given = new URLSearchParams(location.hash.slice(1));
    return Object.fromEntries(fields.map((name) => [name, given.get(name) || ""]));
  }

  function fits(matchup, choice) {
    const players = Object.values(matchup.players);
    if (choice.stage && matchup.stage !== choice.stage) return false;
    if (choice.one && choice.other && choice.one === choice.other) return false;
    return [choice.one, choice.other].every((name) => !name || players.includes(name));
  }

  function score(matchup) {
    const ties = matchup.played - matchup.wins.a - matchup.wins.b;
    return `${matchup.wins.a}–${matchup.wins.b}${ties ? `, ${ties} tied` : ""}`;
  }

  function battleRow(matchup, row) {
    const winner = row.winner === null ? "tie" : matchup.players[row.winner];
    const name = row.page
      ? element("a", { href: `battle.html#${row.name}` }, row.name)
      : row.name;
    const cell = (text, raw) => element("td", { class: "number", "data-raw": raw }, text);
    const end = row.counts ? row.end.replace("_", " ") : `${row.end.replace("_", " ")} (not counted)`;
    return element(
      "tr",
      {},
      element("th", { scope: "row", "data-raw": row.name.split(".")[1] }, name),
      element("td", { "data-raw": winner, class: row.winner ? `seat-${row.winner}` : "" }, winner),
      cell(String(row.turns), row.turns),
      element("td", { "data-raw": row.end }, end),
      element("td", { "data-raw": row.first }, matchup.players[row.first]),
      cell(write.count(total(row.fallbacks)), total(row.fallbacks)),
      cell(write.count(total(row.refused)), total(row.refused)),
      cell(write.seconds(row.seconds), row.seconds),
    );
  }

  const HEADINGS = [
    ["battle", false],
    ["winner", false],
    ["turns", true],
    ["end", false],
    ["played first side", false],
    ["fallbacks", true],
    ["refused", true],
    ["duration", true],
  ];

  function battleTable(matchup, rows) {
    const heads = HEADINGS.map(([text, numeric]) =>
      element("th", { scope: "col", class: numeric ? "number" : null }, text),
    );
    const table = element(
      "table",
      {},
      element("caption", { class: "unseen" }, `Battles of ${title(matchup)}`),
      element("thead", {}, element("tr", {}, heads)),
      element("tbody", {}, rows.map((row) => battleRow(matchup, row))),
    );
    Porimon.sortable(table);
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Battles of ${title(matchup)}` }, table);
  }

  function title(matchup) {
    return `${matchup.players.a} against ${matchup.players.b}`;
  }

  async function show(box, matchup, only) {
    if (!store.matchup[matchup.number]) await Porimon.load(`battles/${matchup.number}.js`);
    const rows = store.matchup[matchup.number].filter(KEEPS[only]);
    box.querySelector(".rows").replaceChildren(
      rows.length ? battleTable(matchup, rows) : element("p", { class: "lead" }, "None of its battles."),
    );
  }

  function section(matchup, choice, open) {
    const box = element(
      "details",
      { class: "matchup" },
      element(
        "summary",
        {},
        element("span", { class: "pair" }, title(matchup)),
        element("span", { class: "score" }, score(matchup)),
        element("span", { class: "of" }, `${matchup.stage} · ${matchup.played} of ${matchup.planned} battles`),
      ),
      element("div", { class: "rows" }),
    );
    box.addEventListener("toggle", () => box.open && show(box, matchup, choice.only));
    box.open = open;
    return box;
  }

  function render() {
    const choice = chosen();
    for (const name of fields) input[name].value = choice[name];
    const found = store.matchups.filter((matchup) => fits(matchup, choice));
    const battles = found.reduce((sum, matchup) => sum + matchup.played, 0);
    status.textContent =
      `${write.count(found.length)} matchups, ${write.count(battles)} battles. ` +
      "The result is that of the player named first.";
    list.replaceChildren(
      ...found.map((matchup) => section(matchup, choice, found.length <= MOST_OPEN)),
    );
  }

  fill();
  render();
  addEventListener("hashchange", render);
  document.getElementById("filters").addEventListener("change", () => {
    const given = fields.filter((name) => input[name].value);
    location.hash = new URLSearchParams(given.map((name) => [name, input[name].value]));
  });
})();
