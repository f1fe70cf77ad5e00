/**
 * Samples the Gen 8 Random Battle generator of an installed `pokemon-showdown` package: which sets
 * it gives each species, and how often. Prints one JSON document.
 *
 * Usage: node sample.js FOLDER-OF-THE-PACKAGE SAMPLES [SPECIES …]
 *
 * A set depends on what the team has so far (hazards, removal, screens, a Dynamax user) and on
 * whether the Pokémon leads. Whole teams are generated first and the circumstances of each of their
 * members noted; every species is then sampled under circumstances drawn from those. Each species
 * has a seed of its own, so a few can be sampled again and compared.
 */
'use strict';

const crypto = require('crypto');
const path = require('path');

const root = path.resolve(process.argv[2]);
const samples = Number(process.argv[3]);
const onlySpecies = process.argv.slice(4);
const {Teams, toID} = require(path.join(root, 'dist/sim'));
const randomSets = require(path.join(root, 'dist/data/random-battles/gen8/sets.json'));

const FORMAT = 'gen8randombattle';
const TEAMS = 1500;
const STATS = ['hp', 'atk', 'def', 'spa', 'spd', 'spe'];

function generator(name) {
  const hash = crypto.createHash('sha256').update(`porimon candidates ${name}`).digest('hex');
  return Teams.getGenerator(FORMAT, `sodium,${hash.slice(0, 32)}`);
}

/** What the generator is told of the rest of the team, for every member of many teams. */
function circumstances() {
  const noted = [];
  const teams = generator('teams');
  const randomSet = teams.randomSet.bind(teams);
  teams.randomSet = (species, teamDetails, isLead) => {
    noted.push([{...teamDetails}, isLead]);
    return randomSet(species, teamDetails, isLead);
  };
  for (let team = 0; team < TEAMS; team++) teams.getTeam();
  return noted;
}

function isDynamaxUserOnly(species) {
  const sets = randomSets[species].sets;
  return sets.length === 1 && sets[0].role === 'Dynamax User';
}

function sampleSpecies(species, noted) {
  const teams = generator(species);
  const usable = isDynamaxUserOnly(species) ?
    noted.filter(([details]) => !details.dynamaxUser) : noted;
  const counts = new Map();
  const looks = new Set();
  for (let sample = 0; sample < samples; sample++) {
    const [details, isLead] = usable[teams.random(usable.length)];
    const set = teams.randomSet(species, {...details}, isLead);
    looks.add(toID(set.species));
    const key = JSON.stringify([
      set.role,
      set.moves.map(toID).sort(),
      toID(set.item),
      toID(set.ability),
      STATS.map(stat => set.evs[stat]),
      STATS.map(stat => set.ivs[stat]),
    ]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return {
    level: randomSets[species].level,
    looks: [...looks].sort(),
    sets: [...counts].map(([key, count]) => [count, ...JSON.parse(key)])
      .sort((a, b) => b[0] - a[0] || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

const noted = circumstances();
const wanted = onlySpecies.length ? onlySpecies : Object.keys(randomSets);
process.stdout.write(JSON.stringify({
  source: `pokemon-showdown ${require(path.join(root, 'package.json')).version}`,
  samples,
  species: Object.fromEntries(wanted.map(species => [species, sampleSpecies(species, noted)])),
}));
