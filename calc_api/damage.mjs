/** Answers one checked query with the calculator, and mends what it leaves to its user. */
import {createRequire} from 'node:module';
import {GENERATION} from './names.mjs';
import {QueryProblem} from './query.mjs';

const {Field, Move, Pokemon, calculate} = createRequire(import.meta.url)('@smogon/calc');

/** An ability that never bears on damage. (Without a name the calculator takes the species' first.) */
const NO_ABILITY = 'Honey Gather';

/** These raise a stat on entry. The boosts of a query hold that already; the calculator adds it. */
const SPENT_ON_ENTRY = ['Download', 'Intrepid Sword', 'Dauntless Shield'];

/** Their damage follows from what happened before in the turn or from chance beyond the rolls. */
const OUT_OF_REACH = [
  'Beat Up', 'Bide', 'Comeuppance', 'Counter', 'Metal Burst', 'Mirror Coat', 'Present', 'Psywave',
  'Spit Up', 'Trump Card',
];
const ONE_HIT_KO = ['Fissure', 'Guillotine', 'Horn Drill', 'Sheer Cold'];

const built = new WeakMap();

/**
 * The calculator's Pokémon for a checked combatant: queries that share one share the Pokémon too.
 * (The calculator works on clones and leaves it as it is.)
 */
function combatant(spec) {
  let pokemon = built.get(spec);
  if (pokemon === undefined) built.set(spec, pokemon = newCombatant(spec));
  return pokemon;
}

/** With exact stats, HP and types where the query gives them. */
function newCombatant(spec) {
  const ability = !spec.ability || SPENT_ON_ENTRY.includes(spec.ability) ? NO_ABILITY : spec.ability;
  const pokemon = new Pokemon(GENERATION, spec.species, {
    level: spec.level,
    ability,
    abilityOn: spec.abilityOn,
    item: spec.item,
    gender: spec.gender,
    nature: 'Serious',
    evs: spec.evs,
    ivs: spec.ivs,
    boosts: spec.boosts,
    status: spec.status ?? '',
    toxicCounter: spec.toxicCounter,
  });
  return exact(pokemon, spec);
}

function exact(pokemon, spec) {
  Object.assign(pokemon.rawStats, spec.stats);
  Object.assign(pokemon.stats, spec.stats);
  if (spec.types) pokemon.types = spec.types.slice(0, 2);
  const maximum = pokemon.rawStats.hp;
  pokemon.originalCurHP = spec.hpFraction === 1 ?
    maximum :
    Math.max(1, Math.min(Math.round(spec.hpFraction * maximum), maximum - 1));
  pokemon.clone = () => clonePokemon(pokemon);
  return pokemon;
}

/**
 * The calculator works on clones. Its own way would compute the stats anew from EVs and IVs, and
 * copy all the data of the species each time; it changes none of them.
 */
function clonePokemon(pokemon) {
  const clone = Object.assign(Object.create(Pokemon.prototype), pokemon);
  for (const changing of ['boosts', 'rawStats', 'stats']) clone[changing] = {...pokemon[changing]};
  clone.types = [...pokemon.types];
  clone.moves = [...pokemon.moves];
  clone.clone = () => clonePokemon(clone);
  return clone;
}

const MOST_KEPT_MOVES = 4096;
const keptMoves = new Map();

/** The calculator's move with these options; kept, since a clone of it is what is worked on. */
function moveWith(name, options = {}) {
  const key = [name, options.ability, options.item, options.isCrit, options.hits].join('|');
  let move = keptMoves.get(key);
  if (move === undefined) {
    if (keptMoves.size >= MOST_KEPT_MOVES) keptMoves.clear();
    move = new Move(GENERATION, name, options);
    move.clone = () => cloneMove(move);
    keptMoves.set(key, move);
  }
  return move;
}

/** As with Pokémon; of a move's inner data the calculator changes the flags. */
function cloneMove(move) {
  const clone = Object.assign(Object.create(Move.prototype), move);
  clone.flags = {...move.flags};
  clone.clone = () => cloneMove(clone);
  return clone;
}

function typeMultiplier(type, defender) {
  const id = type.toLowerCase();
  const row = [...GENERATION.types].find(candidate => candidate.id === id);
  return defender.types.reduce((product, other) => product * (row?.effectiveness[other] ?? 1), 1);
}

/** Damage in points of moves that the calculator has no formula for; undefined: it has one. */
function fixedDamage(move, attacker, defender) {
  const immune = typeMultiplier(move.type, defender) === 0;
  if (move.name === 'Super Fang') {
    return immune ? 0 : Math.max(1, Math.floor(defender.curHP() / 2));
  }
  if (move.name === 'Endeavor') {
    return immune ? 0 : Math.max(0, defender.curHP() - attacker.curHP());
  }
  if (ONE_HIT_KO.includes(move.name)) {
    const fails = immune || defender.hasAbility('Sturdy') || attacker.level < defender.level ||
      (move.name === 'Sheer Cold' && defender.hasType('Ice'));
    return fails ? 0 : defender.curHP();
  }
  return undefined;
}

/** How often the move may strike: from the fewest to the most. */
function strikes(move, query) {
  const multihit = GENERATION.moves.get(move.name.toLowerCase().replace(/[^a-z0-9]/g, ''))?.multihit;
  if (multihit === undefined) return [1, 1];
  if (query.hits !== null) return [query.hits, query.hits];
  // Each strike of Triple Axel and Triple Kick may miss and ends the move then.
  if (move.multiaccuracy) return [query.attacker.ability === 'Skill Link' ? multihit : 1, multihit];
  if (typeof multihit === 'number') return [multihit, multihit];
  return query.attacker.ability === 'Skill Link' ? [multihit[1], multihit[1]] : multihit;
}

function run(query, attacker, defender, hits) {
  const move = moveWith(query.move, {
    ability: query.attacker.ability,
    item: query.attacker.item,
    isCrit: query.critical,
    hits,
  });
  return calculate(GENERATION, attacker, defender, move, new Field(query.field));
}

function rollsOf(damage) {
  if (typeof damage === 'number') return [[damage]];
  if (typeof damage[0] !== 'number') return damage;
  return damage.length < 16 ? damage.map(strike => [strike]) : [damage];
}

function percent(points, maximum) {
  return Math.round(points / maximum * 10000) / 100;
}

/** The answer to one checked query. Throws `QueryProblem` for moves without a predictable hit. */
export function answer(query) {
  const move = moveWith(query.move);
  if (OUT_OF_REACH.includes(move.name)) {
    throw new QueryProblem('move', `the damage of ${move.name} is not known before it is used`);
  }
  if (move.category === 'Status' && move.name !== 'Nature Power') {
    throw new QueryProblem('move', `${move.name} is a status move`);
  }
  const attacker = combatant(query.attacker);
  const defender = combatant(query.defender);
  const maximum = defender.maxHP();
  const fixed = fixedDamage(move, attacker, defender);
  if (fixed !== undefined) {
    return {
      minimum: fixed,
      maximum: fixed,
      percent_minimum: percent(fixed, maximum),
      percent_maximum: percent(fixed, maximum),
      rolls: query.rolls ? [[fixed]] : [],
      defender_max_hp: maximum,
      ko_hits: fixed >= defender.curHP() ? 1 : null,
      ko_chance: fixed >= defender.curHP() ? 1 : null,
      hits: [1, 1],
      description: `${attacker.name} ${move.name} vs. ${defender.name}: ${fixed}`,
    };
  }
  const [fewest, most] = strikes(move, query);
  const hit = count => run(query, attacker, defender, count);
  const usual = hit(fewest === most ? most : Math.min(most, Math.max(fewest, 3)));
  const lowest = (fewest === most ? usual : hit(fewest)).range()[0];
  const highest = (fewest === most ? usual : hit(most)).range()[1];
  return {
    minimum: lowest,
    maximum: highest,
    percent_minimum: percent(lowest, maximum),
    percent_maximum: percent(highest, maximum),
    rolls: query.rolls ? rollsOf(usual.damage) : [],
    defender_max_hp: maximum,
    hits: [fewest, most],
    ...(query.detail ? outlook(usual, highest) : NO_OUTLOOK),
  };
}

const NO_OUTLOOK = {ko_hits: null, ko_chance: null, description: null};

/** The chance of a knock-out and the calculator's sentence: as dear as the damage itself. */
function outlook(result, highest) {
  if (highest === 0) {
    const {attacker, defender, move} = result;
    return {...NO_OUTLOOK, description: `${attacker.name} ${move.name} vs. ${defender.name}: 0`};
  }
  const ko = result.kochance(false);
  const known = ko.n > 0 && ko.chance !== undefined;
  return {
    ko_hits: known ? ko.n : null,
    ko_chance: known ? ko.chance : null,
    description: result.fullDesc('%', false),
  };
}
