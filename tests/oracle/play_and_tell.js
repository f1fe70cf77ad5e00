// Plays random battles in the simulator and tells, at every decision, what the player had been
// sent (protocol lines, request), what the simulator accepts, and the simulator's own state.
//
// usage: node play_and_tell.js NODE_MODULES BATTLES SEED
// Prints one JSON document a line: {battle, side, lines, request, accepted, truth}.
'use strict';

const path = require('path');

const [nodeModules, battles, seed] = process.argv.slice(2);
const sim = require(path.join(path.resolve(nodeModules), 'pokemon-showdown'));
const { Battle } = sim;
const { extractChannelMessages } = require(
  path.join(path.resolve(nodeModules), 'pokemon-showdown', 'dist', 'sim', 'battle.js'));
const { PRNG, Teams } = sim;

const FORMAT = 'gen8randombattle@@@Dynamax Clause';
const CHANNEL = { p1: 1, p2: 2 };

// Effects refer to Pokémon and moves by object: only plain values can be told.
function plainState(state) {
  const told = {};
  for (const [key, value] of Object.entries(state)) {
    if (['string', 'number', 'boolean'].includes(typeof value)) told[key] = value;
  }
  return told;
}

function plainStates(states) {
  return Object.fromEntries(
    Object.entries(states).map(([id, state]) => [id, plainState(state)]));
}

function tellPokemon(pokemon) {
  return {
    name: pokemon.name,
    fullname: pokemon.fullname,
    details: pokemon.details,
    species: pokemon.species.id,
    baseSpecies: pokemon.baseSpecies.id,
    set: pokemon.set.species,
    level: pokemon.level,
    gender: pokemon.gender,
    types: pokemon.getTypes(),
    hp: pokemon.hp,
    maxhp: pokemon.maxhp,
    status: pokemon.status,
    statusState: plainState(pokemon.statusState),
    boosts: pokemon.boosts,
    volatiles: plainStates(pokemon.volatiles),
    item: pokemon.item,
    lastItem: pokemon.lastItem,
    ability: pokemon.ability,
    baseAbility: pokemon.baseAbility,
    moves: pokemon.moveSlots.map(slot => ({ id: slot.id, pp: slot.pp, maxpp: slot.maxpp })),
    baseMoves: pokemon.baseMoveSlots.map(
      slot => ({ id: slot.id, pp: slot.pp, maxpp: slot.maxpp })),
    active: pokemon.isActive,
    fainted: pokemon.fainted,
    transformed: pokemon.transformed,
    illusion: pokemon.illusion ? pokemon.illusion.species.id : null,
    speed: pokemon.isActive ? pokemon.getStat('spe', false, false) : null,
    stats: pokemon.storedStats,
    baseStats: pokemon.species.baseStats,
    lastMove: pokemon.lastMove ? pokemon.lastMove.id : null,
    activeTurns: pokemon.activeTurns,
    trapped: pokemon.trapped,
  };
}

function tellBattle(battle) {
  return {
    turn: battle.turn,
    weather: battle.field.weather,
    weatherState: plainState(battle.field.weatherState),
    terrain: battle.field.terrain,
    terrainState: plainState(battle.field.terrainState),
    pseudoWeather: plainStates(battle.field.pseudoWeather),
    sides: Object.fromEntries(battle.sides.map(side => [side.id, {
      pokemon: side.pokemon.map(tellPokemon),
      conditions: plainStates(side.sideConditions),
      slotConditions: plainStates(side.slotConditions[0]),
    }])),
  };
}

// Which orders the simulator takes. Asking may change a request (a refused order tells its
// player that it is trapped), so such questions are put to a copy.
function accepted(battle, sideId, request) {
  const active = request.active ? request.active[0] : {};
  const telling = active.maybeTrapped || active.maybeDisabled || active.maybeLocked;
  const asked = [];
  for (let index = 1; index <= 6; index++) {
    asked.push(`switch ${index}`);
    if (index <= 4) asked.push(`move ${index}`);
  }
  const taken = [];
  for (const choice of asked) {
    const copy = telling ? Battle.fromJSON(JSON.stringify(battle.toJSON())) : battle;
    const side = copy.sides.find(one => one.id === sideId);
    side.emitChoiceError = message => { side.choice.error = message; return false; };
    if (side.choose(choice)) taken.push(choice);
    delete side.emitChoiceError;
    side.clearChoice();
  }
  return taken;
}

function choose(prng, taken) {
  const moves = taken.filter(choice => choice.startsWith('move'));
  const switches = taken.filter(choice => choice.startsWith('switch'));
  const switching = switches.length && (!moves.length || prng.randomChance(1, 4));
  return prng.sample(switching ? switches : moves);
}

function play(number) {
  const prng = new PRNG(`sodium,${(Number(seed) * 100000 + number + 1).toString(16).padStart(32, '0')}`);
  const freshSeed = () =>
    `sodium,${Array.from({ length: 32 }, () => prng.random(16).toString(16)).join('')}`;
  const waiting = { p1: [], p2: [] };
  const requests = {};
  const battle = new Battle({
    formatid: sim.Dex.formats.get(FORMAT).id,
    format: sim.Dex.formats.get(FORMAT),
    seed: freshSeed(),
    send: (type, data) => {
      if (type === 'update') {
        for (const line of Array.isArray(data) ? [data.join('\n')] : [data]) {
          for (const side of ['p1', 'p2']) {
            const told = extractChannelMessages(line, [CHANNEL[side]])[CHANNEL[side]];
            waiting[side].push(...told);
          }
        }
      } else if (type === 'sideupdate') {
        const [side, line] = [data.slice(0, 2), data.slice(3)];
        if (line.startsWith('|request|')) requests[side] = line.slice('|request|'.length);
      }
    },
  });
  const team = () => Teams.pack(Teams.getGenerator('gen8randombattle', freshSeed()).getTeam());
  battle.setPlayer('p1', { name: 'bot 1', team: team() });
  battle.setPlayer('p2', { name: 'bot 10', team: team() });
  battle.sendUpdates();
  while (!battle.ended && battle.turn < 300) {
    const orders = [];
    for (const side of battle.sides) {
      const request = JSON.parse(requests[side.id]);
      if (request.wait) continue;
      const taken = accepted(battle, side.id, request);
      const lines = waiting[side.id].splice(0);
      console.log(JSON.stringify({
        battle: number, side: side.id, lines, request, accepted: taken, truth: tellBattle(battle),
      }));
      orders.push([side.id, choose(prng, taken)]);
    }
    for (const [side, choice] of orders) {
      if (!battle.choose(side, choice)) throw new Error(`refused after all: ${side} ${choice}`);
    }
    battle.sendUpdates();
  }
}

for (let number = 0; number < Number(battles); number++) play(number);
