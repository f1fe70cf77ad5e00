/**
 * Extracts the game data of generation 8 from an installed `pokemon-showdown` package and prints
 * them as one JSON document. `python -m porimon.showdown.dex.extract` runs it and stores the result.
 *
 * Usage: node extract.js FOLDER-OF-THE-PACKAGE
 */
'use strict';

const path = require('path');

const root = path.resolve(process.argv[2]);
const {Dex, toID} = require(path.join(root, 'dist/sim'));
const randomSets = require(path.join(root, 'dist/data/random-battles/gen8/sets.json'));
const dex = Dex.mod('gen8');

/** Drops everything that is absent, so that the document holds facts only. */
function compact(record) {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([, value]) => value !== undefined && value !== null && value !== false && value !== ''));
}

function boosts(table) {
  return table ? Object.entries(table) : undefined;
}

function secondary(effect) {
  const own = effect.self;
  return compact({
    chance: effect.chance ?? 100,
    target: own ? 'user' : 'target',
    status: effect.status ?? own?.status,
    volatile: effect.volatileStatus ?? own?.volatileStatus,
    boosts: boosts(effect.boosts ?? own?.boosts),
  });
}

function move(data) {
  const hits = data.multihit;
  return compact({
    name: data.name,
    type: toID(data.type),
    category: data.category.toLowerCase(),
    base_power: data.basePower,
    accuracy: data.accuracy === true ? undefined : data.accuracy,
    pp: data.noPPBoosts ? data.pp : Math.floor(data.pp * 8 / 5),
    priority: data.priority,
    target: data.target,
    flags: Object.keys(data.flags).sort(),
    short_text: data.shortDesc || data.desc,
    text: data.desc || data.shortDesc,
    computed_power: !!data.basePowerCallback,
    fixed_damage: data.damage,
    critical_ratio: data.critRatio,
    always_critical: data.willCrit,
    one_hit_ko: !!data.ohko,
    hits: hits === undefined ? undefined : Array.isArray(hits) ? hits : [hits, hits],
    drain: data.drain,
    recoil: data.recoil,
    crash_damage: data.hasCrashDamage,
    heal: data.heal,
    self_destructs: !!data.selfdestruct,
    status: data.status,
    volatile: data.volatileStatus && toID(data.volatileStatus),
    boosts: boosts(data.boosts),
    self_boosts: boosts(data.self?.boosts ?? data.selfBoost?.boosts),
    self_volatile: data.self?.volatileStatus && toID(data.self.volatileStatus),
    secondaries: data.secondaries?.map(secondary),
    side_condition: data.sideCondition && toID(data.sideCondition),
    slot_condition: data.slotCondition && toID(data.slotCondition),
    weather: data.weather && toID(data.weather),
    terrain: data.terrain && toID(data.terrain),
    pseudo_weather: data.pseudoWeather && toID(data.pseudoWeather),
    switches_user: data.selfSwitch,
    forces_switch: data.forceSwitch,
    ignores_ability: data.ignoreAbility,
    ignores_defensive_boosts: data.ignoreDefensive,
    offensive_stat: data.overrideOffensiveStat,
    defensive_stat: data.overrideDefensiveStat,
    uses_target_attack: data.overrideOffensivePokemon === 'target',
  });
}

function species(data) {
  return compact({
    name: data.name,
    base_species: toID(data.baseSpecies),
    forme: data.forme,
    types: data.types.map(toID),
    base_stats: data.baseStats,
    abilities: Object.values(data.abilities).map(toID),
    weight_kg: data.weightkg,
    height_m: data.heightm,
    genders: data.gender ? [data.gender] : ['M', 'F'],
    not_fully_evolved: data.nfe,
    battle_only: !!data.battleOnly || data.isMega,
    required_item: data.requiredItems?.map(toID)[0],
    max_hp: data.maxHP,
    cosmetic: !!data.isCosmeticForme,
  });
}

function ability(data) {
  return compact({
    name: data.name,
    short_text: data.shortDesc || data.desc,
    text: data.desc || data.shortDesc,
    breakable: !!data.flags.breakable,
  });
}

function item(data) {
  return compact({
    name: data.name,
    short_text: data.shortDesc || data.desc,
    text: data.desc || data.shortDesc,
    is_berry: data.isBerry,
    is_choice: data.isChoice,
    fling_power: data.fling?.basePower,
  });
}

/** Multipliers by attacking type, then by defending type; the rest is 1. */
function typeChart() {
  const multipliers = {0: 1, 1: 2, 2: 0.5, 3: 0};
  const names = dex.types.all().filter(type => !type.isNonstandard).map(type => type.name);
  return Object.fromEntries(names.map(attack => [toID(attack), Object.fromEntries(
    names.map(defence => [toID(defence), multipliers[dex.types.get(defence).damageTaken[attack]]])
      .filter(([, multiplier]) => multiplier !== 1))]));
}

/** What can appear in the format: everything of the generation, and whatever the sets name. */
function table(entries, convert, alsoWanted = new Set()) {
  const kept = entries.filter(entry => entry.gen <= 8 &&
    (!entry.isNonstandard || entry.isNonstandard === 'Gigantamax' || alsoWanted.has(entry.id)));
  return Object.fromEntries(kept.map(entry => [entry.id, convert(entry)])
    .sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every species and forme, those that only look different included. */
function allSpecies() {
  return dex.species.all().flatMap(
    entry => [entry, ...(entry.cosmeticFormes ?? []).map(name => dex.species.get(name))]);
}

const setMoves = new Set();
const setAbilities = new Set();
const sets = {};
for (const [id, entry] of Object.entries(randomSets)) {
  sets[id] = {
    level: entry.level,
    roles: entry.sets.map(set => {
      set.movepool.forEach(name => setMoves.add(toID(name)));
      set.abilities.forEach(name => setAbilities.add(toID(name)));
      return compact({
        role: set.role,
        moves: set.movepool.map(toID),
        abilities: set.abilities.map(toID),
        preferred_types: set.preferredTypes?.map(toID),
      });
    }),
  };
}

process.stdout.write(JSON.stringify({
  source: `pokemon-showdown ${require(path.join(root, 'package.json')).version}`,
  species: table(allSpecies(), species, new Set(Object.keys(randomSets))),
  moves: table(dex.moves.all(), move, setMoves),
  abilities: table(dex.abilities.all(), ability, setAbilities),
  items: table(dex.items.all(), item),
  natures: Object.fromEntries(dex.natures.all().map(
    nature => [nature.id, compact({name: nature.name, raises: nature.plus, lowers: nature.minus})])),
  type_chart: typeChart(),
  random_sets: sets,
}));
