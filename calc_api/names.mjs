/** Names that a query may use: Showdown ids to the calculator's own names, and the nearest one. */
import {createRequire} from 'node:module';

const {Generations} = createRequire(import.meta.url)('@smogon/calc');

export const GENERATION = Generations.get(8);

export const WEATHERS = {
  sunnyday: 'Sun',
  desolateland: 'Harsh Sunshine',
  raindance: 'Rain',
  primordialsea: 'Heavy Rain',
  sandstorm: 'Sand',
  hail: 'Hail',
  deltastream: 'Strong Winds',
};

export const TERRAINS = {
  electricterrain: 'Electric',
  grassyterrain: 'Grassy',
  mistyterrain: 'Misty',
  psychicterrain: 'Psychic',
};

export const STATUSES = ['slp', 'psn', 'brn', 'frz', 'par', 'tox'];

/** Formes that the calculator spells otherwise than Showdown does. */
const RESPELLED = {aegislash: 'aegislashshield'};

const LONGEST_NAME = 64;

export function toId(text) {
  return text.normalize('NFKD').toLowerCase().replace(/[^a-z0-9]+/g, '');
}

function nameTable(records) {
  const table = new Map();
  for (const record of records) table.set(record.id ?? toId(record.name), record.name);
  return table;
}

const TABLES = {
  species: nameTable(GENERATION.species),
  move: nameTable(GENERATION.moves),
  ability: nameTable(GENERATION.abilities),
  item: nameTable(GENERATION.items),
  type: nameTable(GENERATION.types),
};

/** The calculator's name for a Showdown id of `kind`, or undefined. */
export function calculatorName(kind, text) {
  const table = TABLES[kind];
  // As a rule the text is an id already.
  const known = table.get(text);
  if (known !== undefined) return known;
  let id = toId(text.slice(0, LONGEST_NAME));
  if (kind === 'species' && !table.has(id)) id = RESPELLED[id] ?? id.replace(/gmax$/, '');
  return table.get(id);
}

/** The valid word that takes the fewest changes of letters, or null if none is near. */
export function nearest(text, words) {
  const wanted = toId(text.slice(0, LONGEST_NAME));
  let best = null;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const word of words) {
    if (Math.abs(word.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, word, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [word, distance];
  }
  return best;
}

export function nearestName(kind, text) {
  return nearest(text, TABLES[kind].keys());
}

/** Levenshtein distance, given up (as `limit`) once it cannot stay below `limit`. */
function editDistance(a, b, limit) {
  let previous = Array.from({length: b.length + 1}, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let lowest = row;
    for (let column = 1; column <= b.length; column++) {
      const change = previous[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1);
      current[column] = Math.min(change, previous[column] + 1, current[column - 1] + 1);
      lowest = Math.min(lowest, current[column]);
    }
    if (lowest >= limit) return limit;
    previous = current;
  }
  return previous[b.length];
}
