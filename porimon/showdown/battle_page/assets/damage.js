// The facts of a decision (`porimon.showdown.facts.model`): damage ranges of every matchup.
"use strict";

Porimon.showdown.facts = (function () {
  const { element, decision } = Porimon;
  const { type, capital } = Porimon.showdown;

  function range(damage) {
    if (!damage) return "–";
    return `${damage.low.toFixed(1)}–${damage.high.toFixed(1)} %`;
  }

  function knockOut(damage) {
    if (!damage || damage.ko_chance === null || damage.ko_hits === null) return "–";
    const hits = damage.ko_hits === 1 ? "1 hit" : `${damage.ko_hits} hits`;
    return `${Math.round(100 * damage.ko_chance)} % in ${hits}`;
  }

  function factor(multiplier) {
    return multiplier === null ? "–" : `×${multiplier}`;
  }

  function power(move) {
    return move.base_power === null ? "–" : String(move.base_power);
  }

  function accuracy(move) {
    return move.accuracy === null ? "–" : `${Math.round(100 * move.accuracy)} %`;
  }

  function known(move) {
    return move.probability === null ? "known" : `likely ${Math.round(100 * move.probability)} %`;
  }

  function table(caption, attacks, foes) {
    if (!attacks.length) return null;
    const heads = ["move", "type", "kind", "power", "accuracy", "effect", "damage", "knocks out", ...(foes ? ["known?"] : [])];
    const rows = attacks.map(({ move, multiplier, damage }) =>
      element("tr", {},
        element("th", { scope: "row" }, move.name),
        element("td", {}, type(move.type)),
        element("td", {}, capital(move.category)),
        element("td", { class: "number" }, power(move)),
        element("td", { class: "number" }, accuracy(move)),
        element("td", { class: "number" }, factor(multiplier)),
        element("td", { class: "number" }, range(damage)),
        element("td", { class: "number" }, knockOut(damage)),
        foes ? element("td", {}, known(move)) : null));
    return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
      element("table", { class: "damage" },
        element("caption", {}, caption),
        element("thead", {}, element("tr", {}, heads.map((text) => element("th", { scope: "col" }, text)))),
        element("tbody", {}, rows)));
  }

  // The attacks with their whole moves: facts name those by their ids (early records hold them).
  function whole(attacks, pokemon) {
    const moves = [...pokemon.moves, ...pokemon.likely_moves, ...(pokemon.other_moves || [])];
    return attacks.map((attack) => ({
      ...attack,
      move: moves.find((move) => move.id === attack.move) || attack.move,
    }));
  }

  function matchup(facts, number, foe) {
    const own = facts.own[number].name;
    const faster = { own: `${own} moves first`, foe: `${foe} moves first` }[facts.matchups[number].faster] || "who moves first is open";
    const content = element("div", {},
      element("p", { class: "soft" }, `At equal priority, ${faster}.`),
      table(`${own} on ${foe}`, whole(facts.matchups[number].attacks, facts.own[number]), false),
      table(`${foe} on ${own}`, whole(facts.matchups[number].threats, facts.foe[0]), true));
    return decision.folded(`${own} against ${foe}`, content, null, number === 0);
  }

  // All matchups of the facts, the active Pokémon's first and open.
  return function (facts) {
    if (!facts || !facts.matchups.length || !facts.foe.length) return null;
    const foe = facts.foe[0].name;
    return element("div", { class: "facts-list" }, facts.matchups.map((each, number) => matchup(facts, number, foe)));
  };
})();
