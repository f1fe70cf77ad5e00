/** Checks one query of a batch field by field and says exactly what is wrong with it. */
import {
  STATUSES, TERRAINS, WEATHERS, calculatorName, nearest, nearestName, toId,
} from './names.mjs';

/** A query that cannot be answered: the field at fault, why, and the nearest valid word. */
export class QueryProblem extends Error {
  constructor(field, message, near = null) {
    super(message);
    this.field = field;
    this.nearest = near;
  }
}

const STATS = ['hp', 'atk', 'def', 'spa', 'spd', 'spe'];
const BOOSTS = [...STATS.slice(1), 'accuracy', 'evasion'];

function plainObject(value, field) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new QueryProblem(field, 'must be an object');
  }
  return value;
}

function rejectUnknown(object, allowed, field) {
  for (const key of Object.keys(object)) {
    if (!allowed.includes(key)) {
      throw new QueryProblem(
        field ? `${field}.${key}` : key || '(empty)', 'is not a field of a query',
        nearest(key, allowed));
    }
  }
}

function name(kind, value, field) {
  if (typeof value !== 'string') throw new QueryProblem(field, 'must be a text');
  const found = calculatorName(kind, value);
  if (found === undefined) {
    throw new QueryProblem(
      field, `there is no ${kind} ${JSON.stringify(value.slice(0, 64))}`, nearestName(kind, value));
  }
  return found;
}

function optionalName(kind, value, field) {
  return value === undefined || value === null ? undefined : name(kind, value, field);
}

function choice(table, value, field) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new QueryProblem(field, 'must be a text');
  const words = Array.isArray(table) ? table : Object.keys(table);
  const id = toId(value.slice(0, 64));
  if (!words.includes(id)) {
    throw new QueryProblem(field, `must be one of ${words.join(', ')}`, nearest(value, words));
  }
  return Array.isArray(table) ? id : table[id];
}

function flag(value, field) {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'boolean') throw new QueryProblem(field, 'must be true or false');
  return value;
}

function integer(value, field, low, high, fallback) {
  if (value === undefined || value === null) {
    if (fallback === undefined) throw new QueryProblem(field, 'is missing');
    return fallback;
  }
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new QueryProblem(field, `must be a whole number from ${low} to ${high}`);
  }
  return value;
}

function table(value, field, keys, low, high) {
  const checked = {};
  if (value === undefined || value === null) return checked;
  plainObject(value, field);
  rejectUnknown(value, keys, field);
  for (const key of Object.keys(value)) {
    checked[key] = integer(value[key], `${field}.${key}`, low, high);
  }
  return checked;
}

function types(value, field) {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length > 3) {
    throw new QueryProblem(field, 'must be a list of at most three types');
  }
  const named = value.map((type, index) => name('type', type, `${field}.${index}`));
  return named.length ? named : ['???'];
}

const COMBATANT = [
  'species', 'level', 'ability', 'ability_on', 'item', 'types', 'gender', 'status',
  'toxic_counter', 'boosts', 'evs', 'ivs', 'stats', 'hp_fraction',
];

function combatant(value, field) {
  plainObject(value, field);
  rejectUnknown(value, COMBATANT, field);
  const fraction = value.hp_fraction ?? 1;
  if (typeof fraction !== 'number' || !(fraction > 0 && fraction <= 1)) {
    throw new QueryProblem(`${field}.hp_fraction`, 'must be above 0 and at most 1');
  }
  const gender = value.gender ?? undefined;
  if (gender !== undefined && !['M', 'F', 'N'].includes(gender)) {
    throw new QueryProblem(`${field}.gender`, 'must be M, F or N');
  }
  const stats = table(value.stats, `${field}.stats`, STATS, 1, 9999);
  return {
    species: name('species', value.species, `${field}.species`),
    level: integer(value.level, `${field}.level`, 1, 100),
    ability: optionalName('ability', value.ability, `${field}.ability`),
    abilityOn: flag(value.ability_on, `${field}.ability_on`),
    item: optionalName('item', value.item, `${field}.item`),
    types: types(value.types, `${field}.types`),
    gender,
    status: choice(STATUSES, value.status, `${field}.status`),
    toxicCounter: integer(value.toxic_counter, `${field}.toxic_counter`, 0, 16, 0),
    boosts: table(value.boosts, `${field}.boosts`, BOOSTS, -6, 6),
    evs: table(value.evs, `${field}.evs`, STATS, 0, 255),
    ivs: table(value.ivs, `${field}.ivs`, STATS, 0, 31),
    stats,
    hpFraction: fraction,
  };
}

const SIDE = [
  'reflect', 'light_screen', 'aurora_veil', 'tailwind', 'stealth_rock', 'spikes', 'leech_seed',
  'power_trick', 'foresight', 'charge', 'switching_out',
];

function side(value, field) {
  if (value === undefined || value === null) return {};
  plainObject(value, field);
  rejectUnknown(value, SIDE, field);
  const on = key => flag(value[key], `${field}.${key}`);
  return {
    isReflect: on('reflect'),
    isLightScreen: on('light_screen'),
    isAuroraVeil: on('aurora_veil'),
    isTailwind: on('tailwind'),
    isSR: on('stealth_rock'),
    spikes: integer(value.spikes, `${field}.spikes`, 0, 3, 0),
    isSeeded: on('leech_seed'),
    isPowerTrick: on('power_trick'),
    isForesight: on('foresight'),
    isCharge: on('charge'),
    isSwitching: on('switching_out') ? 'out' : undefined,
  };
}

const FIELD = [
  'weather', 'terrain', 'gravity', 'magic_room', 'wonder_room', 'attacker_side', 'defender_side',
];

function battlefield(value) {
  if (value === undefined || value === null) return {};
  plainObject(value, 'field');
  rejectUnknown(value, FIELD, 'field');
  return {
    gameType: 'Singles',
    weather: choice(WEATHERS, value.weather, 'field.weather'),
    terrain: choice(TERRAINS, value.terrain, 'field.terrain'),
    isGravity: flag(value.gravity, 'field.gravity'),
    isMagicRoom: flag(value.magic_room, 'field.magic_room'),
    isWonderRoom: flag(value.wonder_room, 'field.wonder_room'),
    attackerSide: side(value.attacker_side, 'field.attacker_side'),
    defenderSide: side(value.defender_side, 'field.defender_side'),
  };
}

const QUERY = [
  'attacker', 'defender', 'move', 'field', 'critical', 'hits', 'detail', 'description', 'rolls',
];

/**
 * What several queries of a request share: each entry is checked once, when it is first named.
 * A problem is told again to every query that names the entry.
 */
class SharedList {
  constructor(entries, check, called) {
    this.entries = entries;
    this.check = check;
    this.called = called;
    this.checked = new Map();
  }

  /** The checked form of `value`: itself, or the entry of the list that it numbers. */
  get(value, field) {
    if (typeof value !== 'number') return this.check(value, field);
    if (!Number.isInteger(value) || value < 0 || value >= this.entries.length) {
      throw new QueryProblem(field, `is no place in the request's list of ${this.called}`);
    }
    if (!this.checked.has(value)) {
      this.checked.set(value, this.check(this.entries[value], field));
    }
    return this.checked.get(value);
  }
}

/** The shared lists of a request, both may be missing. */
export function sharedLists(combatants = [], fields = []) {
  return {
    combatants: new SharedList(combatants, combatant, 'combatants'),
    fields: new SharedList(fields, battlefield, 'fields'),
  };
}

/** The query with every name as the calculator spells it. Throws `QueryProblem`. */
export function checkedQuery(value, shared = sharedLists()) {
  plainObject(value, 'query');
  rejectUnknown(value, QUERY, '');
  return {
    move: name('move', value.move, 'move'),
    attacker: shared.combatants.get(value.attacker, 'attacker'),
    defender: shared.combatants.get(value.defender, 'defender'),
    field: shared.fields.get(value.field, 'field'),
    critical: flag(value.critical, 'critical'),
    hits: integer(value.hits, 'hits', 1, 10, null),
    detail: flag(value.detail ?? true, 'detail'),
    description: flag(value.description ?? true, 'description'),
    rolls: flag(value.rolls ?? true, 'rolls'),
  };
}
