// Plays battles in the simulator, with no server, and prints what each player is sent.
//
// Usage: node generate_battles.js PACKAGE_FOLDER BATTLES SEED [random|wild]
// One JSON document a line: {"seed", "p1": [protocol lines as p1 receives them], "p2": [...],
// "speeds": {turn: [p1's, p2's true Speed when the turn's first move was about to be used]}}.
// "random": Gen 8 Random Battle teams with the Dynamax Clause. "wild": teams of random species with
// moves, abilities and items drawn from all of Gen 8, so that rare messages turn up.
// Both players choose uniformly among everything that is legal, switches included.
'use strict';
const path = require('path');

const [packageFolder, battlesText, seedText, kind = 'random'] = process.argv.slice(2);
const {Battle, Dex, Teams, PRNG, extractChannelMessages} = require(path.join(packageFolder, 'dist', 'sim'));
const MAX_TURNS = 120;

function hexSeed(name) {
  return 'sodium,' + require('crypto').createHash('sha256').update(name).digest('hex').slice(0, 32);
}

function extract(log) {
  const read = extractChannelMessages || require(path.join(packageFolder, 'dist', 'sim', 'battle')).extractChannelMessages;
  const channels = read(log.join('\n'), [1, 2]);
  return {p1: channels[1], p2: channels[2]};
}

function usable(effect) {
  return effect.exists && effect.gen <= 8 && effect.num > 0 &&
    (!effect.isNonstandard || effect.isNonstandard === 'Past');
}

function wildTeam(random) {
  const dex = Dex.mod('gen8');
  const species = dex.species.all().filter(s => usable(s) && !s.battleOnly && !s.isMega && !/-Gmax|-Totem/.test(s.name));
  const moves = dex.moves.all().filter(m => usable(m) && !m.isZ && !m.isMax && m.id !== 'struggle');
  const abilities = dex.abilities.all().filter(usable);
  const items = dex.items.all().filter(i => usable(i) && !i.zMove && !i.megaStone);
  return Array.from({length: 6}, () => {
    const drawn = random.sample(species);
    const set = [];
    while (set.length < 4) {
      const move = random.sample(moves).name;
      if (!set.includes(move)) set.push(move);
    }
    return {
      name: drawn.baseSpecies, species: drawn.name, moves: set, level: 80,
      ability: random.randomChance(1, 2) ? random.sample(abilities).name : random.sample(Object.values(drawn.abilities)),
      item: random.sample(items).name,
      evs: {hp: 84, atk: 84, def: 84, spa: 84, spd: 84, spe: 84},
      ivs: {hp: 31, atk: 31, def: 31, spa: 31, spd: 31, spe: 31}, nature: 'Serious',
    };
  });
}

function legalChoices(request) {
  const team = request.side.pokemon;
  const healthy = slot => !team[slot].active && !team[slot].condition.endsWith(' fnt');
  const switches = team.map((_, slot) => slot).filter(healthy).map(slot => `switch ${slot + 1}`);
  if (request.forceSwitch) {
    if (!team[0].reviving) return switches;
    return team.map((_, slot) => slot).filter(slot => team[slot].condition.endsWith(' fnt')).map(slot => `switch ${slot + 1}`);
  }
  const active = request.active[0];
  const moves = active.moves.map((move, index) => ({move, index})).filter(({move}) => !move.disabled)
    .map(({index}) => `move ${index + 1}`);
  // Moves twice as often as switches in all: a battle of switches alone would never end.
  const canSwitch = !active.trapped;
  return canSwitch ? [...moves, ...moves, ...switches] : moves;
}

function choose(side, random) {
  for (let attempts = 0; attempts < 20; attempts++) {
    const choices = legalChoices(side.activeRequest);
    if (side.choose(choices.length ? random.sample(choices) : 'default')) return;
  }
  throw new Error(`no choice is taken: ${JSON.stringify(side.activeRequest)} ${side.choice.error}`);
}

/** Notes both actives' true Speed, all modifiers included, when a turn's first move begins. */
function watchSpeeds(battle) {
  const speeds = {};
  const runAction = battle.runAction.bind(battle);
  battle.runAction = action => {
    if (action.choice === 'move' && !(battle.turn in speeds)) {
      speeds[battle.turn] = battle.sides.map(side => side.active[0] && side.active[0].getStat('spe', false, false));
    }
    return runAction(action);
  };
  return speeds;
}

function play(name) {
  const random = new PRNG(hexSeed(name + ' choices'));
  const format = kind === 'wild' ? 'gen8anythinggoes@@@!Team Preview,Dynamax Clause' : 'gen8randombattle@@@Dynamax Clause';
  const team = role => kind === 'wild' ? wildTeam(random)
    : Teams.getGenerator('gen8randombattle', hexSeed(name + role)).getTeam();
  const battle = new Battle({
    formatid: format, seed: hexSeed(name),
    p1: {name: 'bot 1', team: team('p1')}, p2: {name: 'bot 10', team: team('p2')},
  });
  const speeds = watchSpeeds(battle);
  while (!battle.ended) {
    for (const side of battle.sides) {
      if (!side.activeRequest || side.activeRequest.wait || side.isChoiceDone()) continue;
      if (battle.requestState === 'teampreview') side.choose('default');
      else choose(side, random);
    }
    if (battle.turn > MAX_TURNS) battle.tie();
    else battle.commitChoices();
  }
  // The clock's time would make every run differ.
  const seen = extract(battle.log.map(line => line.startsWith('|t:|') ? '|t:|0' : line));
  battle.destroy();
  return {seed: hexSeed(name), ...seen, speeds};
}

for (let number = 0; number < Number(battlesText); number++) {
  process.stdout.write(JSON.stringify(play(`${seedText}-${number}`)) + '\n');
}
