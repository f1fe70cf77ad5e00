// Prints generated Gen 8 Random Battle teams, one JSON list of sets a line.
//
// usage: node teams.js FOLDER-OF-THE-PACKAGE TEAMS
'use strict';

const path = require('path');

const {Teams, toID} = require(path.join(path.resolve(process.argv[2]), 'dist/sim'));
const generator = Teams.getGenerator('gen8randombattle', 'sodium,00112233445566778899aabbccddeeff');
for (let team = 0; team < Number(process.argv[3]); team++) {
  console.log(JSON.stringify(generator.getTeam().map(set => ({
    species: toID(set.species),
    level: set.level,
    moves: set.moves.map(toID),
    item: toID(set.item),
    ability: toID(set.ability),
    evs: set.evs,
    ivs: set.ivs,
  }))));
}
