/** Answers one checked query with the calculator, and mends what it leaves to its user. */
import {createRequire} from 'node:module';
import {Kept} from './kept.mjs';
import {GENERATION} from './names.mjs';
import {QueryProblem} from './query.mjs';
import {WorkingField, WorkingMove, WorkingPokemon, expectWholeCopies} from './working.mjs';

const {calculate} = createRequire(import.meta.url)('@smogon/calc');
expectWholeCopies(GENERATION);

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

/**
 * A hit depends on the HP that its user has left by these alone. (The calculator looks at them for
 * every hit, for the sake of the first four abilities: so its looking tells nothing. At the
 * defender's it looks only where they matter.)
 */
const HP_OF_USER_ABILITIES = ['Overgrow', 'Blaze', 'Torrent', 'Swarm', 'Defeatist', 'Gale Wings'];
const HP_OF_USER_MOVES = [
  'Dragon Energy', 'Endeavor', 'Eruption', 'Final Gambit', 'Flail', 'Pain Split', 'Reversal',
  'Water Spout',
];

const builtPokemon = new WeakMap();
const builtFields = new WeakMap();

/** What `build` makes of a checked part of a query: queries that share the part share that too. */
function shared(built, part, build) {
  let made = built.get(part);
  if (made === undefined) built.set(part, made = build(part));
  return made;
}

/** With exact stats, HP and types where the query gives them. */
function newCombatant(spec) {
  const ability = !spec.ability || SPENT_ON_ENTRY.includes(spec.ability) ? NO_ABILITY : spec.ability;
  const pokemon = new WorkingPokemon(GENERATION, spec.species, {
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
  Object.assign(pokemon.rawStats, spec.stats);
  Object.assign(pokemon.stats, spec.stats);
  if (spec.types) pokemon.types = spec.types.slice(0, 2);
  const maximum = pokemon.rawStats.hp;
  pokemon.originalCurHP = spec.hpFraction === 1 ?
    maximum :
    Math.max(1, Math.min(Math.round(spec.hpFraction * maximum), maximum - 1));
  // A copy has the shape of those that are worked on.
  return pokemon.clone();
}

function newField(field) {
  return new WorkingField(field).clone();
}

const keptMoves = new Kept(4096);

/** The calculator's move with these options; kept, since a clone of it is what is worked on. */
function moveWith(name, options = {}) {
  const key = [name, options.ability, options.item, options.isCrit, options.hits].join('|');
  let move = keptMoves.get(key);
  if (move === undefined) {
    keptMoves.set(key, move = new WorkingMove(GENERATION, name, options).clone());
  }
  return move;
}

function typeMultiplier(type, defender) {
  const row = GENERATION.types.get(type.toLowerCase());
  return defender.types.reduce((product, other) => product * (row?.effectiveness[other] ?? 1), 1);
}

/** Damage in points of moves that the calculator has no formula for; undefined: it has one. */
function fixedDamage(move, attacker, defender) {
  const immune = () => typeMultiplier(move.type, defender) === 0;
  if (move.name === 'Super Fang') {
    return immune() ? 0 : Math.max(1, Math.floor(defender.curHP() / 2));
  }
  if (move.name === 'Endeavor') {
    return immune() ? 0 : Math.max(0, defender.curHP() - attacker.curHP());
  }
  if (ONE_HIT_KO.includes(move.name)) {
    const fails = immune() || defender.hasAbility('Sturdy') || attacker.level < defender.level ||
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
  const field = shared(builtFields, query.field, newField);
  return calculate(GENERATION, attacker, defender, move, field);
}

function rollsOf(damage) {
  if (typeof damage === 'number') return [[damage]];
  if (typeof damage[0] !== 'number') return damage;
  return damage.length < 16 ? damage.map(strike => [strike]) : [damage];
}

function percent(points, maximum) {
  return Math.round(points / maximum * 10000) / 100;
}

/**
 * Reckons one checked query: its answer, and whether that would be another with other HP left.
 *
 * Throws `QueryProblem` for moves without a predictable hit.
 */
export function reckon(query) {
  const move = moveWith(query.move);
  if (OUT_OF_REACH.includes(move.name)) {
    throw new QueryProblem('move', `the damage of ${move.name} is not known before it is used`);
  }
  if (move.category === 'Status' && move.name !== 'Nature Power') {
    throw new QueryProblem('move', `${move.name} is a status move`);
  }
  const attacker = shared(builtPokemon, query.attacker, newCombatant);
  const defender = shared(builtPokemon, query.defender, newCombatant);
  const ownHpMatter = HP_OF_USER_MOVES.includes(move.name) ||
    HP_OF_USER_ABILITIES.includes(attacker.ability);
  const before = defender.hpReads.count;
  const found = hit(query, move, attacker, defender);
  return {answer: found, dependsOnHp: ownHpMatter || defender.hpReads.count !== before};
}

function hit(query, move, attacker, defender) {
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
  const result = count => run(query, attacker, defender, count);
  const usual = result(fewest === most ? most : Math.min(most, Math.max(fewest, 3)));
  const lowest = (fewest === most ? usual : result(fewest)).range()[0];
  const highest = (fewest === most ? usual : result(most)).range()[1];
  return {
    minimum: lowest,
    maximum: highest,
    percent_minimum: percent(lowest, maximum),
    percent_maximum: percent(highest, maximum),
    rolls: query.rolls ? rollsOf(usual.damage) : [],
    defender_max_hp: maximum,
    hits: [fewest, most],
    ...(query.detail ? outlook(usual, highest, query.description) : NO_OUTLOOK),
  };
}

const NO_OUTLOOK = {ko_hits: null, ko_chance: null, description: null};

/** The chance of a knock-out and the calculator's sentence: each half as dear as the damage. */
function outlook(result, highest, described) {
  if (highest === 0) {
    const {attacker, defender, move} = result;
    const sentence = `${attacker.name} ${move.name} vs. ${defender.name}: 0`;
    return {...NO_OUTLOOK, description: described ? sentence : null};
  }
  const ko = result.kochance(false);
  const known = ko.n > 0 && ko.chance !== undefined;
  return {
    ko_hits: known ? ko.n : null,
    ko_chance: known ? ko.chance : null,
    description: described ? result.fullDesc('%', false) : null,
  };
}
