// Pokémon, sides and fields of a view (`porimon.showdown.view.model`) as cards.
"use strict";

Porimon.showdown = (function () {
  const { element } = Porimon;

  const STATUS = { brn: "burned", par: "paralysed", slp: "asleep", frz: "frozen", psn: "poisoned", tox: "badly poisoned" };
  const STATS = { atk: "Atk", def: "Def", spa: "SpA", spd: "SpD", spe: "Spe", accuracy: "Acc", evasion: "Eva" };

  // The name of an id, looked up in the tables given, in that order; else the id itself.
  function name(id, ...tables) {
    const names = Porimon.store.gameData;
    for (const table of tables) if (names[table] && names[table][id]) return names[table][id];
    return id;
  }

  const move = (id) => name(id, "moves");
  const species = (id) => name(id, "species");
  const item = (id) => (id === null ? "item unknown" : id === "noitem" ? "no item" : name(id, "items"));
  const condition = (id) => name(id, "conditions", "moves", "abilities", "items");

  function capital(word) {
    return word.charAt(0).toUpperCase() + word.slice(1);
  }

  function type(id) {
    return element("span", { class: `type type-${id}` }, capital(id));
  }

  function chip(text, kind, title) {
    return element("span", { class: `chip ${kind || ""}`, title }, text);
  }

  function turnsLeft(timed) {
    const { turns_left_min: low, turns_left_max: high } = timed;
    if (high === null) return "";
    const range = low === high ? `${high}` : `${low}–${high}`;
    return ` (${range} ${high === 1 ? "turn" : "turns"} left)`;
  }

  function timed(each) {
    const layers = each.layers > 1 ? ` ×${each.layers}` : "";
    const detail = each.detail ? `: ${name(each.detail, "moves", "species")}` : "";
    return chip(`${condition(each.id)}${layers}${detail}${turnsLeft(each)}`);
  }

  function hpText(pokemon) {
    const percent = `${Math.round(100 * pokemon.hp_fraction)} %`;
    return pokemon.hp === null || pokemon.max_hp === null ? percent : `${pokemon.hp}/${pokemon.max_hp} (${percent})`;
  }

  function hpBar(pokemon) {
    const share = Math.max(0, Math.min(1, pokemon.hp_fraction));
    const level = share > 0.5 ? "good" : share > 0.2 ? "fair" : "poor";
    return element("div", { class: `hp ${level}`, role: "img", "aria-label": `HP ${hpText(pokemon)}` },
      element("span", { style: `width:${(100 * share).toFixed(1)}%` }));
  }

  function status(pokemon) {
    if (pokemon.fainted) return chip("fainted", "fainted");
    if (!pokemon.status) return null;
    const turns = pokemon.status === "slp" && pokemon.status_turns !== null ? ` (turn ${pokemon.status_turns})` : "";
    return chip(`${STATUS[pokemon.status] || pokemon.status}${turns}`, `status-${pokemon.status}`);
  }

  function boosts(pokemon) {
    return pokemon.boosts
      .filter(([, stage]) => stage !== 0)
      .map(([stat, stage]) => chip(`${stage > 0 ? "+" : "−"}${Math.abs(stage)} ${STATS[stat] || stat}`, stage > 0 ? "raised" : "lowered"));
  }

  // What it is called: its species, and its nickname where it has another one.
  function title(pokemon) {
    const kind = species(pokemon.species);
    const base = species(pokemon.team_species);
    const nickname = pokemon.name && ![kind, base].includes(pokemon.name) && !kind.startsWith(pokemon.name) ? ` “${pokemon.name}”` : "";
    return `${kind}${nickname}`;
  }

  function ability(pokemon) {
    if (pokemon.ability === null) return "ability unknown";
    return name(pokemon.ability, "abilities");
  }

  function former(pokemon) {
    if (!pokemon.former_items.length) return null;
    return element("span", { class: "soft" }, ` (had ${pokemon.former_items.map(item).join(", ")})`);
  }

  function moves(pokemon) {
    if (!pokemon.moves.length) return null;
    return element("ul", { class: "moves" }, pokemon.moves.map((each) =>
      element("li", { class: each.disabled ? "disabled" : null }, move(each.id),
        each.pp === null ? null : element("span", { class: "soft" }, ` ${each.pp}/${each.max_pp === null ? "?" : each.max_pp}`))));
  }

  // The active Pokémon of a side.
  function active(pokemon) {
    if (!pokemon) return element("div", { class: "mon active none" }, "nobody is active");
    return element("div", { class: `mon active${pokemon.fainted ? " out" : ""}` },
      element("div", { class: "mon-head" },
        element("b", {}, title(pokemon)),
        element("span", { class: "soft" }, `L${pokemon.level}${{ M: " ♂", F: " ♀" }[pokemon.gender] || ""}`),
        pokemon.types.map(type)),
      hpBar(pokemon),
      element("div", { class: "hp-text" }, hpText(pokemon)),
      element("div", { class: "chips" }, status(pokemon), boosts(pokemon), pokemon.volatiles.map(timed),
        pokemon.disguised_as ? chip(`looks like ${species(pokemon.disguised_as)}`) : null,
        pokemon.transformed_into ? chip(`transformed into ${species(pokemon.transformed_into)}`) : null),
      element("div", { class: "kit" }, ability(pokemon), " · ", item(pokemon.item), former(pokemon)),
      moves(pokemon));
  }

  // One on the bench.
  function benched(pokemon) {
    return element("li", { class: `mon bench${pokemon.fainted ? " out" : ""}` },
      element("div", { class: "mon-head" }, element("span", { class: "called" }, title(pokemon)), status(pokemon)),
      hpBar(pokemon),
      element("div", { class: "hp-text" }, pokemon.fainted ? "" : hpText(pokemon), pokemon.item ? element("span", { class: "soft" }, ` ${item(pokemon.item)}`) : null));
  }

  // A side: whose it is, its conditions, its active Pokémon and its bench.
  function side(document, player, seat, note) {
    const seen = document.bench.length + (document.active ? 1 : 0);
    const hidden = document.team_size - seen;
    return element("div", { class: `side seat-${seat}` },
      element("div", { class: "side-head" }, element("span", { class: "player" }, player), note ? element("span", { class: "soft" }, note) : null),
      active(document.active),
      document.conditions.length ? element("div", { class: "chips" }, document.conditions.map(timed)) : null,
      element("ul", { class: "benches", "aria-label": `${player}: bench` },
        document.bench.map(benched),
        hidden > 0 ? element("li", { class: "mon bench hidden" }, `${hidden} not seen yet`) : null));
  }

  // Weather, terrain, rooms.
  function field(document) {
    const all = [document.weather, document.terrain, ...document.pseudo_weather].filter((each) => each);
    return element("div", { class: "field" }, all.length ? all.map(timed) : element("span", { class: "soft" }, "clear field"));
  }

  return { side, field, name, move, species, item, type, chip, capital };
})();
