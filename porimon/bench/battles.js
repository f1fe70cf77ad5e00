/**
 * Plays random battles in the simulator of an installed `pokemon-showdown` package and tells what
 * the benchmarks of damage ranges and candidate sets need. One JSON document a line:
 *
 *   {kind: "battle", battle, sets}                    the true sets of both sides, by name
 *   {kind: "decision", battle, side, lines, request}  a player is to choose
 *   {kind: "hit", battle, …}                          a move is about to take HP
 *
 * `lines` holds what both players were sent since the last document. A hit also carries a request
 * document for each side as it would be sent at that moment, and the damage before it is capped by
 * the HP that are left.
 *
 * Usage: node battles.js FOLDER-OF-THE-PACKAGE BATTLES SEED
 */
'use strict';

const crypto = require('crypto');
const path = require('path');

const root = path.resolve(process.argv[2]);
const battles = Number(process.argv[3]);
const seed = process.argv[4];
const {Battle, Dex, PRNG, Teams, toID} = require(path.join(root, 'dist/sim'));
const {extractChannelMessages} = require(path.join(root, 'dist/sim/battle'));

const FORMAT = 'gen8randombattle@@@Dynamax Clause';
const MOST_TURNS = 200;
const SIDES = ['p1', 'p2'];
const CHANNELS = {p1: 1, p2: 2};

function seedOf(...parts) {
  const hash = crypto.createHash('sha256').update([seed, ...parts].join(' ')).digest('hex');
  return `sodium,${hash.slice(0, 32)}`;
}

function legalChoices(request) {
  const bench = request.side.pokemon
    .map((pokemon, index) => [pokemon, index + 1])
    .filter(([pokemon]) => !pokemon.active && !pokemon.condition.endsWith(' fnt'))
    .map(([, slot]) => `switch ${slot}`);
  if (request.forceSwitch) return {moves: [], switches: bench};
  const active = request.active[0];
  const moves = active.moves
    .map((move, index) => [move, `move ${index + 1}`])
    .filter(([move]) => !move.disabled)
    .map(([, choice]) => choice);
  return {moves, switches: active.trapped || active.maybeTrapped ? [] : bench};
}

/** Mostly moves: battles of switches alone would have few hits. */
function choose(prng, request) {
  const {moves, switches} = legalChoices(request);
  const switching = switches.length && (!moves.length || prng.randomChance(1, 6));
  return switching ? prng.sample(switches) : moves.length ? prng.sample(moves) : 'default';
}

function play(number) {
  const prng = new PRNG(seedOf(number, 'choices'));
  const requests = {};
  let told = 0;
  const battle = new Battle({
    formatid: Dex.formats.get(FORMAT).id,
    format: Dex.formats.get(FORMAT),
    seed: seedOf(number, 'dice'),
    send: (type, data) => {
      if (type !== 'sideupdate' || !data.slice(3).startsWith('|request|')) return;
      requests[data.slice(0, 2)] = JSON.parse(data.slice(3 + '|request|'.length));
    },
  });
  const tell = document => console.log(JSON.stringify({battle: number, ...document}));
  const newLines = () => {
    const text = battle.log.slice(told).join('\n');
    told = battle.log.length;
    return Object.fromEntries(SIDES.map(
      side => [side, extractChannelMessages(text, [CHANNELS[side]])[CHANNELS[side]]]));
  };
  /** A side's request with its team as it is now, in the middle of a turn. */
  const requestNow = side => ({
    ...requests[side.id],
    forceSwitch: undefined,
    side: side.getRequestData(),
  });

  const spreadDamage = battle.spreadDamage.bind(battle);
  battle.spreadDamage = (damage, targets, source, effect, instafaint) => {
    const target = targets?.[0];
    if (effect?.effectType === 'Move' && source && target && source !== target &&
        typeof damage[0] === 'number') {
      tell({
        kind: 'hit',
        lines: newLines(),
        requests: Object.fromEntries(battle.sides.map(side => [side.id, requestNow(side)])),
        attacker: source.side.id,
        attacker_name: source.name,
        defender_name: target.name,
        attacker_active: source.isActive,
        move: effect.id,
        strike: effect.hit,
        critical: !!target.getMoveHitData(effect).crit,
        damage: damage[0],
        illusion: !!(source.illusion || target.illusion),
      });
    }
    return spreadDamage(damage, targets, source, effect, instafaint);
  };

  const sets = {};
  for (const side of SIDES) {
    const team = Teams.getGenerator('gen8randombattle', seedOf(number, side)).getTeam();
    battle.setPlayer(side, {name: side, team: Teams.pack(team)});
    sets[side] = battle.sides[SIDES.indexOf(side)].pokemon.map(pokemon => ({
      name: pokemon.name,
      species: toID(pokemon.set.species),
      level: pokemon.level,
      moves: pokemon.set.moves.map(toID),
      item: toID(pokemon.set.item),
      ability: toID(pokemon.set.ability),
      evs: pokemon.set.evs,
      ivs: pokemon.set.ivs,
    }));
  }
  tell({kind: 'battle', sets});
  while (!battle.ended && battle.turn < MOST_TURNS) {
    battle.sendUpdates();
    let lines = newLines();
    const choices = [];
    for (const side of battle.sides) {
      const request = requests[side.id];
      if (request.wait) continue;
      tell({kind: 'decision', side: side.id, lines, request});
      lines = Object.fromEntries(SIDES.map(name => [name, []]));
      choices.push([side.id, choose(prng, request)]);
    }
    for (const [side, choice] of choices) {
      if (!battle.choose(side, choice)) battle.choose(side, 'default');
    }
  }
}

for (let number = 0; number < battles; number++) play(number);
