// Prints Showdown's nicknames of moves and Pokémon (`eq` for Earthquake) as JSON.
// Usage: node extract_aliases.js <folder of the pinned pokemon-showdown package>
'use strict';

const path = require('path');
const root = process.argv[2];
const { Aliases } = require(path.join(root, 'dist/data/aliases.js'));
const { Dex } = require(path.join(root, 'dist/sim'));
const dex = Dex.forGen(8);

const found = {};
for (const [alias, name] of Object.entries(Aliases)) {
  const move = dex.moves.get(name);
  const species = dex.species.get(name);
  if (move.exists && move.gen <= 8 && !move.isZ && !move.isMax) found[alias] = move.id;
  else if (species.exists && species.gen <= 8) found[alias] = species.id;
}
process.stdout.write(JSON.stringify(found));
