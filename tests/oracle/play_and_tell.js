// Plays random battles in the simulator and tells, at every decision, what the player had been
// sent (protocol lines, request), what the simulator accepts, and the simulator's own state.
//
// usage: node play_and_tell.js NODE_MODULES BATTLES SEED [wild]
// With "wild", teams have moves, abilities and items drawn from all of generation 8, whatever the
// species: effects that random teams hardly ever show come up in every battle.
// Prints one JSON document a line: {battle, side, lines, request, accepted, truth}.
'use strict';

const path = require('path');

const [nodeModules, battles, seed, kind] = process.argv.slice(2);
const sim = require(path.join(path.resolve(nodeModules), 'pokemon-showdown'));
const { Battle } = sim;
const { extractChannelMessages } = require(
  path.join(path.resolve(nodeModules), 'pokemon-showdown', 'dist', 'sim', 'battle.js'));
const { PRNG, Teams } = sim;

const RANDOM_FORMAT = 'gen8randombattle@@@Dynamax Clause';
const WILD_FORMAT = 'gen8customgame@@@!Team Preview,Dynamax Clause,HP Percentage Mod';
const FORMAT = kind === 'wild' ? WILD_FORMAT : RANDOM_FORMAT;
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

// Moves that other formats or a second partner need, that end a battle at once, or whose effect a
// view leaves out on purpose (see docs/view.md).
const NOT_WILD = new Set([
  'struggle', 'sketch', 'mimic', 'bide', 'assist', 'powersplit', 'guardsplit', 'speedswap',
]);

function wildTeam(prng) {
  const dex = sim.Dex.mod('gen8');
  const moves = dex.moves.all().filter(move =>
    !move.isNonstandard && !move.isMax && !move.isZ && !NOT_WILD.has(move.id) && !move.ohko);
  const abilities = dex.abilities.all().filter(ability =>
    !ability.isNonstandard && !ability.id.startsWith('asone'));
  const items = dex.items.all().filter(item => !item.isNonstandard && !item.isPokeball);
  const species = dex.species.all().filter(one =>
    !one.isNonstandard && !one.battleOnly && !one.requiredItem && one.bst > 400
    && one.baseSpecies === one.name);
  const chosen = new Map();
  while (chosen.size < 6) {
    const one = prng.sample(species);
    chosen.set(one.name, one);
  }
  return [...chosen.values()].map(one => {
    const known = new Set();
    while (known.size < 4) known.add(prng.sample(moves).name);
    // A species that has but one ability is known to have it: it keeps it.
    const own = Object.keys(one.abilities).length === 1;
    const ability = own || prng.randomChance(1, 2) ? prng.sample(Object.values(one.abilities))
      : prng.sample(abilities).name;
    return {
      name: one.name, species: one.name, level: 80, nature: 'Serious', ability,
      item: prng.sample(items).name, moves: [...known], gender: one.gender || undefined,
      evs: { hp: 85, atk: 85, def: 85, spa: 85, spd: 85, spe: 85 },
      ivs: { hp: 31, atk: 31, def: 31, spa: 31, spd: 31, spe: 31 },
    };
  });
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
  const team = () => Teams.pack(kind === 'wild' ? wildTeam(prng)
    : Teams.getGenerator('gen8randombattle', freshSeed()).getTeam());
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
