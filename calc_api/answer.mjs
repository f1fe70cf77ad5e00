/**
 * Answers a checked query, from memory where the same was asked before.
 *
 * Turn after turn a decision asks for much the same: what a benched Pokémon would do changes only
 * with what bears on it. The key of a query holds all of it. The HP that are left stand apart:
 * few hits depend on them (but every chance of a knock-out does), and whether this one does is known
 * once it is reckoned.
 */
import {reckon} from './damage.mjs';
import {Kept} from './kept.mjs';

/** Answers take about 300 bytes each with their key. */
const MOST_ANSWERS = 16_384;
const MOST_PARTS = 4096;

const kept = new Kept(MOST_ANSWERS);

/** In an answer's place: look under the key that holds the HP as well. */
const DEPENDS_ON_HP = Symbol('depends on HP');

const numbers = new Kept(MOST_PARTS);
const numberOfPart = new WeakMap();
let lastNumber = 0;

/**
 * A number for a checked combatant (its HP aside) or field: equal ones have the same. A number is
 * never given twice, so one that was forgotten costs time and nothing else.
 */
function numberOf(part) {
  let number = numberOfPart.get(part);
  if (number === undefined) {
    const text = JSON.stringify({...part, hpFraction: undefined});
    number = numbers.get(text);
    if (number === undefined) numbers.set(text, number = ++lastNumber);
    numberOfPart.set(part, number);
  }
  return number;
}

function keyWithoutHp(query) {
  const {attacker, defender, field, move, critical, hits, detail, description, rolls} = query;
  return [
    numberOf(attacker), numberOf(defender), numberOf(field), move, hits ?? '',
    (critical ? 1 : 0) + (detail ? 2 : 0) + (description ? 4 : 0) + (rolls ? 8 : 0),
  ].join('|');
}

/** The answer to one checked query. Throws `QueryProblem` for moves without a predictable hit. */
export function answer(query) {
  let key = keyWithoutHp(query);
  let found = kept.get(key);
  const withHp = `${key}|${query.attacker.hpFraction}|${query.defender.hpFraction}`;
  if (found === DEPENDS_ON_HP) found = kept.get(key = withHp);
  if (found !== undefined) return found;
  const reckoned = reckon(query);
  if (key !== withHp && reckoned.dependsOnHp) {
    kept.set(key, DEPENDS_ON_HP);
    key = withHp;
  }
  kept.set(key, reckoned.answer);
  return reckoned.answer;
}
