/**
 * Plays random against random in the simulator alone, and writes what happened as JSON lines.
 *
 *   node random_battles.js [--count=1] [--first-seed=0] [--states]
 *        [--format='gen8randombattle@@@Dynamax Clause']
 *
 * One line for each battle: {"seed", "winner", "turns", "choices", "log", "player_logs":
 * {"p1", "p2"}, "decisions"}. `choices` feeds simulate.js. Each decision is {"turn", "side",
 * "log_lines" (how long the side's log was), "request", "choice"}, with --states also "state": what
 * is true then, whoever may know it. The same seed gives the same battle.
 */
'use strict';

const { createHash } = require('crypto');
const { parseArgs } = require('util');
const { Battle, PRNG, Teams } = require('pokemon-showdown');
const { omniscientLines } = require('./battle_log.js');

const { values: options } = parseArgs({
	options: {
		count: { type: 'string', default: '1' },
		'first-seed': { type: 'string', default: '0' },
		format: { type: 'string', default: 'gen8randombattle@@@Dynamax Clause' },
		states: { type: 'boolean', default: false },
	},
});

function derive(seed, purpose) {
	return `sodium,${createHash('sha256').update(`porimon:${seed}:${purpose}`).digest('hex')}`;
}

function playerLines(log, side) {
	const lines = [];
	for (let index = 0; index < log.length; index++) {
		if (log[index].startsWith('|split|')) {
			const line = log[index + (log[index] === `|split|${side}` ? 1 : 2)];
			if (line) lines.push(line);
			index += 2;
		} else {
			lines.push(log[index]);
		}
	}
	return lines;
}

function legalChoices(request) {
	const bench = request.side.pokemon
		.map((pokemon, index) => ({ pokemon, slot: index + 1 }))
		.filter(({ pokemon }) => !pokemon.active);
	const alive = bench.filter(({ pokemon }) => !pokemon.condition.endsWith(' fnt'));
	if (request.forceSwitch) {
		const reviving = request.side.pokemon.some(pokemon => pokemon.reviving);
		const targets = reviving ? bench.filter(entry => !alive.includes(entry)) : alive;
		return targets.map(({ slot }) => `switch ${slot}`);
	}
	const [active] = request.active;
	const moves = active.moves
		.map((move, index) => ({ move, choice: `move ${index + 1}` }))
		.filter(({ move }) => !move.disabled)
		.map(({ choice }) => choice);
	const switches = active.trapped ? [] : alive.map(({ slot }) => `switch ${slot}`);
	return [...moves, ...switches];
}

function conditions(effects) {
	return Object.fromEntries(Object.entries(effects).map(([id, state]) => [
		id, { duration: state.duration ?? null, layers: state.layers ?? null },
	]));
}

function describePokemon(pokemon) {
	return {
		name: pokemon.name,
		species: pokemon.species.id,
		base_species: pokemon.baseSpecies.id,
		level: pokemon.level,
		types: pokemon.getTypes(),
		hp: pokemon.hp,
		max_hp: pokemon.maxhp,
		status: pokemon.status || null,
		ability: pokemon.ability || null,
		base_ability: pokemon.baseAbility || null,
		item: pokemon.item || null,
		stats: pokemon.baseStoredStats,
		boosts: { ...pokemon.boosts },
		volatiles: conditions(pokemon.volatiles),
		moves: pokemon.moveSlots.map(({ id, pp, maxpp, disabled }) => ({
			id, pp, max_pp: maxpp, disabled: !!disabled,
		})),
		active: pokemon.isActive,
		fainted: pokemon.fainted,
	};
}

function describeState(battle) {
	const { field } = battle;
	return {
		turn: battle.turn,
		weather: field.weather ? { id: field.weather, duration: field.weatherState.duration ?? null } : null,
		terrain: field.terrain ? { id: field.terrain, duration: field.terrainState.duration ?? null } : null,
		pseudo_weather: conditions(field.pseudoWeather),
		sides: Object.fromEntries(battle.sides.map(side => [side.id, {
			conditions: conditions(side.sideConditions),
			pokemon: side.pokemon.map(describePokemon),
		}])),
	};
}

function chooseAtRandom(battle, side, dice) {
	const choices = legalChoices(side.activeRequest);
	while (choices.length) {
		const [choice] = choices.splice(dice.random(choices.length), 1);
		if (battle.choose(side.id, choice)) return choice;
	}
	// Only a disguised trap or the like leaves nothing of what the request offers.
	battle.choose(side.id, 'default');
	return 'default';
}

function playBattle(seed) {
	const battle = new Battle({ formatid: options.format, seed: derive(seed, 'battle') });
	const dice = new PRNG(derive(seed, 'choices'));
	for (const [index, side] of ['p1', 'p2'].entries()) {
		const generator = Teams.getGenerator(options.format, derive(seed, `team ${index + 1}`));
		battle.setPlayer(side, { name: side, avatar: '', team: Teams.pack(generator.getTeam()) });
	}
	const decisions = [];
	while (!battle.ended) {
		battle.sendUpdates();
		for (const side of battle.sides) {
			if (battle.ended || !side.activeRequest || side.activeRequest.wait) continue;
			if (side.isChoiceDone()) continue;
			const decision = {
				turn: battle.turn,
				side: side.id,
				log_lines: playerLines(battle.log, side.id).length,
				request: JSON.parse(JSON.stringify(side.activeRequest)),
			};
			if (options.states) decision.state = describeState(battle);
			decision.choice = chooseAtRandom(battle, side, dice);
			decisions.push(decision);
		}
	}
	return {
		seed,
		winner: battle.winner || null,
		turns: battle.turn,
		choices: battle.inputLog.filter(line => !line.startsWith('>version')),
		log: omniscientLines(battle.log),
		player_logs: { p1: playerLines(battle.log, 'p1'), p2: playerLines(battle.log, 'p2') },
		decisions,
	};
}

async function main() {
	const first = Number(options['first-seed']);
	for (let seed = first; seed < first + Number(options.count); seed++) {
		if (!process.stdout.write(`${JSON.stringify(playBattle(seed))}\n`)) {
			await new Promise(resolve => process.stdout.once('drain', resolve));
		}
	}
}

main();
